import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Input, Restored } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { app, crashing, long, outage, podOf, twoNodes } from '../explain/proof.ts';
import { alert } from '../world/alert-objects.ts';
import { service } from '../world/network-objects.ts';
import { at, start } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';

const input = (is: 'put' | 'gone', raw: RawObject): Input => ({
  ...{ kind: 'objects', source: sourceOf(raw), events: [{ is, raw }] },
});
const put = (...raws: readonly RawObject[]): Input[] => raws.map((raw) => input('put', raw));
const settings = {
  ...defaultSettings,
  evidence: { ...defaultSettings.evidence, logs: false },
  providers: [provider('oncall')],
};

/** What is told, from a core that has seen some objects. `saved`: what an earlier one left. */
function begun(objects: readonly RawObject[], saved?: Restored) {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const seen = everyKind.map(
    ({ source, kind }): Input => ({
      kind: 'source',
      coverage: { source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false },
    }),
  );
  const memos = new Map<string, { topic: string; key: string; value?: unknown }>();
  const told: { at: number; act: string; title: string; evidence: readonly string[]; severity: string }[] = [];
  let now = start;
  const turn = (inputs: readonly Input[], time: number): number | undefined => {
    now = time;
    const { save, wakeAt } = core.turn(inputs, now);
    for (const memo of save.memos) memos.set(`${memo.topic} ${memo.key}`, memo);
    for (const { notification, act } of save.enqueue) {
      const { title, evidence, severity } = notification;
      told.push({ at: now, act, title, evidence, severity });
    }
    return wakeAt;
  };
  const restored: Input[] = saved ? [{ kind: 'restored', saved }] : [];
  let due = turn(
    [...restored, ...seen, { kind: 'settings', settings }, ...put(...objects), { kind: 'baseline' }],
    start,
  );
  const until = (time: number): void => {
    while (due !== undefined && due <= time) due = turn([{ kind: 'wake' }], due);
  };
  return {
    core,
    told,
    until,
    happens(time: number, inputs: readonly Input[]): void {
      until(time);
      due = turn(inputs, time);
    },
    saved: (): Restored => ({
      incidents: [...core.view.incidents()],
      memos: [...memos.values()].filter(({ value }) => value !== undefined),
      savedAt: now,
      reports: [],
    }),
  };
}

const well = [...twoNodes, ...app('api'), podOf('api', 'a'), podOf('api', 'b', { node: 'n2' })];
const api: Ref = 'Deployment/shop/api';
const down = (time: number) => [
  podOf('api', 'a', crashing(long, time)),
  podOf('api', 'b', { node: 'n2', ...crashing(long, time) }),
  ...app('api', outage(time)),
];

test('an alert about what fails stands in its message and is not told by itself', () => {
  const { told, happens, until } = begun(well);
  happens(at(1), put(...down(at(1))));
  happens(at(1, 5), put(alert('KubePodCrashLooping', ['Pod/shop/api-a'], { since: at(1, 3), severity: 'medium' })));
  until(at(30));
  assert.equal(told.length, 1);
  assert.match(told[0]?.title ?? '', /api crashes/);
  assert.deepEqual(told[0]?.evidence.at(-1), 'Prometheus also alerts: KubePodCrashLooping since 12:01 UTC.');
});

test('an alert about an incident that was told joins it without a word, however bad it calls it', () => {
  const { core, told, happens, until } = begun(well);
  happens(at(1), put(podOf('api', 'a', crashing(long, at(1)))));
  until(at(5));
  assert.equal(told.length, 1);
  happens(at(6), put(alert('RequestsFail', [api], { severity: 'critical', since: at(5) })));
  until(at(30));
  assert.equal(told.length, 1);
  const [incident, ...others] = [...core.view.incidents()];
  assert.equal(others.length, 0);
  assert.equal(incident?.explanation.severity, told[0]?.severity);
  assert.ok(incident?.explanation.members.some(({ reason }) => reason === 'ExternalAlert'));
});

