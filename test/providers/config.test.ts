import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openSecret, Secret } from '../../src/model/secret.ts';
import { inlineSecrets, joinConfig, splitConfig } from '../../src/providers/kit/config.ts';
import { defineProvider, group, headers, httpUrl, integer, list, secret, string } from '../../src/providers/kit.ts';

const sample = defineProvider({
  type: 'sample',
  product: 'Sample',
  family: 'chat',
  plain: 'native',
  description: 'For tests.',
  behaviour: 'one thread',
  supports: ['thread'],
  credentials: [],
  notes: [],
  sample: {},
  limits: {},
  pacing: { perSecond: 1, burst: 1 },
  fields: {
    url: httpUrl({ default: 'https://api.example/', description: 'Server.' }),
    token: secret({ required: true, description: 'Token.' }),
    chatId: string({ orNumber: true, description: 'Chat.' }),
    tls: string({ oneOf: ['required', 'none'], default: 'required', description: 'TLS.' }),
    priority: integer({ min: 1, max: 5, description: 'Priority.' }),
    to: list({ commaSeparated: true, description: 'Receivers.' }),
    headers: headers({ refused: [], description: 'Headers.' }),
    basicAuth: group(
      { description: 'Basic authentication.' },
      { username: string({ description: 'Name.' }), password: secret({ description: 'Password.' }) },
    ),
  },
  async deliver({ config }) {
    // The types follow from the fields: these lines do not compile if one of them is lost.
    const token: Secret = config.token;
    const tls: 'required' | 'none' = config.tls;
    const priority: number | undefined = config.priority;
    const to: readonly string[] | undefined = config.to;
    const password: Secret | undefined = config.basicAuth?.password;
    // @ts-expect-error: an optional field may be absent
    const chat: string = config.chatId;
    // @ts-expect-error: there is no such field
    const other: unknown = config.other;
    const parts = [token, tls, priority, to, password, chat, other, config.url, config.headers['X-A']];
    return { is: 'permanent', reason: parts.map(String).join(' '), credential: false };
  },
});

const reference = (name: string, key: string) => ({ secretKeyRef: { name, key } });

describe('a block told apart', () => {
  test('plain fields get defaults, numbers become text where people write them so, lists lose their commas', () => {
    const { config, secrets } = splitConfig(sample, { token: reference('a', 'b'), chatId: -100, to: 'a@b, c@d ,' });
    assert.deepEqual(config, { url: 'https://api.example/', tls: 'required', chatId: '-100', to: ['a@b', 'c@d'] });
    assert.deepEqual(secrets, { token: { secret: 'a', key: 'b' } });
  });

  test('no secret stays in the configuration, wherever it is written', () => {
    const block = {
      token: { value: 'T0KEN' },
      basicAuth: { username: 'u', password: { value: 'T0KEN' } },
      headers: [
        { name: 'X-A', value: 'T0KEN' },
        { name: 'X.B', ...reference('h', 'k') },
      ],
    };
    const split = splitConfig(sample, block);
    assert.doesNotMatch(JSON.stringify(split), /T0KEN/);
    assert.deepEqual(split.secrets, {
      token: { inline: true },
      'basicAuth.password': { inline: true },
      'headers.X-A': { inline: true },
      'headers.X.B': { secret: 'h', key: 'k' },
    });
    assert.deepEqual(split.config.basicAuth, { username: 'u' });
  });

  test('values written in the block are handed out as Secrets by their path', () => {
    const block = {
      token: { value: 'one' },
      basicAuth: { password: reference('a', 'b') },
      headers: [{ name: 'X-A', value: 'two' }],
    };
    const found = [...inlineSecrets(sample, block)].map(([path, value]) => [path, openSecret(value)]);
    assert.deepEqual(found, [
      ['token', 'one'],
      ['headers.X-A', 'two'],
    ]);
  });

  test('a block of any shape is read without a crash', () => {
    for (const block of [undefined, null, 5, 'x', [], { token: 5, headers: 'x', basicAuth: [], to: 7, chatId: null }])
      assert.doesNotThrow(() => [splitConfig(sample, block), inlineSecrets(sample, block)]);
  });
});

describe('a block put together', () => {
  const values = new Map([
    ['token', new Secret('one\n')],
    ['basicAuth.password', new Secret('two\r\n')],
    ['headers.X.B', new Secret('three')],
  ]);
  const { config } = splitConfig(sample, { token: reference('a', 'b'), basicAuth: { username: 'u' } });
  const joined = joinConfig(sample, config, values);

  test('secrets are in their places, without the line break that files end in', () => {
    assert.equal(openSecret(joined.token), 'one');
    assert.equal(openSecret(joined.basicAuth?.password ?? new Secret('')), 'two');
    assert.deepEqual(Object.keys(joined.headers), ['X.B']);
    assert.equal(joined.url, 'https://api.example/');
  });

  test('line breaks inside of a value stay', () => {
    const key = joinConfig(sample, {}, new Map([['token', new Secret('a\nb\n')]]));
    assert.equal(openSecret(key.token), 'a\nb');
  });

  test('printing it shows no secret', () => assert.doesNotMatch(JSON.stringify(joined), /one|two|three/));

  test('without headers there is an empty table', () =>
    assert.deepEqual(joinConfig(sample, {}, new Map()).headers, {}));
});
