import { shortMessage } from '../message/render/line.ts';
import type { Secret } from '../model/secret.ts';
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
} from './kit.ts';
import { reading } from './plivo/answers.ts';

/** Plivo, SMS. Source: plivo.com/docs/messaging/api, plivo/plivo-node lib/resources/messages.js, accounts.js. */
export const plivo = defineProvider({
  type: 'plivo',
  product: 'Plivo',
  ...smsProvider,
  description: 'Sends each notification as an SMS through Plivo.',
  credentials: ['Put the Auth ID (`MA…` or `SA…`) and the Auth Token of the account into a Secret.'],
  notes: [
    'A message takes one to three segments of 160 (153) characters, each billed for each recipient; whatever is not urgent takes no more than it needs. Plivo is asked to keep no copy of the text.',
    'The United States and Canada want a number of Plivo that is registered (10DLC or toll-free); names as senders must be enabled. Trial accounts reach verified numbers only.',
    'All recipients are one request. When Plivo refuses some, the others have the message and the delivery counts as failed, so that somebody notices.',
  ],
  sample: {
    authId: { secretKeyRef: { name: 'plivo', key: 'authId' } },
    authToken: { secretKeyRef: { name: 'plivo', key: 'authToken' } },
    from: '+14155550100',
    to: '+14155550101, +14155550102',
  },
  fields: {
    authId: secret({ required: true, description: 'Auth ID of the account.' }),
    authToken: secret({ required: true, description: 'Auth token of the account.' }),
    from: senderField('Sender: a number, a short code, or a name of up to 11 characters.'),
    to: phoneNumbers,
  },
  limits: { text: { characters: 1_600 } },
  hosts: ['api.plivo.com'],
  pacing: { perSecond: 1, burst: 10 }, // an account takes 60 requests a second; carriers one message for each long code

  async deliver({ notification, config, send }) {
    const { from, to } = config;
    const sender = senderOf(from);
    const json = {
      src: 'digits' in sender ? sender.digits : sender.name,
      dst: splitPhoneNumbers(to).join('<'),
      text: shortMessage(notification),
      type: 'sms',
      log: 'false',
    };
    const url = secretUrl`https://api.plivo.com/v1/Account/${config.authId}/Message/`;
    return (await send({ method: 'POST', url, basic: basicOf(config), json })).outcome(reading);
  },

  async check({ config, send }) {
    const url = secretUrl`https://api.plivo.com/v1/Account/${config.authId}/`;
    const answer = await send({ method: 'GET', url, basic: basicOf(config) });
    const account = objectOf(answer.json());
    if (answer.status !== 200 || account?.auth_id === undefined) return answer.outcome(reading);
    const { state, cash_credits: credit, billing_mode: billing } = account;
    if (state !== 'active') return refusal(answer, `the account is ${String(state)}`, '');
    const empty = billing === 'prepaid' && !(Number(credit) > 0);
    return empty ? refusal(answer, 'the account has no credit left', '') : { is: 'delivered' };
  },
});

function basicOf({ authId, authToken }: { readonly authId: Secret; readonly authToken: Secret }): {
  readonly username: Secret;
  readonly password: Secret;
} {
  return { username: authId, password: authToken };
}
