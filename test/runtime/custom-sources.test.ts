import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Resource, sourceOf } from '../../src/model/resource.ts';
import type { Input } from '../../src/model/turn.ts';
import { CoverageTracker } from '../../src/runtime/watching/coverage-tracker.ts';
import { Sources } from '../../src/runtime/watching/sources.ts';
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
const definitionOf = (plural: string, kind = plural) => ({
  metadata: { name: `${plural}.x.dev`, uid: `crd-${plural}`, resourceVersion: '5' },
  spec: {
    ...{ group: 'x.dev', scope: 'Namespaced', names: { plural, kind } },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { properties: { status } } } }],
  },
});
const definition = definitionOf('widgets', 'Widget');
const widget = (spec: object) => ({
  metadata: { namespace: 'shop', name: 'one', uid: 'u', resourceVersion: '7', managedFields: [] },
  ...{ spec, status: { conditions: [] } },
});

type Cluster = { remaining: number; spec: object; isAllowed: boolean };

/** Sources on a cluster with one definition; `cluster` may change. */
function watchOn(harness: Harness, cluster: Cluster) {
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
  return watchOnApi(harness, [definitions]);
}

/** Sources on whatever the harness answers. */
function watchOnApi(harness: Harness, resources: readonly Resource[]) {
  const pushed: Input[] = [];
  const coverage = new CoverageTracker(harness.clock, () => undefined);
  const sources = new Sources({
    ...{ client: harness.client, clock: harness.clock, random: () => 0.5, coverage, known: () => [] },
    log: createLogger({ redact: (text) => text, level: 'info', stream: { write: () => undefined } }),
    push: (input) => pushed.push(input),
    resources,
  });
  const row = (source = 'widgets.x.dev') => {
    const { state, reason } = coverage.row(source) ?? {};
    return state === undefined ? 'none' : `${state} ${reason}`;
  };
  const becomes = (expected: string, limitMs = 10_000) =>
    harness.passUntil(expected, limitMs, () => row() === expected);
  return { sources, pushed, coverage, row, becomes };
}

test('a kind that a definition defines is watched with a licence, from what its objects say alone; without one it is disabled', () =>
  withHarness(async (harness) => {
    const cluster = { remaining: 0, spec: { token: 'x' }, isAllowed: true };
    const { sources, pushed, row, becomes } = watchOn(harness, cluster);
    sources.start();
    sources.license(false);
    assert.equal(row('customresources'), 'Disabled NotLicensed', 'one row for all that nobody has asked for');
    await harness.passUntil('definitions are watched', 10_000, () => row(sourceOf(definitions)) === 'Watching Synced');
    await harness.clock.advance(30_000);
    assert.equal(row(), 'none');
    assert.equal(harness.api.seen.filter(({ path }) => path.endsWith('/widgets')).length, 0, 'nothing is read');
    sources.license(true);
    assert.equal(row('customresources'), 'Watching Synced');
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
    sources.license(false);
    await becomes('Disabled NotLicensed');
    await sources.stop();
  }));

test('a kind with more than 5,000 objects, or of more than 64 KiB, is not watched', () =>
  withHarness(async (harness) => {
    const cluster: Cluster = { remaining: 5_000, spec: {}, isAllowed: true };
    const { sources, becomes } = watchOn(harness, cluster);
    sources.start();
    sources.license(true);
    await becomes('Disabled TooLarge');
    cluster.remaining = 0;
    cluster.spec = { big: 'x'.repeat(64 * 1024) };
    sources.license(false);
    await becomes('Disabled NotLicensed');
    sources.license(true);
    await becomes('Disabled TooLarge');
    await sources.stop();
  }));

test('a kind that may not be watched has no row: nobody has asked for it', () =>
  withHarness(async (harness) => {
    const cluster: Cluster = { remaining: 0, spec: {}, isAllowed: false };
    const { sources, row, becomes } = watchOn(harness, cluster);
    sources.start();
    sources.license(true);
    const asked = () => harness.api.seen.filter(({ method }) => method === 'POST').length;
    await harness.passUntil('it is asked', 10_000, () => asked() > 2);
    await harness.clock.advance(5_000);
    assert.equal(row(), 'none');
    cluster.isAllowed = true;
    sources.license(false);
    sources.license(true);
    await becomes('Watching Synced');
    await sources.stop();
  }));

test('without a licence nothing is asked of 100 custom kinds, nor of what is opted into; with one it is', () =>
  withHarness(async (harness) => {
    const plurals = Array.from({ length: 100 }, (_, index) => `kind${index}s`);
    const opted: Resource = {
      group: '',
      versions: ['v1'],
      plural: 'pods',
      kind: 'Pod',
      namespaced: true,
      optIn: true,
      licensed: true,
    };
    const reviewed: string[] = [];
    harness.onList = (request, response) => {
      const { path, method } = request;
      const listed = (items: readonly unknown[]) =>
        sendJson(response, 200, { metadata: { resourceVersion: '10' }, items });
      const serves = (names: readonly string[]) =>
        sendJson(response, 200, { resources: names.map((name) => ({ name, verbs })) });
      if (method === 'POST') {
        const { resource } = JSON.parse(request.body).spec.resourceAttributes;
        reviewed.push(resource);
        sendJson(response, 201, { status: { allowed: resource === definitions.plural } });
      } else if (path === '/api' || path === '/apis') sendJson(response, 200, { kind: 'Other' });
      else if (path === '/api/v1') serves(['pods']);
      else if (path === '/apis/apiextensions.k8s.io/v1') serves([definitions.plural]);
      else if (path === '/apis/x.dev/v1') serves(plurals);
      else listed(plurals.map((plural) => definitionOf(plural)));
    };
    const { sources, coverage, row } = watchOnApi(harness, [definitions, opted]);
    sources.start();
    sources.license(false);
    await harness.passUntil('definitions are watched', 10_000, () => row(sourceOf(definitions)) === 'Watching Synced');
    await harness.clock.advance(60_000);
    assert.deepEqual([...reviewed], [definitions.plural, definitions.plural], 'list and watch of definitions, once');
    assert.equal(row('pods'), 'Disabled NotLicensed');
    assert.equal(coverage.rows().length, 3, 'definitions, custom resources, what is opted into');
    sources.license(true);
    await harness.passUntil('all are asked for', 30_000, () => new Set(reviewed).size === 102);
    await harness.passUntil('opting in is seen', 10_000, () => row('pods') === 'Disabled OptIn');
    await sources.stop();
  }));
