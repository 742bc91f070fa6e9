import {
  type SlackContent,
  slackCalling,
  slackLine,
  slackMessage,
  slackText,
  slackWith,
} from '../../message/render/slack.ts';
import type { Outcome } from '../../model/delivery.ts';
import type { Notification } from '../../model/notification.ts';
import type { Button } from '../../model/press.ts';
import type { Secret } from '../../model/secret.ts';
import { bearer, callOf, isLoud, keptLog, mention, withKeptLog } from '../kit.ts';
import type { Answer, Attempt, Send } from '../provider.ts';
import { apiAnswer, channelErrors, contentErrors, editErrors, errorCode, reading, threadErrors } from './answers.ts';

/** Alerts are no place for previews of what a link leads to. */
const noPreviews = { unfurl_links: false, unfurl_media: false };
const jsonType = { 'content-type': 'application/json; charset=utf-8' };

type Access = { readonly send: Send; readonly token: Secret; readonly site: string };

/** One call of the Web API. */
export function callSlack({ send, token, site }: Access, method: string, json: unknown): Promise<Answer> {
  const url = `https://${site}/api/${method}`;
  return send({ method: 'POST', url, headers: { ...bearer(token), ...jsonType }, json });
}

/** What is shown: one line, or a line with blocks. */
export function contentOf(notification: Notification, compact: boolean): SlackContent {
  return compact ? slackLine(notification) : slackMessage(notification);
}

/** A reply stands below the message with the buttons. */
const isReply = (where: Readonly<Record<string, unknown>>): boolean => where.thread_ts !== undefined;

/** Sends content, and once more as plain text where the product refuses the blocks. `call`: whom it rings, as markup. */
export async function sayIn(
  notification: Notification,
  {
    compact,
    call,
    buttons = [],
  }: { readonly compact: boolean; readonly call: string; readonly buttons?: readonly Button[] },
  say: (content: SlackContent) => Promise<Answer>,
): Promise<Answer> {
  const answer = await say(slackWith(slackCalling(contentOf(notification, compact), call), buttons));
  if (!contentErrors.has(errorCode(answer))) return answer;
  return say({ ...slackCalling(slackText(notification), call), blocks: [], attachments: [] });
}

/**
 * Tells an incident as one thread: the first act starts it, later ones edit its first message, which notifies nobody, and reply
 * below it. The edit comes first, since repeating it after a failed reply changes nothing.
 */
export async function tellThread(
  {
    notification,
    config,
    send,
    ref,
    people,
    buttons = [],
    quiet,
  }: Pick<
    Attempt<{ compact: boolean; site: string }>,
    'notification' | 'config' | 'send' | 'ref' | 'people' | 'buttons' | 'quiet'
  >,
  token: Secret,
  channel: string,
): Promise<Outcome> {
  const { compact, site } = config;
  const say = (
    method: string,
    where: Readonly<Record<string, unknown>>,
    told: Notification = notification,
  ): Promise<Answer> =>
    // Who edits a message notifies nobody.
    sayIn(
      told,
      {
        compact,
        call: method === 'chat.update' ? '' : callOf(people, mention.slack),
        buttons: isReply(where) ? [] : buttons,
      },
      (content) => callSlack({ send, token, site }, method, { ...where, ...content }),
    );

  /** In the channel of who answers for it; in the provider's where the bot may not post there, or there is none. */
  async function begin(): Promise<Outcome> {
    const theirs = people?.channel && (await say('chat.postMessage', { channel: people.channel, ...noPreviews }));
    const isRefused = theirs && channelErrors.has(errorCode(theirs));
    const answer = theirs && !isRefused ? theirs : await say('chat.postMessage', { channel, ...noPreviews });
    const { channel: id, ts } = apiAnswer(answer);
    const known = notification.incident && typeof id === 'string' && typeof ts === 'string';
    return answer.outcome(reading, known ? { channel: id, ts, ...keptLog(notification) } : undefined);
  }

  const { channel: id, ts } = ref ?? {};
  if (id === undefined || ts === undefined) return begin();
  const edited = await say(
    'chat.update',
    { channel: id, ts, blocks: [], attachments: [] },
    withKeptLog(notification, ref),
  );
  if (editErrors.has(errorCode(edited))) return quiet ? { is: 'delivered' } : begin();
  const edit = edited.outcome(reading, ref);
  if (edit.is !== 'delivered' || quiet) return edit;
  const where = { channel: id, ...noPreviews };
  const loud = isLoud(notification) ? { reply_broadcast: true } : {};
  const reply = await say('chat.postMessage', { ...where, thread_ts: ts, ...loud });
  if (!threadErrors.has(errorCode(reply))) return reply.outcome(reading, ref);
  return (await say('chat.postMessage', where)).outcome(reading, ref);
}
