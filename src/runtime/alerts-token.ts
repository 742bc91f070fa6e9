import { createHash, timingSafeEqual } from 'node:crypto';
import { openSecret } from '../model/secret.ts';
import type { SecretSource } from '../model/secret-source.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a token is the one that the AlertConfig names, compared in the same time whatever it is. Where that cannot be read, none is. */
export async function isAlertsToken(token: string, open: () => ReturnType<SecretSource['open']>): Promise<boolean> {
  const opened = await open().catch(() => undefined);
  const secret = opened && 'values' in opened ? opened.values.get('token') : undefined;
  const expected = secret === undefined ? '' : openSecret(secret);
  return expected !== '' && timingSafeEqual(digest(token), digest(expected));
}
