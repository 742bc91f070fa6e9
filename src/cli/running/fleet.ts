import { errorMessage } from '../../model/error-message.ts';
import type { Streams } from '../command.ts';
import { type Output, structured } from '../output.ts';
import { type IncidentRow, isStatusAnswer, type StatusAnswer } from './answers.ts';
import { askOperator, type OperatorOptions } from './operator.ts';
import { age, objectName, paintFor, severityColours, table } from './text.ts';

/** What the user asked of `tocsin incidents --contexts`. */
export type FleetArguments = Omit<OperatorOptions, 'url' | 'context'> & {
  readonly contexts: readonly string[];
  readonly output: Output;
};

/** Ports that are forwarded at a time: each is a process of kubectl. */
const mostAtOnce = 8;

/** What one cluster answers, or why it does not. */
type Asked = { readonly context: string } & (
  | { readonly answer: Pick<StatusAnswer, 'clusterName' | 'incidents'> }
  | { readonly failure: string }
);

/** An open incident of one of the clusters. */
type FleetRow = IncidentRow & { readonly cluster: string };

/**
 * Prints what is open in several clusters, worst first, with what several of them have in common. Exit code 0, 1 where a cluster could not be
 * asked, which stands below with the reason. `now`: epoch milliseconds.
 */
export async function runFleet(
  { contexts, output, ...address }: FleetArguments,
  streams: Pick<Streams, 'stdout'>,
  now: number,
): Promise<number> {
  const asked = await askAll(contexts, (context) => askOne(context, address));
  const failed = asked.filter((one) => 'failure' in one);
  const rows = asked
    .flatMap((one): FleetRow[] => {
      if ('failure' in one) return [];
      const { clusterName, incidents } = one.answer;
      return incidents.worst.map((incident) => ({ ...incident, cluster: clusterName || one.context }));
    })
    .toSorted(byWeight);
  if (output !== 'text') streams.stdout.write(structured(asked.map(forPrograms), output));
  else {
    const omitted = asked.reduce((sum, one) => sum + ('answer' in one ? notListed(one.answer.incidents) : 0), 0);
    const parts = [
      rows.length === 0 ? nothing(asked) : fleetTable(rows, streams, now),
      ...(omitted > 0 ? [`and ${omitted} more`] : []),
      ...inCommon(rows),
      ...failed.map(({ context, failure }) => `${context} could not be asked: ${failure}`),
    ];
    streams.stdout.write(`${parts.join('\n')}\n`);
  }
  return failed.length > 0 ? 1 : 0;
}

async function askOne(context: string, address: Omit<OperatorOptions, 'url' | 'context'>): Promise<Asked> {
  try {
    const answer = await askOperator('/status', {}, { ...address, context });
    return isStatusAnswer(answer)
      ? { context, answer }
      : { context, failure: 'what answers there is not the status page of Tocsin' };
  } catch (error) {
    return { context, failure: errorMessage(error) };
  }
}

/** Asks all, some at a time, and keeps their order. */
async function askAll<T, R>(questions: readonly T[], ask: (question: T) => Promise<R>): Promise<readonly R[]> {
  const answers: R[] = [];
  for (let start = 0; start < questions.length; start += mostAtOnce)
    answers.push(...(await Promise.all(questions.slice(start, start + mostAtOnce).map(ask))));
  return answers;
}

const notListed = ({ total, worst }: StatusAnswer['incidents']): number => Math.max(0, total - worst.length);

const severityOrder = Object.keys(severityColours);
const rank = ({ severity }: FleetRow): number => severityOrder.indexOf(severity);

const byWeight = (a: FleetRow, b: FleetRow): number => rank(a) - rank(b) || Date.parse(a.since) - Date.parse(b.since);

function nothing(asked: readonly Asked[]): string {
  const answered = asked.filter((one) => 'answer' in one).length;
  return answered === 0 ? 'No cluster answered.' : `Nothing is open in ${answered} of ${asked.length} clusters.`;
}

/** Kinds of roots that no cluster has to itself. */
const outsideKinds: ReadonlySet<string> = new Set(['ExternalEndpoint', 'Registry', 'Zone']);

const headings = ['CLUSTER', 'SEVERITY', 'AGE', 'REASON', 'OBJECT', 'ALSO HIT'];

function fleetTable(rows: readonly FleetRow[], streams: Pick<Streams, 'stdout'>, now: number): string {
  const paint = paintFor(streams);
  const cells = rows.map(({ cluster, severity, since, reason, root, affected }) => {
    return [cluster, severity, age(since, now), reason, objectName(root), String(affected)];
  });
  return table([headings, ...cells], (text, row, column) => {
    if (row === 0) return paint('bold', text);
    return column === 1 ? paint(severityColours[text.trim()] ?? 'reset', text) : text;
  });
}

/**
 * What is outside of all clusters has no namespace and the same name in each (a registry, a host): where several clusters have it, it is one
 * trouble, and is said once.
 */
export function inCommon(rows: readonly Pick<FleetRow, 'cluster' | 'reason' | 'root'>[]): readonly string[] {
  const outside = rows.filter(({ root }) => root.namespace === '' && outsideKinds.has(root.kind));
  const alike = Map.groupBy(outside, ({ reason, root }) => `${reason} ${objectName(root)}`);
  return [...alike].flatMap(([what, those]) => {
    const clusters = [...new Set(those.map(({ cluster }) => cluster))];
    return clusters.length < 2 ? [] : [`The same in ${clusters.length} clusters: ${what} (${clusters.join(', ')})`];
  });
}

function forPrograms(asked: Asked): object {
  if ('failure' in asked) return { context: asked.context, failure: asked.failure };
  const { clusterName, incidents } = asked.answer;
  return { context: asked.context, cluster: clusterName, total: incidents.total, incidents: incidents.worst };
}
