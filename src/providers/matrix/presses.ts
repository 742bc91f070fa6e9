import type { Outcome } from '../../model/delivery.ts';
import { shortHash } from '../../model/hash.ts';
import { askedBy, lasting } from '../../model/press.ts';
import { cleanText } from '../../model/redact.ts';
import { notOf, objectOf } from '../kit.ts';
import type { AnswerablePress, Listening } from '../provider.ts';
import { reading } from './answers.ts';
import { askMatrix, inRoom, type MatrixConfig, type MatrixParts, sayInRoom } from './api.ts';
import { buttonsKey } from './people.ts';
import { type Wish, wishIn } from './wishes.ts';

/** How long the server holds the question, where nothing happens (milliseconds). */
const heldMs = 25_000;
/** Events in one answer at most: each holds 64 KiB, and may bring its edit and the last of its thread, edited. */
const mostEvents = 15;
const maxAnswerBytes = 4 * 1024 * 1024;
/** An event with all that may hang on it. */
const maxEventBytes = 512 * 1024;
/** Characters of what is answered, and of where to go on from. */
const maxAnswer = 300;
const maxCursor = 1_000;

/** What could be found out, or the failure that ended it. */
type Found<T> = { readonly found: T } | { readonly failed: Outcome };

/**
 * Hears reactions and replies by `/sync`, of the one room, and of those who may alone: what others do there is their own. What was there
 * before the first question counts for nothing. Source: spec.matrix.org, Client-Server API (sync, filters, rooms/event, whoami).
 */
export const matrixListening: Listening<MatrixConfig> = {
  eachForItself: true,

  async listen({ config, uid, send, cursor, heard }): Promise<Outcome> {
    const parts = { config, send };
    const users = config.actions?.users ?? [];
    const held = cursor === undefined ? undefined : await sync(parts, users, cursor);
    // A server that was made anew knows no cursor of the old one.
    const answer = held === undefined || held.status === 400 ? await sync(parts, users) : held;
    const outcome = answer.outcome(reading);
    if (outcome.is !== 'delivered') return outcome;
    const { next_batch: next, rooms } = objectOf(answer.json()) ?? {};
    if (typeof next !== 'string' || next === '' || next.length > maxCursor) return notOf(answer, 'Matrix');
    const { timeline } = objectOf(objectOf(objectOf(rooms)?.join)?.[config.internalRoomId]) ?? {};
    const { events } = objectOf(timeline) ?? {};
    const wishes = answer === held && Array.isArray(events) ? events.flatMap((event) => wishIn(event, users)) : [];
    const presses = await pressesOf(wishes, uid, parts);
    if ('failed' in presses) return presses.failed;
    if (presses.found.length > 0 || next !== cursor) heard(presses.found, next);
    return outcome;
  },

  async answer({ config, send, reply: { thread, reply = thread, event = '' }, says }): Promise<Outcome> {
    const to = { 'm.in_reply_to': { event_id: reply } };
    const told = await sayInRoom({ config, send }, shortHash(['answer', event], 32), {
      ...{ msgtype: 'm.notice', body: cleanText(says, maxAnswer), 'm.mentions': {} },
      'm.relates_to':
        thread === undefined ? to : { rel_type: 'm.thread', event_id: thread, is_falling_back: true, ...to },
    });
    return told.outcome(reading);
  },
};

/** Asks what has happened since; without `since`, from where to ask. */
function sync(parts: MatrixParts, users: readonly string[], since?: string) {
  const none = { not_types: ['*'] };
  const { internalRoomId: room } = parts.config;
  const filter = {
    ...{ presence: none, account_data: none },
    room: {
      ...{ rooms: [room], state: none, ephemeral: none, account_data: none },
      timeline: { limit: mostEvents, types: ['m.reaction', 'm.room.message'], senders: users },
    },
  };
  const query = {
    ...{ filter: JSON.stringify(filter), set_presence: 'offline' },
    ...(since === undefined ? { timeout: '0' } : { since, timeout: String(heldMs) }),
  };
  return askMatrix(parts, 'sync', { query, maxAnswerBytes });
}

/** What wishes press: of the messages that this bot wrote for this AlertProvider. Whatever anybody else writes has no buttons. */
async function pressesOf(
  wishes: readonly Wish[],
  uid: string,
  parts: MatrixParts,
): Promise<Found<readonly AnswerablePress[]>> {
  if (wishes.length === 0) return { found: [] };
  const whoami = await askMatrix(parts, 'account/whoami');
  const outcome = whoami.outcome(reading);
  if (outcome.is !== 'delivered') return { failed: outcome };
  const self = objectOf(whoami.json())?.user_id;
  const buttons = new Map<string, readonly string[]>();
  for (const about of new Set(wishes.map((wish) => wish.about))) {
    const message = await messageOf(about, parts);
    if ('failed' in message) return message;
    const { sender, content } = objectOf(message.found) ?? {};
    const carried = objectOf(content)?.[buttonsKey];
    const isOurs = typeof self === 'string' && sender === self && Array.isArray(carried);
    buttons.set(about, isOurs ? carried.filter((carries) => typeof carries === 'string') : []);
  }
  return {
    found: wishes.flatMap(({ id, sender, about, act, seconds, answerTo }): readonly AnswerablePress[] => {
      const isMeant = (carries: string): boolean => {
        const asked = askedBy({ carries });
        return asked?.act === act && asked.uid === uid;
      };
      const carries = buttons.get(about)?.find(isMeant);
      if (carries === undefined) return [];
      const pressed = seconds === undefined ? carries : lasting({ carries }, seconds);
      return [{ id, user: { id: sender, name: sender }, carries: pressed, reply: { event: id, ...answerTo } }];
    }),
  };
}

/** An event of the room; `undefined`: there is none that the bot may see. */
async function messageOf(event: string, parts: MatrixParts): Promise<Found<unknown>> {
  const path = inRoom(parts.config, `event/${encodeURIComponent(event)}`);
  const answer = await askMatrix(parts, path, { maxAnswerBytes: maxEventBytes });
  if (answer.status === 404 || answer.status === 400) return { found: undefined };
  const outcome = answer.outcome(reading);
  return outcome.is === 'delivered' ? { found: answer.json() } : { failed: outcome };
}
