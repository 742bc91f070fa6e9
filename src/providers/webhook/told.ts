import type { Outcome } from '../../model/delivery.ts';
import type { Secret } from '../../model/secret.ts';
import { type WebhookEvent, writeEvent } from '../kit.ts';
import type { Attempt, SendRequest } from '../provider.ts';
import { ownBody } from './body.ts';
import { eventHeaders, ownHeaders } from './event-headers.ts';
import { signatureOf } from './signature.ts';

/** What the body of a request is made by, of the block. */
export type BodyConfig = { readonly body?: string; readonly signingSecret?: Secret };

/** The body of a request with the headers that go with it, and what was wrong with people's own. */
export type ToldBody = Pick<SendRequest, 'headers'> & {
  readonly body: string;
  readonly isOwn: boolean;
  readonly problem?: string;
};

/** What a request says: the body that people want, else Tocsin's own with why. `now`: epoch milliseconds. */
export function toldIn(
  { notification, delivery, config, now }: Pick<Attempt<BodyConfig>, 'notification' | 'delivery' | 'config' | 'now'>,
  withoutLogs = false,
): ToldBody {
  const { event, body } = writeEvent(notification, { delivery, withoutLogs });
  const own = config.body === undefined ? undefined : ownBody(config.body, event);
  const isOwn = own !== undefined && 'body' in own;
  const told = isOwn ? own.body : body;
  return {
    ...{ body: told, isOwn },
    headers: { ...(isOwn ? ownHeaders(event, now) : eventHeaders(event, now)), ...signed(event, told, config, now) },
    ...(own !== undefined && 'problem' in own && { problem: own.problem }),
  };
}

function signed(event: WebhookEvent, body: string, { signingSecret }: BodyConfig, now: number) {
  return signingSecret && { 'webhook-signature': signatureOf(signingSecret, event.id, now, body) };
}

/** An outcome, with what people should know of it. */
export function remarked(outcome: Outcome, { problem }: Pick<ToldBody, 'problem'>): Outcome {
  if (outcome.is !== 'delivered' || problem === undefined) return outcome;
  return { ...outcome, remark: `it was Tocsin's own body, since \`body\` could not be used: ${problem}` };
}
