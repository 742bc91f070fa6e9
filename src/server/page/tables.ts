import { cleanLine } from '../../message/clean.ts';
import { clockTime } from '../../message/words.ts';
import { nameOf, namespaceOf } from '../../model/ref.ts';
import type { DeadLetter } from '../../model/store.ts';
import type { ProviderRow } from '../provider-row.ts';
import type { CoverageRow } from '../views.ts';
import { html, type Markup } from './markup.ts';

/** Rows of a table at most; the rest is counted. */
const mostRows = 100;
/** What products say is cut here (UTF-16 units). */
const maxWords = 300;

/** What products say, on one line. */
export const words = (text: string): string => cleanLine(text, maxWords);

/** A table that scrolls by itself where it is too wide. `total`: how many rows there are, shown or not. */
export function table(caption: string, headings: readonly string[], rows: readonly Markup[], total: number): Markup {
  const more = total > rows.length && html`<p class="more">and ${total - rows.length} more</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><thead><tr>${headings.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>${more}`;
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
    const failure = lastFailure && `${clockTime(lastFailure.time, now)}: ${words(lastFailure.message)}`;
    return html`<tr class="${row.failing || !row.usable ? 'bad' : ''}"><th scope="row">${namespaceOf(ref)}/${nameOf(ref)}</th><td>${type}</td><td>${stateOf(row)}</td><td class="number">${delivered}</td><td class="number">${pending}</td><td class="number">${failed}</td><td>${lastDelivery ? clockTime(lastDelivery.time, now) : 'never'}</td><td dir="auto">${failure ?? '–'}</td></tr>`;
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
        html`<tr class="bad"><td>${clockTime(endedAt, now)}</td><th scope="row">${namespaceOf(delivery.provider)}/${nameOf(delivery.provider)}</th><td>${delivery.act}</td><td class="number">${attempts}</td><td dir="auto">${words(failure.message)}</td></tr>`,
    );
  return table('Failed deliveries', ['Given up', 'Provider', 'Act', 'Attempts', 'Why'], shown, letters.length);
}

/** What is watched; what is not comes first. */
export function coverage(rows: readonly CoverageRow[]): Markup {
  const isFine = ({ state }: CoverageRow): boolean => state === 'Watching' || state === 'NotServed';
  const ordered = [...rows.filter((row) => !isFine(row)), ...rows.filter(isFine)];
  const shown = ordered
    .slice(0, mostRows)
    .map(
      (row) =>
        html`<tr class="${isFine(row) ? '' : 'bad'}"><th scope="row">${row.source}</th><td>${row.state}</td><td>${row.reason}</td><td class="number">${row.objects}</td></tr>`,
    );
  return table('Coverage', ['Resource', 'State', 'Reason', 'Objects'], shown, rows.length);
}
