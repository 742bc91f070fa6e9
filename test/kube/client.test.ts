import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../src/kube/api-client.ts';
import { type ApiClientOptions, createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import type { RequestInfo } from '../../src/kube/request-info.ts';
import { eventually } from './support/eventually.ts';
import { type FakeApi, type Handler, sendJson, sendStatus, startFakeApi } from './support/fake-api.ts';
import { realClock } from './support/real-clock.ts';
import { virtualClock } from './support/virtual-clock.ts';

async function withApi(
  handler: Handler,
  run: (api: FakeApi, client: ReturnType<typeof createApiClient>) => Promise<void>,
  options: Partial<ApiClientOptions> = {},
): Promise<void> {
  const api = await startFakeApi(handler);
  const client = createApiClient(fixedClusterConfig({ server: api.url, token: 't0' }), {
    clock: realClock,
    version: '1.2.3',
    ...options,
  });
  try {
    await run(api, client);
  } finally {
    await client.close();
    await api.close();
  }
}

async function drained(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString('utf8');
  return text;
}

/** The ApiError that a promise rejects with. */
async function errorFrom(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApiError, `rejected with ${String(error)}`);
  return error;
}

test('a request carries the User-Agent, the token and its query; the parsed answer comes back', async () => {
  await withApi(
    (_, response) => sendJson(response, 200, { kind: 'PodList' }),
    async (api, client) => {
      assert.deepEqual(await client.json({ path: '/api/v1/pods', query: { limit: 1, x: undefined } }), {
        kind: 'PodList',
      });
      const [seen] = api.seen;
      assert.equal(seen?.headers['user-agent'], 'Tocsin/1.2.3 (kubernetes incident operator)');
      assert.equal(seen?.headers.authorization, 'Bearer t0');
      assert.equal(seen?.query.toString(), 'limit=1');
    },
  );
});

test('a body is sent as JSON with the content type that was asked for', async () => {
  await withApi(
    (_, response) => sendJson(response, 200, {}),
    async (api, client) => {
      await client.json({ method: 'PATCH', path: '/a', contentType: 'application/apply-patch+yaml', body: { a: 1 } });
      assert.equal(api.seen[0]?.headers['content-type'], 'application/apply-patch+yaml');
      assert.equal(api.seen[0]?.body, '{"a":1}');
    },
  );
});

test('300 sequential requests, errors among them, use at most 3 connections', async () => {
  await withApi(
    (request, response) =>
      request.query.get('n') === '1' ? sendStatus(response, 404, 'NotFound') : sendJson(response, 200, {}),
    async (api, client) => {
      for (let n = 0; n < 300; n++) {
        const call = client.json({ path: '/api/v1/nodes', query: { n: n % 10 } });
        if (n % 10 === 1) await errorFrom(call);
        else await call;
      }
      assert.equal(api.seen.length, 300);
      assert.ok(api.connections() <= 3, `${api.connections()} connections`);
    },
  );
});

test('a Status object becomes an ApiError with its status, reason and message', async () => {
  await withApi(
    (_, response) => sendStatus(response, 409, 'Conflict', 'the object has been modified'),
    async (_, client) => {
      const error = await errorFrom(client.json({ method: 'PUT', path: '/x', body: {} }));
      assert.deepEqual([error.status, error.reason], [409, 'Conflict']);
      assert.equal(error.message, 'PUT /x: 409 Conflict: the object has been modified');
    },
  );
});

test('an error page that is not a Status object is quoted in short', async () => {
  await withApi(
    (_, response) => {
      response.writeHead(502);
      response.end(`<html>bad gateway</html>${'x'.repeat(100_000)}`);
    },
    async (_, client) => {
      const error = await errorFrom(client.json({ path: '/x' }));
      assert.equal(error.reason, 'HTTP502');
      assert.match(error.message, /bad gateway/);
      assert.ok(error.message.length < 300);
    },
  );
});

test('429 and 5xx with Retry-After are tried again, after that long', async () => {
  const clock = virtualClock();
  let calls = 0;
  await withApi(
    (_, response) => {
      calls++;
      if (calls === 1) sendStatus(response, 429, 'TooManyRequests', 'slow down', { 'retry-after': '3' });
      else if (calls === 2) sendStatus(response, 503, 'ServiceUnavailable', 'later', { 'retry-after': '2' });
      else sendJson(response, 200, { ok: true });
    },
    async (_, client) => {
      const answer = client.json({ path: '/x' });
      await eventually('the first answer has arrived', () => calls === 1 && clock.pending() === 2);
      await clock.advance(2_999);
      assert.equal(calls, 1);
      await clock.advance(1);
      await eventually('the second answer has arrived', () => calls === 2 && clock.pending() === 2);
      await clock.advance(2_000);
      assert.deepEqual(await answer, { ok: true });
      assert.equal(clock.pending(), 0, 'no timer is left behind');
    },
    { clock },
  );
});

