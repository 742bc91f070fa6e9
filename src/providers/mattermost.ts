import { attachmentMessage } from '../message/render/attachment.ts';
import { stateOf } from '../message/render/kit/state.ts';
import { backslashed, type Dialect, githubMarkdown } from '../message/render/markdown.ts';
import type { Outcome } from '../model/delivery.ts';
import { callOf, classes, defineProvider, failureOfCode, mention, readDestination, secret } from './kit.ts';
import type { Answer, Reading } from './provider.ts';

/** Posts hold 16,383 characters, 4,000 on old servers; a box of this length is folded to its first lines anyway. */
const dialect: Dialect = {
  ...githubMarkdown,
  max: 8_000,
  unit: 'characters',
  // The server turns <!channel>, <@id> and <url|text> into mentions and links before it reads any Markdown.
  escapes: { ...backslashed('\\`*_>~|'), '<': '&lt;' },
  silence: /~(?=\w)|:(?=[\w+-]+:)/g,
  silenceInCode: /<(?=[!@])/g,
};

/** Codes of the server's `app/webhook.go`, the part that differs. */
const known = classes({
  credential: ['invalid', 'permissions', 'user', 'disabled'].map((part) => `web.incoming_webhook.${part}.app_error`),
  refused: [
    ...['channel', 'channel_locked', 'parse', 'text', 'split_props_length'].map(
      (part) => `web.incoming_webhook.${part}.app_error`,
    ),
    ...['app.channel.get.existing.app_error', 'api.webhook.incoming.error'],
  ],
});
const advice: Readonly<Record<string, string>> = {
  'web.incoming_webhook.invalid.app_error': 'the webhook was removed: create another',
  'web.incoming_webhook.disabled.app_error': 'switch incoming webhooks on in the system console',
  'web.incoming_webhook.permissions.app_error': 'the owner of the webhook lost access to its channel: create another',
  'web.incoming_webhook.user.app_error': 'the owner of the webhook is deactivated: create another',
  'web.incoming_webhook.channel.app_error': 'the channel is gone: create a webhook for another',
};

const reading: Reading = {
  failure(answer) {
    if (answer.status === 200 && answer.body.trim() === 'ok') return undefined;
    const code = codeOf(answer);
    if (code !== '') return failureOfCode(answer, code, known, advice);
    if (answer.status >= 300) return undefined;
    const reason = `HTTP ${answer.status}: the answer is not one of a Mattermost webhook; correct the address`;
    return { is: 'permanent', reason, credential: true, code: 'Rejected' };
  },
  retryAfterMs({ headers: { 'retry-after': named, 'x-ratelimit-reset': seconds = '' } }) {
    return named === undefined && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
  },
};

/** The code of an error, `''` when the answer is none of Mattermost's. */
function codeOf(answer: Answer): string {
  const { id }: { id?: unknown } = Object(answer.json());
  return typeof id === 'string' ? id : '';
}

/** No channel has this name: a webhook that lives answers that it does not exist, and nothing is posted. */
const noChannel = 'no-channel-only-a-check-by-tocsin-7c41d09e52ab4f86';

/** Mattermost incoming webhooks. Source: developers.mattermost.com (incoming webhooks, message attachments), server app/webhook.go. */
export const mattermost = defineProvider({
  type: 'mattermost',
  product: 'Mattermost',
  family: 'chat',
  plain: 'native',
  description: 'Posts to a Mattermost channel through an incoming webhook.',
  behaviour: 'every act is a new message: a webhook can neither edit nor reply',
  supports: [],
  credentials: [
    'In Mattermost, *Integrations* → *Incoming Webhooks* → *Add*, choose the channel, and put the address (`https://<server>/hooks/…`) into a Secret. The system console must allow incoming webhooks.',
  ],
  notes: [
    'The name *Tocsin* is shown where the system console lets integrations override usernames.',
    'Critical incidents are marked as urgent where the server has message priority.',
    'A webhook ends when its owner is deactivated or leaves the channel: let an account own it that stays.',
    'Texts of the cluster are escaped: they mention nobody and make no links.',
  ],
  sample: { webhook: { secretKeyRef: { name: 'mattermost', key: 'webhook' } } },
  fields: {
    webhook: secret({ required: true, holds: 'url', description: 'Address of the incoming webhook.' }),
  },
  reaches: { mentions: mention.mattermost },
  limits: { text: { characters: 4_000 }, attachment: { characters: dialect.max } },
  pacing: { perSecond: 1, burst: 10 }, // servers that limit at all allow 10 a second

  async deliver({ notification, config, send, people }): Promise<Outcome> {
    const destination = readDestination('webhook', config.webhook);
    if ('refused' in destination) return destination.refused;
    const { url, basic } = destination;
    const told = attachmentMessage(notification, dialect, { footer: true, call: callOf(people, mention.mattermost) });
    const json = { username: 'Tocsin', ...told };
    const post = (message: object): Promise<Answer> =>
      send({ method: 'POST', url, ...(basic && { basic }), json: message });
    const urgent = stateOf(notification) === 'critical' &&
      notification.incident && { priority: { priority: 'urgent' } };
    const first = await post({ ...json, ...urgent });
    // Servers without message priority may refuse it; the message is worth more.
    const answer =
      urgent && first.status === 400 && known.get(codeOf(first)) !== 'credential' ? await post(json) : first;
    return answer.outcome(reading);
  },

  async check({ config, send }): Promise<Outcome> {
    const destination = readDestination('webhook', config.webhook);
    if ('refused' in destination) return destination.refused;
    const { url, basic } = destination;
    const json = { text: 'tocsin check', channel: noChannel };
    const answer = await send({ method: 'POST', url, ...(basic && { basic }), json });
    return refusesTheChannel.has(codeOf(answer)) ? { is: 'delivered' } : answer.outcome(reading);
  },
});

/** What a webhook that lives says of a channel that does not exist, or is not its own. */
const refusesTheChannel: ReadonlySet<string> = new Set([
  'web.incoming_webhook.channel.app_error',
  'web.incoming_webhook.channel_locked.app_error',
]);
