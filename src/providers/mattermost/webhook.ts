import type { Outcome } from '../../model/delivery.ts';
import type { Secret } from '../../model/secret.ts';
import { callOf, mention, readDestination } from '../kit.ts';
import type { Attempt, Send } from '../provider.ts';
import { isNoWebhook, refusesChannel, webhookReading } from './answers.ts';
import { contentOf, sayUrgently } from './content.ts';

/** No channel has this name: a webhook that lives answers that it does not exist, and nothing is posted. */
const noChannel = 'no-channel-only-a-check-by-tocsin-7c41d09e52ab4f86';

/** An incoming webhook: there is nothing to find a message again by. */
export async function tellWebhook(
  { notification, send, people }: Pick<Attempt<unknown>, 'notification' | 'send' | 'people'>,
  webhook: Secret | '',
): Promise<Outcome> {
  const destination = readDestination('webhook', webhook);
  const { url, basic } = destination;
  const json = { username: 'Tocsin', ...contentOf(notification, callOf(people, mention.mattermost)) };
  const answer = await sayUrgently(
    notification,
    { mayBeUrgent: true, refused: (first) => first.status === 400 && !isNoWebhook(first) },
    (priority) =>
      send({ method: 'POST', url, ...(basic && { basic }), json: { ...json, ...(priority && { priority }) } }),
  );
  return answer.outcome(webhookReading);
}

/** Whether a webhook lives. */
export async function checkWebhook(send: Send, webhook: Secret | ''): Promise<Outcome> {
  const destination = readDestination('webhook', webhook);
  const { url, basic } = destination;
  const json = { text: 'tocsin check', channel: noChannel };
  const answer = await send({ method: 'POST', url, ...(basic && { basic }), json });
  return refusesChannel(answer) ? { is: 'delivered' } : answer.outcome(webhookReading);
}
