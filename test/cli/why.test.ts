import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { main } from '../../src/cli/program.ts';
import { inCommon, runFleet } from '../../src/cli/running/fleet.ts';
import { runHistory } from '../../src/cli/running/history.ts';
import { runIncidents } from '../../src/cli/running/incidents.ts';
import { runStatus } from '../../src/cli/running/status.ts';
import { runWhy, type WhyArguments } from '../../src/cli/running/why.ts';
import { readPage } from '../../src/kube/operator-page.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { namespaceOf } from '../../src/model/ref.ts';
import { defaultSettings, type Settings, type SilenceSettings } from '../../src/model/settings.ts';
import type { Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { coverage } from '../runtime/helpers.ts';
import { turnDelivered } from './delivered.ts';
import { serveCore } from './served-core.ts';
import { printed } from './streams.ts';

const start = Date.parse('2026-11-20T09:00:00Z');
const iso = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

/** A lone Pod that crash-loops since the start. */
function crashing(name: string, namespace: string): RawObject {
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name, namespace, uid: `${namespace}-${name}`, creationTimestamp: iso(-600) },
    spec: { nodeName: 'n1', containers: [{ name: 'app', image: 'registry.example/api:1' }] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady', lastTransitionTime: iso(1) }],
      containerStatuses: [
        {
          ...{ name: 'app', image: 'registry.example/api:1', imageID: 'x', ready: false, restartCount: 5 },
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 2m40s restarting failed container' } },
          lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: iso(3), finishedAt: iso(5) } },
        },
      ],
    },
  };
}

/** One that has never failed. */
const healthy = (name: string, namespace: string): RawObject => ({
  ...{ ...crashing(name, namespace), status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
});
const namespaceCalled = (name: string): { readonly is: 'put'; readonly raw: RawObject } => ({
  ...{ is: 'put', raw: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: name } } },
});
const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
const widgets: RawObject = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'widgets.example.com', uid: 'widgets' },
  spec: { group: 'example.com', names: { plural: 'widgets', kind: 'Widget' } },
};

const silence: SilenceSettings = {
  ...{ ref: 'Silence/tocsin/search-move', namespace: 'tocsin', selector: { namespaces: ['search'] } },
  ...{ startsAt: start - 60_000, endsAt: start + 3_600_000 },
};
const settings: Settings = {
  ...{ ...defaultSettings, edition: 'Pro', operatorNamespace: 'tocsin' },
  app: { ...defaultSettings.app, clusterName: 'prod-eu' },
  filters: { namespaces: ['!lab'], reasons: [] },
  silences: [silence],
  providers: [
    provider('chat', { namespace: 'tocsin' }),
    provider('pager', { namespace: 'tocsin', routes: [{ severities: ['critical'] }] }),
  ],
};

/** A core that has told of one Pod and kept two others back, and the time it is there. */
function storyTold(): { readonly core: Core; readonly now: number } {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const first: readonly Input[] = [
    { kind: 'source', coverage: { ...coverage('pods', 'Watching'), kind: 'Pod' } },
    { kind: 'source', coverage: { ...coverage('namespaces', 'Watching'), kind: 'Namespace' } },
    { kind: 'objects', source: 'namespaces', events: ['shop', 'search', 'lab'].map(namespaceCalled) },
    { kind: 'objects', source: 'pods', events: [{ is: 'put', raw: healthy('only', 'shop') }] },
    { kind: 'source', coverage: { ...coverage(definitions, 'Watching'), kind: 'CustomResourceDefinition' } },
    { kind: 'objects', source: definitions, events: [{ is: 'put', raw: widgets }] },
    { kind: 'settings', settings },
    { kind: 'baseline' },
  ];
  turnDelivered(core, first, start);
  const events = ['shop', 'search', 'lab'].map(
    (namespace) => ({ is: 'put', raw: crashing('api', namespace) }) as const,
  );
  let now = start + 6_000;
  let effects = turnDelivered(core, [{ kind: 'objects', source: 'pods', events }], now);
  const isOpen = (): boolean => [...core.view.incidents()].filter(({ state }) => state === 'Open').length === 3;
  for (let turn = 0; turn < 50 && !isOpen() && effects.wakeAt !== undefined; turn += 1) {
    now = effects.wakeAt;
    effects = turnDelivered(core, [{ kind: 'wake' }], now);
  }
  return { core, now };
}

const { core, now } = storyTold();
let url = '';
let close: () => Promise<void>;

before(async () => {
  ({ url, close } = await serveCore(core, settings, now));
});
after(() => close());

