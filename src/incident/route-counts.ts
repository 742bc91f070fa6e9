import { shortHash } from '../model/hash.ts';
import type { Ref } from '../model/ref.ts';
import { effectiveRoutes, type RouteCount } from '../model/routes.ts';
import type { Selector } from '../model/selector.ts';
import type { Settings } from '../model/settings.ts';
import { fits, number, record, tableOf } from '../model/shape.ts';
import type { Taking } from './taking.ts';

/** A key for each route of a list; of two that say the same, the second is another one. */
function keysOf(routes: readonly Selector[]): readonly string[] {
  const texts = routes.map((route) => JSON.stringify(route));
  return texts.map((text, index) => shortHash([text, texts.slice(0, index).filter((other) => other === text).length]));
}

/** What the routes of one provider have taken, by what each says. Replaced, never changed: it is remembered as it is. */
type Counts = Readonly<Record<string, RouteCount>>;

/** Whether something remembered is that. */
export const isRouteCounts = fits(tableOf(record<RouteCount>({ incidents: number, lastMatchAt: number })));

/** What the routes of each provider have taken, in the order of its list; `undefined` for one that took nothing yet. */
export type RouteTable = ReadonlyMap<Ref, readonly (RouteCount | undefined)[]>;

/**
 * Counts the incidents that each route has taken: numbers only, however long the provider exists. A route is known by what it
 * says: one that is moved in the list keeps its count, one that is edited begins anew.
 */
export class RouteCounts {
  /** Provider UID → route → its count. */
  readonly #counts = new Map<string, Counts>();
  /** What routes are known by: worked out once for each list. */
  readonly #keys = new WeakMap<readonly Selector[], readonly string[]>();
  #table: { readonly of: Settings; readonly rows: RouteTable } | undefined;

  /** A route has taken an incident. `now`: epoch milliseconds. */
  count({ provider, route }: Taking, now: number): void {
    const key = provider.routes && this.#keysOf(provider.routes)[route];
    if (key === undefined) return;
    const counts = this.#counts.get(provider.uid);
    const incidents = (counts?.[key]?.incidents ?? 0) + 1;
    this.#counts.set(provider.uid, { ...counts, [key]: { incidents, lastMatchAt: now } });
    this.#table = undefined;
  }

  /** By provider UID. */
  memory(): ReadonlyMap<string, Counts> {
    return this.#counts;
  }

  /** Counts on from these. */
  restore(saved: ReadonlyMap<string, Counts>): void {
    for (const [uid, counts] of saved) this.#counts.set(uid, counts);
    this.#table = undefined;
  }

  /** What the routes that choose now have taken. Counts of routes and providers that are gone are forgotten. */
  of(settings: Settings): RouteTable {
    if (this.#table?.of === settings) return this.#table.rows;
    const providers = new Map(settings.providers.map((provider) => [provider.uid, provider]));
    const rows = new Map<Ref, readonly (RouteCount | undefined)[]>();
    for (const [uid, counts] of this.#counts) {
      const provider = providers.get(uid);
      const keys = this.#keysOf(provider?.routes ?? []);
      const kept = Object.entries(counts).filter(([key]) => keys.includes(key));
      if (kept.length === 0) this.#counts.delete(uid);
      else if (kept.length < Object.keys(counts).length) this.#counts.set(uid, Object.fromEntries(kept));
      if (kept.length > 0 && provider && effectiveRoutes(provider, settings).length > 0)
        rows.set(
          provider.ref,
          keys.map((key) => counts[key]),
        );
    }
    this.#table = { of: settings, rows };
    return rows;
  }

  #keysOf(routes: readonly Selector[]): readonly string[] {
    const known = this.#keys.get(routes) ?? keysOf(routes);
    this.#keys.set(routes, known);
    return known;
  }
}
