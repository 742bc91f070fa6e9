import { clockTime } from '../../message/words.ts';
import type { Incident } from '../../model/incident.ts';
import { compareSeverity, type Severity } from '../../model/severity.ts';
import { html, type Markup } from './markup.ts';

/** The strip shows so many slots of so long (ms): the last day by quarters of an hour. */
const slots = 96;
const slotMs = 15 * 60_000;

/** The worst severity that was open in a slot, and how many incidents were. */
type Slot = { readonly worst?: Severity; readonly count: number };

function slotsOf(incidents: readonly Incident[], now: number): readonly Slot[] {
  const start = now - slots * slotMs;
  const told = incidents.filter(({ state }) => state !== 'Settling');
  return Array.from({ length: slots }, (_, index): Slot => {
    const from = start + index * slotMs;
    const open = told.filter(
      ({ startedAt, resolvedAt = Number.POSITIVE_INFINITY }) => startedAt < from + slotMs && resolvedAt > from,
    );
    const [worst] = open.map(({ explanation }) => explanation.severity).sort(compareSeverity);
    return { count: open.length, ...(worst && { worst }) };
  });
}

/** The last day as a strip: what was open when, as far as this process and its saved state know. `now`: epoch milliseconds. */
export function lastDay(incidents: readonly Incident[], now: number): Markup {
  const found = slotsOf(incidents, now);
  const bars = found.map(({ worst, count }, index) => {
    const at = clockTime(now - (slots - index) * slotMs, now);
    return html`<rect class="${worst ?? 'none'}" x="${index * 10}" y="0" width="9" height="32"><title>${at}: ${count} open</title></rect>`;
  });
  const busy = found.filter(({ count }) => count > 0).length;
  return html`<figure class="day"><svg viewBox="0 0 ${slots * 10} 32" preserveAspectRatio="none" role="img" aria-label="The last 24 hours: something was open in ${busy} of ${slots} quarters of an hour">${bars}</svg><figcaption><span>24 h ago</span><span>now</span></figcaption></figure>`;
}
