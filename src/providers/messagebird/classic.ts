import { shortMessage } from '../../message/render/line.ts';
import type { Outcome } from '../../model/delivery.ts';
import type { Notification } from '../../model/notification.ts';
import type { Secret } from '../../model/secret.ts';
import { authorization, notOf, objectOf, refusal, senderOf, splitPhoneNumbers, wrongCredential } from '../kit.ts';
import type { Answer, Reading, Send } from '../provider.ts';

/** What every call of the SMS API of MessageBird needs; keys of the new platform do not work there. */
type Call = { readonly accessKey: Secret; readonly send: Send };
/** One message to all recipients. `reference` comes back in reports. */
type Order = { readonly from: string; readonly to: string; readonly reference: string };

/** An alert that waited longer in a queue is no news; seconds. */
const validitySeconds = 14_400;

/** Sends one message to all recipients. Source: messagebird/openapi-specs sms, messagebird/messagebird-nodejs. */
export async function sendClassic(
  { accessKey, send }: Call,
  notification: Notification,
  { from, to, reference }: Order,
): Promise<Outcome> {
  const sender = senderOf(from);
  const answer = await send({
    method: 'POST',
    url: 'https://rest.messagebird.com/messages',
    headers: { ...authorization('AccessKey', accessKey), accept: 'application/json' },
    json: {
      originator: 'digits' in sender ? sender.digits : sender.name,
      recipients: splitPhoneNumbers(to),
      body: shortMessage(notification),
      type: 'sms',
      datacoding: 'auto',
      validity: validitySeconds,
      reference,
    },
  });
  return answer.outcome(reading);
}

/** Asks for the balance of the account. */
export async function checkClassic({ accessKey, send }: Call): Promise<Outcome> {
  const url = 'https://rest.messagebird.com/balance';
  const answer = await send({ method: 'GET', url, headers: authorization('AccessKey', accessKey) });
  const { amount, payment } = objectOf(answer.json()) ?? {};
  if (answer.status !== 200 || typeof amount !== 'number') return answer.outcome(reading);
  const empty = payment === 'prepaid' && amount <= 0;
  return empty ? refusal(answer, advice[25], '') : { is: 'delivered' };
}

/** Codes of errors: what to do about those that people can mend. */
const advice: Readonly<Record<number, string>> = {
  9: 'correct `to`; during the test period it may be your own number only',
  25: 'the account has no balance left',
};
const wrongKey = 2;
const internalError = 99;

const reading: Reading = {
  failure(answer) {
    const body = objectOf(answer.json());
    if (answer.status < 300) return body?.id === undefined ? notOf(answer, 'MessageBird') : unsent(answer, body);
    const [first]: readonly unknown[] = Array.isArray(body?.errors) ? body.errors : [];
    const { code, description } = objectOf(first) ?? {};
    if (typeof code !== 'number') return undefined;
    const said = typeof description === 'string' ? `error ${code}, ${description}` : `error ${code}`;
    if (code === wrongKey) return wrongCredential(answer, 'check `accessKey`; it may be one of another platform');
    if (code === internalError) return { is: 'retryable', reason: said, code: 'ServerError', mayHaveArrived: true };
    return answer.status < 500 && answer.status !== 429 ? refusal(answer, advice[code], said) : undefined;
  },
};

/** Of the recipients of a message, those to whom it goes no further. */
const lost: ReadonlySet<unknown> = new Set(['delivery_failed', 'expired']);

/** It was taken, but not for every recipient. The counts that come with it tell only how far the message has got. */
function unsent(answer: Answer, body: Readonly<Record<string, unknown>>): ReturnType<typeof refusal> | undefined {
  const { items } = objectOf(body.recipients) ?? {};
  const all = Array.isArray(items) ? items.map((item) => objectOf(item)) : [];
  const left = all.filter((item) => lost.has(item?.status)).map((item) => String(item?.recipient));
  if (left.length === 0) return undefined;
  const outcome = refusal(answer, 'correct `to`', `not sent to ${left.join(', ')}`);
  return { ...outcome, ...(left.length < all.length && { mayHaveArrived: true }) };
}
