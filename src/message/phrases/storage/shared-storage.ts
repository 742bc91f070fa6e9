import { kubectl, listOf } from '../../../model/command.ts';
import { nameOf, refOf } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { describeRoot } from '../../parts/next.ts';
import type { Phrase } from '../../parts/phrase.ts';
import { classes, driverSays, storageSays } from './storage.ts';
import { driverOf } from './volume.ts';

const noHold = 'no longer blocks anything';

/**
 * Words in place of those of the claims' own reason, where what they share is the root: the kind of the root and the reason.
 */
export const sharedStoragePhrases: ReadonlyMap<
  string,
  Pick<Phrase, 'happens' | 'evidence' | 'hits' | 'well' | 'next'>
> = new Map(
  Object.entries({
    'StorageClass StorageClassMissing': {
      happens: () => 'is missing',
      hits: 'cannot get a volume without it',
      well: noHold,
      next: classes,
    },
    'StorageClass ProvisioningFailed': {
      happens: () => 'provides no volumes',
      hits: 'cannot get a volume from it',
      evidence: storageSays,
      well: 'is providing volumes again',
      next: describeRoot,
    },
    'CSIDriver VolumeAttachFailed': {
      happens: () => 'cannot attach volumes',
      hits: 'cannot use their volumes',
      evidence: driverSays,
      well: 'is attaching volumes again',
      next: () => kubectl('get', listOf('volumeattachments')),
    },
    'CSIDriver VolumeDetachFailed': {
      happens: () => 'cannot detach volumes',
      hits: 'cannot use their volumes elsewhere',
      evidence: driverSays,
      well: 'is detaching volumes again',
      next: () => kubectl('get', listOf('volumeattachments')),
    },
    'Node CSIDriverMissingOnNode': {
      happens: (about: Case) => `does not have ${driverOf(about.facts)} registered`,
      hits: 'cannot work there',
      well: 'has the driver again, or nobody needs it there',
      next: (about: Case) => kubectl('describe', refOf('CSINode', '', nameOf(about.root))),
    },
  }),
);
