/** A sample of the gates of honesty; `make honesty` plays all of their stories. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { newHouse } from './adapter.ts';
import { gates } from './gates.ts';
import { tellWith } from './tell.ts';

for (const { key, what, stories, wrong, limit } of await gates('sample'))
  test(`${key}: in at most ${limit} of the stories ${what}`, () => {
    assert.ok(stories > 0, 'no story asks for it');
    assert.ok(wrong.length <= limit, `${wrong.length} of ${stories}: ${wrong.join('; ')}`);
  });

test('what happens besides happens at its time, between what a story tells', () => {
  const heard: number[] = [];
  const story = {
    ...{ what: 'two waits', told: [] },
    tell: (k8s: ReturnType<typeof newHouse>) => {
      k8s.wait(10);
      heard.push(10);
      k8s.wait(30);
      heard.push(30);
    },
  };
  tellWith(
    story,
    [20, 5, 40].map((at) => ({ at, does: () => void heard.push(at) })),
  );
  assert.deepEqual(heard, [5, 10, 20, 30, 40]);
});
