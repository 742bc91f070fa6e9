import type { Reference } from '../../model/delivery.ts';
import type { Secret } from '../../model/secret.ts';
import { endpoint } from '../kit.ts';
import { type Answer, type Attempt, TransportError } from '../provider.ts';
import { bodyOf, reading } from './answers.ts';

type Config = { readonly url: string; readonly email: string; readonly token: Secret };

/** A call of the API by its path, with a form. */
export type Call = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  form?: Readonly<Record<string, string>>,
) => Promise<Answer>;
/** Calls of the API as the bot. People paste the address with the path of the API. */
export function callerOf({ config: { url, email, token }, send }: Pick<Attempt<Config>, 'config' | 'send'>): Call {
  const base = url.replace(/\/api(?:\/v1)?\/*$/, '');
  return (method, path, form) => {
    const [name = '', query] = path.split('?');
    const address = endpoint(base, `api/v1/${name}`);
    address.search = query ?? '';
    return send({ method, url: address, basic: { username: email, password: token }, ...(form && { form }) });
  };
}

/** Where the first message is by now: people rename topics and resolve them. `undefined` when it is gone or cannot be read. */
export async function currentTopic(call: Call, ref: Reference | undefined): Promise<string | undefined> {
  if (ref?.id === undefined) return undefined;
  const { message } = bodyOf(await call('GET', `messages/${ref.id}`));
  const { subject }: { subject?: unknown } = Object(message);
  return typeof subject === 'string' ? subject : undefined;
}

/** Moves a whole topic without a word in it. What is told counts: a bot that may not, or no answer, is no failure. */
export async function moveTopic(call: Call, id: string, topic: string): Promise<boolean> {
  const quiet = { send_notification_to_old_thread: 'false', send_notification_to_new_thread: 'false' };
  try {
    const answer = await call('PATCH', `messages/${id}`, { topic, propagate_mode: 'change_all', ...quiet });
    return answer.outcome(reading).is === 'delivered';
  } catch (error) {
    if (error instanceof TransportError) return false;
    throw error;
  }
}
