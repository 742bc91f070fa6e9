import type { Explanation } from '../model/explanation.ts';
import type { Finding } from '../model/finding.ts';
import type { Ref } from '../model/ref.ts';
import { afterEndMs, type Ended, longestOutliveMs } from './candidates.ts';
import type { Edit } from './edits.ts';

/** An effect may start up to 15 min after its cause ended and stay its own for a while: then the cause is forgotten. */
const keepEndedMs = afterEndMs + longestOutliveMs;

/** What the explainer remembers beyond the world: causes that have ended lately, and changes that are being blamed. */
export type Memory = {
  ended(ref: Ref): readonly Ended[];
  remembered(ref: Ref): readonly Edit[];
  /** A finding does not hold any more. */
  cleared(finding: Finding, now: number): void;
  /** A finding holds (again). */
  holds(finding: Finding): void;
  /** Keeps the changes that current explanations blame, for as long as they do: the world forgets after 30 min. */
  keepBlamed(explanations: Iterable<Explanation>): void;
  /** Forgets what ended too long ago. */
  prune(now: number): void;
};

/** Makes an empty memory. `canCause`: whether the end of a finding is worth remembering. */
export function createMemory(canCause: (finding: Finding) => boolean): Memory {
  const ended = new Map<Ref, Ended[]>();
  let blamed = new Map<Ref, Edit[]>();
  const without = (finding: Finding): Ended[] =>
    (ended.get(finding.subject.ref) ?? []).filter((entry) => entry.finding.reason !== finding.reason);
  const put = (ref: Ref, entries: Ended[]): void => {
    if (entries.length > 0) ended.set(ref, entries);
    else ended.delete(ref);
  };
  return {
    ended: (ref) => ended.get(ref) ?? [],
    remembered: (ref) => blamed.get(ref) ?? [],
    cleared(finding, now) {
      if (canCause(finding)) put(finding.subject.ref, [...without(finding), { finding, at: now }]);
    },
    holds(finding) {
      if (ended.has(finding.subject.ref)) put(finding.subject.ref, without(finding));
    },
    keepBlamed(explanations) {
      blamed = new Map();
      for (const { change } of explanations) {
        if (change === undefined) continue;
        const { also = [], ...rest } = change;
        const kept: Edit = { ...rest, certain: change.certain !== false };
        const { ref, at, certain } = kept;
        const others = also.map((field): Edit => ({ ref, field, at, certain }));
        blamed.set(ref, [...(blamed.get(ref) ?? []), kept, ...others]);
      }
    },
    prune(now) {
      for (const [ref, entries] of ended)
        put(
          ref,
          entries.filter(({ at }) => now < at + keepEndedMs),
        );
    },
  };
}