const ask = (object: string, more: Partial<WhyArguments> = {}): Promise<string> =>
  printed((streams) => runWhy({ object, url, tocsinNamespace: 'tocsin', output: 'text', ...more }, streams)).then(
    ({ out }) => out,
  );

test('why says of what was told: the cause, who was told, and whom no route picked', async () => {
  const out = await ask('po/shop/api');
  assert.match(out, /^Pod shop\/api\n/);
  assert.match(out, /high CrashLoopBackOff · Pod shop\/api/);
  assert.match(out, /Pod shop\/api crashes: exit code 1\. It began at 09:00 UTC/);
  assert.match(out, /✓ tocsin\/chat: Notified of CrashLoopBackOff at 09:0\d UTC\./);
  assert.match(out, /✗ tocsin\/pager: Its route does not pick it: it takes \(severities critical\)\./);
});

test('why names the Silence that holds something back, and until when', async () => {
  assert.match(
    await ask('pod/api', { namespace: 'search' }),
    /It is silenced until 10:00 UTC by Silence tocsin\/search-move\./,
  );
});

test('why names the filter that holds something back', async () => {
  assert.match(await ask('Pod/lab/api'), /It is filtered out by the AlertConfig \(spec\.filters\.namespaces\)\./);
});

test('why says what would become of an incident of what is healthy or not there, now and later', async () => {
  const nowOut = await ask('pod/search/web');
  assert.match(nowOut, /There is no Pod of this name in the namespace search\./);
  assert.match(nowOut, /If it failed:\n {2}- For the whole cluster: It is silenced until 10:00 UTC/);
  assert.match(await ask('pod/search/web', { at: '2026-11-20T11:00:00Z' }), /✓ tocsin\/chat: It has no routes/);
});

test('why does not claim that all is well with what it cannot see', async () => {
  assert.match(await ask('secret/shop/token'), /Tocsin does not watch Secret objects/);
});

test('its answer has the form that its schema says', async () => {
  const schema: object = JSON.parse(readFileSync(new URL('../../docs/why.schema.json', import.meta.url), 'utf8'));
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  const isValid = ajv.compile(schema);
  for (const object of ['pod/shop/api', 'pod/search/web', 'Node//n1']) {
    const { status, body } = await readPage(new URL(`/status/why?object=${object}`, url));
    assert.equal(status, 200);
    assert.ok(isValid(JSON.parse(body)), JSON.stringify(isValid.errors));
  }
});

test('a question that names no object or no time is refused with how to ask', async () => {
  for (const query of ['', '?object=nothing', '?object=pod/shop/api&at=tomorrow', '?object=a&object=b']) {
    const { status, body } = await readPage(new URL(`/status/why${query}`, url));
    assert.equal(status, 400);
    assert.match(body, /KIND\/NAMESPACE\/NAME/);
  }
});

test('why takes the ID of an incident, as every message shows it', async () => {
  for (const { id, explanation } of core.view.incidents()) {
    const out = await ask(id);
    assert.match(out, new RegExp(`^Pod ${namespaceOf(explanation.root.ref)}/api\n`));
    assert.match(out, new RegExp(`CrashLoopBackOff · .*${id}`));
  }
});

test('why takes objects as people write them for kubectl', async () => {
  for (const object of ['pods/shop/api', 'po shop/api', 'Pod/shop/api', 'shop/api'])
    assert.match(await ask(object), /^Pod shop\/api\n/, object);
  for (const object of ['pod api', 'po/api', 'api']) {
    assert.match(await ask(object, { namespace: 'lab' }), /^Pod lab\/api\n/, object);
  }
  assert.match(await ask('only'), /^Pod shop\/only\n/);
  assert.match(await ask('po/only'), /^Pod shop\/only\n/);
  assert.match(await ask('no/n1', { namespace: 'shop' }), /^Node n1\n/);
  const kinds: readonly (readonly [string, string])[] = [
    ...([
      ['deploy', 'Deployment'],
      ['sts', 'StatefulSet'],
      ['ds', 'DaemonSet'],
      ['cj', 'CronJob'],
    ] as const),
    ...([
      ['svc', 'Service'],
      ['ing', 'Ingress'],
      ['pvc', 'PersistentVolumeClaim'],
      ['cm', 'ConfigMap'],
    ] as const),
    ...([
      ['hpa', 'HorizontalPodAutoscaler'],
      ['pdb', 'PodDisruptionBudget'],
      ['netpol', 'NetworkPolicy'],
    ] as const),
    ...([
      ['secrets', 'Secret'],
      ['deployments.apps', 'Deployment'],
      ['widgets', 'Widget'],
    ] as const),
  ];
  for (const [word, kind] of kinds)
    assert.match(await ask(`${word} x`, { namespace: 'shop' }), new RegExp(`^${kind} shop/x\n`), word);
  for (const [word, kind] of [
    ['pv', 'PersistentVolume'],
    ['ns', 'Namespace'],
  ])
    assert.match(await ask(`${word} x`), new RegExp(`^${kind} x\n`), word);
});

