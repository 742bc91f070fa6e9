import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { playQuiet, type Quiet, quietRuns } from './play.ts';

/** A short cut of `make quiet`: each run once or a few times; `ONLY=rollouts,crds` picks some. */
const seconds = Number(process.env.QUIET_SECONDS ?? 300);
const only = (process.env.ONLY ?? '').split(',').filter((word) => word !== '');
const runs = only.length === 0 ? quietRuns : quietRuns.filter(({ ns }) => only.includes(ns));
let outcome: readonly Quiet[] = [];

before(async () => {
  outcome = await playQuiet(seconds, (line) => console.log(line), runs);
});

for (const run of runs)
  test(`nobody is told of ${run.what}`, () => {
    const quiet = outcome.find((each) => each.run === run);
    assert.ok(quiet, 'it was not played');
    assert.equal(typeof quiet.did, 'string', JSON.stringify(quiet.did));
    const told = quiet.told.map(({ type, title, message }) => `${type}: ${title}\n${message}`);
    const why = quiet.decisions.map(
      ({ time, action, root, reason, disposition }) => `${time} ${action} ${root} ${reason} ${disposition}`,
    );
    assert.deepEqual(told, [], why.join('\n'));
  });

test('nor of anything else in the cluster', () => {
  const told = (outcome.at(-1)?.told ?? []).map(({ type, title, message }) => `${type}: ${title}\n${message}`);
  assert.deepEqual(told, []);
});
