import { shortHash } from '../model/hash.ts';
import {
  addressesPattern,
  addressPattern,
  bearer,
  defineProvider,
  domainOf,
  mailHeaders,
  mailNotes,
  mailOf,
  mailProvider,
  mailSubject,
  rejected,
  secret,
  splitAddresses,
  string,
  threadReference,
} from './kit.ts';
import { errorName, mailReading, reading } from './resend/answers.ts';

/** Resend. Sources: resend.com/docs, POST /emails, GET /domains, errors, rate limits; github.com/resend/resend-openapi. */
export const resend = defineProvider({
  type: 'resend',
  product: 'Resend',
  ...mailProvider,
  description: 'Sends each notification as a mail through the API of Resend.',
  supports: ['thread', 'dedup'],
  credentials: [
    'The domain of `from` must be verified in Resend; `onboarding@resend.dev` reaches the owner of the account only. A key with *sending access* is enough.',
  ],
  notes: [
    mailNotes.thread,
    'A repeat after an interrupted attempt carries the same `Idempotency-Key`: Resend sends nothing twice within 24 h.',
    'All recipients see each other. A quota that is used up ends the delivery, so that a fallback can take it.',
    mailNotes.headers,
  ],
  sample: {
    apiKey: { secretKeyRef: { name: 'resend', key: 'apiKey' } },
    from: 'Tocsin <tocsin@example.com>',
    to: 'oncall@example.com, platform@example.com',
  },
  fields: {
    apiKey: secret({ required: true, description: 'API key (re_…).' }),
    from: string({
      required: true,
      pattern: addressPattern,
      description: 'Sender at a verified domain, as an address or `Name <address>`.',
    }),
    to: string({
      required: true,
      pattern: addressesPattern,
      description: 'Recipients, at most 50, separated by commas.',
    }),
    subject: mailSubject,
  },
  rules: [{ cel: "self.to.split(',').size() <= 50", message: 'name at most 50 recipients in `to`' }],
  hosts: ['api.resend.com'],
  pacing: { perSecond: 2, burst: 2 }, // of a whole team; documented as 5 now and 2 before

  async deliver(attempt) {
    const { notification, delivery, config, send } = attempt;
    const mail = mailOf(attempt, config);
    const json = {
      from: config.from,
      to: splitAddresses(config.to),
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: mailHeaders(mail),
      ...(notification.incident && { tags: [{ name: 'incident', value: tagValue(notification.incident.id) }] }),
    };
    // The same key with other content is refused for good; a mail too many is better than none.
    const key = `${delivery.attemptKey}-${shortHash([JSON.stringify(json)])}`;
    const headers = { ...bearer(config.apiKey), 'idempotency-key': key };
    const answer = await send({ method: 'POST', url: 'https://api.resend.com/emails', headers, json });
    return answer.outcome(mailReading, threadReference(mail));
  },

  async check({ config, send }) {
    const answer = await send({
      method: 'GET',
      url: 'https://api.resend.com/domains',
      headers: bearer(config.apiKey),
    });
    // A key that may send and nothing else is told so.
    if (errorName(answer) === 'restricted_api_key') return { is: 'delivered' };
    const outcome = answer.outcome(reading);
    const domain = domainOf(config.from);
    const status = statusOf(domain, answer.json());
    if (outcome.is !== 'delivered' || status === undefined || status === 'verified') return outcome;
    return rejected(`the domain ${domain} of \`from\` is "${status}" in Resend; verify it there`);
  },
});

/** Letters, digits, underscore and hyphen are all that a tag may hold. */
function tagValue(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 256);
}

/** The status of a domain in the list of domains, `undefined` when it is not there. */
function statusOf(domain: string, list: unknown): string | undefined {
  const { data }: { readonly data?: unknown } = Object(list);
  const domains: readonly { readonly name?: unknown; readonly status?: unknown }[] = Array.isArray(data) ? data : [];
  const found = domains.find(({ name }) => name === domain);
  return typeof found?.status === 'string' ? found.status : undefined;
}
