import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Fields, fieldAt } from '../../sandbox/object.ts';
import type { Chapter } from './contract.ts';
import { eventually } from './environment.ts';
import { conditionOf, itemsOf, type Workbench } from './workbench.ts';
import { podsIn } from './workload-bench.ts';

const asked = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

/** What its controllers say of a claim. */
const told = (bench: Workbench, namespace: string, reason: string): Promise<Fields> =>
  eventually(`an Event ${reason}`, async () => {
    const events = itemsOf(await bench.get(`/api/v1/namespaces/${namespace}/events`));
    return events.find((event) => event.reason === reason);
  });

async function claim(bench: Workbench, namespace: string, spec: object): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
  await bench.create(path, { metadata: { name: 'data' }, spec: { ...asked, ...spec } });
  return `${path}/data`;
}

/** A Pod that mounts the claim `data`, made as soon as the namespace takes Pods. */
async function mounting(bench: Workbench, namespace: string): Promise<void> {
  const body = {
    metadata: { name: 'db' },
    spec: {
      containers: [{ name: 'main', image: 'registry.example.com/db:1' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  };
  await eventually('the Pod is made', async () =>
    (await bench.ask('POST', `/api/v1/namespaces/${namespace}/pods`, { body })).status === 201 ? true : undefined,
  );
}

const unscheduled = (bench: Workbench, namespace: string): Promise<unknown> =>
  eventually('the Pod is unschedulable', async () => {
    const [pod] = await podsIn(bench, namespace);
    const found = conditionOf(pod, 'PodScheduled');
    return found?.status === 'False' ? found.message : undefined;
  });

/** What the scheduler says of preemption where no Node can help: since 1.34 that of the claims of devices, which found nothing. */
const unresolvable = async (bench: Workbench): Promise<string> =>
  (await bench.minor()) < 34
    ? 'preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.'
    : 'not found';

/** Claims, volumes and classes. */
export const storageContract: Chapter = (bench) => {
  describe('storage', () => {
    test('a claim of a class that does not exist is told, and its Pod waits', async () => {
      const namespace = await bench().namespace();
      const path = await claim(bench(), namespace, { storageClassName: 'fast-ssd' });
      const event = await told(bench(), namespace, 'ProvisioningFailed');
      assert.deepEqual([event.type, event.message], ['Warning', 'storageclass.storage.k8s.io "fast-ssd" not found']);
      assert.equal(fieldAt(await bench().get(path), 'status', 'phase'), 'Pending');
      await mounting(bench(), namespace);
      assert.equal(
        await unscheduled(bench(), namespace),
        `0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. ${await unresolvable(bench())}`,
      );
    });

    test('a Pod whose claim does not exist says so', async () => {
      const namespace = await bench().namespace();
      await mounting(bench(), namespace);
      assert.equal(
        await unscheduled(bench(), namespace),
        `0/2 nodes are available: persistentvolumeclaim "data" not found. ${await unresolvable(bench())}`,
      );
    });

    test('a claim that waits for its consumer says so, and asks its driver when a Pod comes', async () => {
      const namespace = await bench().namespace();
      const provisioner = `${namespace}.csi.example`;
      await bench().create('/apis/storage.k8s.io/v1/storageclasses', {
        metadata: { name: namespace },
        provisioner,
        volumeBindingMode: 'WaitForFirstConsumer',
      });
      const path = await claim(bench(), namespace, { storageClassName: namespace });
      const event = await told(bench(), namespace, 'WaitForFirstConsumer');
      assert.deepEqual(
        [event.type, event.message],
        ['Normal', 'waiting for first consumer to be created before binding'],
      );
      await mounting(bench(), namespace);
      const waiting = await told(bench(), namespace, 'ExternalProvisioning');
      assert.match(
        String(waiting.message),
        new RegExp(`^Waiting for a volume to be created either by the external provisioner '${provisioner}' or`),
      );
      const live = await bench().get(path);
      const annotations = fieldAt(live, 'metadata', 'annotations') as Fields;
      assert.equal(annotations['volume.kubernetes.io/storage-provisioner'], provisioner);
      assert.match(String(annotations['volume.kubernetes.io/selected-node']), /^n[12]$/);
    });

    test('a claim is bound to a volume that is there; without it, it is lost', async () => {
      const namespace = await bench().namespace();
      const volumes = '/api/v1/persistentvolumes';
      await bench().create(volumes, {
        metadata: { name: namespace },
        spec: {
          ...{ capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: namespace },
          csi: { driver: 'disk.csi.example', volumeHandle: namespace },
        },
      });
      const path = await claim(bench(), namespace, { storageClassName: namespace });
      const live = await eventually('the claim is bound', async () => {
        const found = await bench().get(path);
        return fieldAt(found, 'status', 'phase') === 'Bound' ? found : undefined;
      });
      assert.equal(fieldAt(live, 'spec', 'volumeName'), namespace);
      assert.deepEqual(fieldAt(live, 'status', 'capacity'), { storage: '2Gi' });
      const volume = await eventually('the volume is bound', async () => {
        const found = await bench().get(`${volumes}/${namespace}`);
        return fieldAt(found, 'status', 'phase') === 'Bound' ? found : undefined;
      });
      assert.deepEqual(
        [fieldAt(volume, 'spec', 'claimRef', 'namespace'), fieldAt(volume, 'spec', 'claimRef', 'name')],
        [namespace, 'data'],
      );
      await bench().patch(`${volumes}/${namespace}`, 'merge', { metadata: { finalizers: null } });
      await bench().ask('DELETE', `${volumes}/${namespace}`);
      await bench().patch(`${volumes}/${namespace}`, 'merge', { metadata: { finalizers: null } });
      await eventually('the claim is lost', async () =>
        fieldAt(await bench().get(path), 'status', 'phase') === 'Lost' ? true : undefined,
      );
      const event = await told(bench(), namespace, 'ClaimLost');
      assert.equal(event.message, 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
    });
  });
};
