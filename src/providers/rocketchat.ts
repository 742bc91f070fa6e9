import { attachmentMessage } from '../message/render/attachment.ts';
import { type Dialect, githubMarkdown } from '../message/render/markdown.ts';
import type { Outcome, Reference } from '../model/delivery.ts';
import {
  classes,
  defineProvider,
  editUrl,
  failureOfCode,
  hasKey,
  isLoud,
  notOf,
  readDestination,
  secret,
} from './kit.ts';
import type { Answer, Reading } from './provider.ts';

/** Old parsers know no escapes: what would be markup is written with a sign that looks like it, or taken apart. */
const dialect: Dialect = {
  ...githubMarkdown,
  max: 4_000,
  unit: 'characters',
  bold: '*',
  fence: 'three',
  linksNames: true,
  // A bracket opens a link whose name goes on to wherever the next one ends, beyond lines and fences.
  escapes: { '*': '∗', '~': '∼', '`': "'", '[': '(', ']': ')' },
  silence: /<(?=[!@#\w])|\|(?=\|)|:(?=[\w+-]+:)/g,
};

/** The integration is looked up before anything else; its status differs between versions. */
const noIntegration = 'Invalid integration id or token provided.';
const known = classes({ credential: [noIntegration], refused: ['no success'] });
const advice: Readonly<Record<string, string>> = {
  [noIntegration]: 'the webhook was removed, or its token changed: copy its address again',
};

const reading: Reading = {
  failure(answer) {
    const { success, error, responses } = bodyOf(answer);
    const words = typeof error === 'string' ? error : '';
    if (words.includes('error-too-many-requests')) return { is: 'rateLimited', afterMs: waitMs(answer) ?? 60_000 };
    if (answer.status >= 300) return failureOfCode(answer, words, known, advice);
    if (!hasKey(answer, 'success')) return notOf(answer, 'Rocket.Chat', 'correct the address of the webhook');
    if (success !== true) return failureOfCode(answer, 'no success', known, advice);
    const failed = responses.find((each) => typeof each.error === 'string');
    if (!failed) return undefined;
    const reason = `not posted to ${String(failed.channel)}: ${String(failed.error)}`;
    return { is: 'permanent', reason, credential: false, code: 'Rejected' };
  },
  retryAfterMs: waitMs,
};

/** `must wait 52 seconds`, else the instant of the limit's reset by the clock of the server itself. */
function waitMs({ body, headers: { 'x-ratelimit-reset': reset = '', date = '' } }: Answer): number | undefined {
  const seconds = /must wait (\d+) seconds/.exec(body)?.[1];
  if (seconds !== undefined) return Math.min(Number(seconds), 900) * 1000;
  const wait = Number(reset) - Date.parse(date);
  return reset === '' || Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 1000), 900_000);
}

type Said = { readonly success?: unknown; readonly error?: unknown; readonly responses: readonly Posted[] };
type Posted = { readonly channel?: unknown; readonly error?: unknown; readonly message?: { readonly _id?: unknown } };
function bodyOf(answer: Answer): Said {
  const { success, error, responses }: { success?: unknown; error?: unknown; responses?: unknown } = Object(
    answer.json(),
  );
  return { success, error, responses: Array.isArray(responses) ? responses.map((each): Posted => Object(each)) : [] };
}

/** Rocket.Chat incoming webhooks. Source: Rocket.Chat server, integrations/server/api and processWebhookMessage. */
export const rocketchat = defineProvider({
  type: 'rocketchat',
  product: 'Rocket.Chat',
  family: 'chat',
  plain: 'native',
  description: 'Posts to a Rocket.Chat channel through an incoming webhook.',
  acts: 'each incident is one thread where the server names the message it posted, else every act is a new message',
  notes: [
    'In Rocket.Chat, *Workspace* → *Integrations* → *New* → *Incoming*, enable it, choose the channel and a user who is in it, and put the *Webhook URL* (`https://<server>/hooks/…`) into a Secret.',
    'What changes is told in the thread of the first message; a relapse, and an incident that gets worse, are new messages in the channel.',
    'A script of the integration sees the message first and may change it. When it returns nothing, nothing is posted although the server says that all is well.',
    'An integration that is disabled answers with status 503, like a server that is overloaded, so deliveries wait for it.',
    'The rate limiter of the server counts webhooks too: 10 calls a minute unless an administrator sets another number.',
    'Texts of the cluster mention nobody and make no links.',
  ],
  sample: { webhook: { secretKeyRef: { name: 'rocketchat', key: 'webhook' } } },
  fields: {
    webhook: secret({ required: true, holds: 'url', description: 'Address of the incoming webhook.' }),
  },
  limits: { text: { characters: 1_000 }, attachment: { characters: dialect.max } },
  pacing: { perSecond: 0.15, burst: 8 }, // the server's limiter: 10 calls in 60 s

  async deliver({ notification, config, send, ref }): Promise<Outcome> {
    const destination = readDestination('webhook', config.webhook);
    if ('refused' in destination) return destination.refused;
    const { url, basic } = destination;
    const thread = ref?.message !== undefined && !isLoud(notification) ? { tmid: ref.message } : {};
    const json = {
      alias: 'Tocsin',
      ...attachmentMessage(notification, dialect, { footer: false }),
      ...thread,
      parseUrls: false,
      separateResponse: true,
    };
    const answer = await send({ method: 'POST', url, ...(basic && { basic }), json });
    return answer.outcome(reading, ref ?? (notification.incident && referenceOf(answer)));
  },

  async check({ config, send }): Promise<Outcome> {
    const destination = readDestination('webhook', config.webhook);
    if ('refused' in destination) return destination.refused;
    const { url, basic } = destination;
    const info = editUrl(url, (address) => {
      address.pathname = address.pathname.replace(/\/hooks\//, '/hooks/info/');
    });
    return (await send({ method: 'GET', url: info, ...(basic && { basic }) })).outcome(reading);
  },
});

/** The message a thread begins with, where the server is recent enough to name it. */
function referenceOf(answer: Answer): Reference | undefined {
  const [first] = bodyOf(answer).responses;
  const { _id: message }: { _id?: unknown } = Object(first?.message);
  return typeof message === 'string' ? { message } : undefined;
}
