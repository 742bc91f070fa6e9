import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAuthority } from '../../sandbox/certificate.ts';
import { type Resource, sourceOf } from '../../src/model/resource.ts';
import type { Input } from '../../src/model/turn.ts';
import { createRecorder } from '../../src/runtime/recording/recorder.ts';
import { CoverageTracker } from '../../src/runtime/watching/coverage-tracker.ts';
import { Sources } from '../../src/runtime/watching/sources.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { tlsSecrets } from '../../src/world/kinds/network/tls-secret.ts';
import { secretMetadata } from '../../src/world/kinds/workloads/settings.ts';
import { sendJson, sendStatus } from '../kube/support/fake-api.ts';
import { type Harness, withHarness } from '../kube/support/reflector-harness.ts';

const now = Date.parse('2026-03-01T00:00:00Z');
const pair = createAuthority('Test CA', now).sign({ commonName: 'web.example', names: ['web.example'] });
const encoded = (text: string): string => Buffer.from(text).toString('base64');
const key = encoded(pair.key);
/** What nobody may ever see: parts of the key, as it is and as the API sends it. */
const canaries = [...pair.key.trim().split('\n').slice(1, -1), key.slice(40, 72), key.slice(-48, -16)];

const secret = (name: string, version: string) => ({
  metadata: {
    ...{ namespace: 'shop', name, uid: `uid-${name}`, resourceVersion: version },
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ data: { 'tls.key': key } }) },
    managedFields: [
      {
        manager: 'kubectl',
        operation: 'Update',
        time: '2026-03-01T00:00:00Z',
        fieldsV1: { 'f:data': { 'f:tls.key': {} } },
      },
    ],
  },
  type: 'kubernetes.io/tls',
  data: { 'tls.crt': encoded(pair.certificate), 'tls.key': key },
});

/** Sources that may be allowed to watch Secrets, by their certificates unless said otherwise; `list` answers the list of them. */
function watchOn(harness: Harness, isAllowed: () => boolean, list: () => string, resource: Resource = tlsSecrets) {
  const pushed: Input[] = [];
  const log: string[] = [];
  harness.onList = (request, response) => {
    const { path, method } = request;
    if (method === 'POST') sendJson(response, 201, { status: { allowed: isAllowed() } });
    else if (path === '/api' || path === '/apis') sendJson(response, 200, { kind: 'Other' });
    else if (path === '/api/v1')
      sendJson(response, 200, { resources: [{ name: 'secrets', verbs: ['list', 'watch'] }] });
    else if (path === '/api/v1/secrets') response.writeHead(200, { 'content-type': 'application/json' }).end(list());
    else sendStatus(response, 404, 'NotFound');
  };
  const coverage = new CoverageTracker(harness.clock, () => undefined);
  const sources = new Sources({
    ...{ client: harness.client, clock: harness.clock, random: () => 0.5, coverage, known: () => [] },
    log: createLogger({ level: 'debug', stream: { write: (line) => log.push(line) } }),
    push: (input) => pushed.push(input),
    resources: [resource],
  });
  const row = () => {
    const { state, reason } = coverage.row(sourceOf(resource)) ?? {};
    return state === undefined ? 'none' : `${state} ${reason}`;
  };
  const becomes = (expected: string, limitMs = 60_000) =>
    harness.passUntil(expected, limitMs, () => row() === expected);
  const requests = () => harness.api.seen.filter(({ path }) => path.endsWith('/secrets'));
  return { sources, pushed, log, becomes, requests };
}

const listed = (): string =>
  JSON.stringify({ metadata: { resourceVersion: '10' }, items: [secret('web', '1'), secret('api', '2')] });

for (const [resource, says] of [
  [tlsSecrets, /"subject":"web\.example".*"isPair":true/],
  [secretMetadata, /"f:tls\.key":\{\}/],
] as const)
  test(`nothing of a private key gets into what is handed on, recorded or logged, from lists, watches, deletions or broken answers: ${sourceOf(resource)}`, () =>
    withHarness(async (harness) => {
      let body = listed().slice(0, -40);
      const { sources, pushed, log, becomes, requests } = watchOn(
        harness,
        () => true,
        () => body,
        resource,
      );
      sources.start();
      sources.license(true);
      await harness.passUntil('it is tried again', 60_000, () => requests().length > 4);
      // V8 quotes what it cannot parse.
      const reading = harness.client.list(
        { path: '/api/v1/secrets', query: { fieldSelector: resource.fieldSelector } },
        async () => undefined,
      );
      await assert.rejects(reading, (error: Error) => /is not JSON/.test(error.message) && error.cause === undefined);
      body = listed();
      await becomes('Watching Synced');
      const watch = harness.watches.at(-1);
      const seen = (): number => pushed.filter(({ kind }) => kind === 'objects').length;
      const before = seen();
      watch?.send('MODIFIED', { apiVersion: 'v1', kind: 'Secret', ...secret('web', '11') });
      watch?.send('DELETED', { apiVersion: 'v1', kind: 'Secret', ...secret('api', '12') });
      watch?.raw(`{"type":"MODIFIED","object":{"data":{"tls.key":"${key}"}\n`);
      await harness.passUntil(
        'they are told',
        30_000,
        () => seen() >= before + 1 && JSON.stringify(pushed).includes('"gone"'),
      );
      await sources.stop();

      const folder = mkdtempSync(join(tmpdir(), 'tocsin-'));
      const path = join(folder, 'log.jsonl');
      const header = { clusterId: 'c', version: '1' };
      createRecorder({ path, header, failed: (error) => assert.fail(String(error)) })(pushed, now);
      const recorded = readFileSync(path, 'utf8');
      rmSync(folder, { recursive: true });
      assert.match(recorded, says);
      for (const canary of canaries)
        for (const [where, text] of Object.entries({ pushed: JSON.stringify(pushed), recorded, log: log.join('') }))
          assert.ok(!text.includes(canary), `${where} holds a part of the key`);
      assert.ok(log.length > 0 && requests().length > 2);
      for (const { query } of requests()) assert.equal(query.get('fieldSelector'), resource.fieldSelector);
    }));

test('Secrets are neither asked for nor asked about without a licence; with one they are where the cluster allows it', () =>
  withHarness(async (harness) => {
    let isAllowed = false;
    const { sources, becomes, requests } = watchOn(harness, () => isAllowed, listed);
    sources.start();
    await harness.clock.advance(60_000);
    sources.license(false);
    await becomes('Disabled NotLicensed');
    assert.deepEqual(
      harness.api.seen.filter(({ method }) => method === 'POST'),
      [],
    );
    sources.license(true);
    await becomes('Disabled OptIn');
    assert.deepEqual(requests(), []);
    isAllowed = true;
    await becomes('Watching Synced', 700_000);
    sources.license(false);
    await becomes('Disabled NotLicensed');
    await sources.stop();
  }));

test('metadata of Secrets is watched in any edition where the cluster allows it, and as metadata alone', () =>
  withHarness(async (harness) => {
    let isAllowed = false;
    const { sources, becomes, requests } = watchOn(harness, () => isAllowed, listed, secretMetadata);
    sources.start();
    sources.license(false);
    await becomes('Disabled OptIn');
    assert.deepEqual(requests(), []);
    isAllowed = true;
    await becomes('Watching Synced', 700_000);
    await sources.stop();
    assert.ok(requests().length >= 2);
    for (const { headers } of requests()) assert.match(String(headers.accept), /as=PartialObjectMetadata/);
  }));
