import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkBlock } from '../../src/providers/kit/check.ts';
import { boolean, group, headers, httpUrl, integer, json, list, secret, string } from '../../src/providers/kit.ts';

const fields = {
  token: secret({ required: true, description: 'Access token.' }),
  hook: secret({ holds: 'url', unfit: { path: /^\/test\//, remedy: 'is for tests' }, description: 'Address.' }),
  url: httpUrl({ unfit: { path: /[^/]/, remedy: 'has a path' }, description: 'Server.' }),
  port: string({ numeric: { min: 1, max: 65_535 }, description: 'Port.' }),
  chatId: string({ orNumber: true, description: 'Chat.' }),
  host: string({ pattern: '^[a-z.]+$', maxLength: 10, description: 'Host.' }),
  tls: string({ oneOf: ['required', 'none'], description: 'TLS.' }),
  priority: integer({ min: -2, max: 2, description: 'Priority.' }),
  compact: boolean({ description: 'One line.' }),
  to: list({ commaSeparated: true, maxItems: 2, description: 'Receivers.' }),
  tags: list({ pattern: '^[a-z]+$', description: 'Tags.' }),
  must: list({ required: true, commaSeparated: true, description: 'Names.' }),
  headers: headers({ refused: ['host', 'ce-*'], description: 'Headers.' }),
  basicAuth: group({ description: 'Basic.' }, { password: secret({ description: 'Password.' }) }),
  extra: json({ description: 'Anything.' }),
};
const token = { secretKeyRef: { name: 'a', key: 'b' } };

test('a block with everything right has no problem', () => {
  const block = {
    token,
    hook: { value: 'https://h.example/T0KEN' },
    url: 'http://localhost:8123',
    port: 587,
    chatId: -100,
    host: 'a.b',
    tls: 'none',
    priority: -2,
    compact: false,
    to: 'a@b,c@d',
    tags: ['a'],
    must: ['a'],
    headers: [
      { name: 'X-A', value: 'b' },
      { name: 'X-B', ...token },
    ],
    basicAuth: { password: { value: 'p' } },
    extra: [1, { a: null }],
  };
  assert.deepEqual(checkBlock(fields, block, 'spec.x'), []);
  assert.deepEqual(checkBlock(fields, { ...block, port: '587', to: ['a@b'], url: null }, 'spec.x'), []);
});

describe('each problem names field, value and remedy', () => {
  const rows: readonly [string, Record<string, unknown>, string, RegExp][] = [
    ['a missing field', { token: undefined }, 'token', /is required: Access token/],
    ['an unknown field', { tokn: 'x' }, 'tokn', /is not a field that Tocsin knows; did you mean `token`/],
    ['a secret as text', { token: 'T0KEN' }, 'token', /must be an object with the fields `secretKeyRef`, `value`/],
    ['a secret without a source', { token: {} }, 'token', /exactly one of `secretKeyRef`/],
    ['a secret with two sources', { token: { ...token, value: 'T0KEN' } }, 'token', /exactly one of/],
    ['an empty value', { token: { value: '' } }, 'token.value', /is empty/],
    ['a reference without a key', { token: { secretKeyRef: { name: 'a' } } }, 'token.secretKeyRef.key', /is required/],
    [
      'an address of something else',
      { url: 'https://h.example/topic' },
      'url',
      /is "https:\/\/h\.example\/…": it has a path/,
    ],
    [
      'a secret address that is none',
      { hook: { value: 'h.example/T0KEN' } },
      'hook.value',
      /"\*\*\*".*begin with https/,
    ],
    [
      'a secret address of something else',
      { hook: { value: 'https://h.example/test/T0KEN' } },
      'hook.value',
      /"https:\/\/h\.example\/…".*is for tests/,
    ],
    ['a wrong port', { url: 'http://h.example:99999/' }, 'url', /"http:\/\/h\.example:99999\/".*port.*1 to 65535/],
    ['an address that is a number', { url: 5 }, 'url', /is 5; it must be a text/],
    ['a port out of range', { port: 70_000 }, 'port', /is 70000; it must be a whole number from 1 to 65535/],
    ['a port in words', { port: 'smtp' }, 'port', /is "smtp", which does not match/],
    ['a port out of range as a text', { port: '70000' }, 'port', /is "70000"; use a number from 1 to 65535/],
    ['a word that is none of them', { tls: 'maybe' }, 'tls', /is "maybe"; use one of: required, none/],
    ['a text that does not match', { host: 'A B' }, 'host', /is "A B", which does not match/],
    ['a text that is too long', { host: 'abcdefghijk' }, 'host', /longer than 10 characters/],
    ['a text that is a list', { host: ['a'] }, 'host', /is a list; it must be a text/],
    ['a number out of range', { priority: 3 }, 'priority', /is 3; it must be a whole number from -2 to 2/],
    ['a broken number', { priority: 0.5 }, 'priority', /is 0\.5; it must be a whole number/],
    ['a switch as text', { compact: 'yes' }, 'compact', /is "yes"; it must be true or false/],
    ['too many receivers', { to: 'a,b,c' }, 'to', /has 3 entries; at most 2/],
    ['a list as text where it may not be', { tags: 'a,b' }, 'tags', /it must be a list of texts/],
    ['an entry that does not match', { tags: ['a', 'B'] }, 'tags[1]', /is "B", which does not match/],
    ['a list that must not be empty', { must: ' , ' }, 'must', /is empty: Names\./],
    ['headers as an object', { headers: { a: 'b' } }, 'headers', /must be a list/],
    [
      'a header that frames the request',
      { headers: [{ name: 'HOST', value: 'x' }] },
      'headers[0].name',
      /is "HOST", which Tocsin sets itself; remove/,
    ],
    ['a header of a refused family', { headers: [{ name: 'Ce-Id', value: 'x' }] }, 'headers[0].name', /"Ce-Id"/],
    [
      'a header name with a colon',
      { headers: [{ name: 'a:b', value: 'x' }] },
      'headers[0].name',
      /is "a:b", which does not match/,
    ],
    [
      'a header value with a line break',
      { headers: [{ name: 'a', value: 'T0KEN\nb' }] },
      'headers[0].value',
      /is a text, which does not match/,
    ],
    [
      'a header twice in other letters',
      {
        headers: [
          { name: 'a', value: 'x' },
          { name: 'A', value: 'y' },
        ],
      },
      'headers[1].name',
      /there already/,
    ],
    ['a header without a source', { headers: [{ name: 'a' }] }, 'headers[0]', /exactly one of/],
    ['a nested secret', { basicAuth: { password: 'T0KEN' } }, 'basicAuth.password', /must be an object/],
    ['a group as text', { basicAuth: 'T0KEN' }, 'basicAuth', /must be an object with the fields `password`/],
  ];
  for (const [name, change, path, message] of rows)
    test(name, () => {
      const problems = checkBlock(fields, { token, must: ['a'], ...change }, 'spec.x');
      assert.deepEqual(
        problems.map((problem) => problem.path),
        [`spec.x.${path}`],
      );
      assert.match(problems[0]?.message ?? '', message);
      assert.ok(problems[0]?.message.startsWith(`\`spec.x.${path}\` `));
      assert.doesNotMatch(problems[0]?.message ?? '', /T0KEN/);
    });

  test('a block that is no object', () => {
    assert.match(checkBlock(fields, 'T0KEN', 'spec.x')[0]?.message ?? '', /must be an object with the fields `token`/);
  });
});
