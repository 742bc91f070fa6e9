import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from '../e2e/storms/page.ts';
import type { Ride } from '../e2e/storms/ride.ts';
import { storms } from '../e2e/storms/storms.ts';

function rideOf(name: string, hit: number): Ride {
  const storm = storms.find((each) => each.name === name);
  assert.ok(storm);
  const figures = { began: 0, hit, logs: 20, logsAtOnce: 3, longestTurnMs: 40, peakMemoryMiB: 200, seconds: 100 };
  return { storm, ...figures, messages: [], faults: ['no message names it'] };
}

test('a run of some storms keeps what the page says of the others, and says which were never measured', () => {
  const first = page([rideOf('zone lost', 100), rideOf('registry outage', 100)], '');
  const second = page([rideOf('zone lost', 1000)], first);
  assert.match(second, /^\| registry outage \| 100 \|/m);
  assert.match(second, /^\| zone lost \| 1000 \|/m);
  assert.doesNotMatch(second, /^\| zone lost \| 100 \|/m);
  assert.equal(second.match(/^### /gm)?.length, 2);
  assert.match(second, /Not measured yet: Secret missing;/);
  assert.equal(page([], second), second);
});
