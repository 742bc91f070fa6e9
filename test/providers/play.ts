/** A type played against answers that are written down, without a network: for what takes several calls. */
import assert from 'node:assert/strict';
import type { Outcome, Reference } from '../../src/model/delivery.ts';
import type { Notification } from '../../src/model/notification.ts';
import { openSecret, Secret } from '../../src/model/secret.ts';
import { readAnswer } from '../../src/providers/kit/answer.ts';
import { type Answer, type ProviderType, type Send, TransportError } from '../../src/providers/provider.ts';
import { deliveryOf } from './notifications.ts';

/** What to answer; `lost`: no answer comes, though the request went out. */
export type Scripted = { readonly status?: number; readonly json?: unknown } | 'lost';
/** A request as the type described it. */
export type Asked = {
  readonly method: string;
  readonly address: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** Delivers once; `answers` in turn, the last of them again and again. */
export async function play<C>(
  type: ProviderType<C>,
  {
    config,
    notification,
    ref,
    answers,
  }: {
    readonly config: C;
    readonly notification: Notification;
    readonly ref?: Reference;
    readonly answers: readonly Scripted[];
  },
): Promise<{ readonly outcome: Outcome; readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const outcome = await type.deliver({
    notification,
    delivery: deliveryOf(notification),
    config,
    ...(ref && { ref }),
    now: notification.at,
    mail: { send: () => assert.fail('mail'), check: () => assert.fail('mail') },
    send: scripted(answers, asked),
  });
  return { outcome, asked };
}

/** Answers requests in turn, and writes down what was asked; the last answer again and again. */
export function scripted(answers: readonly Scripted[], asked: Asked[]): Send {
  return async ({ method, url, json, form }) => {
    const answer = answers[asked.length] ?? answers.at(-1) ?? {};
    const address = url instanceof Secret ? openSecret(url) : String(url);
    asked.push({ method, address, body: Object(json ?? form) });
    if (answer === 'lost') throw new TransportError('Timeout', 'no answer', true);
    const body = JSON.stringify(answer.json ?? {});
    const read: Answer = {
      status: answer.status ?? 200,
      headers: {},
      body,
      json: () => JSON.parse(body),
      outcome: (reading, kept) => readAnswer(read, reading, kept),
    };
    return read;
  };
}
