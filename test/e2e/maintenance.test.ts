import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { issuer } from '../edition/licences.ts';
import { configuration, deployment, type Operator, ready, type Stage, startStage } from './stage.ts';

const owner = issuer();
const crashes = { exit: { afterSeconds: 2, code: 1 } };
let stage: Stage;
let operator: Operator;

/** An instant so many seconds from now, as manifests have it. */
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const shop = (...args: readonly string[]): Promise<string> => stage.kubectl(['-n', 'shop', ...args]);
const opened = (name: string) =>
  stage.receiver.messages.find(({ type, incident }) => type === 'incident.opened' && incident?.root.name === name);

/** What kubectl prints of the window. */
function window(path: string): Promise<string> {
  return stage.kubectl(['-n', 'tocsin', 'get', 'maintenancewindow', 'release', '-o', `jsonpath={.${path}}`]);
}
const active = (): Promise<string> => window('status.conditions[?(@.type=="Active")].reason');

/** Whether the status of the AlertConfig has an open incident of this root. */
async function isOpen(name: string): Promise<boolean> {
  const incidents = await stage.kubectl(['-n', 'tocsin', 'get', 'ac', 'default', '-o', 'jsonpath={.status.incidents}']);
  return incidents.includes(`/${name}"`);
}

before(async () => {
  stage = await startStage({ nodes: ['n1', 'n2'] });
  await stage.apply(
    deployment('checkout', { replicas: 2, image: 'registry.example/checkout:1.0' }),
    deployment('search', { replicas: 2, image: 'registry.example/search:1.0' }),
  );
  await shop('rollout', 'status', 'deployment', '--timeout=60s');
  const [secret, config, provider] = configuration(stage.receiver.url);
  const license = { secretKeyRef: { name: 'tocsin-license', key: 'license' } };
  const now = Math.floor(Date.now() / 1000);
  const token = await owner.issue({ iat: now - 60, exp: now + 86_400 });
  await stage.apply(
    {
      ...{ apiVersion: 'v1', kind: 'Secret' },
      metadata: { name: 'tocsin-license', namespace: 'tocsin' },
      stringData: { license: token },
    },
    ...[secret, { ...config, spec: { ...Object(config).spec, license } }, provider].filter(
      (each) => each !== undefined,
    ),
  );
  operator = await stage.startOperator({ licenseKeys: owner.keys });
  await ready(stage, operator);
});
after(async () => {
  await stage?.stop();
});

test('an open window holds back what it selects and counts it; its status says until when', async () => {
  await stage.apply({
    ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'MaintenanceWindow' },
    metadata: { name: 'release', namespace: 'tocsin' },
    spec: { selector: { names: ['checkout'] }, startsAt: inSeconds(-60), endsAt: inSeconds(3600), comment: 'release' },
  });
  await stage.eventually(15, async () => assert.equal(await active(), 'Open'));
  assert.match(await window('status.currentEndTime'), /^\d{4}-\d\d-\d\dT[\d:]+Z$/);
  await stage.apply(deployment('checkout', { replicas: 2, image: 'registry.example/checkout:1.1', script: crashes }));
  await stage.eventually(120, async () => assert.equal(await window('status.suppressed'), '1'));
  assert.equal(opened('checkout'), undefined);
});

test('what outlives the window is told when it closes, with what held it back', async () => {
  await stage.kubectl([
    '-n',
    'tocsin',
    'patch',
    'mw',
    'release',
    '--type=merge',
    '-p',
    JSON.stringify({ spec: { endsAt: inSeconds(3) } }),
  ]);
  const told = await stage.receiver.wait('opening', ({ type }) => type === 'incident.opened', 30);
  assert.equal(told.incident?.root.name, 'checkout');
  assert.match(told.message, /Held back until .*, during maintenance \(MaintenanceWindow tocsin\/release\)/);
  await stage.eventually(15, async () => assert.equal(await active(), 'Closed'));
  assert.equal(await window('status.suppressed'), '1');
});

test('an annotated Deployment is held back, its Event says so, and the copy on its ReplicaSet does not outlive it', async () => {
  await shop('annotate', 'deployment/search', 'tocsin.dev/maintenance=true');
  await stage.eventually(15, async () =>
    assert.match(
      await shop('describe', 'deployment', 'search'),
      /Normal\s+MaintenanceStarted.*held back until the annotation/,
    ),
  );
  await shop(
    'patch',
    'deployment',
    'search',
    '--type=merge',
    '-p',
    JSON.stringify({
      spec: {
        template: {
          metadata: { annotations: { 'sandbox.tocsin.dev/script': JSON.stringify(crashes) } },
        },
      },
    }),
  );
  await stage.eventually(120, async () => assert.ok(await isOpen('search')));
  assert.equal(opened('search'), undefined);
  await shop('annotate', 'deployment/search', 'tocsin.dev/maintenance-');
  const told = await stage.receiver.wait('opening', ({ incident }) => incident?.root.name === 'search', 30);
  assert.match(told.message, /during maintenance \(annotation of Deployment shop\/search\)/);
  const copies = await shop('get', 'replicaset', '-l', 'app=search', '-o', 'jsonpath={.items[*].metadata.annotations}');
  assert.match(copies, /"tocsin\.dev\/maintenance":"true"/, 'the real controller has left it there');
});

test('an annotation that cannot be read is answered on its object', async () => {
  await stage.kubectl(['annotate', 'namespace', 'shop', 'tocsin.dev/maintenance-until=tomorrow']);
  await stage.eventually(15, async () => {
    const events = await stage.kubectl(['-n', 'default', 'get', 'events', '-o', 'jsonpath={.items[*].message}']);
    assert.match(events, /`tocsin\.dev\/maintenance-until` is "tomorrow", which is no time: write one as 2026-/);
  });
});

test('without a licence the window says that it holds nothing back', async () => {
  await stage.kubectl([
    ...['-n', 'tocsin', 'patch', 'ac', 'default', '--type=json'],
    ...['-p', JSON.stringify([{ op: 'remove', path: '/spec/license' }])],
  ]);
  await stage.eventually(30, async () => assert.equal(await active(), 'NotLicensed'));
});
