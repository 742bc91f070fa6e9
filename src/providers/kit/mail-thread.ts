import { headline, oneLine } from '../../message/render/kit/headline.ts';
import { stateOf } from '../../message/render/kit/state.ts';
import { truncate } from '../../message/render/kit/truncate.ts';
import { shortHash } from '../../model/hash.ts';
import type { Notification } from '../../model/notification.ts';
import type { Attempt, MailMessage } from '../provider.ts';

/** What makes mails one thread, whatever a mailbox goes by. */
export type MailThread = Pick<MailMessage, 'messageId' | 'inReplyTo' | 'references' | 'subject'>;

/**
 * The ids of a mail. Every mail of one problem names an id that no mail carries (the first of `references`), so that the thread
 * holds when a relay gives mails ids of its own, and the opening of its incident; all of them follow from keys, so nothing has
 * to be remembered. `domain`: of the sender, in ASCII. `opened`: the subject of the opening, where it is known. RFC 5322 §3.6.4.
 */
export function threadOf(
  notification: Notification,
  delivery: Attempt<unknown>['delivery'],
  domain: string,
  opened: string | undefined,
): MailThread {
  const id = (...parts: readonly string[]): string => `<${parts.map(atom).join('.')}@${domain}>`;
  const { stream, act, attemptKey, alertKey } = delivery;
  if (!notification.incident) return { messageId: id(attemptKey), subject: subjectOf(notification) };
  const root = id(alertKey, 'thread');
  const opening = id(stream, 'open');
  // Gmail joins mails of one subject only, so all say what the first one said; that it is over stands before it, in brackets.
  const subject = stated(opened ?? subjectOf(notification), notification);
  if (act === 'open') return { messageId: opening, inReplyTo: root, references: [root], subject };
  return { messageId: id(stream, act, attemptKey), inReplyTo: opening, references: [root, opening], subject };
}

/**
 * What Outlook and Exchange go by, which do not read `References`: one index for all mails of a problem, and the subject without how it
 * stands, which they compare whole. Source: MS-OXOMSG 2.2.1.3 (PidTagConversationIndex) and 2.2.1.5 (PidTagConversationTopic).
 */
export function conversationOf(
  { alertKey }: Pick<Attempt<unknown>['delivery'], 'alertKey'>,
  { subject }: Pick<MailThread, 'subject'>,
): Readonly<Record<'Thread-Index' | 'Thread-Topic', string>> {
  const index = Buffer.from(`${conversationTime}${shortHash(['conversation', alertKey], 32)}`, 'hex');
  const topic = subject
    .replace(stateInFront, '')
    .replaceAll(' · ', ' - ')
    .replace(/[^ -~]+/g, '?');
  return { 'Thread-Index': index.toString('base64'), 'Thread-Topic': topic };
}

/** The upper six bytes of a FILETIME, that of 2020-01-01: the same for all, since nobody remembers when a problem was new. */
const conversationTime = '01d5c0366905';
const stateInFront = /^\[[a-z]+\] /;

/** The left part of an id: letters, digits, hyphen, underscore. */
function atom(part: string): string {
  return part.replace(/[^A-Za-z0-9_-]/g, '-');
}

/** The subject, at the end with a word before it, so that a list of mails shows that it is over: Gmail leaves brackets at the start out of the comparison. */
function stated(subject: string, notification: Notification): string {
  const bare = subject.replace(stateInFront, '');
  return stateOf(notification) === 'resolved' ? `[resolved] ${bare}` : bare;
}

/** With the cluster, since one mailbox reads of several. */
function subjectOf(notification: Notification): string {
  return headline(notification, maxSubject, 'utf16', visible);
}

/** What mailboxes show whole when they show much; UTF-16 units. */
const maxSubject = 200;
const visible = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');

/** One line without control characters. */
export function subjectText(text: string): string {
  return truncate(oneLine(visible(text)), maxSubject, 'utf16');
}
