import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WatchedWorld } from '../../../src/world/watched-world.ts';
import { at, condition, configMap, ended, node, pod, start, status, waiting, workload } from '../objects.ts';
import { story } from '../story.ts';

test('what is not watched is unknown, what is watched and not there is absent', () => {
  const world = new WatchedWorld();
  const row = { source: 'pods', kind: 'Pod', reason: 'Synced', since: 0, required: true } as const;
  assert.equal(world.get('Pod/shop/a'), 'unknown');
  world.see({ ...row, state: 'Syncing' }, start);
  world.apply('pods', [{ is: 'put', raw: pod('a') }], start);
  assert.equal(typeof world.get('Pod/shop/a'), 'object');
  assert.equal(world.get('Pod/shop/b'), 'unknown');

  world.see({ ...row, state: 'Watching' }, start);
  assert.equal(world.get('Pod/shop/b'), 'absent');

  world.see({ ...row, state: 'Failing', reason: 'ConnectionLost' }, start);
  assert.equal(typeof world.get('Pod/shop/a'), 'object', 'stale but known');
  assert.equal(world.get('Pod/shop/b'), 'unknown', 'it may have come since');

  world.see({ ...row, state: 'Denied', reason: 'Forbidden' }, start);
  assert.equal(world.get('Pod/shop/a'), 'unknown');
  assert.equal(world.get('Secret/shop/x'), 'unknown');
});

test('of a kind that is seen whole in one namespace only, what is not there is absent there and unknown elsewhere', () => {
  const world = new WatchedWorld();
  const row = { source: 'pods', kind: 'Pod', state: 'Watching', reason: 'Synced', since: 0, required: false } as const;
  world.see({ ...row, within: ['shop'] }, start);
  world.apply('pods', [{ is: 'put', raw: pod('a') }], start);
  assert.equal(typeof world.get('Pod/shop/a'), 'object');
  assert.equal(world.get('Pod/shop/b'), 'absent');
  assert.equal(world.get('Pod/lab/b'), 'unknown');
  world.see(row, start);
  assert.equal(world.get('Pod/lab/b'), 'absent', 'seen whole everywhere by now');
});

test('an object seen to go before its kind was synced is absent', () => {
  const world = new WatchedWorld();
  world.apply('pods', [{ is: 'put', raw: pod('a') }], start);
  world.apply('pods', [{ is: 'gone', raw: pod('a') }], start);
  assert.equal(world.get('Pod/shop/a'), 'absent');
  assert.equal(world.get('Pod/shop/b'), 'unknown');
});

test('a Pod reads back as it was put', () => {
  const { world, put } = story();
  put(
    at(3),
    pod('api-1', {
      owner: { kind: 'ReplicaSet', name: 'api-7d9' },
      labels: { app: 'api' },
      annotations: { 'kubernetes.io/config.mirror': 'hash', 'kubectl.kubernetes.io/restartedAt': 'x' },
      statuses: [
        waiting('api', 'CrashLoopBackOff', 'back-off 40s restarting failed container=api', {
          restartCount: 4,
          lastState: ended(at(1), at(2), 137, 'OOMKilled', 'line one\nlast line\n'),
        }),
        status('proxy'),
      ],
    }),
  );
  const view = world.get('Pod/shop/api-1');
  assert.ok(typeof view === 'object' && view.kind === 'Pod');
  assert.equal(view.owner, 'ReplicaSet/shop/api-7d9');
  assert.equal(view.node, 'n1');
  assert.equal(view.mirror, true);
  assert.deepEqual(view.annotations, { 'kubernetes.io/config.mirror': 'hash' });
  assert.deepEqual(view.labels, { app: 'api' });
  assert.equal(view.createdAt, start);
  assert.deepEqual(
    view.conditions.map(({ type, status: state, since }) => [type, state, since]),
    [
      ['Initialized', 'True', start],
      ['Ready', 'False', start],
      ['PodScheduled', 'True', start],
    ],
  );
  const [api, proxy] = view.containers;
  assert.equal(api?.restarts, 4);
  assert.deepEqual(api?.waiting, {
    reason: 'CrashLoopBackOff',
    message: 'back-off 40s restarting failed container=api',
  });
  assert.deepEqual(api?.last, {
    exitCode: 137,
    reason: 'OOMKilled',
    message: 'line one\nlast line',
    startedAt: at(1),
    finishedAt: at(2),
  });
  assert.deepEqual(proxy?.running, { startedAt: start });
});

test('texts lose secrets, terminal escapes and bidirectional overrides before they are kept', () => {
  const { world, put } = story();
  const nasty = 'cannot \u001b[31mconnect\u001b[0m to postgres://api:hunter2hunter2@db\u202e/x';
  put(start, pod('api-1', { statuses: [waiting('api', 'CreateContainerError', nasty)] }));
  const view = world.get('Pod/shop/api-1');
  assert.ok(typeof view === 'object' && view.kind === 'Pod');
  assert.equal(view.containers[0]?.waiting?.message, 'cannot connect to postgres://api:***@db/x');
});

