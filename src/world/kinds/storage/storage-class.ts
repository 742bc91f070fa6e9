import { type Ref, refOf } from '../../../model/ref.ts';
import { fieldsOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';

/** storage.k8s.io/v1 StorageClass. */
export type StorageClassView = Meta & {
  readonly kind: 'StorageClass';
  /** As its object says it: `ebs.csi.aws.com`, `kubernetes.io/no-provisioner`. */
  readonly provisioner: string;
  /** Claims that name no class get this one. */
  readonly isDefault: boolean;
  /** It bears the mark of the default class, which says that it is not. */
  readonly wasDefault?: true;
  /** Volumes are made once a Pod of theirs has a Node. */
  readonly waitsForPod: boolean;
};

/** Volumes of such classes are made by people. */
export const noProvisioner = 'kubernetes.io/no-provisioner';

/** Provisioners that were part of Kubernetes, and the CSI drivers that took their place (csi-translation-lib). */
const successors: Readonly<Record<string, string>> = {
  'kubernetes.io/aws-ebs': 'ebs.csi.aws.com',
  'kubernetes.io/azure-disk': 'disk.csi.azure.com',
  'kubernetes.io/azure-file': 'file.csi.azure.com',
  'kubernetes.io/cinder': 'cinder.csi.openstack.org',
  'kubernetes.io/gce-pd': 'pd.csi.storage.gke.io',
  'kubernetes.io/vsphere-volume': 'csi.vsphere.vmware.com',
};

/** The CSI driver behind the name of a provisioner, as far as it has one. */
export function driverNamed(provisioner: string): string {
  return successors[provisioner] ?? provisioner;
}

/** The ref of the CSI driver of a name. */
export function csiDriverRef(name: string): Ref {
  return refOf('CSIDriver', '', name);
}

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** storage.k8s.io/v1 StorageClass. */
export const storageClasses: WatchedKind<StorageClassView> = watched({
  group: 'storage.k8s.io',
  plural: 'storageclasses',
  kind: 'StorageClass',
  namespaced: false,
  fields({ raw }) {
    const annotations = fieldsOf(fieldsOf(raw.metadata).annotations);
    return {
      provisioner: textOf(raw.provisioner) ?? '',
      isDefault: defaultAnnotations.some((name) => annotations[name] === 'true'),
      ...(defaultAnnotations.some((name) => annotations[name] === 'false') && { wasDefault: true }),
      waitsForPod: raw.volumeBindingMode === 'WaitForFirstConsumer',
    };
  },
  judgedBy: ['PersistentVolumeClaim'],
  fingerprintForDependents: ({ uid, waitsForPod, isDefault, wasDefault }) => [uid, waitsForPod, isDefault, wasDefault],
  links: ({ provisioner }) =>
    provisioner === noProvisioner ? [] : [{ type: 'driven-by', to: csiDriverRef(driverNamed(provisioner)) }],
});
