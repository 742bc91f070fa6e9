/** What the conformance suite does not see of cards: what is read as markup, and what is left when room is short. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardMessage } from '../../../src/message/render/adaptive-card.ts';
import type { Notification } from '../../../src/model/notification.ts';
import { oversize } from '../../providers/conformance/hostile.ts';
import { notifications } from './sample.ts';

const bodyOf = (notification: Notification, heading?: string) =>
  cardMessage(notification, { heading }).attachments[0].content.body;
/** Every text that is shown, element by element. */
const linesOf = (notification: Notification, heading?: string): readonly string[] =>
  bodyOf(notification, heading).flatMap((element) => {
    if (element.type === 'FactSet') return element.facts.map(({ title, value }) => `${title}: ${value}`);
    if (element.type === 'TextBlock') return [element.text];
    const blocks = element.type === 'Container' ? element.items : [element];
    return blocks.map(({ inlines }) => inlines.map(({ text }) => text).join(''));
  });

test('the tag of a mention is broken wherever a text of the cluster stands', () => {
  const tag = '<at>Everybody</at> <AT>x</AT>';
  const { open } = notifications;
  const told = { ...open, title: tag, lead: tag, evidence: [tag], impact: tag, note: tag, cluster: tag };
  const log = { source: tag, lines: [tag] };
  const text = JSON.stringify(
    cardMessage({ ...told, excerpt: log, facts: [{ name: tag, value: tag }] }, { heading: tag }),
  );
  assert.match(text, /Everybody/);
  assert.doesNotMatch(text, /<\/?at>/i);
});

test('a fact, the one place where Markdown is parsed, is escaped; everything else stands as it is', () => {
  const value = '[x](https://evil.example) *a* _b_ ~c~ #d C:\\dir';
  const lines = linesOf({ ...notifications.open, lead: value, facts: [{ name: '- item', value }] });
  assert.ok(lines.includes(value));
  assert.ok(
    lines.includes('\\- item: \\[x\\]\\(https://evil.example) \\*a\\* \\_b\\_ \\~c\\~ #d C:\\\\dir'),
    lines.join('\n'),
  );
  assert.ok(linesOf({ ...notifications.open, facts: [{ name: 'n', value: '1. x' }] }).includes('n: 1\\. x'));
});

test('each line of the log is an element of its own, and the last ones are those that stay', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index} ${'"'.repeat(150)}`);
  const shown = linesOf({ ...notifications.open, excerpt: { source: 'last log', lines } });
  const from = shown.indexOf('Last log:');
  const log = shown.slice(from + 1, shown.indexOf('Next: kubectl -n shop rollout history deployment/payments'));
  assert.equal(log.at(-1), lines.at(-1));
  assert.ok(log.length >= 10 && log.length <= 21, String(log.length));
  assert.ok(log.every((line) => !line.includes('\n')));
});

test('when room is short the log goes first: story, next step and facts stay', () => {
  const { open } = notifications;
  const told = { ...oversize('世', 'open'), facts: open.facts, title: open.title };
  const text = linesOf(told).join('\n');
  for (const part of [
    open.title,
    'Impact: ',
    'Next (changes the cluster): ',
    'image: ',
    'Incident: ',
    String(told.incident?.id),
  ])
    assert.ok(text.includes(part), part);
  assert.ok(Buffer.byteLength(JSON.stringify(cardMessage(told))) <= 20_000);
});

test('the colour says how bad it is, that it is over, or that nobody is needed', () => {
  const styleOf = (notification: Notification): unknown => {
    const [header] = bodyOf(notification);
    return header?.type === 'Container' ? header.style : undefined;
  };
  const { open, update, resolve, digest, startup, test: probe } = notifications;
  const found = [update, open, startup, { ...open, severity: 'low' } as const, resolve, digest, probe].map(styleOf);
  assert.deepEqual(found, ['attention', 'attention', 'warning', 'accent', 'good', 'emphasis', 'emphasis']);
});

test('the heading that people configured stands above the title', () => {
  assert.deepEqual(linesOf(notifications.open, 'Production').slice(0, 2), [
    'Production',
    `${notifications.open.title} (prod eu)`,
  ]);
});
