import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import type { PostedAlert } from '../../src/server/alerts.ts';
import { startServer } from '../../src/server/server.ts';
import type { AlertsDoor, ServerViews } from '../../src/server/views.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

const none = { taken: 0, ended: 0, ignored: 0, unnamed: 0, displaced: 0 };

/** Runs `use` with a server that takes alerts from whoever shows the token `good`. */
async function withDoor(
  door: ReturnType<NonNullable<ServerViews['alerts']>> | Partial<AlertsDoor>,
  use: (
    post: (body: unknown, headers?: Record<string, string>, path?: string) => Promise<Response>,
    seen: PostedAlert[][],
    port: number,
  ) => Promise<void>,
  host = '127.0.0.1',
): Promise<void> {
  const seen: PostedAlert[][] = [];
  const whole: AlertsDoor = {
    ...{ always: true, verb: 'post', setting: 'alertsIn', allowPlainHTTP: true },
    authorize: async (token) => (token === 'good' ? 'allowed' : token === 'other' ? 'forbidden' : 'unauthenticated'),
    take(alerts) {
      seen.push([...alerts]);
      return { ...none, taken: alerts.length };
    },
    ...(typeof door === 'object' && door),
  };
  const server = await startServer({
    ...{ port: 0, host, metrics: createMetrics({ process: false }), log: createLogger({ level: 'silent' }) },
    views: {
      alive: () => true,
      ready: () => ({ checks: [] }),
      health: () => ({ reasons: [], edition: 'Community', version: '1', coverage: [] }),
      status: () => undefined,
      metricsGuard: () => undefined,
      alerts: () => (typeof door === 'object' ? whole : door),
      now: () => Date.UTC(2026, 5, 1),
    },
  });
  const post = (body: unknown, headers: Record<string, string> = {}, path = '/alerts') =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer good', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  try {
    await use(post, seen, server.port);
  } finally {
    await server.close();
  }
}

/** What Alertmanager's documentation shows, with one alert. */
const documented = {
  ...{ version: '4', groupKey: '{}:{alertname="A"}', truncatedAlerts: 0, status: 'firing', receiver: 'tocsin' },
  ...{ groupLabels: { alertname: 'A' }, commonLabels: {}, commonAnnotations: {}, externalURL: 'http://am:9093' },
  alerts: [
    {
      ...{ status: 'firing', labels: { alertname: 'A', namespace: 'shop' }, annotations: { summary: 'It is slow' } },
      ...{ startsAt: '2026-06-01T10:00:00Z', endsAt: '0001-01-01T00:00:00Z', generatorURL: '', fingerprint: 'f' },
    },
  ],
};

test('what Alertmanager posts is taken, with how many of it', async () => {
  await withDoor({}, async (post, seen) => {
    const answer = await post(documented);
    assert.deepEqual([answer.status, await answer.json()], [200, { ...none, taken: 1 }]);
    assert.deepEqual(seen, [
      [
        {
          ...{
            status: 'firing',
            labels: { alertname: 'A', namespace: 'shop' },
            annotations: { summary: 'It is slow' },
          },
          ...{ startsAt: '2026-06-01T10:00:00Z', endsAt: '0001-01-01T00:00:00Z' },
        },
      ],
    ]);
  });
});

test('where alerts are not taken there is nothing; before that is known, and on a Pod that waits, Alertmanager is told to come again', async () => {
  await withDoor(undefined, async (post) => assert.equal((await post(documented)).status, 404));
  await withDoor('later', async (post) => {
    const answer = await post(documented);
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5']);
  });
});

test('nobody is let in without a token, also over loopback, and the answer says what to send', async () => {
  await withDoor({}, async (post, seen) => {
    for (const [token, status, says] of [
      ['', 401, /alertsIn\.token/],
      ['Bearer wrong', 401, /alertsIn\.token/],
      ['Bearer other', 403, /grant `post` on the nonResourceURL \/alerts/],
      ['Basic Z29vZA==', 401, /alertsIn\.token/],
    ] as const) {
      const answer = await post(documented, { authorization: token });
      assert.equal(answer.status, status, token);
      assert.match(((await answer.json()) as { message: string }).message, says);
    }
    assert.deepEqual(seen, []);
  });
});

test('over the network alerts are taken with TLS only, unless the AlertConfig allows it', async (t) => {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (outside === undefined) return t.skip('this machine has loopback only');
  for (const allowPlainHTTP of [false, true])
    await withDoor(
      { allowPlainHTTP },
      async (_, seen, port) => {
        const headers = { 'content-type': 'application/json', authorization: 'Bearer good' };
        const body = JSON.stringify(documented);
        const answer = await fetch(`http://${outside}:${port}/alerts`, { method: 'POST', headers, body });
        assert.deepEqual([answer.status, seen.length], allowPlainHTTP ? [200, 1] : [403, 0]);
      },
      '0.0.0.0',
    );
});

test('what is no such request is refused in words, and nothing of it is taken', async () => {
  await withDoor({}, async (post, seen) => {
    const refused: readonly (readonly [unknown, number, Record<string, string>?])[] = [
      ['no JSON', 400],
      ['null', 400],
      [[documented], 400],
      [{ ...documented, version: '5' }, 400],
      [{ ...documented, alerts: {} }, 400],
      [documented, 415, { 'content-type': 'text/plain' }],
      [documented, 403, { origin: 'https://evil.example' }],
      [`{"version":"4","alerts":[],"x":"${'x'.repeat(1024 * 1024)}"}`, 413],
    ];
    for (const [body, status, headers] of refused) {
      const answer = await post(body, headers);
      assert.equal(answer.status, status, String(body).slice(0, 40));
      assert.ok(((await answer.json()) as { message: string }).message.length > 10);
    }
    assert.deepEqual(seen, []);
  });
});

test('of an alert only texts are read, within bounds; one without a status is left out, and of a request a thousand are read', async () => {
  await withDoor({}, async (post, seen) => {
    const odd = {
      status: 'firing',
      labels: { alertname: 'A', number: 7, long: 'x'.repeat(9_000), __proto__: 'x' },
      annotations: 'none',
      startsAt: 7,
    };
    const wide = {
      status: 'firing',
      labels: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`l${at}`, 'x'])),
    };
    const rest = Array.from({ length: 1_200 }, () => ({ status: 'resolved', labels: {} }));
    assert.equal((await post({ ...documented, alerts: [odd, wide, null, 'x', { labels: {} }, ...rest] })).status, 200);
    const [first, second, ...others] = seen[0] ?? [];
    assert.deepEqual(
      [first?.labels.long?.length, first?.labels.number, first?.annotations, first?.startsAt],
      [2_048, undefined, {}, ''],
    );
    assert.equal(Object.keys(second?.labels ?? {}).length, 64);
    assert.equal(others.length, 1_000 - 5);
  });
});

test('alerts are posted, and nothing else is posted anywhere', async () => {
  await withDoor({}, async (post, _, port) => {
    assert.equal((await fetch(`http://127.0.0.1:${port}/alerts`)).status, 404);
    assert.equal((await post(documented, {}, '/health')).status, 405);
  });
});
