import { classes, failureOfCode } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** Error codes of the Web API and the plain words of incoming webhooks. */
const known = classes({
  retryable: [
    ...['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org'],
    ...['update_failed', 'external_channel_migrating', 'rollup_error'],
  ],
  // A free workspace at its cap takes messages again later.
  rateLimited: ['ratelimited', 'rate_limited', 'message_limit_exceeded'],
  credential: [
    ...['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired', 'missing_scope'],
    ...['not_allowed_token_type', 'org_login_required', 'ekm_access_denied', 'access_denied', 'accesslimited'],
    ...['invalid_token', 'no_service', 'no_active_hooks', 'no_team'],
  ],
  refused: [
    ...['channel_not_found', 'not_in_channel', 'is_archived', 'channel_is_archived', 'messages_tab_disabled'],
    ...['restricted_action', 'restricted_action_read_only_channel', 'team_not_found', 'user_not_found'],
    ...['action_prohibited', 'posting_to_general_channel_denied', 'invalid_payload', 'invalid_blocks'],
    ...['invalid_blocks_format', 'invalid_attachments', 'msg_blocks_too_long', 'msg_too_long', 'no_text'],
    ...['too_many_attachments', 'invalid_json', 'invalid_charset', 'attachment_payload_limit_exceeded'],
  ],
});

/** What to do about the commonest. */
const advice: Readonly<Record<string, string>> = {
  channel_not_found: 'correct `channel`, best by its id, or invite the bot to the private channel',
  not_in_channel: 'invite the bot to the channel',
  missing_scope: 'give the app the scope chat:write and install it again',
  no_service: 'the webhook was removed: create another',
  is_archived: 'unarchive the channel or choose another',
};

/** What is wrong with the content itself: a plain text may still go. */
export const contentErrors: ReadonlySet<string> = new Set([
  ...['invalid_blocks', 'invalid_blocks_format', 'invalid_attachments', 'msg_blocks_too_long', 'msg_too_long'],
  ...['no_text', 'too_many_attachments', 'invalid_json', 'invalid_charset', 'attachment_payload_limit_exceeded'],
]);
/** The message to edit is gone, too old, somebody else's, or in a channel that is: another one may be configured by now. */
export const editErrors: ReadonlySet<string> = new Set([
  ...['message_not_found', 'cant_update_message', 'edit_window_closed', 'is_inactive', 'block_mismatch'],
  ...['channel_not_found', 'not_in_channel', 'is_archived'],
]);
/** The channel is not one that the bot may post to. */
export const channelErrors: ReadonlySet<string> = new Set([
  ...['channel_not_found', 'not_in_channel', 'is_archived', 'channel_is_archived', 'restricted_action'],
  ...['restricted_action_read_only_channel', 'posting_to_general_channel_denied', 'action_prohibited'],
]);
/** The thread takes no reply. */
export const threadErrors: ReadonlySet<string> = new Set([
  ...['cannot_reply_to_message', 'restricted_action_thread_locked', 'restricted_action_non_threadable_channel'],
]);

/** What an answer of the Web API says of itself. */
type ApiAnswer = { readonly ok?: unknown; readonly error?: unknown; readonly channel?: unknown; readonly ts?: unknown };
/** The body of an answer of the Web API; empty when it is none. */
export function apiAnswer(answer: Answer): ApiAnswer {
  return Object(answer.json());
}

/** The error code in an answer, `''` when there is none: the Web API fails with status 200, webhooks with plain words. */
export function errorCode(answer: Answer): string {
  const { error } = apiAnswer(answer);
  if (typeof error === 'string') return error;
  const words = answer.body.trim();
  return /^[a-z_]{2,60}$/.test(words) && words !== 'ok' ? words : '';
}

/** Status 200 alone says nothing: the Web API must answer `"ok": true`, a webhook the word `ok`. */
export const reading: Reading = {
  failure(answer) {
    if (answer.status < 300 && (answer.body.trim() === 'ok' || apiAnswer(answer).ok === true)) return undefined;
    const code = errorCode(answer);
    if (answer.status >= 300 && code === '') return undefined;
    return failureOfCode(answer, code === '' ? 'the answer is not one of Slack' : code, known, advice);
  },
};
