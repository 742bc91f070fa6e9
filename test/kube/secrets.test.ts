import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { SecretReader } from '../../src/kube/secret-reader.ts';
import { ProviderSecrets } from '../../src/kube/secrets.ts';
import type { Ref } from '../../src/model/ref.ts';
import { openSecret, Secret } from '../../src/model/secret.ts';
import type { OpenedSecrets, SecretSource } from '../../src/model/secret-source.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import { eventually } from './support/eventually.ts';
import { type FakeApi, type Handler, sendJson, sendStatus, startFakeApi } from './support/fake-api.ts';
import { type VirtualClock, virtualClock } from './support/virtual-clock.ts';

const ref: Ref = 'AlertProvider/shop/chat';

function provider(secrets: ProviderSettings['secrets'], generation = 1): ProviderSettings {
  return {
    ref,
    uid: 'u',
    namespace: 'shop',
    type: 'webhook',
    config: {},
    secrets,
    retry: {},
    suspended: false,
    usable: true,
    active: { is: true, reason: 'Selected' },
    generation,
  };
}

/** A Secret as the API sends it. */
function secret(version: string, data: Record<string, string>): unknown {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return { metadata: { uid: 's', resourceVersion: version }, data: Object.fromEntries(encoded) };
}

type Parts = { api: FakeApi; clock: VirtualClock; source: SecretSource; set(settings: ProviderSettings): void };

async function withSource(handler: Handler, run: (parts: Parts) => Promise<void>): Promise<void> {
  const clock = virtualClock();
  const api = await startFakeApi(handler);
  const client = createApiClient(fixedClusterConfig({ server: api.url }), { clock, version: '0' });
  let settings = provider({ url: { secret: 'chat', key: 'url' } });
  const source = new ProviderSecrets({
    reader: new SecretReader(client, clock),
    provider: (asked) => (asked === ref ? settings : undefined),
    inline: (_, field) => (field === 'title' ? new Secret('written here') : undefined),
  });
  try {
    await run({
      api,
      clock,
      source,
      set: (next) => {
        settings = next;
      },
    });
  } finally {
    await client.close();
    await api.close();
  }
}

async function opened(source: SecretSource, fresh = false): Promise<OpenedSecrets> {
  const answer = await source.open(ref, fresh);
  assert.ok('values' in answer, inspect(answer));
  return answer;
}

function plain(answer: OpenedSecrets): Record<string, string> {
  return Object.fromEntries([...answer.values].map(([field, value]) => [field, openSecret(value)]));
}

test('fields come from the Secrets of the provider’s own namespace and from the object itself, as Secret values', () =>
  withSource(
    (_, response) => sendJson(response, 200, secret('1', { url: 'https://hook\n', token: 'grüße' })),
    async ({ api, source, set }) => {
      set(
        provider({
          url: { secret: 'chat', key: 'url' },
          'headers.X-Key': { secret: 'chat', key: 'token' },
          title: { inline: true },
        }),
      );
      const answer = await opened(source);
      assert.deepEqual(plain(answer), { url: 'https://hook', 'headers.X-Key': 'grüße', title: 'written here' });
      assert.ok(!inspect(answer).includes('hook'));
      assert.deepEqual(
        api.seen.map((request) => request.path),
        ['/api/v1/namespaces/shop/secrets/chat'],
      );
    },
  ));

test('a Secret is read again after 60 s, though the host’s clock is set back, and at once when fresh is asked for', () =>
  withSource(
    (_, response) => sendJson(response, 200, secret('1', { url: 'u' })),
    async ({ api, clock, source }) => {
      await opened(source);
      await clock.advance(59_000);
      await opened(source);
      assert.equal(api.seen.length, 1);
      clock.step(-45 * 60_000);
      await clock.advance(1_000);
      await opened(source);
      assert.equal(api.seen.length, 2);
      await opened(source, true);
      assert.equal(api.seen.length, 3);
    },
  ));

test('the version changes with the Secret and with the provider, and only then', () => {
  let stored = secret('1', { url: 'u' });
  return withSource(
    (_, response) => sendJson(response, 200, stored),
    async ({ source, set }) => {
      const first = (await opened(source)).version;
      assert.equal((await opened(source, true)).version, first);
      stored = secret('2', { url: 'u2' });
      const second = (await opened(source, true)).version;
      assert.notEqual(second, first);
      set(provider({ url: { secret: 'chat', key: 'url' } }, 2));
      assert.notEqual((await opened(source)).version, second);
    },
  );
});

test('a Secret that does not exist, and a key it lacks, are named', () => {
  let exists = false;
  return withSource(
    (_, response) =>
      exists ? sendJson(response, 200, secret('1', { other: 'x' })) : sendStatus(response, 404, 'NotFound'),
    async ({ source, set }) => {
      assert.deepEqual(await source.open(ref, false), { missing: 'Secret/shop/chat' });
      exists = true;
      assert.deepEqual(await source.open(ref, false), { missing: 'Secret/shop/chat', key: 'url' });
      set(provider({ body: { inline: true } }));
      assert.deepEqual(await source.open(ref, false), { missing: ref, key: 'body' });
      assert.deepEqual(await source.open('AlertProvider/shop/other', false), { missing: 'AlertProvider/shop/other' });
    },
  );
});

test('a refused read says which permission is needed', () =>
  withSource(
    (_, response) => sendStatus(response, 403, 'Forbidden'),
    async ({ source }) => {
      assert.deepEqual(await source.open(ref, false), {
        missing: 'Secret/shop/chat',
        denied: true,
        permission: 'get secrets in namespace shop (Secret chat)',
      });
    },
  ));

test('while the API server does not answer, what was last read is used; without that the call rejects', () => {
  let up = true;
  return withSource(
    (_, response) =>
      up ? sendJson(response, 200, secret('1', { url: 'u' })) : sendStatus(response, 503, 'ServiceUnavailable'),
    async ({ clock, source, set }) => {
      await opened(source);
      up = false;
      await clock.advance(600_000);
      assert.deepEqual(plain(await opened(source)), { url: 'u' });
      set(provider({ url: { secret: 'never-read', key: 'url' } }));
      await assert.rejects(source.open(ref, false), { status: 503 });
    },
  );
});

test('a Secret that was deleted is not used from memory', () => {
  let exists = true;
  return withSource(
    (_, response) =>
      exists ? sendJson(response, 200, secret('1', { url: 'u' })) : sendStatus(response, 404, 'NotFound'),
    async ({ source }) => {
      await opened(source);
      exists = false;
      assert.deepEqual(await source.open(ref, true), { missing: 'Secret/shop/chat' });
    },
  );
});

test('calls at the same time share one read', () => {
  let respond = (): void => undefined;
  return withSource(
    (_, response) => {
      respond = () => sendJson(response, 200, secret('1', { url: 'u' }));
    },
    async ({ api, source }) => {
      const calls = [opened(source), opened(source), opened(source, true)];
      await eventually('it is asked for', () => api.seen.length === 1);
      respond();
      await Promise.all(calls);
      assert.equal(api.seen.length, 1);
    },
  );
});
