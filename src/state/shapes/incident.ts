/** What must be there of a saved incident. A field that is added to `Incident` is added here, or this does not compile. */
import { dispositions, incidentStates, type Standing, type Told } from '../../model/incident.ts';
import { severities } from '../../model/severity.ts';
import {
  type Fields,
  listOf,
  number,
  oneOf,
  record,
  ref,
  type Shape,
  set,
  tableOf,
  text,
  word,
} from '../../model/shape.ts';
import type { IncidentRow } from '../explanations.ts';

const told: Fields<Told> = { severity: oneOf(severities), reason: word(), root: ref, affected: number, at: number };

const standing: Shape<Standing> = record(
  {
    disposition: oneOf(dispositions),
    at: number,
  },
  {
    by: text,
    told: record(told),
  },
);

/** The shape of the row of an incident. */
export const incidentShape: Shape<IncidentRow> = record(
  {
    id: text,
    alertKey: text,
    state: oneOf(incidentStates),
    startedAt: number,
    revision: number,
    recoveries: listOf(number),
    standings: tableOf(standing),
    toldTo: listOf(text),
  },
  {
    seenAt: number,
    settlesFrom: number,
    openedAt: number,
    clearSince: number,
    resolvedAt: number,
    unseenSince: number,
    takenBy: listOf(text),
    endToldTo: listOf(text),
    endOwedTo: listOf(text),
    listedIn: listOf(record({ provider: text, act: oneOf(['startup', 'overview', 'digest']), id: text })),
    baseline: set,
    atStart: record({ ...told, reasons: listOf(word()) }),
    foldedInto: text,
    rootFailed: set,
    rootRevised: set,
    recurring: record({ toldAt: number, returns: number }),
    previous: record({ id: text, times: number }),
    considered: record(told),
    leftOf: listOf(text),
  },
);
