import type { AlertProviderStatus } from '../api/alert-provider.ts';
import { neverMatches, type RouteProblem, routeProblems } from '../api/rules/routes.ts';
import type { Effort } from '../model/glob-words.ts';
import { describeSelector, effectiveRoutes, type RouteCount } from '../model/routes.ts';
import type { Selector } from '../model/selector.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import type { ProviderProblem } from './check.ts';
import { instantOf, shortened } from './conditions.ts';

/** What a route of a provider is, what it took and what is wrong with it. */
export type RouteRows = NonNullable<AlertProviderStatus['routes']>;

/** What one provider's routes may cost to judge: some hundredths of a second at worst, and only after an edit. */
const effort = (): Effort => ({ left: 100_000 });
/** The longest description of a selector that the schema takes. */
const longestSelector = 512;

type Judged = Pick<Settings, 'filters' | 'detection'> & { readonly problems: readonly RouteProblem[] };

/** What is wrong with the routes of providers, found out once for each edit. */
export class RouteProblems {
  readonly #judged = new WeakMap<readonly Selector[], Judged>();

  /** `provider`: one whose routes choose what it gets. */
  of(provider: ProviderSettings, { filters, detection, operatorNamespace }: Settings): readonly RouteProblem[] {
    const { routes = [], namespace } = provider;
    const known = this.#judged.get(routes);
    if (known?.filters === filters && known.detection === detection) return known.problems;
    const tenant = namespace === operatorNamespace ? {} : { tenant: namespace };
    const problems = routeProblems(routes, { filters, overrides: detection.overrides, ...tenant }, effort());
    this.#judged.set(routes, { filters, detection, problems });
    return problems;
  }
}

/** What a provider's routes come to in its status. */
export type RouteState = {
  readonly rows: RouteRows;
  /** What a human must mend: routes that cannot match anything, whatever fails. */
  readonly problems: readonly ProviderProblem[];
  /** What the condition `Active` says of them. */
  readonly says: string;
};

/**
 * The routes of a provider as its status shows them; `undefined` where it has none that choose. `counts`: in the order of the
 * routes; `undefined` while nobody has counted yet, and then what the status said before stays.
 */
export function routeState(
  provider: ProviderSettings,
  settings: Settings,
  verdicts: RouteProblems,
  counts: readonly (RouteCount | undefined)[] | undefined,
  before: RouteRows | undefined,
): RouteState | undefined {
  const routes = effectiveRoutes(provider, settings);
  if (routes.length === 0) return undefined;
  const problems = verdicts.of(provider, settings);
  const rows = routes.map((route, index): RouteRows[number] => {
    const selector = cut(describeSelector(route));
    const known = before?.find((row) => row.selector === selector);
    const count = counts?.[index];
    const lastMatchTime = counts === undefined ? known?.lastMatchTime : count && instantOf(count.lastMatchAt);
    const problem = problems.find((one) => one.index === index);
    return {
      ...{ index, selector },
      incidents: counts === undefined ? (known?.incidents ?? 0) : (count?.incidents ?? 0),
      ...(lastMatchTime !== undefined && { lastMatchTime }),
      ...(problem && { problem: shortened(problem.message) }),
    };
  });
  return {
    rows,
    problems: problems
      .filter(({ is }) => is === 'Impossible')
      .map(({ message }) => ({ reason: 'UnreachableRoute', message })),
    says: saysOf(routes.length, problems.filter(neverMatches).length),
  };
}

function saysOf(all: number, idle: number): string {
  const routes = all === 1 ? 'its route picks' : `its ${all} routes pick`;
  if (idle === all)
    return `None of ${all === 1 ? 'its one route' : `its ${all} routes`} can ever match: nothing comes here.`;
  const some = idle === 0 ? '' : ` ${idle} of them can never match: see \`status.routes\`.`;
  return `What ${routes} comes here.${some}`;
}

function cut(text: string): string {
  return text.length <= longestSelector ? text : `${text.slice(0, longestSelector - 1)}…`;
}
