import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Effects, Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { coverage } from '../runtime/helpers.ts';

const start = Date.parse('2026-11-20T09:00:00Z');
const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

/** A lone Pod that crash-loops from the begin of the story. */
function crashing(seconds: number): RawObject {
  const terminated = { exitCode: 1, reason: 'Error', startedAt: at(seconds - 2), finishedAt: at(seconds) };
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name: 'api', namespace: 'shop', uid: 'u1', creationTimestamp: at(0) },
    spec: { nodeName: 'n1', containers: [{ name: 'app', image: 'registry.example/api:1' }] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady', lastTransitionTime: at(1) }],
      containerStatuses: [
        {
          ...{ name: 'app', image: 'registry.example/api:1', imageID: 'x', ready: false, restartCount: 5 },
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 2m40s restarting failed container' } },
          lastState: { terminated },
        },
      ],
    },
  };
}

/** Tells the core of the crash loop until it is announced; what each turn asked for is collected. */
function story(providers: readonly ProviderSettings[]) {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const settings = { ...defaultSettings, providers };
  const first: readonly Input[] = [
    { kind: 'source', coverage: { ...coverage('pods', 'Watching'), kind: 'Pod' } },
    { kind: 'settings', settings },
    { kind: 'baseline' },
  ];
  core.turn(first, start);
  let effects: Effects = core.turn(
    [{ kind: 'objects', source: 'pods', events: [{ is: 'put', raw: crashing(5) }] }],
    start + 6_000,
  );
  let now = start + 6_000;
  for (let turn = 0; turn < 50 && effects.save.enqueue.length === 0 && effects.wakeAt !== undefined; turn += 1) {
    now = effects.wakeAt;
    effects = core.turn([{ kind: 'wake' }], now);
  }
  return { core, effects, now };
}

test('an opening waits 5 s for log lines; with them it is told anew and released', () => {
  const { core, effects, now } = story([provider('oncall')]);
  const [opening] = effects.save.enqueue;
  assert.equal(opening?.act, 'open');
  assert.equal(opening?.notBefore, now + 5_000);
  const [request] = effects.fetch;
  assert.equal(request?.incident, opening?.stream);
  const answer = { incident: request?.incident ?? '', source: 'last log lines', lines: ['FATAL no database'] };
  const { save } = core.turn([{ kind: 'evidence', evidence: answer }], now + 700);
  assert.deepEqual(
    save.replace.map(({ id, notBefore }) => [id, notBefore]),
    [[opening?.id, now + 700]],
  );
  assert.deepEqual(save.replace[0]?.notification.excerpt?.lines, ['FATAL no database']);
  assert.equal(save.replace[0]?.notification.at, opening?.notification.at, 'the time of the decision stays');
  assert.deepEqual(core.turn([{ kind: 'evidence', evidence: answer }], now + 800).save.replace, [], 'once');
});

test('without log lines it is released as it was', () => {
  const { core, effects, now } = story([provider('oncall')]);
  const incident = effects.fetch[0]?.incident ?? '';
  const { save } = core.turn([{ kind: 'evidence', evidence: { incident, source: '', lines: [] } }], now + 100);
  assert.equal(save.replace[0]?.notBefore, now + 100);
  assert.deepEqual(save.replace[0]?.notification, effects.save.enqueue[0]?.notification);
});

test('what is told to two audiences in one turn asks for the log once, and both get the lines', () => {
  const tenant = provider('team', { ref: 'AlertProvider/shop/team', namespace: 'shop' });
  const { core, effects, now } = story([provider('oncall'), tenant]);
  assert.equal(effects.save.enqueue.length, 2);
  assert.equal(effects.fetch.length, 1);
  const evidence = { incident: effects.fetch[0]?.incident ?? '', source: 'log', lines: ['FATAL'] };
  const { save } = core.turn([{ kind: 'evidence', evidence }], now + 100);
  assert.deepEqual(save.replace.map(({ id }) => id).sort(), effects.save.enqueue.map(({ id }) => id).sort());
});

test('lines that come after the message has gone change nothing', () => {
  const { core, effects, now } = story([provider('oncall')]);
  const incident = effects.fetch[0]?.incident ?? '';
  core.turn([{ kind: 'wake' }], now + 5_000);
  const { save } = core.turn([{ kind: 'evidence', evidence: { incident, source: 'log', lines: ['x'] } }], now + 6_000);
  assert.deepEqual(save.replace, []);
});

test('a test message is for a provider that there is', () => {
  const { core, now } = story([provider('oncall')]);
  const ask = (name: string) =>
    core.turn([{ kind: 'test', provider: `AlertProvider/tocsin/${name}`, nonce: 'n' }], now + 1).save.enqueue;
  assert.deepEqual(
    ask('oncall').map(({ act }) => act),
    ['test'],
  );
  assert.deepEqual(ask('nobody'), []);
});

test('what came before the baseline is judged at the baseline, however it came', () => {
  const failed = crashing(5);
  const gone: RawObject = { ...failed, metadata: { ...failed.metadata, name: 'old', uid: 'u2' } };
  const settings = { ...defaultSettings, providers: [provider('oncall')] };
  const synced: readonly Input[] = [
    { kind: 'source', coverage: { ...coverage('pods', 'Watching'), kind: 'Pod' } },
    { kind: 'settings', settings },
    { kind: 'baseline' },
  ];
  const objects = (is: 'put' | 'gone', raw: RawObject): Input => ({
    kind: 'objects',
    source: 'pods',
    events: [{ is, raw }],
  });
  const roots = (turns: readonly (readonly Input[])[]): readonly (readonly [string, boolean | undefined])[] => {
    const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
    for (const [index, inputs] of turns.entries()) core.turn(inputs, start + 60_000 + index);
    return [...core.view.incidents()].map(({ explanation, baseline }) => [explanation.root.ref, baseline]);
  };
  const expected = [['Pod/shop/api', true]];
  assert.deepEqual(
    roots([[objects('put', failed)], [objects('put', gone)], [objects('gone', gone)], synced]),
    expected,
  );
  assert.deepEqual(roots([[objects('put', gone), objects('gone', gone), objects('put', failed), ...synced]]), expected);
  assert.deepEqual(roots([synced]), []);
});

test('a newer test of a provider takes the place of one that still waits', () => {
  const oncall = provider('oncall');
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const settings = { ...defaultSettings, providers: [oncall] };
  const ask = (nonce: string) => core.turn([{ kind: 'test', provider: oncall.ref, nonce }], start).save;
  core.turn([{ kind: 'settings', settings }], start);
  const [first] = ask('one').enqueue;
  const second = ask('two');
  assert.deepEqual(second.drop, [first?.id]);
  assert.equal(second.enqueue.length, 1);
  assert.deepEqual(ask('two').drop, [], 'the same one again');
});
