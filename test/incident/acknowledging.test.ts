import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Incidents } from '../../src/incident/incidents.ts';
import { type Acknowledgement, acknowledgementIn, acknowledgementText } from '../../src/model/acknowledgement.ts';
import type { Incident } from '../../src/model/incident.ts';
import type { Ref } from '../../src/model/ref.ts';
import type { Settings } from '../../src/model/settings.ts';
import { chatTraits, type Traits } from '../../src/model/traits.ts';
import { incidentRowOf } from '../../src/state/explanations.ts';
import { incidentShape } from '../../src/state/shapes/incident.ts';
import { at, endedAs, explanation, finding, provider, settingsWith, simulation } from './helpers.ts';

const api: Ref = 'Deployment/shop/api';
const crash = explanation(api);
const ada: Acknowledgement = { by: 'ada', via: 'Telegram' };
const oncall = provider('oncall');
const room = provider('room', { type: 'room' });
const hourly: Settings['incidents'] = { ...settingsWith().incidents, renotifySeconds: { high: 3600 } };
const traits: Traits = new Map([['room', { ...chatTraits, edits: [] }]]);

/** An incident that was told at 15 s, of which people are reminded every hour. */
function open(options: Partial<Settings> = {}) {
  const sim = simulation(settingsWith({ incidents: hourly, ...options }), traits);
  sim.start();
  sim.step(5, [crash]);
  sim.step(20, [crash]);
  const id = String(idOf(sim));
  const said = (one: Acknowledgement | undefined): void =>
    sim.set(one ? { acknowledgements: { [id]: one } } : { acknowledgements: {} });
  return { sim, id, said };
}

const known = (sim: ReturnType<typeof simulation>): Incident | undefined => [...sim.incidents.all()][0];
const idOf = (sim: ReturnType<typeof simulation>): string | undefined => known(sim)?.id;

test('who is acknowledged is not repeated, until that is withdrawn', () => {
  const { sim, said } = open();
  assert.deepEqual(sim.step(3_620, [crash]), [`update ${api} StillOpen → oncall`], 'a reminder as before');
  said(ada);
  assert.deepEqual(sim.step(3_700, [crash]), [], 'nobody is told that somebody does something');
  assert.deepEqual(known(sim)?.acknowledged, { ...ada, at: at(3_700), severity: 'high', reason: 'CrashLoopBackOff' });
  for (const second of [7_300, 11_000, 20_000]) assert.deepEqual(sim.step(second, [crash]), []);
  said(undefined);
  assert.deepEqual(sim.step(20_100, [crash]), [`update ${api} StillOpen → oncall`]);
  assert.equal(known(sim)?.acknowledged, undefined);
  assert.deepEqual(known(sim)?.withdrawn, { ...ada, at: at(20_100) });
  const acts = sim.decisions.filter(({ action }) => action === 'acknowledge' || action === 'unacknowledge');
  assert.deepEqual(
    acts.map(({ time, action, reasonCode, by }) => ({ time, action, reasonCode, by })),
    [
      {
        time: new Date(at(3_700)).toISOString(),
        action: 'acknowledge',
        reasonCode: 'Acknowledged',
        by: 'ada via Telegram',
      },
      {
        time: new Date(at(20_100)).toISOString(),
        action: 'unacknowledge',
        reasonCode: 'AcknowledgementWithdrawn',
        by: 'ada via Telegram',
      },
    ],
  );
});

test('what is really new is told of an acknowledged incident: worse, another failure, the end', () => {
  const { sim, said } = open();
  said(ada);
  sim.step(60, [crash]);
  assert.deepEqual(sim.step(100, [explanation(api, { severity: 'critical' })]), [
    `update ${api} SeverityRaised → oncall`,
  ]);
  const other = explanation(api, { severity: 'critical', reason: 'ImagePullBackOff' });
  sim.step(900, [other]);
  assert.deepEqual(sim.step(1_000, [other]), [`update ${api} AnotherFailure → oncall`]);
  sim.step(1_100, []);
  assert.deepEqual(sim.step(2_500, []), [`resolve ${api} HeldGood → oncall`]);
  assert.equal(known(sim)?.acknowledged?.by, 'ada', 'who did it stays with what is over');
});

test('what acknowledged its last time does not acknowledge the next one', () => {
  const { sim, said } = open();
  said(ada);
  sim.step(60, [crash]);
  sim.step(100, []);
  sim.step(280, []);
  const again = explanation(api, { members: [finding('Pod/shop/api-new', { since: 900 })] });
  sim.step(905, [again]);
  assert.deepEqual(sim.step(915, [again]), [`reopen ${api} FailedAgainInCooldown → oncall`]);
  assert.equal(known(sim)?.acknowledged, undefined);
  assert.deepEqual(known(sim)?.lapsed, ada);
  assert.deepEqual(sim.step(915 + 3_600, [again]), [`update ${api} StillOpen → oncall`], 'people are reminded again');
  said({ ...ada, since: at(5_000) });
  sim.step(5_400, [again]);
  assert.equal(known(sim)?.acknowledged?.at, at(5_000), 'another value is another act, of when it says');
  said(undefined);
  sim.step(5_500, [again]);
  assert.equal(known(sim)?.lapsed, undefined);
  said(ada);
  sim.step(5_600, [again]);
  assert.equal(known(sim)?.acknowledged?.at, at(5_600), 'and so is the same one, once it was taken away');
});