test('an object made anew under the same name is another object', () => {
  const { world, put } = story();
  const failing = waiting('api', 'ErrImagePull', 'failed: not found');
  put(at(0), pod('web-0', { uid: 'one', statuses: [failing] }));
  put(at(9), pod('web-0', { uid: 'two', createdAt: at(9), statuses: [failing] }));
  assert.equal(world.uidOf('Pod/shop/web-0'), 'two');
  assert.equal(world.since('Pod/shop/web-0', 'container/api/waiting/ImagePullBackOff'), at(9));
});

test('the late deletion of an object that was made anew is old news', () => {
  const { world, put, gone } = story();
  put(at(0), pod('web-0', { uid: 'two' }));
  gone(at(1), pod('web-0', { uid: 'one' }));
  assert.equal(world.uidOf('Pod/shop/web-0'), 'two');
});

test('only what differs makes an object dirty', () => {
  const { world, put } = story();
  put(start, pod('api-1'), node('n1'));
  const heartbeat = node('n1', { annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' } });
  assert.deepEqual([...world.apply('nodes', [{ is: 'put', raw: heartbeat }], at(1))], []);
  assert.deepEqual([...world.apply('pods', [{ is: 'put', raw: pod('api-1') }], at(1))], []);
});

test('a Node that changes makes its Pods and their owners dirty', () => {
  const { world, put } = story();
  put(start, node('n1'), workload('ReplicaSet', 'api-7d9', { owner: { kind: 'Deployment', name: 'api' } }));
  put(start, pod('api-1', { owner: { kind: 'ReplicaSet', name: 'api-7d9' } }), pod('other', { node: 'n2' }));
  const dirty = world.apply('nodes', [{ is: 'put', raw: node('n1', { ready: 'Unknown', since: at(5) }) }], at(5));
  assert.deepEqual(
    [...dirty].sort(),
    ['Deployment/shop/api', 'Node//n1', 'Pod/shop/api-1', 'ReplicaSet/shop/api-7d9'].sort(),
  );
});

test('counts in the status of an owner do not make its Pods dirty', () => {
  const { world, put } = story();
  const owner = { kind: 'Deployment', name: 'api' };
  put(start, workload('Deployment', 'api'), workload('ReplicaSet', 'api-7d9', { owner }));
  put(start, pod('api-1', { owner: { kind: 'ReplicaSet', name: 'api-7d9' } }));
  const short = workload('ReplicaSet', 'api-7d9', { owner, status: { readyReplicas: 2 } });
  const dirty = world.apply('replicasets.apps', [{ is: 'put', raw: short }], at(1));
  assert.deepEqual([...dirty].sort(), ['Deployment/shop/api', 'ReplicaSet/shop/api-7d9']);
});

test('a new revision makes the Pods of the old one dirty, and a Pod that is adopted both owners', () => {
  const { world, put } = story();
  const owner = { kind: 'Deployment', name: 'api' };
  put(start, workload('ReplicaSet', 'api-1', { owner }), pod('a', { owner: { kind: 'ReplicaSet', name: 'api-1' } }));
  const dirty = world.apply(
    'replicasets.apps',
    [{ is: 'put', raw: workload('ReplicaSet', 'api-2', { owner }) }],
    at(1),
  );
  assert.ok(dirty.has('Pod/shop/a'));
  const adopted = pod('a', { owner: { kind: 'ReplicaSet', name: 'other' } });
  const concerned = world.apply('pods', [{ is: 'put', raw: adopted }], at(2));
  assert.deepEqual(
    [...concerned].sort(),
    ['Deployment/shop/api', 'Pod/shop/a', 'ReplicaSet/shop/api-1', 'ReplicaSet/shop/other'].sort(),
  );
});

test('the top owner is found through kinds that are not watched, at most six deep', () => {
  const { world, put } = story();
  put(
    start,
    workload('ReplicaSet', 'api-7d9', { owner: { kind: 'Rollout', name: 'api', apiVersion: 'argoproj.io/v1alpha1' } }),
    pod('api-1', { owner: { kind: 'ReplicaSet', name: 'api-7d9' } }),
    pod('bare'),
    pod('static', { owner: { kind: 'Node', name: 'n1' } }),
  );
  assert.equal(world.topOwner('Pod/shop/api-1'), 'Rollout.argoproj.io/shop/api');
  assert.equal(world.topOwner('Pod/shop/bare'), 'Pod/shop/bare');
  assert.equal(world.topOwner('Pod/shop/static'), 'Node//n1');
  for (let depth = 0; depth < 8; depth++)
    put(start, workload('ReplicaSet', `deep-${depth}`, { owner: { kind: 'ReplicaSet', name: `deep-${depth + 1}` } }));
  assert.equal(world.topOwner('ReplicaSet/shop/deep-0'), 'ReplicaSet/shop/deep-6');
});

test('keys, identities and versions are those of the objects held', () => {
  const { world, put } = story();
  put(start, node('n1'), workload('Deployment', 'api'));
  assert.deepEqual([...world.keys('Node')], [{ name: 'n1', uid: 'uid-of-n1' }]);
  assert.deepEqual([...world.keys('Deployment')], [{ namespace: 'shop', name: 'api', uid: 'uid-of-api' }]);
  assert.equal(world.apiVersionOf('Deployment/shop/api'), 'apps/v1');
  assert.equal(world.apiVersionOf('Registry//docker.io'), undefined);
  assert.deepEqual(world.subject('Node//n1'), { ref: 'Node//n1', labels: {}, node: 'n1' });
});

test('a facet is as old as the API says, else as it was first seen, and ends with the state', () => {
  const { world, put } = story();
  const ref = 'Pod/shop/api-1';
  const facet = 'container/api/waiting/ImagePullBackOff';
  put(at(0), pod('api-1', { statuses: [waiting('api', 'ContainerCreating')] }));
  put(at(2), pod('api-1', { statuses: [waiting('api', 'ErrImagePull', 'x: not found')] }));
  put(at(3), pod('api-1', { statuses: [waiting('api', 'ImagePullBackOff', 'Back-off pulling image "x"')] }));
  assert.equal(world.since(ref, facet), at(2), 'the two states are one trouble');
  assert.equal(world.pullError(ref, 'api'), 'x: not found', 'the back-off does not say why');
  assert.equal(world.since(ref, 'condition/Initialized'), at(0));
  put(at(4), pod('api-1'));
  put(at(6), pod('api-1', { statuses: [waiting('api', 'ErrImagePull', 'x: not found')] }));
  assert.equal(world.since(ref, facet), at(6));
});

test('a container that waits at first sight does so since its Pod could begin with it', () => {
  const { world, load } = story();
  load(at(60), pod('api-1', { createdAt: at(10), statuses: [waiting('api', 'ImagePullBackOff')] }));
  assert.equal(world.since('Pod/shop/api-1', 'container/api/waiting/ImagePullBackOff'), at(10));
});

test('restarts are counted as they were seen, and at first sight as far as the Pod tells', () => {
  const { world, put } = story();
  const restarted = (count: number, endedAt: number) =>
    status('api', { restartCount: count, lastState: ended(endedAt - 1000, endedAt) });
  put(at(60), pod('old', { createdAt: at(20), statuses: [restarted(7, at(59))] }));
  assert.equal(world.restartsAfter('Pod/shop/old', 'api', at(50)), 1, 'the last one is dated, the others are not');
  assert.equal(world.restartsAfter('Pod/shop/old', 'api', at(19)), 7, 'all happened since the Pod began');
  put(at(61), pod('old', { createdAt: at(20), statuses: [restarted(9, at(61))] }));
  assert.equal(world.restartsAfter('Pod/shop/old', 'api', at(60)), 2);
});

test('the series of crashes begins anew after a long good run', () => {
  const { world, put } = story();
  const ref = 'Pod/shop/api-1';
  const crash = (from: number, to: number) =>
    pod('api-1', {
      statuses: [waiting('api', 'CrashLoopBackOff', '', { restartCount: 1, lastState: ended(from, to) })],
    });
  put(at(0), pod('api-1'));
  put(at(1), crash(at(0), at(1)));
  put(at(2), crash(at(1, 30), at(2)));
  assert.equal(world.since(ref, 'container/api/crashing'), at(1));
  put(at(40), crash(at(3), at(40)));
  assert.equal(world.since(ref, 'container/api/crashing'), at(40));
});

test('conditions of Nodes and data of ConfigMaps keep their own times', () => {
  const { world, load } = story();
  load(start, node('n1', { ready: 'False', since: at(-5), conditions: [condition('DiskPressure', 'True', at(-3))] }));
  load(start, configMap('app'));
  assert.equal(world.since('Node//n1', 'condition/DiskPressure'), at(-3));
  assert.equal(world.since('Node//n1', 'condition/Ready'), at(-5));
});

test('the Pods of a workload are judged again when it is scaled, and when it serves nothing any more', () => {
  const { world, put } = story();
  const owner = { kind: 'StatefulSet', name: 'db' };
  const db = (replicas: number, readyReplicas: number) =>
    workload('StatefulSet', 'db', { replicas, status: { readyReplicas, currentRevision: 'a', updateRevision: 'a' } });
  put(at(0), db(1, 1), pod('db-0', { owner }));
  for (const [replicas, ready] of [
    [3, 1],
    [3, 0],
  ] as const) {
    const dirty = world.apply('statefulsets.apps', [{ is: 'put', raw: db(replicas, ready) }], at(1));
    assert.ok([...dirty].includes('Pod/shop/db-0'), `${ready} of ${replicas} ready`);
  }
});
