import { clockTime } from '../../message/parts/times.ts';
import type { Incident } from '../../model/incident.ts';
import { compareSeverity, type Severity } from '../../model/severity.ts';
import { html, type Markup } from './markup.ts';

/** The strip shows so many slots; for the last day each is a quarter of an hour. */
const slots = 96;
const dayMs = 24 * 60 * 60_000;

/** A time to show (epoch milliseconds). */
export type Period = { readonly from: number; readonly until: number };

/** The worst severity that was open in a slot, and how many incidents were. */
type Slot = { readonly at: number; readonly worst?: Severity; readonly count: number; readonly watched: boolean };

function slotsOf(
  incidents: readonly Incident[],
  { from: start, until }: Period,
  watchedFrom = Number.NEGATIVE_INFINITY,
): readonly Slot[] {
  const slotMs = (until - start) / slots;
  const told = incidents.filter(({ state }) => state !== 'Settling');
  return Array.from({ length: slots }, (_, index): Slot => {
    const from = start + index * slotMs;
    const open = told.filter(
      ({ startedAt, resolvedAt = Number.POSITIVE_INFINITY }) => startedAt < from + slotMs && resolvedAt > from,
    );
    const [worst] = open.map(({ explanation }) => explanation.severity).sort(compareSeverity);
    return { at: from, count: open.length, watched: from + slotMs > watchedFrom, ...(worst && { worst }) };
  });
}

/**
 * The last day as a strip: what was open when, as far as this process and its saved state know. Before `watchedFrom` nobody looked. Times are epoch
 * milliseconds.
 */
export function lastDay(incidents: readonly Incident[], now: number, watchedFrom: number): Markup {
  const drawn = slotsOf(incidents, { from: now - dayMs, until: now }, watchedFrom);
  const from = watchedFrom > now - dayMs ? `24 h ago; not watched before ${clockTime(watchedFrom, now)}` : '24 h ago';
  const label = `The last 24 hours: something was open in ${busy(drawn)} of ${slots} quarters of an hour`;
  return strip(drawn, { label, from, until: 'now' }, now);
}

/** Any other time as a strip. */
export function periodStrip(incidents: readonly Incident[], period: Period): Markup {
  const drawn = slotsOf(incidents, period);
  const [from, until] = [clockTime(period.from, period.until), clockTime(period.until, period.until)];
  const label = `From ${from} to ${until}: something was open in ${busy(drawn)} of ${slots} parts of that time`;
  return strip(drawn, { label, from, until }, period.until);
}

const busy = (drawn: readonly Slot[]): number => drawn.filter(({ count }) => count > 0).length;

type Said = { readonly label: string; readonly from: string; readonly until: string };

function strip(drawn: readonly Slot[], { label, from, until }: Said, now: number): Markup {
  const bars = drawn.map(
    ({ worst, count, at, watched }, index) =>
      html`<rect class="${worst ?? (watched ? 'none' : 'unwatched')}" x="${index * 10}" y="0" width="9" height="32"><title>${clockTime(at, now)}: ${watched || count > 0 ? `${count} open` : 'not watched yet'}</title></rect>`,
  );
  return html`<figure class="day"><svg viewBox="0 0 ${slots * 10} 32" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg><figcaption><span>${from}</span><span>${until}</span></figcaption></figure>`;
}
