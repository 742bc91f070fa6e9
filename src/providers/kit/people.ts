import type { Notification } from '../../model/notification.ts';
import { type Contact, type Contacts, isEverybody, type Way } from '../../model/people.ts';
import { compareSeverity, type Severity } from '../../model/severity.ts';
import { isLoud } from './loud.ts';

/** What people write for one way of reaching somebody: a pattern that RE2 and JavaScript read alike, anchored, and what it is. */
export type Reach = { readonly pattern: string; readonly description: string };

/** The ways in which a product can be asked for somebody. */
export type Reaches = Readonly<Partial<Record<Way, Reach>>>;

/** Who is asked for with a message. */
export type People = {
  /** As the product names them, without its marks; none where a message rings nobody. */
  readonly mentions: readonly string[];
  readonly channel?: string;
  readonly assignees: readonly string[];
  readonly responders: readonly string[];
};

/** Nobody in particular. */
export const nobody: People = { mentions: [], assignees: [], responders: [] };

/** People that one message asks for at most: more is a crowd, and takes the room of what it says. */
const maxAsked = 5;

/** Whose provider it is: the table of owners, narrowed to its product, and from which severity on they are mentioned. */
export type Directory = { readonly contacts?: Contacts; readonly mentionFrom?: Severity };

/**
 * Who is asked for with a message: those who answer for what it is about, where the table knows them. What is written otherwise than the
 * product wants it, or could ring everybody, asks for nobody.
 */
export function peopleFor(
  notification: Notification,
  { contacts = {}, mentionFrom = 'low' }: Directory,
  reaches: Reaches = {},
): People {
  const owners = notification.incident?.owners ?? [];
  const found = owners.flatMap((owner): readonly Contact[] =>
    Object.hasOwn(contacts, owner) ? [contacts[owner] ?? {}] : [],
  );
  if (found.length === 0) return nobody;
  const asked = (way: 'mentions' | 'assignees' | 'responders'): readonly string[] =>
    [...new Set(found.flatMap((contact) => contact[way] ?? []))].filter(fits(reaches[way])).slice(0, maxAsked);
  const channel = found
    .map((contact) => contact.channel)
    .find((one) => one !== undefined && fits(reaches.channel)(one));
  return {
    mentions: rings(notification, mentionFrom) ? asked('mentions') : [],
    ...(channel !== undefined && { channel }),
    assignees: asked('assignees'),
    responders: asked('responders'),
  };
}

/** Whether a message is one that people are called to: its incident opens, is back or is worse. */
function rings(notification: Notification, from: Severity): boolean {
  const { act, severity } = notification;
  return (act === 'open' || isLoud(notification)) && compareSeverity(severity, from) <= 0;
}

/** Tries with what may be refused for itself (somebody who is not there), and without it where that is refused. */
export async function orWithout<A extends { readonly status: number }>(
  part: object,
  refusedBy: readonly number[],
  send: (part: object) => Promise<A>,
): Promise<A> {
  const answer = await send(part);
  return Object.keys(part).length > 0 && refusedBy.includes(answer.status) ? send({}) : answer;
}

const fits =
  (reach: Reach | undefined) =>
  (word: string): boolean =>
    reach !== undefined && new RegExp(reach.pattern, 'u').test(word) && !isEverybody(word);
