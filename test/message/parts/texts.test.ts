import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapTexts } from '../../../src/message/parts/texts.ts';
import { hostile, oversize } from '../../providers/conformance/hostile.ts';
import { notifications } from '../../providers/notifications.ts';

const marked = (text: string): string => `~${text}`;

test('every text of a notification is made harmless once, and addresses stay whole', () => {
  const { incident: _kept, ...told } = mapTexts(hostile(), marked);
  const texts = [told.title, told.lead, ...told.evidence, told.impact, told.note, told.cluster];
  const parts = [told.excerpt?.source, ...(told.excerpt?.lines ?? []), told.facts[0]?.name, told.facts[0]?.value];
  for (const text of [...texts, ...parts, told.links[0]?.title]) assert.match(text ?? '', /^~[^~]/);
  assert.equal(told.links[0]?.url, hostile().links[0]?.url);
  const list = mapTexts(oversize('a', 'digest'), marked).list?.entries ?? [];
  assert.ok(list.length > 0 && list.every(({ says }) => says.startsWith('~a')));
});

test('what is not there does not appear', () => {
  assert.deepEqual(
    mapTexts(notifications.test, (text) => text),
    notifications.test,
  );
  assert.deepEqual(
    mapTexts(notifications.open, (text) => text),
    notifications.open,
  );
});

/** What identifies rather than tells, by the path in a notification: it stays as it is. */
const identities =
  /^(?:act|severity|nextStep\.command|links\.\d+\.url|list\.entries\.\d+\.(?:severity|reason|root)|incident\.(?:id|alertKey|status|reason|root|previousSeverity|confidence|affected\..*))$/;

function textsIn(value: unknown, path: string): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) => textsIn(held, path === '' ? key : `${path}.${key}`));
}

test('the walk leaves out no text, wherever it stands', () => {
  const { list } = oversize('a', 'digest');
  const everything = { ...hostile(), ...(list && { list }) };
  const told = textsIn(mapTexts(everything, marked), '');
  const left = told.filter(([path, text]) => !identities.test(path) && !text.startsWith('~'));
  assert.deepEqual(left, []);
  assert.ok(told.filter(([, text]) => text.startsWith('~')).length > 20);
});
