import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { LockFile } from '../../src/state/lock-file.ts';
import { issuer } from '../edition/licences.ts';
import { address, broken, hasStarted, hasty, type Stage, startStage, webhook } from './stage.ts';

const ours = issuer();
const deployment = (name: string): string => `/apis/apps/v1/namespaces/shop/deployments/${name}`;

async function license(): Promise<object> {
  const now = Math.floor(Date.now() / 1000);
  const token = await ours.issue({ iat: now - 3_600, exp: now + 30 * 86_400 });
  const data = { license: Buffer.from(token).toString('base64') };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tocsin-license', namespace: 'tocsin' }, data };
}

/** An operator on Pro that saves its state, with a provider and one thing broken that was told. */
async function licensed(t: TestContext, prepare?: (directory: string) => void): Promise<Stage & { directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-restart-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  prepare?.(directory);
  const stage = await startStage({ stateDirectory: directory, licenseKeys: ours.keys });
  t.after(() => stage.stop());
  const config = {
    ...hasty,
    spec: {
      ...hasty.spec,
      incidents: { holdSeconds: 30 },
      statusEndpoint: { enabled: true },
      license: { secretKeyRef: { name: 'tocsin-license', key: 'license' } },
    },
  };
  await stage.create(await license(), address('oncall', stage.receiver.url), config, webhook('oncall'));
  return Object.assign(stage, { directory });
}

const about = ({ receiver }: Stage): string[] =>
  receiver.messages.flatMap(({ status, incident }) => (incident ? [`${status} ${incident.root.name}`] : []));
const ready = hasStarted;

test('a restart goes on: what ended meanwhile is told as resolved, what began is told, the rest is not told again', async (t) => {
  const stage = await licensed(t);
  await stage.until('ready', () => ready(stage));
  await stage.until('saved', () =>
    /StateSaved=(True\/Saved|False\/StateNotDurable)/.test(stage.conditions('alertconfigs', 'default')),
  );
  await stage.create(broken('stays'), broken('ends'));
  await stage.until(
    'both are told',
    () => about(stage).length === 2,
    () => about(stage),
  );
  await stage.restart(async () => {
    await stage.remove(deployment('ends'));
    await stage.create(broken('begins'));
  });
  await stage.until(
    'what began is told',
    () => about(stage).includes('open begins'),
    () => about(stage),
  );
  await stage.until(
    'what ended is told',
    () => about(stage).includes('resolved ends'),
    () => about(stage),
  );
  assert.deepEqual(about(stage).toSorted(), ['open begins', 'open ends', 'open stays', 'resolved ends']);
  const resolved = stage.receiver.messages.find(({ status }) => status === 'resolved');
  assert.match(resolved?.message ?? '', /while Tocsin was not running/);
  assert.equal(
    stage.receiver.messages.filter(({ type }) => type === 'startup').length,
    0,
    'there is no baseline: nothing hides in a summary',
  );
});

test('what is over keeps its page and its words across a restart', async (t) => {
  const stage = await licensed(t);
  await stage.until('ready', () => ready(stage));
  await stage.create(broken('ends'));
  await stage.until('it is told', () => about(stage).includes('open ends'));
  // What an incident is about is not first said to be well by itself.
  const why = JSON.parse((await stage.get('/status/why?object=deployment/shop/ends')).text);
  assert.deepEqual([why.says, why.incidents.length], [[], 1]);
  await stage.remove(deployment('ends'));
  await stage.until('its end is told', () => about(stage).includes('resolved ends'));
  const over = async (): Promise<string> => (await stage.get('/status/incidents?state=over')).text;
  await stage.until('it is over', async () => /"total":1/.test(await over()));
  const { id, lead } = JSON.parse(await over()).incidents.listed[0];
  const [told] = stage.receiver.messages.filter(({ status }) => status === 'open');
  assert.ok(lead.length > 20 && told?.message.includes(lead), lead);
  await stage.restart(async () => undefined);
  await stage.until('it is remembered', async () => (await stage.get(`/status/incidents/${id}`)).status === 200);
  assert.equal(JSON.parse((await stage.get(`/status/incidents/${id}`)).text).lead, lead);
});

test('what waits to be sent outlives the restart: it is not taken for a message to a provider that was deleted, and is sent once', async (t) => {
  const stage = await licensed(t);
  await stage.create(webhook('later'));
  await stage.until('ready', () => ready(stage));
  await stage.create(broken('waits'));
  const waitsForSecret = (): boolean =>
    stage.conditions('alertproviders', 'later').includes('Delivering=False/SecretNotFound');
  await stage.until('one message waits for a Secret', waitsForSecret);
  await stage.until('the other is delivered', () => about(stage).length === 1);
  await stage.restart(async () => undefined);
  await stage.until('ready again', () => ready(stage));
  await stage.until('it still waits', waitsForSecret);
  assert.equal(about(stage).length, 1);
  await stage.create(address('later', stage.receiver.url));
  await stage.until(
    'it is delivered',
    () => about(stage).length === 2,
    () => about(stage),
  );
  assert.deepEqual(
    stage.log.filter((line) => line.includes('ProviderDeleted')),
    [],
  );
  assert.deepEqual(about(stage), ['open waits', 'open waits']);
});

test('the edition changes while it runs: no open incident is lost, nothing is told again, and what is saved is removed and made anew', async (t) => {
  const stage = await licensed(t);
  await stage.until('ready', () => ready(stage));
  await stage.create(broken('stays'));
  await stage.until('it is told', () => about(stage).length === 1);
  const config = stage.sandbox.objects.get('alertconfigs.tocsin.dev', 'tocsin', 'default');
  assert.ok(config);
  await stage.client.json({
    ...{ method: 'PATCH', path: '/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertconfigs/default' },
    ...{ body: { spec: { license: null } }, contentType: 'application/merge-patch+json' },
  });
  await stage.until('Community', () =>
    stage.conditions('alertconfigs', 'default').includes('StateSaved=False/NotLicensed'),
  );
  await stage.client.json({
    ...{ method: 'PATCH', path: '/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertconfigs/default' },
    ...{ body: { spec: { license: { secretKeyRef: { name: 'tocsin-license', key: 'license' } } } } },
    contentType: 'application/merge-patch+json',
  });
  await stage.until('Pro', () => !stage.conditions('alertconfigs', 'default').includes('StateSaved=False/NotLicensed'));
  await stage.restart(async () => stage.remove(deployment('stays')));
  await stage.until(
    'its end is told',
    () => about(stage).includes('resolved stays'),
    () => about(stage),
  );
  assert.deepEqual(about(stage), ['open stays', 'resolved stays']);
});

test('while another process has the state directory it is alive and unready, says why, and begins when it is let go', async (t) => {
  const { promise, resolve } = Promise.withResolvers<LockFile>();
  const stage = await licensed(t, (directory) => {
    const lock = new LockFile(directory);
    assert.deepEqual(lock.attempt(), { is: 'held' });
    resolve(lock);
  });
  const lock = await promise;
  await stage.create(broken('api'));
  await stage.until('it says why', async () =>
    (await stage.get('/readyz?verbose')).text.includes(
      `another process holds the lock of the state directory ${stage.directory}`,
    ),
  );
  assert.equal((await stage.get('/healthz')).status, 200);
  assert.equal((await stage.get('/readyz')).status, 503);
  assert.ok((await stage.get('/health')).text.includes('StateLocked'));
  assert.deepEqual(stage.receiver.messages, []);
  lock.release();
  await stage.until('ready', () => ready(stage));
  await stage.until('it is told', () => stage.receiver.messages.length > 0);
});
