/** Every message as a document: by the vendor's schema, and by the rules of Jira that it does not hold. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import AjvDraft4 from 'ajv-draft-04';
import { adf } from '../../../src/message/render/adf.ts';
import type { Block } from '../../../src/message/render/kit/rich.ts';
import { textsOf } from '../../providers/conformance/expect.ts';
import { hostile, materials, oversize } from '../../providers/conformance/hostile.ts';
import { notifications } from './sample.ts';

const max = 32_000;
const nothing = { ...notifications.test, title: '', lead: '', cluster: '' };
const all = [
  ...Object.values(notifications),
  hostile(),
  nothing,
  ...Object.values(materials).flatMap((unit) => [oversize(unit, 'open'), oversize(unit, 'digest')]),
];
const after: readonly Block[] = [
  { is: 'paragraph', runs: [{ text: 'See ' }, { text: 'OPS-1', url: 'https://x.example/' }] },
];

const require = createRequire(import.meta.url);
const schema = JSON.parse(readFileSync(require.resolve('@atlaskit/adf-schema/dist/json-schema/v1/full.json'), 'utf8'));
const isDocument = new AjvDraft4.default({ strict: false }).compile(schema);

test('every message is a document of the vendor, within its length', () => {
  for (const notification of all)
    for (const title of [true, false]) {
      const document = adf(notification, { max, title, after });
      assert.ok(isDocument(document), JSON.stringify(isDocument.errors?.slice(0, 3)));
      assert.ok(JSON.stringify(document).length <= max, String(JSON.stringify(document).length));
      assert.deepEqual(
        document.content.at(-1),
        adf(nothing, { max, title: false, after }).content.at(-1),
        'our own end stays',
      );
    }
});

test('the judge judges', () => {
  const paragraph = (...content: unknown[]): unknown => ({
    version: 1,
    type: 'doc',
    content: [{ type: 'paragraph', content }],
  });
  assert.ok(isDocument(paragraph({ type: 'text', text: 'a' })));
  assert.ok(!isDocument(paragraph({ type: 'text', text: '' })), 'an empty text');
  const marks = [{ type: 'code' }, { type: 'strong' }];
  assert.ok(!isDocument(paragraph({ type: 'text', text: 'a', marks })), 'code that is bold');
});

test('a line feed is in code only', () => {
  for (const notification of all)
    for (const node of adf(notification, { max, title: true }).content)
      if (node.type !== 'codeBlock') for (const text of textsOf(node)) assert.doesNotMatch(text, /[\r\n]/);
});

test('a message without a word is still a document', () => {
  const { content } = adf(nothing, { max, title: false });
  assert.deepEqual(content, [{ type: 'paragraph', content: [{ type: 'text', text: '…' }] }]);
});

test('texts are literal: what looks like markup or a mention is there as it is, and only our links are links', () => {
  const document = JSON.stringify(adf(hostile(), { max, title: true }));
  assert.match(document, /<@U024BE7LH>/);
  assert.doesNotMatch(document, /"type":"(?:mention|inlineCard|media|emoji)"|"href":"https:\/\/evil/);
});
