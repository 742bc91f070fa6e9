import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { auditSchema } from '../../scripts/generate/audit-schema.ts';
import { issuer } from '../edition/licences.ts';
import { address, broken, hasty, type Stage, startStage, webhook } from './stage.ts';

const ours = issuer();
const ajv = new Ajv({ strict: true, allErrors: true });
addFormats.default(ajv);
const isLine = ajv.compile(auditSchema(true));

/** An operator on Pro with saved state, an audit log and a heartbeat. */
async function watched(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-audit-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const beats: string[] = [];
  const dead = createServer((request, response) => {
    beats.push(`${request.method} ${request.url}`);
    response.writeHead(200).end();
  });
  await new Promise<void>((done) => dead.listen(0, '127.0.0.1', done));
  t.after(() => dead.close());
  // A TCP server's address is an AddressInfo.
  const { port } = dead.address() as AddressInfo;
  const stage = await startStage({ stateDirectory: directory, licenseKeys: ours.keys });
  t.after(() => stage.stop());
  const now = Math.floor(Date.now() / 1000);
  const token = await ours.issue({ iat: now - 86_400, exp: now + 30 * 86_400 });
  const secret = (name: string, key: string, value: string): object => ({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'tocsin' } },
    data: { [key]: Buffer.from(value).toString('base64') },
  });
  const path = join(directory, 'audit.jsonl');
  const spec = {
    ...hasty.spec,
    license: { secretKeyRef: { name: 'licence', key: 'license' } },
    auditLog: { enabled: true, path },
    heartbeat: { url: { secretKeyRef: { name: 'dead-man', key: 'url' } }, intervalSeconds: 10 },
  };
  await stage.create(
    ...[secret('licence', 'license', token), secret('dead-man', 'url', `http://127.0.0.1:${port}/ping/canary-4711`)],
    ...[address('oncall', stage.receiver.url), { ...hasty, spec }, webhook('oncall')],
  );
  // The first lines are on their way when it is said that they are written.
  const lines = (): readonly Record<string, unknown>[] =>
    (existsSync(path) ? readFileSync(path, 'utf8') : '')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return { stage, beats, lines };
}

const says = ({ conditions }: Stage, what: string): boolean => conditions('alertconfigs', 'default').includes(what);

test('what a running operator writes is as the published schema says, complete, and goes on after a restart', async (t) => {
  const { stage, lines } = await watched(t);
  await stage.until('it is written', () => says(stage, 'Auditing=True/Writing'));
  await stage.create(broken('cart'));
  const has = (fields: object): boolean =>
    lines().some((line) => Object.entries(fields).every(([name, value]) => line[name] === value));
  await stage.until(
    'an opening and its delivery',
    () => has({ kind: 'decision', action: 'open' }) && has({ kind: 'delivery', ended: 'delivered' }),
  );
  await stage.restart(() => stage.create(broken('basket')));
  await stage.until('what began meanwhile', () => lines().filter(({ action }) => action === 'open').length >= 2);

  const written = lines();
  for (const line of written) assert.ok(isLine(line), `${JSON.stringify(line)}: ${JSON.stringify(isLine.errors)}`);
  for (const [run, of] of Map.groupBy(written, (line) => line.run))
    assert.deepEqual(
      of.map(({ sequence }) => sequence),
      of.map((_, index) => index + 1),
      String(run),
    );
  assert.deepEqual(
    written.filter(({ kind }) => kind === 'started' || kind === 'stopped').map(({ kind }) => kind),
    ['started', 'stopped', 'started'],
  );
  assert.doesNotMatch(JSON.stringify(written), /canary-4711/);
});

test('the heartbeat is requested while people can be told, and withheld when they cannot; its address is shown nowhere', async (t) => {
  const { stage, beats } = await watched(t);
  await stage.until('it is accepted', () => says(stage, 'Heartbeat=True/Sent'));
  await stage.until('again', () => beats.length >= 3);
  assert.deepEqual([...new Set(beats)], ['GET /ping/canary-4711']);
  await stage.remove('/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertproviders/oncall');
  await stage.until('it is withheld', () => says(stage, 'Heartbeat=False/Withheld'));
  const before = beats.length;
  await stage.create(broken('cart'));
  await stage.until('a while', async () => /tocsin_incidents\{[^}]*\} 1/.test((await stage.get('/metrics')).text));
  assert.equal(beats.length, before);
  await stage.create(webhook('oncall'));
  await stage.until('it goes on', () => beats.length > before && says(stage, 'Heartbeat=True/Sent'));
  const metrics = (await stage.get('/metrics')).text;
  assert.match(metrics, /tocsin_heartbeat_requests_total\{outcome="accepted"\} [1-9]/);
  for (const text of [
    metrics,
    stage.log.join('\n'),
    JSON.stringify(stage.sandbox.objects.get('alertconfigs.tocsin.dev', 'tocsin', 'default')),
    (await stage.get('/health')).text,
  ])
    assert.doesNotMatch(text, /canary-4711/);
});
