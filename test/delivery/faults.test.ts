/** What a product can do to us, and that nobody else has to wait for it: real sockets, and hours that pass at once. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { buildNetwork } from '../providers/conformance/wire.ts';
import { type FaultyType, openStreet, type Street, startNeighbours } from './neighbours.ts';

buildNetwork();

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
type Neighbours = Awaited<ReturnType<typeof startNeighbours>>;
type Behaviour = (request: IncomingMessage, response: ServerResponse, count: number) => void;

let neighbours: Neighbours;
before(async () => {
  neighbours = await startNeighbours();
});
after(async () => {
  await Promise.all(neighbours.map(({ wire }) => wire[Symbol.asyncDispose]()));
});

/** A product that misbehaves, on an address of loopback. */
async function startFaulty(behave: Behaviour, host = '127.0.0.1', at = 0) {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    request.on('end', () => behave(request, response, requests));
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host}:${port}/hook`,
    requests: () => requests,
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The same port of two addresses; another pair where a program has the second one already. Rejects when ten are taken. */
async function startTwo([first, second]: readonly [Place, Place]) {
  for (let tries = 1; ; tries += 1) {
    const one = await startFaulty(first.behave, first.host);
    try {
      return [one, await startFaulty(second.behave, second.host, one.port)] as const;
    } catch (error) {
      await one.stop();
      if (tries === 10) throw error;
    }
  }
}
type Place = { readonly behave: Behaviour; readonly host: string };

/** Tells everybody of one incident while one product misbehaves: all the others are reached before any time passes. */
async function among(
  behave: Behaviour,
  story: (street: Street, product: Awaited<ReturnType<typeof startFaulty>>) => Promise<void>,
  more: Omit<Parameters<typeof openStreet>[1], 'url'> = {},
): Promise<void> {
  const product = await startFaulty(behave);
  const street = openStreet(neighbours, { url: product.url, ...more });
  try {
    street.tell('inc-1');
    await street.until('all others are told', () => street.others().length >= neighbours.length);
    const late = street.others().filter(({ ended, attempts }) => ended !== 'delivered' || attempts !== 1);
    assert.deepEqual(late, [], 'the others got it with their first attempt, while time stood still');
    assert.ok(neighbours.length >= 55);
    await story(street, product);
  } finally {
    await street.close();
    await product.stop();
  }
}

test('a port that is taken is an error at once, not a wait', async () => {
  const taken = await startFaulty((_, response) => ok(response));
  try {
    await assert.rejects(
      startFaulty((_, response) => ok(response), '127.0.0.1', taken.port),
      { code: 'EADDRINUSE' },
    );
  } finally {
    await taken.stop();
  }
});

/** The last thing that is known of the faulty provider's delivery. */
const last = (street: Street) => {
  const { ended, failure } = street.own().at(-1) ?? {};
  return [ended, failure?.class, failure?.code];
};
const firstAttempt = (street: Street) => street.until('its attempt ends', () => street.own().length > 0);
const ok = (response: ServerResponse): unknown => response.writeHead(204).end();

test('500 for two hours: asked some thirty times, told at last, nothing lost and nothing twice', async () => {
  let isUp = false;
  await among(
    (_, response) => (isUp ? ok(response) : response.writeHead(500).end('oops')),
    async (street, product) => {
      await street.pass(2 * hour);
      assert.deepEqual(last(street), ['pending', 'retryable', 'ServerError']);
      const asked = product.requests();
      assert.ok(asked >= 20 && asked <= 40, `asked ${asked} times`);
      isUp = true;
      await street.pass(6 * minute);
      assert.deepEqual(last(street), ['delivered', undefined, undefined]);
      assert.equal(product.requests(), asked + 1);
      assert.deepEqual([street.store.outbox(), street.store.deadLetters()], [[], []]);
    },
  );
});

test('500 with a fallback: both incidents are overdue within minutes, and told as soon as the product answers', async () => {
  let isUp = false;
  await among(
    (_, response) => (isUp ? ok(response) : response.writeHead(500).end()),
    async (street) => {
      street.tell('inc-2', false);
      await street.pass(5 * minute);
      assert.deepEqual(last(street), ['pending', 'retryable', 'ServerError']);
      const overdue = street.own().filter((report) => report.overdue);
      assert.deepEqual([...new Set(overdue.map(({ stream }) => stream))].toSorted(), ['inc-1', 'inc-2']);
      isUp = true;
      await street.pass(6 * minute);
      const told = street.own().filter(({ ended }) => ended === 'delivered');
      assert.deepEqual(told.map(({ stream }) => stream).toSorted(), ['inc-1', 'inc-2']);
      assert.deepEqual([street.store.outbox(), street.store.deadLetters()], [[], []]);
    },
    { fallback: 'AlertProvider/tocsin/gotify' },
  );
});

/** How a product says that it wants to be left alone for two minutes. `sent`: epoch milliseconds of its answer. */
type Wait = { readonly headers?: Readonly<Record<string, string>>; readonly json?: unknown };
const waits: readonly (readonly [how: string, type: FaultyType, wait: (sent: number) => Wait, told: unknown])[] = [
  ['Retry-After in seconds', 'webhook', () => ({ headers: { 'Retry-After': '120' } }), {}],
  [
    'Retry-After as a date',
    'webhook',
    (sent) => ({ headers: { 'Retry-After': new Date(sent + 120 * second).toUTCString() } }),
    {},
  ],
  [
    'milliseconds in the body',
    'matrix',
    () => ({ json: { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 120_000 } }),
    { event_id: '$first' },
  ],
  [
    'seconds in the body',
    'zulip',
    () => ({
      json: { result: 'error', code: 'RATE_LIMIT_HIT', msg: 'API usage exceeded rate limit', 'retry-after': 119.6 },
    }),
    { result: 'success', id: 42 },
  ],
  [
    'a date in the body',
    'incidentio',
    (sent) => ({
      json: { rate_limit: { retry_after: new Date(sent + 120 * second).toUTCString().replace('GMT', 'UTC') } },
    }),
    { status: 'success' },
  ],
];
for (const [how, type, wait, told] of waits)
  test(`429 with ${how} (${type}): left alone for as long, and no attempt is spent`, async () => {
    let asked = 0;
    await among(
      (_, response) => {
        asked += 1;
        if (asked > 1) return response.writeHead(200).end(JSON.stringify(told));
        // A date is compared with the clock of the host.
        const { headers, json } = wait(Date.now());
        return response.writeHead(429, headers).end(JSON.stringify(json));
      },
      async (street) => {
        await firstAttempt(street);
        assert.deepEqual(last(street), ['pending', 'rateLimited', 'RateLimited']);
        assert.equal(street.own()[0]?.attempts, 0);
        await street.pass(115 * second);
        assert.equal(asked, 1, 'it is left alone');
        await street.pass(10 * second);
        assert.deepEqual([last(street)[0], street.own().at(-1)?.attempts, asked], ['delivered', 1, 2]);
      },
      { type },
    );
  });

test('429 without end: left alone in between, and after 24 h it is a failure that says so', async () => {
  await among(
    (_, response) => response.writeHead(429, { 'Retry-After': '86400' }).end(),
    async (street, product) => {
      await street.pass(25 * hour);
      assert.deepEqual(last(street), ['failed', 'retryable', 'Expired']);
      assert.ok(product.requests() <= 100, `asked ${product.requests()} times, at most every 15 minutes`);
      assert.match(street.store.deadLetters()[0]?.failure.message ?? '', /24 h/);
    },
  );
});

/** Each ends its attempt in a way of its own; none holds up anybody. */
const broken: readonly (readonly [string, Behaviour, readonly unknown[], boolean])[] = [
  [
    'accepts and drops the connection',
    (request) => request.socket.destroy(),
    ['pending', 'retryable', 'Unreachable'],
    true,
  ],
  [
    'resets the connection',
    (request) => request.socket.resetAndDestroy(),
    ['pending', 'retryable', 'Unreachable'],
    true,
  ],
  ['never answers', () => undefined, ['pending', 'retryable', 'Timeout'], true],
  [
    'drips bytes of its answer',
    (_, response) => {
      const drip = setInterval(() => response.write('.'), 20).unref();
      response.writeHead(200).on('close', () => clearInterval(drip));
    },
    ['pending', 'retryable', 'Timeout'],
    true,
  ],
  [
    'drips bytes of its headers',
    ({ socket }) => {
      const drip = setInterval(() => socket.write('X'), 20).unref();
      socket.on('close', () => clearInterval(drip));
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    },
    ['pending', 'retryable', 'Timeout'],
    true,
  ],
  [
    'redirects to a metadata address',
    (_, response) => response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data' }).end(),
    ['failed', 'permanent', 'Rejected'],
    false,
  ],
  [
    'redirects to a metadata address, keeping method and body',
    (_, response) => response.writeHead(308, { Location: 'http://169.254.169.254/latest/meta-data' }).end(),
    ['failed', 'permanent', 'Rejected'],
    false,
  ],
];
for (const [what, behave, outcome, mayHaveArrived] of broken)
  test(`a product that ${what}: ${outcome.join(', ')}`, async () => {
    await among(behave, async (street, product) => {
      await firstAttempt(street);
      assert.deepEqual([last(street), street.own().at(-1)?.mayHaveArrived], [outcome, mayHaveArrived]);
      assert.equal(product.requests(), 1);
    });
  });

test('a name that leads to this host after it was checked: the address of each connection is checked', async () => {
  const [good, inside] = await startTwo([
    { behave: (_, response) => response.writeHead(204, { connection: 'close' }).end(), host: '127.0.0.2' },
    { behave: (_, response) => ok(response), host: '127.0.0.1' },
  ]);
  let answers = [['127.0.0.2'], ['127.0.0.2', '127.0.0.1'], ['127.0.0.1']];
  const resolver = {
    async resolve() {
      const [now = ['127.0.0.1'], ...later] = answers;
      answers = later;
      return now.map((address) => ({ address, family: 4 as const }));
    },
  };
  const url = `http://hooks.example.com:${good.port}/hook`;
  const street = openStreet(neighbours, { url, tenant: { allowed: ['127.0.0.2/32'], resolver } });
  try {
    for (const stream of ['inc-1', 'inc-2', 'inc-3']) {
      const before = street.own().length;
      street.tell(stream, false);
      await street.until('its attempt ends', () => street.own().length > before);
    }
    assert.deepEqual(
      street.own().map(({ ended, failure }) => failure?.code ?? ended),
      ['delivered', 'delivered', 'BlockedAddress'],
    );
    assert.deepEqual([good.requests(), inside.requests()], [2, 0]);
    assert.equal(street.own().at(-1)?.failure?.class, 'permanent');
  } finally {
    await street.close();
    await good.stop();
    await inside.stop();
  }
});

test('answers of 10 MB are cut off: 2 GB of them take a tenth of that at most, the product’s own share included', async () => {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const whole = 10 * 1024 * 1024;
  let taken = 0;
  const flood: Behaviour = (_, response) => {
    let left = whole;
    const pour = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        taken += chunk.length;
        if (response.write(chunk)) continue;
        response.once('drain', pour);
        return;
      }
      response.end();
    };
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    pour();
  };
  await among(flood, async (street, product) => {
    await firstAttempt(street);
    const before = process.memoryUsage.rss();
    for (let n = 0; n < 200; n += 1) street.tell(`big-${n}`, false);
    await street.pass(5 * minute);
    const ended = street.own().filter(({ ended: is }) => is === 'delivered').length;
    const grownMb = (process.memoryUsage.rss() - before) / 1024 ** 2;
    assert.equal(ended, 201);
    // What the sockets' buffers hold beyond the 64 KiB that are read.
    assert.ok(
      taken / product.requests() < whole / 2,
      `${Math.round(taken / product.requests())} bytes of each were taken`,
    );
    assert.ok(grownMb < 200, `grew by ${grownMb.toFixed(0)} MB`);
  });
});
