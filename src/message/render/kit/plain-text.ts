import type { Notification } from '../../../model/notification.ts';
import { beyondTitle } from './beyond-title.ts';
import { labelLine, listLines, nextLines, sourceLine } from './parts.ts';

/** The paragraphs of a message, most important first. */
function paragraphs(notification: Notification): (readonly string[])[] {
  const { title, lead, evidence, impact, excerpt, facts, links, note, cluster, list } = beyondTitle(notification);
  const labels = labelLine(notification);
  return [
    [title],
    [lead],
    note === undefined ? [] : [`(${note})`],
    evidence.map((proof) => `- ${proof}`),
    impact === undefined ? [] : [`Impact: ${impact}`],
    listLines(list).map((line) => `- ${line}`),
    excerpt ? [`${sourceLine(excerpt)}:`, ...excerpt.lines.map((line) => `  ${line}`)] : [],
    nextLines(notification, (text) => text),
    [
      ...(labels === '' ? [] : [labels]),
      ...(cluster === '' ? [] : [`Cluster: ${cluster}`]),
      ...facts.map(({ name, value }) => `${name}: ${value}`),
      ...links.map(({ title: name, url }) => `${name}: ${url}`),
    ],
  ];
}

/** A notification as plain text, paragraphs separated by an empty line. Nothing is escaped: there is no markup. */
export function plainText(notification: Notification): string {
  return joined(paragraphs(notification));
}

/** The same without the title and the cluster, for products that show both apart (`headline`). */
export function plainBody(notification: Notification): string {
  return joined(paragraphs({ ...notification, cluster: '' }).slice(1));
}

function joined(parts: readonly (readonly string[])[]): string {
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
