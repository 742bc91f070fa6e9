import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import { config, provider } from './objects.ts';
import { kinds, stage } from './stage.ts';

/** As a list brings it whose times were written by an enemy. */
const damaged = (raw: RawObject): RawObject => ({
  ...raw,
  metadata: { ...raw.metadata, creationTimestamp: 'not a time', generation: 2 },
});
const whole = config({ evidence: { logs: false } });

async function started() {
  const s = await stage();
  await s.put(provider('oncall'), whole);
  await s.listed(...kinds);
  assert.equal(s.settings.at(-1)?.evidence.logs, false);
  return s;
}

test('an AlertConfig that cannot be read all at once is read again: what it asked for last goes on, and nobody edits it', async () => {
  const s = await started();
  const before = s.settings.length;
  s.served.set('default', whole);
  await s.put(damaged(whole));
  await s.clock.advance(60_000);
  assert.deepEqual(s.asked, ['default'], 'once: it is well');
  assert.equal(s.settings.length, before);
});

test('what cannot be read in three readings is believed, and still read again each minute until it can be', async () => {
  const s = await started();
  s.served.set('default', damaged(whole));
  await s.put(damaged(whole));
  await s.clock.advance(1_000);
  assert.equal(s.settings.at(-1)?.evidence.logs, false, 'until then what it asked for last goes on');
  await s.clock.advance(6_000);
  assert.equal(s.settings.at(-1)?.evidence.logs, true, 'the defaults');
  s.served.set('default', whole);
  await s.clock.advance(61_000);
  assert.equal(s.settings.at(-1)?.evidence.logs, false);
  const { length } = s.asked;
  await s.clock.advance(600_000);
  assert.equal(s.asked.length, length, 'what is well is left alone');
});

test('that nobody answers confirms nothing', async () => {
  const s = await started();
  await s.put(damaged(whole));
  await s.clock.advance(600_000);
  assert.equal(s.settings.at(-1)?.evidence.logs, false);
  assert.ok(s.asked.length >= 5 && s.asked.length <= 130, `${s.asked.length} times in ten minutes`);
});

test('an object whose status is refused as invalid is read again', async () => {
  const s = await started();
  const edited = config({ evidence: { logs: true } });
  s.served.set('default', { ...edited, metadata: { ...edited.metadata, generation: 2 } } as RawObject);
  s.refused.add('default');
  s.operator.resume();
  await s.put(provider('another'));
  await s.clock.advance(120_000);
  assert.ok(s.asked.includes('default'));
  assert.equal(s.settings.at(-1)?.evidence.logs, true, 'it was another by now');
});
