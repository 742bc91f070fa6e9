/** Manifests of the types that ring phones: numbers as people write them, priorities, addresses. */
import { type Case, type Manifest, manifest, type Spec, schema } from './case.ts';

const key = { secretKeyRef: { name: 'phones', key: 'a' } };
const twilio = (block: Spec): Manifest => {
  const whole = { accountSid: key, authToken: key, from: '+14155550100', to: '+14155550101', ...block };
  return manifest('AlertProvider', { type: 'twilio', twilio: whole });
};
const signal = (block: Spec): Manifest =>
  manifest('AlertProvider', { type: 'signal', signal: { number: '+4915112345678', to: '+491701234567', ...block } });
const threema = (to: unknown): Manifest =>
  manifest('AlertProvider', { type: 'threema', threema: { gatewayId: key, secret: key, to } });
const push = (type: 'ntfy' | 'pushover', block: Spec): Manifest => {
  const credentials = type === 'ntfy' ? { topic: key } : { token: key, user: key };
  return manifest('AlertProvider', { type, [type]: { ...credentials, ...block } });
};
const twenty = Array.from({ length: 20 }, (_, index) => `+1 (415) 555-${1_000 + index}`);

/** The table. */
export const phoneCases: readonly Case[] = [
  { name: 'numbers as people write them', manifest: twilio({ to: '+1 (415) 555-0101, +49.151.1234 5678' }) },
  { name: 'a number without quotes', manifest: twilio({ from: 14_155_550_100, to: 14_155_550_101 }) },
  { name: 'twenty numbers', manifest: twilio({ to: twenty.join(', ') }) },
  {
    name: 'twenty-one numbers',
    manifest: twilio({ to: [...twenty, '+1415'].join() }),
    refused: schema('spec.twilio.to'),
  },
  { name: 'a name as sender', manifest: twilio({ from: 'Tocsin Ops' }) },
  { name: 'a messaging service', manifest: twilio({ from: `MG${'0a'.repeat(16)}` }) },
  { name: 'WhatsApp', manifest: twilio({ from: 'whatsapp:+14155550100' }), refused: schema('spec.twilio.from') },
  { name: 'a number without a country', manifest: twilio({ to: '0151 12345678' }), refused: schema('spec.twilio.to') },
  { name: 'a name as recipient', manifest: twilio({ to: 'Lena' }), refused: schema('spec.twilio.to') },
  { name: 'a group of Signal', manifest: signal({ to: 'group.ckRzaEd4VmRzNnJaASAEsasa=' }) },
  { name: 'a user name of Signal', manifest: signal({ to: 'oncall.01' }) },
  { name: 'an account of Signal', manifest: signal({ to: '0f0a2c1e-1111-4222-8333-444455556666' }) },
  {
    name: 'a raw group of signal-cli',
    manifest: signal({ to: 'ckRzaEd4VmRzNnJaASAEsasa=' }),
    refused: schema('spec.signal.to'),
  },
  { name: 'a Threema ID', manifest: threema('ABCD1234') },
  { name: 'a mail address in Threema', manifest: threema('oncall@example.org') },
  { name: 'a phone number in Threema', manifest: threema('+49 151 12345678') },
  { name: 'a name in Threema', manifest: threema('Lena'), refused: schema('spec.threema.to') },
  { name: 'the least of ntfy', manifest: push('ntfy', {}) },
  { name: 'a priority ntfy lacks', manifest: push('ntfy', { priority: 0 }), refused: schema('spec.ntfy.priority') },
  { name: 'an alarm of Pushover', manifest: push('pushover', { priority: 2, retry: 30, expire: 10_800 }) },
  { name: 'an alarm too often', manifest: push('pushover', { retry: 29 }), refused: schema('spec.pushover.retry') },
  {
    name: 'an alarm too long',
    manifest: push('pushover', { expire: 10_801 }),
    refused: schema('spec.pushover.expire'),
  },
];
