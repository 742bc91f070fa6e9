import { humanDuration } from '../../model/duration.ts';
import type { Incident } from '../../model/incident.ts';
import { describeRef } from '../../model/ref.ts';
import { type Count, type Found, isOpen } from '../incidents.ts';
import type { HistoryQuestion, InWords } from '../past.ts';
import type { StatusView } from '../views.ts';
import { incidentCard } from './incident.ts';
import { html, type Markup, timeTag } from './markup.ts';
import { type Place, places, shell } from './shell.ts';
import { cell, table } from './tables.ts';

const pageOf = (view: StatusView, place: Place, title: string, content: Markup): string => {
  const [head, foot] = shell({ title, cluster: view.clusterName, subtitle: '' }, place);
  return head + content.text + foot;
};

const contextOf = (view: StatusView) => {
  const byId = new Map(view.incidents.map((incident): [string, Incident] => [incident.id, incident]));
  return { settings: view.settings, parent: (id: string): Incident | undefined => byId.get(id) };
};

/** What was found of the incidents of now and of the past, with a form to ask for others. `now`: epoch milliseconds. */
export function historyPage(view: StatusView, found: Found, asked: HistoryQuestion, now: number): string {
  const { total, shown, counts } = found;
  const { oldest } = view.history;
  const context = contextOf(view);
  const cards = shown.map((one) => incidentCard(one, now, { open: false, one: places.history.one }, context));
  const content = html`<h2 class="headline">${total === 0 ? 'No incident fits' : `${total} ${total === 1 ? 'incident' : 'incidents'}`}</h2>
<p class="soft">${oldest === undefined ? 'Nothing that is over is remembered yet.' : html`What ended is remembered since ${timeTag(oldest, now)}, for 30 days at most.`}</p>
${form(asked, now)}
<section id="found">${cards}${total > shown.length && html`<p class="more">and ${total - shown.length} more: narrow the search</p>`}</section>
${counts.length > 0 && html`<h2>How often, and how long</h2>${reasons(counts)}`}`;
  return pageOf(view, places.history, `History · ${view.clusterName === '' ? 'Tocsin' : view.clusterName}`, content);
}

/** Periods that the form offers. */
const periods = [
  ['', 'any time', Number.POSITIVE_INFINITY],
  ['24h', 'the last day', 24 * 60 * 60_000],
  ['7d', 'the last 7 days', 7 * 24 * 60 * 60_000],
] as const;

function form({ search = '', state, namespace, since }: HistoryQuestion, now: number): Markup {
  const options = periods.map(
    ([value, says, ms]) => html`<option value="${value}"${since === now - ms && html` selected`}>${says}</option>`,
  );
  return html`<form class="filter" method="get"><input type="search" name="search" value="${search}" placeholder="api reason:OOMKilled cause:image" aria-label="Search incidents"><select name="since" aria-label="When">${options}</select><select name="state" aria-label="Which"><option value="">open and over</option><option value="over"${state === 'over' && html` selected`}>over</option><option value="open"${state === 'open' && html` selected`}>open</option></select>${namespace !== undefined && html`<input type="hidden" name="namespace" value="${namespace}">`}<button type="submit">Search</button></form>`;
}

function reasons(counts: readonly Count[]): Markup {
  const rows = counts.map(
    ({ reason, count, medianMs }) =>
      html`<tr><th scope="row">${reason}</th>${cell('Incidents', count, 'number')}${cell('Lasted, the middle one', medianMs === undefined ? '–' : humanDuration(medianMs))}</tr>`,
  );
  return table('How often, and how long', ['Reason', 'Incidents', 'Lasted, the middle one'], rows, rows.length);
}

/** The page of one incident, which keeps its address when it is over. `undefined`: nobody knows it any more. */
export function incidentPage(view: StatusView, one: InWords | undefined, now: number): string {
  if (one === undefined) {
    const content = html`<h2 class="headline">This incident is not known</h2><p>Incidents that are over are remembered for 30 days, at most 2,000 of them: on Community since Tocsin started, on Pro across restarts.</p>`;
    return pageOf(view, places.incident, 'Not known · Tocsin', content);
  }
  const { incident } = one;
  const { severity, reason, root } = incident.explanation;
  const says = isOpen(incident) ? severity : 'resolved';
  const title = `${reason} · ${describeRef(root.ref)}`;
  const content = html`<h2 class="headline ${isOpen(incident) ? severity : 'good'}" data-level="${isOpen(incident) ? severity : 'good'}" data-title="${title}">${describeRef(root.ref)}: ${reason} · ${says}</h2>
<section id="one">${incidentCard(one, now, { open: true, one: places.incident.one, alone: true }, contextOf(view))}</section>`;
  return pageOf(view, places.incident, title, content);
}
