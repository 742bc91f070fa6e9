import { attachmentMessage } from '../../message/render/attachment.ts';
import type { Outcome } from '../../model/delivery.ts';
import type { Secret } from '../../model/secret.ts';
import { callOf, editUrl, isLoud, mention, readDestination } from '../kit.ts';
import type { Attempt, Send } from '../provider.ts';
import { reading, referenceOf } from './answers.ts';
import { dialect } from './dialect.ts';

/** An incoming webhook: a thread where the server names what it posted. */
export async function tellWebhook(
  { notification, send, ref, people }: Pick<Attempt<unknown>, 'notification' | 'send' | 'ref' | 'people'>,
  webhook: Secret | '',
): Promise<Outcome> {
  const destination = readDestination('webhook', webhook);
  const { url, basic } = destination;
  const thread = ref?.message !== undefined && !isLoud(notification) ? { tmid: ref.message } : {};
  const json = {
    ...attachmentMessage(notification, dialect, { footer: false, call: callOf(people, mention.rocketchat) }),
    ...thread,
    parseUrls: false,
    separateResponse: true,
  };
  const answer = await send({ method: 'POST', url, ...(basic && { basic }), json });
  return answer.outcome(reading, ref ?? (notification.incident && referenceOf(answer)));
}

/** Whether a webhook lives. */
export async function checkWebhook(send: Send, webhook: Secret | ''): Promise<Outcome> {
  const destination = readDestination('webhook', webhook);
  const { url, basic } = destination;
  const info = editUrl(url, (address) => {
    address.pathname = address.pathname.replace(/\/hooks\//, '/hooks/info/');
  });
  return (await send({ method: 'GET', url: info, ...(basic && { basic }) })).outcome(reading);
}
