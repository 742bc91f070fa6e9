import type { DeliveryReport } from '../model/delivery.ts';
import type { Incident } from '../model/incident.ts';
import type { IncidentStore } from './store.ts';

const without = (uids: readonly string[], missed: ReadonlySet<string>): string[] =>
  uids.filter((uid) => !missed.has(uid));

/** Who has not got an opening knows nothing of the incident; who has not got its end is owed that. */
function afterMiss(incident: Incident, act: DeliveryReport['act'], missed: ReadonlySet<string>): Incident {
  const { endToldTo = [], endOwedTo = [], ...rest } = incident;
  if (act === 'open' || act === 'reopen')
    return {
      ...{ ...rest, toldTo: without(incident.toldTo, missed), endToldTo: without(endToldTo, missed) },
      endOwedTo: without(endOwedTo, missed),
    };
  if (act !== 'resolve' || incident.state !== 'Resolved') return incident;
  const owed = endToldTo.filter((uid) => missed.has(uid));
  return { ...rest, endToldTo: without(endToldTo, missed), endOwedTo: [...endOwedTo, ...owed] };
}

/** A summary that arrived nowhere has listed nothing. */
function afterLostSummary(incident: Incident, summary: string, missed: ReadonlySet<string>): Incident {
  const left = incident.listedIn?.filter(({ id, provider }) => id !== summary || !missed.has(provider));
  if (left === undefined || left.length === incident.listedIn?.length) return incident;
  return { ...incident, listedIn: left, toldTo: without(incident.toldTo, missed) };
}

/**
 * Takes in from ended deliveries who was not reached: an opening or summary that certainly never arrived has not been told, so
 * that it is told when the provider works again, and an end that never arrived is owed. A fallback that took it over counts
 * for the provider it stood in for, until it turns out that the fallback could not deliver it either.
 */
export function applyReports(reports: readonly DeliveryReport[], store: IncidentStore): void {
  for (const { stream, act, untold } of reports) {
    if (untold.length === 0 || act === 'test') continue;
    const missed = new Set(untold.map(({ providerUid }) => providerUid));
    const incident = store.get(stream);
    if (incident) store.put(afterMiss(incident, act, missed));
    else for (const one of store.all()) store.put(afterLostSummary(one, stream, missed));
  }
}
