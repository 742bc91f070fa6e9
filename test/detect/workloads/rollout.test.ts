import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { at, condition, daemonSet, node, pod, type WorkloadParts, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const db = 'StatefulSet/shop/db';
const old = { createdAt: at(-900) };
const day = 24 * 60;

/** A StatefulSet whose rollout has come so far. */
const rolling = (updated: number, ready: number, own: WorkloadParts = {}): RawObject =>
  workload('StatefulSet', 'db', {
    ...old,
    ...own,
    status: {
      ...{ currentRevision: 'db-1', updateRevision: 'db-3', updatedReplicas: updated },
      ...{ readyReplicas: ready, availableReplicas: ready },
      ...own.status,
    },
  });

const member = (index: number, revision: string, isReady: boolean): RawObject =>
  pod(`db-${index}`, {
    ...old,
    owner: { kind: 'StatefulSet', name: 'db' },
    labels: { 'controller-revision-hash': revision },
    conditions: [condition('Ready', isReady ? 'True' : 'False', at(0))],
  });

const stuck = (found: string[]): string[] => found.filter((each) => each.endsWith('RolloutStuck'));

test('W8 fires and clears: a rollout that does not move for 10 min, naming the Pod it waits for', () => {
  const { put, found, wait, says } = story();
  put(at(0), rolling(1, 2), member(0, 'db-1', true), member(1, 'db-1', true), member(2, 'db-3', false));
  wait(at(9, 59));
  assert.deepEqual(stuck(found()), []);
  wait(at(10));
  assert.deepEqual(stuck(found()), [`${db} StatefulSetRolloutStuck`]);
  assert.equal(
    says(db, 'StatefulSetRolloutStuck'),
    'The rollout is stuck: 1 of 3 pods is on the new revision. It waits for db-2, which is not ready.',
  );
  put(at(11), rolling(1, 3), member(2, 'db-3', true));
  assert.deepEqual(stuck(found()), []);
});

test('W8 fires: after a bad revision was taken back, its Pod has to be deleted by hand, and that is said within a minute', () => {
  const { put, found, wait, says, finding } = story();
  put(at(0), rolling(0, 2), member(0, 'db-1', true), member(1, 'db-1', true), member(2, 'db-2', false));
  wait(at(1));
  assert.deepEqual(stuck(found()), [`${db} StatefulSetRolloutStuck`]);
  assert.equal(finding(db, 'StatefulSetRolloutStuck').conclusive, true);
  assert.equal(
    says(db, 'StatefulSetRolloutStuck'),
    'The rollout is stuck: 0 of 3 pods are on the new revision. It waits for db-2, which is of another revision and not ready: that pod has to be deleted by hand.',
  );
});

test('W8 is quiet: OnDelete, what a partition holds back, and a rollout that moves', () => {
  const { put, found, wait } = story();
  const strategy = (updateStrategy: object) => ({ spec: { updateStrategy } });
  put(at(0), rolling(0, 3, strategy({ type: 'OnDelete' })));
  wait(at(60));
  put(at(60), rolling(1, 3, strategy({ type: 'RollingUpdate', rollingUpdate: { partition: 2 } })));
  wait(at(120));
  put(at(120), rolling(0, 2));
  put(at(129), rolling(1, 2));
  put(at(138), rolling(2, 2));
  wait(at(147));
  assert.deepEqual(stuck(found()), []);
});

const agent = (name: string, isReady: boolean): RawObject =>
  pod(`agent-${name}`, {
    ...old,
    owner: { kind: 'DaemonSet', name: 'agent' },
    node: name,
    conditions: [condition('Ready', isReady ? 'True' : 'False', at(0))],
  });
const updating = { updatedNumberScheduled: 1, numberReady: 1, numberAvailable: 1 };

test('W11 fires and clears: a DaemonSet whose rollout does not move for 10 min', () => {
  const { put, found, wait, says } = story();
  put(at(0), node('n1'), node('n2'), agent('n1', false), agent('n2', true), daemonSet('agent', { status: updating }));
  wait(at(9, 59));
  assert.deepEqual(stuck(found()), []);
  wait(at(10));
  assert.deepEqual(stuck(found()), ['DaemonSet/shop/agent DaemonSetRolloutStuck']);
  assert.equal(
    says('DaemonSet/shop/agent', 'DaemonSetRolloutStuck'),
    'The rollout is stuck: 1 of 2 pods is on the new revision.',
  );
  put(at(11), agent('n1', true), daemonSet('agent'));
  assert.deepEqual(stuck(found()), []);
});

test('W11 is quiet: a Node that is away, and OnDelete', () => {
  const { put, found, wait } = story();
  put(at(0), node('n1', { ready: 'Unknown', since: at(0) }), node('n2'), agent('n1', false), agent('n2', true));
  put(at(0), daemonSet('agent', { status: updating }));
  wait(at(30));
  const byHand = daemonSet('agent', { spec: { updateStrategy: { type: 'OnDelete' } }, status: updating });
  put(at(30), node('n1'), byHand);
  wait(at(60));
  assert.deepEqual(stuck(found()), []);
});

test('W11 fires: the Node excused its Pod while it was young, and nothing has changed since', () => {
  const { put, found, wait } = story();
  put(at(0), node('n1', { createdAt: at(0) }), node('n2'), agent('n1', true), agent('n2', true), daemonSet('agent'));
  const spec = { template: { spec: { containers: [{ name: 'api', image: 'registry.example/agent:2' }] } } };
  const status = { ...updating, observedGeneration: 2 };
  put(at(1), daemonSet('agent', { generation: 2, spec, status }), agent('n1', false));
  wait(at(10, 59));
  assert.deepEqual(stuck(found()), []);
  wait(at(11));
  assert.deepEqual(stuck(found()), ['DaemonSet/shop/agent DaemonSetRolloutStuck']);
});

test('W11 is quiet: a first Pod that cannot be made is not a rollout', () => {
  const { put, found, wait } = story();
  const none = { currentNumberScheduled: 0, updatedNumberScheduled: 0, numberReady: 0, numberAvailable: 0 };
  put(at(0), node('n1'), node('n2'), daemonSet('agent', { status: none }));
  wait(at(60));
  assert.deepEqual(stuck(found()), []);
});

test('W5 fires and clears: an edit that no controller has looked at for 15 min', () => {
  const { put, found, wait, says } = story();
  const unseen = { ...old, generation: 3, status: { observedGeneration: 2 } };
  put(at(0), workload('Deployment', 'api', unseen));
  wait(at(14, 59));
  assert.deepEqual(found(), []);
  wait(at(15));
  assert.deepEqual(found(), ['Deployment/shop/api GenerationMismatch']);
  assert.equal(says('Deployment/shop/api', 'GenerationMismatch'), 'Its controller has not seen its last edit.');
  put(at(16), workload('Deployment', 'api', { ...old, generation: 3 }));
  assert.deepEqual(found(), []);
});

test('W5 is quiet: what its controller has seen, though nothing comes of it', () => {
  const { put, found, wait } = story();
  put(at(0), workload('StatefulSet', 'api', { ...old, generation: 9 }));
  wait(at(60));
  assert.deepEqual(found(), []);
});

test('W6 fires and clears: a Deployment that is paused for a day', () => {
  const { put, found, wait, finding } = story();
  const conditions = [condition('Progressing', 'Unknown', at(0), 'DeploymentPaused')];
  put(at(0), workload('Deployment', 'api', { ...old, spec: { paused: true }, conditions }));
  wait(at(day) - 1000);
  assert.deepEqual(found(), []);
  wait(at(day));
  assert.deepEqual(found(), ['Deployment/shop/api DeploymentPaused']);
  assert.equal(finding('Deployment/shop/api', 'DeploymentPaused').severity, 'low');
  put(at(day + 1), workload('Deployment', 'api', old));
  assert.deepEqual(found(), []);
});

test('W6 is quiet: a paused Deployment that wants no Pods', () => {
  const { put, found, wait } = story();
  put(at(0), workload('Deployment', 'api', { ...old, replicas: 0, spec: { paused: true } }));
  wait(at(3 * day));
  assert.deepEqual(found(), []);
});

test('W12 fires and clears: a Node that should have a Pod of a DaemonSet and has none for 10 min', () => {
  const { put, found, wait, says } = story();
  put(at(0), daemonSet('agent', { replicas: 3, status: { currentNumberScheduled: 2 } }));
  wait(at(9, 59));
  assert.deepEqual(found(), []);
  wait(at(10));
  assert.deepEqual(found(), ['DaemonSet/shop/agent DaemonSetNotScheduled']);
  assert.equal(says('DaemonSet/shop/agent', 'DaemonSetNotScheduled'), '1 node of 3 has none of its pods.');
  put(at(11), daemonSet('agent', { replicas: 3 }));
  assert.deepEqual(found(), []);
});

test('W12 is quiet: a Pod that is there and not ready', () => {
  const { put, found, wait } = story();
  put(at(0), daemonSet('agent', { replicas: 3, status: { numberReady: 2 } }));
  wait(at(9));
  assert.equal(found().includes('DaemonSet/shop/agent DaemonSetNotScheduled'), false);
});

test('W13 fires and clears: Pods of a DaemonSet on Nodes that they should not be on, for an hour', () => {
  const { put, found, wait, says, finding } = story();
  put(at(0), daemonSet('agent', { status: { numberMisscheduled: 2 } }));
  wait(at(59));
  assert.deepEqual(found(), []);
  wait(at(60));
  assert.deepEqual(found(), ['DaemonSet/shop/agent DaemonSetMisScheduled']);
  assert.equal(finding('DaemonSet/shop/agent', 'DaemonSetMisScheduled').severity, 'low');
  assert.equal(says('DaemonSet/shop/agent', 'DaemonSetMisScheduled'), '2 pods run on nodes that it should not be on.');
  put(at(61), daemonSet('agent'));
  assert.deepEqual(found(), []);
});

test('W13 is quiet: a Node that is tainted for half an hour', () => {
  const { put, found, wait } = story();
  put(at(0), daemonSet('agent', { status: { numberMisscheduled: 1 } }));
  put(at(30), daemonSet('agent'));
  put(at(40), daemonSet('agent', { status: { numberMisscheduled: 1 } }));
  wait(at(99));
  assert.deepEqual(found(), []);
});

const unserved = { readyReplicas: 0, availableReplicas: 0 };

test('W23 fires and clears: a workload none of whose Pods was ever ready for 15 min', () => {
  const { put, found, wait, says } = story();
  const conditions = [condition('Available', 'False', at(0), 'MinimumReplicasUnavailable')];
  put(at(0), workload('Deployment', 'api', { createdAt: at(0), status: unserved, conditions }));
  put(at(0), workload('StatefulSet', 'db', { createdAt: at(0), status: unserved }));
  const never = (): string[] => found().filter((each) => each.endsWith('WorkloadNeverReady'));
  wait(at(14, 59));
  assert.deepEqual(never(), []);
  wait(at(15));
  assert.deepEqual(never(), ['Deployment/shop/api WorkloadNeverReady', `${db} WorkloadNeverReady`]);
  assert.equal(says(db, 'WorkloadNeverReady'), 'None of its 3 pods has ever been ready.');
  put(at(16), workload('StatefulSet', 'db', { createdAt: at(0), status: { readyReplicas: 1 } }));
  assert.deepEqual(never(), ['Deployment/shop/api WorkloadNeverReady']);
});

test('W23 is quiet: what served before, what was scaled up from zero, and what nobody saw from the beginning', () => {
  const { put, found, wait } = story();
  const gone = [condition('Available', 'False', at(0), 'MinimumReplicasUnavailable')];
  put(at(0), workload('Deployment', 'served', { ...old, status: unserved, conditions: gone }));
  put(at(0), workload('StatefulSet', 'scaled', { createdAt: at(0), replicas: 0 }));
  put(at(0), workload('StatefulSet', 'unseen', { ...old, status: unserved }));
  put(at(5), workload('StatefulSet', 'scaled', { createdAt: at(0), status: unserved }));
  wait(at(60));
  assert.deepEqual(
    found().filter((each) => each.endsWith('WorkloadNeverReady')),
    [],
  );
});
