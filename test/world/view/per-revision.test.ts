import assert from 'node:assert/strict';
import { test } from 'node:test';
import { perRevision } from '../../../src/world/view/per-revision.ts';
import { service } from '../network-objects.ts';
import { at } from '../objects.ts';
import { story } from '../story.ts';

test('what is worked out of a world is worked out once until something changes, for each world by itself', () => {
  let times = 0;
  const services = perRevision((world) => {
    times += 1;
    return [...world.all('Service')].length;
  });
  const [{ world, put }, other] = [story(), story()];
  put(at(0), service('api'));
  assert.deepEqual([services(world), services(world), times], [1, 1, 1]);
  put(at(1), service('db'));
  assert.deepEqual([services(world), services(other.world), times], [2, 0, 3]);
});
