import type { Notification } from '../../../model/notification.ts';
import { describeRef, namespaceOf } from '../../../model/ref.ts';
import { clipData } from './clip.ts';
import { listLines, nextLabel } from './parts.ts';
import { lastLines, lengthIn, truncate, type Unit } from './truncate.ts';

/** A notification as rows of a table or keys of a log entry. The keys are ours alone, never a text of the cluster. */
export type Details = Readonly<Record<string, string>>;

/** How large a record may be as JSON, and what makes its texts harmless where they are shown. */
export type DetailsRoom = {
  readonly max: number;
  /** `bytes` unless said. */
  readonly unit?: Unit;
  readonly quiet?: (text: string) => string;
};

/** UTF-16 units, as everywhere in `clip`. */
const room = { title: 300, sentence: 1_000, sentences: 5, lines: 40, facts: 20, links: 8 };
/** No row but the log takes more than this part of the whole, so that one long text does not displace the others. */
const share = 1 / 8;
/** With less room than this for it, a log is left out; in the unit. */
const shortestLog = 200;

/**
 * The notification as a flat record, most important first, empty rows left out. Written as JSON it is at most `max` of the unit:
 * the log is cut first, to its last lines, then what comes last.
 */
export function detailsOf(
  notification: Notification,
  { max, unit = 'bytes', quiet = (text) => text }: DetailsRoom,
): Details {
  const told = clipData(notification, room);
  const record: Record<string, string> = {};
  let left = max - lengthIn(unit, '{}');
  /** Adds a row, its text cut to the room that is left after the quotes, the colon and the comma. */
  function add(key: string, cut: (most: number) => string): void {
    const text = cut(left - lengthIn(unit, `"${key}":"",`));
    if (text === '' || Object.hasOwn(record, key)) return;
    record[key] = text;
    left -= lengthIn(unit, `${JSON.stringify(key)}:${JSON.stringify(text)},`);
  }
  const long = Math.floor(max * share);
  for (const [key, text] of rowsOf(told))
    add(key, (most) => {
      const written = cutText(quiet(text), Math.min(long, most), unit);
      // Half a command is another one.
      return key === 'nextStep' && written !== text ? '' : written;
    });
  const { excerpt } = told;
  if (excerpt && left > shortestLog + long) {
    add('logsFrom', (most) => cutText(quiet(excerpt.source), Math.min(long, most), unit));
    add('logs', (most) => cutLog(excerpt.lines.map(quiet), most, unit));
  }
  return record;
}

/** The rows that say which problem it is, for products that take few or short ones: rules choose by them who is called. */
const identifying: ReadonlySet<string> = new Set([
  ...['severity', 'reason', 'root', 'namespace', 'cluster', 'incidentId', 'startedAt', 'affectedCount', 'labels'],
]);

/** The short rows of the record alone, each at most `max` of the unit as JSON. */
export function identityOf(
  notification: Notification,
  { max, unit = 'bytes', quiet = (text) => text }: DetailsRoom,
): Details {
  const rows = rowsOf(clipData(notification, room)).filter(([key]) => identifying.has(key));
  return Object.fromEntries(rows.map(([key, text]) => [key, cutText(quiet(text), max, unit)]));
}

/** Every row but the log. */
function rowsOf(notification: Notification): readonly (readonly [key: string, text: string])[] {
  const { severity, lead, note, impact, evidence, nextStep, facts, links, cluster, incident, list } = notification;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['message', lead],
    ['note', note],
    ['impact', impact],
    ['cause', incident?.cause],
    ['evidence', evidence.join('\n')],
    ['nextStep', nextStep && `${nextStep.changesCluster ? `${nextLabel(nextStep)}: ` : ''}${nextStep.command}`],
    ['problems', listLines(list).join('\n')],
    ['severity', severity],
    ['reason', incident?.reason],
    ['root', incident && describeRef(incident.root)],
    ['namespace', incident && namespaceOf(incident.root)],
    ['cluster', cluster],
    ['incidentId', incident?.id],
    ['startedAt', incident && instant(incident.startedAt)],
    ['resolvedAt', incident?.resolvedAt === undefined ? undefined : instant(incident.resolvedAt)],
    ['confidence', incident?.confidence],
    ['links', links.map(({ title, url }) => `${title}: ${url}`).join('\n')],
    ['affectedCount', incident && String(incident.affected.count)],
    ['affected', incident?.affected.sample.map(describeRef).join(', ')],
    ...facts.map(({ name, value }) => [keyOf(name), value] as const),
    ['labels', incident && labelsOf(incident.labels)],
  ];
  return rows.flatMap(([key, text = '']) => (key === '' || text === '' ? [] : [[key, text] as const]));
}

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** `Memory limit` as `memoryLimit`; nothing for a name that is not a few plain words, which no fact of ours has. */
function keyOf(name: string): string {
  if (!/^[A-Za-z]+(?: [A-Za-z]+){0,3}$/.test(name)) return '';
  const joined = name.replace(/ ([A-Za-z])/g, (_, letter: string) => letter.toUpperCase());
  return `${joined.charAt(0).toLowerCase()}${joined.slice(1)}`;
}

/** `app=payments, team=checkout`: rules that choose who is called can match it. */
function labelsOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

/** Own keys for labels: no more of them, and none longer. Characters of a name, UTF-16 units of a value. */
const maxLabels = { count: 16, name: 80, value: 100 };

/**
 * The labels of the object as keys of their own (`label_app`), which routing rules match by equality. Letters, digits and underscores
 * alone, since paths of rules read dots and slashes as something else.
 */
export function labelKeys(
  { incident }: Pick<Notification, 'incident'>,
  quiet = (text: string): string => text,
): Details {
  const entries = Object.entries(incident?.labels ?? {}).slice(0, maxLabels.count);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      `label_${name.replace(/[^A-Za-z0-9]+/g, '_').slice(0, maxLabels.name)}`,
      truncate(quiet(value), maxLabels.value, 'utf16'),
    ]),
  );
}

/** What JSON makes of a text, without the quotes around it. */
const written = (text: string): string => JSON.stringify(text).slice(1, -1);
const read = (json: string): string => JSON.parse(`"${json}"`);

/** A text whose JSON takes at most `most` of the unit. */
function cutText(text: string, most: number, unit: Unit): string {
  return most <= 0 ? '' : read(truncate(text.toWellFormed(), most, unit, written));
}

/** The last lines whose JSON takes at most `most` of the unit; each line break takes one more than it does in a text. */
function cutLog(lines: readonly string[], most: number, unit: Unit): string {
  const whole = lines.map((line) => line.toWellFormed());
  return read(lastLines(whole, most - lines.length - 1, unit, written).replaceAll('\n', '\\n'));
}
