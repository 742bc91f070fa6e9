import { given } from '../../world/reading/fields.ts';
import { type Detector, detector } from '../kit/detector.ts';
import { bySummary, factsOf, minutes, type Row, source, usagesOf } from '../kit/usage.ts';

function ofPods({ of, ...row }: Row): Detector {
  return detector({
    ...{ ...bySummary, ...row, source, judges: 'Pod', symptom: 'restart' },
    exemptions: ['terminating', 'completed', 'disrupted', 'leavingNode', 'staleNode', 'unseenStats'],
    judge: (pod, world) =>
      usagesOf(pod, of, world).map((usage) => ({
        ...given({ scope: usage.container }),
        ...{ since: 'observed' as const, facts: { ...factsOf(usage), ...given({ node: pod.node }) } },
      })),
  });
}

const containerMemoryHigh = ofPods({
  of: 'containerMemory',
  id: 'P35',
  // Of a container that is killed for it the kill tells more.
  reasons: [{ reason: 'ContainerMemoryHigh', family: 'consequence', sure: 'high' }],
  severity: 'low',
  forSeconds: 15 * minutes,
  predicate: 'a container has used 90 % of its memory limit for 15 min',
  clears: 'it uses less than 80 %',
  patience: '15 min: peaks pass',
  isNot: 'a container without a limit; memory that the kernel can take back (the working set counts)',
});

const ephemeralStorageHigh = ofPods({
  of: 'podStorage',
  id: 'P37',
  reasons: [{ reason: 'EphemeralStorageHigh', family: 'consequence', sure: 'high' }],
  severity: 'medium',
  forSeconds: 5 * minutes,
  predicate: 'a Pod has used 85 % of what it may write outside of volumes for 5 min: at 100 % it is evicted',
  clears: 'it uses less than 75 %',
  patience: '5 min, two measurements: files may be on their way',
  isNot: 'a Pod without such a limit',
});

/** Limits of Pods that are nearly used up; what tells most first. */
export const podUsageDetectors: readonly Detector[] = [ephemeralStorageHigh, containerMemoryHigh];
