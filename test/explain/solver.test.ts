import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingKey } from '../../src/model/finding.ts';
import type { Ref } from '../../src/model/ref.ts';
import { fc } from '../fast-check.ts';
import { runs } from '../runs.ts';
import { cluster, inShort } from './helpers.ts';

/** Two workloads of which one Pod each runs on each of two nodes. */
function twoNodes() {
  const k8s = cluster();
  k8s.node('n1');
  k8s.node('n2');
  const pods: Ref[] = [];
  for (const name of ['shop/a', 'shop/b'] as const) {
    k8s.deployment(name, { replicas: 2 });
    pods.push(...k8s.pods(name, 2, { nodes: ['n1', 'n2'] }));
  }
  return { k8s, pods };
}

test('two nodes lost at once are two explanations', () => {
  const { k8s, pods } = twoNodes();
  for (const node of ['Node//n1', 'Node//n2'] as const) k8s.find(node, 'NodeUnreachable');
  for (const pod of pods) k8s.find(pod, 'PodNotReady', { since: 3 });
  assert.deepEqual(inShort(k8s.explain()), ['Node//n1 NodeUnreachable 3', 'Node//n2 NodeUnreachable 3']);
});

test('a node is not blamed for Pods whose siblings elsewhere fail in the same way', () => {
  const { k8s, pods } = twoNodes();
  k8s.find('Node//n1', 'NodeNotReady');
  for (const pod of pods) k8s.find(pod, 'PodNotReady', { since: 3 });
  assert.deepEqual(inShort(k8s.explain()), [
    'Deployment/shop/a PodNotReady 2',
    'Deployment/shop/b PodNotReady 2',
    'Node//n1 NodeNotReady 1',
  ]);
});

test('every finding is in exactly one explanation, and the order of discovery does not matter', () => {
  const what = fc.constantFrom('well', 'PodNotReady', 'CrashLoopBackOff', 'Unschedulable') as fc.Arbitrary<
    'well' | 'PodNotReady' | 'CrashLoopBackOff' | 'Unschedulable'
  >;
  const scene = fc.tuple(
    fc.boolean(),
    fc.boolean(),
    fc.array(fc.tuple(what, fc.integer({ min: -90, max: 90 })), { minLength: 4, maxLength: 4 }),
  );
  fc.assert(
    fc.property(scene, fc.boolean(), ([first, second, how], stepwise) => {
      const { k8s, pods } = twoNodes();
      const all = new Set<string>();
      if (first) all.add(findingKey(k8s.find('Node//n1', 'NodeNotReady')));
      if (second) all.add(findingKey(k8s.find('Node//n2', 'NodeNotReady')));
      const onPods = pods.flatMap((pod, index) => {
        const [reason, since] = how[index] ?? ['well', 0];
        return reason === 'well' ? [] : [{ pod, reason, since }];
      });
      for (const { pod, reason, since } of onPods) {
        if (stepwise) k8s.explain();
        all.add(findingKey(k8s.find(pod, reason, { since })));
      }
      const explanations = k8s.explain();
      const members = explanations.flatMap((explanation) => explanation.members.map(findingKey));
      assert.deepEqual([...members].sort(), [...all].sort());

      const again = twoNodes();
      for (const { pod, reason, since } of [...onPods].reverse()) again.k8s.find(pod, reason, { since });
      if (second) again.k8s.find('Node//n2', 'NodeNotReady');
      if (first) again.k8s.find('Node//n1', 'NodeNotReady');
      assert.deepEqual(again.k8s.explain(), explanations);
    }),
    { numRuns: runs(100), seed: 7 },
  );
});

/** What can happen next to a cluster of three workloads on two nodes, one of them being rolled out. */
const steps = {
  fail: fc.record({
    pod: fc.nat(8),
    reason: fc.constantFrom('PodNotReady', 'CrashLoopBackOff', 'CreateContainerConfigError', 'Unschedulable'),
  }),
  recover: fc.record({ pod: fc.nat(8) }),
  // How many Pods a lost Node holds is told as of the last time that something on it changed, so those that leave ran nowhere.
  leave: fc.record({ pod: fc.integer({ min: 6, max: 8 }) }),
  serve: fc.record({ pod: fc.nat(8), ready: fc.boolean() }),
  node: fc.record({ node: fc.constantFrom('n1', 'n2'), lost: fc.boolean() }),
  secret: fc.record({ missing: fc.boolean(), pods: fc.nat(9) }),
  edit: fc.record({ of: fc.constantFrom('Deployment/shop/b', 'ConfigMap/shop/settings') }),
  short: fc.record({ is: fc.boolean() }),
} as const;
type StepOf = {
  [K in keyof typeof steps]: (typeof steps)[K] extends fc.Arbitrary<infer V> ? V & { is?: unknown; step: K } : never;
};
type Step = StepOf[keyof StepOf];
const step = fc.oneof(
  ...Object.entries(steps).map(([name, more]) => (more as fc.Arbitrary<object>).map((how) => ({ ...how, step: name }))),
) as fc.Arbitrary<Step>;

