import { mapTexts } from '../../message/parts/texts.ts';
import { fitted } from '../../message/render/kit/fitted.ts';
import { inert, maxTelegramText, telegramHtml, telegramWith } from '../../message/render/telegram-html.ts';
import type { Outcome } from '../../model/delivery.ts';
import type { Notification } from '../../model/notification.ts';
import type { Button } from '../../model/press.ts';
import type { Secret } from '../../model/secret.ts';
import { calling, callOf, isLoud, keptLog, mention, secretUrl, withKeptLog } from '../kit.ts';
import type { Answer, Attempt, Send } from '../provider.ts';
import {
  isChatLost,
  isLost,
  isRefusedContent,
  isTopicLost,
  isUnchanged,
  messageOf,
  newChatOf,
  reading,
} from './answers.ts';

/** One call of the Bot API. The token is a part of the address. */
export function callTelegram(
  send: Send,
  token: Secret,
  method: string,
  json: unknown,
  maxAnswerBytes?: number,
): Promise<Answer> {
  const url = secretUrl`https://api.telegram.org/bot${token}/${method}`;
  return send({ method: 'POST', url, json, secrets: [token], ...(maxAnswerBytes !== undefined && { maxAnswerBytes }) });
}

type Told = Pick<
  Attempt<{ readonly token: Secret; readonly chatId: string; readonly topicId?: number }>,
  'notification' | 'config' | 'ref' | 'send' | 'people' | 'buttons' | 'quiet'
>;
type Where = Readonly<Record<string, unknown>>;

/**
 * Tells an incident as a chain of replies, of which the last message is kept up to date: an update that is no worse edits it,
 * which rings nobody; everything else replies to it. Without a message to go on from, a new one begins.
 */
export async function tellChain({
  notification,
  config: { token, chatId, topicId },
  ref,
  send,
  people,
  buttons = [],
  quiet,
}: Told): Promise<Outcome> {
  const say = (method: string, where: Where, told = notification): Promise<Answer> =>
    sayIn(told, { call: callOf(people, mention.telegram), buttons }, (content) =>
      callTelegram(send, token, method, { ...where, ...content }),
    );
  const last =
    ref?.chat !== undefined && ref.message !== undefined ? { chat: ref.chat, message: Number(ref.message) } : undefined;

  async function begin(): Promise<Outcome> {
    const chat = last?.chat ?? chatId;
    const ring = { disable_notification: isQuiet(notification) };
    const topic = topicId !== undefined && { message_thread_id: topicId };
    const reply = last && { reply_parameters: { message_id: last.message, allow_sending_without_reply: true } };
    let answer = await say('sendMessage', { chat_id: chat, ...ring, ...topic, ...reply });
    // The topic was deleted: the group still has one for everything.
    if (topic && isTopicLost(answer)) answer = await say('sendMessage', { chat_id: chat, ...ring });
    const moved = newChatOf(answer);
    if (moved !== undefined)
      answer = await say('sendMessage', { chat_id: moved, ...ring }, withNewChat(notification, moved));
    else if (reply && isLost(answer)) answer = await say('sendMessage', { chat_id: chat, ...ring, ...topic });
    else if (chat !== chatId && isChatLost(answer)) answer = await say('sendMessage', { chat_id: chatId, ...ring });
    const sent = notification.incident && messageOf(answer);
    return answer.outcome(reading, sent && { ...sent, ...keptLog(notification) });
  }

  if (!last || !(quiet === true || (notification.act === 'update' && !isLoud(notification)))) return begin();
  const where = { chat_id: last.chat, message_id: last.message };
  const edited = await say('editMessageText', where, withKeptLog(notification, ref));
  if (isUnchanged(edited)) return { is: 'delivered', ...(ref && { ref }) };
  const anew = isLost(edited) || isChatLost(edited) || newChatOf(edited) !== undefined;
  if (anew) return quiet ? { is: 'delivered' } : begin();
  return edited.outcome(reading, ref);
}

/** Whether nobody's phone need ring: nothing of it is urgent, or it says no more than that something goes on. */
function isQuiet(notification: Notification): boolean {
  const { act, severity } = notification;
  return severity === 'low' || severity === 'medium' || (act === 'update' && !isLoud(notification));
}

/** Previews of what a link leads to are no part of an alert. */
const noPreview = { link_preview_options: { is_disabled: true } };

/** Sends the message as HTML with its buttons, and once more as plain text without where Telegram refuses the markup or a button. */
async function sayIn(
  notification: Notification,
  { call, buttons }: { readonly call: string; readonly buttons: readonly Button[] },
  say: (content: Where) => Promise<Answer>,
): Promise<Answer> {
  const content = telegramWith(telegramHtml(notification, call), buttons);
  const answer = await say({ ...content, parse_mode: 'HTML', ...noPreview });
  if (!isRefusedContent(answer)) return answer;
  // Names ring as they are; who has none is a link, which plain text has not.
  const names = call.split(' ').filter((each) => each.startsWith('@'));
  const text = fitted(mapTexts(notification, inert), { max: maxTelegramText, unit: 'utf16' });
  return say({ text: calling(text, names.join(' '), maxTelegramText, '\n\n'), ...noPreview });
}

/** The message itself says what to correct: a delivery that succeeds has no other place for it. */
function withNewChat(notification: Notification, chat: string): Notification {
  const words = `this group is a supergroup now: set chatId to ${chat}`;
  const { note } = notification;
  return { ...notification, note: note === undefined ? words : `${note}; ${words}` };
}
