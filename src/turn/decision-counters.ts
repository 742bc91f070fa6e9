import type { Decision } from '../model/incident.ts';
import type { Counters } from '../model/turn.ts';

/** Decisions counted for the metrics: by what was done and what became of it. */
export function decisionCounters(decisions: readonly Decision[]): Counters {
  return decisions.map((decision) => ({
    name: 'tocsin_decisions_total',
    labels: { action: decision.action, disposition: decision.disposition, severity: decision.severity },
    by: 1,
  }));
}
