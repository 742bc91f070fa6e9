import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { CloudEvent, HTTP } from 'cloudevents';
import type { Act, Notification } from '../../src/model/notification.ts';
import { Secret } from '../../src/model/secret.ts';
import { type Send, type SendRequest, TransportError } from '../../src/providers/provider.ts';
import { isSigningSecret, signatureOf } from '../../src/providers/webhook/signature.ts';
import { webhook } from '../../src/providers/webhook.ts';
import { deliveryOf, notifications } from './notifications.ts';
import { type Arrived, deliverOnce, type Scripted, startProduct } from './product.ts';

const now = Date.parse('2026-11-20T10:00:00.900Z');
const schemaFile = new URL('../../docs/reference/webhook-body.v1.schema.json', import.meta.url);
const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
addFormats.default(ajv);
const checkBody = ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8')));

function assertValid(body: unknown): void {
  assert.ok(checkBody(body), ajv.errorsText(checkBody.errors));
}

type Options = {
  readonly answers?: readonly Scripted[];
  readonly block?: Readonly<Record<string, unknown>>;
  readonly values?: Readonly<Record<string, string>>;
  /** From the product's address to the configured one. */
  readonly address?: (url: string) => string;
};

/** Delivers one notification to a product of its own. */
async function deliver(notification: Notification, options: Options = {}) {
  await using product = await startProduct(options.answers);
  const address = options.address ?? ((url: string) => `${url}/hooks/T0?key=s3cret`);
  const outcome = await deliverOnce(
    webhook,
    options.block ?? {},
    { notification, delivery: deliveryOf(notification), now },
    { url: address(product.url), ...options.values },
  );
  return { outcome, arrived: product.arrived };
}

/** The one request that arrived. */
function only(arrived: readonly Arrived[]): Arrived {
  assert.equal(arrived.length, 1);
  return arrived[0] ?? assert.fail();
}

describe('oracles', () => {
  for (const [act, notification] of Object.entries(notifications)) {
    test(`${act} is valid by our schema and as a CloudEvent`, async () => {
      const { outcome, arrived } = await deliver(notification);
      assert.deepEqual(outcome, { is: 'delivered' });
      const { headers, body } = only(arrived);
      assert.equal(Number(headers['content-length']), Buffer.byteLength(body));
      assertValid(JSON.parse(body));
      const event = HTTP.toEvent({ headers, body });
      assert.ok(event instanceof CloudEvent && event.validate());
    });
  }
});

test('every act of the sheet has its type, and every key of the schema is there', async () => {
  const types: Readonly<Record<Act, string>> = {
    ...{ open: 'incident.opened', update: 'incident.updated', resolve: 'incident.resolved' },
    ...{ reopen: 'incident.reopened', digest: 'message.digest', startup: 'message.plain' },
    ...{ overview: 'message.plain', test: 'test' },
  };
  for (const [act, notification] of Object.entries(notifications)) {
    const { arrived } = await deliver(notification);
    const body = JSON.parse(only(arrived).body);
    assert.equal(body.type, types[notification.act], act);
    assert.equal(only(arrived).headers['ce-type'], `tocsin.${body.type}.v1`);
  }
});

describe('identity', () => {
  test('the id is the same on every retry, in all headers and the body, and holds no dot; only the timestamp differs', async () => {
    await using product = await startProduct([{ status: 500 }]);
    const values = { url: product.url };
    const attempt = { notification: notifications.open, delivery: deliveryOf(notifications.open) };
    await deliverOnce(webhook, {}, { ...attempt, now }, values);
    await deliverOnce(webhook, {}, { ...attempt, now: now + 60_000 }, values);
    const [first, second] = product.arrived;
    assert.ok(first && second);
    const { id } = JSON.parse(first.body);
    assert.doesNotMatch(id, /\./);
    for (const name of ['webhook-id', 'ce-id', 'idempotency-key']) assert.equal(first.headers[name], id);
    assert.equal(second.body, first.body);
    assert.equal(first.headers['webhook-timestamp'], String(Math.floor(now / 1000)));
    const { 'webhook-timestamp': later, ...rest } = second.headers;
    const { 'webhook-timestamp': _earlier, ...before } = first.headers;
    assert.equal(later, String(Math.floor(now / 1000) + 60));
    assert.deepEqual(rest, before);
  });

  test('another act has another id and the same key', async () => {
    const bodies = [];
    for (const act of ['open', 'update', 'resolve', 'reopen'] as const)
      bodies.push(JSON.parse(only((await deliver(notifications[act])).arrived).body));
    assert.equal(new Set(bodies.map(({ id }) => id)).size, 4);
    assert.equal(new Set(bodies.map(({ incident }) => incident.key)).size, 1);
    // The update is the critical one: revision 2 told that the last replica is gone.
    assert.deepEqual(
      bodies.map(({ incident }) => incident.revision),
      [1, 3, 4, 5],
    );
  });
});

