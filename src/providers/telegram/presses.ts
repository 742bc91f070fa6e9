import type { Outcome } from '../../model/delivery.ts';
import { cleanText } from '../../model/redact.ts';
import type { Secret } from '../../model/secret.ts';
import { objectOf } from '../kit.ts';
import type { AnswerablePress, Listening } from '../provider.ts';
import { reading } from './answers.ts';
import { callTelegram } from './thread.ts';

/** How long Telegram holds the question, where nothing is pressed (seconds). */
const heldSeconds = 25;
/** Updates in one answer at most; each is a few kilobytes, since it repeats the message. */
const mostUpdates = 20;
const maxAnswerBytes = 1024 * 1024;
/** Characters of a name, and of what is answered (`answerCallbackQuery`: 200). */
const maxName = 64;
const maxAnswer = 190;

type Config = { readonly token: Secret };

/**
 * Hears what is pressed by `getUpdates`, the one way that needs no address of ours. Telegram confirms what lies before the `offset` of the next
 * question, so that what was not decided is told again. Source: core.telegram.org/bots/api (getUpdates, CallbackQuery, answerCallbackQuery).
 */
export const telegramListening: Listening<Config> = {
  async listen({ config: { token }, send, cursor, heard }): Promise<Outcome> {
    const asked = { timeout: heldSeconds, limit: mostUpdates, allowed_updates: ['callback_query'] };
    const offset = cursor === undefined ? {} : { offset: Number(cursor) };
    const answer = await callTelegram(send, token, 'getUpdates', { ...asked, ...offset }, maxAnswerBytes);
    const outcome = answer.outcome(reading);
    const { result } = objectOf(answer.json()) ?? {};
    if (outcome.is !== 'delivered' || !Array.isArray(result)) return outcome;
    const ids = result.map((update) => Number(objectOf(update)?.update_id)).filter(Number.isSafeInteger);
    // Whatever an update holds: without the next offset the same ones would come for ever.
    if (ids.length > 0) heard(result.flatMap(pressIn), String(Math.max(...ids) + 1));
    return outcome;
  },

  async answer({ config: { token }, send, reply, says, isRefused = false }): Promise<Outcome> {
    const said = { callback_query_id: reply.query, text: cleanText(says, maxAnswer), show_alert: isRefused };
    return (await callTelegram(send, token, 'answerCallbackQuery', said)).outcome(reading);
  },
};

/** The press that an update tells of; of anything else nothing. */
function pressIn(update: unknown): readonly AnswerablePress[] {
  const { id, from, data } = objectOf(objectOf(update)?.callback_query) ?? {};
  const user = objectOf(from);
  if (typeof id !== 'string' || id === '' || typeof data !== 'string' || !Number.isSafeInteger(user?.id)) return [];
  const names = [user?.first_name, user?.last_name].filter((name) => typeof name === 'string');
  const name = cleanText(names.join(' ').replaceAll(/\s+/g, ' ').trim(), maxName);
  const account = String(user?.id);
  return [{ id, user: { id: account, name: name === '' ? account : name }, carries: data, reply: { query: id } }];
}
