import { createHash } from 'node:crypto';
import type { Incident } from '../../model/incident.ts';
import { compareSeverity } from '../../model/severity.ts';
import type { HealthView, StatusView } from '../views.ts';
import { lastDay } from './day.ts';
import { incidentCard } from './incident.ts';
import { live } from './live.ts';
import { html, Markup } from './markup.ts';
import { style } from './style.ts';
import { coverage, failedDeliveries, providers } from './tables.ts';

/** Incidents shown at most, and how many of them are open at first. */
const mostCards = 500;
const openAtFirst = 3;
/** Those that ended lately and are still listed. */
const mostOver = 20;
/** Cards that are written before anything waits for more: what fills the first screen; and how many at a time after it. */
const firstCards = 10;
const cardsAtOnce = 25;

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What a browser may do with the page: its own style and script, questions to where it came from, and nothing else. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${hash(style)}`,
  `script-src ${hash(live)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const isOpen = ({ state }: Incident): boolean => state === 'Open' || state === 'Recovering';
const isHeard = ({ standings }: Incident): boolean =>
  Object.values(standings).some(({ disposition }) => disposition === 'Delivered');

/**
 * The page for browsers, in parts that can be sent one by one: the first is the first screen, so that one sees it however much
 * follows. `now`: epoch milliseconds.
 */
export function* statusPage(view: StatusView, health: HealthView, now: number): Generator<string, void> {
  const title = view.clusterName === '' ? 'Tocsin' : `Tocsin · ${view.clusterName}`;
  const head = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${new Markup(style)}</style></head>
<body>
<header><h1>${title}</h1><span class="soft">${health.edition} ${health.version}</span></header>
<main>`;
  const foot = html`</main>
<footer>Kept up to date while it is open, where scripts run; else reload it. Times are UTC.</footer>
<script>${new Markup(live)}</script>
</body>
</html>
`;
  let before = head.text;
  for (const part of statusContent(view, health, now)) {
    yield before + part;
    before = '';
  }
  yield foot.text;
}

/** What of the page changes: its parts have ids, so that they can be exchanged one by one. */
export function* statusContent(view: StatusView, health: HealthView, now: number): Generator<string, void> {
  const all = [...view.incidents];
  const open = all
    .filter(isOpen)
    .toSorted(
      (a, b) =>
        compareSeverity(a.explanation.severity, b.explanation.severity) ||
        a.startedAt - b.startedAt ||
        (a.id < b.id ? -1 : 1),
    );
  const heard = open.filter(isHeard);
  const kept = open.filter((incident) => !isHeard(incident));
  const over = all
    .filter(({ state }) => state === 'Resolved')
    .toSorted((a, b) => (b.resolvedAt ?? 0) - (a.resolvedAt ?? 0))
    .slice(0, mostOver);
  const byId = new Map(all.map((incident) => [incident.id, incident]));
  const parent = (id: string): Incident | undefined => byId.get(id);
  const card = (incident: Incident, opened: boolean): Markup =>
    incidentCard({ incident, words: view.words(incident) }, now, opened, { settings: view.settings, parent });
  yield html`<p id="state">${healthLine(health)}</p>
<section id="day">${lastDay(all, now)}</section>
<h2 id="open-title">${heard.length > 0 ? `${heard.length} open` : kept.length > 0 ? 'Nothing open but what is held back' : 'Nothing is open'}</h2>
<section id="open" data-list>${heard.length === 0 ? html`<p class="empty" id="empty">${kept.length > 0 ? `What is broken is held back, part of another incident, or was there at the start: ${kept.length} below.` : 'Nothing that anybody should be told of is broken.'}</p>` : heard.slice(0, firstCards).map((each, index) => card(each, index < openAtFirst))}`
    .text;
  yield* inParts(heard.slice(firstCards, mostCards), card);
  yield html`${more(heard)}</section>
<h2 id="kept-title">${kept.length} held back</h2>
<section id="kept" data-list>${kept.length === 0 && html`<p id="none-kept" class="soft">No filter, Silence, maintenance or digest holds anything back.</p>`}`
    .text;
  yield* inParts(kept.slice(0, mostCards), card);
  yield html`${more(kept)}</section>
${over.length > 0 && html`<h2 id="over-title">Recently resolved</h2><section id="over" data-list>${over.map((each) => card(each, false))}</section>`}
<h2 id="failed-title">Failed deliveries</h2><section id="failed">${failedDeliveries(view.deadLetters, now)}</section>
<h2 id="providers-title">Providers</h2><section id="providers">${providers(view.providers, now)}</section>
<h2 id="coverage-title">What is watched</h2><section id="coverage"><details><summary>${coverageLine(health)}</summary>${coverage(health.coverage)}</details></section>`
    .text;
}

/** Closed cards, some at a time. */
function* inParts(
  list: readonly Incident[],
  card: (incident: Incident, opened: boolean) => Markup,
): Generator<string, void> {
  for (let from = 0; from < list.length; from += cardsAtOnce)
    yield html`${list.slice(from, from + cardsAtOnce).map((each) => card(each, false))}`.text;
}

const more = (list: readonly Incident[]): Markup | false =>
  list.length > mostCards && html`<p class="more" id="more">and ${list.length - mostCards} more</p>`;

function healthLine({ reasons }: HealthView): Markup {
  return reasons.length === 0
    ? html`<b class="good">Tocsin is healthy.</b>`
    : html`<b class="degraded">Tocsin is degraded:</b> ${reasons.join(', ')}`;
}

function coverageLine({ coverage: rows }: HealthView): string {
  const watching = rows.filter(({ state }) => state === 'Watching').length;
  return `${watching} of ${rows.length} resources are watched`;
}
