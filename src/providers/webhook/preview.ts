import { plainText } from '../../message/render/kit/plain-text.ts';
import type { Notification } from '../../model/notification.ts';
import { objectOf } from '../kit/block.ts';
import { toldIn } from './told.ts';

/** The body of a request for a notification, indented. `block`: of the AlertProvider. */
function previewBody(notification: Notification, block: unknown): { readonly text: string; readonly problem?: string } {
  const { body: source } = objectOf(block) ?? {};
  const config = typeof source === 'string' ? { body: source } : {};
  const delivery = {
    id: 'preview',
    stream: 'preview',
    act: notification.act,
    sequence: 1,
    attemptKey: 'preview',
    alertKey: 'preview',
  };
  const { body, problem } = toldIn({ notification, delivery, config, now: notification.at });
  return { text: JSON.stringify(JSON.parse(body), undefined, 2), ...(problem !== undefined && { problem }) };
}

/** What an AlertProvider would send, to be read: the body of a webhook, of other types the text without its markup. */
export function previewText(
  notification: Notification,
  spec: { readonly type: string; readonly [block: string]: unknown },
): { readonly text: string; readonly problem?: string } {
  return spec.type === 'webhook' ? previewBody(notification, spec.webhook) : { text: plainText(notification) };
}
