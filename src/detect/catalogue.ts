import { autoscalingDetectors } from './autoscaling.ts';
import { containerDetectors } from './container.ts';
import { crashDetectors } from './crash.ts';
import { cronJobDetectors } from './cron-job.ts';
import type { Detector, ReasonRow } from './detector.ts';
import { disruptionDetectors } from './disruption.ts';
import { imageDetectors } from './image.ts';
import { jobDetectors } from './job.ts';
import { namedDetectors } from './named.ts';
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
  ...cronJobDetectors,
  ...nodeDetectors,
  ...autoscalingDetectors,
  ...disruptionDetectors,
];

/** What is known of each reason that a detector states, as it declares it; in the order of the catalogue. */
export function declaredReasons(): readonly ReasonRow[] {
  return [...detectors, ...namedDetectors].flatMap(({ reasons }) => reasons);
}
