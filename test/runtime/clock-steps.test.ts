import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coreStage, crashing } from './core-stage.ts';

const minute = 60_000;
type Step = { readonly byMs: number; readonly forMs: number };

/** Seconds from a failure to its message, and from its end to the message of that, after steps of the host's clock. */
async function told(steps: readonly Step[]): Promise<{ readonly open: number; readonly resolve: number }> {
  const { host, begin, put, gone, arrived, startedAt } = coreStage();
  const second = (): number => (host.monotonic() - startedAt) / 1000;
  await begin();
  for (const { byMs, forMs } of steps) {
    host.step(byMs);
    await host.advance(forMs);
  }
  // The cluster's own clocks are right all the time, and so is the host's by now.
  const pod = crashing('api', host.now());
  const brokenAt = second();
  put(pod);
  await host.advance(10 * minute);
  const mendedAt = second();
  gone(pod);
  await host.advance(10 * minute);
  const [open, resolve, ...others] = arrived;
  assert.deepEqual([open?.act, resolve?.act, others], ['open', 'resolve', []]);
  return { open: (open?.second ?? 0) - brokenAt, resolve: (resolve?.second ?? 0) - mendedAt };
}

test('a failure and its end are told in time, whatever was done to the clock of the host before', async () => {
  const calm = await told([]);
  const stories: readonly (readonly Step[])[] = [
    [{ byMs: -45 * minute, forMs: 10_000 }],
    [
      { byMs: 120 * minute, forMs: 5_000 },
      { byMs: -120 * minute, forMs: 10_000 },
    ],
    [{ byMs: 120 * minute, forMs: minute }],
    [
      { byMs: 60 * minute, forMs: 10 * minute },
      { byMs: -60 * minute, forMs: 0 },
    ],
  ];
  for (const story of stories) {
    const { open, resolve } = await told(story);
    assert.ok(
      open <= calm.open / 0.9 + 1 && open >= calm.open * 0.9 - 1,
      `opening after ${open} s instead of ${calm.open} s`,
    );
    assert.ok(resolve <= calm.resolve / 0.9 + 1, `end after ${resolve} s instead of ${calm.resolve} s`);
  }
});
