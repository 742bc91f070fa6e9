import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyStatus } from '../../src/kube/apply.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { readLog } from '../../src/kube/logs.ts';
import { pathOf } from '../../src/kube/path.ts';

import { type FakeApi, type Handler, sendJson, sendStatus, startFakeApi } from './support/fake-api.ts';
import { realClock } from './support/real-clock.ts';

async function withClient(
  handler: Handler,
  run: (client: ReturnType<typeof createApiClient>, api: FakeApi) => Promise<void>,
): Promise<void> {
  const api = await startFakeApi(handler);
  const client = createApiClient(fixedClusterConfig({ server: api.url }), { clock: realClock, version: '0' });
  try {
    await run(client, api);
  } finally {
    await client.close();
    await api.close();
  }
}

test('paths of collections, objects and subresources, in and out of namespaces', () => {
  const deployments = { group: 'apps', plural: 'deployments', namespaced: true };
  const nodes = { group: '', plural: 'nodes', namespaced: false };
  const leases = { group: 'coordination.k8s.io', plural: 'leases', namespaced: true, namespace: 'kube-system' };
  assert.equal(pathOf(deployments, 'v1'), '/apis/apps/v1/deployments');
  assert.equal(
    pathOf(deployments, 'v1', { namespace: 'shop', name: 'api', subresource: 'status' }),
    '/apis/apps/v1/namespaces/shop/deployments/api/status',
  );
  assert.equal(pathOf(nodes, 'v1', { namespace: 'ignored', name: 'a/b' }), '/api/v1/nodes/a%2Fb');
  assert.equal(pathOf(leases, 'v1'), '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases');
});

test('a status is applied on the status subresource by server-side apply', () =>
  withClient(
    (request, response) => sendJson(response, 200, JSON.parse(request.body)),
    async (client, api) => {
      const object = {
        apiVersion: 'tocsin.dev/v1alpha1',
        kind: 'Silence',
        metadata: { name: 's', namespace: 'shop' },
        status: { active: true },
      };
      const path = '/apis/tocsin.dev/v1alpha1/namespaces/shop/silences/s';
      assert.deepEqual(await applyStatus(client, path, object, { fieldManager: 'tocsin', force: true }), object);
      const [seen] = api.seen;
      assert.equal(
        `${seen?.method} ${seen?.path}?${seen?.query}`,
        `PATCH ${path}/status?fieldManager=tocsin&force=true`,
      );
      assert.equal(seen?.headers['content-type'], 'application/apply-patch+yaml');
    },
  ));

test('a log is read with its limits, which also hold when the server ignores them', () =>
  withClient(
    (_, response) => response.end('x'.repeat(10_000)),
    async (client, api) => {
      const request = {
        namespace: 'shop',
        pod: 'api-1',
        container: 'main',
        previous: true,
        tailLines: 30,
        limitBytes: 4_096,
        deadlineMs: 5_000,
      };
      assert.equal((await readLog(client, request)).length, 4_096);
      assert.equal(api.seen[0]?.path, '/api/v1/namespaces/shop/pods/api-1/log');
      assert.equal(api.seen[0]?.query.toString(), 'container=main&previous=true&tailLines=30&limitBytes=4096');
    },
  ));

test('a run that never was is an ApiError with the words of the API server', () =>
  withClient(
    (_, response) => sendStatus(response, 400, 'BadRequest', 'previous terminated container "main" not found'),
    async (client) => {
      const request = {
        namespace: 'a',
        pod: 'b',
        container: 'main',
        previous: true,
        tailLines: 1,
        limitBytes: 1,
        deadlineMs: 1_000,
      };
      await assert.rejects(readLog(client, request), /previous terminated container "main" not found/);
    },
  ));
