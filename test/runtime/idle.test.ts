import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coreStage, crashing } from './core-stage.ts';
import { coverage } from './helpers.ts';

const minute = 60_000;
const unready = { type: 'Ready', status: 'False', reason: 'ContainersNotReady' };
const at = (instant: number): string => new Date(instant).toISOString();

test('an idle core runs no turn: not in a calm cluster, and not once all that broke is over', async () => {
  const { host, clock, begin, put, gone, turns, acts } = coreStage();
  await begin();
  const start = turns.length;
  await host.advance(30 * minute);
  assert.equal(turns.length, start, turns.slice(start).join());
  const pod = crashing('api', clock.now());
  put(pod);
  await host.advance(5 * minute);
  gone(pod);
  await host.advance(30 * minute);
  assert.deepEqual(acts(), ['open', 'resolve']);
  const calm = turns.length;
  await host.advance(30 * minute);
  assert.equal(turns.length, calm, turns.slice(calm).join());
});

test('what cannot be seen any more is not asked for again and again', async () => {
  const { host, clock, begin, put, loop, turns } = coreStage();
  await begin();
  // Not ready yet: to be judged again later, when nobody can see it any more.
  const pod = crashing('api', clock.now());
  const running = { running: { startedAt: at(clock.now() - 60_000) } };
  const containerStatuses = [{ name: 'app', image: 'r/api:1', ready: false, restartCount: 0, state: running }];
  const conditions = [{ ...unready, lastTransitionTime: at(clock.now()) }];
  put({ ...pod, status: { phase: 'Running', conditions, containerStatuses } });
  await host.advance(10_000);
  loop.push({ kind: 'source', coverage: { ...coverage('pods', 'Denied'), kind: 'Pod' } });
  await host.advance(1_000);
  const before = turns.length;
  await host.advance(10 * minute);
  assert.ok(turns.length - before <= 10, `${turns.length - before} turns in 10 minutes`);
});
