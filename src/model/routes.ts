import { includes } from './edition.ts';
import type { Explanation } from './explanation.ts';
import { type Selector, selectorMatches } from './selector.ts';
import type { ProviderSettings, Settings } from './settings.ts';

/** What one route of an AlertProvider has taken. */
export type RouteCount = {
  /** Incidents, each counted once, whatever was told of them how often. */
  readonly incidents: number;
  /** Epoch milliseconds when the last of them was taken. */
  readonly lastMatchAt: number;
};

/** The routes that choose what a provider gets; none: everything in scope goes there. */
export function effectiveRoutes({ routes }: ProviderSettings, { edition }: Settings): readonly Selector[] {
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
export function picks(provider: ProviderSettings, view: Explanation, settings: Settings): boolean {
  const routes = effectiveRoutes(provider, settings);
  return routes.length === 0 || routeOf(routes, view) >= 0;
}
