import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldAt } from '../../sandbox/object.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts';
import { ApiError } from '../../src/kube/api-client.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { linesOf } from '../../src/kube/lines.ts';
import { systemClock } from '../../src/kube/system-clock.ts';

const pods = '/api/v1/pods';
const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
});

async function withSandbox(run: (sandbox: Sandbox) => Promise<void>, options: SandboxOptions = {}): Promise<void> {
  const sandbox = await startSandbox({ controllers: false, ...options });
  try {
    await run(sandbox);
  } finally {
    await sandbox.stop();
  }
}
const ask = async (
  sandbox: Sandbox,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown; headers: Headers }> => {
  const answer = await fetch(`${sandbox.url}${path}`, init);
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) as unknown };
};

describe('faults', () => {
  test("denied: 403 in the server's words, and the access review says no; it ends when it is taken away", () =>
    withSandbox(async (sandbox) => {
      const end = sandbox.inject({ verb: ['list', 'watch'], resource: 'pods', does: { is: 'deny' } });
      const refused = await ask(sandbox, pods);
      assert.equal(refused.status, 403);
      assert.equal(
        fieldAt(refused.body, 'message'),
        'pods is forbidden: User "kubernetes-admin" cannot list resource "pods" in API group "" at the cluster scope',
      );
      const review = async (verb: string): Promise<unknown> => {
        const body = JSON.stringify({ spec: { resourceAttributes: { verb, resource: 'pods' } } });
        const answer = await ask(sandbox, '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
          method: 'POST',
          body,
        });
        return fieldAt(answer.body, 'status', 'allowed');
      };
      assert.deepEqual([await review('watch'), await review('get')], [false, true]);
      assert.equal((await ask(sandbox, '/api/v1/nodes')).status, 200);
      end();
      assert.equal((await ask(sandbox, pods)).status, 200);
    }));

  test('mute: a watch is accepted and never fed, while lists show what happens', () =>
    withSandbox(async (sandbox) => {
      const end = sandbox.inject({ verb: 'watch', resource: 'configmaps', does: { is: 'mute' } });
      const controller = new AbortController();
      const answer = await fetch(`${sandbox.url}${configMaps}?watch=true`, { signal: controller.signal });
      assert.equal(answer.status, 200);
      sandbox.objects.create(configMap('a'));
      const heard = answer.text().then(
        () => 'something',
        () => 'nothing',
      );
      assert.match(JSON.stringify((await ask(sandbox, configMaps)).body), /"name":"a"/);
      controller.abort();
      assert.equal(await heard, 'nothing');
      end();
    }));

  test('a status with Retry-After, for so many requests', () =>
    withSandbox(async (sandbox) => {
      sandbox.inject({
        resource: 'pods',
        times: 2,
        does: { is: 'status', code: 429, reason: 'TooManyRequests', retryAfterSeconds: 3 },
      });
      for (let i = 0; i < 2; i += 1) {
        const { status, headers, body } = await ask(sandbox, pods);
        assert.deepEqual([status, headers.get('retry-after'), fieldAt(body, 'reason')], [429, '3', 'TooManyRequests']);
      }
      assert.equal((await ask(sandbox, pods)).status, 200);
    }));

  test('a connection that is reset, and one that is cut inside the body', () =>
    withSandbox(async (sandbox) => {
      sandbox.inject({ resource: 'pods', times: 1, does: { is: 'reset' } });
      await assert.rejects(ask(sandbox, pods));
      sandbox.inject({ resource: 'namespaces', times: 1, does: { is: 'cut', afterBytes: 100 } });
      const answer = await fetch(`${sandbox.url}/api/v1/namespaces`);
      let size = 0;
      await assert.rejects(async () => {
        for await (const chunk of answer.body ?? []) size += chunk.length;
      });
      assert.equal(size, 100);
    }));

  test('a watch that ends with an ERROR event', () =>
    withSandbox(async (sandbox) => {
      sandbox.inject({ verb: 'watch', times: 1, does: { is: 'watchError', code: 410, reason: 'Expired' } });
      const { status, body } = await ask(sandbox, `${pods}?watch=true`);
      assert.deepEqual([status, fieldAt(body, 'type'), fieldAt(body, 'object', 'reason')], [200, 'ERROR', 'Expired']);
    }));

  test('a server that goes away refuses connections, ends watches, and comes back with what it had', () =>
    withSandbox(async (sandbox) => {
      sandbox.objects.create(configMap('kept'));
      const client = createApiClient(fixedClusterConfig({ server: sandbox.url }), {
        clock: systemClock,
        version: '0.0.0',
      });
      const stream = await client.stream({ path: configMaps, query: { watch: true } });
      const reading = (async () => {
        for await (const _lines of linesOf(stream.chunks));
      })().then(
        () => 'ended',
        () => 'broken',
      );
      await sandbox.goDown();
      assert.ok(['ended', 'broken'].includes(await reading));
      await assert.rejects(
        client.json({ path: configMaps }),
        (error) => error instanceof ApiError && error.status === 0,
      );
      await sandbox.comeBack();
      const list = await client.json<{ items: { metadata: { name: string } }[] }>({ path: configMaps });
      assert.deepEqual(
        list.items.map((item) => item.metadata.name),
        ['kept'],
      );
      await client.close();
    }));
});

