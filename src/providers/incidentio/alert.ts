import { webLinks } from '../../message/render/kit/clip.ts';
import { identityOf } from '../../message/render/kit/details.ts';
import { headline } from '../../message/render/kit/headline.ts';
import { quietText } from '../../message/render/kit/quiet.ts';
import { truncate } from '../../message/render/kit/truncate.ts';
import { markdown } from '../../message/render/markdown.ts';
import { mirroredMarkdown } from '../../message/render/mirrored.ts';
import type { Notification } from '../../model/notification.ts';
import { kindNameOf, nameOf } from '../../model/ref.ts';

/** Field lengths are not published; a body may be 512 KiB. */
export const maxDescriptionBytes = 8_192;
const dialect = mirroredMarkdown(maxDescriptionBytes);
/** Of one value in the metadata; characters. */
const maxValue = 500;
const maxLabels = 30;

/** What an alert event says of a notification: everything but its status and key. */
export function contentOf(notification: Notification): object {
  const { incident } = notification;
  const say = (text: string): string => truncate(quietText(text), maxValue, 'characters');
  const links = new Map(webLinks(notification.links, 8).map(({ title, url }) => [title, new URL(url).href]));
  const labels = Object.entries(incident?.labels ?? {}).slice(0, maxLabels);
  return {
    title: headline(notification, 256, 'characters', quietText),
    description: markdown(notification, dialect, ['title']),
    source_url: links.get('Dashboard'),
    metadata: {
      ...identityOf(notification, { max: maxValue, unit: 'characters', quiet: quietText }),
      ...(incident && { kind: kindNameOf(incident.root), name: say(nameOf(incident.root)) }),
      runbook: links.get('Runbook'),
      labels: Object.fromEntries(labels.map(([key, value]) => [say(key), say(value)])),
    },
  };
}
