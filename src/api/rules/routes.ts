import { type Effort, findWord, namespaceNames, nodeNames, someEffort } from '../../model/glob-words.ts';
import type { Selector } from '../../model/selector.ts';
import {
  impossibleFields,
  reasonsOf,
  type SelectorField,
  selectorCovers,
  severitiesOf,
} from '../../model/selector-cover.ts';
import type { Override, Settings } from '../../model/settings.ts';
import { atMost, type Severity, severities } from '../../model/severity.ts';
import { joinPath } from '../../schema/path.ts';
import { whyNeedless } from './needless.ts';

const quoted = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(', ');

/** What names consist of that globs of a field are matched with. */
const legal = {
  namespaces: {
    alphabet: namespaceNames,
    says: 'no Namespace has such a name: it is lower-case letters, digits and "-"',
  },
  nodes: { alphabet: nodeNames, says: 'no Node has such a name: it is lower-case letters, digits, "-" and "."' },
} as const;

function whyGlobs(field: 'namespaces' | 'reasons' | 'names' | 'nodes' | 'owners', globs: readonly string[]): string {
  const includes = globs.filter((glob) => !glob.startsWith('!'));
  const isIllegal =
    (field === 'namespaces' || field === 'nodes') &&
    includes.length > 0 &&
    findWord([includes], [], legal[field].alphabet) === 'none';
  return isIllegal
    ? `: ${legal[field].says}, so nothing ever matches; correct it`
    : ' excludes all that it includes, so nothing ever matches: remove the exclude or the include';
}

/** Why a field lets nothing pass, and what to do about it, as a sentence. `path`: of the selector. */
export function whyImpossible(field: SelectorField, selector: Selector, path: string): string {
  const at = joinPath(path, field);
  switch (field) {
    case 'namespaces':
    case 'reasons':
    case 'names':
    case 'nodes':
    case 'owners':
      return `\`${at}\` (${quoted(selector[field] ?? [])})${whyGlobs(field, selector[field] ?? [])}`;
    case 'labels': {
      const pairs = Object.entries(selector.labels ?? {}).map(([key, value]) => `${key}: ${value}`);
      return `\`${at}\` (${quoted(pairs)}): no object can have such a label, so nothing ever matches: correct it`;
    }
    case 'kinds':
      return `\`${at}\` (${quoted(selector.kinds ?? [])}): no kind is written so, and nothing ever matches: write it as manifests do, such as Deployment, without a group`;
    case 'severities':
      return `\`${at}\` names no severity, so nothing ever matches: name one, or leave the field out`;
  }
}

/** What decides whether the routes of a provider can take anything. */
export type RouteSurroundings = {
  readonly filters: Settings['filters'];
  readonly overrides: readonly Override[];
  /** The namespace it is told of, for one that is not the operator's. */
  readonly tenant?: string;
};

/**
 * What is wrong with a route. `Impossible` and `SeverityOverridden`: it can never match. `Needless`: it matches, but the routes
 * before it have taken all of that. `Filtered`, `OtherNamespace`: it matches only what also reaches beyond.
 */
export type RouteProblem = {
  readonly index: number;
  readonly is: 'Impossible' | 'SeverityOverridden' | 'Needless' | 'Filtered' | 'OtherNamespace';
  /** The field, below the list of routes: `[1].selector.names`. */
  readonly path: string;
  readonly message: string;
};

/** Whether a route with this problem never matches anything. */
export function neverMatches({ is }: RouteProblem): boolean {
  return is === 'Impossible' || is === 'SeverityOverridden';
}

/** The severities that overrides leave to the incidents that a route picks by its other fields. */
function severitiesAfter(overrides: readonly Override[], route: Selector, effort: Effort): ReadonlySet<Severity> {
  const { severities: _wanted, ...rest } = route;
  const left = new Set<Severity>();
  for (const { selector, severity, maxSeverity } of overrides) {
    for (const before of severitiesOf(selector)) {
      const set = severity ?? before;
      left.add(maxSeverity === undefined ? set : atMost(maxSeverity, set));
    }
    // A tenant reads less of an incident than the override sees, and of its Nodes only some.
    if (selector.nodes === undefined && selectorCovers(selector, rest, effort)) return left;
  }
  return new Set(severities);
}

