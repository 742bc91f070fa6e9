import type { DeliveryFailure, DeliveryReport } from '../model/delivery.ts';
import type { Decision, Incident } from '../model/incident.ts';
import type { Act, Notification } from '../model/notification.ts';
import type { Ref } from '../model/ref.ts';
import type { ProviderRow } from './provider-row.ts';

/** What was decided of an incident at one instant (`at`: epoch milliseconds). */
export type TrailStep = Pick<Decision, 'action' | 'disposition' | 'audience' | 'reasonCode' | 'by' | 'severity'> & {
  readonly at: number;
};

/** A message, and what its provider answered. Times are epoch milliseconds. */
export type TrailDelivery = {
  readonly provider: Ref;
  readonly act: Act;
  readonly createdAt: number;
  /** `waiting`: no answer is known. */
  readonly ended: 'waiting' | DeliveryReport['ended'];
  /** When it ended, or when it was last tried. */
  readonly at?: number;
  readonly attempts: number;
  /** What the last attempt that failed said, whatever came after it. */
  readonly failure?: DeliveryFailure;
};

/** What is known of one incident, or of one message about many, beyond how it stands: the oldest first. */
export type IncidentTrail = {
  readonly steps: readonly TrailStep[];
  readonly deliveries: readonly TrailDelivery[];
  /** Older steps and deliveries that are not kept any more. */
  readonly forgotten: number;
};

/** An incident as a report shows it: while it was open, in the words of that time. */
export type ReportedIncident = {
  readonly incident: Incident;
  readonly words: Notification;
  readonly trail: IncidentTrail;
};

/** What a report is made of. Times are epoch milliseconds. */
export type ReportView = {
  readonly clusterName: string;
  /** Where it is from, for people: `the recording outage.jsonl`. */
  readonly source: string;
  /** What it is limited to, for people; absent: everything. */
  readonly about?: string;
  readonly from: number;
  readonly until: number;
  readonly incidents: readonly ReportedIncident[];
  /** The incident of an id, whether the report shows it or not. */
  parent(id: string): Incident | undefined;
  /** Messages about no single incident: summaries of a start, digests, overviews, tests. */
  readonly others: readonly TrailDelivery[];
  readonly providers: readonly ProviderRow[];
};

/** What a report is asked for: all that is known, or what concerns an object (`deployment/shop/api`) or overlaps a time (epoch milliseconds). */
export type ReportQuestion = { readonly object?: string; readonly from?: number; readonly until?: number };
