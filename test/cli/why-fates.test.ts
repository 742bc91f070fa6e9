/** What became of seven incidents, as `tocsin why` tells somebody who has never heard of any of it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runWhy } from '../../src/cli/running/why.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { defaultSettings, type Settings } from '../../src/model/settings.ts';
import type { Effects, Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { coverage } from '../runtime/helpers.ts';
import { turnDelivered } from './delivered.ts';
import { golden } from './golden.ts';
import { serveCore } from './served-core.ts';
import { printed } from './streams.ts';

const start = Date.parse('2026-11-20T09:00:00Z');
const iso = (seconds: number): string => new Date(start + seconds * 1000).toISOString();
const hour = { startsAt: start - 60_000, endsAt: start + 3_600_000 };

const settings: Settings = {
  ...{ ...defaultSettings, edition: 'Pro', operatorNamespace: 'tocsin' },
  app: { ...defaultSettings.app, clusterName: 'prod-eu' },
  filters: { namespaces: ['!lab'], reasons: [] },
  detection: { ...defaultSettings.detection, overrides: [{ selector: { namespaces: ['batch'] }, severity: 'low' }] },
  silences: [
    { ...{ ref: 'Silence/tocsin/search-move', namespace: 'tocsin', selector: { namespaces: ['search'] } }, ...hour },
  ],
  windows: [
    {
      ...{ ref: 'MaintenanceWindow/tocsin/upgrade', namespace: 'tocsin', selector: { namespaces: ['upgrade'] } },
      opening: hour,
    },
  ],
  providers: [
    provider('chat', { namespace: 'tocsin' }),
    provider('payments', { namespace: 'tocsin', routes: [{ namespaces: ['payments'] }] }),
  ],
};

type Status = Readonly<Record<string, unknown>>;
const pod = (namespace: string, name: string, nodeName: string, status: Status): RawObject => ({
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: { name, namespace, uid: `${namespace}-${name}`, creationTimestamp: iso(-1800) },
  spec: { nodeName, containers: [{ name: 'app', image: 'registry.example/api:1' }] },
  status: { phase: 'Running', startTime: iso(-1800), ...status },
});
const container = { name: 'app', image: 'registry.example/api:1', imageID: 'x', ready: false };
const unready = (seconds: number) => ({
  ...{ type: 'Ready', status: 'False', reason: 'ContainersNotReady', lastTransitionTime: iso(seconds) },
});

/** A lone Pod that crash-loops since the start. */
const crashing = (namespace: string): RawObject =>
  pod(namespace, 'api', 'n1', {
    conditions: [unready(1)],
    containerStatuses: [
      {
        ...{ ...container, restartCount: 5 },
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 2m40s restarting failed container' } },
        lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: iso(3), finishedAt: iso(5) } },
      },
    ],
  });
const put = (source: string, ...objects: readonly RawObject[]): Input => ({
  ...{ kind: 'objects', source },
  events: objects.map((raw) => ({ is: 'put', raw })),
});
const watching = (source: string, kind: string): Input => ({
  ...{ kind: 'source', coverage: { ...coverage(source, 'Watching'), kind } },
});

/** A lone Pod whose image cannot be pulled. */
const pulling = (name: string, message: string): RawObject =>
  pod('stock', name, 'n1', {
    ...{ phase: 'Pending', conditions: [unready(1)] },
    containerStatuses: [{ ...container, restartCount: 0, state: { waiting: { reason: 'ImagePullBackOff', message } } }],
  });
const tooMany =
  'Back-off pulling image "registry.example/api:1": toomanyrequests: You have reached your pull rate limit.';
const noAnswer = 'Back-off pulling image "registry.example/api:1": dial tcp 203.0.113.7:443: i/o timeout';

/** Everything fails at once, and each is waited for until it is certain; then two pulls say the same of the registry. */
function storiesTold(): { readonly core: Core; readonly now: number } {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  turnDelivered(core, [watching('pods', 'Pod'), { kind: 'settings', settings }, { kind: 'baseline' }], start);
  const failing = ['shop', 'payments', 'lab', 'search', 'upgrade', 'batch'].map(crashing);
  let now = start + 6_000;
  let effects: Effects = turnDelivered(
    core,
    [put('pods', ...failing, pulling('front', tooMany), pulling('back', noAnswer))],
    now,
  );
  const waitUntil = (end: number): void => {
    while (effects.wakeAt !== undefined && effects.wakeAt <= end) {
      now = Math.max(now, effects.wakeAt);
      effects = turnDelivered(core, [{ kind: 'wake' }], now);
    }
  };
  waitUntil(start + 600_000);
  now = start + 601_000;
  effects = turnDelivered(core, [put('pods', pulling('front', noAnswer))], now);
  waitUntil(start + 780_000);
  return { core, now };
}

const { core, now } = storiesTold();
let url = '';
let close: () => Promise<void>;
before(async () => {
  ({ url, close } = await serveCore(core, settings, now));
});
after(() => close());

/** Fate, the object that is asked about, and what must be among the words. */
const rows: readonly (readonly [string, string, RegExp])[] = [
  ['delivered', 'pod/shop/api', /✓ tocsin\/chat: Notified of CrashLoopBackOff at 09:01 UTC\./],
  ['routed', 'pod/payments/api', /✓ tocsin\/payments: Notified of CrashLoopBackOff at 09:01 UTC\. Its route picks it/],
  ['filtered', 'pod/lab/api', /filtered out/],
  ['silenced', 'pod/search/api', /silenced until 10:00 UTC/],
  ['maintained', 'pod/upgrade/api', /during maintenance until 10:00 UTC/],
  ['digested', 'pod/batch/api', /told in the next digest/],
  ['folded', 'pod/stock/back', /part of the incident on Registry registry\.example/],
];

for (const [fate, object, says] of rows)
  test(`why tells a newcomer of an incident that was ${fate}`, async () => {
    const { out, code } = await printed((streams) =>
      runWhy({ object, url, tocsinNamespace: 'tocsin', output: 'text' }, streams),
    );
    assert.equal(code, 0);
    assert.match(out, says, out);
    golden(`why-${fate}.txt`, out.replace(/\b[0-9a-f]{16}\b/g, 'ID'));
  });
