import { messengerText } from '../message/render/push.ts';
import { defineProvider, editUrl, notOf, refusal, secret, secretUrl, string, wrongCredential } from './kit.ts';
import type { Reading } from './provider.ts';

/** gateway.threema.ch: more is refused with 413. UTF-8 bytes. */
const maxTextBytes = 3_500;
/** A Threema ID, a phone number with country code, or a mail address. */
const toPattern = '^ *([*A-Za-z0-9][A-Za-z0-9]{7}|\\+?[1-9](?:[ ().-]{0,2}[0-9]){4,14}|[^@\\s]+@[^@\\s]+) *$';

/** Threema Gateway in basic mode. Source: gateway.threema.ch/en/developer/api (send_simple, credits, capabilities, lookup). */
export const threema = defineProvider({
  type: 'threema',
  product: 'Threema',
  family: 'chat',
  description: 'Sends each notification to a Threema user through the Threema Gateway.',
  behaviour: 'every act is a new message',
  credentials: [
    'Request a Gateway ID of the type *Basic* (`*ABCDEFG`); one for end-to-end encryption is refused. Put the ID and its secret into a Secret.',
  ],
  notes: [
    'Each message costs credits; when none are left, deliveries fail for good, so give this provider a `fallback`.',
    'Threema knows no idempotency: after an interrupted attempt a message may arrive, and be billed, twice.',
  ],
  sample: {
    gatewayId: { secretKeyRef: { name: 'threema', key: 'gatewayId' } },
    secret: { secretKeyRef: { name: 'threema', key: 'secret' } },
    to: 'ABCD1234',
  },
  fields: {
    gatewayId: secret({ required: true, description: 'Gateway ID, 8 characters, mostly with an asterisk in front.' }),
    secret: secret({ required: true, description: 'Secret of the Gateway ID.' }),
    to: string({
      required: true,
      orNumber: true,
      pattern: toPattern,
      description: 'Recipient: a Threema ID, a phone number (+49…) or a mail address.',
    }),
  },
  limits: { text: { bytes: maxTextBytes } },
  hosts: ['msgapi.threema.ch'],
  pacing: { perSecond: 1, burst: 10 }, // no published limit
  minTimeoutMs: 20_000, // what is given up too early is sent and billed twice

  async deliver({ notification, config, send }) {
    const { gatewayId, secret: key } = config;
    const { field, name } = recipientOf(config.to);
    const text = messengerText(notification, maxTextBytes, 'bytes');
    const form = { from: gatewayId, [field]: name, secret: key, text };
    return (await send({ method: 'POST', url: 'https://msgapi.threema.ch/send_simple', form })).outcome(
      readingOf(/^[0-9a-f]{16}$/),
    );
  },

  async check({ config, send }) {
    const { gatewayId, secret: key } = config;
    const account = secretUrl`https://msgapi.threema.ch/credits?from=${gatewayId}&secret=${key}`;
    const credits = await send({ method: 'GET', url: account });
    const outcome = credits.outcome(readingOf(/^-?\d+$/));
    if (outcome.is !== 'delivered') return outcome;
    if (Number(credits.body) <= 0) return refusal(credits, advice[402], '');
    const { place, name } = recipientOf(config.to);
    const url = editUrl(account, (address) => {
      address.pathname = `/${place}/${encodeURIComponent(name)}`;
    });
    return (await send({ method: 'GET', url })).outcome(readingOf(/^[\w,-]+$/));
  },
});

/** How a recipient is named in a message, and where one is looked up. */
function recipientOf(to: string): { readonly field: string; readonly place: string; readonly name: string } {
  const name = to.trim();
  if (name.includes('@')) return { field: 'email', place: 'lookup/email', name };
  if (/^[*a-z0-9]{8}$/i.test(name)) return { field: 'to', place: 'capabilities', name: name.toUpperCase() };
  return { field: 'phone', place: 'lookup/phone', name: name.replace(/[^0-9]/g, '') };
}

/** Statuses whose bodies say little or nothing. */
const advice: Readonly<Record<number, string>> = {
  400: 'the recipient is not valid, or the Gateway ID is not one for basic mode',
  402: 'the Gateway ID has no credits left',
  404: 'there is no Threema user behind `to`',
};

/** How answers are read; `proof`: what the text of every success looks like. */
function readingOf(proof: RegExp): Reading {
  return {
    failure(answer) {
      if (answer.status < 300) return proof.test(answer.body.trim()) ? undefined : notOf(answer, 'Threema');
      if (answer.status === 401) return wrongCredential(answer, 'check `gatewayId` and `secret`');
      const remedy = advice[answer.status];
      return remedy === undefined ? undefined : refusal(answer, remedy);
    },
  };
}
