/** One attempt of a type, without a network: what it would send, and how it reads given answers. */
import type { Outcome, Reference } from '../../src/model/delivery.ts';
import type { Notification } from '../../src/model/notification.ts';
import { readAnswer } from '../../src/providers/kit/answer.ts';
import type { Answer, ProviderType, SendRequest } from '../../src/providers/provider.ts';
import { deliveryOf } from './notifications.ts';

/** An answer in short; `200` with an empty body where nothing is scripted. */
export type Scripted = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
};

/** Delivers one notification; `requests` are all that was asked, in order. */
export async function sent<C>(
  type: Pick<ProviderType<C>, 'deliver'>,
  config: C,
  notification: Notification,
  answers: readonly Scripted[] = [],
  ref?: Reference,
): Promise<{ readonly outcome: Outcome; readonly requests: readonly SendRequest[] }> {
  const requests: SendRequest[] = [];
  const outcome = await type.deliver({
    notification,
    delivery: deliveryOf(notification),
    config,
    ...(ref && { ref }),
    now: notification.at,
    mail: { send: () => Promise.reject(new Error('no mail')), check: () => Promise.reject(new Error('no mail')) },
    async send(request) {
      const { status, headers = {}, json } = answers[requests.length] ?? { status: 200 };
      requests.push(request);
      const body = json === undefined ? '' : JSON.stringify(json);
      const answer: Answer = {
        status,
        headers,
        body,
        json: () => json,
        outcome: (reading, kept) => readAnswer(answer, reading, kept),
      };
      return answer;
    },
  });
  return { outcome, requests };
}

/** The requests as `METHOD address`; secret addresses are `***`. */
export function asked(requests: readonly SendRequest[]): readonly string[] {
  return requests.map(({ method, url }) => `${method} ${url}`);
}