function rolledOut() {
  const k8s = cluster();
  k8s.node('n1');
  k8s.node('n2');
  const nodes = ['n1', 'n2'];
  k8s.deployment('shop/a', { replicas: 3 });
  k8s.deployment('shop/b', { replicas: 3, revisions: 2 });
  k8s.deployment('shop/c', { replicas: 3 });
  const pods = [
    ...k8s.pods('shop/a', 3, { nodes }),
    ...k8s.pods('shop/b', 2, { nodes }),
    ...k8s.pods('shop/b', 1, { nodes, revision: 2, first: 9 }),
    ...k8s.pods('shop/c', 3),
  ];
  for (const pod of pods.slice(0, 5)) k8s.link(pod, 'uses', 'ConfigMap/shop/settings');
  return { k8s, pods };
}

test('what is solved step by step is the same as when everything is looked at anew', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), (history) => {
      const { k8s, pods } = rolledOut();
      for (const [index, now] of history.entries()) {
        const since = 30 + index * 20;
        const pod = 'pod' in now ? (pods[now.pod] ?? 'Pod/shop/a-1') : 'Pod/shop/a-1';
        if (now.step === 'fail') {
          const names: Ref[] = now.reason === 'CreateContainerConfigError' ? ['Secret/shop/db'] : [];
          k8s.find(pod, now.reason, { since, names });
        } else if (now.step === 'recover') k8s.clear(pod);
        else if (now.step === 'leave') k8s.remove(pod);
        else if (now.step === 'serve') k8s.setReady(pod, now.ready, since);
        else if (now.step === 'node') {
          if (now.lost) k8s.find(`Node//${now.node}`, 'NodeNotReady', { since });
          else k8s.clear(`Node//${now.node}`);
        } else if (now.step === 'secret') {
          if (now.missing) k8s.find('Secret/shop/db', 'SecretMissing', { since: 30, facts: { pods: now.pods } });
          else k8s.clear('Secret/shop/db');
        } else if (now.step === 'edit') {
          const isMap = now.of.startsWith('ConfigMap');
          k8s.change(now.of, isMap ? 'data' : 'image', since, { certain: !isMap });
        } else if (now.is) k8s.find('Deployment/shop/c', 'DeploymentUnavailable', { since });
        else k8s.clear('Deployment/shop/c');
        const anew = k8s.explainAnew(since + 5);
        assert.deepEqual(k8s.explain(since + 5), anew);
      }
    }),
    { numRuns: runs(150), seed: 11 },
  );
});

test('an explanation that nothing concerns stays the same object', () => {
  const k8s = cluster();
  for (const name of ['shop/a', 'shop/b'] as const) {
    k8s.deployment(name, { replicas: 2 });
    const [pod] = k8s.pods(name, 2, { ready: false });
    assert.ok(pod);
    k8s.find(pod, 'CrashLoopBackOff');
  }
  const [a, b] = k8s.explain();
  k8s.find('Pod/shop/b-2', 'CrashLoopBackOff');
  const [a2, b2] = k8s.explain();
  assert.equal(a2, a);
  assert.notEqual(b2, b);
  assert.equal(b2?.members.length, 2);
  // Looked at again, but with the same answer.
  k8s.find('Pod/shop/b-2', 'CrashLoopBackOff');
  assert.equal(k8s.explain()[1], b2);
});

test('a cause that shows later takes over what was lifted before', () => {
  const { k8s, pods } = twoNodes();
  for (const pod of pods.filter((ref) => ref.endsWith('1'))) k8s.find(pod, 'PodNotReady', { since: 3 });
  assert.equal(k8s.explain().length, 2);
  k8s.find('Node//n1', 'NodeNotReady');
  assert.deepEqual(inShort(k8s.explain()), ['Node//n1 NodeNotReady 3']);
});

test('a finding that clears leaves its explanation; an empty one is gone', () => {
  const k8s = cluster();
  k8s.deployment('shop/a');
  const [one, two] = k8s.pods('shop/a', 2, { ready: false });
  assert.ok(one && two);
  k8s.find(one, 'CrashLoopBackOff');
  k8s.find(two, 'CrashLoopBackOff');
  k8s.explain();
  k8s.remove(one);
  assert.deepEqual(inShort(k8s.explain()), ['Deployment/shop/a CrashLoopBackOff 1']);
  k8s.clear(two);
  assert.deepEqual(k8s.explain(), []);
});

test('what is left when a node is well again stays the node’s for its settle and 5 min, then stands for itself', () => {
  const { k8s, pods } = twoNodes();
  const [pod] = pods;
  assert.ok(pod);
  k8s.find('Node//n1', 'NodeNotReady');
  k8s.find(pod, 'PodNotReady', { since: 3, conclusive: false });
  k8s.explain(100);
  k8s.clear('Node//n1');
  const { explanations, wakeAt } = k8s.solve(200);
  assert.deepEqual(inShort(explanations), ['Node//n1 NodeNotReady 1']);
  assert.deepEqual(inShort(k8s.explain(500)), ['Node//n1 NodeNotReady 1']);
  assert.equal(wakeAt, Date.parse('2026-11-20T08:00:00Z') + (200 + 375) * 1000);
  assert.deepEqual(inShort(k8s.explain(575)), ['Deployment/shop/a PodNotReady 1']);
});

