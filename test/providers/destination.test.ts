import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openSecret, Secret } from '../../src/model/secret.ts';
import {
  invalidDestination,
  keyDestination,
  readDestination,
  secretEndpoint,
  secretUrl,
  showAddress,
} from '../../src/providers/kit/destination.ts';
import { Refused } from '../../src/providers/kit/refused.ts';
import { fc } from '../fast-check.ts';

/** How an attempt ends that cannot begin. */
function refusalOf(read: () => unknown): Extract<Refused['outcome'], { is: 'permanent' }> {
  try {
    read();
  } catch (error) {
    if (error instanceof Refused && error.outcome.is === 'permanent') return error.outcome;
    throw error;
  }
  throw new assert.AssertionError({ message: 'it was taken' });
}

describe('addresses that work', () => {
  const good = [
    'https://hooks.example.com/services/T0/B0/x',
    'http://localhost:8123',
    'http://receiver.shop.svc:80/a?b=c#d',
    'https://user:p%40ss@h.example/',
    'http://[fd00::1]:8080/',
    'HTTPS://EXAMPLE.com:65535',
    'http://10.0.0.1:1',
  ];
  for (const address of good) test(address, () => assert.equal(invalidDestination(address), undefined));
});

describe('addresses that cannot', () => {
  const bad: readonly [string, RegExp][] = [
    ['', /empty/],
    ['hooks.example.com/services', /begin with https/],
    ['ftp://h.example/', /begin with https/],
    ['javascript:alert(1)', /begin with https/],
    ['https://', /no host/],
    ['https:///path', /no host/],
    ['https://:443/', /no host/],
    ['https://h.example:0/', /wrong port/],
    ['https://h.example:65536/', /wrong port/],
    ['https://h.example:8o80/', /wrong port/],
    ['https://h.example:-1/', /wrong port/],
    ['https://h.example/a b', /space/],
    ['https://h.example/\n', /space or line break/],
    ['https://[::1/', /not a valid address/],
    ['https://256.256.256.256/', /not a valid address/],
  ];
  for (const [address, remedy] of bad)
    test(`${JSON.stringify(address)}: ${remedy.source}`, () => {
      assert.match(invalidDestination(address)?.remedy ?? 'nothing wrong', remedy);
    });

  test('nothing but scheme, host and port is ever shown', () => {
    const shown: readonly [string, string][] = [
      ['https://user:p4ss@h.example:70000/T0KEN?key=T0KEN', 'https://h.example:70000/…'],
      ['xoxb-T0KEN', '***'],
      ['https://h.example:T0KEN/', 'https://h.example:…/'],
      ['https://h.example', 'https://h.example'],
      ['https://h.example?T0KEN', 'https://h.example/…'],
    ];
    for (const [address, expected] of shown) assert.equal(showAddress(address), expected);
  });

  test('whatever comes after the host or before the @ is never shown', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{12}$/);
    const address = fc.tuple(fc.constantFrom('https', 'http', 'ftp', ''), secret, fc.integer({ min: -5, max: 99_999 }));
    fc.assert(
      fc.property(address, ([scheme, key, port]) => {
        for (const text of [
          `${scheme}://h.example:${port}/${key}`,
          `${scheme}://${key}:${key}@h.example:${port}/?${key}`,
          `${scheme}:${key}`,
          `${scheme}://h.example:${port}#${key}`,
        ]) {
          assert.ok(!showAddress(text).includes(key), text);
          const invalid = invalidDestination(text);
          assert.ok(!`${invalid?.value} ${invalid?.remedy}`.includes(key), text);
        }
      }),
    );
  });
});

describe('an address for one attempt', () => {
  test('secret parts of an address are encoded, and the whole is a secret', () => {
    const url = secretUrl`https://h.example/${new Secret('a/../b?c')}/messages?id=${'*é'}`;
    assert.equal(openSecret(url), 'https://h.example/a%2F..%2Fb%3Fc/messages?id=*%C3%A9');
    assert.equal(String(url), '***');
  });

  test('secret segments follow a base address that does not end with them already', () => {
    const rows: readonly [base: string, segments: string[], expected: string][] = [
      ['https://h.example/a', ['k/1', 'r'], 'https://h.example/a/k%2F1/r'],
      ['https://h.example/a/?x=1', ['k'], 'https://h.example/a/k?x=1'],
      ['https://h.example/a/k', ['k'], 'https://h.example/a/k'],
      ['https://h.example/a/k/', ['k'], 'https://h.example/a/k/'],
      ['https://h.example/a/k', ['k', 'r'], 'https://h.example/a/k/r'],
      ['https://h.example/k/a', ['k', 'a'], 'https://h.example/k/a'],
      ['https://h.example/k/a', ['x', 'a'], 'https://h.example/k/a/x/a'],
    ];
    for (const [base, segments, expected] of rows)
      assert.equal(openSecret(secretEndpoint(base, ...segments.map((part) => new Secret(part)))), expected);
  });

  test('a key becomes its address, and a whole address is taken as it is', () => {
    const patterns = ['https://h.example/k/{}/', 'https://h.example/a/{}/g/{}'];
    const rows: readonly [key: string, expected: string][] = [
      ['T0KEN', 'https://h.example/k/T0KEN/'],
      ['acc/T0?EN', 'https://h.example/a/acc/g/T0%3FEN'],
      ['https://other.example/T0KEN ', 'https://other.example/T0KEN'],
    ];
    for (const [key, expected] of rows)
      assert.equal(openSecret(keyDestination('key', new Secret(key), patterns).url), expected);
    for (const wrong of ['a/b/c', 'acc/', ''])
      assert.match(refusalOf(() => keyDestination('key', new Secret(wrong), patterns)).reason, /^`key` is not a key/);
  });

  test('credentials move out of the address', () => {
    const found = readDestination('url', new Secret('https://us%3Aer:100%25%20p@h.example/a?b'));
    assert.ok(found.basic);
    assert.equal(openSecret(found.url), 'https://h.example/a?b');
    assert.deepEqual([openSecret(found.basic.username), openSecret(found.basic.password)], ['us:er', '100% p']);
  });

  test('a bare percent sign in a password is taken as it is', () => {
    const found = readDestination('url', 'https://u:50%@h.example/');
    assert.ok(found.basic);
    assert.equal(openSecret(found.basic.password), '50%');
  });

  test('an address without credentials has none', () => {
    const found = readDestination('url', 'https://h.example');
    assert.ok(!found.basic);
  });

  test('an address that cannot work is permanent, but a changed Secret may repair it', () => {
    const refused = refusalOf(() => readDestination('webhook', new Secret('ftp://h.example/T0KEN')));
    assert.ok(refused.credential);
    assert.equal(refused.reason, '`webhook` is "ftp://h.example/…": it must begin with https:// or http://');
  });
});
