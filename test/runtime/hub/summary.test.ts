import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../../src/model/secret.ts';
import { isLongEnough, seal, unseal } from '../../../src/runtime/hub/envelope.ts';
import { mostWorst, readAnswer, readSummary } from '../../../src/runtime/hub/summary.ts';
import { mostCauses } from '../../../src/turn/outside.ts';
import { fc } from '../../fast-check.ts';
import { runs } from '../../runs.ts';

const key = new Secret('a'.repeat(32));
const at = Date.UTC(2026, 0, 1);
const cause = {
  ...{ id: 'abcdef0123456789', root: 'Registry//ghcr.io', reason: 'RegistryUnreachable', severity: 'high' },
  ...{ since: at - 1_000, affected: 3, pullCause: 'network' },
};
const summary = {
  ...{ cluster: 'c6a1f0e2-1', name: 'prod-eu', version: '1.2.3', at, nonce: 'n-0001' },
  open: { critical: 1, high: 2, medium: 0, low: 0 },
  worst: [{ severity: 'high', reason: 'OOMKilled', title: 'shop/api was killed', since: at - 5 }],
  causes: [cause],
};
const read = (change: object) => readSummary(JSON.stringify({ ...summary, ...change }));

test('what was signed is read by whoever has the key, and by nobody else', () => {
  const sent = seal(key, 'summary', 'text');
  assert.equal(unseal(key, 'summary', sent), 'text');
  assert.equal(unseal(new Secret('b'.repeat(32)), 'summary', sent), undefined);
  // An answer is no summary, or a hub could be shown its own words.
  assert.equal(unseal(key, 'answer', sent), undefined);
  const { signature } = JSON.parse(sent) as { signature: string };
  for (const forged of [
    JSON.stringify({ signed: 'other', signature }),
    JSON.stringify({ signed: 'text', signature: signature.slice(0, -4) }),
    JSON.stringify({ signed: 'text', signature: '' }),
    JSON.stringify({ signed: 'text' }),
    JSON.stringify({ signed: ['text'], signature }),
    '[]',
    'null',
    '',
  ])
    assert.equal(unseal(key, 'summary', forged), undefined, forged);
});

test('a key that can be guessed is none, and blanks around it do not count', () => {
  assert.equal(isLongEnough(new Secret('a'.repeat(31))), false);
  assert.equal(isLongEnough(new Secret(`${'a'.repeat(20)}${' '.repeat(20)}`)), false);
  assert.equal(isLongEnough(key), true);
  assert.equal(unseal(key, 'summary', seal(new Secret(`${'a'.repeat(32)}\n`), 'summary', 'text')), 'text');
});

test('a summary is read as it was written', () => {
  assert.deepEqual(readSummary(JSON.stringify(summary)), summary);
});

test('what a summary does not say rightly is left out; who does not say whose and when it is says nothing', () => {
  for (const change of [
    { cluster: '' },
    { cluster: '../etc' },
    { cluster: 7 },
    { nonce: 'x'.repeat(65) },
    { at: -1 },
    { at: 'now' },
    { at: 1.5 },
  ])
    assert.equal(read(change), undefined, JSON.stringify(change));
  for (const wrong of [
    { root: 'Deployment/shop/api' },
    { root: 'Registry/shop/ghcr.io' },
    { root: 'Registry//10.0.0.1' },
    { root: 'Registry//gh\u0000cr.io' },
    { root: `Registry//${'a'.repeat(300)}.io` },
    { reason: 'NoSuchReason' },
    { reason: 'constructor' },
    { severity: 'worst' },
    { since: 'x' },
    { affected: -3 },
    { id: '__proto__' },
    { id: '' },
  ])
    assert.deepEqual(read({ causes: [{ ...cause, ...wrong }] })?.causes, [], JSON.stringify(wrong));
  assert.deepEqual(read({ causes: [{ ...cause, since: at + 9_000_000, affected: 9e15 }] })?.causes[0], {
    ...{ ...cause, since: at, affected: 1_000_000 },
  });
  assert.deepEqual(read({ causes: { length: 3 } })?.causes, []);
  assert.equal(read({ causes: Array.from({ length: 500 }, () => cause) })?.causes.length, mostCauses);
  assert.equal(read({ worst: Array.from({ length: 500 }, () => summary.worst[0]) })?.worst.length, mostWorst);
});

test('texts of another cluster are cut to one line, without control characters and credentials', () => {
  const token = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB';
  const hostile = read({
    name: `prod\u0000\u001b[31m\n\u202e${'x'.repeat(500)}`,
    worst: [{ ...summary.worst[0], title: `<script>alert(1)</script> token=${token}\n\nnext` }],
  });
  assert.ok((hostile?.name.length ?? 99) <= 63);
  assert.doesNotMatch(JSON.stringify(hostile), /\\u0000|\\u001b|\\n|\u202e/);
  assert.doesNotMatch(JSON.stringify(hostile), new RegExp(token));
  assert.equal(read({ name: '' })?.name, 'c6a1f0e2');
});

test('whatever is signed, reading it neither throws nor gives more than its bounds', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json({ maxDepth: 6 }), fc.string()), (text) => {
      readSummary(text);
      readAnswer(text);
      unseal(key, 'summary', text);
    }),
    { numRuns: runs(300) },
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(summary)), fc.jsonValue()), (change) => {
      const found = read(change);
      if (found === undefined) return;
      assert.ok(found.causes.length <= mostCauses && found.worst.length <= mostWorst && found.name.length <= 63);
    }),
    { numRuns: runs(300) },
  );
});

test('an answer has the verdicts that are some, and a name that can stand in a ref', () => {
  const text = JSON.stringify({ to: 'n', name: 'a/b\n', verdicts: { a: 'told', b: 'yes', c: 7, d: 'pending' } });
  assert.deepEqual(readAnswer(text), { to: 'n', name: 'a-b', verdicts: { a: 'told', d: 'pending' } });
  assert.equal(readAnswer(JSON.stringify({ verdicts: {} })), undefined);
  assert.equal(readAnswer(JSON.stringify({ to: 'n' }))?.name, 'hub');
});
