import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import { defaultSettings, type Settings } from '../../src/model/settings.ts';
import type { Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { at, node, pod, start, status, workload } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';

const on = { 'tocsin.dev/maintenance': 'true' };
const until = (instant: number) => ({ 'tocsin.dev/maintenance-until': new Date(instant).toISOString() });

/** The real core, in which every kind is watched; `raws`: what was there at the start. */
function life(more: Partial<Settings> = {}, ...raws: readonly RawObject[]) {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  let settings: Settings = {
    ...defaultSettings,
    edition: 'Pro',
    evidence: { ...defaultSettings.evidence, logs: false },
    providers: [provider('oncall')],
    ...more,
  };
  const told: string[] = [];
  const notes: string[] = [];
  const events: string[] = [];
  let wakeAt: number | undefined;
  const turn = (now: number, ...inputs: readonly Input[]): void => {
    const effects = core.turn(inputs, now);
    wakeAt = effects.wakeAt;
    for (const { act, notification } of effects.save.enqueue) {
      told.push(`${act} ${notification.incident?.root ?? 'a list'}`);
      if (notification.note !== undefined) notes.push(notification.note);
    }
    for (const { about, type, reason, message } of effects.events)
      if (reason.startsWith('Maintenance')) events.push(`${type} ${reason} ${about}: ${message}`);
  };
  const put = (...objects: readonly RawObject[]): Input[] =>
    objects.map((raw) => ({ kind: 'objects', source: sourceOf(raw), events: [{ is: 'put', raw }] }));
  const covered = everyKind.map(({ kind, source }): Input => {
    return {
      kind: 'source',
      coverage: { source, kind, state: 'Watching', reason: 'Synced', since: start, required: false },
    };
  });
  turn(start, ...put(...raws), ...covered, { kind: 'settings', settings }, { kind: 'baseline' });
  return {
    told,
    notes,
    events,
    put: (now: number, ...objects: readonly RawObject[]) => turn(now, ...put(...objects)),
    configure(now: number, change: Partial<Settings>) {
      settings = { ...settings, ...change };
      turn(now, { kind: 'settings', settings });
    },
    /** Lets time pass, turn by turn as the core asks for them. */
    wait(to: number) {
      while (wakeAt !== undefined && wakeAt <= to) turn(wakeAt, { kind: 'wake' });
      turn(to, { kind: 'wake' });
    },
    wakeAt: () => wakeAt,
  };
}

/** A StatefulSet whose Pods crash-loop, without its ready replicas. */
const db = (annotations: Record<string, string> = {}): RawObject =>
  workload('StatefulSet', 'db', { annotations, createdAt: start - 3_600_000 });
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

test('what is annotated is held back until the annotation is removed, and told then with who held it back', () => {
  const shop = life({}, db(), node('n1'));
  shop.put(at(1), db(on));
  shop.put(at(2), crashing(at(2)));
  shop.wait(at(10));
  assert.deepEqual(shop.told, []);
  shop.put(at(11), db());
  assert.equal(shop.told.length, 1);
  assert.match(
    shop.notes[0] ?? '',
    /^Held back until 12:11 UTC, during maintenance \(annotation of StatefulSet shop\/db\)/,
  );
  assert.deepEqual(shop.events, [
    'Normal MaintenanceStarted StatefulSet/shop/db: Notifications about this object and what is below it are held back until the annotation is removed.',
    'Normal MaintenanceEnded StatefulSet/shop/db: Maintenance has ended. What is still wrong is told now.',
  ]);
});

test('an annotation of the Node that everything runs on holds it back until the time it names, by time alone', () => {
  const shop = life({}, db(), node('n1'));
  shop.put(at(1), node('n1', { annotations: until(at(20)) }));
  shop.put(at(2), crashing(at(2)));
  shop.wait(at(19));
  assert.deepEqual(shop.told, []);
  assert.equal(shop.wakeAt(), at(20));
  shop.wait(at(20));
  assert.equal(shop.told.length, 1);
  assert.deepEqual(
    shop.events.map((event) => event.split(':')[0]),
    ['Normal MaintenanceStarted Node//n1', 'Normal MaintenanceEnded Node//n1'],
  );
});

test('what cannot be read holds nothing back and is said on the object, once for each value', () => {
  const shop = life({}, db(), node('n1'));
  shop.put(at(1), db({ 'tocsin.dev/maintenance': 'maybe' }));
  shop.put(at(2), crashing(at(2)));
  shop.wait(at(10));
  assert.equal(shop.told.length, 1);
  assert.deepEqual(shop.events, [
    'Warning MaintenanceInvalid StatefulSet/shop/db: `tocsin.dev/maintenance` is "maybe": write "true" or "false". Nothing is held back.',
  ]);
  shop.put(at(12), db({ 'tocsin.dev/maintenance': 'no' }));
  assert.equal(shop.events.length, 2);
});

test('an end that is past is said when somebody writes it, and not of what was there at the start', () => {
  const shop = life({}, db(until(start - 1000)), node('n1', { annotations: { 'tocsin.dev/maintenance': '1' } }));
  assert.deepEqual(
    shop.events.map((event) => event.split(':')[0]),
    ['Warning MaintenanceInvalid Node//n1'],
  );
  shop.put(at(1), db(until(start - 60_000)));
  assert.match(
    shop.events[1] ?? '',
    /MaintenanceInvalid.*is 2026-06-01T11:59:00Z, which is past\. Nothing is held back/,
  );
});

test('that maintenance goes on is not said again at a start', () => {
  const shop = life({}, db(on));
  assert.equal(shop.events.length, 0);
  shop.put(at(1), db());
  assert.deepEqual(
    shop.events.map((event) => event.split(':')[0]),
    ['Normal MaintenanceEnded StatefulSet/shop/db'],
  );
});

test('without a licence an annotation does nothing and says so; with one it takes effect at once', () => {
  const shop = life({ edition: 'Community' }, db(), node('n1'));
  shop.put(at(1), db(on));
  assert.match(shop.events[0] ?? '', /^Warning MaintenanceNotLicensed StatefulSet\/shop\/db: .*licence.*Silence/);
  shop.configure(at(2), { edition: 'Pro' });
  assert.match(shop.events[1] ?? '', /^Normal MaintenanceStarted/);
  shop.put(at(3), crashing(at(3)));
  shop.wait(at(10));
  assert.deepEqual(shop.told, []);
  shop.configure(at(11), { edition: 'Community' });
  assert.equal(shop.told.length, 1, 'what it held back is told when the licence is gone');
  assert.match(shop.events[2] ?? '', /^Warning MaintenanceNotLicensed/);
});

test('while the licence cannot be read nobody is told that it is missing', () => {
  const shop = life({ edition: 'Community', editionIsKnown: false }, db(on));
  assert.equal(shop.events.length, 0);
  shop.configure(at(1), { editionIsKnown: true });
  assert.match(shop.events[0] ?? '', /^Warning MaintenanceNotLicensed/);
});

test('Pods that have the annotation of their template are held back without an Event on each', () => {
  const shop = life({}, db(), node('n1'));
  shop.put(at(1), { ...pod('db-0', { owner: { kind: 'StatefulSet', name: 'db' }, annotations: on }) });
  assert.deepEqual(shop.events, []);
});

test('who wants no Events gets none about maintenance', () => {
  const incidents = { ...defaultSettings.incidents, kubernetesEvents: false };
  const shop = life({ incidents }, db());
  shop.put(at(1), db(on));
  assert.deepEqual(shop.events, []);
});
