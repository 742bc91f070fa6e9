import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AnchoredClock } from '../../src/model/anchored-clock.ts';
import { deliveryKeys, type Outcome } from '../../src/model/delivery.ts';
import type { Act } from '../../src/model/notification.ts';
import { virtualClock } from '../kube/support/virtual-clock.ts';
import { arrived, broken, delivery, provider, refused, stage } from './stage.ts';

const minute = 60_000;
const streams = ['inc-1', 'inc-2'] as const;
const names = ['oncall', 'mail'] as const;
type Name = (typeof names)[number];
type Config = { readonly name: Name; readonly uid: string };

/** How a product answers from now on. */
const moods: readonly Outcome[] = [
  arrived,
  broken,
  refused,
  { is: 'retryable', reason: 'no answer', mayHaveArrived: true },
  { is: 'rateLimited', afterMs: 30_000 },
  { is: 'permanent', reason: 'HTTP 401', credential: true },
];

const happening = fc.oneof(
  { weight: 5, arbitrary: fc.record({ tell: fc.constantFrom(...streams), to: fc.constantFrom(...names) }) },
  { weight: 3, arbitrary: fc.record({ mood: fc.nat(moods.length - 1), of: fc.constantFrom(...names) }) },
  { weight: 4, arbitrary: fc.record({ passMs: fc.integer({ min: 0, max: 10 * minute }) }) },
  { weight: 1, arbitrary: fc.record({ suspend: fc.constantFrom(...names) }) },
  { weight: 1, arbitrary: fc.record({ remake: fc.constantFrom(...names) }) },
  { weight: 1, arbitrary: fc.record({ stepMs: fc.integer({ min: -180 * minute, max: 180 * minute }) }) },
  { weight: 1, arbitrary: fc.constant({ pause: true } as const) },
);

/** The acts of an incident in the order in which a turn tells them: sequence 1 opens, later ones update, resolve, reopen. */
function actOf(sequence: number): Act {
  const later = (['update', 'resolve', 'reopen'] as const)[(sequence - 2) % 3];
  return sequence === 1 || later === undefined ? 'open' : later;
}

test('whatever happens, each act arrives or is reported as ended, each stream in order, steps of the clock or not, and nothing reaches a provider made anew', async () => {
  const story = fc.record({ happenings: fc.array(happening, { maxLength: 40 }), hasFallback: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(story, async ({ happenings, hasFallback }) => {
      const mood = new Map<Name, Outcome>();
      const uids = new Map<Name, number>();
      const make = (name: Name, suspended = false) => {
        const uid = `uid-${name}-${uids.get(name) ?? 0}`;
        return provider(name, {
          ...{ uid, suspended, config: { name, uid } },
          ...(hasFallback && name === 'oncall' && { fallback: provider('mail').ref }),
        });
      };
      const host = virtualClock();
      const anchored = new AnchoredClock(host, () => undefined);
      const timed = {
        now: () => anchored.now(),
        monotonic: () => anchored.monotonic(),
        after: (milliseconds: number, action: () => void) => anchored.after(milliseconds, action),
        advance: (milliseconds: number) => host.advance(milliseconds),
      };
      const told: string[] = [];
      const { clock, store, dispatcher, providers, reports, seen, enqueue } = stage({
        providers: names.map((name) => make(name)),
        clock: timed,
        random: () => 0.5,
        script: ({ config }) => mood.get((config as Config).name) ?? arrived,
      });
      const sequences = new Map<string, number>();
      const put = (name: Name, suspended = false): void => {
        const made = make(name, suspended);
        providers.set(made.ref, made);
        dispatcher.providerChanged(made.ref);
      };
      let paused = false;
      for (const each of happenings) {
        if ('tell' in each) {
          const to = providers.get(provider(each.to).ref) ?? assert.fail();
          const lane = `${each.tell}|${to.uid}`;
          const sequence = (sequences.get(lane) ?? 0) + 1;
          sequences.set(lane, sequence);
          const made = delivery(to, actOf(sequence), sequence, { stream: each.tell, now: clock.now() });
          told.push(made.id);
          enqueue(made);
        }
        if ('mood' in each) mood.set(each.of, moods[each.mood] ?? arrived);
        if ('stepMs' in each) host.step(each.stepMs);
        if ('passMs' in each) await clock.advance(each.passMs);
        if ('suspend' in each) put(each.suspend, providers.get(provider(each.suspend).ref)?.suspended !== true);
        if ('remake' in each) {
          uids.set(each.remake, (uids.get(each.remake) ?? 0) + 1);
          put(each.remake);
        }
        if ('pause' in each) {
          paused = !paused;
          if (paused) dispatcher.pause();
          else dispatcher.resume();
        }
      }
      // In the end everything works, and a day passes.
      mood.clear();
      for (const name of names) put(name);
      dispatcher.resume();
      for (let hours = 0; hours < 2; hours += 1) await clock.advance(60 * minute);

      assert.deepEqual(store.outbox(), []);
      const ended = new Map(
        reports.filter(({ ended: is }) => is !== 'pending').map((report) => [report.delivery, report]),
      );
      for (const id of told) assert.ok(ended.has(id), 'a delivery is lost');
      const isTaken = (by: string, stream: string, act: Act): boolean =>
        [...ended.values()].some((other) => other.provider === by && other.stream === stream && other.act === act);
      for (const { fallback, stream, act } of reports)
        if (fallback !== undefined) assert.ok(isTaken(fallback, stream, act), 'what a fallback took over is lost');
      const dead = new Set(store.deadLetters().map(({ delivery: { id } }) => id));
      for (const [id, report] of ended) assert.equal(dead.has(id), report.ended === 'failed');
      const lastOf = new Map<string, number>();
      for (const { attempt } of seen) {
        const { stream, sequence, act, attemptKey } = attempt.delivery;
        const { uid } = attempt.config as Config;
        assert.equal(attemptKey, deliveryKeys(stream, uid, act, sequence).attemptKey, 'meant for another provider');
        const last = lastOf.get(`${stream}|${uid}`) ?? 0;
        assert.ok(sequence >= last, `${stream}, ${uid}: ${sequence} after ${last}`);
        lastOf.set(`${stream}|${uid}`, sequence);
      }
    }),
    { numRuns: 100 },
  );
});
