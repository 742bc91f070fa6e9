import type { Requirement } from '../evidence/requirement.ts';
import { saysOf } from '../evidence/says.ts';
import { bringsVolumesOf, failsForMost, ofFiles, startedAnew } from '../evidence/volumes.ts';

/** Of volumes, who brings them, and who else mounts such. */
export const ofVolumes = {
  /** The program itself says that it cannot use its file system. */
  saysOfFiles: (effect, world) => saysOf(effect, world).some(({ kind }) => ofFiles.includes(kind)),
  /** Most who mount volumes of the driver fail, on several Nodes. */
  failsForMost: (_, world, { ref }) => failsForMost(ref, world),
  /** The agent brings volumes that it mounts. */
  bringsItsVolumes: (effect, world, { ref }) => bringsVolumesOf(effect, world, ref),
  /** The server serves, and was started anew shortly before. */
  startedAnew: (effect, world, { ref }) => startedAnew(effect, world, ref),
} as const satisfies Readonly<Record<string, Requirement>>;
