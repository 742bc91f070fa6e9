import { htmlMail } from '../../message/render/html.ts';
import { fitted } from '../../message/render/kit/fitted.ts';
import type { Reference } from '../../model/delivery.ts';
import type { Attempt } from '../provider.ts';
import { addressPattern, domainOf } from './addresses.ts';
import { string } from './fields.ts';
import { conversationOf, type MailThread, subjectText, threadOf } from './mail-thread.ts';

/** A text part of this size is read by nobody to its end; bytes. */
const maxMailTextBytes = 64_000;

/** What all ways of mail are. */
export const mailProvider = {
  family: 'mail',
  behaviour: 'each problem is one mail thread',
  limits: { subject: { utf16: 200 }, text: { bytes: maxMailTextBytes } },
} as const;

/** What is told of all of them. */
export const mailNotes = {
  thread:
    'Mails of one problem have one subject and name one id in `References`, so mailboxes show them as a thread. `subject` is for messages that are no incident.',
  headers: 'Rules of mailboxes can use the headers `X-Tocsin-Act`, `X-Tocsin-Severity` and `X-Tocsin-Incident`.',
} as const;

/** Fields that all of them have. */
export const mailSubject = string({
  description: 'Subject of messages that are no incident; by default their title.',
});
/** The sender of most. */
export const mailSender = string({
  required: true,
  pattern: addressPattern,
  description: 'Sender, as an address or `Name <address>`.',
});

/** A mail, whoever takes it in. */
export type MailContent = MailThread & {
  readonly text: string;
  readonly html: string;
  /** For critical problems that are not over. */
  readonly urgent: boolean;
  /** That a program wrote it (RFC 3834), and what rules of mailboxes go by. Printable ASCII. */
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * The mail that tells a notification; the same bytes on every attempt. `subject`: of messages that are no incident, in place of
 * their title; mails of an incident keep the subject of the first one.
 */
export function mailOf(
  { notification, delivery, ref }: Pick<Attempt<unknown>, 'notification' | 'delivery' | 'ref'>,
  { from, subject }: { readonly from: string; readonly subject?: string },
): MailContent {
  const { severity, act, incident } = notification;
  const thread = threadOf(notification, delivery, domainOf(from), ref?.subject);
  const shown = !incident && subject !== undefined ? subjectText(subject) : thread.subject;
  return {
    ...{ ...thread, subject: shown },
    text: fitted(notification, { max: maxMailTextBytes, unit: 'bytes' }),
    html: htmlMail(notification, shown),
    urgent: severity === 'critical' && act !== 'resolve',
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'X-Tocsin-Act': act,
      'X-Tocsin-Severity': severity,
      ...(incident && { 'X-Tocsin-Incident': incident.id.replace(/[^\w.-]/g, '-') }),
      ...(incident && conversationOf(delivery, thread)),
    },
  };
}

/** What the next act of the incident needs to join the thread; `undefined` for messages that are no incident. */
export function threadReference({ subject, references }: MailThread): Reference | undefined {
  return references && { subject };
}

/**
 * The headers that a mail API is handed besides sender, recipients and subject. Only the id that no mail carries is named:
 * such products give mails ids of their own. None is one that they set themselves.
 */
export function mailHeaders({ references, urgent, headers }: MailContent): Readonly<Record<string, string>> {
  const [root] = references ?? [];
  return {
    ...(root !== undefined && { 'In-Reply-To': root, References: root }),
    ...headers,
    ...(urgent && { Importance: 'high', 'X-Priority': '1' }),
  };
}
