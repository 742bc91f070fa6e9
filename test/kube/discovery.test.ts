import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { allowed, type Discovered, discover } from '../../src/kube/discovery.ts';
import type { Resource } from '../../src/model/resource.ts';
import { type FakeApi, type Handler, sendJson, sendStatus, startFakeApi } from './support/fake-api.ts';
import { realClock } from './support/real-clock.ts';

const verbs = ['get', 'list', 'watch'];
const pods: Resource = { group: '', versions: ['v1'], plural: 'pods', kind: 'Pod', namespaced: true, required: true };
const autoscalers: Resource = {
  group: 'autoscaling',
  versions: ['v2', 'v1'],
  plural: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  namespaced: true,
};
const gateways: Resource = {
  group: 'gateway.networking.k8s.io',
  versions: ['v1'],
  plural: 'gateways',
  kind: 'Gateway',
  namespaced: true,
};

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

function group(name: string, versions: Record<string, string[]>, freshness = 'Current'): unknown {
  return {
    metadata: { name },
    versions: Object.entries(versions).map(([version, plurals]) => ({
      version,
      freshness,
      resources: plurals.map((resource) => ({ resource, verbs })),
    })),
  };
}

/** A server with aggregated discovery that denies reviews of `deny`. */
function aggregated(groups: unknown[], deny: readonly string[] = []): Handler {
  return (request, response) => {
    if (request.path === '/api' || request.path === '/apis') {
      const items = request.path === '/api' ? [group('', { v1: ['pods'] })] : groups;
      sendJson(response, 200, { kind: 'APIGroupDiscoveryList', items });
      return;
    }
    const { resource, verb } = JSON.parse(request.body).spec.resourceAttributes;
    sendJson(response, 201, { status: { allowed: !deny.includes(`${verb} ${resource}`) } });
  };
}

/** A row in short. */
function brief(row: Discovered): string {
  if (row.is === 'watchable') return `${row.resource.plural} ${row.version}`;
  return `${row.resource.plural} ${row.coverage.state} ${row.coverage.reason}`;
}

test('aggregated discovery: the preferred version that is served is chosen, what is not served says so', () =>
  withClient(
    aggregated([group('autoscaling', { v1: [autoscalers.plural], v2: [autoscalers.plural] })]),
    async (client, api) => {
      const rows = await discover(client, [pods, autoscalers, gateways], 1_000);
      assert.deepEqual(rows.map(brief), ['pods v1', 'horizontalpodautoscalers v2', 'gateways NotServed NotServed']);
      assert.deepEqual(rows[2]?.is === 'unwatchable' ? rows[2].coverage : undefined, {
        source: 'gateways.gateway.networking.k8s.io',
        kind: 'Gateway',
        state: 'NotServed',
        reason: 'NotServed',
        since: 1_000,
        required: false,
      });
      assert.equal(api.seen.filter((request) => request.method === 'GET').length, 2);
    },
  ));

test('an older version is taken where the newer is not served', () =>
  withClient(aggregated([group('autoscaling', { v1: [autoscalers.plural] })]), async (client) => {
    assert.deepEqual((await discover(client, [autoscalers], 0)).map(brief), ['horizontalpodautoscalers v1']);
  }));

test('list or watch denied by an access review is Denied, with readiness in mind', () =>
  withClient(aggregated([], ['watch pods']), async (client) => {
    const [row] = await discover(client, [pods], 7);
    assert.ok(row?.is === 'unwatchable');
    assert.deepEqual([row.coverage.state, row.coverage.reason, row.coverage.required], ['Denied', 'Forbidden', true]);
    assert.equal(await allowed(client, pods), false);
  }));

test('the review asks about the namespace where a resource is watched in one only', () =>
  withClient(aggregated([]), async (client, api) => {
    const leases: Resource = { ...pods, namespace: 'kube-system' };
    assert.equal(await allowed(client, leases), true);
    assert.deepEqual(JSON.parse(api.seen[0]?.body ?? '').spec.resourceAttributes, {
      verb: 'list',
      group: '',
      resource: 'pods',
      namespace: 'kube-system',
    });
  }));

test('a group whose API service is down is unknown, not gone', () =>
  withClient(aggregated([group('gateway.networking.k8s.io', { v1: [] }, 'Stale')]), async (client) => {
    assert.deepEqual((await discover(client, [gateways], 0)).map(brief), ['gateways Failing DiscoveryFailed']);
  }));

test('access reviews that cannot be made leave it unknown', () =>
  withClient(
    (request, response) =>
      request.method === 'POST' ? sendStatus(response, 500, 'InternalError') : aggregated([])(request, response),
    async (client) => {
      assert.deepEqual((await discover(client, [pods], 0)).map(brief), ['pods Failing DiscoveryFailed']);
    },
  ));

test('without aggregated discovery each group version of the table is asked', () =>
  withClient(
    (request, response) => {
      const resources = [
        { name: 'pods', verbs },
        { name: 'pods/status', verbs: ['get'] },
      ];
      if (request.method === 'POST') sendJson(response, 201, { status: { allowed: true } });
      else if (request.path === '/api') sendJson(response, 200, { kind: 'APIVersions', versions: ['v1'] });
      else if (request.path === '/apis') sendJson(response, 200, { kind: 'APIGroupList', groups: [] });
      else if (request.path === '/api/v1') sendJson(response, 200, { kind: 'APIResourceList', resources });
      else if (request.path === '/apis/autoscaling/v1')
        sendJson(response, 200, { resources: [{ name: autoscalers.plural, verbs }] });
      else if (request.path === '/apis/gateway.networking.k8s.io/v1') sendStatus(response, 503, 'ServiceUnavailable');
      else sendStatus(response, 404, 'NotFound');
    },
    async (client) => {
      const rows = await discover(client, [pods, autoscalers, gateways], 0);
      assert.deepEqual(rows.map(brief), ['pods v1', 'horizontalpodautoscalers v1', 'gateways Failing DiscoveryFailed']);
    },
  ));

test('a resource without list and watch is not served', () =>
  withClient(
    (_, response) =>
      sendJson(response, 200, {
        kind: 'APIGroupDiscoveryList',
        items: [
          { metadata: { name: '' }, versions: [{ version: 'v1', resources: [{ resource: 'pods', verbs: ['get'] }] }] },
        ],
      }),
    async (client) => {
      assert.deepEqual((await discover(client, [pods], 0)).map(brief), ['pods NotServed NotServed']);
    },
  ));

test('a server that cannot be asked at all leaves everything unknown', async () => {
  await withClient(
    (_, response) => sendStatus(response, 500, 'InternalError'),
    async (client) => {
      assert.deepEqual((await discover(client, [pods, gateways], 0)).map(brief), [
        'pods Failing DiscoveryFailed',
        'gateways Failing DiscoveryFailed',
      ]);
    },
  );
  await withClient(
    (_, response) => void response.destroy(),
    async (client) => {
      assert.deepEqual((await discover(client, [pods], 0)).map(brief), ['pods Failing ConnectionLost']);
    },
  );
});
