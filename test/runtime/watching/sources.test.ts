import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../../../src/model/resource.ts';
import type { Input } from '../../../src/model/turn.ts';
import { CoverageTracker } from '../../../src/runtime/watching/coverage-tracker.ts';
import { Sources } from '../../../src/runtime/watching/sources.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { type Handler, sendJson, sendStatus } from '../../kube/support/fake-api.ts';
import { type Harness, type OpenWatch, pod, pods, withHarness } from '../../kube/support/reflector-harness.ts';

const jobs: Resource = { group: 'batch', versions: ['v1'], plural: 'jobs', kind: 'Job', namespaced: true };
const verbs = ['list', 'watch'];

/** A server without aggregated discovery; `batch` answers for the group of Jobs. */
function server(batch: Handler): Handler {
  return (request, response) => {
    if (request.method === 'POST') sendJson(response, 201, { status: { allowed: true } });
    else if (request.path === '/api') sendJson(response, 200, { kind: 'APIVersions', versions: ['v1'] });
    else if (request.path === '/apis') sendJson(response, 200, { kind: 'APIGroupList', groups: [] });
    else if (request.path === '/api/v1') sendJson(response, 200, { resources: [{ name: 'pods', verbs }] });
    else if (request.path === '/apis/batch/v1') batch(request, response);
    else sendJson(response, 200, { metadata: { resourceVersion: '10' }, items: [] });
  };
}

/** Sources on the harness, and what they have said. */
function watchOn(harness: Harness, resources: readonly Resource[] = [{ ...pods, required: true }, jobs]) {
  const pushed: Input[] = [];
  const log: string[] = [];
  let baselines = 0;
  const coverage = new CoverageTracker(harness.clock, () => {
    baselines += 1;
  });
  const sources = new Sources({
    client: harness.client,
    clock: harness.clock,
    random: () => 0.5,
    log: createLogger({ redact: (text) => text, level: 'info', stream: { write: (line) => log.push(line) } }),
    coverage,
    push: (input) => pushed.push(input),
    known: () => [],
    resources,
  });
  const rows = () => coverage.rows().map(({ source, state, reason }) => `${source} ${state} ${reason}`);
  return { sources, coverage, rows, pushed, log, baselines: () => baselines };
}

test('a group that answers 503 when asked what it serves is a failing row, and is watched once it answers', () =>
  withHarness(async (harness) => {
    harness.onList = server((_, response) => sendStatus(response, 503, 'ServiceUnavailable'));
    const { sources, rows, coverage, pushed, log, baselines } = watchOn(harness);
    sources.start();
    await harness.passUntil('Pods are watched', 5_000, () => rows().includes('pods Watching Synced'));
    await harness.passUntil('Jobs have a row', 5_000, () => rows().includes('jobs.batch Failing DiscoveryFailed'));
    assert.ok(
      pushed.some((input) => input.kind === 'source' && input.coverage.kind === 'Job'),
      'the world knows that Jobs are out of sight',
    );
    const { since } = coverage.row('jobs.batch') ?? {};
    coverage.configured();
    await harness.passUntil('it is asked again', 20_000, () => log.filter((line) => /batch\/v1/.test(line)).length > 2);
    assert.equal(coverage.row('jobs.batch')?.since, since, 'still the same: since when does not change');
    assert.equal(log.filter((line) => /"msg":"Failing"/.test(line)).length, 1, 'said once');
    assert.equal(baselines(), 0, 'the baseline waits a while for what may be known in a moment');
    harness.onList = server((_, response) => sendJson(response, 200, { resources: [{ name: 'jobs', verbs }] }));
    await harness.passUntil('Jobs are watched', 65_000, () => rows().includes('jobs.batch Watching Synced'));
    assert.equal(baselines(), 1);
    await sources.stop();
  }));

