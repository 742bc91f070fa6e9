import { type Alphabet, findWord, namespaceNames, nodeNames } from '../../model/glob-words.ts';
import { type Reason, reasonTraits } from '../../model/reason.ts';
import { refOf } from '../../model/ref.ts';
import { type Selectable, type Selector, selectorMatches } from '../../model/selector.ts';
import { reasonsOf, severitiesOf } from '../../model/selector-cover.ts';
import type { Settings } from '../../model/settings.ts';
import { type Severity, severities } from '../../model/severity.ts';

/** An incident that might be. */
type Example = Selectable & { readonly reason: Reason };

/** What the routes of all providers of the cluster leave to nobody. */
export type FallThrough = {
  /** Severities of which no route takes anything. */
  readonly whole: readonly Severity[];
  /** Of the other severities, the worst first: an incident that no route takes. */
  readonly examples: readonly Example[];
};

/** Kinds of workloads that examples are made of. */
const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'];
/** Candidates that are tried for one severity before giving up. */
const mostCandidates = 5_000;

/** The first of those that look alike to every route. */
function unlike<T>(all: readonly T[], look: (item: T) => string): T[] {
  return [...Map.groupBy(all, look).values()].flatMap(([first]) => first ?? []);
}

/** Words that are outside of as many of the lists as possible, and for each list one that is outside of it. */
function strangers(
  within: readonly string[],
  lists: readonly (readonly string[])[],
  alphabet: Alphabet,
): readonly string[] {
  const asked = [lists, [], ...lists.map((list) => [list])];
  const found = asked.flatMap((outside) => {
    const search = findWord([within], outside, alphabet);
    return typeof search === 'string' ? [] : [search.word];
  });
  return [...new Set(found)];
}

const listsOf = (routes: readonly Selector[], field: 'namespaces' | 'names' | 'nodes'): (readonly string[])[] =>
  routes.flatMap((route) => (route[field]?.length ? [route[field]] : []));

/** Incidents of a severity that may be ones that no route takes. */
function* candidates(routes: readonly Selector[], severity: Severity, filters: Settings['filters']): Iterable<Example> {
  const namespaces = strangers(filters.namespaces, listsOf(routes, 'namespaces'), namespaceNames);
  const names = strangers([], [...listsOf(routes, 'names'), ...listsOf(routes, 'nodes')], nodeNames);
  const allowed = reasonsOf(filters);
  const look = (seen: unknown): string => JSON.stringify(seen);
  const taken = routes.map((route) => new Set(reasonsOf(route)));
  const reasons = unlike(allowed, (reason) =>
    look([taken.map((some) => some.has(reason)), reasonTraits[reason].family === 'node']),
  );
  const kinds = unlike(workloadKinds, (kind) => look(routes.map(({ kinds: all }) => all?.includes(kind))));
  for (const reason of reasons) {
    const ofNode = reasonTraits[reason].family === 'node';
    for (const kind of ofNode ? ['Node'] : kinds)
      for (const namespace of ofNode ? [''] : namespaces)
        for (const name of names)
          yield { root: { ref: refOf(kind, namespace, name), labels: {} }, reason, severity, affected: [] };
  }
}

function example(routes: readonly Selector[], severity: Severity, filters: Settings['filters']): Example | undefined {
  let tried = 0;
  for (const candidate of candidates(routes, severity, filters)) {
    if (!routes.some((route) => selectorMatches(route, candidate))) return candidate;
    tried += 1;
    if (tried > mostCandidates) return undefined;
  }
  return undefined;
}

/**
 * What goes to nobody where every provider has routes: `routes` holds those of all of them. Whatever is named here is really taken
 * by none; that nothing is named does not prove that everything is taken.
 */
export function fallThrough(routes: readonly Selector[], filters: Settings['filters']): FallThrough {
  const takers = severities.map((severity) => ({
    severity,
    routes: routes.filter((route) => severitiesOf(route).includes(severity)),
  }));
  return {
    whole: takers.filter((one) => one.routes.length === 0).map(({ severity }) => severity),
    examples: takers
      .filter((one) => one.routes.length > 0)
      .flatMap((one) => example(one.routes, one.severity, filters) ?? []),
  };
}
