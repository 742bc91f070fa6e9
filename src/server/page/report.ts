import { createHash } from 'node:crypto';
import { clockTime } from '../../message/parts/times.ts';
import { count, list } from '../../message/parts/words.ts';
import { humanDuration } from '../../model/duration.ts';
import { lastTold } from '../../model/hearing.ts';
import { describeRef } from '../../model/ref.ts';
import { type Severity, severities } from '../../model/severity.ts';
import type { ReportedIncident, ReportView } from '../report-view.ts';
import { periodStrip } from './day.ts';
import { anchor, incidentCard } from './incident.ts';
import { html, Markup } from './markup.ts';
import { style } from './style.ts';
import { providers, table } from './tables.ts';
import { deliveryTable, saidOf, stepTable, trailOf } from './trail.ts';

/** Incidents shown whole at most, and rows of the list of all. */
const mostCards = 300;
const mostRows = 1_000;

/** What paper and a page that stands alone need beyond the status page. */
const own = `
.source{margin:.25rem 0 0;overflow-wrap:anywhere}
.contents a{text-decoration:none}
td time{white-space:nowrap}
.scroll:not(.stacked) table{min-width:44rem}
@media print{
:root{color-scheme:light;--paper:#fff;--back:#fff;--ink:#000;--soft:#444;--line:#bbb;--link:#000;--critical:#b3001b;--high:#b54708;--medium:#8a6100;--low:#475467;--good:#146c2e}
body{font-size:11pt}
header,main,footer{max-width:none;padding:0}
.card{break-inside:auto}.card>summary,h2,h3,figure,svg,tr{break-inside:avoid}h2,h3,.card>summary{break-after:avoid}
.scroll{overflow:visible}.scroll table{min-width:0}
rect,.card{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;
const sheet = `${style}${own}`;

/** What a browser may do with it, wherever it is opened: show it in its own style. It has no scripts and asks nobody for anything. */
export const reportPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(sheet).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A report for people who look back: one page that needs nothing else. */
export function reportPage(view: ReportView): string {
  const { clusterName, source, about, from, until, incidents } = view;
  const title = `Incident report${clusterName === '' ? '' : ` · ${clusterName}`}`;
  const day = new Date(from).toISOString().slice(0, 10);
  const heard = incidents.filter(wasTold);
  const kept = incidents.filter((each) => !wasTold(each));
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${reportPolicy}"><meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${new Markup(sheet)}</style></head>
<body>
<header><h1>${title}</h1><span class="soft">${day}, ${clockTime(from, from)} to ${clockTime(until, from)}</span></header>
<main>
<p class="source">From ${source}.${about !== undefined && ` Only ${about}.`}</p>
<p><b>${summary(heard, kept)}</b></p>
<section id="strip">${periodStrip(
    incidents.map(({ incident }) => incident),
    view,
  )}</section>
${incidents.length > 0 && html`<h2>What broke</h2>${contents(incidents, until)}`}
${heard.length > 0 && html`<h2>${heard.length} told</h2>${cards(heard, view)}`}
${kept.length > 0 && html`<h2>${kept.length} held back, or part of another</h2>${cards(kept, view)}`}
${view.others.length > 0 && html`<h2>Summaries and other messages</h2>${deliveryTable('Summaries and other messages', view.others, until)}`}
<h2>Providers</h2>${providers(view.providers, until)}
</main>
<footer>Made by Tocsin. Times are UTC. Credentials that Tocsin knows by their shape are blanked out; names and log lines of the cluster are not: look through it before you hand it on.</footer>
</body>
</html>
`.text;
}

/** Somebody had a message of its own about it, at any time. */
function wasTold({ incident, trail }: ReportedIncident): boolean {
  return (
    lastTold(incident) !== undefined ||
    trail.deliveries.length > 0 ||
    Object.values(incident.standings).some(({ disposition }) => disposition === 'Delivered')
  );
}

function summary(heard: readonly ReportedIncident[], kept: readonly ReportedIncident[]): string {
  if (heard.length + kept.length === 0) return 'Nothing was wrong that Tocsin could see.';
  const bySeverity = severities
    .map((severity): readonly [Severity, number] => [
      severity,
      heard.filter(({ incident }) => incident.explanation.severity === severity).length,
    ])
    .filter(([, number]) => number > 0)
    .map(([severity, number]) => `${number} ${severity}`);
  const told = heard.length === 0 ? 'Nobody was told of anything' : `${count(heard.length, 'incident')} told`;
  const how = bySeverity.length > 0 ? ` (${list(bySeverity)})` : '';
  const rest = kept.length > 0 ? `, ${kept.length} held back or part of another` : '';
  return `${told}${how}${rest}.`;
}

/** All of them, one line each, in the order in which they began. */
function contents(incidents: readonly ReportedIncident[], until: number): Markup {
  const rows = incidents.slice(0, mostRows).map(({ incident }, index) => {
    const { id, explanation, startedAt, resolvedAt } = incident;
    const { severity, reason, root, affected, affectedCount = affected.length } = explanation;
    const lasted = resolvedAt === undefined ? 'not over' : humanDuration(Math.max(0, resolvedAt - startedAt));
    const name = html`<b>${reason}</b> ${describeRef(root.ref)}`;
    return html`<tr><td><time datetime="${new Date(startedAt).toISOString()}">${clockTime(startedAt, until)}</time></td><td class="${severity}"><span class="severity">${severity}</span></td><th scope="row">${index < mostCards ? html`<a href="#${anchor(id)}">${name}</a>` : name}</th><td class="number">${affectedCount}</td><td>${lasted}</td></tr>`;
  });
  const headings = ['Began', 'Severity', 'What', 'Also hit', 'Lasted'];
  return html`<div class="contents">${table('What broke', headings, rows, incidents.length)}</div>`;
}

/** Whom each message went to stands in the table of messages. */
const nobody = { providers: [], operatorNamespace: '', silences: [], windows: [] } as const;

function cards(incidents: readonly ReportedIncident[], { until, parent }: ReportView): Markup {
  const shown = incidents.slice(0, mostCards).map((each) => {
    const { incident, words, trail } = each;
    const below = html`${stepTable(trail, incident.id, until)}${trailOf(trail, incident.id, until)}`;
    const told = { incident, words, more: { said: saidOf(trail), below } };
    return incidentCard(told, until, { open: true }, { settings: nobody, parent });
  });
  const rest = incidents.length - shown.length;
  return html`${shown}${rest > 0 && html`<p class="more">and ${rest} more</p>`}`;
}