test('why lists the objects that a name may mean', async () => {
  for (const object of ['api', 'pod/api'])
    await assert.rejects(ask(object), (error: Error) => {
      assert.equal(error.name, 'UsageError');
      assert.equal(
        error.message,
        '3 objects are called "api": ask for one of them.\n  pod/lab/api\n  pod/search/api\n  pod/shop/api',
      );
      return true;
    });
});

test('a question that why does not understand is a usage error with its remedy, in words of a terminal', async () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    [
      'Deploymnt/shop/api',
      /^There is no kind "Deploymnt"\. Did you mean "deployment"\? Kinds are written as for kubectl/,
    ],
    ['deploy/payments', /^Tocsin knows no Deployment payments in any namespace: .* give its namespace too\.$/],
    ['payments', /^Tocsin knows no incident and no object of the name "payments"\. Ask for an incident by the ID/],
    ['0123456789abcdef', /^Tocsin knows no incident with the ID 0123456789abcdef: it forgets those that are long over/],
    ['deployment/', /^Which Deployment\? Ask for an incident/],
    ['  ', /^Ask for an incident by the ID/],
  ];
  for (const [object, says] of rows)
    await assert.rejects(ask(object), (error: Error) => {
      assert.match(error.message, says);
      assert.doesNotMatch(error.message, /\?object=|HTTP/);
      assert.equal(error.name, 'UsageError');
      return true;
    });
  await assert.rejects(ask('pod/shop/api', { namespace: 'lab' }), /is in the namespace "shop".*"lab" is asked for/);
});

test('incidents lists what is open, worst first, and what became of each', async () => {
  const { out, code } = await printed((streams) =>
    runIncidents({ url, tocsinNamespace: 'tocsin', output: 'text' }, streams, now),
  );
  assert.equal(code, 0);
  assert.match(out, /^SEVERITY\s+AGE\s+WHAT\s+REASON/);
  assert.match(out, /high .*Pod shop\/api crashes: exit code 1 .*CrashLoopBackOff .*Notified 09:01 UTC\n/);
  assert.match(out, /Pod search\/api .*Silenced until 10:00 UTC by Silence tocsin\/search-move\n/);
});

test('incidents with a search lists what fits, open or over, with its cause; where nothing does it says how far back it remembers', async () => {
  const search = (words: string, more: object = {}) =>
    printed((streams) =>
      runHistory({ url, tocsinNamespace: 'tocsin', output: 'text', search: words, ...more }, streams, now),
    );
  const { out, code } = await search('object:shop/api reason:crashloopbackoff');
  assert.equal(code, 0);
  assert.match(out, /^SEVERITY\s+BEGAN\s+LASTED\s+REASON\s+OBJECT\s+ID\s+CAUSE\n/);
  assert.match(out, /^high\s+\S.* ago\s+open\s+CrashLoopBackOff {2}Pod shop\/api {2,}[0-9a-f]{16} /m);
  assert.equal(out.trim().split('\n').length, 2);
  assert.equal((await search('reason:OOMKilled')).out, 'No incident fits. Nothing that is over is remembered yet.\n');
  const [row] = JSON.parse((await search('object:shop/api', { output: 'json' })).out);
  assert.deepEqual([row.root.name, row.resolvedAt], ['api', null]);
  await assert.rejects(search('api', { since: 'yesterday' }), /Give times as in RFC 3339/);
  await assert.rejects(search('api', { all: true, over: true }), /give one/);
});

test('status shows coverage, providers and deliveries on one screen', async () => {
  const { out, code } = await printed((streams) =>
    runStatus({ url, tocsinNamespace: 'tocsin', output: 'text' }, streams, now),
  );
  assert.equal(code, 0);
  assert.match(out, /Cluster {3}prod-eu\nTocsin {4}1\.2\.3, Pro: healthy/);
  assert.match(out, /tocsin\/chat +\S+ +active/);
});