test('the second wave of a node that is gone is still its own', () => {
  const { k8s } = twoNodes();
  k8s.find('Node//n1', 'NodeNotReady');
  k8s.explain(100);
  k8s.remove('Node//n1');
  k8s.explain(200);
  const [pending] = k8s.pods('shop/a', 1, { first: 7, ready: false, phase: 'Pending' });
  assert.ok(pending);
  k8s.link(pending, 'replaces', 'Node//n1');
  k8s.find(pending, 'Unschedulable', { since: 300 });
  assert.deepEqual(inShort(k8s.explain(300)), ['Node//n1 NodeNotReady 1']);
});

test('a change goes on being blamed after the world has forgotten it', () => {
  const k8s = cluster();
  const api = k8s.deployment('shop/api', { replicas: 2, revisions: 2 });
  const [one, two] = k8s.pods('shop/api', 2, { revision: 2, ready: false });
  assert.ok(one && two);
  k8s.change(api, 'image', 0);
  k8s.find(one, 'CrashLoopBackOff', { since: 60 });
  assert.equal(k8s.explain(100)[0]?.change?.field, 'image');
  k8s.forgetChanges();
  k8s.find(two, 'CrashLoopBackOff', { since: 70 });
  assert.equal(k8s.explain(4000)[0]?.change?.field, 'image');
});

test('an object that is not seen decides nothing and lowers the confidence', () => {
  const confidence = (seen: boolean): string | undefined => {
    const k8s = cluster();
    const secret: Ref = 'Secret/shop/db';
    k8s.find(secret, 'SecretMissing', { since: 60 });
    if (seen) k8s.deployment('shop/api');
    const pod: Ref = 'Pod/shop/api-1';
    if (seen) k8s.pod('shop/api-1', { owner: 'ReplicaSet/shop/api-r1', ready: false });
    else k8s.hide('Pod');
    k8s.find(pod, 'CreateContainerConfigError', { names: [secret] });
    return k8s.explain()[0]?.confidence;
  };
  assert.equal(confidence(true), 'high');
  assert.equal(confidence(false), 'likely');
});

test('alternatives and scores are in the trace', () => {
  const k8s = cluster();
  const api = k8s.deployment('shop/api', { replicas: 2, revisions: 2 });
  k8s.pods('shop/api', 2, { revision: 1 });
  for (const pod of k8s.pods('shop/api', 2, { revision: 2, first: 10, ready: false })) {
    k8s.link(pod, 'uses', 'ConfigMap/shop/config');
    k8s.find(pod, 'CrashLoopBackOff', { since: 60 });
  }
  k8s.change(api, 'image', 30);
  k8s.change('ConfigMap/shop/config', 'data', 0, { certain: false });
  const [explanation] = k8s.explain();
  assert.equal(explanation?.root.ref, api);
  const said = explanation?.trace.map(({ rule, about }) => `${rule} ${about}`) ?? [];
  assert.ok(said.includes(`release ${api}`));
  assert.ok(said.includes('settings-changed ConfigMap/shop/config'));
});

test('the sample is the container whose log explains best, and its previous log between crashes', () => {
  const k8s = cluster();
  k8s.deployment('shop/api', { replicas: 2 });
  const container = { name: 'app', ready: false, image: 'api' };
  const waiting = { reason: 'CrashLoopBackOff', message: '' };
  const owner: Ref = 'ReplicaSet/shop/api-r1';
  const few = k8s.pod('shop/api-1', { owner, ready: false, containers: [{ ...container, restarts: 2, waiting }] });
  const more = k8s.pod('shop/api-2', { owner, ready: false, containers: [{ ...container, restarts: 9, waiting }] });
  for (const [pod, restarts] of [
    [few, 2],
    [more, 9],
  ] as const) {
    k8s.find(pod, 'CrashLoopBackOff', { scope: 'app', facts: { restarts } });
    k8s.find(pod, 'PodNotReady');
  }
  assert.deepEqual(k8s.explain()[0]?.samplePod, {
    ref: more,
    container: 'app',
    previous: true,
    attempt: 9,
    ended: true,
  });
});

test('a failed Job is sampled by its newest failed Pod', () => {
  const k8s = cluster();
  const job: Ref = 'Job/shop/load';
  const failed = {
    name: 'main',
    ready: false,
    restarts: 0,
    image: 'load',
    terminated: { exitCode: 1, reason: 'Error' },
  };
  const containers = [failed];
  k8s.workload('ReplicaSet', 'shop/none');
  k8s.pod('shop/load-1', { owner: job, phase: 'Failed', ready: false, containers });
  k8s.find(job, 'JobFailed');
  assert.deepEqual(k8s.explain()[0]?.samplePod, {
    ...{ ref: 'Pod/shop/load-1', container: 'main', previous: false, attempt: 0, ended: true },
  });
});
