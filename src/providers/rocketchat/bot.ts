import { markdown } from '../../message/render/markdown.ts';
import type { Outcome, Reference } from '../../model/delivery.ts';
import type { Notification } from '../../model/notification.ts';
import type { Secret } from '../../model/secret.ts';
import { calling, callOf, endpoint, isLoud, keptLog, mention, objectOf, withKeptLog } from '../kit.ts';
import type { Answer, Attempt, Send } from '../provider.ts';
import { apiReading, isElsewhere, isGone, isRefusal } from './api-answers.ts';
import { dialect } from './dialect.ts';

/** What a bot is reached with. `user`: the id of the account that the token is of. */
export type Bot = { readonly url: string; readonly user: string; readonly token: Secret; readonly channel: string };

/** Messages hold 5,000 characters unless an administrator sets another number. */
const maxText = 4_500;

/** One call of the API, below the server's own path: people copy the address of the API too. Without `json` it asks. */
function callRocketchat(
  send: Send,
  { url, user, token }: Bot,
  path: string,
  { json, query }: { readonly json?: unknown; readonly query?: Readonly<Record<string, string>> },
): Promise<Answer> {
  const server = url.replace(/(?:\/api\/v1)?\/*$/, '');
  return send({
    method: json === undefined ? 'GET' : 'POST',
    url: endpoint(server, `api/v1/${path}`, query),
    headers: { 'x-user-id': user, 'x-auth-token': token },
    ...(json !== undefined && { json }),
  });
}

/** The whole message: edits change the text alone, so that there is no box. */
function textOf(notification: Notification, call = ''): string {
  return calling(markdown(notification, dialect), call, maxText, '\n\n');
}

/**
 * Tells an incident as one thread: the first act starts it, later ones edit its first message, which notifies nobody, and reply below it;
 * what everybody must see stands in the channel. The edit comes first, since repeating it after a failed reply changes nothing; where
 * messages may not be edited, or not any more, replies say it.
 */
export async function tellThread(
  { notification, send, ref, people, quiet }: Attempt<unknown>,
  bot: Bot,
): Promise<Outcome> {
  const text = textOf(notification, callOf(people, mention.rocketchat));
  const post = (roomId: string, thread: { readonly tmid?: string } = {}): Promise<Answer> =>
    callRocketchat(send, bot, 'chat.postMessage', { json: { roomId, text, ...thread } });

  /** In the channel of who answers for it; in the provider's where the bot may not post there, or there is none. */
  async function begin(): Promise<Outcome> {
    const theirs = people?.channel === undefined ? undefined : await post(people.channel);
    const answer = theirs && !isElsewhere(theirs) ? theirs : await post(bot.channel);
    return answer.outcome(apiReading, notification.incident && referenceOf(answer, notification));
  }

  const { message, room } = ref ?? {};
  if (message === undefined || room === undefined) return begin();
  const json = { roomId: room, msgId: message, text: textOf(withKeptLog(notification, ref)) };
  const edited = await callRocketchat(send, bot, 'chat.update', { json });
  const edit = edited.outcome(apiReading, ref);
  if (quiet) return isRefusal(edited) ? { is: 'delivered', ...(ref && { ref }) } : edit;
  if (isGone(edited)) return begin();
  if (edit.is !== 'delivered' && !isRefusal(edited)) return edit;
  const reply = await post(room, isLoud(notification) ? {} : { tmid: message });
  return isElsewhere(reply) ? begin() : reply.outcome(apiReading, ref);
}

/** What later acts find the message by. */
function referenceOf(answer: Answer, told: Notification): Reference | undefined {
  const { _id: message, rid: room } = objectOf(objectOf(answer.json())?.message) ?? {};
  return typeof message === 'string' && typeof room === 'string' ? { message, room, ...keptLog(told) } : undefined;
}

/** Whether the token is of this account, and the account sees the channel: a public one it joins by posting. */
export async function checkBot(send: Send, bot: Bot): Promise<Outcome> {
  const self = (await callRocketchat(send, bot, 'me', {})).outcome(apiReading);
  if (self.is !== 'delivered') return self;
  const { channel } = bot;
  // People are written to without a room to look up.
  if (channel.startsWith('@')) return self;
  const query = channel.startsWith('#') ? { roomName: channel.slice(1) } : { roomId: channel };
  return (await callRocketchat(send, bot, 'rooms.info', { query })).outcome(apiReading);
}
