/** What claims, volumes and classes say, for those who bind, provision, attach and schedule. */
import { parseQuantity } from '../src/model/quantity.ts';
import { type Cluster, objectOf, objectsOf } from './cluster.ts';
import { fieldAt, type KubeObject } from './object.ts';
import type { Condition, Pod } from './shapes.ts';

/** core/v1 PersistentVolumeClaim. */
export type Claim = KubeObject & {
  spec: {
    storageClassName?: string;
    volumeName?: string;
    accessModes?: string[];
    resources?: { requests?: { storage?: string } };
  };
  status?: { phase?: 'Pending' | 'Bound' | 'Lost'; conditions?: Condition[] };
};

/** core/v1 PersistentVolume. */
export type Volume = KubeObject & {
  spec: {
    storageClassName?: string;
    accessModes?: string[];
    capacity?: { storage?: string };
    claimRef?: { namespace?: string; name?: string; uid?: string };
    csi?: { driver: string; volumeHandle: string };
    persistentVolumeReclaimPolicy?: string;
  };
  status?: { phase?: string };
};

/** storage.k8s.io/v1 StorageClass. */
export type StorageClass = KubeObject & {
  provisioner: string;
  volumeBindingMode?: string;
  reclaimPolicy?: string;
  parameters?: { [name: string]: string };
};

/** Where the scheduler says for which Node a claim is to be met. */
export const selectedNode = 'volume.kubernetes.io/selected-node';
const defaultClass = 'storageclass.kubernetes.io/is-default-class';

/** The class of a claim or volume: empty is none. */
export const classOf = ({ spec }: Claim | Volume): string => spec.storageClassName ?? '';

/** The class with this name. */
export function storageClass(cluster: Cluster, name: string): StorageClass | undefined {
  return objectOf<StorageClass>(cluster, 'storageclasses.storage.k8s.io', undefined, name);
}

/** The class for claims that name none: the newest of those marked as the default. */
export function defaultStorageClass(cluster: Cluster): StorageClass | undefined {
  return objectsOf<StorageClass>(cluster, 'storageclasses.storage.k8s.io')
    .filter(({ metadata }) => metadata.annotations?.[defaultClass] === 'true')
    .sort((a, b) => b.metadata.creationTimestamp.localeCompare(a.metadata.creationTimestamp))[0];
}

/** Whether claims of a class wait until a Pod that uses them has a Node. */
export function waitsForConsumer(cluster: Cluster, claim: Claim): boolean {
  return storageClass(cluster, classOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer';
}

const sizeOf = (text: string | undefined): number => parseQuantity(text ?? '') ?? 0;

/** The smallest volume that a claim can have (pkg/controller/volume/persistentvolume, findBestMatchForClaim). */
export function volumeFor(cluster: Cluster, claim: Claim): Volume | undefined {
  const { namespace, name } = claim.metadata;
  const isFor = ({ spec, status }: Volume): boolean =>
    spec.claimRef ? spec.claimRef.namespace === namespace && spec.claimRef.name === name : status?.phase !== 'Released';
  return objectsOf<Volume>(cluster, 'persistentvolumes')
    .filter(
      (volume) =>
        isFor(volume) &&
        classOf(volume) === classOf(claim) &&
        sizeOf(volume.spec.capacity?.storage) >= sizeOf(claim.spec.resources?.requests?.storage) &&
        (claim.spec.accessModes ?? []).every((mode) => volume.spec.accessModes?.includes(mode)),
    )
    .sort((a, b) => sizeOf(a.spec.capacity?.storage) - sizeOf(b.spec.capacity?.storage))[0];
}

/** The names of the claims that a Pod mounts. */
export function claimNames(pod: Pod): string[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    const name = fieldAt(volume, 'persistentVolumeClaim', 'claimName');
    return typeof name === 'string' ? [name] : [];
  });
}

/** A claim by name; `undefined`: it does not exist. */
export function claimOf(cluster: Cluster, namespace: string | undefined, name: string): Claim | undefined {
  return objectOf<Claim>(cluster, 'persistentvolumeclaims', namespace, name);
}
