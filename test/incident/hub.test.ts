import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HubWord } from '../../src/model/hub.ts';
import type { Ref } from '../../src/model/ref.ts';
import { at, endedAs, explanation, finding, provider, silence, simulation } from './helpers.ts';

const registry: Ref = 'Registry//ghcr.io';
const own = finding(registry, { reason: 'RegistryUnreachable', since: 0 });
const down = explanation(registry, { reason: 'RegistryUnreachable', members: [own] });

/** What the hub has said, in seconds of the clock. */
const word = (awaitedUntil: number, told: Record<string, number> = {}, declined: readonly string[] = []): HubWord => ({
  ...{ name: 'central', awaitedUntil: at(awaitedUntil), declined },
  told: Object.fromEntries(Object.entries(told).map(([id, until]) => [id, at(until)])),
});

/** It has settled, and the hub is asked. */
function asking() {
  const sim = simulation();
  sim.start();
  sim.step(1, [down], { hub: word(60) });
  assert.deepEqual(sim.step(20, [down], { hub: word(60) }), []);
  assert.deepEqual([sim.only().state, sim.only().askedAt], ['Settling', at(20)]);
  assert.equal(sim.last().wakeAt, at(30));
  return { sim, id: sim.only().id };
}

test('without a hub, and of what lies within the cluster, nothing waits', () => {
  const sim = simulation();
  sim.start();
  sim.step(1, [down]);
  assert.deepEqual(sim.step(20, [down]), [`open ${registry} Settled → oncall`]);
  const other = simulation();
  other.start();
  const crash = explanation('Deployment/shop/api');
  other.step(1, [crash], { hub: word(60) });
  assert.deepEqual(other.step(20, [crash], { hub: word(60) }), ['open Deployment/shop/api Settled → oncall']);
});

test('a hub that has not answered lately is not waited for', () => {
  const sim = simulation();
  sim.start();
  sim.step(1, [down], { hub: word(15) });
  assert.deepEqual(sim.step(20, [down], { hub: word(15) }), [`open ${registry} Settled → oncall`]);
});

test('ten seconds are waited for the answer, and no longer', () => {
  const { sim } = asking();
  assert.deepEqual(sim.step(29, [down], { hub: word(60) }), []);
  assert.deepEqual(sim.step(30, [down], { hub: word(60) }), [`open ${registry} Settled → oncall`]);
  assert.equal(sim.only().askedAt, undefined);
});

test('what the hub declines is told at once', () => {
  const { sim, id } = asking();
  assert.deepEqual(sim.step(22, [down], { hub: word(60, {}, [id]) }), [`open ${registry} Settled → oncall`]);
});

test('what the hub has told is open, and told to nobody, until its word lapses', () => {
  const { sim, id } = asking();
  assert.deepEqual(sim.step(22, [down], { hub: word(80, { [id]: 80 }) }), []);
  assert.deepEqual([sim.only().state, sim.only().standings['']?.disposition], ['Open', 'ToldByHub']);
  assert.equal(sim.decisions.at(-1)?.reasonCode, 'HubTells');
  assert.equal(sim.last().wakeAt, at(80));
  assert.deepEqual(sim.step(79, [down], { hub: word(80, { [id]: 80 }) }), []);
  assert.deepEqual(sim.step(80, [down], { hub: word(80, { [id]: 80 }) }), [`open ${registry} HubEnded → oncall`]);
});

test('what the hub tells no more is told at once, also where there is no hub any more', () => {
  for (const later of [word(90), undefined]) {
    const { sim, id } = asking();
    sim.step(22, [down], { hub: word(80, { [id]: 80 }) });
    assert.deepEqual(sim.step(40, [down], { hub: later }), [`open ${registry} HubEnded → oncall`]);
  }
});

test('what ends while the hub tells it is told to nobody here', () => {
  const { sim, id } = asking();
  sim.step(22, [down], { hub: word(500, { [id]: 500 }) });
  assert.deepEqual(sim.step(60, [], { hub: word(500, { [id]: 500 }) }), []);
  assert.deepEqual(sim.step(300, [], { hub: word(500, { [id]: 500 }) }), []);
  assert.deepEqual([sim.only().state, sim.decisions.at(-1)?.disposition], ['Resolved', 'ToldByHub']);
});

test('a word about what somebody was told here changes nothing: he hears of the end', () => {
  const { sim, id } = asking();
  sim.step(30, [down], { hub: word(60) });
  const oncall = provider('oncall');
  sim.step(31, [down], { hub: word(60), reports: [endedAs(oncall, id, 'open', { ended: 'delivered' })] });
  assert.deepEqual(sim.step(40, [down], { hub: word(500, { [id]: 500 }) }), []);
  assert.equal(sim.only().standings['']?.disposition, 'Delivered');
  sim.step(60, [], { hub: word(500, { [id]: 500 }) });
  assert.deepEqual(sim.step(300, [], { hub: word(500, { [id]: 500 }) }), [`resolve ${registry} HeldGood → oncall`]);
});

test('a cause that turns out to lie within the cluster is told at once', () => {
  const { sim, id } = asking();
  sim.step(22, [down], { hub: word(500, { [id]: 500 }) });
  const within: Ref = 'Deployment/shop/mirror';
  const revised = explanation(within, { reason: 'DeploymentUnavailable', members: [own, finding(within, {})] });
  assert.deepEqual(sim.step(40, [revised], { hub: word(500, { [id]: 500 }) }), [`open ${within} HubEnded → oncall`]);
});

test('what is silenced here is not asked about', () => {
  const sim = simulation();
  sim.set({ silences: [silence('quiet', { kinds: ['Registry'] }, 0, 600)] });
  sim.start();
  sim.step(1, [down], { hub: word(60) });
  assert.deepEqual(sim.step(20, [down], { hub: word(60) }), []);
  assert.deepEqual([sim.only().state, sim.only().standings['']?.disposition], ['Open', 'Silenced']);
});

test('what fails again within its cooldown is asked about again', () => {
  const { sim, id } = asking();
  sim.step(22, [down], { hub: word(500, { [id]: 500 }) });
  sim.step(60, [], { hub: word(500, { [id]: 500 }) });
  sim.step(300, [], { hub: word(500) });
  assert.equal(sim.only().state, 'Resolved');
  const again = explanation(registry, {
    reason: 'RegistryUnreachable',
    members: [finding(registry, { reason: 'RegistryUnreachable', since: 400 })],
  });
  sim.step(401, [again], { hub: word(500) });
  assert.deepEqual(sim.step(420, [again], { hub: word(500) }), []);
  assert.deepEqual([sim.only().state, sim.only().askedAt], ['Resolved', at(420)]);
  assert.deepEqual(sim.step(422, [again], { hub: word(500, { [id]: 500 }) }), []);
  assert.deepEqual([sim.only().state, sim.only().standings['']?.disposition], ['Open', 'ToldByHub']);
});

test('what settles anew instead is not asked for ever: a moment of failing forgets the question', () => {
  const { sim } = asking();
  sim.step(22, [], { hub: word(60) });
  assert.deepEqual(sim.all(), []);
});
