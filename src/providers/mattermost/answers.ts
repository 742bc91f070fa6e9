import { classes, failureOfCode, misdirected, rejected } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** Codes of the server's `app/webhook.go`, the part that differs. */
const ofWebhooks = classes({
  credential: ['invalid', 'permissions', 'user', 'disabled'].map((part) => `web.incoming_webhook.${part}.app_error`),
  refused: [
    ...['channel', 'channel_locked', 'parse', 'text', 'split_props_length'].map(
      (part) => `web.incoming_webhook.${part}.app_error`,
    ),
    ...['app.channel.get.existing.app_error', 'api.webhook.incoming.error'],
  ],
});
const adviceOfWebhooks: Readonly<Record<string, string>> = {
  'web.incoming_webhook.invalid.app_error': 'the webhook was removed: create another',
  'web.incoming_webhook.disabled.app_error': 'switch incoming webhooks on in the system console',
  'web.incoming_webhook.permissions.app_error': 'the owner of the webhook lost access to its channel: create another',
  'web.incoming_webhook.user.app_error': 'the owner of the webhook is deactivated: create another',
  'web.incoming_webhook.channel.app_error': 'the channel is gone: create a webhook for another',
};

/** Whether the webhook itself is refused. */
export function isNoWebhook(answer: Answer): boolean {
  return ofWebhooks.get(codeOf(answer)) === 'credential';
}

/** What a webhook that lives says of a channel that does not exist, or is not its own. */
const refusesTheChannel: ReadonlySet<string> = new Set([
  'web.incoming_webhook.channel.app_error',
  'web.incoming_webhook.channel_locked.app_error',
]);
/** Whether a webhook lives, that was asked to post to a channel that does not exist. */
export function refusesChannel(answer: Answer): boolean {
  return refusesTheChannel.has(codeOf(answer));
}

/** The code of an error, `''` when the answer is none of Mattermost's. */
function codeOf(answer: Answer): string {
  const { id }: { id?: unknown } = Object(answer.json());
  return typeof id === 'string' ? id : '';
}

/** Seconds until a limit ends, where no `Retry-After` says so. */
const retryAfterMs: Reading['retryAfterMs'] = ({
  headers: { 'retry-after': named, 'x-ratelimit-reset': seconds = '' },
}) => (named === undefined && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined);

/** Answers to a webhook: the word `ok`, or an error. */
export const webhookReading: Reading = {
  failure(answer) {
    if (answer.status === 200 && answer.body.trim() === 'ok') return undefined;
    const code = codeOf(answer);
    if (code !== '') return failureOfCode(answer, code, ofWebhooks, adviceOfWebhooks);
    if (answer.status >= 300) return undefined;
    return misdirected(`HTTP ${answer.status}: the answer is not one of a Mattermost webhook; correct the address`);
  },
  retryAfterMs,
};

/** Codes of `api4/post.go` and `app/post.go`: the statuses say the rest. What the bot may not do is no matter of its token. */
const ofPosts = classes({
  refused: [
    ...['api.context.permissions.app_error', 'app.channel.get.existing.app_error'],
    ...['can_not_post_to_deleted.error', 'town_square_read_only'].map((part) => `api.post.create_post.${part}`),
  ],
});
const adviceOfPosts: Readonly<Record<string, string>> = {
  'api.context.permissions.app_error': 'add the bot to the team and to the channel',
  'app.channel.get.existing.app_error': 'correct `channel`: it is the id that *View Info* of the channel shows',
  'api.post.create_post.can_not_post_to_deleted.error': 'unarchive the channel or choose another',
  'api.context.session_expired.app_error':
    'the token is not valid: create another, and see that personal access tokens and bots are switched on',
};

/** Answers of the API: a post, or an error. */
export const apiReading: Reading = {
  failure(answer) {
    if (answer.status >= 300) {
      const code = codeOf(answer);
      return code === '' ? undefined : failureOfCode(answer, code, ofPosts, adviceOfPosts);
    }
    if (codeOf(answer) !== '' || isMember(answer)) return undefined;
    return rejected(`HTTP ${answer.status}: the answer is not one of Mattermost; correct \`url\``);
  },
  retryAfterMs,
  advice: { 401: 'the token is not valid: create another', 404: 'correct `url` and `channel`' },
};

/** Members of channels have no id of their own. */
function isMember(answer: Answer): boolean {
  const { channel_id: channel }: { channel_id?: unknown } = Object(answer.json());
  return typeof channel === 'string';
}

/** The reply cannot stand below the first message: it is gone, or the bot or its channel is. */
const noThread: ReadonlySet<string> = new Set([
  ...['root_id', 'channel_root_id', 'parent_id'].map((part) => `api.post.create_post.${part}.app_error`),
  ...['api.post.create_post.can_not_post_to_deleted.error', 'app.channel.get.existing.app_error'],
  'api.context.permissions.app_error',
]);
/** Whether there is no thread any more that could be replied in. */
export function hasNoThread(answer: Answer): boolean {
  return noThread.has(codeOf(answer));
}

/** The post that an answer describes. */
export function postOf(answer: Answer): { readonly post: string; readonly channel: string } | undefined {
  const { id, channel_id: channel }: { id?: unknown; channel_id?: unknown } = Object(answer.json());
  return typeof id === 'string' && typeof channel === 'string' ? { post: id, channel } : undefined;
}
