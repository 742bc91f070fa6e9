import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asciiMailbox, domainOf, mailboxOf, splitAddresses } from '../../src/providers/kit.ts';
import { parseMail } from './conformance/mime.ts';

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

describe('a mailbox in ASCII', () => {
  const rows: readonly [string, string][] = [
    ['a@b.example', 'a@b.example'],
    ['On call <a@b.example>', 'On call <a@b.example>'],
    ['On-call (EU) 2.0 <a@b.example>', '"On-call (EU) 2.0" <a@b.example>'],
    ['"a \\ b" <a@b.example>', '"a \\\\ b" <a@b.example>'],
    ['Bücher <a@bücher.example>', '=?UTF-8?B?QsO8Y2hlcg==?= <a@xn--bcher-kva.example>'],
  ];
  for (const [given, expected] of rows)
    test(given, () => {
      assert.equal(asciiMailbox(given), expected);
    });

  test('a long name is several words of at most 75 characters, none of which cuts a character', () => {
    const name = `Störungsdienst ${'👩‍👩‍👧世界'.repeat(20)}`;
    const written = asciiMailbox(`${name} <a@b.example>`);
    const words = written.replace(/ <.*$/, '').split(' ');
    assert.ok(words.length > 3 && words.every((word) => word.length <= 75 && /^=\?UTF-8\?B\?[\w+/=]+\?=$/.test(word)));
    assert.equal(parseMail(`From: ${written}\r\n\r\n`).headers.from, `${name} <a@b.example>`);
  });
});
