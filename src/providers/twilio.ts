import { shortMessage } from '../message/render/line.ts';
import {
  defineProvider,
  objectOf,
  phoneNumbers,
  refusal,
  secret,
  secretUrl,
  senderField,
  senderOf,
  smsProvider,
  splitPhoneNumbers,
  tellEach,
} from './kit.ts';
import { reading } from './twilio/answers.ts';

/** An alert that waited longer in a queue is no news; seconds. */
const validitySeconds = 14_400;
/** A number, a short code, a name of up to eleven characters, or the id of a messaging service. */
const fromPattern = '^ *(\\+?[0-9](?:[ ().-]{0,2}[0-9]){2,14}|[A-Za-z0-9 +&_-]{1,11}|MG[0-9a-fA-F]{32}) *$';

/** Twilio, SMS. Source: twilio.com/docs/messaging/api/message-resource, twilio/twilio-oai (api v2010, CreateMessage). */
export const twilio = defineProvider({
  type: 'twilio',
  product: 'Twilio',
  ...smsProvider,
  description: 'Sends each notification as an SMS through Twilio.',
  credentials: [
    'Put the Account SID (`AC…`) and the Auth Token of the account into a Secret. They are those of the region US1; other regions are not supported.',
  ],
  notes: [
    'A message takes one to three segments of 160 (153) characters, each billed for each recipient; whatever is not urgent takes no more than it needs.',
    'Trial accounts reach verified numbers only. Numbers of the United States must be registered (A2P 10DLC), else carriers drop the messages although Twilio takes them.',
    'When some recipients are refused for good, the others have the message and the delivery counts as failed, so that somebody notices. Twilio knows no idempotency: after an interrupted attempt one recipient may get a message twice.',
  ],
  sample: {
    accountSid: { secretKeyRef: { name: 'twilio', key: 'accountSid' } },
    authToken: { secretKeyRef: { name: 'twilio', key: 'authToken' } },
    from: '+14155550100',
    to: '+14155550101, +14155550102',
  },
  fields: {
    accountSid: secret({ required: true, description: 'Account SID (AC…).' }),
    authToken: secret({ required: true, description: 'Auth token of the account.' }),
    from: senderField('Sender: a number, a short code, a name, or a messaging service (MG…).', fromPattern),
    to: phoneNumbers,
  },
  limits: { body: { characters: 1_600 } },
  hosts: ['api.twilio.com'],
  pacing: { perSecond: 1, burst: 10 }, // a long code of the US sends one a second; Twilio queues the rest

  async deliver(attempt) {
    const { notification, config, send } = attempt;
    const { accountSid, authToken, from, to } = config;
    const url = secretUrl`https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Messages.json`;
    const text = { ...senderFields(from), Body: shortMessage(notification), ValidityPeriod: String(validitySeconds) };
    return tellEach(attempt, splitPhoneNumbers(to), async (digits) => {
      const form = { To: `+${digits}`, ...text };
      const basic = { username: accountSid, password: authToken };
      return (await send({ method: 'POST', url, basic, form })).outcome(reading);
    });
  },

  async check({ config: { accountSid, authToken }, send }) {
    const url = secretUrl`https://api.twilio.com/2010-04-01/Accounts/${accountSid}.json`;
    const answer = await send({ method: 'GET', url, basic: { username: accountSid, password: authToken } });
    const status = objectOf(answer.json())?.status;
    if (answer.status === 200 && status === 'active') return { is: 'delivered' };
    return typeof status === 'string' ? refusal(answer, `the account is ${status}`) : answer.outcome(reading);
  },
});

/** A messaging service chooses the number itself. Short codes go without a plus. */
function senderFields(from: string): Readonly<Record<string, string>> {
  const sender = senderOf(from);
  if ('digits' in sender) return { From: sender.digits.length > 6 ? `+${sender.digits}` : sender.digits };
  return sender.name.length > 11 ? { MessagingServiceSid: sender.name } : { From: sender.name };
}
