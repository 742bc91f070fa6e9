import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnchoredClock } from '../../src/model/anchored-clock.ts';
import { callAt } from '../../src/model/clock.ts';
import { fc } from '../fast-check.ts';
import { virtualClock } from '../kube/support/virtual-clock.ts';
import { runs } from '../runs.ts';

const minute = 60_000;
const hour = 60 * minute;

function stage() {
  const host = virtualClock();
  const steps: number[] = [];
  const clock = new AnchoredClock(host, (milliseconds) => steps.push(milliseconds));
  /** Real milliseconds until an action comes that is asked for `waitMs` from now, while somebody looks at the clock. */
  const waited = async (waitMs: number): Promise<number> => {
    const start = host.monotonic();
    let cameAt: number | undefined;
    callAt(clock, clock.now() + waitMs, () => {
      cameAt = host.monotonic();
    });
    for (let waits = 0; cameAt === undefined && waits < 10_000; waits += 1) await host.advance(host.untilNext());
    return (cameAt ?? Number.POSITIVE_INFINITY) - start;
  };
  return { host, clock, steps, waited };
}

test('an undisturbed clock tells the time of the host', async () => {
  const { host, clock, steps } = stage();
  for (let times = 0; times < 100; times += 1) {
    assert.equal(clock.now(), host.now());
    await host.advance(7_777);
  }
  assert.deepEqual(steps, []);
});

test('a host clock that is set back delays nothing, is told of once, and is met in the end', async () => {
  const { host, clock, steps, waited } = stage();
  const before = clock.now();
  host.step(-45 * minute);
  assert.equal(clock.now(), before);
  const took = await waited(minute);
  assert.ok(took >= minute && took <= 1.12 * minute, `${took} ms`);
  assert.deepEqual(steps, [-45 * minute]);
  await waited(8 * hour);
  assert.ok(clock.now() - host.now() < 1_000);
});

test('a host clock that is set forward and back again at once changes next to nothing', async () => {
  const { host, clock, steps, waited } = stage();
  host.step(2 * hour);
  await waited(5_000);
  host.step(-2 * hour);
  assert.ok(Math.abs(clock.now() - host.now()) <= 1_000, `${clock.now() - host.now()} ms`);
  const took = await waited(minute);
  assert.ok(took >= 0.9 * minute && took <= 1.12 * minute, `${took} ms`);
  assert.deepEqual(steps, [2 * hour, -2 * hour]);
});

test('a host clock that was set forward, or a machine that slept, is followed within 40 s, and waits that are over end', async () => {
  const { host, clock, waited } = stage();
  host.step(2 * hour);
  const took = await waited(90 * minute);
  assert.ok(took <= 40_000, `${took} ms`);
  assert.ok(Math.abs(clock.now() - host.now()) <= 1_000);
});

test('whatever is done to the host clock, time never goes back, nothing comes early, and nothing late by more than a ninth of its wait', async () => {
  const change = fc.oneof(
    fc.record({ step: fc.integer({ min: -3 * hour, max: 3 * hour }) }),
    fc.record({ wait: fc.integer({ min: 0, max: 20 * minute }) }),
    fc.record({ pass: fc.integer({ min: 0, max: 5 * minute }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (changes) => {
      const { host, clock } = stage();
      let last = clock.now();
      const waiting = new Set<{ readonly instant: number; readonly latest: number; dueSince?: number }>();
      const look = (): void => {
        const now = clock.now();
        assert.ok(now >= last, `back by ${last - now} ms`);
        last = now;
        for (const entry of waiting) {
          assert.ok(host.monotonic() <= entry.latest, 'late by more than a ninth of the wait');
          if (now >= entry.instant) entry.dueSince ??= host.monotonic();
          assert.ok(host.monotonic() - (entry.dueSince ?? host.monotonic()) <= 10_000, 'late by more than 10 s');
        }
      };
      const passes = async (milliseconds: number): Promise<void> => {
        for (const end = host.monotonic() + milliseconds; host.monotonic() < end; look())
          await host.advance(Math.min(host.untilNext(), 10_000, end - host.monotonic()));
      };
      for (const each of changes) {
        if ('step' in each) host.step(each.step);
        if ('pass' in each) await passes(each.pass);
        if (!('wait' in each)) continue;
        const instant = clock.now() + each.wait;
        const entry = { instant, latest: host.monotonic() + each.wait / 0.9 + 10 };
        waiting.add(entry);
        callAt(clock, instant, () => {
          waiting.delete(entry);
          assert.ok(clock.now() >= instant, 'too early');
        });
      }
      await passes(25 * minute);
      assert.equal(waiting.size, 0);
      assert.ok(clock.now() - host.now() > -1_001, 'a host that is ahead for 25 minutes is believed');
    }),
    { numRuns: runs(30) },
  );
});

test('a wait that is called off never comes', async () => {
  const { host, clock } = stage();
  const cancel = callAt(clock, clock.now() + hour, () => assert.fail());
  await host.advance(30 * minute);
  cancel();
  assert.equal(host.pending(), 0);
});
