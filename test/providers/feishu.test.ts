/** The signature, and what keeps a card from being refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FeishuElement, feishuCard } from '../../src/message/render/feishu-card.ts';
import { Secret } from '../../src/model/secret.ts';
import { feishuSignature } from '../../src/providers/kit.ts';
import { hostile, materials, oversize } from './conformance/hostile.ts';
import { notifications } from './notifications.ts';

test('the signature has time and secret for its key, and signs nothing', () => {
  assert.equal(feishuSignature(new Secret('mysecret'), 1_700_000_000), 'Jp33/xXhCipDEpjyHvEyc7mRSyXWHbNz6J8+C3qQKNo=');
});

const textsOf = (element: FeishuElement): readonly string[] => {
  switch (element.tag) {
    case 'hr':
      return [];
    case 'action':
      return element.actions.map(({ text }) => text.content);
    case 'note':
      return element.elements.map(({ content }) => content);
    case 'div':
      return 'fields' in element ? element.fields.map(({ text }) => text.content) : [element.text.content];
  }
};

test('no element is empty or longer than Feishu takes, and the whole keeps to the limit', () => {
  const empty = { ...notifications.open, title: '', lead: '', links: [{ title: '', url: 'https://a.example/' }] };
  const long = Object.values(materials).flatMap((unit) => [oversize(unit, 'open'), oversize(unit, 'digest')]);
  for (const notification of [...Object.values(notifications), hostile(), empty, ...long]) {
    const card = feishuCard(notification, 'Production');
    assert.ok(Buffer.byteLength(JSON.stringify(card)) <= 17_600);
    for (const text of card.elements.flatMap(textsOf)) assert.ok(text !== '' && text.length <= 4_000, text);
  }
});

test('a long log loses its oldest lines, and nothing else is lost for it', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index} ${'"'.repeat(150)}`);
  const told = {
    ...notifications.open,
    impact: 'Nothing serves.',
    inTitle: {},
    excerpt: { source: 'last log', lines },
  };
  const texts = feishuCard(told).elements.flatMap(textsOf);
  const log = texts.find((text) => text.startsWith('Last log:')) ?? '';
  assert.ok(log.endsWith(lines.at(-1) ?? '-') && !log.includes('line 30 ') && log.includes('\n…\n'));
  for (const part of [
    'Impact: ',
    'Next (changes the cluster): ',
    'Image\n',
    'Runbook',
    `incident ${told.incident?.id}`,
  ])
    assert.ok(
      texts.some((text) => text.includes(part)),
      part,
    );
});
