import { type Ref, refOf } from '../../../model/ref.ts';
import { type Fields, fieldsOf, given, listOf, messageOf, textOf, timeOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';
import type { ObjectLink } from '../../reading/object-links.ts';
import { namesOf, storageClassRef } from './persistent-volume-claim.ts';
import { csiDriverRef, driverNamed } from './storage-class.ts';

/** One thing that a volume asks of the labels of its Nodes. */
export type NodeRequirement = { readonly key: string; readonly operator: string; readonly values: readonly string[] };

/** core/v1 PersistentVolume. */
export type VolumeView = Meta & {
  readonly kind: 'PersistentVolume';
  readonly phase: 'Pending' | 'Available' | 'Bound' | 'Released' | 'Failed';
  /** When it came into this phase (epoch milliseconds), where the API says so. */
  readonly phaseSince?: number;
  readonly message?: string;
  readonly className: string;
  readonly claim?: { readonly namespace: string; readonly name: string };
  readonly reclaimPolicy: string;
  readonly accessModes: readonly string[];
  readonly capacity?: string;
  readonly driver?: string;
  /** A provisioner made it for a claim, not somebody by hand. */
  readonly isProvisioned?: true;
  /** The file server that it is mounted from (NFS), by name or address. */
  readonly server?: string;
  /** The Secrets that its driver logs in with to attach and mount it. */
  readonly secrets: readonly Ref[];
  /** It can be used on Nodes that fit one of these, each a list of requirements; empty: on any. */
  readonly nodeTerms: readonly (readonly NodeRequirement[])[];
};

/** Set by whoever provisions a volume (`pkg/controller/volume/persistentvolume`, external-provisioner). */
const provisionedBy = 'pv.kubernetes.io/provisioned-by';

const phases = ['Available', 'Bound', 'Released', 'Failed'] as const;

/** Kinds of volumes that are in the API itself and that CSI drivers serve since (csi-translation-lib). */
const migrated: Readonly<Record<string, string>> = {
  awsElasticBlockStore: 'kubernetes.io/aws-ebs',
  azureDisk: 'kubernetes.io/azure-disk',
  azureFile: 'kubernetes.io/azure-file',
  cinder: 'kubernetes.io/cinder',
  gcePersistentDisk: 'kubernetes.io/gce-pd',
  vsphereVolume: 'kubernetes.io/vsphere-volume',
};

function driverOf(spec: Fields): string | undefined {
  const csi = textOf(fieldsOf(spec.csi).driver);
  if (csi !== undefined) return csi;
  for (const field in migrated) if (spec[field] !== undefined) return driverNamed(migrated[field] ?? '');
  return undefined;
}

/** Fields of a CSI volume that name what its driver logs in with. */
const secretFields = ['controllerPublishSecretRef', 'nodeStageSecretRef', 'nodePublishSecretRef'] as const;

function secretsOf({ csi }: Fields): readonly Ref[] {
  const refs = secretFields.flatMap((field) => {
    const { namespace, name } = fieldsOf(fieldsOf(csi)[field]);
    const named = textOf(name);
    return named === undefined ? [] : [refOf('Secret', textOf(namespace), named)];
  });
  return [...new Set(refs)];
}

/** Volumes of NFS name their server, and so do those of csi-driver-nfs. */
const serverOf = ({ nfs, csi }: Fields): string | undefined =>
  (textOf(fieldsOf(nfs).server) ?? textOf(fieldsOf(fieldsOf(csi).volumeAttributes).server))?.toLowerCase();

/** A term with fields other than labels is never met by labels alone: none of ours to judge. */
function termsOf(spec: Fields): VolumeView['nodeTerms'] {
  const required = fieldsOf(fieldsOf(spec.nodeAffinity).required);
  return listOf(required.nodeSelectorTerms).map(({ matchExpressions }) =>
    listOf(matchExpressions).map(({ key, operator, values }) => ({
      key: textOf(key) ?? '',
      operator: textOf(operator) ?? '',
      values: namesOf(values),
    })),
  );
}

/** The claim it belongs to states that itself. */
function links({ className, driver }: VolumeView): readonly ObjectLink[] {
  const links: ObjectLink[] = [];
  if (className !== '') links.push({ type: 'of-class', to: storageClassRef(className) });
  if (driver !== undefined) links.push({ type: 'driven-by', to: csiDriverRef(driver) });
  return links;
}

/** core/v1 PersistentVolume. */
export const persistentVolumes: WatchedKind<VolumeView> = watched({
  group: '',
  kind: 'PersistentVolume',
  namespaced: false,
  fields({ raw, spec, status }) {
    const claim = fieldsOf(spec.claimRef);
    const claimName = textOf(claim.name);
    return {
      phase: phases.find((phase) => phase === status.phase) ?? 'Pending',
      className: textOf(spec.storageClassName) ?? '',
      reclaimPolicy: textOf(spec.persistentVolumeReclaimPolicy) ?? 'Retain',
      accessModes: namesOf(spec.accessModes),
      nodeTerms: termsOf(spec),
      secrets: secretsOf(spec),
      ...given({
        phaseSince: timeOf(status.lastPhaseTransitionTime),
        message: messageOf(status.message) || undefined,
        claim: claimName === undefined ? undefined : { namespace: textOf(claim.namespace) ?? '', name: claimName },
        capacity: textOf(fieldsOf(spec.capacity).storage),
        driver: driverOf(spec),
        isProvisioned: fieldsOf(fieldsOf(raw.metadata).annotations)[provisionedBy] === undefined ? undefined : true,
        server: serverOf(spec),
      }),
    };
  },
  links,
  facets: ({ phase, phaseSince }) => (phaseSince === undefined ? [`phase/${phase}`] : []),
  judgedBy: ['PersistentVolumeClaim'],
  fingerprintForDependents: ({ uid, phase, nodeTerms, secrets }) => [uid, phase, nodeTerms, secrets],
});

/** The ref of the claim that a volume belongs to. */
export function claimOf({ claim }: VolumeView): ReturnType<typeof refOf> | undefined {
  return claim && refOf('PersistentVolumeClaim', claim.namespace, claim.name);
}
