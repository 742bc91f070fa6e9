import { createHmac } from 'node:crypto';
import { openSecret, type Secret } from '../../model/secret.ts';

/** What both sign: the time, a line feed, the signing secret. */
const signed = (time: number, secret: Secret): string => `${time}\n${openSecret(secret)}`;
const hmac = (key: string, message: string): string => createHmac('sha256', key).update(message).digest('base64');

/** DingTalk: the secret is the key. `timestamp`: Unix milliseconds. Base64. */
export function dingtalkSignature(secret: Secret, timestamp: number): string {
  return hmac(openSecret(secret), signed(timestamp, secret));
}

/** Feishu: time and secret are the key, and nothing is signed. `timestamp`: Unix seconds. Base64. */
export function feishuSignature(secret: Secret, timestamp: number): string {
  return hmac(signed(timestamp, secret), '');
}
