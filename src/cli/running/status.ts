import type { Streams } from '../command.ts';
import { type Output, structured } from '../output.ts';
import { isStatusAnswer, type ProviderRow, type StatusAnswer } from './answers.ts';
import { askOperator, type OperatorOptions } from './operator.ts';
import { age, type Paint, paintFor, table } from './text.ts';

/** What the user asked of `tocsin status`. */
export type StatusArguments = OperatorOptions & { readonly output: Output };

/** Prints how Tocsin stands, on one screen: exit code 0 when all is well, 1 when it is degraded. `now`: epoch milliseconds. */
export async function runStatus(
  asked: StatusArguments,
  streams: Pick<Streams, 'stdout'>,
  now: number,
): Promise<number> {
  const answer = await askOperator('/status', {}, asked);
  if (!isStatusAnswer(answer)) throw new Error('what answers there is not the status page of Tocsin');
  streams.stdout.write(
    asked.output === 'text' ? screen(answer, paintFor(streams), now) : structured(answer, asked.output),
  );
  return answer.status === 'ok' ? 0 : 1;
}

function screen(answer: StatusAnswer, paint: Paint, now: number): string {
  const { clusterName, status, reasons, edition, version, coverage, incidents, failedDeliveries } = answer;
  const state = status === 'ok' ? paint('green', 'healthy') : paint('red', `degraded: ${reasons.join(', ')}`);
  const blind = coverage.resources.filter(({ state: each }) => each !== 'Watching' && each !== 'NotServed');
  const unserved = coverage.resources.filter(({ state: each }) => each === 'NotServed').length;
  const facts = [
    ['Cluster', clusterName === '' ? '(app.clusterName is not set)' : clusterName],
    ['Tocsin', `${version}, ${edition}: ${state}`],
    [
      'Watching',
      `${coverage.watching} resources${unserved > 0 ? `; ${unserved} more that Tocsin knows are not in this cluster` : ''}${blind.map((row) => `\n          ${row.resource}: ${row.state} (${row.reason})`).join('')}`,
    ],
    ['Incidents', `${incidents.total} open${incidents.total > 0 ? ' (`tocsin incidents` lists them)' : ''}`],
    [
      'Failed',
      `${failedDeliveries.total} ${failedDeliveries.total === 1 ? 'delivery that was given up and is' : 'deliveries that were given up and are'} kept`,
    ],
  ];
  const lines = facts.map(([name = '', value = '']) => `${paint('bold', name.padEnd(9))} ${value}`);
  return `${lines.join('\n')}\n\n${providerTable(answer.providers, paint, now)}\n`;
}

const headings = ['PROVIDER', 'TYPE', 'STATE', 'DELIVERED', 'PENDING', 'FAILED', 'LAST DELIVERY', 'LAST FAILURE'];

function providerTable(rows: readonly ProviderRow[], paint: Paint, now: number): string {
  if (rows.length === 0) return 'No AlertProvider is configured: nobody is told of anything.';
  const cells = rows.map(({ provider, type, delivered, pending, failed, lastDelivery, lastFailure, ...row }) => [
    ...[`${provider.namespace}/${provider.name}`, type, stateOf(row)],
    ...[delivered, pending, failed].map(String),
    lastDelivery === null ? 'never' : `${age(lastDelivery, now)} ago`,
    lastFailure === null ? 'none' : `${age(lastFailure.time, now)} ago: ${lastFailure.reason}`,
  ]);
  return table([headings, ...cells], (text, row, column) => {
    if (row === 0) return paint('bold', text);
    return column === 2 && text.startsWith('failing') ? paint('red', text) : text;
  });
}

function stateOf({
  active,
  usable,
  failing,
  reason,
}: Pick<ProviderRow, 'active' | 'usable' | 'failing' | 'reason'>): string {
  if (!active) return `inactive (${reason})`;
  if (!usable) return 'unusable';
  return failing ? 'failing' : 'active';
}
