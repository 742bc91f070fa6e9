import { refOf } from '../../../model/ref.ts';
import { fieldsOf, given, messageOf, textOf, timeOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';
import type { ObjectLink } from '../../reading/object-links.ts';
import { csiDriverRef } from './storage-class.ts';

/** What a driver said when it failed last, and when (epoch milliseconds). */
export type VolumeError = { readonly message: string; readonly at?: number };

/** storage.k8s.io/v1 VolumeAttachment: a volume that is to be, or to stay, attached to a Node. */
export type VolumeAttachmentView = Meta & {
  readonly kind: 'VolumeAttachment';
  readonly driver: string;
  readonly node: string;
  /** Absent for volumes that a Pod holds in its own specification. */
  readonly volume?: string;
  readonly attached: boolean;
  readonly attachError?: VolumeError;
  readonly detachError?: VolumeError;
};

function errorOf(value: unknown): VolumeError | undefined {
  if (value === undefined || value === null) return undefined;
  const { message, time } = fieldsOf(value);
  return { message: messageOf(message), ...given({ at: timeOf(time) }) };
}

function links({ volume, node, driver }: VolumeAttachmentView): readonly ObjectLink[] {
  const links: ObjectLink[] = [
    { type: 'attaches', to: refOf('Node', '', node) },
    { type: 'driven-by', to: csiDriverRef(driver) },
  ];
  if (volume !== undefined) links.push({ type: 'attaches', to: refOf('PersistentVolume', '', volume) });
  return links;
}

/** Each new try changes the time of the error: since when there has been one is noted here. */
function facets({ attached, attachError, detachError }: VolumeAttachmentView): readonly string[] {
  const facets = attachError !== undefined && !attached ? ['attach-error'] : [];
  if (detachError !== undefined) facets.push('detach-error');
  return facets;
}

/** storage.k8s.io/v1 VolumeAttachment. */
export const volumeAttachments: WatchedKind<VolumeAttachmentView> = watched({
  group: 'storage.k8s.io',
  kind: 'VolumeAttachment',
  namespaced: false,
  fields: ({ spec, status }) => ({
    driver: textOf(spec.attacher) ?? '',
    node: textOf(spec.nodeName) ?? '',
    attached: status.attached === true,
    ...given({
      volume: textOf(fieldsOf(spec.source).persistentVolumeName),
      attachError: errorOf(status.attachError),
      detachError: errorOf(status.detachError),
    }),
  }),
  links,
  facets,
  judgedThrough: { PersistentVolume: ['PersistentVolumeClaim'] },
  fingerprintForDependents: ({ uid, attached, attachError, detachError, deletionAt }) => [
    uid,
    attached,
    attachError?.message,
    detachError?.message,
    deletionAt,
  ],
});
