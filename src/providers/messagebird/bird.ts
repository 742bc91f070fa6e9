import { shortMessage } from '../../message/render/line.ts';
import type { Outcome } from '../../model/delivery.ts';
import type { Secret } from '../../model/secret.ts';
import { bearer, hasKey, notOf, objectOf, openPart, refusal, senderOf, splitPhoneNumbers, tellEach } from '../kit.ts';
import type { Attempt, Reading, Send } from '../provider.ts';

/** Where a key of the new platform belongs: its region is written into it (`bk_us1_…`). Source: npm @messagebird/sdk. */
export function regionOf(accessKey: Secret): string | undefined {
  return openPart(accessKey, /^bk_([a-z]{2}[0-9]{1,2})_/);
}

/** What the new platform needs to know of an attempt. */
type Order = { readonly accessKey: Secret; readonly from: string; readonly to: string };

/** Sends one message to each recipient; a repeat with the same key within a day is not a second message. */
export function sendBird(attempt: Attempt<Order>, region: string): Promise<Outcome> {
  const { notification, delivery, config, send } = attempt;
  const { accessKey, from, to } = config;
  const text = shortMessage(notification);
  return tellEach(attempt, splitPhoneNumbers(to), async (digits) => {
    const answer = await send({
      method: 'POST',
      url: `${platformOf(region)}/v1/sms/messages`,
      headers: { ...bearer(accessKey), 'idempotency-key': `${delivery.attemptKey}-${digits}` },
      json: {
        to: `+${digits}`,
        from: senderName(from),
        text,
        category: 'service',
        options: { smart_encoding: true },
        tags: [{ name: 'source', value: 'tocsin' }],
      },
    });
    return answer.outcome(reading);
  });
}

/** Asks which workspace the key is of. */
export async function checkBird(send: Send, accessKey: Secret, region: string): Promise<Outcome> {
  const url = `${platformOf(region)}/v1/workspace`;
  return (await send({ method: 'GET', url, headers: bearer(accessKey) })).outcome({
    failure: (answer) => (answer.status < 300 && !objectOf(answer.json()) ? notOf(answer, 'Bird') : undefined),
  });
}

const platformOf = (region: string): string => `https://${region}.platform.bird.com`;

/** Numbers go with a plus, short codes and names as they are. */
function senderName(from: string): string {
  const sender = senderOf(from);
  if ('name' in sender) return sender.name;
  return sender.digits.length > 6 ? `+${sender.digits}` : sender.digits;
}

const reading: Reading = {
  failure(answer) {
    if (answer.status < 300) return hasKey(answer, 'id') ? undefined : notOf(answer, 'Bird');
    return answer.status === 402 ? refusal(answer, 'the workspace has no balance left') : undefined;
  },
};
