import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { startServer } from '../../src/server/server.ts';
import type { HubDoor, ServerViews } from '../../src/server/views.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

type Door = ReturnType<NonNullable<ServerViews['hub']>>;

/** Runs `use` with a server that hands what is posted to its hub. */
async function withDoor(
  door: Exclude<Door, HubDoor> | Partial<HubDoor>,
  use: (
    post: (body: string, headers?: Record<string, string>) => Promise<Response>,
    seen: string[],
    port: number,
  ) => Promise<void>,
  host = '127.0.0.1',
): Promise<void> {
  const seen: string[] = [];
  const whole: HubDoor = {
    allowPlainHTTP: true,
    async take(body) {
      seen.push(body);
      return { status: 200, body: '{"signed":"","signature":""}' };
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
      hub: () => (typeof door === 'object' ? whole : door),
      now: () => Date.UTC(2026, 5, 1),
    },
  });
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${server.port}/hub`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  try {
    await use(post, seen, server.port);
  } finally {
    await server.close();
  }
}

test('what a member posts is handed on unread, and answered', async () => {
  await withDoor({}, async (post, seen) => {
    const answer = await post('{"signed":"x"}');
    assert.deepEqual([answer.status, await answer.json()], [200, { signed: '', signature: '' }]);
    assert.deepEqual(seen, ['{"signed":"x"}']);
  });
});

test('where there is no hub there is nothing; before that is known, members come again', async () => {
  await withDoor(undefined, async (post) => assert.equal((await post('{}')).status, 404));
  await withDoor('later', async (post) => assert.equal((await post('{}')).status, 503));
});

test('nothing is read of what is too large, is no JSON, or comes from a page in a browser', async () => {
  await withDoor({}, async (post, seen) => {
    assert.equal((await post(`"${'x'.repeat(70_000)}"`)).status, 413);
    assert.equal((await post('{}', { 'content-type': 'text/plain' })).status, 415);
    assert.equal((await post('{}', { origin: 'https://evil.example' })).status, 403);
    assert.deepEqual(seen, []);
  });
});

test('over the network it is taken with TLS alone, unless plain HTTP is allowed', async () => {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
  if (address === undefined) return;
  for (const [allowPlainHTTP, status] of [
    [false, 403],
    [true, 200],
  ] as const)
    await withDoor(
      { allowPlainHTTP },
      async (_, seen, port) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(`http://${address}:${port}/hub`, { method: 'POST', headers, body: '{}' });
        assert.equal(answer.status, status);
        if (status === 403) assert.match(await answer.text(), /hub\.allowPlainHTTP/);
        assert.equal(seen.length, status === 200 ? 1 : 0);
      },
      '0.0.0.0',
    );
});

test('only posts are taken there', async () => {
  await withDoor({}, async (_, seen, port) => {
    assert.equal((await fetch(`http://127.0.0.1:${port}/hub`)).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${port}/hub`, { method: 'PUT', body: '{}' })).status, 405);
    assert.deepEqual(seen, []);
  });
});
