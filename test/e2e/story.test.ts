import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Decision } from '../../src/model/incident.ts';
import { replay } from '../../src/runtime/recording/replay.ts';
import { configuration, deployment, type Operator, ready, type Stage, startStage, unwatched } from './stage.ts';

let stage: Stage;
let operator: Operator;
const decisions: Decision[] = [];
let log: string;

before(async () => {
  stage = await startStage({ nodes: ['n1', 'n2', 'n3'] });
  log = join(stage.folder, 'log.jsonl');
  await stage.apply(
    deployment('checkout', { replicas: 5, image: 'registry.example/checkout:1.0' }),
    deployment('search', { replicas: 2, image: 'registry.example/search:1.0' }),
  );
  await stage.kubectl(['-n', 'shop', 'rollout', 'status', 'deployment', '--timeout=60s']);
  await stage.apply(...configuration(stage.receiver.url));
  operator = await stage.startOperator({ record: log, observe: (effects) => decisions.push(...effects.save.audit) });
  await ready(stage, operator);
});
after(async () => {
  await stage?.stop();
});

test('a rollout that crash-loops is one message for the Deployment, with the change and the last log line', async () => {
  await stage.apply(
    deployment('checkout', {
      replicas: 5,
      image: 'registry.example/checkout:1.1',
      script: { exit: { afterSeconds: 2, code: 1 }, log: ['starting', 'FATAL cannot open database'] },
    }),
  );
  const opened = await stage.receiver.wait('opening', ({ type }) => type === 'incident.opened', 120);
  assert.deepEqual(opened.incident?.root, { kind: 'Deployment', namespace: 'shop', name: 'checkout' });
  assert.equal(opened.incident?.reason, 'CrashLoopBackOff');
  assert.match(opened.message, /checkout:1\.1/, 'names the change');
  assert.match(opened.message, /FATAL cannot open database/, 'quotes the last log line');
  assert.equal(stage.receiver.messages.filter(({ type }) => type === 'incident.opened').length, 1);
});

test('the root object carries an Event that says so', async () => {
  await stage.eventually(10, async () => {
    const described = await stage.kubectl(['-n', 'shop', 'describe', 'deployment', 'checkout']);
    assert.match(described, /Warning\s+IncidentOpened/);
  });
});

test('fixing it is one resolve, and nothing else is said', async () => {
  await stage.kubectl(['-n', 'shop', 'rollout', 'undo', 'deployment/checkout']);
  const resolved = await stage.receiver.wait('resolution', ({ type }) => type === 'incident.resolved', 120);
  const opened = stage.receiver.messages.find(({ type }) => type === 'incident.opened');
  assert.equal(resolved.incident?.id, opened?.incident?.id);
  assert.equal(resolved.incident?.key, opened?.incident?.key);
  const types = stage.receiver.messages.map(({ type }) => type).filter((type) => type !== 'incident.updated');
  assert.deepEqual(types, ['incident.opened', 'incident.resolved']);
  assert.ok(stage.receiver.messages.length <= 3, 'at most one update');
});

test('a silence applied before a second failure mutes it and counts it', async () => {
  await stage.apply({
    apiVersion: 'tocsin.dev/v1alpha1',
    kind: 'Silence',
    metadata: { name: 'search-migration', namespace: 'tocsin' },
    spec: { selector: { names: ['search'] }, durationSeconds: 3600, comment: 'migration' },
  });
  await stage.kubectl(['-n', 'tocsin', 'wait', '--for=condition=Active', '--timeout=20s', 'silence/search-migration']);
  const before = stage.receiver.messages.length;
  await stage.apply(
    deployment('search', { replicas: 2, image: 'registry.example/search:9.9', script: { pullError: 'NotFound' } }),
  );
  await stage.eventually(60, async () => {
    const table = await stage.kubectl(['-n', 'tocsin', 'get', 'silences']);
    assert.match(table, /NAME\s+ACTIVE\s+READY\s+UNTIL\s+SUPPRESSED\s+COMMENT\s+AGE/);
    assert.match(table, /search-migration\s+True\s+True\s+\S+\s+1\s+migration/);
  });
  assert.equal(stage.receiver.messages.length, before, 'nothing was delivered');
});

