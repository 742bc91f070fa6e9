import type { Outcome } from '../../model/delivery.ts';
import type { Notification } from '../../model/notification.ts';
import type { Secret } from '../../model/secret.ts';
import { bearer, callOf, endpoint, isLoud, keptLog, mention, withKeptLog } from '../kit.ts';
import type { Answer, Attempt, Send, SendRequest } from '../provider.ts';
import { apiReading, hasNoThread, postOf } from './answers.ts';
import { contentOf, sayUrgently } from './content.ts';

/** What a bot is reached with. */
export type Bot = { readonly url: string; readonly token: Secret; readonly channel: string };

/** One call of the API, below the server's own path: people copy the address of the API too. */
function callMattermost(
  send: Send,
  { url, token }: Bot,
  method: SendRequest['method'],
  path: string,
  json?: unknown,
): Promise<Answer> {
  const server = url.replace(/(?:\/api\/v4)?\/*$/, '');
  const at = endpoint(server, `api/v4/${path}`);
  return send({ method, url: at, headers: bearer(token), ...(json !== undefined && { json }) });
}

/**
 * Tells an incident as one thread: the first act starts it, later ones edit its first message, which notifies nobody, and reply below it;
 * what everybody must see stands in the channel. The edit comes first, since repeating it after a failed reply changes nothing; what may
 * not be edited any more is replied to all the same.
 */
export async function tellThread(
  { notification, send, ref, people, quiet }: Attempt<unknown>,
  bot: Bot,
): Promise<Outcome> {
  const call = callOf(people, mention.mattermost);
  const post = (channel: string, root?: string): Promise<Answer> =>
    // Replies have no priority of their own.
    sayUrgently(notification, { mayBeUrgent: root === undefined, refused: isRefusal }, (priority) =>
      callMattermost(send, bot, 'POST', 'posts', {
        channel_id: channel,
        ...bodyOf(notification, call),
        ...(root !== undefined && { root_id: root }),
        ...(priority && { metadata: { priority } }),
      }),
    );

  /** In the channel of who answers for it; in the provider's where the bot may not post there, or there is none. */
  async function begin(): Promise<Outcome> {
    const theirs = people?.channel === undefined ? undefined : await post(people.channel);
    const answer = theirs && !hasNoThread(theirs) ? theirs : await post(bot.channel);
    const known = notification.incident && postOf(answer);
    return answer.outcome(apiReading, known && { ...known, ...keptLog(notification) });
  }

  const { post: first, channel } = ref ?? {};
  if (first === undefined || channel === undefined) return begin();
  const edited = await callMattermost(
    send,
    bot,
    'PUT',
    `posts/${encodeURIComponent(first)}/patch`,
    bodyOf(withKeptLog(notification, ref)),
  );
  const edit = edited.outcome(apiReading, ref);
  if (quiet) return isRefusal(edited) ? { is: 'delivered', ...(ref && { ref }) } : edit;
  if (edit.is !== 'delivered' && !isRefusal(edited)) return edit;
  const reply = await post(channel, isLoud(notification) ? undefined : first);
  return hasNoThread(reply) ? begin() : reply.outcome(apiReading, ref);
}

/** The server refuses just this: the first message is gone, too old to be edited, or in a channel that is closed. */
function isRefusal({ status }: Answer): boolean {
  return status === 400 || status === 403 || status === 404 || status === 501;
}

function bodyOf(notification: Notification, call = ''): { readonly message: string; readonly props: object } {
  const { text, attachments } = contentOf(notification, call);
  return { message: text, props: { attachments } };
}

/** Whether the token is one of somebody who is in the channel. */
export async function checkBot(send: Send, bot: Bot): Promise<Outcome> {
  const path = `channels/${encodeURIComponent(bot.channel)}/members/me`;
  return (await callMattermost(send, bot, 'GET', path)).outcome({
    ...apiReading,
    advice: { ...apiReading.advice, 404: 'correct `channel`, or add the bot to it' },
  });
}
