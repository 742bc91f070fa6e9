import type { Decision, Incident } from '../model/incident.ts';

/** What a decision says beyond the incident it is about. */
export type Decided = Pick<Decision, 'action' | 'from' | 'to' | 'audience' | 'disposition' | 'reasonCode' | 'by'>;

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
