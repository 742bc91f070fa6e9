import { generateKeyPairSync } from 'node:crypto';
import { open } from 'node:fs/promises';
import { isKeyId } from '../../edition/keys.ts';
import { type Streams, UsageError } from '../command.ts';

/** What was asked of keygen. `out`: a file that does not exist yet; `-`: print the private half. */
export type KeygenArguments = { readonly id: string; readonly out: string };

/** Makes a key pair: the private half into a file for its owner alone, the public half to standard output. */
export async function keygen({ id, out }: KeygenArguments, { stdout, stderr }: Streams): Promise<number> {
  if (!isKeyId(id))
    throw new UsageError(
      `"${id}" cannot be the ID of a key: use up to 64 letters, digits, dots, dashes and underscores`,
    );
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const half = (key: typeof publicKey): string =>
    `${JSON.stringify({ kid: id, ...key.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig' }, null, 2)}\n`;
  if (out === '-') stdout.write(half(privateKey));
  else await writeNew(out, half(privateKey));
  stderr.write(
    out === '-'
      ? 'This is the private half: keep it secret. Its public half is the same without "d".\n'
      : `The private half is in ${out}: keep it secret. Add the public half to the "keys" of config/license-keys.json:\n`,
  );
  if (out !== '-') stdout.write(half(publicKey));
  return 0;
}

/** Writes a file that only its owner may read. Rejects with `UsageError` when it exists: a key that is overwritten is lost. */
async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: Error & { readonly code?: string }) => {
    throw new UsageError(
      error.code === 'EEXIST'
        ? `"${path}" exists, and no key is overwritten`
        : `cannot write "${path}": ${error.message}`,
    );
  });
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
