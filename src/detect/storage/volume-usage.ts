import { given } from '../../world/reading/fields.ts';
import type { Usage } from '../../world/reading/usage.ts';
import { type Detector, detector } from '../kit/detector.ts';
import { bySummary, factsOf, lastPercent, minutes, type Row, source, usagesOf } from '../kit/usage.ts';

/** What is full by then is told as urgent (hours). */
const soonHours = 4 * 24;

const claims = { judges: 'PersistentVolumeClaim', symptom: 'storage' } as const;

/** The label of a claim whose volume may fill up. */
export const ignoredLabel = 'tocsin.dev/volume-usage';

/** How bad it is that a volume is so full. */
function severityOf({ percent, fullInHours }: Usage): 'critical' | 'high' | 'medium' {
  if (percent >= lastPercent) return 'critical';
  return fullInHours !== undefined && fullInHours <= soonHours ? 'high' : 'medium';
}

function ofClaims({ of, ...row }: Row): Detector {
  return detector({
    ...{ ...bySummary, ...claims, ...row, source },
    exemptions: ['terminating', 'unseenStats'],
    judge: (claim, world) => {
      // Nobody writes to what is only read.
      if (claim.labels[ignoredLabel] === 'ignore' || claim.accessModes.every((mode) => mode === 'ReadOnlyMany'))
        return false;
      const [usage] = usagesOf(claim, of, world);
      const where = { ...given({ storageClass: claim.className || undefined, size: claim.requested }) };
      return (
        usage !== undefined && {
          ...{ since: 'observed', severity: severityOf(usage) },
          facts: { ...factsOf(usage), ...where },
        }
      );
    },
  });
}

const volumeFillingUp = ofClaims({
  of: 'claimBytes',
  id: 'S5',
  reasons: [{ reason: 'VolumeFillingUp', family: 'storage', sure: 'high' }],
  severity: 'medium',
  forSeconds: minutes,
  predicate:
    'a volume is as full as `detection.volumeUsagePercent` for 60 s; high where it will be full within 4 days as it grows, critical from 97 % on',
  clears: 'it is 5 points below that',
  patience: '60 s: it is measured every 5 minutes, and does not empty by itself',
  isNot:
    'a volume that is only read, or a device without a file system; a claim labelled `tocsin.dev/volume-usage: ignore`; several claims of one file system are reported once',
});

const volumeInodesFillingUp = ofClaims({
  of: 'claimInodes',
  id: 'S6',
  reasons: [{ reason: 'VolumeInodesFillingUp', family: 'storage', sure: 'high' }],
  severity: 'medium',
  forSeconds: minutes,
  predicate:
    'the inodes of a volume are used up as far as `detection.volumeUsagePercent` for 60 s; critical from 97 % on',
  clears: 'they are 5 points below that',
  patience: '60 s: they are counted every 5 minutes, and do not get free by themselves',
  isNot: 'a file system without a fixed number of inodes; what S5 leaves alone',
});

/** Volumes of claims that are nearly used up; what tells most first. */
export const volumeUsageDetectors: readonly Detector[] = [volumeFillingUp, volumeInodesFillingUp];