describe('authentication and headers', () => {
  const authorization = (user: string, password: string): string =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  test('credentials in the address become Basic authentication and leave the address', async () => {
    const address = (url: string): string => url.replace('://', '://us%40er:p%C3%A4ss@');
    const { arrived } = await deliver(notifications.open, { address });
    assert.equal(only(arrived).headers.authorization, authorization('us@er', 'päss'));
    assert.equal(only(arrived).path, '/');
  });

  test('basicAuth is sent as UTF-8, with an empty password when there is none', async () => {
    const block = { basicAuth: { username: 'tocsin', password: { secretKeyRef: { name: 'a', key: 'b' } } } };
    const full = await deliver(notifications.open, { block, values: { 'basicAuth.password': 'pä:ss\n' } });
    assert.equal(only(full.arrived).headers.authorization, authorization('tocsin', 'pä:ss'));
    const bare = await deliver(notifications.open, { block: { basicAuth: { username: 'tocsin' } } });
    assert.equal(only(bare.arrived).headers.authorization, authorization('tocsin', ''));
  });

  test('own headers are added, and an own Authorization wins over credentials in the address', async () => {
    const { arrived } = await deliver(notifications.open, {
      address: (url) => url.replace('://', '://a:b@'),
      values: { 'headers.X-Team': 'platform', 'headers.Authorization': 'Bearer t' },
    });
    assert.equal(only(arrived).headers['x-team'], 'platform');
    assert.equal(only(arrived).headers.authorization, 'Bearer t');
  });

  test('a header value with a line break is refused before anything is sent, by name and without the value', async () => {
    const { outcome, arrived } = await deliver(notifications.open, { values: { 'headers.X-Key': 'abc\r\nX-Evil: 1' } });
    assert.equal(arrived.length, 0);
    assert.ok(outcome.is === 'permanent' && outcome.credential);
    assert.match(outcome.reason, /X-Key/);
    assert.doesNotMatch(outcome.reason, /abc|Evil/);
  });

  test('an address in the Secret that is none is permanent, named without what may be a credential', async () => {
    const address = (): string => 'https://hooks.example.com:99999/services/T0KEN';
    const { outcome, arrived } = await deliver(notifications.open, { address });
    assert.equal(arrived.length, 0);
    assert.ok(outcome.is === 'permanent' && outcome.credential);
    assert.match(outcome.reason, /`url`.*hooks\.example\.com:99999.*port/);
    assert.doesNotMatch(outcome.reason, /T0KEN/);
  });
});

test('one request never carries two credentials: an own Authorization leaves no other', async () => {
  const requests: SendRequest[] = [];
  const { notification, ...rest } = { notification: notifications.open, delivery: deliveryOf(notifications.open), now };
  const send: Send = (request) => {
    requests.push(request);
    return Promise.reject(new TransportError('Unreachable', 'not sent', false));
  };
  const headers = { AUTHORIZATION: new Secret('Bearer t') };
  const config = {
    url: new Secret('https://a:b@h.example/'),
    headers,
    method: 'POST',
  } as const;
  const none = () => Promise.reject(new Error('this type sends no mail'));
  const mail = { send: none, check: none };
  await assert.rejects(webhook.deliver({ notification, ...rest, config, send, mail }), TransportError);
  assert.deepEqual(
    requests.map(({ basic }) => basic),
    [undefined],
  );
});

