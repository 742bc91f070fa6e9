import { fitted } from '../../message/render/kit/fitted.ts';
import { lengthIn } from '../../message/render/kit/truncate.ts';
import { backslashed, type Dialect, githubMarkdown, markdown } from '../../message/render/markdown.ts';
import type { Notification } from '../../model/notification.ts';
import type { Secret } from '../../model/secret.ts';
import { bearer } from '../kit.ts';
import type { Answer, Reading, Send } from '../provider.ts';

/** Markdown and text hold 7,439 bytes each. */
const maxBytes = 7_000;
const dialect: Dialect = {
  ...githubMarkdown,
  max: maxBytes,
  unit: 'bytes',
  fence: 'three',
  linksNames: true,
  names: ['`', '`'],
  // A few HTML tags are taken for such, and <@…> for a mention.
  escapes: { ...backslashed('\\`*_~|>'), '<': '&lt;', '&': '&amp;' },
  silenceInCode: /<(?=@)/g,
};

/** What answers mean. */
export const reading: Reading = {
  errors: { 423: 'retryable' },
  retryAfterMs({ status, headers: { 'retry-after': asked = '' } }) {
    if (status !== 429) return undefined;
    return /^\d+$/.test(asked) ? Math.max(Number(asked), 1) * 1000 : 15_000;
  },
  advice: {
    401: 'the token is wrong or has expired: personal ones live for 12 hours, those of bots do not expire',
    403: 'the bot may not post there: a moderator of the space must allow it',
    404: 'correct `roomId` or `toPersonEmail`, and add the bot to the space',
  },
};

/** A call of the API by its path. */
export type Call = (method: 'GET' | 'POST' | 'PUT', path: string, json?: unknown) => Promise<Answer>;
/** Calls of the API by the bot. */
export function callerOf(send: Send, token: Secret): Call {
  return (method, path, json) =>
    send({
      method,
      url: `https://webexapis.com/v1/${path}`,
      headers: { ...bearer(token), ...(json !== undefined && { 'content-type': 'application/json; charset=utf-8' }) },
      ...(json !== undefined && { json }),
    });
}

/** What a message says: `text` is what notifications and old clients show. `call`: whom it rings, in Markdown. */
export function contentOf(notification: Notification, call = ''): { readonly markdown: string; readonly text: string } {
  const tail = call === '' ? '' : `\n\n${call}`;
  const max = maxBytes - lengthIn('bytes', tail);
  return {
    markdown: `${markdown(notification, { ...dialect, max })}${tail}`,
    text: fitted(notification, { max: maxBytes, unit: 'bytes' }),
  };
}
