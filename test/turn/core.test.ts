import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Effects, EvidenceRequest, Input } from '../../src/model/turn.ts';
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

/** An answer to a request, with lines or without. */
function answer({ previous: _, lines: __, ...run }: EvidenceRequest, ...lines: readonly string[]): Input {
  return { kind: 'evidence', evidence: { ...run, source: lines.length > 0 ? 'last log lines' : '', lines } };
}

type Telling = { readonly logs?: boolean; readonly settleSeconds?: number; readonly says?: readonly string[] };

/**
 * Tells the core of the crash loop until it is announced. What was asked for on the way is collected, and answered at once if it
 * `says` anything.
 */
function story(providers: readonly ProviderSettings[], { logs = true, settleSeconds, says }: Telling = {}) {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const { detection, evidence } = defaultSettings;
  const overrides = settleSeconds === undefined ? [] : [{ selector: {}, settleSeconds }];
  const settings = {
    ...{ ...defaultSettings, providers, evidence: { ...evidence, logs } },
    detection: { ...detection, overrides },
  };
  const first: readonly Input[] = [
    { kind: 'source', coverage: { ...coverage('pods', 'Watching'), kind: 'Pod' } },
    { kind: 'settings', settings },
    { kind: 'baseline' },
  ];
  core.turn(first, start);
  const fetched: { readonly at: number; readonly request: EvidenceRequest }[] = [];
  let now = start + 6_000;
  const turn = (inputs: readonly Input[]): Effects => {
    const effects = core.turn(inputs, now);
    for (const request of effects.fetch) fetched.push({ at: now, request });
    if (says === undefined || effects.fetch.length === 0) return effects;
    now += 300;
    const after = core.turn(
      effects.fetch.map((request) => answer(request, ...says)),
      now,
    );
    return effects.save.enqueue.length > 0 ? effects : after;
  };
  let effects = turn([{ kind: 'objects', source: 'pods', events: [{ is: 'put', raw: crashing(5) }] }]);
  for (let turns = 0; turns < 50 && effects.save.enqueue.length === 0 && effects.wakeAt !== undefined; turns += 1) {
    now = effects.wakeAt;
    effects = turn([{ kind: 'wake' }]);
  }
  const [request] = fetched;
  return { core, effects, now, fetched, request: request?.request };
}

test('the log is asked for while the incident settles, and the message goes out at once with its lines', () => {
  const { effects, now, fetched } = story([provider('oncall')], { says: ['FATAL no database'] });
  assert.deepEqual(
    fetched.map(({ at: when, request: { pod, container, attempt, ended, previous } }) => [
      ...[when - start, pod, container, attempt, ended, previous],
    ]),
    [[6_000, 'Pod/shop/api', 'app', 5, true, true]],
  );
  const [opening] = effects.save.enqueue;
  assert.ok(now - start > 15_000, 'it has settled');
  assert.equal(opening?.notBefore, now);
  assert.deepEqual(opening?.notification.excerpt?.lines, ['FATAL no database']);
  assert.deepEqual(effects.save.replace, []);
});

test('what its program says is part of the explanation', () => {
  const { core } = story([provider('oncall')], {
    says: ['dial tcp: lookup db.example.com on 10.96.0.10:53: no such host'],
  });
  const [incident] = core.view.incidents();
  const { kind, source, container, pod } = incident?.explanation.sign ?? {};
  assert.deepEqual([kind, source, container, pod], ['NameNotResolved', 'previousLog', 'app', 'Pod/shop/api']);
});

test('what is due as soon as it is seen waits for its log, 5 s at most: it may turn out to be part of another', () => {
  const unread = story([provider('oncall')], { settleSeconds: 0 });
  assert.deepEqual(
    unread.fetched.map(({ at: when }) => unread.now - when),
    [5_000],
  );
  const read = story([provider('oncall')], { settleSeconds: 0, says: ['FATAL no database'] });
  assert.ok(read.fetched.every(({ at: when }) => read.now - when < 5_000));
  assert.equal(read.effects.save.enqueue[0]?.notBefore, read.now);
});

test('an opening waits 5 s for log lines that are under way; with them it is told anew and released', () => {
  const { core, effects, now, request } = story([provider('oncall')], { settleSeconds: 0 });
  const [opening] = effects.save.enqueue;
  assert.ok(request);
  assert.equal(opening?.act, 'open');
  assert.equal(opening?.notBefore, now + 5_000);
  const { save } = core.turn([answer(request, 'FATAL no database')], now + 700);
  assert.deepEqual(
    save.replace.map(({ id, notBefore }) => [id, notBefore]),
    [[opening?.id, now + 700]],
  );
  assert.deepEqual(save.replace[0]?.notification.excerpt?.lines, ['FATAL no database']);
  assert.equal(save.replace[0]?.notification.at, opening?.notification.at, 'the time of the decision stays');
  assert.deepEqual(core.turn([answer(request, 'FATAL no database')], now + 800).save.replace, [], 'once');
});

test('without log lines it is released as it was', () => {
  const { core, effects, now, request } = story([provider('oncall')], { settleSeconds: 0 });
  assert.ok(request);
  const { save } = core.turn([answer(request)], now + 100);
  assert.equal(save.replace[0]?.notBefore, now + 100);
  assert.deepEqual(save.replace[0]?.notification, effects.save.enqueue[0]?.notification);
});

test('what is told to two audiences in one turn asks for the log once, and both get the lines', () => {
  const tenant = provider('team', { ref: 'AlertProvider/shop/team', namespace: 'shop' });
  const { core, effects, now, fetched, request } = story([provider('oncall'), tenant], { settleSeconds: 0 });
  assert.equal(effects.save.enqueue.length, 2);
  assert.equal(fetched.length, 1);
  assert.ok(request);
  const { save } = core.turn([answer(request, 'FATAL')], now + 100);
  assert.deepEqual(save.replace.map(({ id }) => id).sort(), effects.save.enqueue.map(({ id }) => id).sort());
});

test('lines that come after the message has gone change nothing', () => {
  const { core, now, request } = story([provider('oncall')], { settleSeconds: 0 });
  assert.ok(request);
  core.turn([{ kind: 'wake' }], now + 5_000);
  assert.deepEqual(core.turn([answer(request, 'x')], now + 6_000).save.replace, []);
});

test('with evidence.logs off nothing is read and nothing waits', () => {
  const { effects, now, fetched } = story([provider('oncall')], { logs: false });
  assert.deepEqual(fetched, []);
  assert.equal(effects.save.enqueue[0]?.notBefore, now);
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
