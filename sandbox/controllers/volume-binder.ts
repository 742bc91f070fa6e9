import type { Cluster } from '../cluster.ts';
import { objectOf, objectsOf } from '../cluster.ts';
import type { Fields } from '../object.ts';
import type { Pod } from '../shapes.ts';
import {
  type Claim,
  claimNames,
  claimOf,
  classOf,
  defaultStorageClass,
  type StorageClass,
  selectedNode,
  storageClass,
  type Volume,
  volumeFor,
  waitsForConsumer,
} from '../storage.ts';
import { type Controller, keyOfChange, splitKey } from './controller.ts';
import { recordEvent } from './events.ts';
import { changeObject, writeStatus } from './pods.ts';

/** Claims that wait are looked at this often (`--pvclaimbinder-sync-period`). */
const againMs = 15_000;
const component = 'persistentvolume-controller';

/** Claim → volume (pkg/controller/volume/persistentvolume). Volumes of drivers are made by `volumeProvisioner`. */
export function volumeBinder(cluster: Cluster): Controller {
  return {
    name: 'persistentvolume-binder',
    concerns(change) {
      if (change.resource === 'persistentvolumeclaims') return [keyOfChange(change)];
      if (change.resource !== 'persistentvolumes' && !change.resource.startsWith('storageclasses.')) return [];
      return objectsOf<Claim>(cluster, 'persistentvolumeclaims').map(
        ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
      );
    },
    reconcile(key) {
      const [namespace, name] = splitKey(key);
      const claim = claimOf(cluster, namespace, name);
      release(cluster, namespace, name, claim?.metadata.uid);
      if (!claim || claim.metadata.deletionTimestamp) return undefined;
      if (claim.status?.phase === 'Bound') return lose(cluster, claim);
      if (claim.status?.phase === 'Lost') return undefined;
      const volume = claim.spec.volumeName
        ? objectOf<Volume>(cluster, 'persistentvolumes', undefined, claim.spec.volumeName)
        : waitsForConsumer(cluster, claim) && !claim.metadata.annotations?.[selectedNode]
          ? undefined
          : volumeFor(cluster, claim);
      if (volume) {
        bind(cluster, claim, volume);
        return undefined;
      }
      wait(cluster, claim);
      return againMs;
    },
  };
}

function bind(cluster: Cluster, claim: Claim, volume: Volume): void {
  const { name, namespace, uid, resourceVersion } = claim.metadata;
  const { apiVersion, kind } = claim;
  const claimRef = { kind, namespace, name, uid, apiVersion, resourceVersion };
  const bound = changeObject(cluster, volume, (live) => ({
    ...live,
    metadata: annotated(live.metadata, { 'pv.kubernetes.io/bound-by-controller': 'yes' }),
    spec: { ...(live as Volume).spec, claimRef },
  }));
  writeStatus(cluster, 'persistentvolumes', bound, { phase: 'Bound' });
  const changed = changeObject(cluster, claim, (live) => ({
    ...live,
    metadata: annotated(live.metadata, {
      'pv.kubernetes.io/bind-completed': 'yes',
      ...(claim.spec.volumeName ? {} : { 'pv.kubernetes.io/bound-by-controller': 'yes' }),
    }),
    spec: { ...(live as Claim).spec, volumeName: volume.metadata.name },
  }));
  const { accessModes, capacity } = volume.spec;
  writeStatus(cluster, 'persistentvolumeclaims', changed, { phase: 'Bound', accessModes, capacity });
}

const annotated = <M extends { annotations?: { [key: string]: string } }>(metadata: M, more: Fields): M => ({
  ...metadata,
  annotations: { ...metadata.annotations, ...more },
});

type Told = readonly [type: 'Normal' | 'Warning', reason: string, message: string];

const nothingToBind: Told = [
  'Normal',
  'FailedBinding',
  'no persistent volumes available for this claim and no storage class is set',
];

/** A claim without a volume: says what it waits for. */
function wait(cluster: Cluster, claim: Claim): void {
  const told = claim.spec.volumeName ? undefined : reasonToWait(cluster, claim);
  if (told) recordEvent(cluster, claim, component, ...told);
}

/** What a claim waits for; `undefined`: it has just got the default class, and is looked at again for that. */
function reasonToWait(cluster: Cluster, claim: Claim): Told | undefined {
  if (claim.spec.storageClassName === undefined) {
    const byDefault = defaultStorageClass(cluster)?.metadata.name;
    if (byDefault === undefined) return nothingToBind;
    changeObject(cluster, claim, (live) => ({
      ...live,
      spec: { ...(live as Claim).spec, storageClassName: byDefault },
    }));
    return undefined;
  }
  const name = classOf(claim);
  if (name === '') return nothingToBind;
  const found = storageClass(cluster, name);
  if (!found) return ['Warning', 'ProvisioningFailed', `storageclass.storage.k8s.io "${name}" not found`];
  if (waitsForConsumer(cluster, claim) && !claim.metadata.annotations?.[selectedNode])
    return consumerOf(cluster, claim);
  provision(cluster, claim, found);
  const manually = 'manually by the system administrator. If volume creation is delayed, please verify that';
  const message = `Waiting for a volume to be created either by the external provisioner '${found.provisioner}' or ${manually} the provisioner is running and correctly registered.`;
  return ['Normal', 'ExternalProvisioning', message];
}

function consumerOf(cluster: Cluster, claim: Claim): Told {
  const pods = objectsOf<Pod>(cluster, 'pods', claim.metadata.namespace);
  const pod = pods.find((each) => claimNames(each).includes(claim.metadata.name));
  return pod
    ? ['Normal', 'WaitForPodScheduled', `waiting for pod ${pod.metadata.name} to be scheduled`]
    : ['Normal', 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding'];
}

/** Asks the driver of a class for a volume. */
function provision(cluster: Cluster, claim: Claim, { provisioner }: StorageClass): void {
  const asked = {
    'volume.beta.kubernetes.io/storage-provisioner': provisioner,
    'volume.kubernetes.io/storage-provisioner': provisioner,
  };
  changeObject(cluster, claim, (live) => ({ ...live, metadata: annotated(live.metadata, asked) }));
}

/** The volume of a bound claim has gone. */
function lose(cluster: Cluster, claim: Claim): undefined {
  const { volumeName = '' } = claim.spec;
  if (objectOf<Volume>(cluster, 'persistentvolumes', undefined, volumeName)) return;
  writeStatus(cluster, 'persistentvolumeclaims', claim, { phase: 'Lost' });
  const text = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!';
  recordEvent(cluster, claim, component, 'Warning', 'ClaimLost', text);
}

/** The volumes of a claim that has gone belong to nobody. */
function release(cluster: Cluster, namespace: string, name: string, uid: string | undefined): void {
  for (const volume of objectsOf<Volume>(cluster, 'persistentvolumes')) {
    const { claimRef } = volume.spec;
    const isItsOwn = claimRef?.namespace === namespace && claimRef.name === name && claimRef.uid !== uid;
    if (isItsOwn && claimRef.uid !== undefined && volume.status?.phase === 'Bound')
      writeStatus(cluster, 'persistentvolumes', volume, { phase: 'Released' });
  }
}
