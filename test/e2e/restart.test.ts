import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { issuer } from '../edition/licences.ts';
import { configuration, deployment, ready, type Stage, startStage } from './stage.ts';

const ours = issuer();
const missing = { pullError: 'NotFound' };
let stage: Stage;

before(async () => {
  stage = await startStage({ nodes: ['n1', 'n2'] });
  const now = Math.floor(Date.now() / 1000);
  const license = {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tocsin-license', namespace: 'tocsin' } },
    stringData: { license: await ours.issue({ iat: now - 60, exp: now + 86_400 }) },
  };
  await stage.apply(license, ...configuration(stage.receiver.url), {
    ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertConfig', metadata: { name: 'default', namespace: 'tocsin' } },
    spec: {
      ...{ app: { clusterName: 'test' }, incidents: { holdSeconds: 10 } },
      license: { secretKeyRef: { name: 'tocsin-license', key: 'license' } },
    },
  });
});
after(async () => {
  await stage?.stop();
});

const told = (): string[] =>
  stage.receiver.messages.flatMap(({ type, incident }) => (incident ? [`${type} ${incident.root.name}`] : [type]));

test('what is in the state directory at any moment is enough to go on from: a copy of it, on a real API server', async () => {
  const lived = join(stage.folder, 'state');
  const first = await stage.startOperator({ licenseKeys: ours.keys, stateDirectory: lived });
  await ready(stage, first);
  for (const name of ['stays', 'ends']) await stage.apply(deployment(name, { replicas: 1, script: missing }));
  const opened = (name: string) =>
    stage.receiver.wait(
      `opening of ${name}`,
      (one) => one.type === 'incident.opened' && one.incident?.root.name === name,
      120,
    );
  const stays = await opened('stays');
  await opened('ends');
  // What a process that is killed now would leave: the files as they are, the log beside the database.
  await stage.eventually(5, async () => {
    const health = (await (await fetch(`${first.url}/health`)).json()) as { edition: string; reasons: string[] };
    assert.deepEqual([health.edition, health.reasons.includes('StorageFailing')], ['Pro', false]);
  });
  const left = join(stage.folder, 'left');
  cpSync(lived, left, { recursive: true });
  await first.stop();

  await stage.kubectl(['-n', 'shop', 'delete', 'deployment', 'ends', '--wait=true']);
  await stage.apply(deployment('begins', { replicas: 1, script: missing }));
  const second = await stage.startOperator({ licenseKeys: ours.keys, stateDirectory: left });
  await ready(stage, second);
  await opened('begins');
  const resolved = await stage.receiver.wait('end of what is gone', ({ type }) => type === 'incident.resolved', 120);
  assert.equal(resolved.incident?.root.name, 'ends');
  assert.match(resolved.message, /while Tocsin was not running/);

  await stage.kubectl(['-n', 'shop', 'delete', 'deployment', 'stays', '--wait=true']);
  const end = await stage.receiver.wait(
    'end of what went on',
    ({ type, incident }) => type === 'incident.resolved' && incident?.root.name === 'stays',
    120,
  );
  assert.equal(end.incident?.id, stays.incident?.id, 'it is the same incident');
  assert.deepEqual(
    told()
      .filter((one) => !one.startsWith('incident.updated'))
      .toSorted(),
    [
      'incident.opened begins',
      'incident.opened ends',
      'incident.opened stays',
      'incident.resolved ends',
      'incident.resolved stays',
    ],
  );
});
