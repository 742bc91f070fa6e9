import type { DeliveryReport } from '../model/delivery.ts';
import { hearingOf } from '../model/hearing.ts';
import type { Incident, ProviderUid } from '../model/incident.ts';
import { afterReport, withHearing } from './hearing.ts';
import { closeAnew } from './list-endings.ts';
import type { IncidentStore } from './store.ts';

/** A provider answers: whoever stood in for it is asked anew when it is silent again. */
function withoutStandIns(incident: Incident, uid: ProviderUid): Incident {
  let next = incident;
  for (const [reader, { standsInFor, ...hearing }] of Object.entries(incident.hearings)) {
    if (!standsInFor?.includes(uid)) continue;
    const others = standsInFor.filter((one) => one !== uid);
    next = withHearing(next, reader, others.length > 0 ? { ...hearing, standsInFor: others } : hearing);
  }
  return next;
}

function afterIncidentReport(incident: Incident, report: DeliveryReport): Incident {
  const { providerUid: uid, ended } = report;
  const next = withHearing(incident, uid, afterReport(hearingOf(incident, uid), report));
  return ended === 'delivered' ? withoutStandIns(next, uid) : next;
}

/** What a list named counts as named once it may have arrived; one that arrived nowhere has named nothing. */
function afterListReport(incident: Incident, report: DeliveryReport): Incident {
  const { providerUid: uid, stream, ended, act, sequence, mayHaveArrived } = report;
  const hearing = hearingOf(incident, uid);
  const isNamed = hearing.listed?.some(({ id }) => id === stream) === true;
  const isSent = hearing.sending?.some(({ summary }) => summary === stream) === true;
  if (isSent) return withHearing(incident, uid, afterReport(hearing, report, stream));
  if (!isNamed || ended === 'delivered' || ended === 'pending') return incident;
  const isClosing = hearing.listed?.some(({ id, over }) => id === stream && over) === true;
  if (act === 'resolve' || (act === 'overview' && sequence > 1 && isClosing)) return closeAnew(incident, uid, stream);
  if (mayHaveArrived) return incident;
  // Of a list that was told anew in its course what earlier ones have named stays named.
  const listed = hearing.listed?.filter((one) => one.id !== stream || (one.sequence ?? sequence) !== sequence) ?? [];
  if (listed.length === hearing.listed?.length) return incident;
  const { listed: _, ...rest } = afterReport(hearing, report, stream);
  return withHearing(incident, uid, listed.length > 0 ? { ...rest, listed } : rest);
}

/** A list that could not be told for so long that a fallback is to be told it, and what it names. */
export type UntoldList = { readonly report: DeliveryReport; readonly incidents: readonly string[] };

const names = ({ hearings }: Incident, { providerUid, stream }: DeliveryReport): boolean => {
  const { listed = [], sending = [] } = hearings[providerUid] ?? {};
  return listed.some(({ id }) => id === stream) || sending.some(({ summary }) => summary === stream);
};

/**
 * Takes in how attempts and deliveries ended: what each reader has really heard of each incident. Returns the lists that are to be told to
 * fallbacks. `touched`: gets the ids of the incidents whose hearings changed.
 */
export function applyReports(
  reports: readonly DeliveryReport[],
  store: IncidentStore,
  touched: Set<string>,
): readonly UntoldList[] {
  const untold: UntoldList[] = [];
  for (const report of reports) {
    const { act, stream, ended, overdue } = report;
    if (act === 'test') continue;
    const incident = store.get(stream);
    const concerned = incident ? [incident] : store.all().filter((one) => names(one, report));
    if (!incident && act !== 'resolve' && concerned.length > 0 && (ended === 'failed' || overdue === true))
      untold.push({ report, incidents: concerned.map(({ id }) => id) });
    for (const one of concerned) {
      const next = incident ? afterIncidentReport(one, report) : afterListReport(one, report);
      if (next === one) continue;
      touched.add(one.id);
      store.put(next);
    }
  }
  return untold;
}
