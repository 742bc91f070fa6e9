import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnchoredClock } from '../../../src/model/anchored-clock.ts';
import type { Effects, Input } from '../../../src/model/turn.ts';
import { Loop } from '../../../src/runtime/loop/loop.ts';
import { settle, virtualClock } from '../../kube/support/virtual-clock.ts';
import { noEffects } from '../helpers.ts';

const wake: Input = { kind: 'wake' };
const lease: Input = { kind: 'lease', held: true };

/** A loop whose turns are listed as `now: inputs`; `turn` says what comes of one. */
function stage(turn: (inputs: readonly Input[], now: number) => Partial<Effects> = () => ({})) {
  const host = virtualClock(1_000);
  const clock = new AnchoredClock(host, () => {});
  const turns: string[] = [];
  const carried: number[] = [];
  const crashes: unknown[] = [];
  const loop = new Loop({
    clock,
    turn(inputs, now) {
      turns.push(`${now}: ${inputs.map(({ kind }) => kind).join(' ')}`);
      return { ...noEffects, ...turn(inputs, now) };
    },
    carry: (_effects, _inputs, now) => void carried.push(now),
    crashed: (error) => crashes.push(error),
  });
  return { loop, clock: host, turns, carried, crashes };
}

test('a turn takes everything that is queued, in order, and is carried out before the next', async () => {
  const { loop, turns, carried } = stage();
  loop.push(lease);
  loop.push(wake);
  assert.equal(turns.length, 0, 'not in the middle of whoever pushes');
  assert.equal(loop.waitingSince(), 1_000);
  await settle();
  assert.deepEqual([turns, carried, loop.waitingSince()], [['1000: lease wake'], [1_000], undefined]);
});

test('what is pushed while a turn is carried out is the next turn', async () => {
  const { loop, turns } = stage(() => {
    if (turns.length === 1) loop.push(lease);
    return {};
  });
  loop.push(wake);
  await settle();
  assert.deepEqual(turns, ['1000: wake', '1000: lease']);
});

test('a drain runs the turn at once, so that a reader sees no backlog; nothing runs twice', async () => {
  const { loop, turns } = stage();
  loop.push(wake);
  loop.drain();
  assert.deepEqual(turns, ['1000: wake']);
  loop.drain();
  await settle();
  assert.equal(turns.length, 1);
});

test('it wakes at the asked instant, only for the latest wish, and however far away that is', async () => {
  const day = 86_400_000;
  const wishes = [2_000, 5_000, 5_000 + day];
  const { loop, clock, turns } = stage(() => {
    const wakeAt = wishes.shift();
    return wakeAt === undefined ? {} : { wakeAt };
  });
  loop.push(lease);
  loop.drain();
  loop.push(lease);
  loop.drain();
  await clock.advance(3_999);
  assert.equal(turns.length, 2, 'the first wish is void');
  await clock.advance(1);
  assert.equal(turns.at(-1), '5000: wake');
  await clock.advance(day - 1);
  assert.equal(turns.length, 3, 'nothing in between');
  await clock.advance(1);
  assert.equal(turns.at(-1), `${5_000 + day}: wake`);
});

test('time never goes back, whatever is done to the clock of the host', async () => {
  const { loop, clock, turns } = stage();
  loop.push(lease);
  loop.drain();
  clock.step(-45 * 60_000);
  loop.push(lease);
  loop.drain();
  assert.deepEqual(turns, ['1000: lease', '1000: lease']);
});

test('a wish for an instant is kept, at most a tenth late, though the host goes back; and 2 h forward for 5 s harm nothing', async () => {
  for (const [there, back] of [
    [-45 * 60_000, 0],
    [2 * 3_600_000, -2 * 3_600_000],
  ] as const) {
    const { loop, clock, turns } = stage(() => (turns.length === 1 ? { wakeAt: 61_000 } : {}));
    loop.push(lease);
    loop.drain();
    clock.step(there);
    await clock.advance(5_000);
    clock.step(back);
    await clock.advance(62_000);
    assert.deepEqual([turns.length, clock.pending()], [2, 0]);
  }
});

test('an idle core runs no turn', async () => {
  const { loop, clock, turns } = stage(() => ({}));
  loop.push(wake);
  await clock.advance(3_600_000);
  assert.equal(turns.length, 1);
});

test('a turn that throws is told once; no turn runs on what it left behind, and no timer is left', async () => {
  const { loop, clock, turns, carried, crashes } = stage((inputs) => {
    if (inputs.some(({ kind }) => kind === 'lease')) throw new Error('a bug');
    return { wakeAt: 9_000 };
  });
  loop.push(wake);
  loop.drain();
  loop.push(lease);
  loop.drain();
  loop.push(wake);
  await clock.advance(60_000);
  assert.deepEqual([turns.length, carried.length, crashes.length, clock.pending()], [2, 1, 1, 0]);
  assert.equal(loop.waitingSince(), undefined);
});

test('after a stop nothing runs', async () => {
  const { loop, clock, turns } = stage();
  loop.push(wake);
  loop.stop();
  loop.push(wake);
  await settle();
  assert.deepEqual([turns.length, clock.pending()], [0, 0]);
});
