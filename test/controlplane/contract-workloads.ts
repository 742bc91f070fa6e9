import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type PodScript, scriptAnnotation } from '../../sandbox/kubelet/pod-script.ts';
import { type Fields, fieldAt, type ManagedFields } from '../../sandbox/object.ts';
import type { Pod } from '../../sandbox/shapes.ts';
import type { Chapter } from './contract.ts';
import { eventually } from './environment.ts';
import { conditionOf, itemsOf, nameOf } from './workbench.ts';
import { deploy, podsIn, podWith, waitingReason } from './workload-bench.ts';

/** Owner chains, rollouts, scheduling and what becomes of Jobs. */
export const workloadContract: Chapter = (bench) => {
  describe('workloads', () => {
    test('a Deployment becomes ReplicaSet and ready Pods, with owners, revision, hash and conditions', async () => {
      const { namespace, path } = await deploy(bench(), { name: 'web', replicas: 2 });
      const live = await eventually('the Deployment is complete', async () => {
        const object = await bench().get(path);
        return conditionOf(object, 'Progressing')?.reason === 'NewReplicaSetAvailable' ? object : undefined;
      });
      assert.deepEqual(conditionOf(live, 'Available')?.reason, 'MinimumReplicasAvailable');
      assert.equal(fieldAt(live, 'metadata', 'annotations', 'deployment.kubernetes.io/revision'), '1');
      const status = live.status as Fields;
      assert.deepEqual(
        [
          status.observedGeneration,
          status.replicas,
          status.updatedReplicas,
          status.readyReplicas,
          status.availableReplicas,
        ],
        [1, 2, 2, 2, 2],
      );
      const [set] = itemsOf(await bench().get(`/apis/apps/v1/namespaces/${namespace}/replicasets`));
      const owner = (object: unknown): unknown => (fieldAt(object, 'metadata', 'ownerReferences') as Fields[])[0];
      assert.deepEqual(owner(set), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: 'web',
        uid: fieldAt(live, 'metadata', 'uid'),
        controller: true,
        blockOwnerDeletion: true,
      });
      assert.equal(
        conditionOf(live, 'Progressing')?.message,
        `ReplicaSet "${nameOf(set)}" has successfully progressed.`,
      );
      const hash = fieldAt(set, 'metadata', 'labels', 'pod-template-hash');
      assert.equal(nameOf(set), `web-${hash}`);
      for (const pod of await podsIn(bench(), namespace)) {
        assert.equal(fieldAt(owner(pod), 'name'), nameOf(set));
        assert.equal(pod.metadata.labels?.['pod-template-hash'], hash);
        assert.match(pod.metadata.name, new RegExp(`^web-${hash}-[a-z0-9]{5}$`));
        const conditions = Object.fromEntries((pod.status.conditions ?? []).map(({ type, status: is }) => [type, is]));
        assert.deepEqual(conditions, {
          PodReadyToStartContainers: 'True',
          Initialized: 'True',
          Ready: 'True',
          ContainersReady: 'True',
          PodScheduled: 'True',
        });
        assert.deepEqual(
          [pod.status.phase, pod.status.qosClass, pod.spec.restartPolicy],
          ['Running', 'BestEffort', 'Always'],
        );
        const evictions = (pod.spec.tolerations ?? []).map(({ key, effect, tolerationSeconds }) => [
          key,
          effect,
          tolerationSeconds,
        ]);
        assert.deepEqual(evictions, [
          ['node.kubernetes.io/not-ready', 'NoExecute', 300],
          ['node.kubernetes.io/unreachable', 'NoExecute', 300],
        ]);
      }
      const reasons = await eventually('all events are there', async () => {
        const events = itemsOf(await bench().get(`/api/v1/namespaces/${namespace}/events`)).map(
          (event) => event.reason,
        );
        return events.includes('Started') && events.includes('Scheduled') ? events : undefined;
      });
      for (const reason of [
        'ScalingReplicaSet',
        'SuccessfulCreate',
        'Scheduled',
        'Pulling',
        'Pulled',
        'Created',
        'Started',
      ])
        assert.ok(reasons.includes(reason), `${reason} in ${reasons}`);
    });

    test('a new template rolls out with a new revision; a bad one stops where availability would suffer', async () => {
      const { namespace, path } = await deploy(bench(), { name: 'roll', replicas: 4 });
      const ready = (revision: string): Promise<Fields> =>
        eventually(`revision ${revision} is complete`, async () => {
          const live = await bench().get(path);
          const at = fieldAt(live, 'metadata', 'annotations', 'deployment.kubernetes.io/revision');
          return at === revision &&
            conditionOf(live, 'Progressing')?.reason === 'NewReplicaSetAvailable' &&
            fieldAt(live, 'status', 'observedGeneration') === fieldAt(live, 'metadata', 'generation') &&
            fieldAt(live, 'status', 'updatedReplicas') === 4 &&
            fieldAt(live, 'status', 'replicas') === 4
            ? live
            : undefined;
        });
      await ready('1');
      const template = (script: PodScript, image: string): object => ({
        spec: {
          template: {
            metadata: { annotations: { [scriptAnnotation]: JSON.stringify(script) } },
            spec: { containers: [{ name: 'main', image }] },
          },
        },
      });
      await bench().patch(path, 'strategic', template({}, 'registry.example.com/app:2'));
      await ready('2');
      await bench().patch(path, 'strategic', template({ pullError: 'NotFound' }, 'registry.example.com/app:3'));
      await eventually('the third rollout is stuck', async () => {
        const pods = (await podsIn(bench(), namespace)).filter((pod) => !pod.metadata.deletionTimestamp);
        const stuck = pods.filter((pod) => waitingReason(pod) === 'ImagePullBackOff').length;
        return pods.length === 5 && stuck === 2 ? true : undefined;
      });
      // 25 % of 4: one more than wanted, one fewer than wanted available. The status follows the Pods.
      const live = await eventually('the status says so', async () => {
        const at = await bench().get(path);
        const counts = ['replicas', 'updatedReplicas', 'availableReplicas'].map((field) =>
          fieldAt(at, 'status', field),
        );
        return counts.join() === '5,2,3' ? at : undefined;
      });
      assert.equal(conditionOf(live, 'Available')?.status, 'True');
      const entries = fieldAt(live, 'metadata', 'managedFields') as ManagedFields[];
      assert.ok(
        entries.some(({ manager, subresource }) => manager === 'kube-controller-manager' && subresource === 'status'),
      );
    });

    test("a Pod that fits nowhere says why in the scheduler's words", async () => {
      const { namespace } = await deploy(bench(), { name: 'nowhere', spec: { nodeSelector: { disk: 'ssd' } } });
      const unscheduled = (pod: Pod): Fields | undefined => {
        const found = conditionOf(pod, 'PodScheduled');
        return found?.status === 'False' ? found : undefined;
      };
      const pod = await podWith(bench(), namespace, 'Unschedulable', (p) => unscheduled(p) !== undefined);
      // Since 1.34 the scheduler speaks of the claims of devices, and knows that what is larger than a Node fits on none.
      const isOld = (await bench().minor()) < 34;
      const noPreemption = (why: string): string =>
        `${isOld ? '' : 'no new claims to deallocate, '}preemption: 0/2 nodes are available: 2 ${why}.`;
      const inVain = 'Preemption is not helpful for scheduling';
      assert.equal(unscheduled(pod)?.reason, 'Unschedulable');
      assert.equal(
        unscheduled(pod)?.message,
        `0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. ${noPreemption(inVain)}`,
      );
      const big = { requests: { cpu: '64', memory: '1Ti' } };
      const second = await deploy(bench(), { name: 'big', container: { resources: big } });
      const large = await podWith(bench(), second.namespace, 'Unschedulable', (p) => unscheduled(p) !== undefined);
      assert.equal(
        unscheduled(large)?.message,
        `0/2 nodes are available: 2 Insufficient cpu, 2 Insufficient memory. ${noPreemption(isOld ? 'No preemption victims found for incoming pod' : inVain)}`,
      );
    });

    test('a Job ends as its Pods do', async () => {
      const namespace = await bench().namespace();
      const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
      const job = (name: string, code: number): object => ({
        metadata: { name },
        spec: {
          backoffLimit: 0,
          template: {
            metadata: { annotations: { [scriptAnnotation]: JSON.stringify({ exit: { afterSeconds: 1, code } }) } },
            spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example.com/job:1' }] },
          },
        },
      });
      await bench().create(path, job('good', 0));
      await bench().create(path, job('bad', 1));
      const ended = (name: string, type: string): Promise<Fields> =>
        eventually(`${name} is ${type}`, async () => {
          const live = await bench().get(`${path}/${name}`);
          return conditionOf(live, type)?.status === 'True' ? live : undefined;
        });
      const good = await ended('good', 'Complete');
      assert.equal(fieldAt(good, 'status', 'succeeded'), 1);
      const bad = await ended('bad', 'Failed');
      const { reason, message } = conditionOf(bad, 'Failed') ?? {};
      assert.deepEqual([reason, message], ['BackoffLimitExceeded', 'Job has reached the specified backoff limit']);
    });

    test('StatefulSet Pods come in order and DaemonSet Pods on every node', async () => {
      const namespace = await bench().namespace();
      const template = {
        metadata: { labels: { app: 'x' } },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/db:1' }] },
      };
      const selector = { matchLabels: { app: 'x' } };
      await bench().create(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, {
        metadata: { name: 'db' },
        spec: { replicas: 2, serviceName: 'db', selector, template },
      });
      const set = await eventually('both members are ready', async () => {
        const live = await bench().get(`/apis/apps/v1/namespaces/${namespace}/statefulsets/db`);
        return fieldAt(live, 'status', 'readyReplicas') === 2 ? live : undefined;
      });
      assert.equal(fieldAt(set, 'status', 'currentRevision'), fieldAt(set, 'status', 'updateRevision'));
      assert.deepEqual(
        (await podsIn(bench(), namespace)).map((pod) => pod.metadata.name),
        ['db-0', 'db-1'],
      );
      const other = await bench().namespace();
      await bench().create(`/apis/apps/v1/namespaces/${other}/daemonsets`, {
        metadata: { name: 'agent' },
        spec: { selector, template },
      });
      const agent = await eventually('an agent on each node', async () => {
        const live = await bench().get(`/apis/apps/v1/namespaces/${other}/daemonsets/agent`);
        return fieldAt(live, 'status', 'numberReady') === 2 ? live : undefined;
      });
      assert.equal(fieldAt(agent, 'status', 'desiredNumberScheduled'), 2);
      const nodes = (await podsIn(bench(), other)).map((pod) => pod.spec.nodeName);
      assert.deepEqual(nodes.sort(), ['n1', 'n2']);
    });

    test('a deleted Deployment takes its ReplicaSet and Pods with it', async () => {
      const { namespace, path } = await deploy(bench(), { name: 'gone', replicas: 2 });
      await podWith(bench(), namespace, 'a ready Pod', (p) => p.status.containerStatuses?.[0]?.ready === true);
      assert.equal((await bench().ask('DELETE', `${path}?propagationPolicy=Background`)).status, 200);
      await eventually('nothing is left', async () => {
        const sets = itemsOf(await bench().get(`/apis/apps/v1/namespaces/${namespace}/replicasets`));
        return sets.length + (await podsIn(bench(), namespace)).length === 0 ? true : undefined;
      });
    });
  });
};
