import type { Incident } from '../../model/incident.ts';
import { byWeight, isOpen } from '../incidents.ts';
import type { HealthView, StatusView } from '../views.ts';
import { lastDay } from './day.ts';
import { headline } from './headline.ts';
import { incidentCard } from './incident.ts';
import { html, type Markup } from './markup.ts';
import { places, shell } from './shell.ts';
import { clusters, coverage, failedDeliveries, hubLine, providers } from './tables.ts';

/** Incidents shown at most; so few are open at first, of more one sees the rows. */
const mostCards = 500;
const fewCards = 3;
/** Those that ended lately and are still listed. */
const mostOver = 20;
/** Cards that are written before anything waits for more: what fills the first screen; and how many at a time after it. */
const firstCards = 10;
const cardsAtOnce = 25;

const isHeard = ({ standings }: Incident): boolean =>
  Object.values(standings).some(({ disposition }) => disposition === 'Delivered' || disposition === 'ToldByHub');

/**
 * The page of now for browsers, in parts that can be sent one by one: the first is the first screen, so that one sees it however much
 * follows. `now`: epoch milliseconds.
 */
export function* statusPage(view: StatusView, health: HealthView, now: number): Generator<string, void> {
  const { clusterName: cluster } = view;
  const about = {
    title: cluster === '' ? 'Tocsin' : cluster,
    cluster,
    subtitle: `Tocsin ${health.version}, ${health.edition}`,
  };
  const [head, foot] = shell(about, places.status);
  let before = head;
  for (const part of statusContent(view, health, now)) {
    yield before + part;
    before = '';
  }
  yield foot;
}

/** What of the page changes: its parts have ids, so that they can be exchanged one by one. */
export function* statusContent(view: StatusView, health: HealthView, now: number): Generator<string, void> {
  const all = view.incidents;
  const open = all.filter(isOpen).toSorted(byWeight);
  const heard = open.filter(isHeard);
  const kept = open.filter((incident) => !isHeard(incident));
  const over = all
    .filter(({ state }) => state === 'Resolved')
    .toSorted((a, b) => (b.resolvedAt ?? 0) - (a.resolvedAt ?? 0))
    .slice(0, mostOver);
  const byId = new Map(all.map((incident) => [incident.id, incident]));
  const context = { settings: view.settings, parent: (id: string): Incident | undefined => byId.get(id) };
  const { one } = places.status;
  const card = (incident: Incident, opened = false): Markup => {
    const told = view.history.get(incident.id) ?? { incident, words: view.words(incident) };
    return incidentCard(told, now, { open: opened, one }, context);
  };
  const watchedFrom = Math.min(view.watchingSince, view.history.oldest ?? Number.POSITIVE_INFINITY);
  yield html`${headline(heard, kept.length, view.clusterName)}
${healthLine(health)}${view.hub !== undefined && hubLine(view.hub)}
<section id="day">${lastDay(all, now, watchedFrom)}</section>
${open.length > fewCards && filter}
${heard.length > 0 && html`<h2 id="open-title">${heard.length} open</h2>`}
<section id="open" data-list>${heard.slice(0, firstCards).map((each) => card(each, heard.length <= fewCards))}${heard.length === 0 && kept.length > 0 && html`<p class="empty" id="empty">What is broken is held back, part of another incident, or was there at the start: ${kept.length} below.</p>`}`
    .text;
  yield* inParts(heard.slice(firstCards, mostCards), card);
  yield html`${more(heard)}</section>
${kept.length > 0 && html`<h2 id="kept-title">${kept.length} held back</h2>`}
<section id="kept" data-list>`.text;
  yield* inParts(kept.slice(0, mostCards), card);
  yield html`${more(kept)}</section>
${over.length > 0 && html`<h2 id="over-title">Recently resolved</h2><section id="over" data-list>${over.map((each) => card(each))}</section>`}
${
  view.clusters !== undefined &&
  html`<h2 id="clusters-title">Clusters</h2><section id="clusters">${clusters(view.clusters, now)}</section>
`
}<h2 id="failed-title">Failed deliveries</h2><section id="failed">${failedDeliveries(view.deadLetters, now)}</section>
<h2 id="providers-title">Providers</h2><section id="providers">${providers(view.providers, now)}</section>
<h2 id="coverage-title">What is watched</h2><section id="coverage"><details><summary>${coverageLine(health)}</summary>${coverage(health.coverage)}</details></section>`
    .text;
}

const filter = html`<div id="filter-row" class="filter" data-keep><input id="filter" type="search" autocomplete="off" placeholder="Filter by object, namespace, reason, severity" aria-label="Filter what is open"><span id="filtered" class="soft" role="status"></span></div>`;

/** Closed cards, some at a time. */
function* inParts(list: readonly Incident[], card: (incident: Incident) => Markup): Generator<string, void> {
  for (let from = 0; from < list.length; from += cardsAtOnce)
    yield html`${list.slice(from, from + cardsAtOnce).map((each) => card(each))}`.text;
}

const more = (list: readonly Incident[]): Markup | false =>
  list.length > mostCards && html`<p class="more" id="more">and ${list.length - mostCards} more</p>`;

function healthLine({ reasons }: HealthView): Markup {
  return reasons.length === 0
    ? html`<p id="state">Tocsin is healthy.</p>`
    : html`<p id="state" class="degraded">Tocsin is degraded: ${reasons.join(', ')}</p>`;
}

function coverageLine({ coverage: rows }: HealthView): string {
  const watching = rows.filter(({ state }) => state === 'Watching').length;
  return `${watching} of ${rows.length} resources are watched`;
}