test('only messages that are kept up to date say it, once, and that it was withdrawn', () => {
  const { sim, said } = open({ providers: [oncall, room] });
  said(ada);
  assert.deepEqual(sim.step(60, [crash]), [`update ${api} Acknowledged → room`]);
  assert.deepEqual(sim.step(70, [crash]), []);
  said({ by: 'bob' });
  assert.deepEqual(sim.step(80, [crash]), [`update ${api} Acknowledged → room`]);
  said(undefined);
  assert.deepEqual(sim.step(90, [crash]), [`update ${api} AcknowledgementWithdrawn → room`]);
  assert.deepEqual(sim.step(100, [crash]), []);
});

test('a chat that edits by a token only is not sent one more message without it', () => {
  const byToken: Traits = new Map([['room', { ...chatTraits, edits: ['token'] }]]);
  const token = { token: { secret: 'slack', key: 'token' } };
  for (const [one, updates] of [
    [room, []],
    [provider('room', { type: 'room', secrets: token }), [`update ${api} Acknowledged → room`]],
  ] as const) {
    const sim = simulation(settingsWith({ providers: [one] }), byToken);
    sim.start();
    sim.step(5, [crash]);
    sim.step(20, [crash]);
    sim.set({ acknowledgements: { [String(idOf(sim))]: ada } });
    assert.deepEqual(sim.step(60, [crash]), updates);
  }
});

test('a fallback need not step in for who could not be told, as long as it is no worse than what was acknowledged', () => {
  const spare = provider('spare', { active: { is: false, reason: 'FallbackOnly' } });
  const first = provider('oncall', { fallback: spare.ref });
  for (const isAcknowledged of [false, true]) {
    const { sim, id, said } = open({ providers: [first, spare] });
    if (isAcknowledged) said(ada);
    sim.step(30, [crash]);
    const told = sim.step(60, [crash], {
      reports: [
        endedAs(first, id, 'open', {
          at: at(60),
          failure: { class: 'permanent', code: 'Rejected', message: 'HTTP 500' },
        }),
      ],
    });
    assert.deepEqual(told, isAcknowledged ? [] : [`open ${api} StandsIn → spare`]);
    if (!isAcknowledged) continue;
    const worse = sim.step(90, [explanation(api, { severity: 'critical' })]);
    assert.ok(worse.includes(`open ${api} StandsIn → spare`), worse.join());
  }
});

test('it survives a restart as it was saved, and the annotation that is still there changes nothing', () => {
  const { sim, id, said } = open();
  said(ada);
  sim.step(60, [crash]);
  const saved = JSON.parse(JSON.stringify([...sim.incidents.all()])) as Incident[];
  for (const incident of saved) assert.equal(incidentShape(incidentRowOf(incident)), undefined);
  const again = new Incidents();
  again.restore(saved, at(60));
  const settings = settingsWith({ incidents: hourly, acknowledgements: { [id]: ada } });
  const input = { explanations: [crash], settings, clusterId: 'cluster-uid', reports: [], traits };
  const first = again.step({ ...input, now: at(120), baseline: true });
  assert.deepEqual(
    first.decisions.filter(({ action }) => action.includes('acknowledge')),
    [],
  );
  assert.equal(again.get(id)?.acknowledged?.at, at(60));
  assert.deepEqual(again.step({ ...input, now: at(8_000) }).announcements, []);
});

test('an annotation cannot say that it was there before the incident, or later than now', () => {
  for (const [since, expected] of [
    [0, 20],
    [50, 50],
    [9_000, 60],
  ] as const) {
    const { sim, said } = open();
    said({ ...ada, since: at(since) });
    sim.step(60, [crash]);
    assert.equal(known(sim)?.acknowledged?.at, at(expected));
  }
});

test('nobody can acknowledge what is not known to anybody', () => {
  const sim = simulation(settingsWith(), traits);
  sim.start();
  sim.step(5, [crash]);
  sim.set({ acknowledgements: { [String(idOf(sim))]: ada, elsewhere: ada } });
  sim.step(6, [crash]);
  assert.equal(known(sim)?.state, 'Settling');
  assert.equal(known(sim)?.acknowledged, undefined);
  sim.step(20, [crash]);
  assert.equal(known(sim)?.acknowledged, undefined, 'people are told first');
  sim.step(25, [crash]);
  assert.equal(known(sim)?.acknowledged?.by, 'ada');
});

test('the value of an annotation is a name, bounded, on one line', () => {
  for (const [text, means] of [
    ['ada', { by: 'ada' }],
    ['ada via Telegram', ada],
    ['ada via Telegram at 2026-11-20T08:00:00.000Z', { ...ada, since: at(0) }],
    ['ada at 2026-11-20T08:00:00Z', { by: 'ada', since: at(0) }],
    ['at 2026-11-20T08:00:00Z', { by: 'somebody', since: at(0) }],
    ['ada at 2026-99-99T08:00:00Z', { by: 'ada at 2026-99-99T08:00:00Z' }],
    ['ada at lunch', { by: 'ada at lunch' }],
    ['Ada via the sea via Slack', { by: 'Ada via the sea', via: 'Slack' }],
    ['', { by: 'somebody' }],
    [' \n\t', { by: 'somebody' }],
    ['a\u202eb\u0000c\nd', { by: 'a b c d' }],
  ] as const)
    assert.deepEqual(acknowledgementIn(text), means);
  assert.equal(acknowledgementIn('x'.repeat(5_000)).by.length, 100);
  for (const one of [ada, { by: 'bob' }, { ...ada, since: at(7) }])
    assert.deepEqual(acknowledgementIn(acknowledgementText(one)), one);
});
