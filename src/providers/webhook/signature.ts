import { createHmac } from 'node:crypto';
import type { Outcome } from '../../model/delivery.ts';
import { openSecret, type Secret } from '../../model/secret.ts';
import { misdirected } from '../kit.ts';

/** Bytes of a symmetric secret (Standard Webhooks, "Signature scheme"). */
const keyBytes = { min: 24, max: 64 };

/** The key behind `whsec_`; libraries take it without that, too. */
function keyOf(secret: Secret): Buffer | undefined {
  const text = openSecret(secret)
    .trim()
    .replace(/^whsec_/, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const key = Buffer.from(text, 'base64');
  return key.length >= keyBytes.min && key.length <= keyBytes.max ? key : undefined;
}

/** Whether a value is a signing secret of Standard Webhooks. */
export function isSigningSecret(secret: Secret): boolean {
  return keyOf(secret) !== undefined;
}

/** `webhook-signature` of one attempt: `v1,` and the base64 of HMAC-SHA256 over `<id>.<Unix second>.<body>`. `now`: epoch milliseconds. */
export function signatureOf(secret: Secret, id: string, now: number, body: string): string {
  const signed = `${id}.${Math.floor(now / 1000)}.${body}`;
  return `v1,${createHmac('sha256', keyOf(secret) ?? '')
    .update(signed)
    .digest('base64')}`;
}

/** What becomes of a message that cannot be signed. */
export const notSigned: Outcome = misdirected(
  '`signingSecret` is not base64 of 24 to 64 bytes behind `whsec_`; copy it from the receiver again',
);