test('retries are bounded, and end before the deadline does', async () => {
  let calls = 0;
  await withApi(
    (request, response) => {
      calls++;
      const wait = request.path === '/long' ? '60' : '0';
      sendStatus(response, 429, 'TooManyRequests', 'no', { 'retry-after': wait });
    },
    async (_, client) => {
      assert.equal((await errorFrom(client.json({ path: '/x' }))).status, 429);
      assert.equal(calls, 5);
      calls = 0;
      const error = await errorFrom(client.json({ path: '/long' }));
      assert.deepEqual([calls, error.retryAfterMs], [1, 60_000]);
      calls = 0;
      await errorFrom(client.json({ path: '/x', attempts: 1 }));
      assert.equal(calls, 1);
    },
  );
});

test('a 5xx without Retry-After is not tried again', async () => {
  await withApi(
    (_, response) => sendStatus(response, 500, 'InternalError'),
    async (api, client) => {
      assert.equal((await errorFrom(client.json({ path: '/x' }))).status, 500);
      assert.equal(api.seen.length, 1);
    },
  );
});

test('an answer that does not come within the deadline is an ApiError with status 0', async () => {
  const clock = virtualClock();
  await withApi(
    () => undefined,
    async (api, client) => {
      const failed = errorFrom(client.json({ path: '/slow', deadlineMs: 4_000 }));
      await eventually('the request has arrived', () => api.seen.length === 1);
      await clock.advance(4_000);
      const error = await failed;
      assert.deepEqual([error.status, error.reason], [0, 'Timeout']);
      assert.equal(error.message, 'GET /slow: no answer within 4 s');
    },
    { clock },
  );
});

test('a body that stops half-way is ended by the same deadline', async () => {
  const clock = virtualClock();
  await withApi(
    (_, response) => {
      response.writeHead(200);
      response.write('{"half":');
    },
    async (api, client) => {
      const failed = errorFrom(client.json({ path: '/half', deadlineMs: 4_000 }));
      await eventually('the request has arrived', () => api.seen.length === 1);
      await clock.advance(4_000);
      assert.equal((await failed).reason, 'Timeout');
    },
    { clock },
  );
});

test('the signal of the caller ends a request', async () => {
  await withApi(
    () => undefined,
    async (api, client) => {
      const controller = new AbortController();
      const failed = errorFrom(client.json({ path: '/x', signal: controller.signal }));
      await eventually('the request has arrived', () => api.seen.length === 1);
      controller.abort();
      assert.equal((await failed).reason, 'Aborted');
    },
  );
});

test('a refused connection names the system code and a remedy', async () => {
  const api = await startFakeApi(() => undefined);
  await api.close();
  const client = createApiClient(fixedClusterConfig({ server: api.url }), { clock: realClock, version: '0' });
  const error = await errorFrom(client.json({ path: '/x' }));
  assert.deepEqual([error.status, error.reason], [0, 'ECONNREFUSED']);
  assert.match(error.message, /is the API server running/);
  await client.close();
});

test('a GET on a connection that the server has just closed is sent again, a POST is not', async () => {
  let cut = 1;
  await withApi(
    (_, response) => {
      if (cut-- > 0) response.destroy();
      else sendJson(response, 200, { ok: true });
    },
    async (api, client) => {
      assert.deepEqual(await client.json({ path: '/x' }), { ok: true });
      assert.equal(api.seen.length, 2);
      cut = 1;
      assert.equal((await errorFrom(client.json({ method: 'POST', path: '/x', body: {} }))).status, 0);
      assert.equal(api.seen.length, 3);
    },
  );
});

test('text is cut at maxBytes, however much there is', async () => {
  await withApi(
    (_, response) => response.end('x'.repeat(3_000_000)),
    async (_, client) => {
      assert.equal((await client.text({ path: '/log', maxBytes: 1_000 })).length, 1_000);
      assert.equal((await client.text({ path: '/log' })).length, 1024 * 1024);
    },
  );
});

test('an answer larger than 128 MiB is refused, never made one string', async () => {
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  await withApi(
    (_, response) => {
      let left = 130;
      const more = (): void => {
        if (left-- > 0) response.write(chunk, more);
        else response.end('{}');
      };
      more();
    },
    async (_, client) => {
      assert.equal((await errorFrom(client.json({ path: '/x' }))).reason, 'ResponseTooLarge');
    },
  );
});

test('a list hands its items over as they arrive, and what arrived before it was cut stays handed over', async () => {
  const item = (name: string): string => JSON.stringify({ metadata: { name, text: 'x'.repeat(600) } });
  const begin = `{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[${item('a')},${item('b')},`;
  const got: unknown[][] = [];
  const names = (): string[] => got.flat().map((each) => (each as { metadata: { name: string } }).metadata.name);
  let rest = Promise.withResolvers<string>();
  await withApi(
    (_, response) => {
      response.write(begin);
      void rest.promise.then((end) => (end === '' ? response.destroy() : response.end(end)));
    },
    async (_, client) => {
      const read = () => client.list({ path: '/x' }, async (items) => void got.push([...items]));
      const whole = read();
      await eventually('the first item is handed over', () => names().join() === 'a');
      rest.resolve(`${item('c')}]}`);
      assert.deepEqual(await whole, { resourceVersion: '7' });
      assert.deepEqual(names(), ['a', 'b', 'c']);
      got.length = 0;
      rest = Promise.withResolvers();
      const cut = errorFrom(read());
      await eventually('the first item is handed over', () => names().join() === 'a');
      rest.resolve('');
      assert.equal((await cut).status, 0);
      assert.deepEqual(names(), ['a']);
    },
  );
});

