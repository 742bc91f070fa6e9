import {
  addressPattern,
  bearer,
  defineProvider,
  denied,
  list,
  mailboxOf,
  mailHeaders,
  mailNotes,
  mailOf,
  mailProvider,
  mailSubject,
  secret,
  splitAddresses,
  string,
  threadReference,
} from './kit.ts';
import { readingAt } from './sendgrid/answers.ts';

/** Twilio's page "Global and EU regional regions". */
const hosts = { global: 'https://api.sendgrid.com', eu: 'https://api.eu.sendgrid.com' } as const;

/** SendGrid answers 406 when this is absent. */
const accept = { accept: 'application/json' };

/** SendGrid, API v3. Sources: twilio.com/docs/sendgrid, POST /v3/mail/send, GET /v3/scopes, rate limits; sendgrid-oai. */
export const sendgrid = defineProvider({
  type: 'sendgrid',
  product: 'SendGrid',
  ...mailProvider,
  description: 'Sends each notification as a mail through the API of SendGrid.',
  supports: ['thread'],
  credentials: [
    '`from` must be a verified single sender or belong to an authenticated domain. The key needs the scope `mail.send`. A key of an EU subuser needs `region: eu`.',
  ],
  notes: [
    mailNotes.thread,
    'SendGrid has no idempotency key: after an interrupted attempt a mail may come twice, both times with the same `Message-ID`. Click and open tracking are switched off for these mails, so links stay as they are.',
    'All recipients see each other. SendGrid accepts nearly every address; bounces are seen in its own activity feed only.',
    mailNotes.headers,
  ],
  sample: {
    apiKey: { secretKeyRef: { name: 'sendgrid', key: 'apiKey' } },
    from: 'Tocsin <tocsin@example.com>',
    to: ['oncall@example.com', 'platform@example.com'],
  },
  fields: {
    apiKey: secret({ required: true, description: 'API key (SG.…).' }),
    from: string({
      required: true,
      pattern: addressPattern,
      description: 'Verified sender, as an address or `Name <address>`.',
    }),
    to: list({
      required: true,
      commaSeparated: true,
      maxItems: 1000,
      pattern: addressPattern,
      description: 'Recipients, as a list or separated by commas.',
    }),
    region: string({
      oneOf: ['global', 'eu'],
      default: 'global',
      description: 'Where the account or subuser is: `eu` for a subuser of the EU region.',
    }),
    subject: mailSubject,
  },
  hosts: ['api.sendgrid.com', 'api.eu.sendgrid.com'],
  pacing: { perSecond: 10, burst: 20 }, // documented as thousands; people are at the other end

  async deliver(attempt) {
    const { notification, config, send, now } = attempt;
    const mail = mailOf(attempt, config);
    const answer = await send({
      method: 'POST',
      url: `${hosts[config.region]}/v3/mail/send`,
      headers: { ...bearer(config.apiKey), ...accept },
      json: {
        personalizations: [{ to: splitAddresses(config.to.join(',')).map(mailboxOf) }],
        from: mailboxOf(config.from),
        subject: mail.subject,
        // In this order, or it is refused.
        content: [
          { type: 'text/plain', value: mail.text },
          { type: 'text/html', value: mail.html },
        ],
        headers: { 'Message-ID': mail.messageId, ...mailHeaders(mail) },
        categories: ['tocsin'],
        ...(notification.incident && { custom_args: { incident: notification.incident.id } }),
        tracking_settings: {
          click_tracking: { enable: false, enable_text: false },
          open_tracking: { enable: false },
        },
      },
    });
    return answer.outcome(readingAt(now), threadReference(mail));
  },

  async check({ config, send, now }) {
    const headers = { ...bearer(config.apiKey), ...accept };
    const answer = await send({ method: 'GET', url: `${hosts[config.region]}/v3/scopes`, headers });
    const outcome = answer.outcome(readingAt(now));
    const { scopes }: { readonly scopes?: unknown } = Object(answer.json());
    if (outcome.is !== 'delivered' || (Array.isArray(scopes) && scopes.includes('mail.send'))) return outcome;
    return denied('the API key lacks the scope mail.send; give it "Mail Send" or make another one');
  },
});
