import { matrixContent } from '../../message/render/matrix.ts';
import type { Notification } from '../../model/notification.ts';
import { askedBy, type Button } from '../../model/press.ts';
import { callOf, mention, type People } from '../kit.ts';

/** Where an event says what a reaction or a reply to it presses. */
export const buttonsKey = 'dev.tocsin.buttons';

/** Content that rings nobody, whatever its texts hold, and says what can be done from it. Source: Client-Server API, `m.mentions`. */
export function matrixQuiet(notification: Notification, buttons: readonly Button[] = []) {
  const content = { ...matrixContent(notification), 'm.mentions': {} };
  if (buttons.length === 0) return content;
  const way = wayOf(buttons);
  return {
    ...content,
    body: `${content.body}\n\n${way}`,
    formatted_body: `${content.formatted_body}<br><br><em>${way}</em>`,
    [buttonsKey]: buttons.map(({ carries }) => carries),
  };
}

/** Content that rings those it asks for, and nobody else. */
export function matrixCalling(notification: Notification, people?: People, buttons: readonly Button[] = []) {
  const content = matrixQuiet(notification, buttons);
  const asked = people?.mentions ?? [];
  if (asked.length === 0) return content;
  return {
    ...content,
    body: `${content.body}\n\n${asked.join(' ')}`,
    formatted_body: `${content.formatted_body}<br><br>${callOf(people, mention.matrix)}`,
    'm.mentions': { user_ids: asked },
  };
}

/** What to do, since clients show no buttons. */
function wayOf(buttons: readonly Button[]): string {
  const isFree = buttons.some((button) => askedBy(button)?.act === 'acknowledge');
  return isFree
    ? 'React 👍 to acknowledge, 🔕 to silence for an hour; or reply: ack, silence 2h.'
    : 'React 🔕 to silence for an hour; or reply: silence 2h.';
}
