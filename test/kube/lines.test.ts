import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeWatchLine, LineBudget, linesOf } from '../../src/kube/lines.ts';

async function* chunksOf(bytes: Uint8Array, sizes: () => number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const size = sizes();
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function linesFrom(chunks: AsyncIterable<Uint8Array>, maxBytes?: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const group of linesOf(chunks, new LineBudget(), maxBytes))
    for (const line of group) lines.push(Buffer.from(line).toString('utf8'));
  return lines;
}

test('lines come out whole wherever the chunks are cut, multi-byte characters included', async () => {
  const expected = ['{"a":1}', 'grüße 🚀', 'x'.repeat(50), '{}'];
  const bytes = Buffer.from(`${expected.join('\n')}\n`);
  for (let size = 1; size <= bytes.length; size++)
    assert.deepEqual(await linesFrom(chunksOf(bytes, () => size)), expected, `chunks of ${size}`);
});

test('a last line without its line break is dropped', async () => {
  const bytes = Buffer.from('{"a":1}\n{"half');
  assert.deepEqual(await linesFrom(chunksOf(bytes, () => 4)), ['{"a":1}']);
});

test('lines inside a chunk are views of it, not copies', async () => {
  const chunk = Buffer.from('one\ntwo\n');
  for await (const lines of linesOf(chunksOf(chunk, () => 100)))
    for (const line of lines) assert.equal(line.buffer, chunk.buffer);
});

test('a line beyond the limit is skipped without being kept, and the next one is read', async () => {
  const bytes = Buffer.from(`ok\n${'x'.repeat(100)}\nok again\n`);
  for (const size of [1, 7, 64, 200])
    assert.deepEqual(
      await linesFrom(
        chunksOf(bytes, () => size),
        20,
      ),
      ['ok', '', 'ok again'],
      `chunks of ${size}`,
    );
});

test('lines that are not complete share one budget: what is beyond it is skipped, and what is read gives its share back', async () => {
  const budget = new LineBudget(100);
  const more = Promise.withResolvers<void>();
  async function* slow(first: string, rest: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(first);
    await more.promise;
    yield Buffer.from(rest);
  }
  const read = async (chunks: AsyncIterable<Uint8Array>): Promise<string[]> => {
    const lines: string[] = [];
    for await (const group of linesOf(chunks, budget)) lines.push(...group.map((line) => Buffer.from(line).toString()));
    return lines;
  };
  const [first, second] = [read(slow('a'.repeat(60), 'A\nb\n')), read(slow('c'.repeat(60), 'C\nd\n'))];
  await new Promise(setImmediate);
  assert.equal(budget.take(41), false, 'the first holds 60 of 100');
  more.resolve();
  assert.deepEqual(await first, [`${'a'.repeat(60)}A`, 'b']);
  assert.deepEqual(await second, ['', 'd'], 'skipped as malformed, and the next is read');
  assert.equal(budget.take(100), true, 'all is given back');
});

test('a watch that ends in the middle of a line gives its share back', async () => {
  const budget = new LineBudget(100);
  for await (const _ of linesOf(
    chunksOf(Buffer.from('x\nhalf a line'), () => 5),
    budget,
  ))
    break;
  assert.equal(budget.take(100), true);
});

test('events of a watch are told apart, and what is none is undefined', () => {
  const decode = (text: string): unknown => decodeWatchLine(Buffer.from(text));
  const object = { metadata: { name: 'a', resourceVersion: '7' } };
  assert.deepEqual(decode(JSON.stringify({ type: 'ADDED', object })), { type: 'ADDED', object });
  assert.deepEqual(decode('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}'), {
    type: 'BOOKMARK',
    version: '9',
    initialEventsEnd: false,
  });
  assert.deepEqual(decode('{"type":"ERROR","object":{"code":410,"reason":"Expired","message":"too old"}}'), {
    type: 'ERROR',
    code: 410,
    reason: 'Expired',
    message: 'too old',
  });
  assert.deepEqual(decode('{"type":"ERROR","object":{}}'), { type: 'ERROR', code: 500, reason: '', message: '' });
  for (const line of ['', '{', 'null', '7', '{"type":"ADDED"}', '{"type":"ADDED","object":{"metadata":{"name":7}}}'])
    assert.equal(decode(line), undefined, line);
});