test('without --url the port is forwarded by kubectl, which is ended afterwards', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-kubectl-'));
  const path = process.env.PATH ?? '';
  const ended = join(folder, 'ended');
  const script = [
    '#!/bin/sh',
    `echo "$@" > '${join(folder, 'args')}'`,
    `trap 'touch ${ended}; exit 0' TERM`,
    `echo 'Forwarding from 127.0.0.1:${new URL(url).port} -> 8060'`,
    'while :; do sleep 0.1; done',
  ];
  writeFileSync(join(folder, 'kubectl'), `${script.join('\n')}\n`);
  chmodSync(join(folder, 'kubectl'), 0o755);
  try {
    process.env.PATH = `${folder}${delimiter}${path}`;
    const { out } = await printed((streams) =>
      runWhy({ object: 'pod/shop/api', tocsinNamespace: 'alerts', context: 'prod', output: 'text' }, streams),
    );
    assert.match(out, /Notified of CrashLoopBackOff/);
    assert.equal(
      readFileSync(join(folder, 'args'), 'utf8'),
      '--context prod --namespace alerts port-forward --address 127.0.0.1 deployment/tocsin :8060\n',
    );
  } finally {
    process.env.PATH = path;
    rmSync(folder, { recursive: true, force: true });
  }
});

test('incidents of several clusters stand in one table, with what they have in common and who could not be asked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-kubectl-'));
  const path = process.env.PATH ?? '';
  const script = [
    '#!/bin/sh',
    'case "$2" in',
    `prod-*) echo 'Forwarding from 127.0.0.1:${new URL(url).port} -> 8060' ;;`,
    `*) echo 'error: context "lab" does not exist' >&2; exit 1 ;;`,
    'esac',
    `trap 'exit 0' TERM`,
    'while :; do sleep 0.1; done',
  ];
  writeFileSync(join(folder, 'kubectl'), `${script.join('\n')}\n`);
  chmodSync(join(folder, 'kubectl'), 0o755);
  try {
    process.env.PATH = `${folder}${delimiter}${path}`;
    const ask = (output: 'text' | 'json', ...contexts: readonly string[]) =>
      printed((streams) => runFleet({ contexts, tocsinNamespace: 'tocsin', output }, streams, now));
    const { out, code } = await ask('text', 'prod-a', 'prod-b', 'lab');
    assert.equal(code, 1, 'one of them could not be asked');
    assert.match(out, /^CLUSTER +SEVERITY +AGE +REASON +OBJECT +ALSO HIT\nprod-eu +high /);
    assert.equal(out.match(/CrashLoopBackOff {2}Pod shop\/api/g)?.length, 2);
    assert.match(out, /\nlab could not be asked: kubectl cannot forward a port: .*context "lab" does not exist/);
    const rows = JSON.parse((await ask('json', 'prod-a')).out) as { context: string; cluster: string; total: number }[];
    assert.deepEqual(
      rows.map(({ context, cluster, total }) => [context, cluster, total]),
      [['prod-a', 'prod-eu', 3]],
    );
    assert.match((await ask('text', 'lab')).out, /^No cluster answered\.\nlab could not be asked/);
  } finally {
    process.env.PATH = path;
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the same registry in two clusters is one trouble', () => {
  const registry = { kind: 'Registry', namespace: '', name: 'ghcr.io' };
  const node = { kind: 'Node', namespace: '', name: 'n1' };
  const rows = (root: object) =>
    ['prod-eu', 'prod-us'].map((cluster) => ({ cluster, reason: 'RegistryUnreachable', root: root as typeof node }));
  assert.deepEqual(inCommon(rows(registry)), [
    'The same in 2 clusters: RegistryUnreachable Registry ghcr.io (prod-eu, prod-us)',
  ]);
  assert.deepEqual(inCommon(rows(node)), [], 'each cluster has a Node of its own by that name');
});

test('names of contexts that are none, and one cluster besides several, are called wrongly', async () => {
  assert.equal(await main(['incidents', '--contexts', 'a,,b']), 2);
  assert.equal(await main(['incidents', '--contexts', 'a,b', '--context', 'c']), 2);
});

test('without kubectl, and where nobody answers, it says what to do', async () => {
  const path = process.env.PATH ?? '';
  try {
    process.env.PATH = '/nonexistent';
    await assert.rejects(
      printed((streams) => runWhy({ object: 'pod/shop/api', tocsinNamespace: 'tocsin', output: 'text' }, streams)),
      /kubectl is not on the PATH; .*--url/,
    );
  } finally {
    process.env.PATH = path;
  }
  await assert.rejects(ask('pod/shop/api', { url: 'http://127.0.0.1:9' }), /ECONNREFUSED/);
});

test('a time that is none is a usage error', async () => {
  assert.equal(await main(['why', 'pod/shop/api', '--at', 'tomorrow']), 2);
});
