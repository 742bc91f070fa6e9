import { hasPerhapsArrived } from '../model/delivery.ts';
import { loggedIn } from './email/login.ts';
import { oauthField } from './email/oauth.ts';
import {
  addressesPattern,
  defineProvider,
  mailNotes,
  mailOf,
  mailProvider,
  mailSender,
  secret,
  splitAddresses,
  string,
  threadReference,
} from './kit.ts';
import type { MailMessage, Posted } from './provider.ts';

/** Any SMTP server. Sources: RFC 5321, RFC 5322 (threads), RFC 3834 (automatic mail). */
export const email = defineProvider({
  type: 'email',
  product: 'E-mail (SMTP)',
  ...mailProvider,
  description: 'Sends each notification as a mail through an SMTP server.',
  supports: ['thread'],
  credentials: [
    'Take host, port and login from whoever runs your mail, and put the password into a Secret. Gmail and other large providers want an application password, a relay or OAuth. Without `password` nobody logs in: for a relay that knows its senders by their address.',
    'OAuth at Google: `tokenURL` `https://oauth2.googleapis.com/token`, a client, and a refresh token for the scope `https://mail.google.com/`. At Microsoft 365: `https://login.microsoftonline.com/TENANT/oauth2/v2.0/token`, a client with its secret and the application permission `SMTP.SendAsApp`, `scope` `https://outlook.office365.com/.default`; refresh tokens end there after 90 days.',
  ],
  notes: [
    'With `tls: required`, the default, port 465 speaks TLS from the start, and on any other port the server must offer STARTTLS: without it nothing is sent. `tls: none` is for a relay you trust on a network you trust.',
    'A relay with a certificate of your own authority: give that in `spec.tls.caBundle`. Certificates are always checked.',
    'Relays on private addresses must be allowed in AlertConfig `delivery.allowedPrivateDestinations`, unless this object lives in the namespace of Tocsin. The proxy of AlertConfig is not used for mail.',
    'A repeat after an interrupted attempt carries the same `Message-ID`.',
    'When some recipients are refused for good, the others have the mail and the delivery counts as failed, so that somebody notices; recipients that are asked to wait are tried again alone.',
    mailNotes.headers,
  ],
  sample: {
    host: 'smtp.example.com',
    port: '587',
    from: 'Tocsin <tocsin@example.com>',
    to: 'oncall@example.com, platform@example.com',
    password: { secretKeyRef: { name: 'mail', key: 'password' } },
  },
  fields: {
    host: string({ required: true, pattern: '^[A-Za-z0-9.:_-]+$', maxLength: 253, description: 'Host of the server.' }),
    port: string({ required: true, numeric: { min: 1, max: 65_535 }, description: 'Port of the server.' }),
    from: mailSender,
    to: string({ required: true, pattern: addressesPattern, description: 'Recipients, separated by commas.' }),
    username: string({ description: 'Account at the server; by default the address of the sender.' }),
    password: secret({ description: 'Password; absent for a server without authentication.' }),
    oauth: oauthField,
    tls: string({
      oneOf: ['required', 'none'],
      default: 'required',
      description: 'TLS on port 465 and STARTTLS on others, or `none` for a trusted relay.',
    }),
  },
  rules: [{ cel: '!has(self.password) || !has(self.oauth)', message: 'set `password` or `oauth`, not both' }],
  hosts: ['login.microsoftonline.com', 'oauth2.googleapis.com'],
  pacing: { perSecond: 0.3, burst: 10 }, // Microsoft 365 takes 30 messages in any minute, others more
  minTimeoutMs: 30_000, // relays greet unknown clients late on purpose

  async deliver(attempt) {
    const { notification, delivery, config, mail, ref } = attempt;
    const { from } = config;
    const { urgent, ...content } = mailOf(attempt, { from });
    const message: MailMessage = {
      ...content,
      from,
      to: splitAddresses(config.to),
      ...(ref?.waiting !== undefined && ref.attempt === delivery.attemptKey && { recipients: ref.waiting.split(',') }),
      date: notification.at,
      ...(urgent && { priority: 'high' }),
    };
    const { outcome, waiting } = await loggedIn(attempt, {
      talk: (relay) => mail.send(relay, message),
      outcomeOf: (posted) => posted.outcome,
      refused: (why): Posted => ({ outcome: why, waiting: [] }),
    });
    const subject = { subject: message.subject };
    if (waiting.length > 0)
      return { ...outcome, ref: { ...subject, attempt: delivery.attemptKey, waiting: waiting.join(',') } };
    const kept = threadReference(message);
    return kept && hasPerhapsArrived(outcome) ? { ...outcome, ref: kept } : outcome;
  },

  check: (parts) =>
    loggedIn(parts, {
      talk: (relay) => parts.mail.check(relay),
      outcomeOf: (outcome) => outcome,
      refused: (outcome) => outcome,
    }),
});
