/** Every provider type without a network: what it sends to a product that answers as a well one does. */
import assert from 'node:assert/strict';
import type { Notification } from '../../src/model/notification.ts';
import { openSecret, Secret } from '../../src/model/secret.ts';
import { readAnswer } from '../../src/providers/kit/answer.ts';
import { joinConfig, splitConfig } from '../../src/providers/kit/config.ts';
import type { AnyProvider } from '../../src/providers/kit/define.ts';
import type { Answer, MailMessage, SendRequest } from '../../src/providers/provider.ts';
import { providers } from '../../src/providers/registry.ts';
import { type Mode, readCaseFile } from './conformance/case-file.ts';
import { deliveryOf } from './notifications.ts';
import type { Call } from './oracles/calls.ts';

/** A type in one of its modes, with its settings as a delivery has them. */
export type Product = {
  readonly definition: AnyProvider;
  readonly mode: Mode;
  readonly config: Readonly<Record<string, unknown>>;
};

/** Every type in so many of its modes, in all unless said. */
export const productsOf = (modes?: number): readonly Product[] =>
  providers.flatMap((definition) =>
    [...readCaseFile(definition.type).modes.values()].slice(0, modes).map((mode) => {
      const secrets = new Map(Object.entries(mode.secrets).map(([path, value]) => [path, new Secret(value)]));
      return { definition, mode, config: joinConfig(definition, splitConfig(definition, mode.block).config, secrets) };
    }),
  );

const opened = (value: unknown): string => (value instanceof Secret ? openSecret(value) : String(value));

/** A request as it goes out, read again as its reader does. */
function callOf({ method, url, headers = {}, json, form, body = '' }: SendRequest): Call {
  const payload =
    json ?? (form && Object.fromEntries(Object.entries(form).map(([name, text]) => [name, opened(text)])));
  const text = payload === undefined ? String(body) : JSON.stringify(payload);
  const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), opened(value)] as const);
  return {
    ...{ title: 'hostile', method, url: new URL(opened(url)), headers: Object.fromEntries(names) },
    ...{ body: text, parsed: parsedOf(text, Object.fromEntries(names)['content-type']) },
  };
}

function parsedOf(text: string, type = ''): unknown {
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function mailOf(message: MailMessage): Call {
  const body = JSON.stringify(message);
  return {
    title: 'hostile',
    method: 'MAIL',
    url: new URL('smtp://smtp.example.com/'),
    headers: {},
    body,
    parsed: message,
  };
}

/** Everything that a product gets for a message; it answers as a well one does. */
export async function sentTo(
  { definition, mode, config }: Product,
  notification: Notification,
): Promise<readonly Call[]> {
  const arrived: Call[] = [];
  const send = async (request: SendRequest): Promise<Answer> => {
    const call = callOf(request);
    arrived.push(call);
    const line = `${call.method} ${call.url.host}${call.url.pathname}${call.url.search}`;
    const row = mode.well.find(({ match }) => match === undefined || line.includes(match)) ?? mode.well[0];
    const answer: Answer = {
      ...{ status: row?.status ?? 200, headers: row?.headers ?? {}, body: JSON.stringify(row?.json) ?? '' },
      json: () => row?.json,
      outcome: (reading, ref) => readAnswer(answer, reading, ref),
    };
    return answer;
  };
  const mail = {
    send: async (_: unknown, message: MailMessage) => {
      arrived.push(mailOf(message));
      return { outcome: { is: 'delivered' } as const, waiting: [] };
    },
    check: () => assert.fail('no check'),
  };
  await definition.deliver({
    ...{ notification, delivery: deliveryOf(notification), config, now: notification.at, mail, send },
  });
  return arrived;
}
