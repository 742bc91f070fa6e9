import { cleanLine } from '../../message/parts/clean.ts';
import type { ClusterRow, HubView } from '../../model/hub.ts';
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

/** A cluster that is not heard of for so long is not there any more, or cannot reach us (ms). */
const quietMs = 120_000;

/** The members of a hub, and what is open in each. */
export function clusters(rows: readonly ClusterRow[], now: number): Markup {
  if (rows.length === 0) return html`<p>No member has been heard of yet.</p>`;
  const shown = rows.slice(0, mostRows).map(({ name, version, heardAt, open, worst }) => {
    const { critical, high, medium, low } = open;
    const first = worst[0];
    const isBad = critical > 0 || heardAt < now - quietMs;
    return html`<tr class="${isBad ? 'bad' : ''}"><th scope="row">${name}</th>${cell('Heard of', timeTag(heardAt, now))}${cell('Critical', critical, 'number')}${cell('High', high, 'number')}${cell('Medium', medium, 'number')}${cell('Low', low, 'number')}${cell('Worst', first ? words(first.title) : '–')}${cell('Version', words(version))}</tr>`;
  });
  const headings = ['Cluster', 'Heard of', 'Critical', 'High', 'Medium', 'Low', 'Worst', 'Version'];
  return table('Clusters', headings, shown, rows.length);
}

/** How it stands with the hub. */
export function hubLine(hub: HubView): Markup | false {
  if (hub.is === 'off') return false;
  if (hub.is === 'pending') return html`<p id="hub">The hub has not been asked yet.</p>`;
  if (hub.is === 'answering') return html`<p id="hub">The hub ${words(hub.name)} answers.</p>`;
  return html`<p id="hub" class="degraded">The hub does not answer, so this cluster tells everything itself: ${words(hub.why)}</p>`;
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
