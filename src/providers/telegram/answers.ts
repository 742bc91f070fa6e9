import { cleanText, redact } from '../../model/redact.ts';
import { notOf } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** What an answer of the Bot API says of itself; empty when it is none. */
type ApiAnswer = { ok?: unknown; description?: unknown; result?: unknown; parameters?: unknown };
function apiAnswer(answer: Answer): ApiAnswer {
  return Object(answer.json());
}

/** The error in words, `''` when there is none. Telegram has no codes of its own. */
export function descriptionOf(answer: Answer): string {
  const { description } = apiAnswer(answer);
  return typeof description === 'string' ? description : '';
}

/** Chat and message that an answer returned. */
export function messageOf(answer: Answer): { readonly chat: string; readonly message: string } | undefined {
  const { chat, message_id: message } = Object(apiAnswer(answer).result);
  const { id } = Object(chat);
  return Number.isSafeInteger(id) && Number.isSafeInteger(message)
    ? { chat: String(id), message: String(message) }
    : undefined;
}

/** The id a group has got since it became a supergroup. */
export function newChatOf(answer: Answer): string | undefined {
  const { migrate_to_chat_id: id } = Object(apiAnswer(answer).parameters);
  return Number.isSafeInteger(id) ? String(id) : undefined;
}

/** The edit changes nothing: an earlier attempt has made it. */
export const isUnchanged = (answer: Answer): boolean => /message is not modified/i.test(descriptionOf(answer));

/** The message that an act belongs to is gone, or nobody may edit it any more. */
export const isLost = (answer: Answer): boolean =>
  /message to edit not found|message can't be edited|message to be replied not found|message_id_invalid|message identifier/i.test(
    descriptionOf(answer),
  );

/** The topic of the group that was configured is gone. */
export const isTopicLost = (answer: Answer): boolean =>
  /message thread not found|topic_deleted|topic_closed/i.test(descriptionOf(answer));

/** The bot cannot reach this chat: another one may be configured by now. */
export const isChatLost = (answer: Answer): boolean =>
  /chat not found|kicked|not a member|blocked|was deleted|deactivated|chat_write_forbidden/i.test(
    descriptionOf(answer),
  );

/** The markup or a button is refused: a plain text may still go. */
export const isRefusedContent = (answer: Answer): boolean =>
  /can't parse entities|inline keyboard|button|wrong http url|reply_markup|unsupported url/i.test(
    descriptionOf(answer),
  );

/** Words of a final refusal → what to do. The first that matches. */
const advice: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [/chat not found|chat_id is empty/i, 'correct `chatId`, and add the bot to the chat'],
  [/not enough rights|administrator rights|chat_write_forbidden/i, 'let the bot write in the chat'],
  [/kicked|not a member|blocked|can't initiate/i, 'add the bot to the chat, or start it there'],
  [/deactivated|was deleted|thread not found/i, 'choose another chat'],
  [/unauthorized|^not found$/i, 'the token is wrong or revoked: get it from @BotFather'],
];

/**
 * Success is `"ok": true`. A wrong token answers 401, one that is no token at all 404; 403 is about the chat, not the token. The
 * wait after 429 is in `parameters.retry_after`, in seconds.
 */
export const reading: Reading = {
  failure(answer) {
    const words = descriptionOf(answer);
    if (answer.status < 300) return apiAnswer(answer).ok === true ? undefined : notOf(answer, 'Telegram');
    if (words === '' || answer.status >= 500 || answer.status === 429) return undefined;
    const remedy = advice.find(([pattern]) => pattern.test(words))?.[1];
    const said = cleanText(redact(words), 200);
    const reason = `HTTP ${answer.status}: ${said}${remedy === undefined ? '' : ` (${remedy})`}`;
    const credential = answer.status === 401 || answer.status === 404;
    return { is: 'permanent', reason, credential, code: credential ? 'AuthFailed' : 'Rejected' };
  },
  retryAfterMs(answer) {
    const { retry_after: seconds } = Object(apiAnswer(answer).parameters);
    return typeof seconds === 'number' ? seconds * 1000 : undefined;
  },
};
