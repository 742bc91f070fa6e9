import { type Cluster, objectOf } from '../cluster.ts';
import { type Claim, classOf, storageClass } from '../storage.ts';
import { type Controller, keyOfChange, splitKey } from './controller.ts';
import { recordEvent } from './events.ts';

const asked = 'volume.kubernetes.io/storage-provisioner';
/** The parameter of a class with which its driver fails, in these words. */
const fails = 'sandbox.tocsin.dev/fails';
/** A driver is asked again after so long (external-provisioner, doubling from a second to five minutes). */
const firstRetryMs = 1_000;
const longestRetryMs = 300_000;

/** What a driver that is installed (a CSIDriver of the name of the provisioner) does: volumes for claims that ask for one. */
export function volumeProvisioner(cluster: Cluster): Controller {
  const failures = new Map<string, number>();
  return {
    name: 'csi-provisioner',
    concerns: (change) => (change.resource === 'persistentvolumeclaims' ? [keyOfChange(change)] : []),
    reconcile(key) {
      const claim = objectOf<Claim>(cluster, 'persistentvolumeclaims', ...splitKey(key));
      const driver = claim?.metadata.annotations?.[asked];
      if (!claim || !driver || claim.status?.phase !== 'Pending' || claim.metadata.deletionTimestamp) {
        failures.delete(key);
        return undefined;
      }
      const found = storageClass(cluster, classOf(claim));
      if (!found || !cluster.store.get('csidrivers.storage.k8s.io', undefined, driver)) return undefined;
      const name = `pvc-${claim.metadata.uid}`;
      const tell = (type: 'Normal' | 'Warning', reason: string, message: string): void =>
        recordEvent(cluster, claim, driver, type, reason, message);
      const why = found.parameters?.[fails];
      if (why !== undefined) {
        const failed = failures.get(key) ?? 0;
        failures.set(key, failed + 1);
        const text = `failed to provision volume with StorageClass "${found.metadata.name}": ${why}`;
        tell('Warning', 'ProvisioningFailed', text);
        return Math.min(longestRetryMs, firstRetryMs * 2 ** failed);
      }
      if (cluster.store.get('persistentvolumes', undefined, name)) return undefined;
      const { accessModes = [], resources = {} } = claim.spec;
      const { namespace, uid, resourceVersion, name: claimName } = claim.metadata;
      const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name: claimName, uid };
      const body = {
        metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': driver } },
        spec: {
          accessModes,
          capacity: { storage: resources.requests?.storage },
          csi: { driver, volumeHandle: name },
          claimRef: { ...claimRef, resourceVersion },
          storageClassName: found.metadata.name,
          persistentVolumeReclaimPolicy: found.reclaimPolicy ?? 'Delete',
        },
      };
      cluster.writer.create(cluster.resource('persistentvolumes'), undefined, body, { manager: driver });
      tell('Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`);
      return undefined;
    },
  };
}
