import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCoverageTracker } from '../../src/runtime/coverage-tracker.ts';
import { virtualClock } from '../kube/support/virtual-clock.ts';
import { coverage } from './helpers.ts';

/** A board that expects Pods (required) and Jobs (not). */
function stage() {
  const clock = virtualClock();
  let baselines = 0;
  const board = createCoverageTracker(clock, () => {
    baselines += 1;
  });
  board.expect('pods', true);
  board.expect('jobs', false);
  return { clock, board, baselines: () => baselines };
}

test('the baseline is taken once, when everything has synced or failed once and the configuration is known', () => {
  const { board, baselines } = stage();
  board.see(coverage('pods', 'Syncing'));
  board.see(coverage('pods', 'Watching'));
  board.see(coverage('jobs', 'Failing', false));
  assert.equal(baselines(), 0, 'more may be expected');
  board.complete();
  assert.equal(baselines(), 0, 'nobody knows yet what is silenced');
  board.configured();
  assert.equal(baselines(), 1);
  board.see(coverage('jobs', 'Watching', false));
  board.configured();
  assert.equal(baselines(), 1);
});

test('a required source that has failed but not synced is waited for', async () => {
  const { clock, board, baselines } = stage();
  board.complete();
  board.configured();
  board.see(coverage('jobs', 'Watching', false));
  board.see(coverage('pods', 'Failing'));
  await clock.advance(600_000);
  assert.deepEqual([baselines(), board.requiredSynced()], [0, false]);
  board.see(coverage('pods', 'Watching'));
  assert.equal(baselines(), 1);
});

test('others are waited for 60 s after the required ones, even one that never says anything', async () => {
  const { clock, board, baselines } = stage();
  board.complete();
  board.configured();
  board.see(coverage('pods', 'Watching'));
  assert.equal(board.requiredSynced(), true, 'an optional source that cannot be found out does not make it unready');
  await clock.advance(59_999);
  assert.equal(baselines(), 0);
  await clock.advance(1);
  assert.equal(baselines(), 1);
});

test('required sources count as synced while they fail, not when they are denied or gone', () => {
  const { board } = stage();
  board.complete();
  for (const [state, synced] of [
    ['Watching', true],
    ['Failing', true],
    ['Syncing', true],
    ['Denied', false],
    ['NotServed', false],
    ['Watching', true],
  ] as const) {
    board.see(coverage('pods', state));
    assert.equal(board.requiredSynced(), synced, state);
  }
});

test('rows are sorted by source; a stopped board takes no baseline', async () => {
  const { clock, board, baselines } = stage();
  board.see(coverage('pods', 'Watching'));
  board.see(coverage('jobs', 'Syncing', false));
  assert.deepEqual(
    board.rows().map(({ source }) => source),
    ['jobs', 'pods'],
  );
  board.complete();
  board.stop();
  board.see(coverage('jobs', 'Watching', false));
  board.configured();
  await clock.advance(120_000);
  assert.deepEqual([baselines(), clock.pending()], [0, 0]);
});
