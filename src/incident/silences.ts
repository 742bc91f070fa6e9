import type { Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';

/** What a silence has muted so far. */
export type SilenceCount = { readonly suppressed: number; readonly lastMatchAt: number };

/** Counts the incidents that each silence has muted. */
export type SilenceTally = {
  count(silence: Ref, incident: string, now: number): void;
  /** The counts of the silences that exist. */
  counts(settings: Settings): ReadonlyMap<Ref, SilenceCount>;
};

/** Makes a tally in which nothing was muted. */
export function createSilenceTally(): SilenceTally {
  const muted = new Map<Ref, { incidents: Set<string>; lastMatchAt: number }>();
  return {
    count(silence, incident, now) {
      const entry = muted.get(silence) ?? { incidents: new Set(), lastMatchAt: now };
      entry.incidents.add(incident);
      entry.lastMatchAt = now;
      muted.set(silence, entry);
    },
    counts({ silences }) {
      const existing = new Set(silences.map(({ ref }) => ref));
      for (const ref of muted.keys()) if (!existing.has(ref)) muted.delete(ref);
      return new Map(
        [...muted].map(([ref, { incidents, lastMatchAt }]) => [ref, { suppressed: incidents.size, lastMatchAt }]),
      );
    },
  };
}
