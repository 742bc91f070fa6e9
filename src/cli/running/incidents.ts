import { clockTime } from '../../message/parts/times.ts';
import type { Streams } from '../command.ts';
import { type Output, structured } from '../output.ts';
import { type IncidentRow, isStatusAnswer, type MemberRow } from './answers.ts';
import { askOperator, type OperatorOptions } from './operator.ts';
import { age, objectName, paintFor, severityColours, table } from './text.ts';

/** What the user asked of `tocsin incidents`. */
export type IncidentsArguments = OperatorOptions & { readonly output: Output };

/** Prints what is open, worst first. Exit code 0. `now`: epoch milliseconds. */
export async function runIncidents(
  asked: IncidentsArguments,
  streams: Pick<Streams, 'stdout'>,
  now: number,
): Promise<number> {
  const answer = await askOperator('/status', {}, asked);
  if (!isStatusAnswer(answer)) throw new Error('what answers there is not the status page of Tocsin');
  const { incidents, clusters = [] } = answer;
  if (asked.output !== 'text') streams.stdout.write(structured(incidents.worst, asked.output));
  else if (incidents.total === 0) streams.stdout.write('Nothing is open.\n');
  else streams.stdout.write(`${incidentTable(incidents.worst, streams, now)}\n${rest(incidents)}`);
  if (asked.output === 'text' && clusters.length > 0) streams.stdout.write(`\n${clusterTable(clusters, now)}\n`);
  return 0;
}

const headings = ['SEVERITY', 'AGE', 'WHAT', 'REASON', 'NOTIFIED'];

function incidentTable(rows: readonly IncidentRow[], streams: Pick<Streams, 'stdout'>, now: number): string {
  const paint = paintFor(streams);
  const cells = rows.map((row) => [
    ...[row.severity, age(row.since, now), row.title ?? objectName(row.root), row.reason, became(row, now)],
  ]);
  return table([headings, ...cells], (text, row, column) => {
    if (row === 0) return paint('bold', text);
    return column === 0 ? paint(severityColours[text.trim()] ?? 'reset', text) : text;
  });
}

const memberHeadings = ['CLUSTER', 'HEARD OF', 'CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'WORST'];

/** The members of a hub, and what is open in each. */
function clusterTable(rows: readonly MemberRow[], now: number): string {
  const cells = rows.map(({ name, heardAt, open: { critical, high, medium, low }, worst }) => [
    ...[name, `${age(heardAt, now)} ago`, ...[critical, high, medium, low].map(String), worst[0]?.title ?? '-'],
  ]);
  return table([memberHeadings, ...cells], (text) => text);
}

/** `Notified 18:51 UTC`, `Silenced until 20:15 UTC by Silence tocsin/quiet; shop: Not delivered: chat (HTTP 500)`. */
function became({ state, acknowledged, dispositions }: IncidentRow, now: number): string {
  const parts = dispositions.map(({ audience, disposition, summary = disposition }) => {
    return `${audience === '' ? '' : `${audience}: `}${summary}`;
  });
  const taken = acknowledged && `Acknowledged ${clockTime(Date.parse(acknowledged.at), now)} by ${acknowledged.by}`;
  return [...(state === 'Open' ? [] : [state]), ...(taken === undefined ? [] : [taken]), ...parts].join('; ');
}

function rest({ total, worst }: { readonly total: number; readonly worst: readonly IncidentRow[] }): string {
  return total > worst.length ? `and ${total - worst.length} more\n` : '';
}
