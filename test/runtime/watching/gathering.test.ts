import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../src/model/clock.ts';
import type { ObjectEvent } from '../../../src/model/raw-object.ts';
import { Gathering } from '../../../src/runtime/watching/gathering.ts';

/** A renewal of a Lease. */
const renewal = (name: string, at: number, uid = 'u'): ObjectEvent => ({
  is: 'put',
  raw: { metadata: { namespace: 'kube-system', name, uid }, spec: { renewTime: at } },
});

/** A gathering of 15 s, what it hands over, and how to let that time pass. */
function gathering() {
  const told: (readonly ObjectEvent[])[] = [];
  let due: (() => void) | undefined;
  const after = (_: number, then: () => void) => {
    due = then;
    return () => {
      due = undefined;
    };
  };
  const clock: Clock = { now: () => 0, monotonic: () => 0, after };
  const waits = new Gathering(clock, 15_000, (events) => told.push(events));
  return { waits, told, pass: (): void => due?.(), isDue: (): boolean => due !== undefined };
}

test('of what changes again and again only the newest is handed over, once the time has passed', () => {
  const { waits, told, pass, isDue } = gathering();
  waits.add([renewal('kube-scheduler', 1), renewal('kube-controller-manager', 1)]);
  waits.add([renewal('kube-scheduler', 2)]);
  assert.deepEqual(told, []);
  pass();
  assert.deepEqual(told, [[renewal('kube-controller-manager', 1), renewal('kube-scheduler', 2)]]);
  assert.equal(isDue(), false);
});

test('an object made anew is told after the end of its namesake', () => {
  const { waits, told } = gathering();
  const gone: ObjectEvent = { ...renewal('kube-scheduler', 1), is: 'gone' };
  waits.add([gone, renewal('kube-scheduler', 2, 'another')]);
  waits.flush();
  assert.deepEqual(told, [[gone, renewal('kube-scheduler', 2, 'another')]]);
  waits.flush();
  assert.equal(told.length, 1);
});