test('an alert about a Service joins what fails behind it', () => {
  const labels = { app: 'api' };
  const { told, happens, until } = begun([
    ...twoNodes,
    ...app('api', { labels }),
    podOf('api', 'a', { labels }),
    service('api'),
  ]);
  happens(
    at(1),
    put(podOf('api', 'a', { labels, ...crashing(long, at(1)) }), ...app('api', { labels, ...outage(at(1)) })),
  );
  happens(at(1, 5), put(alert('RequestsFail', ['Service/shop/api'], { since: at(1, 4), severity: 'high' })));
  until(at(30));
  assert.equal(told.length, 1);
  assert.deepEqual(told[0]?.evidence.at(-1), 'Prometheus also alerts: RequestsFail since 12:01 UTC.');
});

test('an alert about what looks well is an incident of its own, and ends when it is resolved', () => {
  const { told, happens, until } = begun(well);
  const fired = alert('RequestsFail', [api], {
    since: at(1),
    severity: 'critical',
    summary: '5 % of the requests fail.',
  });
  happens(at(2), put(fired));
  until(at(20));
  happens(at(20), [input('gone', fired)]);
  until(at(40));
  assert.deepEqual(
    told.map(({ act, severity }) => [act, severity]),
    [
      ['open', 'critical'],
      ['resolve', 'critical'],
    ],
  );
  assert.match(told[0]?.title ?? '', /api has the alert RequestsFail of Prometheus/);
  assert.deepEqual(told[0]?.evidence, ['The alert says: 5 % of the requests fail.']);
  assert.match(told[1]?.title ?? '', /api has no alert of Prometheus any more/);
});

test('an alert that nobody repeats ends by itself', () => {
  const { told, happens, until } = begun(well);
  happens(at(2), put(alert('RequestsFail', [api], { since: at(1), severity: 'high', until: at(60) })));
  until(at(59));
  assert.deepEqual(
    told.map(({ act }) => act),
    ['open'],
  );
  until(at(70));
  assert.deepEqual(
    told.map(({ act }) => act),
    ['open', 'resolve'],
  );
});

test('what fails after an alert was told of goes on in the same incident', () => {
  const { core, told, happens, until } = begun(well);
  happens(at(2), put(alert('RequestsFail', [api], { since: at(1), severity: 'high' })));
  until(at(10));
  happens(at(10), put(...down(at(10))));
  until(at(40));
  assert.equal([...core.view.incidents()].length, 1);
  assert.equal(told[0]?.act, 'open');
  assert.ok(
    told.slice(1).every(({ act }) => act === 'update'),
    JSON.stringify(told.map(({ act }) => act)),
  );
});

test('an alert outlives a restart where state is saved, and is over then when nobody repeats it', () => {
  const before = begun(well);
  before.happens(at(2), put(alert('RequestsFail', [api], { since: at(1), severity: 'high', until: at(60) })));
  before.until(at(10));
  assert.deepEqual(
    before.told.map(({ act }) => act),
    ['open'],
  );
  const after = begun(well, before.saved());
  after.until(at(59));
  assert.deepEqual(after.told, []);
  assert.equal([...after.core.view.incidents()][0]?.state, 'Open');
  after.until(at(70));
  assert.deepEqual(
    after.told.map(({ act }) => act),
    ['resolve'],
  );
});

test('what hostile labels say is text and nothing else', () => {
  const { told, happens, until } = begun(well);
  const name = '$(rm -rf /)`@everyone`<script>';
  happens(at(2), put(alert(name, [api], { severity: 'high', summary: 'password=hunter22hunter22 \u202e\u0007' })));
  until(at(20));
  const text = JSON.stringify(told);
  assert.equal(told.length, 1);
  assert.doesNotMatch(text, /hunter22hunter22|\\u202e|\\u0007/);
});
