import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createBlank } from '../../src/delivery/blank.ts';

/** One with what encoders touch, one without. */
const secrets = ['Zq9/Kx&7<vB"2pLm4Wt8', 'Zq9Kx7vB2pLm4Wt8AbCd', 'päs5wör-für-Ünna-4x2'];

const escaped = (text: string): string =>
  [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const twice = (text: string): string => encodeURIComponent(encodeURIComponent(text));

/** How products write down what they were sent. */
const forms: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'with \\/': (secret) => secret.replaceAll('/', '\\/'),
  'as JSON writes it': (secret) => JSON.stringify(secret).slice(1, -1),
  'in escapes of JSON': escaped,
  'in escapes of JSON, twice': (secret) => JSON.stringify(escaped(secret)).slice(1, -1),
  'as Go writes HTML into JSON': (secret) => secret.replace(/[<>&]/g, escaped),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in base64url': (secret) => Buffer.from(secret).toString('base64url'),
  'in base64 of a longer text': (secret) => Buffer.from(`a: ${secret}.`).toString('base64'),
  'in base64 of another longer text': (secret) => Buffer.from(`ab: ${secret}.`).toString('base64'),
  'in hexadecimal': (secret) => Buffer.from(secret).toString('hex'),
  'in an address': encodeURIComponent,
  'in a form': (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  'in an address, twice': twice,
  'in an address, three times': (secret) => encodeURIComponent(twice(secret)),
  'in HTML': (secret) => secret.replace(/[&<"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&#34;'),
  'in capitals': (secret) => secret.toUpperCase(),
  'its first characters': (secret) => `${secret.slice(0, 8)}…`,
  'all but its last characters': (secret) => `${secret.slice(0, -4)}****`,
  'its last characters': (secret) => `****${secret.slice(-8)}`,
  spaced: (secret) => [...secret].join(' '),
  'over two lines': (secret) => `${secret.slice(0, 10)}\n${secret.slice(10)}`,
  'with NUL inside': (secret) => `${secret.slice(0, 8)}\u0000${secret.slice(8)}`,
  'with a character without width inside': (secret) => `${secret.slice(0, 8)}\u200b${secret.slice(8)}`,
  'in UTF-16': (secret) => Buffer.from(secret, 'utf16le').toString('latin1'),
  backwards: (secret) => [...secret].reverse().join(''),
};

describe('a secret that is quoted', () => {
  for (const [how, write] of Object.entries(forms))
    test(how, () => {
      for (const secret of secrets) {
        const written = write(secret);
        const clean = createBlank({ whole: [], pieces: [secret] })(`bad key ${written} of yours`);
        assert.match(clean, /^bad key .*\*\*\*.* of yours$/s, how);
        // Seven characters at an end may be left, which is no piece; encodings write more for each.
        const left = clean.replace('bad key ', '').replace(' of yours', '').replaceAll('***', '');
        assert.ok(left.length <= Math.max(14, written.length - secret.length * 0.9), `${how}: ${clean}`);
        for (let at = 0; at + 10 <= secret.length; at += 1)
          assert.ok(!clean.includes(secret.slice(at, at + 10)), `${how}: ${clean}`);
      }
    });
});

test('what is no secret stays as it was, escapes and emoji included', () => {
  const blank = createBlank({ whole: ['services'], pieces: secrets });
  for (const text of [
    'channel_not_found: 100 % of \\u0041 &amp; %41 👩‍👩‍👧',
    '{"ok":false,"error":"invalid_auth","id":12345678}',
    'Zq9/Kx&', // Seven characters are no piece.
    '',
  ])
    assert.equal(blank(text), text);
  assert.equal(blank('no services here'), 'no *** here');
});

test('of a key with digits a word is no piece; of one of letters alone every run is', () => {
  const hint = 'correct the application key';
  assert.equal(createBlank({ whole: [], pieces: ['my-application-key-1'] })(hint), hint);
  assert.equal(createBlank({ whole: [], pieces: ['qwertyuiopasdfgh'] })('no qwertyuiop'), 'no ***');
});

test('two secrets side by side and one inside a sentence are each blanked, and the words between stay', () => {
  const blank = createBlank({ whole: [], pieces: ['first-secret-1', 'other-secret-2'] });
  assert.equal(blank('a first-secret-1 b other-secret-2 c'), 'a *** b *** c');
  assert.equal(blank('first-secret-1other-secret-2'), '***');
});

test('blanking takes linear time for hostile text', () => {
  const blank = createBlank({
    whole: ['abcdefgh'],
    pieces: ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'Zq9Kx7vB2pLm4Wt8AbCd'],
  });
  for (const piece of ['%25', '\\\\', '\\u005c', '&amp;', '&#', '%', 'a', 'aaaaaaa ', ' ']) {
    const start = performance.now();
    blank(piece.repeat(Math.ceil(200_000 / piece.length)));
    // Quadratic time would be minutes.
    assert.ok(performance.now() - start < 5_000, JSON.stringify(piece));
  }
});
