import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configuration, deployment, type Operator, ready, type Stage, startStage, unwatched } from './stage.ts';

/** How long the API server is away. */
const outageMs = 60_000;
/**
 * The watch works again this soon after the server answers. A quiet machine needs less than 5 s, which the figures of
 * reliability.md hold; here it only has to be far below what a wait that grows without end would take.
 */
const deafMs = 20_000;

let stage: Stage;
let operator: Operator;

before(async () => {
  stage = await startStage({ nodes: ['n1', 'n2'] });
  await stage.apply(deployment('api', { replicas: 3, image: 'registry.example/api:1.0' }));
  await stage.kubectl(['-n', 'shop', 'rollout', 'status', 'deployment', '--timeout=60s']);
  await stage.apply(...configuration(stage.receiver.url));
  operator = await stage.startOperator();
  await ready(stage, operator);
});
after(async () => {
  await stage?.stop();
});

test('an API server away for 60 s in the middle of an incident: watching soon, nothing repeated, the resolve arrives', async (context) => {
  await stage.apply(
    deployment('api', { replicas: 3, image: 'registry.example/api:2.0', script: { pullError: 'NotFound' } }),
  );
  const opened = await stage.receiver.wait('opening', ({ type }) => type === 'incident.opened', 90);

  // Controllers of a real cluster end when they cannot renew their lease, and start afresh; ours run without one.
  await stage.plane.kill('kube-controller-manager');
  await stage.plane.kill('kube-apiserver');
  await new Promise((resolve) => setTimeout(resolve, outageMs));
  const during = await (await fetch(`${operator.url}/health`)).json();
  assert.equal((during as { status: string }).status, 'degraded');
  assert.equal((await fetch(`${operator.url}/healthz`)).status, 200);
  await stage.plane.start('kube-apiserver');
  const answeredAt = Date.now();
  await stage.eventually(60, async () => {
    const health = (await (await fetch(`${operator.url}/health`)).json()) as {
      coverage: { resources: { resource: string; state: string }[] };
    };
    assert.deepEqual(unwatched(health.coverage.resources), []);
  });
  const deaf = Date.now() - answeredAt;
  context.diagnostic(`watching again ${deaf} ms after the server answered`);
  assert.ok(deaf <= deafMs, `watching again ${deaf} ms after the server answered`);

  await stage.plane.start('kube-controller-manager');
  await ready(stage, operator, 60);
  const others = stage.receiver.messages.filter(({ type }) => type !== 'incident.updated');
  assert.deepEqual(
    others.map(({ type, incident }) => `${type} ${incident?.id}`),
    [`incident.opened ${opened.incident?.id}`],
    `no second baseline, no repeated opening: ${others.map(({ title }) => title).join('; ')}`,
  );
  await stage.kubectl(['-n', 'shop', 'rollout', 'undo', 'deployment/api']);
  const resolved = await stage.receiver.wait('resolution', ({ type }) => type === 'incident.resolved', 120);
  assert.equal(resolved.incident?.id, opened.incident?.id);
});