test('a list without items is handed over as none, and one that is not JSON is an ApiError', async () => {
  const got: unknown[][] = [];
  let body = '{"metadata":{"resourceVersion":"7"},"items":null}';
  await withApi(
    (_, response) => response.end(body),
    async (_, client) => {
      const read = () => client.list({ path: '/x' }, async (items) => void got.push([...items]));
      assert.deepEqual(await read(), { resourceVersion: '7' });
      assert.deepEqual(got, [[]]);
      body = '<html>';
      assert.equal((await errorFrom(read())).reason, 'MalformedBody');
    },
  );
});

test('a list of which no item ends within 128 MiB is refused', async () => {
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  await withApi(
    (_, response) => {
      let left = 130;
      const more = (): void => {
        if (left-- > 0) response.write(chunk, more);
        else response.end('{}');
      };
      more();
    },
    async (_, client) => {
      assert.equal((await errorFrom(client.list({ path: '/x' }, async () => {}))).reason, 'ResponseTooLarge');
    },
  );
});

test('an answer that is not JSON is an ApiError, not a crash', async () => {
  await withApi(
    (_, response) => response.end('<html>'),
    async (_, client) => {
      assert.equal((await errorFrom(client.json({ path: '/x' }))).reason, 'MalformedBody');
    },
  );
});

test('a stream hands its bytes over as they arrive, without a time-out on the body', async () => {
  const clock = virtualClock();
  await withApi(
    (_, response) => {
      response.writeHead(200);
      response.write('one\n');
      setTimeout(() => response.end('two\n'), 20);
    },
    async (_, client) => {
      const stream = await client.stream({ path: '/watch', deadlineMs: 1_000 });
      await clock.advance(600_000);
      const texts: string[] = [];
      for await (const chunk of stream.chunks) texts.push(Buffer.from(chunk).toString('utf8'));
      assert.deepEqual(texts, ['one\n', 'two\n']);
      assert.equal(clock.pending(), 0);
    },
    { clock },
  );
});

test('leaving a stream early, or aborting it, ends its connection', async () => {
  let closed = 0;
  await withApi(
    (_, response) => {
      response.on('close', () => closed++);
      response.writeHead(200);
      response.write('one\n');
    },
    async (_, client) => {
      const first = await client.stream({ path: '/watch' });
      for await (const _chunk of first.chunks) break;
      await eventually('the first is closed', () => closed === 1);
      const controller = new AbortController();
      const second = await client.stream({ path: '/watch', signal: controller.signal });
      setTimeout(() => controller.abort(), 10);
      const error = await errorFrom(drained(second.chunks));
      assert.equal(error.reason, 'Aborted');
      await eventually('the second is closed', () => closed === 2);
    },
  );
});

test('a stream that is cut rejects with the system code', async () => {
  await withApi(
    (_, response) => {
      response.writeHead(200);
      response.write('one\n');
      setTimeout(() => response.destroy(), 10);
    },
    async (_, client) => {
      const stream = await client.stream({ path: '/watch' });
      const error = await errorFrom(drained(stream.chunks));
      assert.deepEqual([error.status, error.reason], [0, 'UND_ERR_SOCKET']);
    },
  );
});

test('every answer is told with verb, resource and code, never with a name', async () => {
  const told: RequestInfo[] = [];
  await withApi(
    (request, response) =>
      request.path.endsWith('/gone') ? sendStatus(response, 404, 'NotFound') : sendJson(response, 200, {}),
    async (_, client) => {
      const put = { method: 'PUT', body: {} } as const;
      await client.json({ path: '/api/v1/pods' });
      await client.json({ path: '/api/v1/namespaces/shop/pods', query: { watch: true } });
      await client.text({ path: '/api/v1/namespaces/shop/pods/a/log' });
      await client.json({ path: '/api/v1/namespaces/shop' });
      await client.json({ ...put, path: '/apis/apps/v1/namespaces/shop/deployments/api/status' });
      await client.json({ path: '/readyz' });
      await errorFrom(client.json({ method: 'DELETE', path: '/api/v1/nodes/gone' }));
      await client.close();
      const late = await errorFrom(client.json({ method: 'POST', path: '/apis/a.b/v1/things', body: {} }));
      assert.equal(late.reason, 'Closed');
    },
    { onRequest: (info) => told.push(info) },
  );
  assert.deepEqual(
    told.map((info) => `${info.verb} ${info.resource} ${info.code}`),
    [
      'list pods 200',
      'watch pods 200',
      'get pods/log 200',
      'get namespaces 200',
      'update deployments.apps/status 200',
      'get nonresource 200',
      'delete nodes 404',
      'create things.a.b 0',
    ],
  );
  for (const { code, serverTime = 0 } of told)
    if (code !== 0) assert.ok(Math.abs(serverTime - Date.now()) < 60_000, 'each answer says what time it is there');
});
