import { count } from '../../message/parts/words.ts';
import { nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import type { Difference, Message } from './messages.ts';

/** How many messages there were, how many there would have been, and each that is different. */
export type Comparison = {
  readonly before: number;
  readonly after: number;
  readonly differences: readonly Difference[];
};

const headings: readonly (readonly [Difference['is'], string])[] = [
  ['gone', 'Not sent any more'],
  ['new', 'Sent besides'],
  ['changed', 'In other words'],
  ['moved', 'At another time'],
];

/** For people. */
export function comparisonText({ before, after, differences }: Comparison): string {
  const sentence = `${count(before, 'message')} as it was, ${after} with these settings (times are UTC).`;
  if (differences.length === 0) return `${sentence} All of them are the same to the byte.\n`;
  const parts = headings.flatMap(([is, heading]) => {
    const those = differences.filter((one) => one.is === is);
    return those.length === 0 ? [] : [[`${heading} (${those.length})`, ...those.flatMap(linesOf)].join('\n')];
  });
  return `${[sentence, ...parts].join('\n\n')}\n`;
}

/** For programs: each difference with both messages whole. */
export function comparisonJson({ before, after, differences }: Comparison): string {
  return `${JSON.stringify({ messages: { before, after }, differences: differences.map(bare) }, undefined, 2)}\n`;
}

function bare(difference: Difference): object {
  const [before, after] = [
    'before' in difference ? difference.before : null,
    'after' in difference ? difference.after : null,
  ];
  const one = after ?? before;
  return { is: difference.is, provider: one?.provider, act: one?.act, before: whole(before), after: whole(after) };
}

const whole = (message: Message | null): object | null =>
  message && { sentAt: new Date(message.at).toISOString(), ...message.notification };

function linesOf(difference: Difference): readonly string[] {
  switch (difference.is) {
    case 'gone':
      return [line(difference.before)];
    case 'new':
      return [line(difference.after)];
    case 'moved':
      return [`${line(difference.before)}\n    at ${timeOf(difference.after)} instead`];
    case 'changed': {
      const { before, after } = difference;
      const [was, is] = firstDifferent(before, after);
      return [line(before), `    was: ${was}`, `    is:  ${is}`];
    }
  }
}

/** A recording may be of days: `2026-11-20 09:00:12`. */
const timeOf = ({ at }: Message): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const line = (message: Message): string =>
  `  ${timeOf(message)}  ${providerName(message.provider)}  ${message.notification.title}`;

const providerName = (ref: Ref): string => `${namespaceOf(ref)}/${nameOf(ref)}`;

/** The first sentence in which they differ, for a short look. */
function firstDifferent(
  { notification: before }: Message,
  { notification: after }: Message,
): readonly [string, string] {
  for (const field of ['title', 'lead', 'impact', 'note'] as const)
    if (before[field] !== after[field]) return [before[field] ?? 'nothing', after[field] ?? 'nothing'];
  for (const field of Object.keys(after) as readonly (keyof typeof after)[]) {
    const [was, is] = [JSON.stringify(before[field]), JSON.stringify(after[field])];
    if (was !== is && field !== 'at' && field !== 'incident') return [`${field}: ${was}`, `${field}: ${is}`];
  }
  return [`severity ${before.severity}`, `severity ${after.severity}`];
}
