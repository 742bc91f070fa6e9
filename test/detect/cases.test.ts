/** Each reason that has a file in `cases/`: it fires, is quiet and clears where that says so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectors } from '../../src/detect/catalogue.ts';
import { story } from '../world/story.ts';
import { type ReasonCases, reasonCases, type Stage, type Tell } from './reason-cases.ts';

/** Tells a story; `step` is asked after each of its steps. */
function play({ edition }: ReasonCases, tell: Tell, step: (found: readonly string[]) => void = () => undefined) {
  const k8s = story(edition);
  const then =
    <A extends unknown[]>(act: (...args: A) => void) =>
    (...args: A): void => {
      act(...args);
      step(k8s.found());
    };
  const stage: Stage = { put: then(k8s.put), gone: then(k8s.gone), wait: then(k8s.wait) };
  tell(stage);
  return k8s;
}

for (const [reason, cases] of reasonCases) {
  const { id, on, says, fires, quiet, clears } = cases;
  const isIt = (found: string): boolean => found.endsWith(` ${reason}`);

  test(`${id} ${reason} is of a detector that states it, and has a story of each sort`, () => {
    assert.ok(
      detectors.some((row) => row.id.split(', ').includes(id) && row.reasons.some((each) => each.reason === reason)),
      `test/detect/cases/${reason}.ts: no detector ${id} states ${reason}`,
    );
    for (const stories of [fires, quiet, clears]) assert.ok(Object.keys(stories).length > 0);
  });

  for (const [index, [what, tell]] of Object.entries(fires).entries())
    test(`${id} fires: ${what}`, () => {
      const k8s = play(cases, tell);
      assert.deepEqual(k8s.found(), [`${on} ${reason}`]);
      if (index === 0) assert.equal(k8s.says(on, reason), says);
    });

  for (const [what, tell] of Object.entries(quiet))
    test(`${id} is quiet: ${what}`, () => {
      let steps = 0;
      play(cases, tell, (found) => {
        steps += 1;
        assert.deepEqual(found.filter(isIt), []);
      });
      assert.ok(steps > 0, 'nothing happens');
    });

  for (const [what, tell] of Object.entries(clears))
    test(`${id} clears: ${what}`, () => {
      let wasFound = false;
      const k8s = play(cases, tell, (found) => {
        wasFound ||= found.some(isIt);
      });
      assert.ok(wasFound, 'it is never found');
      assert.deepEqual(k8s.found().filter(isIt), []);
    });
}
