import type { Audience, Decision, Disposition, Incident, IncidentState } from '../model/incident.ts';

/** What a decision says beyond the incident it is about. */
export type Decided = {
  readonly action: Decision['action'];
  readonly from: IncidentState | null;
  readonly to: IncidentState | null;
  readonly audience: Audience;
  readonly disposition: Disposition;
  readonly reasonCode: string;
  readonly by?: string;
};

/** Records a decision about an incident. */
export function decisionOf(incident: Incident, now: number, decided: Decided): Decision {
  const { root, reason, severity, confidence, affected, trace } = incident.explanation;
  return {
    time: new Date(now).toISOString(),
    incident: incident.id,
    ...decided,
    root: root.ref,
    reason,
    severity,
    confidence,
    affected: affected.length,
    trace,
  };
}
