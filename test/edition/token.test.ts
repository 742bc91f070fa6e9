import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { CompactSign } from 'jose';
import { licenseKeysOf } from '../../src/edition/keys.ts';
import { checkToken, signToken } from '../../src/edition/token.ts';
import { issuer, second } from './licences.ts';

const iat = second('2026-01-01T00:00:00Z');
const exp = second('2027-01-01T00:00:00Z');
const ours = issuer('2026-a');

/** A token with any header and payload, signed by a key of ours. */
const signed = (header: object, payload: unknown): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'EdDSA', typ: 'tocsin-license', kid: '2026-a', ...header })
    .sign(ours.privateKey);

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

async function flawOf(token: string, keys = ours.keys): Promise<string> {
  const checked = await checkToken(token, keys);
  return 'flaw' in checked ? [checked.flaw, checked.detail ?? ''].join(' ').trim() : 'believed';
}

test('a licence that one of the keys has signed says what was issued, whatever white space is around it', async () => {
  const token = await ours.issue({ iat, exp, clusters: ['c1', 'c2'] });
  const claims = { licensee: 'Example Ltd', edition: 'Pro', iat, exp, clusters: ['c1', 'c2'] };
  for (const text of [token, `\n  ${token}\r\n`])
    assert.deepEqual(await checkToken(text, ours.keys), { claims, keyId: '2026-a' });
});

test('keys are rotated: a licence of each key is believed as long as that key is there', async () => {
  const next = issuer('2027-a');
  const both = licenseKeysOf({ keys: [ours.jwk, next.jwk] });
  const tokens = await Promise.all([ours, next].map((each) => each.issue({ iat, exp })));
  assert.deepEqual(await Promise.all(tokens.map((token) => flawOf(token, both))), ['believed', 'believed']);
  assert.deepEqual(await Promise.all(tokens.map((token) => flawOf(token, next.keys))), [
    'UnknownKey 2026-a',
    'believed',
  ]);
});

test('what is not believed, and why', async () => {
  const good = await ours.issue({ iat, exp });
  const [header = '', payload = '', signature = ''] = good.split('.');
  const claims = { licensee: 'Example Ltd', edition: 'Pro', iat, exp };
  const longer = base64({ ...claims, exp: exp + 1 });
  const other = issuer('2026-a');
  const hmac = base64({ alg: 'HS256', typ: 'tocsin-license', kid: '2026-a' });
  const cases: readonly (readonly [string, string | Promise<string>])[] = [
    ['Empty', ''],
    ['Empty', ' \n'],
    ['Malformed', 'not a licence'],
    ['Malformed', `${header}.${payload}`],
    ['Malformed', `${good}.more`],
    ['Malformed', `%%%.${payload}.${signature}`],
    ['Malformed', 'a.b.c'.padEnd(70_000, 'c')],
    ['Malformed', signed({ typ: 'JWT' }, claims)],
    ['Malformed', signed({ kid: 'a key with spaces\u001b[31m' }, claims)],
    ['WrongAlgorithm none', `${base64({ alg: 'none', typ: 'tocsin-license', kid: '2026-a' })}.${payload}.`],
    ['WrongAlgorithm HS256', `${hmac}.${payload}.${signature}`],
    ['WrongAlgorithm undefined', `${base64({ typ: 'tocsin-license', kid: '2026-a' })}.${payload}.${signature}`],
    ['BadSignature', `${header}.${longer}.${signature}`],
    ['BadSignature', `${header}.${payload}.${signature.slice(0, -4)}AAAA`],
    ['BadSignature', `${header}.${payload}.`],
    ['BadSignature', other.issue({ iat, exp })],
    ['UnknownKey 2099', issuer('2099').issue({ iat, exp })],
    ['InvalidClaims `licensee` is required: Who holds it', signed({}, { edition: 'Pro', iat, exp })],
    ['InvalidClaims `exp` is not after `nbf`', signed({}, { ...claims, nbf: exp })],
    [
      'InvalidClaims the object is a text; it must be an object with the fields `licensee`, `edition`, `iat`, `nbf`, `exp`, `clusters`',
      signed({}, 'Pro'),
    ],
  ];
  for (const [why, token] of cases) assert.equal(await flawOf(await token), why);
});

test('claims of another shape are refused, and claims that are not known are ignored', async () => {
  const claims = { licensee: 'Example Ltd', edition: 'Pro', iat, exp };
  const wrong = [{ edition: 'Ultra' }, { exp: 1.5 }, { exp: 'never' }, { clusters: [] }, { clusters: 'c1' }];
  for (const change of [...wrong, { licensee: 'a\u001b[2J' }, { exp: 9e15 }])
    assert.match(await flawOf(await signed({}, { ...claims, ...change })), /^InvalidClaims `/, JSON.stringify(change));
  assert.equal(await flawOf(await signed({}, { ...claims, seats: 5 })), 'believed');
});

test('nobody signs what would not be believed', async () => {
  await assert.rejects(signToken({ licensee: '', edition: 'Pro', iat, exp }, 'k', ours.privateKey), /licensee/);
});

test('a set of keys that must not be shipped, or cannot be read, is refused with the key that is wrong', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' });
  const rsa = createPublicKey(
    generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }),
  );
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /not a JSON Web Key Set/],
    [{ keys: {} }, /not a JSON Web Key Set/],
    [{ keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'a' }] }, /key 1 is a private key/],
    [{ keys: [jwk] }, /key 1 needs a `kid`/],
    [
      {
        keys: [
          { ...jwk, kid: 'a' },
          { ...jwk, kid: 'a' },
        ],
      },
      /"a" is there twice/,
    ],
    [
      {
        keys: [
          { ...jwk, kid: 'a' },
          { ...rsa.export({ format: 'jwk' }), kid: 'b' },
        ],
      },
      /key 2 \("b"\) is not an Ed25519 key/,
    ],
    [{ keys: [{ ...jwk, x: 'short', kid: 'a' }] }, /cannot be read/],
  ];
  for (const [set, why] of cases) assert.throws(() => licenseKeysOf(set), why);
  assert.equal(licenseKeysOf({ keys: [] }).size, 0);
});
