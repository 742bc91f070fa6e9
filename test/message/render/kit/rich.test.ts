/** Messages as documents of nodes: the blocks, how they are cut, and ClickUp's comments made of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clickupComment, maxComment } from '../../../../src/message/render/clickup-comment.ts';
import { type Block, blocksOf, fittingBlocks } from '../../../../src/message/render/kit/rich.ts';
import { hostile, materials, oversize } from '../../../providers/conformance/hostile.ts';
import { notifications } from '../sample.ts';

const { open } = notifications;
const all = [
  ...Object.values(notifications),
  hostile(),
  ...Object.values(materials).flatMap((unit) => [oversize(unit, 'open'), oversize(unit, 'digest')]),
];
const textOf = (block: Block): string => {
  if (block.is === 'log') return [block.label, ...block.lines].join('\n');
  const lines = block.is === 'list' ? block.items : [block.runs];
  return lines.map((runs) => runs.map(({ text }) => text).join('')).join('\n');
};

test('blocks say everything, the most important first', () => {
  assert.equal(
    blocksOf({ ...open, note: 'muted until 09:00' }, { title: true })
      .map(textOf)
      .join('\n\n'),
    `🟠 shop/payments crashes: image 2.3 → 2.4 · 3 of 5 serve

It began at 09:00 UTC, because its image changed at 08:59 UTC (kubectl-set).

(muted until 09:00)

Container app exited with code 1 four times.
Pods of the previous revision are healthy.

Impact: 2 of 5 pods of Deployment shop/payments are not ready.

Last log of payments-7d9c-a/app:
starting "payments" <2.4>
panic: no config ✗

Next: kubectl -n shop rollout history deployment/payments

image: registry.example/payments:2.4

Cluster: prod eu · high · CrashLoopBackOff · Deployment shop/payments · incident inc-9f3c1a52

Runbook`,
  );
  assert.doesNotMatch(blocksOf(open, { title: false }).map(textOf).join('\n'), /shop\/payments crashes/);
});

test('no block is empty, and every run is one line', () => {
  for (const notification of [...all, { ...open, lead: '', evidence: [' '], facts: [{ name: '', value: '' }] }])
    for (const block of blocksOf(notification, { title: true })) {
      assert.ok(textOf(block).trim() !== '', JSON.stringify(block));
      const runs = block.is === 'log' ? [] : block.is === 'list' ? block.items.flat() : block.runs;
      for (const { text } of runs) assert.match(text, /^[^\n]+$/);
      for (const line of block.is === 'log' ? block.lines : []) assert.doesNotMatch(line, /[\r\n]/);
    }
});

test('the log is cut first, from its oldest line on; then the last blocks go', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const blocks = blocksOf({ ...open, excerpt: { source: 'log', lines } }, { title: true });
  const lengthOf = (block: Block): number => textOf(block).length;
  const whole = blocks.reduce((sum, block) => sum + lengthOf(block), 0);
  assert.deepEqual(fittingBlocks(blocks, whole, lengthOf), blocks);
  const shorter = fittingBlocks(blocks, whole - 40, lengthOf);
  const log = shorter.find((block) => block.is === 'log');
  assert.equal(shorter.length, blocks.length);
  assert.deepEqual([log?.lines[0], log?.lines.at(-1)], ['…', 'line 29']);
  assert.ok(shorter.reduce((sum, block) => sum + lengthOf(block), 0) <= whole - 40);
  const shortest = fittingBlocks(blocks, 145, lengthOf);
  assert.ok(!shortest.some(({ is }) => is === 'log'));
  assert.deepEqual(shortest.slice(0, 2), blocks.slice(0, 2), 'title and lead');
});

test('a comment of ClickUp is within its length, its line feeds apart, its log a block of code line by line', () => {
  for (const notification of all) {
    const runs = clickupComment(notification);
    const length = runs.reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(length > 0 && length <= maxComment, String(length));
    for (const [index, { text, attributes }] of runs.entries()) {
      assert.ok(text === '\n' || (text !== '' && !text.includes('\n')), JSON.stringify(text));
      assert.ok(attributes['code-block'] === undefined || text === '\n');
      const inCode = attributes.code || runs[index + 1]?.attributes['code-block'];
      if (!inCode && !attributes.link) assert.doesNotMatch(text, /https:\/\/evil|@here/);
    }
  }
  const runs = clickupComment(open);
  const first = runs.findIndex(({ text }) => text === 'starting "payments" <2.4>');
  assert.deepEqual(runs[first + 1], { text: '\n', attributes: { 'code-block': { 'code-block': 'plain' } } });
});
