import type { Disposition, Incident } from '../model/incident.ts';
import { isRef, type Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import { fits, number, record } from '../model/shape.ts';

/** What a Silence or MaintenanceWindow has muted so far. `lastMatchAt`: epoch milliseconds. */
export type MuteCount = { readonly suppressed: number; readonly lastMatchAt: number };

/** Whether something remembered is such a count. */
export const isMuteCount = fits(record<MuteCount>({ suppressed: number, lastMatchAt: number }));

const counted: ReadonlySet<Disposition> = new Set(['Silenced', 'Maintenance']);

/** What mutes an incident for some audience: Silences, windows, annotated objects. */
function mutesOf({ standings }: Pick<Incident, 'standings'>): Set<Ref> {
  const mutes = new Set<Ref>();
  for (const { disposition, by } of Object.values(standings))
    if (counted.has(disposition) && by !== undefined && isRef(by)) mutes.add(by);
  return mutes;
}

/** Counts the incidents that each Silence and window has muted: numbers only, however long it lasts. */
export class MuteCounts {
  readonly #counts = new Map<Ref, MuteCount>();

  /** Counts what mutes an incident now and did not before the step. `now`: epoch milliseconds. */
  count(before: Pick<Incident, 'standings'>, after: Pick<Incident, 'standings'>, now: number): void {
    if (before.standings === after.standings) return;
    const already = mutesOf(before);
    for (const mute of mutesOf(after))
      if (!already.has(mute))
        this.#counts.set(mute, { suppressed: (this.#counts.get(mute)?.suppressed ?? 0) + 1, lastMatchAt: now });
  }

  /** Every count, whether what it is of exists or not. */
  memory(): ReadonlyMap<Ref, MuteCount> {
    return this.#counts;
  }

  /** Counts on from these. */
  restore(counts: ReadonlyMap<string, MuteCount>): void {
    for (const [mute, count] of counts) if (isRef(mute)) this.#counts.set(mute, count);
  }

  /** The counts of the Silences and windows that exist; those of others are forgotten. */
  of({ silences, windows }: Pick<Settings, 'silences' | 'windows'>): ReadonlyMap<Ref, MuteCount> {
    const counts = [...silences, ...windows].flatMap(({ ref }) => {
      const count = this.#counts.get(ref);
      return count ? [[ref, count] as const] : [];
    });
    this.#counts.clear();
    for (const [ref, count] of counts) this.#counts.set(ref, count);
    return new Map(counts);
  }
}