test('while nothing can be found out every source is failing; a group that fails later keeps its watch', () =>
  withHarness(async (harness) => {
    harness.onList = (_, response) => sendStatus(response, 500, 'InternalError');
    const { sources, rows } = watchOn(harness);
    sources.start();
    await harness.passUntil('rows', 5_000, () => rows().length === 2);
    assert.deepEqual(rows(), ['jobs.batch Failing DiscoveryFailed', 'pods Failing DiscoveryFailed']);
    const both = ['jobs.batch Watching Synced', 'pods Watching Synced'];
    harness.onList = server((_, response) => sendJson(response, 200, { resources: [{ name: 'jobs', verbs }] }));
    await harness.passUntil('all is watched', 65_000, () => rows().join() === both.join());
    harness.onList = server((_, response) => sendStatus(response, 503, 'ServiceUnavailable'));
    const asked = () => harness.api.seen.filter(({ path }) => path === '/apis/batch/v1').length;
    const before = asked();
    const alive = (): void => {
      for (const watch of harness.watches)
        watch.send('BOOKMARK', { metadata: { resourceVersion: String(harness.clock.now()) } });
    };
    for (let minute = 0; minute < 9; minute++) {
      alive();
      await harness.clock.advance(60_000);
    }
    alive();
    await harness.passUntil('it is looked at again', 60_000, () => asked() > before);
    await harness.passUntil('and a second time', 5_000, () => asked() > before + 1);
    assert.deepEqual(rows(), both);
    await sources.stop();
  }));

const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  versions: ['v1'],
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
const widgets: Resource = { group: 'x.dev', versions: ['v1'], plural: 'widgets', kind: 'Widget', namespaced: true };

/** The definition of widgets, at a version of its own. */
function definition(version: string, established: 'True' | 'False'): object {
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'widgets.x.dev', uid: 'crd', resourceVersion: version },
    spec: { group: 'x.dev', names: { plural: 'widgets', kind: 'Widget' }, versions: [{ name: 'v1', served: true }] },
    status: { conditions: [{ type: 'Established', status: established }] },
  };
}

test('a kind whose definition comes is watched within seconds, and one whose definition goes is dropped; nothing of it is called deleted', () =>
  withHarness(async (harness) => {
    let isServed = false;
    const watches = new Map<string, OpenWatch>();
    harness.onWatch = (request, response) => {
      harness.open(request, response);
      const opened = harness.watches.at(-1);
      if (opened) watches.set(request.path, opened);
    };
    harness.onList = (request, response) => {
      const { path, method } = request;
      const groupVersion = path.split('/').slice(2).join('/');
      const served: Record<string, string> = { 'apiextensions.k8s.io/v1': definitions.plural };
      if (isServed) served['x.dev/v1'] = widgets.plural;
      const name = served[groupVersion];
      if (method === 'POST') sendJson(response, 201, { status: { allowed: true } });
      else if (path === '/api' || path === '/apis') sendJson(response, 200, { kind: 'Other' });
      else if (/^\/apis\/[^/]+\/[^/]+$/.test(path) && name) sendJson(response, 200, { resources: [{ name, verbs }] });
      else if (path.endsWith('/widgets') && isServed)
        sendJson(response, 200, { metadata: { resourceVersion: '10' }, items: [pod('one')] });
      else if (path.endsWith(definitions.plural))
        sendJson(response, 200, { metadata: { resourceVersion: '10' }, items: [] });
      else sendStatus(response, 404, 'NotFound');
    };
    const { sources, rows, pushed } = watchOn(harness, [definitions, widgets]);
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    sources.start();
    await harness.passUntil('it is not served', 5_000, () => rows().includes('widgets.x.dev NotServed NotServed'));
    await harness.passUntil('definitions are watched', 5_000, () => watches.has(crds));
    const looks = (): number => harness.api.seen.filter(({ path }) => path === '/apis').length;
    const before = looks();

    watches.get(crds)?.send('ADDED', definition('11', 'False'));
    isServed = true;
    watches.get(crds)?.send('MODIFIED', definition('12', 'True'));
    await harness.passUntil('it is watched', 10_000, () => rows().includes('widgets.x.dev Watching Synced'));
    await harness.clock.advance(40_000);
    watches.get(crds)?.send('MODIFIED', definition('13', 'True'));
    await harness.clock.advance(40_000);
    assert.ok(looks() - before <= 3, 'looked at three times at most; what changes nothing of it asks for no look');

    isServed = false;
    watches.get(crds)?.send('DELETED', definition('14', 'True'));
    watches.get('/apis/x.dev/v1/widgets')?.response.end();
    await harness.passUntil('it is dropped', 10_000, () => rows().includes('widgets.x.dev NotServed NotServed'));
    const gone = pushed.flatMap((input) =>
      input.kind === 'objects' && input.source === 'widgets.x.dev'
        ? input.events.filter(({ is }) => is === 'gone')
        : [],
    );
    assert.deepEqual(gone, []);
    await sources.stop();
  }));
