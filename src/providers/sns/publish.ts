import { fitted } from '../../message/render/kit/fitted.ts';
import { headline, oneLine } from '../../message/render/kit/headline.ts';
import { truncate } from '../../message/render/kit/truncate.ts';
import { shortMessage } from '../../message/render/line.ts';
import type { Delivery } from '../../model/delivery.ts';
import type { Act, Notification } from '../../model/notification.ts';
import { namespaceOf } from '../../model/ref.ts';

/** A message holds 262,144 bytes with its attributes; a text of this size is read by nobody to its end. Bytes. */
const maxTextBytes = 64_000;
/** SNS: less than 100. Characters. */
const maxSubject = 99;
/** Of an attribute; characters. */
const maxAttribute = 256;
/** Of FIFO topics: group and deduplication id. Characters. */
const maxId = 128;

/** Act → the attribute `status`, which filter policies of subscriptions go by. */
const statuses: Readonly<Partial<Record<Act, string>>> = { resolve: 'resolved', reopen: 'reopened' };

/** Where to and how: one of the two ARNs is set. */
type Target = { readonly topicArn?: string; readonly targetArn?: string; readonly subject?: string };

/** The fields of `Publish` for a notification. */
export function publishFields(
  notification: Notification,
  { stream, attemptKey }: Pick<Delivery, 'stream' | 'attemptKey'>,
  target: Target,
): Readonly<Record<string, string>> {
  const { topicArn, targetArn, subject } = target;
  const arn = topicArn ?? targetArn ?? '';
  // The signs of our own titles have counterparts that all of SNS takes; letters of a name have none.
  const visible = (text: string): string =>
    text
      .replace(/\p{Cc}/gu, '')
      .replace(/[·–—]/g, '-')
      .replaceAll('…', '...');
  const title =
    subject === undefined
      ? headline(notification, maxSubject, 'characters', visible)
      : truncate(visible(oneLine(subject)), maxSubject, 'characters');
  return {
    Action: 'Publish',
    Version: '2010-03-31',
    ...(topicArn === undefined ? { TargetArn: arn } : { TopicArn: arn }),
    ...(title !== '' && { Subject: title }),
    MessageStructure: 'json',
    Message: JSON.stringify(textsOf(notification, arn)),
    ...attributesOf(notification),
    ...(arn.endsWith('.fifo') && {
      MessageGroupId: idOf(stream),
      MessageDeduplicationId: idOf(attemptKey),
    }),
  };
}

/** By protocol: whoever subscribed by SMS pays by the segment, and a push service takes 4 KB. */
function textsOf(notification: Notification, arn: string): Readonly<Record<string, string>> {
  const sms = shortMessage(notification);
  if (arn.includes(':endpoint/')) return { default: sms };
  return { default: fitted(notification, { max: maxTextBytes, unit: 'bytes' }).toWellFormed(), sms };
}

function attributesOf({ act, over, severity, cluster, incident }: Notification): Readonly<Record<string, string>> {
  const attributes = {
    severity,
    status: over ? 'resolved' : (statuses[act] ?? act),
    cluster,
    incident: incident?.id ?? '',
    namespace: incident ? namespaceOf(incident.root) : '',
  };
  // An empty value is refused.
  const given = Object.entries(attributes).filter(([, value]) => value.trim() !== '');
  return Object.fromEntries(
    given.flatMap(([name, value], index) => {
      const entry = `MessageAttributes.entry.${index + 1}`;
      return [
        [`${entry}.Name`, name],
        [`${entry}.Value.DataType`, 'String'],
        [`${entry}.Value.StringValue`, truncate(oneLine(value), maxAttribute, 'characters')],
      ];
    }),
  );
}

/** Letters, digits and punctuation. */
function idOf(text: string): string {
  return text.replace(/[^!-~]/g, '-').slice(0, maxId);
}
