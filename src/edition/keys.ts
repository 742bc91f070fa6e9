import { createPublicKey, type KeyObject } from 'node:crypto';

/** Public keys by their ID. A licence is good if one of them has signed it. */
export type LicenseKeys = ReadonlyMap<string, KeyObject>;

/** What a key ID may look like: it stands in messages. */
const keyIdPattern = /^[A-Za-z0-9._-]{1,64}$/;

/** Whether a text may be the ID of a key. */
export function isKeyId(value: unknown): value is string {
  return typeof value === 'string' && keyIdPattern.test(value);
}

/**
 * The public keys of a JSON Web Key Set. Throws an `Error` that says what is wrong with which key: a set with a private key in it
 * must not be shipped, and one that cannot be read must not pass for an empty one.
 */
export function licenseKeysOf(set: unknown): LicenseKeys {
  const listed: unknown = typeof set === 'object' && set !== null && 'keys' in set ? set.keys : undefined;
  if (!Array.isArray(listed)) throw new Error('licence keys: not a JSON Web Key Set, which is {"keys": […]}');
  const keys = new Map<string, KeyObject>();
  for (const [index, jwk] of listed.entries()) {
    const [id, key] = keyOf(jwk, `licence keys: key ${index + 1}`);
    if (keys.has(id)) throw new Error(`licence keys: the ID "${id}" is there twice`);
    keys.set(id, key);
  }
  return keys;
}

function keyOf(jwk: unknown, which: string): readonly [string, KeyObject] {
  const { kid, kty, crv, x, d }: Readonly<Record<string, unknown>> = Object(jwk);
  if (d !== undefined) throw new Error(`${which} is a private key: keep it secret and ship its public half only`);
  if (!isKeyId(kid)) throw new Error(`${which} needs a \`kid\` of letters, digits, dots, dashes and underscores`);
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string')
    throw new Error(`${which} ("${kid}") is not an Ed25519 key (\`kty\` OKP, \`crv\` Ed25519)`);
  try {
    return [kid, createPublicKey({ key: { kty, crv, x }, format: 'jwk' })];
  } catch {
    throw new Error(`${which} ("${kid}") cannot be read: \`x\` is not a public key of Ed25519`);
  }
}
