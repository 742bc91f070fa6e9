/** The rules of the Atlassian Document Format that a message can break, for every message. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adf } from '../../../src/message/render/adf.ts';
import type { Block } from '../../../src/message/render/rich.ts';
import { hostile, materials, oversize } from '../../providers/conformance/hostile.ts';
import { notifications } from '../../providers/notifications.ts';

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

/** Node → what it may hold, as far as messages need it; `text` is told apart. */
const holds: Readonly<Record<string, readonly string[]>> = {
  doc: ['paragraph', 'bulletList', 'codeBlock'],
  bulletList: ['listItem'],
  listItem: ['paragraph'],
  paragraph: ['text'],
  codeBlock: ['text'],
};

/** Fails unless a node and all within it follow the rules. */
function assertNode(node: unknown, inCode = false): void {
  const { type, content, text, marks = [], attrs } = Object(node);
  if (type === 'text') {
    assert.ok(typeof text === 'string' && text !== '', 'a text is never empty');
    assert.ok(inCode || !text.includes('\n'), 'a line feed is for code only');
    const names = marks.map((mark: { readonly type: string }) => mark.type);
    assert.ok(!inCode || names.length === 0, 'code in a block has no marks');
    assert.ok(
      names.length <= 1 && names.every((name: string) => ['strong', 'code', 'link'].includes(name)),
      names.join(),
    );
    return;
  }
  const allowed = holds[type];
  assert.ok(allowed, `there are no nodes of the type ${type}`);
  assert.ok(Array.isArray(content) && (content.length > 0 || type === 'codeBlock'), `${type} is empty`);
  assert.ok(type === 'codeBlock' || attrs === undefined);
  for (const child of content) {
    assert.ok(allowed.includes(Object(child).type), `${Object(child).type} in ${type}`);
    assertNode(child, type === 'codeBlock');
  }
}

test('every message is a document that follows the rules, within its length', () => {
  for (const notification of all)
    for (const title of [true, false]) {
      const document = adf(notification, { max, title, after });
      assert.equal(document.version, 1);
      assertNode(document);
      assert.ok(JSON.stringify(document).length <= max, String(JSON.stringify(document).length));
      assert.deepEqual(
        document.content.at(-1),
        adf(nothing, { max, title: false, after }).content.at(-1),
        'our own end stays',
      );
    }
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
