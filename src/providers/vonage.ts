import { isGsm } from '../message/render/kit/gsm.ts';
import { shortMessage } from '../message/render/line.ts';
import {
  alertName,
  defineProvider,
  objectOf,
  phoneNumbers,
  refusal,
  secret,
  senderField,
  senderOf,
  smsProvider,
  splitPhoneNumbers,
  tellEach,
} from './kit.ts';
import { reading } from './vonage/answers.ts';

/** An alert that waited longer in a queue is no news; milliseconds. */
const ttlMs = 4 * 3_600_000;

/** Vonage, SMS API. Source: developer.vonage.com/messaging/sms, Vonage/vonage-node-sdk packages/sms, packages/accounts. */
export const vonage = defineProvider({
  type: 'vonage',
  product: 'Vonage',
  ...smsProvider,
  description: 'Sends each notification as an SMS through Vonage.',
  credentials: [
    'Put the API key and the API secret of the account into a Secret. The SMS API is used; an account that wants signed requests is refused.',
  ],
  notes: [
    'A message takes one to three segments of 160 (153) characters, each billed for each recipient; whatever is not urgent takes no more than it needs.',
    'In the United States and Canada `from` must be a number of the account that is registered (10DLC).',
    'When some recipients are refused for good, the others have the message and the delivery counts as failed, so that somebody notices. Vonage knows no idempotency: after an interrupted attempt one recipient may get a message twice.',
  ],
  sample: {
    apiKey: { secretKeyRef: { name: 'vonage', key: 'apiKey' } },
    apiSecret: { secretKeyRef: { name: 'vonage', key: 'apiSecret' } },
    from: 'Tocsin',
    to: '+447700900000',
  },
  fields: {
    apiKey: secret({ required: true, description: 'API key of the account.' }),
    apiSecret: secret({ required: true, description: 'API secret of the account.' }),
    from: senderField('Sender: a number, or a name of up to 11 letters and digits.'),
    to: phoneNumbers,
  },
  limits: { text: { characters: 1_377 } },
  hosts: ['rest.nexmo.com'],
  pacing: { perSecond: 1, burst: 10 }, // an account takes 30 a second, a long number of the US sends one

  async deliver(attempt) {
    const { notification, delivery, config, send } = attempt;
    const { apiKey, apiSecret, from, to } = config;
    const sender = senderOf(from);
    const text = shortMessage(notification);
    const message = {
      from: 'digits' in sender ? sender.digits : sender.name,
      text,
      // As `text`, characters outside the GSM alphabet arrive as question marks.
      type: isGsm(text) ? 'text' : 'unicode',
      ttl: ttlMs,
      'client-ref': alertName(delivery),
    };
    return tellEach(attempt, splitPhoneNumbers(to), async (digits) => {
      const url = 'https://rest.nexmo.com/sms/json';
      const basic = { username: apiKey, password: apiSecret };
      return (await send({ method: 'POST', url, basic, json: { to: digits, ...message } })).outcome(reading);
    });
  },

  async check({ config: { apiKey, apiSecret }, send }) {
    const url = 'https://rest.nexmo.com/account/get-balance';
    const answer = await send({ method: 'GET', url, basic: { username: apiKey, password: apiSecret } });
    const { value, autoReload } = objectOf(answer.json()) ?? {};
    if (answer.status !== 200 || typeof value !== 'number') return answer.outcome(reading);
    return value > 0 || autoReload === true ? { is: 'delivered' } : refusal(answer, 'the account has no credit left');
  },
});
