import type { ListedIncident, Notification } from '../../model/notification.ts';
import { describeRef } from '../../model/ref.ts';

function listed({ severity, reason, root, says, affected }: ListedIncident): string {
  const more = affected > 1 ? ` (${affected} affected)` : '';
  return `- [${severity}] ${reason} · ${describeRef(root)}${more}${says === '' ? '' : `: ${says}`}`;
}

/** The paragraphs of a message, most important first. */
function paragraphs(notification: Notification): (readonly string[])[] {
  const { title, lead, evidence, impact, nextStep, excerpt, facts, links, note, cluster, list } = notification;
  const hidden = list ? list.total - list.entries.length : 0;
  return [
    [title],
    [lead],
    note === undefined ? [] : [`(${note})`],
    evidence.map((proof) => `- ${proof}`),
    impact === undefined ? [] : [`Impact: ${impact}`],
    list ? [...list.entries.map(listed), ...(hidden > 0 ? [`- and ${hidden} more`] : [])] : [],
    excerpt
      ? [
          `${excerpt.source.charAt(0).toUpperCase()}${excerpt.source.slice(1)}:`,
          ...excerpt.lines.map((line) => `  ${line}`),
        ]
      : [],
    nextStep ? [`Next${nextStep.changesCluster ? ' (changes the cluster)' : ''}: ${nextStep.command}`] : [],
    [
      ...(cluster === '' ? [] : [`Cluster: ${cluster}`]),
      ...facts.map(({ name, value }) => `${name}: ${value}`),
      ...links.map(({ title: name, url }) => `${name}: ${url}`),
    ],
  ];
}

/** A notification as plain text, paragraphs separated by an empty line. Nothing is escaped: there is no markup. */
export function plainText(notification: Notification): string {
  return paragraphs(notification)
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