test('kubectl get and describe show what the resources say', async () => {
  const all = await stage.kubectl(['-n', 'tocsin', 'get', 'ap,sil,mw,ac']);
  assert.match(all, /NAME\s+TYPE\s+ACTIVE\s+READY\s+DELIVERING\s+LAST DELIVERY\s+FAILED\s+AGE/);
  assert.match(all, /alertprovider\S*\/oncall\s+webhook\s+True\s+True\s+True\s+\S+\s+0/);
  assert.match(all, /NAME\s+EDITION\s+COVERED\s+DELIVERING\s+READY\s+OPEN\s+AGE/);
  assert.match(all, /alertconfig\S*\/default\s+Community\s+True\s+True\s+True\s+1/);
  const described = await stage.kubectl(['-n', 'tocsin', 'describe', 'ap', 'oncall']);
  for (const expected of [/Last Delivery:/, /Type:\s+Delivering/, /Reason:\s+Delivered/, /Reason:\s+Selected/])
    assert.match(described, expected);
  // Counts are written at most once a minute.
  await stage.eventually(75, async () => {
    const config = await stage.kubectl(['-n', 'tocsin', 'describe', 'ac', 'default']);
    assert.match(config, /Disposition:\s+Silenced/);
    // What is watched is counted; what is not is listed, with why.
    assert.match(config, /Watched Resources:\s+\d{2}\b/);
    assert.match(config, /Resource:\s+gatewayclasses\.gateway\.networking\.k8s\.io/);
    assert.doesNotMatch(config, /Resource:\s+deployments\.apps/);
  });
});

test('the endpoints answer: alive, ready, health with coverage, metrics', async () => {
  assert.equal((await fetch(`${operator.url}/healthz`)).status, 200);
  const health = (await (await fetch(`${operator.url}/health`)).json()) as {
    status: string;
    coverage: { resources: { resource: string; state: string }[] };
  };
  assert.equal(health.status, 'ok');
  assert.deepEqual(unwatched(health.coverage.resources), []);
  const metrics = await (await fetch(`${operator.url}/metrics`)).text();
  assert.match(
    metrics,
    /tocsin_delivery_attempts_total\{provider="[^"]*oncall",type="webhook",outcome="delivered"\} [1-9]/,
  );
});

test('the annotation sends one marked test message and its outcome is in the status', async () => {
  await stage.kubectl(['-n', 'tocsin', 'annotate', 'ap', 'oncall', 'tocsin.dev/test=try-1']);
  const message = await stage.receiver.wait('test message', ({ type }) => type === 'test', 20);
  assert.match(message.title, /test/i);
  await stage.eventually(15, async () => {
    const outcome = await stage.kubectl(['-n', 'tocsin', 'get', 'ap', 'oncall', '-o', 'jsonpath={.status.lastTest}']);
    const { nonce, outcome: how } = JSON.parse(outcome) as { nonce: string; outcome: string };
    assert.deepEqual([nonce, how], ['try-1', 'Delivered']);
  });
});

test('applying the same status twice changes nothing: the resource version stands still', async () => {
  const version = (): Promise<string> =>
    stage.kubectl(['-n', 'tocsin', 'get', 'sil', 'search-migration', '-o', 'jsonpath={.metadata.resourceVersion}']);
  const first = await version();
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  assert.equal(await version(), first);
});

test('the recorded inputs replay to byte-identical decisions', async () => {
  await operator.stop();
  const lines = readFileSync(log, 'utf8').split('\n');
  const replayed = [...replay(lines)].flatMap(({ effects }) => effects.save.audit);
  assert.ok(decisions.length >= 4, `only ${decisions.length} decisions`);
  assert.equal(
    replayed.map((decision) => JSON.stringify(decision)).join('\n'),
    decisions.map((decision) => JSON.stringify(decision)).join('\n'),
  );
  assert.doesNotMatch(lines.join('\n'), new RegExp(stage.receiver.url.replaceAll('/', '\\/')), 'no secret in the log');
});
