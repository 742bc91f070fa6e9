import type { Requirement } from '../evidence/requirement.ts';
import { failsForMost, startedAnew } from '../evidence/volumes.ts';

/** Of volumes, who brings them, and who else mounts such. */
export const ofVolumes = {
  /** Most who mount volumes of the driver fail, on several Nodes. */
  failsForMost: (_, world, { ref }) => failsForMost(ref, world),
  /** The server serves, and was started anew shortly before. */
  startedAnew: (effect, world, { ref }) => startedAnew(effect, world, ref),
} as const satisfies Readonly<Record<string, Requirement>>;
