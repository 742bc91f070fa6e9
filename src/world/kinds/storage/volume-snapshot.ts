import { refOf } from '../../../model/ref.ts';
import { fieldsOf, given, messageOf, textOf, timeOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';
import type { VolumeError } from './volume-attachment.ts';

/** snapshot.storage.k8s.io/v1 VolumeSnapshot: a custom resource of the external snapshotter. */
export type VolumeSnapshotView = Meta & {
  readonly kind: 'VolumeSnapshot';
  readonly ready: boolean;
  readonly className?: string;
  /** The claim it is taken of; absent for one that was made elsewhere. */
  readonly claim?: string;
  readonly error?: VolumeError;
};

/** snapshot.storage.k8s.io/v1 VolumeSnapshot. */
export const volumeSnapshots: WatchedKind<VolumeSnapshotView> = watched({
  group: 'snapshot.storage.k8s.io',
  kind: 'VolumeSnapshot',
  namespaced: true,
  fields({ spec, status }) {
    const error = status.error === undefined || status.error === null ? undefined : fieldsOf(status.error);
    return {
      ready: status.readyToUse === true,
      ...given({
        className: textOf(spec.volumeSnapshotClassName),
        claim: textOf(fieldsOf(spec.source).persistentVolumeClaimName),
        error: error && { message: messageOf(error.message), ...given({ at: timeOf(error.time) }) },
      }),
    };
  },
  links({ ref, claim }) {
    if (claim === undefined) return [];
    const namespace = ref.split('/')[1];
    return [{ type: 'uses', to: refOf('PersistentVolumeClaim', namespace, claim) }];
  },
  facets: ({ error, ready }) => (error !== undefined && !ready ? ['error'] : []),
});
