import {
  addressesPattern,
  addressPattern,
  asciiMailbox,
  askAws,
  awsAddress,
  awsAtHomeOnly,
  awsFields,
  awsRole,
  awsRules,
  defineProvider,
  mailHeaders,
  mailNotes,
  mailOf,
  mailProvider,
  mailSubject,
  rejected,
  splitAddresses,
  string,
  threadReference,
} from './kit.ts';
import { reading, sesError } from './ses/answers.ts';

/** Amazon SES, API v2. Sources: docs.aws.amazon.com/ses, SendEmail, GetAccount, quotas; botocore sesv2/2019-09-27. */
export const ses = defineProvider({
  type: 'ses',
  product: 'Amazon SES',
  ...mailProvider,
  description: 'Sends each notification as a mail through Amazon SES.',
  supports: ['thread'],
  credentials: [
    'The address or domain of `from` must be verified in SES **in this region**; an account in the sandbox must have its recipients verified, too. The policy of the key or role must allow `ses:SendEmail`; with `ses:GetAccount` the test of the credentials also sees whether sending is enabled.',
    awsRole,
  ],
  notes: [
    'SES gives mails ids of its own; mails of one problem have one subject and name one id in `References`, so mailboxes show them as a thread. `subject` is for messages that are no incident.',
    'Temporary credentials need `sessionToken`, and end: keep their Secret fresh, it is read again.',
    'SES has no idempotency key: after an interrupted attempt a mail may come twice. All recipients see each other; suppressed ones are dropped without a word.',
    mailNotes.headers,
  ],
  sample: {
    accessKeyId: { secretKeyRef: { name: 'ses', key: 'accessKeyId' } },
    secretAccessKey: { secretKeyRef: { name: 'ses', key: 'secretAccessKey' } },
    region: 'eu-west-1',
    from: 'Tocsin <tocsin@example.com>',
    to: 'oncall@example.com, platform@example.com',
  },
  fields: {
    ...awsFields,
    from: string({
      required: true,
      pattern: addressPattern,
      description: 'Verified sender, as an address or `Name <address>`.',
    }),
    to: string({
      required: true,
      pattern: addressesPattern,
      description: 'Recipients, at most 50, separated by commas.',
    }),
    subject: mailSubject,
  },
  rules: [...awsRules, { cel: "self.to.split(',').size() <= 50", message: 'name at most 50 recipients in `to`' }],
  atHomeOnly: awsAtHomeOnly,
  hosts: ['email.*.amazonaws.com', 'email.*.amazonaws.com.cn', 'email.*.amazonaws.eu'],
  pacing: { perSecond: 1, burst: 5 }, // one a second in the sandbox, by account beyond it

  async deliver(attempt) {
    const { notification, config } = attempt;
    const mail = mailOf(attempt, config);
    const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' }) as const;
    const body = JSON.stringify({
      FromEmailAddress: asciiMailbox(config.from),
      Destination: { ToAddresses: splitAddresses(config.to).map(asciiMailbox) },
      Content: {
        Simple: {
          Subject: utf8(mail.subject),
          Body: { Text: utf8(mail.text), Html: utf8(mail.html) },
          Headers: Object.entries(mailHeaders(mail)).map(([Name, Value]) => ({ Name, Value })),
        },
      },
      ...(notification.incident && {
        EmailTags: [{ Name: 'incident', Value: notification.incident.id.replace(/[^\w-]/g, '-').slice(0, 256) }],
      }),
    });
    const url = `${awsAddress('email', config.region)}/v2/email/outbound-emails`;
    const request = { method: 'POST', url, headers: { 'content-type': 'application/json' }, body } as const;
    const answer = await askAws(attempt, request, { service: 'ses', errorOf: sesError });
    return answer.outcome(reading, threadReference(mail));
  },

  async check(parts) {
    const url = `${awsAddress('email', parts.config.region)}/v2/email/account`;
    const answer = await askAws(parts, { method: 'GET', url }, { service: 'ses', errorOf: sesError });
    // A key that may only send is known, and its signature was right.
    if (sesError(answer)?.code.startsWith('AccessDenied')) return { is: 'delivered' };
    const outcome = answer.outcome(reading);
    const { SendingEnabled: enabled }: { readonly SendingEnabled?: unknown } = Object(answer.json());
    if (outcome.is !== 'delivered' || enabled !== false) return outcome;
    return rejected('sending is not enabled for this account in this region; enable it in SES');
  },
});
