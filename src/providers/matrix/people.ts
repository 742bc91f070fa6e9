import { matrixContent } from '../../message/render/matrix.ts';
import type { Notification } from '../../model/notification.ts';
import { callOf, mention, type People } from '../kit.ts';

/** Content that rings nobody, whatever its texts hold. Source: Client-Server API, `m.mentions`. */
export function matrixQuiet(notification: Notification) {
  return { ...matrixContent(notification), 'm.mentions': {} };
}

/** Content that rings those it asks for, and nobody else. */
export function matrixCalling(notification: Notification, people: People | undefined) {
  const content = matrixQuiet(notification);
  const asked = people?.mentions ?? [];
  if (asked.length === 0) return content;
  return {
    ...content,
    body: `${content.body}\n\n${asked.join(' ')}`,
    formatted_body: `${content.formatted_body}<br><br>${callOf(people, mention.matrix)}`,
    'm.mentions': { user_ids: asked },
  };
}
