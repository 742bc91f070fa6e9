import type { Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';

/** What a silence has muted so far. */
export type SilenceCount = { readonly suppressed: number; readonly lastMatchAt: number };

/** Silences that mute an incident for some audience. */
function mutesOf({ standings }: Pick<Incident, 'standings'>): Set<string> {
  const mutes = new Set<string>();
  for (const { disposition, by } of Object.values(standings))
    if (disposition === 'Silenced' && by !== undefined) mutes.add(by);
  return mutes;
}

/** Counts the incidents that each silence has muted: numbers only, however long the silence lasts. */
export class SilenceCounts {
  readonly #counts = new Map<string, SilenceCount>();

  /** Counts what mutes an incident now and did not before the step. `now`: epoch milliseconds. */
  count(before: Pick<Incident, 'standings'>, after: Pick<Incident, 'standings'>, now: number): void {
    if (before.standings === after.standings) return;
    const already = mutesOf(before);
    for (const silence of mutesOf(after))
      if (!already.has(silence))
        this.#counts.set(silence, {
          suppressed: (this.#counts.get(silence)?.suppressed ?? 0) + 1,
          lastMatchAt: now,
        });
  }

  /** The counts of the silences that exist. */
  of({ silences }: Settings): ReadonlyMap<Ref, SilenceCount> {
    const counts = silences.flatMap(({ ref }) => {
      const count = this.#counts.get(ref);
      return count ? [[ref, count] as const] : [];
    });
    this.#counts.clear();
    for (const [ref, count] of counts) this.#counts.set(ref, count);
    return new Map(counts);
  }
}