/** What routes are judged by. `effort`: shared, so that nobody's globs can keep the operator from its work. */
type Trial = RouteSurroundings & { readonly routes: readonly Selector[]; readonly effort: Effort };

type Judge = (route: Selector, index: number, trial: Trial) => Omit<RouteProblem, 'index'> | undefined;

const selectorPath = (index: number): string => `[${index}].selector`;

const impossible: Judge = (route, index, { effort }) => {
  const [field] = impossibleFields(route, effort);
  if (field === undefined) return undefined;
  const path = selectorPath(index);
  return { is: 'Impossible', path: joinPath(path, field), message: whyImpossible(field, route, `spec.routes${path}`) };
};

const severityOverridden: Judge = (route, index, { overrides, effort }) => {
  const left = severitiesAfter(overrides, route, effort);
  const wanted = severitiesOf(route);
  if (wanted.some((severity) => left.has(severity))) return undefined;
  const path = `${selectorPath(index)}.severities`;
  const says = `\`spec.routes${path}\` (${quoted(wanted)}): \`detection.overrides\` of the AlertConfig make what this route picks ${list([...left])}, so it never matches: correct one of them`;
  return { is: 'SeverityOverridden', path, message: says };
};

const needless: Judge = (_route, index, { routes, effort }) => {
  const message = whyNeedless(routes, index, { path: 'spec.routes', unit: 'route', effort });
  return message === undefined ? undefined : { is: 'Needless', path: `[${index}]`, message };
};

const filtered: Judge = (route, index, { filters, effort }) => {
  const { namespaces = [] } = route;
  const onlyExcludes = namespaces.every((glob) => glob.startsWith('!'));
  if (route.reasons && reasonsOf(filters).every((reason) => !reasonsOf(route).includes(reason)))
    return filteredBy('reasons', 'what is told as the cause of something else', route, index);
  if (!onlyExcludes && findWord([namespaces, filters.namespaces], [], namespaceNames, effort) === 'none')
    return filteredBy('namespaces', 'what reaches other namespaces or comes from outside all of them', route, index);
  return undefined;
};

function filteredBy(
  field: 'namespaces' | 'reasons',
  still: string,
  route: Selector,
  index: number,
): Omit<RouteProblem, 'index'> {
  const path = `${selectorPath(index)}.${field}`;
  const message = `\`spec.routes${path}\` (${quoted(route[field] ?? [])}): \`filters.${field}\` of the AlertConfig hold that back, so only ${still} comes here: correct one of them`;
  return { is: 'Filtered', path, message };
}

const otherNamespace: Judge = ({ namespaces = [] }, index, { tenant, effort }) => {
  if (tenant === undefined || findWord([namespaces, [tenant]], [], namespaceNames, effort) !== 'none') return undefined;
  const path = `${selectorPath(index)}.namespaces`;
  const says = `\`spec.routes${path}\` (${quoted(namespaces)}): only incidents of ${tenant} come here, so this route matches only those whose cause is in another namespace: name ${tenant}, or leave the field out`;
  return { is: 'OtherNamespace', path, message: says };
};

const judges: readonly Judge[] = [impossible, severityOverridden, needless, filtered, otherNamespace];

/** What is wrong with routes, the gravest of each. Never says wrongly that one does nothing; may miss some. */
export function routeProblems(
  routes: readonly Selector[],
  around: RouteSurroundings,
  effort: Effort = someEffort(),
): readonly RouteProblem[] {
  const trial: Trial = { ...around, routes, effort };
  return routes.flatMap((route, index): RouteProblem[] => {
    for (const judge of judges) {
      const problem = judge(route, index, trial);
      if (problem) return [{ index, ...problem }];
    }
    return [];
  });
}

const list = (words: readonly string[]): string => words.join(' or ');
