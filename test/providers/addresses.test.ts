import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { domainOf, mailboxOf, splitAddresses } from '../../src/providers/kit.ts';

test('a recipient is named once, however it is written', () => {
  const list = 'A <a@b.example>, c@d.example ,,a@B.example,  C@d.example';
  assert.deepEqual(splitAddresses(list), ['A <a@b.example>', 'c@d.example']);
});

describe('name and address apart', () => {
  const rows: readonly [string, { email: string; name?: string }][] = [
    ['a@b.example', { email: 'a@b.example' }],
    ['<a@b.example>', { email: 'a@b.example' }],
    [' Tocsin  <a@b.example> ', { email: 'a@b.example', name: 'Tocsin' }],
    ['"On-call 2.0" <a@b.example>', { email: 'a@b.example', name: 'On-call 2.0' }],
    ['Bücher <a@b.example>', { email: 'a@b.example', name: 'Bücher' }],
  ];
  for (const [given, expected] of rows)
    test(given, () => {
      assert.deepEqual(mailboxOf(given), expected);
    });
});

describe('the domain in ASCII', () => {
  const rows: readonly [string, string][] = [
    ['a@b.example', 'b.example'],
    ['Tocsin <a@B.Example>', 'b.example'],
    ['a@bücher.example', 'xn--bcher-kva.example'],
    ['a@b\u0001.example', 'localhost'],
  ];
  for (const [given, expected] of rows)
    test(JSON.stringify(given), () => {
      assert.equal(domainOf(given), expected);
    });
});
