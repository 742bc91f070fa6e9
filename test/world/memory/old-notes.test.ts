import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, ended, pod, waiting } from '../objects.ts';
import { story } from '../story.ts';

test('what was noted of restarts is forgotten once nobody asks for it any more', () => {
  const { put, wait, world } = story();
  const crashed = (restartCount: number, minute: number) =>
    pod('api', {
      createdAt: at(-600),
      statuses: [
        waiting('api', 'CrashLoopBackOff', '', { restartCount, lastState: ended(at(minute - 1), at(minute)) }),
      ],
    });
  /** How many containers have restarts noted, of each object of which something else is noted than before. */
  const changes = (): (readonly [string, number])[] =>
    [...world.takeNotes()].map(([ref, notes]) => [ref, Object.keys(notes?.restarts ?? {}).length]);
  put(at(0), crashed(1, 0));
  put(at(2), crashed(2, 2));
  assert.deepEqual(changes(), [['Pod/shop/api', 1]]);
  for (const minute of [30, 61, 63]) {
    wait(at(minute));
    world.expire(at(minute));
  }
  assert.deepEqual(changes(), [['Pod/shop/api', 0]]);
});
