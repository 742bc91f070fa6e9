import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configuration, deployment, ready, type Stage, startStage } from './stage.ts';

/** Replicas of six workloads: 20 Pods. */
const workloads = { api: 5, cart: 4, mail: 3, search: 3, users: 3, web: 2 };
let stage: Stage;

before(async () => {
  stage = await startStage({ nodes: ['n1'] });
  const deployments = Object.entries(workloads).map(([name, replicas]) => deployment(name, { replicas }));
  await stage.apply(...deployments);
  await stage.kubectl(['-n', 'shop', 'rollout', 'status', 'deployment', '--timeout=60s']);
  await stage.kubelet.addNode({ name: 'n2' });
  await stage.apply(...configuration(stage.receiver.url));
  await ready(stage, await stage.startOperator());
});
after(async () => {
  await stage?.stop();
});

test('a node lost with 20 Pods of 6 workloads is one incident, rooted at the node, that counts what it hit', async () => {
  stage.kubelet.nodes.get('n1')?.stop();
  const opened = await stage.receiver.wait('opening', ({ type }) => type === 'incident.opened', 150);
  assert.deepEqual(opened.incident?.root, { kind: 'Node', namespace: null, name: 'n1' });
  assert.match(opened.message, /20 [Pp]ods/);
  assert.match(opened.message, /6 workloads/);
  // The second wave (Pods not ready, workloads short) belongs to it.
  await new Promise((resolve) => setTimeout(resolve, 40_000));
  const openings = stage.receiver.messages.filter(({ type }) => type === 'incident.opened');
  assert.deepEqual(
    openings.map(({ title }) => title),
    [opened.title],
  );
});
