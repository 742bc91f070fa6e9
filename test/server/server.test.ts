import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { startServer } from '../../src/server/server.ts';
import { degradations, type ServerViews } from '../../src/server/views.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

const now = Date.parse('2026-11-20T09:00:00Z');
const well: ServerViews = {
  alive: () => true,
  ready: () => ({ checks: [{ name: 'StateLock', ok: true }] }),
  health: () => ({ reasons: [], edition: 'Community', version: '1.2.3', coverage: [] }),
  status: () => undefined,
  metricsGuard: () => undefined,
  now: () => now,
};

/** Runs `use` with the address of a server of these views. */
async function withServer(
  views: Partial<ServerViews>,
  use: (base: string, port: number) => Promise<void>,
): Promise<void> {
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    views: { ...well, ...views },
    metrics: createMetrics({ process: false }),
    log: createLogger({ level: 'silent' }),
  });
  try {
    await use(`http://127.0.0.1:${server.port}`, server.port);
  } finally {
    await server.close();
  }
}

/** The answer to raw bytes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

test('/healthz says ok while turns end, and fails when one is stuck', async () => {
  let alive = true;
  await withServer({ alive: () => alive }, async (base) => {
    const good = await fetch(`${base}/healthz`);
    assert.deepEqual([good.status, await good.text()], [200, 'ok\n']);
    alive = false;
    assert.equal((await fetch(`${base}/healthz`)).status, 503);
  });
});

test('/readyz succeeds only when every check does, and says which do not', async () => {
  let locked = false;
  const ready: ServerViews['ready'] = () => ({
    checks: [
      { name: 'StateLock', ok: locked, ...(!locked && { message: 'held by tocsin-old' }) },
      { name: 'Sources', ok: true },
    ],
  });
  await withServer({ ready }, async (base) => {
    const waiting = await fetch(`${base}/readyz`);
    assert.deepEqual([waiting.status, await waiting.text()], [503, '[-]StateLock: held by tocsin-old\nnot ready\n']);
    assert.match(await (await fetch(`${base}/readyz?verbose`)).text(), /\[\+\]Sources\n/);
    locked = true;
    const good = await fetch(`${base}/readyz`);
    assert.deepEqual([good.status, await good.text()], [200, 'ok\n']);
    assert.equal(await (await fetch(`${base}/readyz?verbose`)).text(), '[+]StateLock\n[+]Sources\nok\n');
  });
});

test('/health answers by its schema, which lists every reason code', async () => {
  const schema = JSON.parse(readFileSync(new URL('../../docs/health.schema.json', import.meta.url), 'utf8'));
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  const health: ServerViews['health'] = () => ({
    reasons: ['SourceDenied'],
    edition: 'Pro',
    version: '1.2.3',
    coverage: [
      {
        ...({ source: 'pods', kind: 'Pod', state: 'Watching', reason: 'Synced', required: true } as const),
        ...{ since: now - 90_500, objects: 12, notJudged: 0, heardAt: now - 5_000 },
      },
      {
        ...({ source: 'nodes', kind: 'Node', state: 'Denied', reason: 'Forbidden', required: true } as const),
        ...{ since: now + 5_000, objects: 0, notJudged: 0 },
      },
    ],
  });
  for (const views of [{}, { health }])
    await withServer(views, async (base) => {
      const body: unknown = await (await fetch(`${base}/health`)).json();
      assert.ok(validate(body), JSON.stringify(validate.errors));
    });
  await withServer({ health }, async (base) => {
    assert.partialDeepStrictEqual(await (await fetch(`${base}/health`)).json(), {
      status: 'degraded',
      reasons: ['SourceDenied'],
      coverage: {
        watching: 1,
        total: 2,
        resources: [
          { resource: 'pods', objects: 12, notJudged: 0, ageSeconds: 90, lastHeardSeconds: 5 },
          { ageSeconds: 0, lastHeardSeconds: null },
        ],
      },
    });
  });
  const listed: { readonly const: string }[] = schema.properties.reasons.items.oneOf;
  assert.deepEqual(listed.map((row) => row.const).sort(), [...degradations].sort());
});

test('/metrics is the exposition format', async () => {
  await withServer({}, async (base) => {
    const answer = await fetch(`${base}/metrics`);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=/);
    assert.match(await answer.text(), /# TYPE tocsin_delivery_attempts_total counter/);
  });
});

test('anything else is a 404 in JSON, /status included unless enabled', async () => {
  await withServer({}, async (base) => {
    for (const path of ['/status', '/', '/../etc/passwd', '/healthz/x', '/%zz']) {
      const answer = await fetch(`${base}${path}`);
      assert.ok(answer.status === 404 || (path === '/%zz' && answer.status === 400), `${path}: ${answer.status}`);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, path);
    }
    const { message } = (await (await fetch(base)).json()) as { readonly message: string };
    assert.match(message, /\/status, once the AlertConfig says statusEndpoint\.enabled: true/);
  });
});

test('only GET and HEAD are served; HEAD has no body', async () => {
  await withServer({}, async (base) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await fetch(`${base}/healthz`, { method });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'], method);
    }
    const head = await fetch(`${base}/healthz`, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
  });
});

test('no answer is cached, and none says what software it is', async () => {
  await withServer({}, async (base) => {
    const { headers } = await fetch(`${base}/health`);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-powered-by'), null);
  });
});

test('huge headers are refused', async () => {
  await withServer({}, async (_, port) => {
    const answer = await raw(port, `GET /healthz HTTP/1.1\r\nhost: x\r\nx-fill: ${'x'.repeat(20_000)}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 431 /);
  });
});

test('a view that throws is a 500 without its words', async () => {
  const health = (): never => {
    throw new Error('secret words');
  };
  await withServer({ health }, async (base) => {
    const answer = await fetch(`${base}/health`);
    assert.equal(answer.status, 500);
    assert.doesNotMatch(await answer.text(), /secret words/);
  });
});

test('a port in use is an error that says so', async () => {
  await withServer({}, async (_, port) => {
    const options = { port, host: '127.0.0.1', views: well, metrics: createMetrics({ process: false }) };
    await assert.rejects(
      startServer({ ...options, log: createLogger({ level: 'silent' }) }),
      /cannot listen on 127\.0\.0\.1:\d+.*in use/,
    );
  });
});

test('on :: both families are served, and where a node has no IPv6, IPv4 is', async () => {
  const options = { port: 0, host: '::', views: well, metrics: createMetrics({ process: false }) };
  const server = await startServer({ ...options, log: createLogger({ level: 'silent' }) });
  try {
    const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));
    for (const host of ['127.0.0.1', ...(hasIPv6 ? ['[::1]'] : [])])
      assert.equal((await fetch(`http://${host}:${server.port}/healthz`)).status, 200, host);
  } finally {
    await server.close();
  }
});
