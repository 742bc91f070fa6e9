import { includes } from './edition.ts';
import type { Explanation } from './explanation.ts';
import type { Incident } from './incident.ts';
import { type Selector, selectorMatches } from './selector.ts';
import type { ProviderSettings, Settings } from './settings.ts';
import { wholeCluster } from './view.ts';

/** What one route of an AlertProvider has taken. */
export type RouteCount = {
  /** Incidents, each counted once, whatever was told of them how often. */
  readonly incidents: number;
  /** Epoch milliseconds when the last of them was taken. */
  readonly lastMatchAt: number;
};

/** The routes that choose what a provider gets; none: everything in scope goes there. */
export function effectiveRoutes(
  { routes }: ProviderSettings,
  { edition }: Pick<Settings, 'edition'>,
): readonly Selector[] {
  return routes !== undefined && includes(edition, 'routes') ? routes : noRoutes;
}

const noRoutes: readonly Selector[] = [];

/** What was found out already: neither routes nor explanations ever change, and both are asked about in every step. */
const found = new WeakMap<readonly Selector[], WeakMap<Explanation, number>>();

/** Index of the first of the routes that picks an explanation, -1 where none does. */
export function routeOf(routes: readonly Selector[], view: Explanation): number {
  const known = found.get(routes) ?? new WeakMap<Explanation, number>();
  found.set(routes, known);
  let index = known.get(view);
  if (index === undefined) {
    index = routes.findIndex((route) => selectorMatches(route, view));
    known.set(view, index);
  }
  return index;
}

/** Whether the routes of a provider pick an explanation as its audience may read it. */
export function picks(provider: ProviderSettings, view: Explanation, settings: Pick<Settings, 'edition'>): boolean {
  const routes = effectiveRoutes(provider, settings);
  return routes.length === 0 || routeOf(routes, view) >= 0;
}

/**
 * Tells which incidents reach nobody for want of a route: nothing mutes them for the cluster, and none of its providers has taken
 * them. Where one of these gets everything, there are none. `providers`: the active ones of the operator's namespace.
 */
export function unroutedAmong(
  providers: readonly ProviderSettings[],
  settings: Pick<Settings, 'edition'>,
): (incident: Incident) => boolean {
  const takers = new Set(providers.map(({ uid }) => uid));
  if (takers.size === 0 || providers.some((provider) => effectiveRoutes(provider, settings).length === 0))
    return () => false;
  return ({ standings, takenBy = [], state }) => {
    const { disposition, by } = standings[wholeCluster] ?? {};
    const isHeard = (disposition === 'Delivered' || disposition === 'Baseline') && by === undefined;
    return state === 'Open' && isHeard && !takenBy.some((uid) => takers.has(uid));
  };
}

/** `severities critical, high; namespaces team-*, not team-test`: a selector as people read it; `everything` when it is empty. */
export function describeSelector(selector: Selector): string {
  const words = (globs: readonly string[]): string => globs.map((glob) => glob.replace(/^!/, 'not ')).join(', ');
  const { labels, ...lists } = selector;
  const parts = Object.entries(lists)
    .filter(([, list]) => list.length > 0)
    .map(([field, list]) => `${field} ${words(list)}`);
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  const all = pairs.length === 0 ? parts : [...parts, `labels ${pairs.join(', ')}`];
  return all.length === 0 ? 'everything' : all.join('; ');
}
