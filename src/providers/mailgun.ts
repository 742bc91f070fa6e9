import type { Secret } from '../model/secret.ts';
import {
  addressesPattern,
  defineProvider,
  httpUrl,
  mailHeaders,
  mailNotes,
  mailOf,
  mailProvider,
  mailSender,
  mailSubject,
  rejected,
  secret,
  splitAddresses,
  string,
  threadReference,
} from './kit.ts';
import { reading } from './mailgun/answers.ts';

/** Mailgun. Sources: documentation.mailgun.com, POST /v3/{domain}/messages, GET /v4/domains/{domain}, responses. */
export const mailgun = defineProvider({
  type: 'mailgun',
  product: 'Mailgun',
  ...mailProvider,
  description: 'Sends each notification as a mail through the API of Mailgun.',
  supports: ['thread'],
  credentials: [
    '`domain` is the sending domain in Mailgun; `from` should be an address of it, or the mails look forged. For domains of the EU region set `url: https://api.eu.mailgun.net`: at the other region Mailgun answers 401 or 404. A sending key of the domain is enough.',
  ],
  notes: [
    mailNotes.thread,
    'Mailgun has no idempotency key: after an interrupted attempt a mail may come twice, both times with the same `Message-Id`. Click and open tracking are switched off for these mails, so links stay as they are. All recipients see each other.',
    mailNotes.headers,
  ],
  sample: {
    apiKey: { secretKeyRef: { name: 'mailgun', key: 'apiKey' } },
    domain: 'mg.example.com',
    from: 'Tocsin <tocsin@mg.example.com>',
    to: 'oncall@example.com, platform@example.com',
  },
  fields: {
    apiKey: secret({ required: true, description: 'API key of the account, or a sending key of the domain.' }),
    domain: string({
      required: true,
      pattern: '^[A-Za-z0-9.-]+$',
      maxLength: 253,
      description: 'Sending domain in Mailgun.',
    }),
    from: mailSender,
    to: string({ required: true, pattern: addressesPattern, description: 'Recipients, separated by commas.' }),
    subject: mailSubject,
    url: httpUrl({ description: 'Base address; by default the US region (https://api.mailgun.net).' }),
  },
  hosts: ['api.mailgun.net', 'api.eu.mailgun.net'],
  pacing: { perSecond: 5, burst: 20 }, // not published; people are at the other end

  async deliver(attempt) {
    const { notification, config, send } = attempt;
    const mail = mailOf(attempt, config);
    const headers = Object.entries({ 'Message-Id': mail.messageId, ...mailHeaders(mail) });
    const answer = await send({
      method: 'POST',
      url: placesOf(config).messages,
      basic: basicOf(config.apiKey),
      form: {
        from: config.from,
        to: splitAddresses(config.to).join(','),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        ...Object.fromEntries(headers.map(([name, value]) => [`h:${name}`, value])),
        ...(notification.incident && { 'v:incident': notification.incident.id }),
        'o:tag': 'tocsin',
        'o:tracking': 'no',
        'o:tracking-clicks': 'no',
        'o:tracking-opens': 'no',
      },
    });
    return answer.outcome(reading, threadReference(mail));
  },

  async check({ config, send }) {
    const { domain, messages } = placesOf(config);
    const basic = basicOf(config.apiKey);
    const answer = await send({ method: 'GET', url: domain, basic });
    const found: { readonly domain?: { readonly state?: unknown } } = Object(answer.json());
    const state = found.domain?.state;
    if (answer.status === 200 && typeof state === 'string') {
      if (state === 'active') return { is: 'delivered' };
      return rejected(`the domain ${config.domain} is "${state}" in Mailgun; verify or enable it there`);
    }
    if (answer.status !== 401 && answer.status !== 403) return answer.outcome(reading);
    // A sending key may not look at domains. Without a recipient nothing is sent, and a good key is told what is missing.
    const form = { from: config.from, subject: 'Test of the key', text: 'Test of the key' };
    const told = await send({ method: 'POST', url: messages, basic, form });
    return told.outcome({ ...reading, errors: { 400: 'delivered' } });
  },
});

const basicOf = (apiKey: Secret) => ({ username: 'api', password: apiKey }) as const;

/** Where a domain and its messages are; people give the base address with or without `/v3`, or the whole of it. */
function placesOf({ url = 'https://api.mailgun.net', domain }: { readonly url?: string; readonly domain: string }): {
  readonly domain: URL;
  readonly messages: URL;
} {
  const given = url.replace(/\/+$/, '');
  const base = given.replace(/\/v\d(?:\/.*)?$/, '');
  return {
    domain: new URL(`${base}/v4/domains/${domain}`),
    messages: new URL(given.endsWith('/messages') ? given : `${base}/v3/${domain}/messages`),
  };
}
