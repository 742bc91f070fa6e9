import { isSayable, type PressAct } from '../../model/press.ts';
import { objectOf } from '../kit.ts';

/** What a member wants of the message that an event refers to. */
export type Wish = {
  /** The member's event, and who sent it, as the server vouches for it. */
  readonly id: string;
  readonly sender: string;
  /** The event of the message. */
  readonly about: string;
  readonly act: PressAct;
  /** How long to silence, where they said so. */
  readonly seconds?: number;
  /** Where an answer belongs: below the message, or behind their words in the room. */
  readonly answerTo: { readonly thread: string } | { readonly reply: string };
};

type Said = Pick<Wish, 'act' | 'seconds'>;

/** Reactions that mean something, without the colour of skins and the selector of a look. */
const reactions: Readonly<Record<string, PressAct>> = {
  ...{ '👍': 'acknowledge', '✅': 'acknowledge', '👀': 'acknowledge' },
  ...{ '🔕': 'silence', '🔇': 'silence' },
};
const looks = /[\u{1f3fb}-\u{1f3ff}\ufe0f]/gu;

/** Seconds. */
const units: Readonly<Record<string, number>> = { m: 60, min: 60, h: 3_600, d: 86_400 };

/** What a reply says, if it is nothing but one of the words: of a sentence that holds one, nobody knows what it means. */
export function saidIn(body: string): Said | undefined {
  // Older clients quote what they reply to.
  const own = body.replace(/^(?:>[^\n]*\n)+\n?/, '').trim();
  if (/^(?:ack|acknowledge)$/i.test(own)) return { act: 'acknowledge' };
  if (/^silence$/i.test(own)) return { act: 'silence' };
  const [, amount, unit = ''] = /^silence (\d{1,5}) ?(m|min|h|d)$/i.exec(own) ?? [];
  const seconds = Number(amount) * (units[unit.toLowerCase()] ?? 0);
  return isSayable(seconds) ? { act: 'silence', seconds } : undefined;
}

/**
 * The wish of an event, if it has one and is of somebody who may have any. Edits have none: what was said before they were may have been
 * answered. What is encrypted cannot be read; reactions are not. Source: Client-Server API, m.reaction, rich replies, m.thread.
 */
export function wishIn(event: unknown, users: readonly string[]): readonly Wish[] {
  const { event_id: id, sender, type, content, state_key: state } = objectOf(event) ?? {};
  if (typeof id !== 'string' || typeof sender !== 'string' || state !== undefined || !users.includes(sender)) return [];
  const { msgtype, body, 'm.relates_to': relation } = objectOf(content) ?? {};
  const { rel_type: kind, event_id: of, key, 'm.in_reply_to': reply } = objectOf(relation) ?? {};
  const made = (about: unknown, said: Said | undefined, isInRoom = false): readonly Wish[] => {
    if (typeof about !== 'string' || said === undefined) return [];
    return [{ id, sender, about, ...said, answerTo: isInRoom ? { reply: id } : { thread: about } }];
  };
  if (type === 'm.reaction' && kind === 'm.annotation' && typeof key === 'string') {
    const bare = key.replaceAll(looks, '');
    const act = Object.hasOwn(reactions, bare) ? reactions[bare] : undefined;
    return made(of, act && { act });
  }
  if (type !== 'm.room.message' || msgtype !== 'm.text' || typeof body !== 'string') return [];
  if (kind === 'm.thread') return made(of, saidIn(body));
  return kind === undefined ? made(objectOf(reply)?.event_id, saidIn(body), true) : [];
}
