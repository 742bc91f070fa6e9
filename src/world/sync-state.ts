import type { CoverageState } from '../model/coverage.ts';
import { kindOf, type Ref } from '../model/ref.ts';

/** States in which a kind cannot be seen at all, whatever was seen before. */
const blindStates: ReadonlySet<CoverageState> = new Set(['Denied', 'NotServed', 'Disabled']);

/** Which kinds are in sight, so that absence means absence. */
export type SyncState = {
  /** True when the kind came into sight or went out of it. A source that fails after its first sync stays in sight. */
  take(kind: string, state: CoverageState): boolean;
  sees(kind: string): boolean;
  isBlind(kind: string): boolean;
  /** For an object that is not held: whether it is known not to exist. */
  isAbsent(ref: Ref): boolean;
  sawCome(ref: Ref): void;
  sawGo(ref: Ref): void;
};

/** Builds a sight in which nothing is seen. */
export function createSyncState(): SyncState {
  const synced = new Set<string>();
  const blind = new Set<string>();
  /** Seen to go before their kind was synced: known to be absent although others may not be. */
  const goneEarly = new Set<Ref>();
  return {
    take(kind, state) {
      const before = [synced.has(kind), blind.has(kind)];
      if (blindStates.has(state)) {
        synced.delete(kind);
        blind.add(kind);
      } else blind.delete(kind);
      if (state === 'Watching') {
        synced.add(kind);
        for (const ref of goneEarly) if (kindOf(ref) === kind) goneEarly.delete(ref);
      }
      return before[0] !== synced.has(kind) || before[1] !== blind.has(kind);
    },
    sees: (kind) => synced.has(kind),
    isBlind: (kind) => blind.has(kind),
    isAbsent: (ref) => synced.has(kindOf(ref)) || goneEarly.has(ref),
    sawCome: (ref) => void goneEarly.delete(ref),
    sawGo: (ref) => {
      if (!synced.has(kindOf(ref))) goneEarly.add(ref);
    },
  };
}
