import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoverageTracker } from '../../../src/runtime/watching/coverage-tracker.ts';
import { virtualClock } from '../../kube/support/virtual-clock.ts';
import { coverage } from '../helpers.ts';

/** A tracker that expects Pods (required) and Jobs (not). */
function stage() {
  const clock = virtualClock();
  let baselines = 0;
  const tracker = new CoverageTracker(clock, () => {
    baselines += 1;
  });
  tracker.expect('pods', true);
  tracker.expect('jobs', false);
  return { clock, tracker, baselines: () => baselines };
}

test('the baseline is taken once, when everything has synced or failed once and the configuration is known', () => {
  const { tracker, baselines } = stage();
  tracker.see(coverage('pods', 'Syncing'));
  tracker.see(coverage('pods', 'Watching'));
  tracker.see(coverage('jobs', 'Failing', false));
  assert.equal(baselines(), 0, 'more may be expected');
  tracker.complete();
  assert.equal(baselines(), 0, 'nobody knows yet what is silenced');
  tracker.configured();
  assert.equal(baselines(), 1);
  tracker.see(coverage('jobs', 'Watching', false));
  tracker.configured();
  assert.equal(baselines(), 1);
});

test('a required source that has failed but not synced is waited for', async () => {
  const { clock, tracker, baselines } = stage();
  tracker.complete();
  tracker.configured();
  tracker.see(coverage('jobs', 'Watching', false));
  tracker.see(coverage('pods', 'Failing'));
  await clock.advance(600_000);
  assert.deepEqual([baselines(), tracker.requiredSynced()], [0, false]);
  tracker.see(coverage('pods', 'Watching'));
  assert.equal(baselines(), 1);
});

test('others are waited for 60 s after the required ones, even one that never says anything', async () => {
  const { clock, tracker, baselines } = stage();
  tracker.complete();
  tracker.configured();
  tracker.see(coverage('pods', 'Watching'));
  assert.equal(tracker.requiredSynced(), true, 'an optional source that cannot be found out does not make it unready');
  await clock.advance(59_999);
  assert.equal(baselines(), 0);
  await clock.advance(1);
  assert.equal(baselines(), 1);
});

test('no baseline is taken before the configuration is known, however long that takes', async () => {
  const { clock, tracker, baselines } = stage();
  tracker.complete();
  tracker.see(coverage('pods', 'Watching'));
  await clock.advance(600_000);
  assert.equal(baselines(), 0);
  tracker.configured();
  assert.equal(baselines(), 1, 'the other sources have been waited for meanwhile');
});

test('required sources count as synced while they fail, not when they are denied or gone', () => {
  const { tracker } = stage();
  tracker.complete();
  for (const [state, synced] of [
    ['Watching', true],
    ['Failing', true],
    ['Syncing', true],
    ['Denied', false],
    ['NotServed', false],
    ['Watching', true],
  ] as const) {
    tracker.see(coverage('pods', state));
    assert.equal(tracker.requiredSynced(), synced, state);
  }
});

test('rows are sorted by source; a stopped tracker takes no baseline', async () => {
  const { clock, tracker, baselines } = stage();
  tracker.see(coverage('pods', 'Watching'));
  tracker.see(coverage('jobs', 'Syncing', false));
  assert.deepEqual(
    tracker.rows().map(({ source }) => source),
    ['jobs', 'pods'],
  );
  tracker.complete();
  tracker.stop();
  tracker.see(coverage('jobs', 'Watching', false));
  tracker.configured();
  await clock.advance(120_000);
  assert.deepEqual([baselines(), clock.pending()], [0, 0]);
});
