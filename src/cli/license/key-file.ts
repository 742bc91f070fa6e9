import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { isKeyId } from '../../edition/keys.ts';
import { UsageError } from '../command.ts';

/** A private key with its ID. */
export type SigningKey = { readonly id: string; readonly key: KeyObject };

/**
 * Reads what `keygen` wrote. Rejects with `UsageError` where it is no such file, or others may read it: what they could sign would
 * be believed.
 */
export async function readSigningKey(path: string): Promise<SigningKey> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(`cannot read the key "${path}": ${error.message}`);
  });
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) throw new UsageError(`others may read the key "${path}": chmod 600 it first`);
  const wrong = new UsageError(`"${path}" is not a private key of \`tocsin license keygen\``);
  try {
    const { kid, kty, crv, x, d }: Readonly<Record<string, unknown>> = Object(JSON.parse(text));
    if (!isKeyId(kid) || kty !== 'OKP' || crv !== 'Ed25519') throw wrong;
    return { id: kid, key: createPrivateKey({ key: { kty, crv, x: String(x), d: String(d) }, format: 'jwk' }) };
  } catch {
    // What the parser says could quote the key.
    throw wrong;
  }
}
