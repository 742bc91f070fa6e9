import { describeChange } from '../../message/parts/change.ts';
import { whoAcknowledged } from '../../model/acknowledgement.ts';
import { lastArrived } from '../../model/hearing.ts';
import type { Incident } from '../../model/incident.ts';
import { html, type Markup, timeTag } from './markup.ts';

/** One thing that happened, and when (epoch milliseconds). */
export type Moment = { readonly at: number; readonly what: string };

function momentsOf(incident: Incident, now: number, said?: readonly Moment[]): readonly Moment[] {
  const { explanation, startedAt, openedAt, clearSince, resolvedAt, recoveries, acknowledged } = incident;
  const { change, root } = explanation;
  const told = lastArrived(incident);
  const moments: (Moment | undefined)[] = [
    change && { at: change.at, what: `Changed: ${describeChange(change, root.ref, now)}` },
    { at: startedAt, what: 'First failure' },
    openedAt === undefined ? undefined : { at: openedAt, what: 'Incident opened' },
    told === undefined || told.at === openedAt || said ? undefined : { at: told.at, what: 'Last notified' },
    ...(said ?? []),
    ...recoveries.slice(0, -1).map((at) => ({ at, what: 'Recovered, and failed again' })),
    acknowledged && { at: acknowledged.at, what: `Acknowledged by ${whoAcknowledged(acknowledged)}` },
    clearSince === undefined ? undefined : { at: clearSince, what: 'Healthy again' },
    resolvedAt === undefined ? undefined : { at: resolvedAt, what: 'Resolved' },
  ];
  return moments.filter((moment) => moment !== undefined).sort((a, b) => a.at - b.at);
}

/**
 * What happened to an incident, the first thing first. `now`: epoch milliseconds. `said`: each time that somebody was told, where that is
 * known; else only the last one is.
 */
export function timeline(incident: Incident, now: number, said?: readonly Moment[]): Markup {
  const rows = momentsOf(incident, now, said).map(({ at, what }) => html`<li>${timeTag(at, now)} ${what}</li>`);
  return html`<ol class="timeline">${rows}</ol>`;
}
