import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { replay } from '../../src/runtime/recording/replay.ts';
import { address, broken, hasStarted, hasty, type Stage, startStage, webhook } from './stage.ts';

const config = (alertsIn: object) => ({ ...hasty, spec: { ...hasty.spec, incidents: { holdSeconds: 5 }, alertsIn } });
const encoded = (text: string): string => Buffer.from(text).toString('base64');
const tokenSecret = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'alerts', namespace: 'tocsin' } },
  data: { token: encoded('from-alertmanager') },
};
const taking = { enabled: true, token: { secretKeyRef: { name: 'alerts', key: 'token' } } };

/** What Alertmanager posts of one alert. */
const group = (status: 'firing' | 'resolved', labels: Record<string, string>, summary = '') => ({
  ...{ version: '4', status, receiver: 'tocsin', groupKey: 'k', truncatedAlerts: 0 },
  alerts: [
    {
      ...{ status, labels, annotations: { summary }, startsAt: new Date(Date.now() - 60_000).toISOString() },
      endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : new Date().toISOString(),
    },
  ],
});

async function post({ runtime }: Stage, body: object, token = 'from-alertmanager') {
  const answer = await fetch(`http://127.0.0.1:${runtime.port}/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** A Deployment whose Pod runs. */
function healthy(name: string): object {
  const { metadata, spec, ...rest } = broken(name) as { metadata: object; spec: { template: { metadata: object } } };
  const labels = { app: name };
  return { ...rest, metadata, spec: { ...spec, template: { ...spec.template, metadata: { labels } } } };
}

test('alerts come in over HTTP: one of what looks well is told and ended, one of what fails joins, and the recording says the same', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-alerts-'));
  const record = join(directory, 'run.jsonl');
  const stage = await startStage({ record });
  const { receiver, until, create } = stage;
  try {
    await create(tokenSecret, config(taking), webhook('hook'), address('hook', receiver.url), healthy('web'));
    await until('ready', () => hasStarted(stage));
    const slow = { alertname: 'RequestsAreSlow', namespace: 'shop', deployment: 'web', severity: 'critical' };
    await until('the token is read and alerts are taken', async () => {
      const { status, body } = await post(stage, group('firing', slow, 'The 99th percentile is above 2 s.'));
      return status === 200 && body.taken === 1;
    });
    await until('it is told', () => receiver.messages.length === 1);
    const [opened] = receiver.messages;
    assert.deepEqual(
      [opened?.incident?.reason, opened?.incident?.root.name, opened?.severity],
      ['ExternalAlert', 'web', 'critical'],
    );
    assert.match(opened?.message ?? '', /The 99th percentile is above 2 s/);
    // Nobody hears of it twice.
    await post(stage, group('firing', slow, 'The 99th percentile is above 2 s.'));
    const ended = await post(stage, group('resolved', slow));
    assert.deepEqual([ended.status, ended.body.ended], [200, 1]);
    await until(
      'it is over',
      () => receiver.messages.some(({ status }) => status === 'resolved'),
      () => receiver.messages,
    );

    await create(broken('api'));
    await until('the other is told', () => receiver.messages.some(({ incident }) => incident?.root.name === 'api'));
    const before = receiver.messages.length;
    const joined = await post(stage, group('firing', { ...slow, deployment: 'api' }));
    assert.equal(joined.body.taken, 1);
    await until('it has joined', async () =>
      (await stage.get('/metrics')).text.includes('tocsin_alerts_in_total{outcome="taken"}'),
    );
    assert.equal(receiver.messages.length, before);
  } finally {
    await stage.stop();
  }
  const recorded = readFileSync(record, 'utf8');
  rmSync(directory, { recursive: true });
  assert.doesNotMatch(recorded, /from-alertmanager/);
  const titles = [...replay(recorded.trim().split('\n'))].flatMap(({ effects }) =>
    effects.save.enqueue.map(({ notification }) => notification.title),
  );
  assert.ok(
    titles.some((title) => title.includes('web has the alert RequestsAreSlow of Prometheus')),
    titles.join('\n'),
  );
});

test('without alertsIn there is no such place; without a token of its own the cluster is asked whose the token is', async () => {
  const stage = await startStage({});
  const { until, create, client } = stage;
  try {
    await create(config({ enabled: false }), healthy('web'));
    await until('ready', () => hasStarted(stage));
    assert.equal((await post(stage, group('firing', {}))).status, 404);
    await client.json({
      ...{ method: 'PATCH', path: '/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertconfigs/default' },
      ...{ contentType: 'application/merge-patch+json', body: { spec: { alertsIn: { enabled: true } } } },
    });
    const labels = { alertname: 'RequestsFail', namespace: 'shop', deployment: 'web' };
    await until(
      'they are taken',
      async () => (await post(stage, group('firing', labels), 'of-an-account')).status === 200,
    );
    assert.equal((await post(stage, group('firing', labels), '')).status, 401);
    const reviews = stage.log.filter((line) => line.includes('of-an-account'));
    assert.deepEqual(reviews, [], 'no token is written down');
  } finally {
    await stage.stop();
  }
});
