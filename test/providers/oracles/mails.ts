/** Judges of mails. */
import assert from 'node:assert/strict';
import { Mail } from '@sendgrid/helpers/classes/index.js';
import Mailgun from 'mailgun.js';
import PostalMime from 'postal-mime';
import { type CreateEmailOptions, Resend } from 'resend';
import type { Call } from './calls.ts';
import { sentBy } from './client.ts';
import { type Judge, withMore } from './judge.ts';

/** Another reader of mails than the suite's finds the same subject, texts and recipients, and no attachment. */
async function assertMail({ body, parsed }: Call): Promise<void> {
  const mail = await PostalMime.parse(Buffer.from(body, 'latin1'));
  const lines = (text = ''): string => lineEnds(text).trimEnd();
  assert.deepEqual(
    { subject: mail.subject, text: lines(mail.text), html: lines(mail.html), attachments: mail.attachments },
    { ...eachText(parsed, lines), attachments: [] },
  );
  assert.ok(mail.from?.address && mail.to?.length && mail.date && mail.messageId, 'a header is missing');
}
const lineEnds = (text: string): string => text.replaceAll('\r\n', '\n');
function eachText(parsed: unknown, change: (text: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(Object(parsed)).map(([name, text]) => [name, change(String(text))]));
}

/** What SendGrid's own helper makes of the mail is the mail. */
function assertAsSendgrid({ parsed }: Call): void {
  assert.deepEqual(JSON.parse(JSON.stringify(new Mail(Object(parsed)))), parsed);
}

/** What Resend's own client sends for the mail is the mail, with the same key against repeats. */
async function assertAsResend({ url, headers, parsed }: Call): Promise<void> {
  const key = headers.authorization?.replace('Bearer ', '') ?? '';
  const idempotencyKey = headers['idempotency-key'] ?? '';
  const mail: CreateEmailOptions = Object(parsed);
  const sent = await sentBy((baseUrl) => new Resend(key, { baseUrl }).emails.send(mail, { idempotencyKey }));
  assert.equal(`POST ${url.pathname}`, `${sent.method} ${sent.path}`);
  assert.equal(headers.authorization, sent.headers.authorization);
  assert.equal(idempotencyKey, sent.headers['idempotency-key']);
  assert.deepEqual(parsed, JSON.parse(sent.body));
}

/** What Mailgun's own client sends for the mail has the same fields, though as another kind of form, whose lines end otherwise. */
async function assertAsMailgun({ url, headers, parsed }: Call): Promise<void> {
  const [username = '', key = ''] = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64')
    .toString()
    .split(':');
  const domain = url.pathname.split('/')[2] ?? '';
  const sent = await sentBy((address) =>
    new Mailgun(FormData).client({ username, key, url: address }).messages.create(domain, Object(parsed)),
  );
  assert.equal(`POST ${url.pathname}`, `${sent.method} ${sent.path}`);
  assert.equal(headers.authorization, sent.headers.authorization);
  const form = await new Response(sent.body, {
    headers: { 'content-type': sent.headers['content-type'] ?? '' },
  }).formData();
  assert.deepEqual(eachText(parsed, lineEnds), eachText(Object.fromEntries(form), lineEnds));
}

/** Type → judges. */
export const mails: Readonly<Record<string, readonly Judge[]>> = {
  email: [
    {
      of: /^MAIL /,
      by: 'postal-mime',
      says: 'another reader of mails finds the same subject and texts',
      judge: assertMail,
      spoil: (call) => ({ ...call, body: call.body.replace(/^content-transfer-encoding:.*$/gim, '') }),
    },
  ],
  sendgrid: [
    { of: /^POST .*\/v3\/mail\/send$/, by: '@sendgrid/helpers', says: 'the mail as JSON', type: 'sendgridMail' },
    {
      of: /^POST .*\/v3\/mail\/send$/,
      by: '@sendgrid/helpers',
      says: 'its class of mails takes it and gives back the same',
      judge: assertAsSendgrid,
      spoil: (call) => withMore(call, { subjekt: 'a' }),
    },
  ],
  resend: [
    {
      of: /^POST api\.resend\.com\/emails$/,
      by: 'resend',
      says: 'its client sends the same',
      judge: assertAsResend,
      spoil: (call) => withMore(call, { reply: 'a@example.org' }),
    },
  ],
  mailgun: [
    { of: /^POST .*\/v3\/[^/]+\/messages$/, by: 'mailgun.js', says: 'the fields of a mail', type: 'mailgunMail' },
    {
      of: /^POST .*\/v3\/[^/]+\/messages$/,
      by: 'mailgun.js',
      says: 'its client sends the same fields',
      judge: assertAsMailgun,
      spoil: (call) => ({ ...call, url: new URL(call.url.href.replace('/v3/', '/v4/')) }),
    },
  ],
};
