import { openSecret, type Secret } from '../../model/secret.ts';

/** Whether a credential begins so: products mark their kinds of keys by their first letters. */
export function startsWith(secret: Secret, prefix: string): boolean {
  return openSecret(secret).startsWith(prefix);
}