describe('answers', () => {
  test('a redirect is not followed and says where it would have led', async () => {
    const answers = [{ status: 302, headers: { location: 'https://elsewhere.example/login?token=abc' } }];
    const { outcome } = await deliver(notifications.open, { answers });
    assert.ok(outcome.is === 'permanent');
    assert.match(outcome.reason, /elsewhere\.example/);
    assert.doesNotMatch(outcome.reason, /abc/);
  });

  test('after 413 the request is repeated once without log lines, under the same id', async () => {
    const { outcome, arrived } = await deliver(notifications.open, { answers: [{ status: 413 }] });
    assert.deepEqual(outcome, { is: 'delivered' });
    const [full, brief] = arrived.map(({ body }) => JSON.parse(body));
    assert.equal(arrived.length, 2);
    assert.match(full.incident.logs, /starting/);
    assert.equal(brief.incident.logs, null);
    assert.doesNotMatch(brief.message, /starting/);
    assert.equal(brief.truncated, true);
    assert.equal(brief.id, full.id);
    assertValid(brief);
  });

  test('a second 413, or one for a request without log lines, is permanent', async () => {
    const twice = await deliver(notifications.open, { answers: [{ status: 413 }, { status: 413 }] });
    assert.equal(twice.outcome.is, 'permanent');
    assert.equal(twice.arrived.length, 2);
    const bare = await deliver(notifications.digest, { answers: [{ status: 413 }] });
    assert.equal(bare.outcome.is, 'permanent');
    assert.equal(bare.arrived.length, 1);
  });

  test('RateLimit-Reset counts only where Retry-After does not say', async () => {
    const wait = async (headers: Readonly<Record<string, string>>) => {
      const { outcome } = await deliver(notifications.open, { answers: [{ status: 429, headers }] });
      return outcome.is === 'rateLimited' ? outcome.afterMs : undefined;
    };
    assert.equal(await wait({ 'ratelimit-reset': '7' }), 7_000);
    assert.equal(await wait({ 'ratelimit-reset': '7', 'retry-after': '3' }), 3_000);
  });
});

describe('size', () => {
  const large = (unit: string): Notification => {
    const pods = Array.from({ length: 400 }, (_, index) => ({
      name: `p${index}-${unit.repeat(20)}`,
      namespace: 'shop',
    }));
    const { incident } = notifications.open;
    assert.ok(incident);
    return {
      ...notifications.open,
      title: unit.repeat(5_000),
      excerpt: { source: 'log', lines: Array.from({ length: 800 }, (_, index) => `${index} ${unit.repeat(60)}`) },
      evidence: Array.from({ length: 100 }, () => unit.repeat(500)),
      incident: { ...incident, pods, podCount: 400, cause: unit.repeat(9_000) },
    };
  };
  for (const unit of ['a', '"', '世', '🔔', '\u05d0', '\ud800'])
    test(`an oversize notification of ${JSON.stringify(unit)} is cut to 64 KiB, says so and stays valid`, async () => {
      const { arrived } = await deliver(large(unit));
      const { body } = only(arrived);
      assert.ok(Buffer.byteLength(body) <= 65_536, `${Buffer.byteLength(body)} bytes`);
      const parsed = JSON.parse(body);
      assertValid(parsed);
      assert.ok(body.isWellFormed() && !body.includes('\\ud'));
      assert.equal(parsed.truncated, true);
      assert.equal(parsed.incident.podsTruncated, true);
      assert.equal(parsed.incident.podCount, 400);
      assert.ok(parsed.incident.pods.length <= 50);
      assert.ok(Buffer.byteLength(parsed.incident.logs) <= 8_192);
      assert.match(parsed.incident.logs, /\n799 /);
    });
});

// Source: standardwebhooks.com and the documentation of Svix, the example of a signature.
test('a signature is that of the example of Standard Webhooks, and what is no secret of theirs is refused', () => {
  const secret = new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const at = 1_614_265_330_900;
  const signature = signatureOf(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', at, '{"test": 2432232314}');
  assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  for (const text of ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])
    assert.ok(isSigningSecret(new Secret(text)), text);
  for (const text of ['', 'whsec_', 'whsec_short', 'not base64 at all!', `whsec_${'A'.repeat(200)}`])
    assert.ok(!isSigningSecret(new Secret(text)), text);
});
