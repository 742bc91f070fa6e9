/** The key of a problem that is there twice at once (`…#2`), through every act, and what products check of keys and names of ours. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Reference } from '../../../src/model/delivery.ts';
import type { Notification } from '../../../src/model/notification.ts';
import { notifications } from '../notifications.ts';
import { attempt, type Bench } from './bench.ts';
import { textsIn } from './played.ts';
import type { Arrived } from './wire.ts';

const told = [notifications.open, notifications.update, notifications.resolve, notifications.reopen];
const key = notifications.open.incident?.alertKey ?? assert.fail('an opening has a key');
/** How types write the `#2`: as it is, as an address does, or with a sign that the product takes. */
const whole = new RegExp(`${key}(?:#|%23|-|_)2`, 'g');

function withKey(notification: Notification, alertKey: string): Notification {
  const { incident } = notification;
  return incident ? { ...notification, incident: { ...incident, alertKey } } : notification;
}

/** What arrives of every act under this key, references kept. */
async function playUnder(bench: Bench, alertKey: string): Promise<readonly Arrived[]> {
  bench.wire.script([]);
  let ref: Reference | undefined;
  for (const notification of told) {
    const outcome = await attempt(bench, withKey(notification, alertKey), ref ? { ref } : {});
    assert.equal(outcome.is, 'delivered', `${notification.act}: ${inspect(outcome)}`);
    ref = outcome.ref ?? ref;
  }
  return bench.wire.arrived();
}

/** A key with `#2` goes where the key without it goes, is not cut anywhere, and is of the form that the product takes. */
export async function proveKeys(bench: Bench): Promise<void> {
  const first = await playUnder(bench, key);
  const second = await playUnder(bench, `${key}#2`);
  assert.deepEqual(
    second.map(({ brief }) => brief.replace(whole, key)),
    first.map(({ brief }) => brief),
  );
  for (const each of second)
    for (const text of [each.brief, ...textsIn(each)])
      assert.ok(!text.replace(whole, '').includes(key), `the key has lost its end in ${text}`);
  for (const { at, matches } of bench.mode.takes) {
    const values = [...first, ...second].flatMap((each) => textsIn(each, at));
    assert.ok(values.length > 0, `there is nothing at ${at}`);
    for (const value of values) assert.match(value, new RegExp(matches, 'u'), `the product refuses this at ${at}`);
  }
}
