import assert from 'node:assert/strict';
import { type Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { recent } from '../../src/server/recent.ts';
import { startServer } from '../../src/server/server.ts';
import type { ServerViews } from '../../src/server/views.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

const views: ServerViews = {
  alive: () => true,
  ready: () => ({ checks: [] }),
  health: () => ({ reasons: [], edition: 'Community', version: '1.2.3', coverage: [] }),
  status: () => undefined,
  metricsGuard: () => undefined,
  now: () => Date.parse('2026-11-20T09:00:00Z'),
};

/** Runs `use` with a server; `scrapes` counts how often the metrics were made. */
async function withServer(use: (port: number, scrapes: () => number) => Promise<void>): Promise<void> {
  let made = 0;
  const metrics = createMetrics({ process: false });
  metrics.beforeScrape(() => {
    made += 1;
  });
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    views,
    metrics,
    log: createLogger({ level: 'silent' }),
  });
  try {
    await use(server.port, () => made);
  } finally {
    await server.close();
  }
}

/** A connection from an address of this machine, on which `text` is sent. */
function open(port: number, localAddress: string, text = ''): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => {
      if (text !== '') socket.write(text);
      resolve(socket);
    });
    socket.on('error', () => undefined);
    socket.resume();
  });
}

/** The status of one probe on a connection of its own, as a kubelet makes it. */
function probe(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // `false` is Node's word for no agent.
    const agent: Agent | false = false;
    get({ host: '127.0.0.1', port, path: '/healthz', agent, localAddress: '127.0.0.1' }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}

const request = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n';

for (const [what, text, addressOf] of [
  ['silent connections of one address', '', () => '127.0.0.1'],
  ['silent connections of fifty addresses', '', (index: number) => `127.0.1.${1 + (index % 50)}`],
  ['half requests', 'GET /healthz HTTP/1.1\r\nHost: a\r\n', () => '127.0.0.2'],
  [
    'connections kept alive',
    'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
    (index: number) => `127.0.1.${1 + (index % 50)}`,
  ],
] as const)
  test(`200 ${what} keep no probe out`, () =>
    withServer(async (port) => {
      const sockets: Socket[] = [];
      for (let index = 0; index < 200; index += 1) {
        sockets.push(await open(port, addressOf(index), text));
        if (index % 10 === 9) assert.equal(await probe(port), 200);
      }
      for (const socket of sockets) socket.destroy();
    }));

test('what is evicted is the oldest of the address that holds too much, and nobody else', () =>
  withServer(async (port) => {
    const neighbour = await open(port, '127.0.0.9', 'GET /healthz HTTP/1.1\r\nHost: a\r\n');
    const greedy: Socket[] = [];
    for (let index = 0; index < 20; index += 1) greedy.push(await open(port, '127.0.0.2'));
    const [first] = greedy;
    assert.ok(first);
    if (!first.destroyed) await new Promise((done) => first.once('close', done));
    assert.equal(await probe(port), 200);
    assert.equal(neighbour.destroyed, false);
    assert.equal(greedy.at(-1)?.destroyed, false);
    for (const socket of [neighbour, ...greedy]) socket.destroy();
  }));

test('a connection that asks on and on without waiting for answers is ended, and costs one scrape', () =>
  withServer(async (port, scrapes) => {
    const flood = Array.from({ length: 5 }, () => open(port, '127.0.0.2', request.repeat(4_000)));
    const closed = (await Promise.all(flood)).map((socket) => new Promise((done) => socket.once('close', done)));
    assert.equal(await probe(port), 200);
    await Promise.all(closed);
    assert.equal(await probe(port), 200);
    assert.ok(scrapes() <= 1, `${scrapes()} scrapes`);
  }));

test('what is costly is made once for whoever asks within its life, also at the same time, and anew after a failure', async () => {
  let now = 1_000;
  let made = 0;
  const answer = recent(
    1_000,
    () => now,
    async () => {
      made += 1;
      if (made === 2) throw new Error('not now');
      return made;
    },
  );
  assert.deepEqual(await Promise.all([answer(), answer()]), [1, 1]);
  now += 999;
  assert.equal(await answer(), 1);
  now += 1;
  await assert.rejects(answer());
  assert.equal(await answer(), 3);
  // A clock that was set back by an hour.
  now -= 3_600_000;
  assert.equal(await answer(), 4);
});