test('a page whose version was forgotten gives 410, with a token that goes on at the newest version', () =>
  withSandbox(async (sandbox) => {
    for (const name of ['a', 'b', 'c']) sandbox.objects.create(configMap(name));
    const token = (body: unknown): string => encodeURIComponent(String(fieldAt(body, 'metadata', 'continue')));
    const first = (await ask(sandbox, `${configMaps}?limit=1`)).body;
    sandbox.compact();
    sandbox.objects.create(configMap('d'));
    sandbox.compact();
    const refused = await ask(sandbox, `${configMaps}?limit=1&continue=${token(first)}`);
    assert.deepEqual([refused.status, fieldAt(refused.body, 'reason')], [410, 'Expired']);
    const rest = (await ask(sandbox, `${configMaps}?limit=9&continue=${token(refused.body)}`)).body;
    const names = (fieldAt(rest, 'items') as { metadata: { name: string } }[]).map((item) => item.metadata.name);
    assert.deepEqual(names, ['b', 'c', 'd']);
  }));

test('with tokens, only those who have one are let in, and are known by name', () =>
  withSandbox(
    async (sandbox) => {
      const as = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });
      assert.equal((await ask(sandbox, pods)).status, 401);
      assert.equal((await ask(sandbox, pods, as('wrong'))).status, 401);
      assert.equal((await ask(sandbox, pods, as('right'))).status, 200);
      const body = JSON.stringify({ spec: { token: 'right' } });
      const review = await ask(sandbox, '/apis/authentication.k8s.io/v1/tokenreviews', {
        method: 'POST',
        body,
        ...as('right'),
      });
      assert.equal(fieldAt(review.body, 'status', 'user', 'username'), 'ann');
    },
    { tokens: { right: { username: 'ann', groups: ['people'] } } },
  ));

test('bookmarks come as often as asked, when there is something new to say', () =>
  withSandbox(
    async (sandbox) => {
      const client = createApiClient(fixedClusterConfig({ server: sandbox.url }), {
        clock: systemClock,
        version: '0.0.0',
      });
      const list = await client.json<{ metadata: { resourceVersion: string } }>({ path: pods });
      const query = { watch: true, allowWatchBookmarks: true, resourceVersion: list.metadata.resourceVersion };
      const stream = await client.stream({ path: pods, query });
      sandbox.objects.create(configMap('elsewhere'));
      let seen = '';
      for await (const chunk of stream.chunks) {
        seen += Buffer.from(chunk).toString('utf8');
        if (seen.includes('\n')) break;
      }
      const event: unknown = JSON.parse(seen);
      assert.equal(fieldAt(event, 'type'), 'BOOKMARK');
      assert.ok(
        Number(fieldAt(event, 'object', 'metadata', 'resourceVersion')) > Number(list.metadata.resourceVersion),
      );
      await client.close();
    },
    { bookmarkEveryMs: 20 },
  ));
