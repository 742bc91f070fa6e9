import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../../src/model/resource.ts';
import type { Input } from '../../src/model/turn.ts';
import { CoverageTracker } from '../../src/runtime/coverage-tracker.ts';
import { Sources } from '../../src/runtime/sources.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { sendJson, sendStatus } from '../kube/support/fake-api.ts';
import { type Harness, withHarness } from '../kube/support/reflector-harness.ts';

const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  versions: ['v1'],
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
const verbs = ['list', 'watch'];
const status = { properties: { conditions: { type: 'array' } } };
const definition = {
  metadata: { name: 'widgets.x.dev', uid: 'crd', resourceVersion: '5' },
  spec: {
    ...{ group: 'x.dev', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' } },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { properties: { status } } } }],
  },
};
const widget = (spec: object) => ({
  metadata: { namespace: 'shop', name: 'one', uid: 'u', resourceVersion: '7', managedFields: [] },
  ...{ spec, status: { conditions: [] } },
});

type Cluster = { remaining: number; spec: object; isAllowed: boolean };

/** Sources on a cluster with one definition; `cluster` may change. */
function watchOn(harness: Harness, cluster: Cluster) {
  const pushed: Input[] = [];
  harness.onList = (request, response) => {
    const { path, method, query } = request;
    const listed = (items: readonly unknown[], more: object = {}) =>
      sendJson(response, 200, { metadata: { resourceVersion: '10', ...more }, items });
    if (method === 'POST') {
      const { resource } = JSON.parse(request.body).spec.resourceAttributes;
      sendJson(response, 201, { status: { allowed: resource !== 'widgets' || cluster.isAllowed } });
    } else if (path === '/api' || path === '/apis') sendJson(response, 200, { kind: 'Other' });
    else if (path === '/apis/apiextensions.k8s.io/v1')
      sendJson(response, 200, { resources: [{ name: definitions.plural, verbs }] });
    else if (path === '/apis/x.dev/v1') sendJson(response, 200, { resources: [{ name: 'widgets', verbs }] });
    else if (path.endsWith(definitions.plural)) listed([definition]);
    else if (path.endsWith('/widgets') && query.get('limit') === '1')
      listed([widget(cluster.spec)], { remainingItemCount: cluster.remaining });
    else if (path.endsWith('/widgets')) listed([widget(cluster.spec)]);
    else sendStatus(response, 404, 'NotFound');
  };
  const coverage = new CoverageTracker(harness.clock, () => undefined);
  const sources = new Sources({
    ...{ client: harness.client, clock: harness.clock, random: () => 0.5, coverage, known: () => [] },
    log: createLogger({ redact: (text) => text, level: 'info', stream: { write: () => undefined } }),
    push: (input) => pushed.push(input),
    resources: [definitions],
  });
  const row = () => {
    const { state, reason } = coverage.row('widgets.x.dev') ?? {};
    return state === undefined ? 'none' : `${state} ${reason}`;
  };
  const becomes = (expected: string, limitMs = 10_000) =>
    harness.passUntil(expected, limitMs, () => row() === expected);
  return { sources, pushed, row, becomes };
}

test('a kind that a definition defines is watched with a licence, from what its objects say alone; without one it is disabled', () =>
  withHarness(async (harness) => {
    const { sources, pushed, becomes } = watchOn(harness, { remaining: 0, spec: { token: 'x' }, isAllowed: true });
    sources.start();
    sources.watchCustom(false);
    await becomes('Disabled NotLicensed');
    assert.equal(harness.api.seen.filter(({ path }) => path.endsWith('/widgets')).length, 0, 'nothing is read');
    sources.watchCustom(true);
    await becomes('Watching Synced');
    const raws = pushed.flatMap((input) =>
      input.kind === 'objects' && input.source === 'widgets.x.dev' ? input.events.map(({ raw }) => raw) : [],
    );
    assert.deepEqual(raws, [
      {
        ...{ apiVersion: 'x.dev/v1', kind: 'Widget', spec: {}, status: { conditions: [] } },
        metadata: { namespace: 'shop', name: 'one', uid: 'u', resourceVersion: '7' },
      },
    ]);
    sources.watchCustom(false);
    await becomes('Disabled NotLicensed');
    await sources.stop();
  }));

test('a kind with more than 5,000 objects, or of more than 64 KiB, is not watched', () =>
  withHarness(async (harness) => {
    const cluster: Cluster = { remaining: 5_000, spec: {}, isAllowed: true };
    const { sources, becomes } = watchOn(harness, cluster);
    sources.start();
    sources.watchCustom(true);
    await becomes('Disabled TooLarge');
    cluster.remaining = 0;
    cluster.spec = { big: 'x'.repeat(64 * 1024) };
    sources.watchCustom(false);
    await becomes('Disabled NotLicensed');
    sources.watchCustom(true);
    await becomes('Disabled TooLarge');
    await sources.stop();
  }));

test('a kind that may not be watched has no row: nobody has asked for it', () =>
  withHarness(async (harness) => {
    const cluster: Cluster = { remaining: 0, spec: {}, isAllowed: false };
    const { sources, row, becomes } = watchOn(harness, cluster);
    sources.start();
    sources.watchCustom(true);
    const asked = () => harness.api.seen.filter(({ method }) => method === 'POST').length;
    await harness.passUntil('it is asked', 10_000, () => asked() > 2);
    await harness.clock.advance(5_000);
    assert.equal(row(), 'none');
    cluster.isAllowed = true;
    sources.watchCustom(false);
    sources.watchCustom(true);
    await becomes('Watching Synced');
    await sources.stop();
  }));
