import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ref, refOf } from '../../../src/model/ref.ts';
import { pod, start } from '../objects.ts';
import { story } from '../story.ts';

const names = Array.from({ length: 3 }, (_, index) => `web-${index}`);
const [first, second] = ['web-0', 'web-1'].map((name) => refOf('Pod', 'shop', name)) as [Ref, Ref];

/** Some Pods, of which nobody has asked yet. */
function somePods() {
  const { world } = story();
  const put = (name: string, phase: string): void =>
    void world.apply('pods', [{ is: 'put', raw: pod(name, { namespace: 'shop', phase }) }], start);
  for (const name of names) put(name, 'Running');
  return { world, put };
}

test('where each Pod is looked at once no view is kept; one that is asked for again is made once more, and then kept', () => {
  const { world } = somePods();
  const once = world.get(first);
  assert.equal(world.get(first), once);
  world.get(second);
  const twice = world.get(first);
  assert.notEqual(twice, once);
  assert.deepEqual(twice, once);
  world.get(second);
  assert.equal(world.get(first), twice);
});

test('a view that is kept is that of the Pod as it is now', () => {
  const { world, put } = somePods();
  for (const ref of [first, second, first, second, first]) world.get(ref);
  put('web-0', 'Failed');
  const after = world.get(first);
  assert.ok(typeof after === 'object' && after.kind === 'Pod');
  assert.equal(after.phase, 'Failed');
  world.apply('pods', [{ is: 'gone', raw: pod('web-1', { namespace: 'shop' }) }], start);
  assert.equal(typeof world.get(second), 'string');
});
