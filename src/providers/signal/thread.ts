import { oneLine } from '../../message/render/kit/headline.ts';
import { truncate } from '../../message/render/kit/truncate.ts';
import { messengerText } from '../../message/render/push.ts';
import type { Outcome, Reference } from '../../model/delivery.ts';
import type { Notification } from '../../model/notification.ts';
import { isLoud, keptLog, withKeptLog } from '../kit.ts';
import type { Answer, Attempt } from '../provider.ts';
import { readingFor, timestampOf } from './answers.ts';
import { e164, placeOf, recipientOf } from './gateway.ts';

/** Longer texts are sent as a file; UTF-8 bytes. */
export const maxTextBytes = 2_000;
/** Signal takes edits for a day; milliseconds, with a margin. */
const editableMs = 23 * 3_600_000;
/** Of a quote people see the beginning; UTF-16 units. */
const maxQuote = 200;

type Config = { readonly number: string; readonly to: string; readonly url: string };

/**
 * Tells an incident: the first message is quoted by later ones, and quiet updates edit the newest, which rings nobody. Kept are the
 * names of the first message (`timestamp`), of the newest and of its newest version (`message`, `version`), which are milliseconds, and
 * how the first one began (`quoted`).
 */
export async function tell({ notification, config, send, ref, now, quiet }: Attempt<Config>): Promise<Outcome> {
  const sender = e164(config.number);
  const to = recipientOf(config.to);
  const reading = readingFor(to);
  const say = (more: Readonly<Record<string, unknown>>, told = notification): Promise<Answer> =>
    send({
      method: 'POST',
      url: placeOf(config.url, 'v2/send'),
      json: {
        number: sender,
        recipients: [to],
        message: messengerText(told, maxTextBytes, 'bytes'),
        // The server's own default may be one that reads markup.
        text_mode: 'normal',
        ...more,
      },
    });

  const { timestamp, message, version } = ref ?? {};
  const editable = message !== undefined && now - Number(message) < editableMs;
  if (editable && (quiet === true || (notification.act === 'update' && !isLoud(notification)))) {
    const edited = await say({ edit_timestamp: Number(version ?? message) }, withKeptLog(notification, ref));
    const newest = timestampOf(edited);
    const outcome = edited.outcome(reading, newest === undefined ? ref : { ...ref, version: newest });
    // Too many edits: it is told anew.
    if (outcome.is !== 'permanent') return outcome;
  }
  if (quiet) return { is: 'delivered', ...(ref && { ref }) };
  const quote = timestamp !== undefined && {
    quote_timestamp: Number(timestamp),
    quote_author: sender,
    // As it was said. Of one that was sent before that was kept, the newest title, but for how it stands now.
    quote_message: ref?.quoted ?? quotable(notification),
  };
  const answer = await say({ ...quote });
  return answer.outcome(reading, notification.incident && referenceOf(timestampOf(answer), ref, notification));
}

/** The title, as later messages quote it. */
function quotable({ title }: Notification): string {
  return truncate(oneLine(title), maxQuote, 'utf16');
}

/** What the next act needs to know, with this newest message. */
function referenceOf(
  newest: string | undefined,
  ref: Reference | undefined,
  told: Notification,
): Reference | undefined {
  if (newest === undefined) return ref;
  const quoted = ref?.timestamp === undefined ? quotable(told) : ref.quoted;
  return {
    ...{ timestamp: ref?.timestamp ?? newest, message: newest },
    ...(quoted !== undefined && { quoted }),
    ...keptLog(told),
  };
}
