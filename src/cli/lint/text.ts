import { styleText } from 'node:util';
import type { Level } from '../../api/lint/remark.ts';
import { type Edition, includes } from '../../model/edition.ts';
import { plainStart } from './plain.ts';
import { longName, type Problem, type Report, shortName } from './report.ts';

const colours = { error: 'red', warning: 'yellow', note: 'cyan' } as const satisfies Record<Level, string>;

/** The report for people: a line for each problem with its place, then who is active, then the sums. */
export function textReport({ problems, providers, edition, counts }: Report, colour: boolean): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const places = problems.map(placeOf);
  const width = Math.max(0, ...places.map((place) => place.length));
  const lines = problems.map(({ level, message }, index) => {
    const place = (places[index] ?? '').padEnd(width);
    return `${place}  ${paint(colours[level], level.padEnd(7))}  ${message}`;
  });
  const names = providers.map(({ provider }) => shortName(provider));
  const nameWidth = Math.max(0, ...names.map((name) => name.length));
  const active = providers.map(({ active: is, why }, index) => {
    const row = `  ${(names[index] ?? '').padEnd(nameWidth)}  ${why}`;
    return is ? paint('bold', row) : row;
  });
  const nobody = providers.length > 0 && !providers.some(({ active: is }) => is) ? [nobodyActive] : [];
  const parts = [
    lines,
    providers.length > 0 ? [activeTitle(edition), ...active, ...nobody] : [],
    [summary(counts, paint)],
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`;
}

/** With a licence all are active; who stays when it ends is worth knowing all the same. */
function activeTitle(edition: Edition | undefined): string {
  const community = 'Without a licence (Community) one AlertProvider is active:';
  if (edition === undefined || !includes(edition, 'manyProviders')) return community;
  return `With this licence (${edition}) every AlertProvider is active that is valid and not suspended. ${community}`;
}

const nobodyActive = '  none of these: nobody is notified';

/** `file:line:column`, or the object where it comes from a cluster. */
function placeOf({ file, position, object }: Problem): string {
  if (file === undefined) return object === undefined ? 'cluster' : longName(object);
  const name = plainStart(file === '-' ? 'stdin' : file);
  return position ? `${name}:${position.line}:${position.column}` : name;
}

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

function summary(
  { objects, secrets, foreign, error, warning, note }: Report['counts'],
  paint: (style: 'red' | 'yellow' | 'green', text: string) => string,
): string {
  const found = [
    ...(error > 0 ? [paint('red', many(error, 'error'))] : []),
    ...(warning > 0 ? [paint('yellow', many(warning, 'warning'))] : []),
    ...(note > 0 ? [many(note, 'note')] : []),
  ];
  const read = [
    `${many(objects, 'object')} checked`,
    ...(secrets > 0 ? [`${many(secrets, 'Secret')} known`] : []),
    ...(foreign > 0 ? [`${many(foreign, 'object')} of other kinds skipped`] : []),
  ].join(', ');
  return `${read}: ${found.length > 0 ? found.join(', ') : paint('green', 'nothing wrong')}`;
}
