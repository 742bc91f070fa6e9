/** What must be there of a saved incident. A field that is added to `Incident` is added here, or this does not compile. */
import { failureCodes } from '../../model/delivery.ts';
import {
  type Disposition,
  type Hearing,
  incidentStates,
  type Sending,
  type Standing,
  type Told,
  type Trouble,
} from '../../model/incident.ts';
import type { Reason } from '../../model/reason.ts';
import { confidences, severities } from '../../model/severity.ts';
import { flag, listOf, number, oneOf, record, ref, type Shape, set, tableOf, text, word } from '../../model/shape.ts';
import type { IncidentRow } from '../explanations.ts';

const toldFields = {
  severity: oneOf(severities),
  reason: word<Reason>(),
  root: ref,
  affected: number,
  at: number,
} as const;

const toldLater = {
  confidence: oneOf(confidences),
  cause: text,
  worst: oneOf(severities),
  down: listOf(ref),
  serves: set,
  updatedAt: number,
  recurringAt: number,
  rootRevised: set,
  clusters: listOf(text),
  acknowledgedAt: number,
} as const;

const told: Shape<Told> = record(toldFields, toldLater);

/** A newer version may know dispositions that this one does not: `incidentOf` leaves those out, and the rest stands. */
const standing: Shape<Standing> = record({ disposition: word<Disposition>(), at: number }, { by: text });

/** What says who acknowledged an incident, besides the name. */
const said = { via: text, since: number } as const;

const sending: Shape<Sending> = record(
  { act: oneOf(['open', 'update', 'resolve', 'reopen', 'startup']), sequence: number, told },
  { summary: text },
);

const trouble: Shape<Trouble> = record(
  { at: number, code: oneOf(failureCodes), message: text, overdue: flag, givenUp: number },
  { refused: set },
);

const listActs = ['startup', 'overview', 'digest'] as const;

const hearing: Shape<Hearing> = record(
  { knows: oneOf(['nothing', 'perhapsOpen', 'open', 'perhapsOver', 'over']) },
  {
    told,
    perhaps: told,
    sending: listOf(sending),
    trouble,
    listed: listOf(
      record(
        { act: oneOf(listActs), id: text, severity: oneOf(severities) },
        { sequence: number, over: set, closings: number, past: set },
      ),
    ),
    collapsed: oneOf(severities),
    standsInFor: listOf(text),
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
    hearings: tableOf(hearing),
  },
  {
    seenAt: number,
    settlesFrom: number,
    askedAt: number,
    openedAt: number,
    clearSince: number,
    resolvedAt: number,
    unseenSince: number,
    takenBy: listOf(text),
    baseline: set,
    atStart: record({ ...toldFields, reasons: listOf(word<Reason>()) }, toldLater),
    outgrown: set,
    foldedInto: text,
    rootFailed: set,
    recurring: record({ toldAt: number, returns: number }, { summary: record({ times: number, since: number }) }),
    previous: record({ id: text, times: number }),
    faceSince: number,
    downSince: tableOf(number),
    leftOf: listOf(text),
    blamedIs: oneOf(['explanation', 'own']),
    acknowledged: record({ by: text, at: number, severity: oneOf(severities), reason: word<Reason>() }, said),
    lapsed: record({ by: text }, said),
    withdrawn: record({ by: text, at: number }, said),
  },
);
