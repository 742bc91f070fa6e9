import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Arena, startArena } from '../chaos/arena.ts';
import { mendWhileDead } from '../chaos/forgetful.ts';
import { judge } from '../chaos/judge.ts';
import { killAgainAndAgain } from '../chaos/kills.ts';
import { faultsOf } from '../chaos/report.ts';

let arena: Arena;
before(async () => {
  arena = await startArena(Math.random);
});
after(async () => {
  await arena?.stop();
});

test('killed five times while workloads break and mend, with saved state: nothing lost, nothing told twice, all in order', async () => {
  const trial = await killAgainAndAgain(arena, {
    name: 'kill',
    rounds: 5,
    faults: ['image', 'crash'],
    say: () => undefined,
  });
  assert.deepEqual(faultsOf({ name: 'kill -9', trial, dropped: 0 }), []);
  assert.ok(trial.breaks.length >= 3 && trial.taken.length >= 6, 'something was broken and told');
});

test('what is mended while the process is dead is told after the restart on Pro, and the judge finds it lost on Community', async () => {
  assert.deepEqual(judge(await mendWhileDead(arena, 'saved')).lostEnds, []);
  await arena.license('Community');
  assert.equal(judge(await mendWhileDead(arena, 'unsaved')).lostEnds.length, 1);
});
