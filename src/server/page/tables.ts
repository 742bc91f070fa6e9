import { cleanLine } from '../../message/parts/clean.ts';
import { nameOf, namespaceOf } from '../../model/ref.ts';
import type { DeadLetter } from '../../model/store.ts';
import type { ProviderRow } from '../provider-row.ts';
import type { CoverageRow } from '../views.ts';
import { html, type Markup, type Part, timeTag } from './markup.ts';

/** Rows of a table at most; the rest is counted. */
const mostRows = 100;
/** What products say is cut here (UTF-16 units). */
const maxWords = 300;

/** What products say, on one line. */
export const words = (text: string): string => cleanLine(text, maxWords);

/** A cell that says on a phone, where rows are stacked, what its column is. */
export const cell = (label: string, content: Part, kind = ''): Markup =>
  html`<td data-label="${label}"${kind !== '' && html` class="${kind}"`} dir="auto">${content}</td>`;

/** A table whose rows are stacked on a phone: its cells are made by `cell`. `total`: how many rows there are, shown or not. */
export function table(caption: string, headings: readonly string[], rows: readonly Markup[], total: number): Markup {
  const more = total > rows.length && html`<p class="more">and ${total - rows.length} more</p>`;
  return html`<div class="scroll${rows.some(({ text }) => text.includes('data-label')) && ' stacked'}" tabindex="0" role="region" aria-label="${caption}"><table><thead><tr>${headings.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>${more}`;
}

function stateOf({ active, usable, failing }: ProviderRow): string {
  if (!active.is) return `inactive (${active.reason})`;
  if (!usable) return 'cannot be used: its conditions say why';
  return failing ? 'failing' : 'active';
}

/** AlertProviders and what became of their deliveries. */
export function providers(rows: readonly ProviderRow[], now: number): Markup {
  if (rows.length === 0) return html`<p>No AlertProvider is configured: nobody is told of anything.</p>`;
  const shown = rows.slice(0, mostRows).map((row) => {
    const { ref, type, delivered, pending, failed, lastDelivery, lastFailure } = row;
    const failure = lastFailure && html`${timeTag(lastFailure.time, now)}: ${words(lastFailure.message)}`;
    const last = lastDelivery ? timeTag(lastDelivery.time, now) : 'never';
    return html`<tr class="${row.failing || !row.usable ? 'bad' : ''}"><th scope="row">${namespaceOf(ref)}/${nameOf(ref)}</th>${cell('Type', type)}${cell('State', stateOf(row))}${cell('Delivered', delivered, 'number')}${cell('Pending', pending, 'number')}${cell('Failed', failed, 'number')}${cell('Last delivery', last)}${cell('Last failure', failure ?? '–')}</tr>`;
  });
  const headings = ['Provider', 'Type', 'State', 'Delivered', 'Pending', 'Failed', 'Last delivery', 'Last failure'];
  return table('Providers', headings, shown, rows.length);
}

/** Deliveries that were given up and are kept, the newest first. */
export function failedDeliveries(letters: readonly DeadLetter[], now: number): Markup {
  if (letters.length === 0) return html`<p>None: everything that was to be told has been.</p>`;
  const shown = letters
    .slice(-mostRows)
    .toReversed()
    .map(
      ({ delivery, endedAt, attempts, failure }) =>
        html`<tr class="bad"><th scope="row">${namespaceOf(delivery.provider)}/${nameOf(delivery.provider)}</th>${cell('Why', words(failure.message))}${cell('Given up', timeTag(endedAt, now))}${cell('Act', delivery.act)}${cell('Attempts', attempts, 'number')}</tr>`,
    );
  return table('Failed deliveries', ['Provider', 'Why', 'Given up', 'Act', 'Attempts'], shown, letters.length);
}

/** What is watched; what is not comes first. */
export function coverage(rows: readonly CoverageRow[]): Markup {
  const isFine = ({ state }: CoverageRow): boolean => state === 'Watching' || state === 'NotServed';
  const ordered = [...rows.filter((row) => !isFine(row)), ...rows.filter(isFine)];
  const shown = ordered
    .slice(0, mostRows)
    .map(
      (row) =>
        html`<tr class="${isFine(row) ? '' : 'bad'}"><th scope="row">${row.source}</th>${cell('State', row.state)}${cell('Reason', row.reason)}${cell('Objects', row.objects, 'number')}</tr>`,
    );
  return table('Coverage', ['Resource', 'State', 'Reason', 'Objects'], shown, rows.length);
}
