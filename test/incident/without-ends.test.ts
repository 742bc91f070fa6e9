/** Who wants to hear of no ends is owed none, and whoever wants quiet updates is told what everybody must see. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Explanation } from '../../src/model/explanation.ts';
import { hearingOf } from '../../src/model/hearing.ts';
import type { Traits } from '../../src/model/traits.ts';
import { endedAs, explanation, finding, provider, settingsWith, simulation } from './helpers.ts';

const api = 'Deployment/shop/api';
const crash = explanation(api);
const chat = provider('chat', { type: 'slack', sendResolved: false });
const other = provider('other');

/** Told, over, and what the dispatcher reports of an end that it did not send. */
function over(providers = [chat]) {
  const sim = simulation(settingsWith({ providers }));
  sim.start();
  sim.step(15, [crash]);
  const { id } = sim.only();
  sim.step(20, [crash], { reports: providers.map((one) => endedAs(one, id, 'open', { ended: 'delivered' })) });
  sim.step(100, []);
  const told = sim.step(280, []);
  const reports = [endedAs(chat, id, 'resolve', { ended: 'dropped', attempts: 0 })];
  return { sim, told, id, reports };
}

describe('without ends', () => {
  test('the end goes to the outbox, where it takes what waits with it, and the decision says that it is not sent', () => {
    const { sim, told } = over();
    assert.deepEqual(told, [`resolve ${api} HeldGood → chat`]);
    assert.equal(sim.decisions.at(-1)?.reasonCode, 'ResolvedNotSent');
  });

  test('who hears of ends beside it decides what is recorded', () => {
    const { sim, told } = over([chat, other]);
    assert.deepEqual(told, [`resolve ${api} HeldGood → chat,other`]);
    assert.equal(sim.decisions.at(-1)?.reasonCode, 'HeldGood');
  });

  test('nothing is owed afterwards, also once the provider is edited', () => {
    const { sim, id, reports } = over();
    assert.deepEqual(sim.step(290, [], { reports }), []);
    const incident = sim.incidents.get(id) ?? assert.fail('it is remembered');
    assert.deepEqual(hearingOf(incident, chat.uid).knows, 'over');
    for (const change of [{ ...chat, generation: 2 }, provider('chat', { type: 'slack', generation: 3 })]) {
      sim.set({ providers: [change] });
      assert.deepEqual(sim.step(300, []), []);
    }
  });

  test('a relapse is told: who did not hear of the end would take it for over all the same', () => {
    const { sim, reports } = over();
    sim.step(290, [], { reports });
    const again = explanation(api, { members: [finding('Pod/shop/api-a', { since: 300 })] });
    assert.deepEqual(sim.step(320, [again]), [`reopen ${api} FailedAgainInCooldown → chat`]);
  });

  test('an opening that never arrived leaves nothing, whether its end is dropped before or after it', () => {
    for (const order of ['open first', 'resolve first'] as const) {
      const sim = simulation(settingsWith({ providers: [chat] }));
      sim.start();
      sim.step(15, [crash]);
      const { id } = sim.only();
      sim.step(100, []);
      sim.step(280, []);
      const dropped = { ended: 'dropped', attempts: 0 } as const;
      const reports = [endedAs(chat, id, 'open', dropped), endedAs(chat, id, 'resolve', dropped)];
      sim.step(290, [], { reports: order === 'open first' ? reports : reports.toReversed() });
      assert.equal(hearingOf(sim.only(), chat.uid).knows, 'nothing', order);
    }
  });

  test('the end of a storm is not told either, and comes up no more', () => {
    const sim = simulation(settingsWith({ providers: [chat] }));
    sim.start();
    const many = Array.from({ length: 25 }, (_, index) =>
      explanation(`Deployment/shop/app-${index}`, { members: [finding(`Pod/shop/app-${index}-1`)] }),
    );
    assert.deepEqual(sim.step(100, many), ['overview/opening 25 → chat']);
    sim.step(200, []);
    for (const second of [400, 500, 4_000]) assert.deepEqual(sim.step(second, []), []);
  });

  test('nobody stands in for an end that is not wanted', () => {
    const deputy = provider('deputy', { active: { is: false, reason: 'FallbackOnly' } });
    const told = (sendResolved?: false): readonly string[] => {
      const wants = provider('chat', { fallback: deputy.ref, ...(sendResolved === false && { sendResolved }) });
      const sim = simulation(settingsWith({ providers: [wants, deputy] }));
      sim.start();
      sim.step(15, [crash]);
      const { id } = sim.only();
      sim.step(20, [crash], { reports: [endedAs(wants, id, 'open', { ended: 'delivered' })] });
      sim.step(100, []);
      sim.step(280, []);
      return sim.step(400, [], { reports: [endedAs(wants, id, 'resolve')] });
    };
    assert.deepEqual(told(), [`resolve ${api} StandsIn → deputy`]);
    assert.deepEqual(told(false), []);
  });
});

describe('silent updates', () => {
  const traits: Traits = new Map([
    ['slack', { plain: 'native', family: 'chat', closesByKey: false }],
    ['editing', { plain: 'native', family: 'chat', closesByKey: false, edits: [] }],
    ['mail', { plain: 'native', family: 'mail', closesByKey: false }],
    ['pagerduty', { plain: 'alert', family: 'pager', closesByKey: true }],
  ]);
  const ready = (count: number, first: Explanation = crash): Explanation => ({
    ...first,
    impact: [{ ref: api, wanted: 2, ready: count }],
  });

  /** What each type is told of these, the first of which opens it. */
  function updates(type: string, first: Explanation, ...later: readonly (readonly [number, Explanation])[]): string[] {
    const quiet = provider('quiet', { type, silentUpdates: true });
    const sim = simulation(settingsWith({ providers: [quiet] }), traits);
    sim.start();
    sim.step(5, [first]);
    sim.step(100, [first]);
    return later.flatMap(([second, one]) => sim.step(second, [one]));
  }

  const unknown: Explanation = { ...ready(1), confidence: 'unknown' };
  const blamed: Explanation = { ...ready(1), change: { ref: api, field: 'image', at: 0 } };
  const found = [
    [200, blamed],
    [1_000, blamed],
  ] as const;
  const silent: Readonly<Record<string, boolean>> = { slack: true, mail: true, editing: false, pagerduty: false };
  for (const [type, isSilent] of Object.entries(silent))
    test(`a cause that is found is ${isSilent ? 'not told' : 'told'} where ${type} is the type`, () => {
      assert.deepEqual(updates(type, unknown, ...found), isSilent ? [] : [`update ${api} CauseFound → quiet`]);
    });

  test('what is worse is told, and so is the last replica that goes', () => {
    const worse = explanation(api, { severity: 'critical' });
    assert.deepEqual(updates('slack', ready(1), [200, ready(1, worse)]), [`update ${api} SeverityRaised → quiet`]);
    const down = ready(0);
    assert.deepEqual(updates('slack', ready(1), [200, down], [300, down]), [`update ${api} WorkloadDown → quiet`]);
  });
});
