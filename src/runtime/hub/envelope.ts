import { createHmac, timingSafeEqual } from 'node:crypto';
import { openSecret, type Secret } from '../../model/secret.ts';

/** A key of fewer characters can be guessed. */
export const leastKeyChars = 32;

/** What is signed: a signature of one is none of the other. */
type Purpose = 'summary' | 'answer';

/** Whether a key is long enough to sign with. */
export function isLongEnough(key: Secret): boolean {
  return openSecret(key).trim().length >= leastKeyChars;
}

const signatureOf = (key: Secret, purpose: Purpose, text: string): Buffer =>
  createHmac('sha256', openSecret(key).trim()).update(`tocsin-hub-${purpose}-v1\n`).update(text).digest();

/** A text with its signature (HMAC-SHA256), as it is sent. */
export function seal(key: Secret, purpose: Purpose, text: string): string {
  return JSON.stringify({ signed: text, signature: signatureOf(key, purpose, text).toString('base64') });
}

/** The text of what was sent, if its signature is right: nothing of it is looked at before. */
export function unseal(key: Secret, purpose: Purpose, sent: string): string | undefined {
  const { signed, signature } = fieldsOf(parsed(sent));
  if (typeof signed !== 'string' || typeof signature !== 'string') return undefined;
  const [expected, given] = [signatureOf(key, purpose, signed), Buffer.from(signature, 'base64')];
  return given.length === expected.length && timingSafeEqual(given, expected) ? signed : undefined;
}

/** What a text holds; nothing where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
