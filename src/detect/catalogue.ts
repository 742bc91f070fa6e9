import type { Reason } from '../model/reason.ts';
import { containerDetectors } from './container.ts';
import { crashDetectors } from './crash.ts';
import type { Declaration, Detector } from './detector.ts';
import { imageDetectors } from './image.ts';
import { jobDetectors } from './job.ts';
import { nodeDetectors } from './node.ts';
import { podDetectors } from './pod.ts';
import { workloadDetectors } from './workload.ts';

/** Every detector that judges objects as they are seen. */
export const detectors: readonly Detector[] = [
  ...crashDetectors,
  ...imageDetectors,
  ...containerDetectors,
  ...podDetectors,
  ...workloadDetectors,
  ...jobDetectors,
  ...nodeDetectors,
];

/** The reasons a detector may state, the usual one first. */
export function reasonsOf({ reason }: Pick<Declaration, 'reason'>): readonly [Reason, ...Reason[]] {
  return typeof reason === 'string' ? [reason] : reason;
}
