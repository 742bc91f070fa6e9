import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TransportError } from '../../../src/providers/provider.ts';
import { fc } from '../../fast-check.ts';
import { runs } from '../../runs.ts';
import { startFleet, type Told, unreachable } from './fleet.ts';

/** Somebody must know of an outage after so long (s): it settles in 75, ten are waited for the hub, and what it said holds for a minute. */
const knownWithin = 75 + 10 + 60 + 10;

/** What happens to the hub and to the way there, and what to a cluster. */
const happening = fc.oneof(
  fc.record({ what: fc.constantFrom('kill', 'start', 'productDown', 'productUp', 'hang', 'answer' as const) }),
  fc.record({ what: fc.constantFrom('cut', 'join', 'fail', 'fail', 'mend' as const), member: fc.nat({ max: 2 }) }),
);
const story = fc.array(fc.tuple(happening, fc.integer({ min: 5, max: 200 })), { minLength: 4, maxLength: 12 });

/** Whether people have read of it, and not of its end since. */
function isKnown(told: readonly Told[], cluster: string): boolean {
  const last = told.findLast((one) => one.cluster === cluster && one.act !== 'update');
  return last !== undefined && last.act !== 'resolve';
}

async function play(events: typeof story extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const state = { isProductUp: true, hangs: false, cut: new Set<string>() };
  // What a dead process has told counts until its word has lapsed, and not after it.
  let ofHub = 0;
  let killedAt = Number.NEGATIVE_INFINITY;
  const fleet = startFleet({
    members: 3,
    answer: (cluster) =>
      cluster === 'hub' && !state.isProductUp
        ? { is: 'retryable', reason: 'HTTP 503', mayHaveArrived: false }
        : { is: 'delivered' },
    async network(_, member, deliver) {
      if (state.cut.has(member)) throw new TransportError('Unreachable', 'no route', false);
      const answer = await deliver();
      if (!state.hangs) return answer;
      return new Promise((_resolve, reject) => {
        fleet.clock.after(10_000, () => reject(new TransportError('Timeout', 'no answer', true)));
      });
    },
  });
  /** Since when each cluster has it (s). */
  const failing = new Map<number, number>();
  const pass = async (seconds: number): Promise<void> => {
    for (let left = seconds; left > 0; left -= 5) {
      await fleet.pass(Math.min(5, left));
      for (const [member, since] of failing)
        if (fleet.second() - since > knownWithin)
          assert.ok(
            isKnown(fleet.told, `prod-0${member + 1}`) ||
              fleet.second() - killedAt < knownWithin ||
              (fleet.hub.isAlive && isKnown(fleet.told.slice(ofHub), 'hub')),
            `${fleet.second()} s: nobody knows what prod-0${member + 1} has since ${since} s; ${JSON.stringify(fleet.told.map(({ cluster, act, second }) => `${second} ${cluster} ${act}`))}`,
          );
    }
  };
  await pass(20);
  for (const [event, seconds] of events) {
    const { what } = event;
    const member = 'member' in event ? event.member : 0;
    const cluster = fleet.members[member];
    if (what === 'kill' && fleet.hub.isAlive) {
      fleet.hub.kill();
      killedAt = fleet.second();
    } else if (what === 'start' && !fleet.hub.isAlive) {
      fleet.restartHub();
      ofHub = fleet.told.length;
    } else if (what === 'productDown' || what === 'productUp') state.isProductUp = what === 'productUp';
    else if (what === 'hang' || what === 'answer') state.hangs = what === 'hang';
    else if (what === 'cut') state.cut.add(`prod-0${member + 1}`);
    else if (what === 'join') state.cut.delete(`prod-0${member + 1}`);
    else if (what === 'fail' && !failing.has(member)) {
      failing.set(member, fleet.second());
      cluster?.put(...unreachable(fleet.clock.now()));
    } else if (what === 'mend' && failing.delete(member)) cluster?.gone(...unreachable(fleet.clock.now()));
    await pass(seconds);
  }
  await pass(knownWithin);
  fleet.stop();
}

test('whatever becomes of the hub and the way there, somebody knows of every outage in time', async () => {
  await fc.assert(fc.asyncProperty(story, play), { numRuns: runs(40) });
});
