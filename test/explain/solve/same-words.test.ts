import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../../world/objects.ts';
import { inShort } from '../helpers.ts';
import { app, crashing, long, podOf, twoNodes } from '../proof.ts';
import { house } from '../raw.ts';

/** Programs that end at these minutes with these words; what each of them is told by in the end. */
function told(...programs: readonly (readonly [name: string, minute: number, words: string])[]): readonly string[] {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...programs.flatMap(([name]) => [...app(name), podOf(name, 'a')]));
  k8s.wait(at(0));
  for (const [name, minute, words] of programs) {
    k8s.put(at(minute), podOf(name, 'a', crashing(long, at(minute))));
    k8s.hear(at(minute, 1), `Pod/shop/${name}-a`, 'INFO  starting', words);
  }
  k8s.wait(at(20));
  return inShort(k8s.explain()).map((each) => each.replace(/ \w+ \d+$/, ''));
}

const torn = (shard: number): string => `tenant ${shard} ledger shard-${shard} is torn at offset ${shard * 991}`;

test('workloads that end within minutes with the same sentence, which nobody can read, are one incident of that sentence', () => {
  assert.deepEqual(told(['api', 1, torn(1)], ['web', 1, torn(22)], ['cart', 2, torn(333)]), [
    'Sentence//“tenant … ledger … is torn at offset …”',
  ]);
});

test('two of them are two, and so is who says it much later, or something else', () => {
  const alone = (name: string): string => `Deployment/shop/${name}`;
  assert.deepEqual(told(['api', 1, torn(1)], ['web', 1, torn(2)]), ['api', 'web'].map(alone));
  assert.deepEqual(
    told(['api', 1, torn(1)], ['web', 1, torn(2)], ['cart', 12, torn(3)]),
    ['api', 'cart', 'web'].map(alone),
  );
  assert.deepEqual(told(['api', 1, torn(1)], ['web', 1, torn(2)], ['cart', 1, 'seat map has a gap']), [
    ...['api', 'cart', 'web'].map(alone),
  ]);
});

test('what any program says as it ends joins nobody', () => {
  assert.equal(
    told(['api', 1, 'exiting with error'], ['web', 1, 'exiting with error'], ['cart', 1, 'exiting with error']).length,
    3,
  );
});
