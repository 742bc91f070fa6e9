import { humanDuration } from '../../model/duration.ts';
import { type Streams, UsageError } from '../command.ts';
import { structured } from '../output.ts';
import { type HistoryAnswer, isHistoryAnswer } from './answers.ts';
import type { IncidentsArguments } from './incidents.ts';
import { askOperator } from './operator.ts';
import { age, objectName, paintFor, severityColours, table } from './text.ts';

/** What the user asked of `tocsin incidents` about what is over as well. */
export type HistoryArguments = IncidentsArguments & {
  readonly all?: true;
  readonly over?: true;
  /** RFC 3339, or so long ago. */
  readonly since?: string;
  readonly until?: string;
  readonly search?: string;
  readonly namespace?: string;
};

/** Rows asked for: as many as an answer holds. */
const mostRows = 500;

/** Prints what is open and what is over, as far as it fits. Exit code 0. `now`: epoch milliseconds. */
export async function runHistory(
  asked: HistoryArguments,
  streams: Pick<Streams, 'stdout'>,
  now: number,
): Promise<number> {
  const { all, over, since, until, search, namespace } = asked;
  if (all && over) throw new UsageError('--all lists what is open and what is over, --over only the latter: give one.');
  const query = {
    limit: String(mostRows),
    ...(over && { state: 'over' }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(search !== undefined && { search }),
    ...(namespace !== undefined && { namespace }),
  };
  const answer = await askOperator('/status/incidents', query, asked);
  if (!isHistoryAnswer(answer)) throw new Error('what answers there is not Tocsin, or one of another version');
  const { incidents, rememberedSince } = answer;
  if (asked.output !== 'text') streams.stdout.write(structured(incidents.listed, asked.output));
  else if (incidents.total === 0) streams.stdout.write(`No incident fits. ${rememberedInWords(rememberedSince)}\n`);
  else streams.stdout.write(`${historyTable(answer, streams, now)}\n`);
  return 0;
}

const rememberedInWords = (since: string | null): string =>
  since === null ? 'Nothing that is over is remembered yet.' : `What is over is remembered since ${since}.`;

const headings = ['SEVERITY', 'BEGAN', 'LASTED', 'REASON', 'OBJECT', 'ID', 'CAUSE'];

function historyTable({ incidents }: HistoryAnswer, streams: Pick<Streams, 'stdout'>, now: number): string {
  const paint = paintFor(streams);
  const cells = incidents.listed.map(({ severity, since, resolvedAt, reason, root, id, cause }) => [
    ...[severity, `${age(since, now)} ago`, resolvedAt === null ? 'open' : lasted(since, resolvedAt)],
    ...[reason, objectName(root), id, cause ?? 'not known'],
  ]);
  const rows = table([headings, ...cells], (text, row, column) => {
    if (row === 0) return paint('bold', text);
    return column === 0 ? paint(severityColours[text.trim()] ?? 'reset', text) : text;
  });
  const left = incidents.total - incidents.listed.length;
  return left > 0 ? `${rows}\nand ${left} more: narrow it by --since or --search` : rows;
}

const lasted = (from: string, to: string): string => humanDuration(Math.max(0, Date.parse(to) - Date.parse(from)));
