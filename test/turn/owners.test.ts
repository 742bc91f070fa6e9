/** Whose it is, from what objects say to what is told: the real core. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery } from '../../src/model/delivery.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { defaultSettings, type Settings } from '../../src/model/settings.ts';
import type { Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { at, node, pod, start, status, workload } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';

/** The core with a StatefulSet in a Namespace that say whose they are; its Pod fails from the second second on. */
function life(change: Partial<Settings> = {}, says: { owner?: string; namespace?: string } = {}) {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  let settings: Settings = {
    ...defaultSettings,
    edition: 'Pro',
    evidence: { ...defaultSettings.evidence, logs: false },
    providers: [provider('oncall')],
    ...change,
  };
  const told: Delivery[] = [];
  let wakeAt: number | undefined;
  const turn = (now: number, ...inputs: readonly Input[]): void => {
    const effects = core.turn(inputs, now);
    wakeAt = effects.wakeAt;
    told.push(...effects.save.enqueue);
  };
  const put = (...objects: readonly RawObject[]): Input[] =>
    objects.map((raw) => ({ kind: 'objects', source: sourceOf(raw), events: [{ is: 'put', raw }] }));
  const covered = everyKind.map(({ kind, source }): Input => {
    const coverage = { source, kind, state: 'Watching', reason: 'Synced', since: start, required: false } as const;
    return { kind: 'source', coverage };
  });
  const objects = [namespace(says.namespace), db(says.owner), node('n1')];
  turn(start, ...put(...objects), ...covered, { kind: 'settings', settings }, { kind: 'baseline' });
  return {
    told,
    incident: () => [...core.view.incidents()].find(({ state }) => state !== 'Resolved'),
    put: (now: number, ...raws: readonly RawObject[]) => turn(now, ...put(...raws)),
    configure(now: number, more: Partial<Settings>) {
      settings = { ...settings, ...more };
      turn(now, { kind: 'settings', settings });
    },
    wait(to: number) {
      while (wakeAt !== undefined && wakeAt <= to) turn(wakeAt, { kind: 'wake' });
      turn(to, { kind: 'wake' });
    },
  };
}

const namespace = (owner?: string): RawObject => ({
  ...{ apiVersion: 'v1', kind: 'Namespace' },
  metadata: {
    ...{ name: 'shop', uid: 'ns-shop', creationTimestamp: new Date(start).toISOString() },
    ...(owner !== undefined && { annotations: { 'tocsin.dev/owner': owner } }),
  },
});
const db = (owner?: string): RawObject =>
  workload('StatefulSet', 'db', {
    createdAt: start - 3_600_000,
    ...(owner !== undefined && { annotations: { 'tocsin.dev/owner': owner } }),
  });
const crashing = (now: number): RawObject =>
  pod('db-0', {
    owner: { kind: 'StatefulSet', name: 'db' },
    createdAt: start - 3_600_000,
    statuses: [
      status('api', {
        ...{ ready: false, restartCount: 5 },
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 2m40s restarting failed container' } },
        lastState: {
          terminated: {
            ...{ exitCode: 1, reason: 'Error' },
            startedAt: new Date(now - 2000).toISOString(),
            finishedAt: new Date(now).toISOString(),
          },
        },
      }),
    ],
  });

test('a message says whose it is, as a fact and for programs', () => {
  const shop = life({}, { owner: 'payments' });
  shop.put(at(2), crashing(at(2)));
  shop.wait(at(120));
  const [opening] = shop.told;
  assert.deepEqual(opening?.notification.facts[0], { name: 'Owner', value: 'payments' });
  assert.deepEqual(opening?.notification.incident?.owners, ['payments']);
});

test('nobody is named where nobody says anything', () => {
  const shop = life();
  shop.put(at(2), crashing(at(2)));
  shop.wait(at(120));
  const opening = shop.told[0] ?? assert.fail();
  assert.ok(opening.notification.facts.every(({ name }) => !name.startsWith('Owner')));
  assert.equal(opening.notification.incident?.owners, undefined);
});

test('a Namespace that names somebody names them for what fails there already', () => {
  const shop = life();
  shop.put(at(2), crashing(at(2)));
  shop.wait(at(10));
  assert.equal(shop.incident()?.explanation.root.owner, undefined);
  shop.put(at(11), namespace('platform'));
  assert.equal(shop.incident()?.explanation.root.owner, 'platform');
  assert.equal(shop.incident()?.explanation.members[0]?.subject.owner, 'platform');
});

test('other keys name other owners at once', () => {
  const shop = life({}, { owner: 'payments' });
  shop.put(at(2), crashing(at(2)));
  shop.wait(at(10));
  shop.configure(at(11), { owners: { ...defaultSettings.owners, keys: ['team'] } });
  assert.equal(shop.incident()?.explanation.members[0]?.subject.owner, undefined);
});

test('routes and Silences choose by owner', () => {
  const routed = (owners: readonly string[]) => ({ providers: [provider('oncall', { routes: [{ owners }] })] });
  const silence = (owners: readonly string[]) => ({
    silences: [
      {
        ...({ ref: 'Silence/tocsin/s', namespace: 'tocsin' } as const),
        ...{ selector: { owners }, startsAt: start, endsAt: at(3_600) },
      },
    ],
  });
  const rows: readonly (readonly [Partial<Settings>, string | undefined, number])[] = [
    [routed(['pay*']), 'payments', 1],
    [routed(['pay*']), 'search', 0],
    [routed(['pay*']), undefined, 0],
    [routed(['!search']), 'payments', 1],
    [routed(['!search']), 'search', 0],
    [routed(['!search']), undefined, 1],
    [silence(['payments']), 'payments', 0],
    [silence(['payments']), 'search', 1],
  ];
  for (const [settings, owner, expected] of rows) {
    const shop = life(settings, owner === undefined ? {} : { owner });
    shop.put(at(2), crashing(at(2)));
    shop.wait(at(120));
    assert.equal(shop.told.length, expected, JSON.stringify([settings.providers?.[0]?.routes, owner]));
  }
});
