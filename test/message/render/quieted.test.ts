import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quieted } from '../../../src/message/render/quiet.ts';
import { hostile, oversize } from '../../providers/conformance/hostile.ts';
import { notifications } from '../../providers/notifications.ts';

const marked = (text: string): string => `~${text}`;

test('every text of a notification is made harmless once, and addresses stay whole', () => {
  const { incident: _kept, ...told } = quieted(hostile(), marked);
  const texts = [told.title, told.lead, ...told.evidence, told.impact, told.note, told.cluster, told.nextStep?.command];
  const parts = [told.excerpt?.source, ...(told.excerpt?.lines ?? []), told.facts[0]?.name, told.facts[0]?.value];
  for (const text of [...texts, ...parts, told.links[0]?.title]) assert.match(text ?? '', /^~[^~]/);
  assert.equal(told.links[0]?.url, hostile().links[0]?.url);
  const list = quieted(oversize('a', 'digest'), marked).list?.entries ?? [];
  assert.ok(list.length > 0 && list.every(({ says }) => says.startsWith('~a')));
});

test('what is not there does not appear', () => {
  assert.deepEqual(
    quieted(notifications.test, (text) => text),
    notifications.test,
  );
  assert.deepEqual(
    quieted(notifications.open, (text) => text),
    notifications.open,
  );
});
