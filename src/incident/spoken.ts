import type { Explanation } from '../model/explanation.ts';
import type { Incident } from '../model/incident.ts';
import { type Severity, worse } from '../model/severity.ts';
import { sameFailure } from './failure-class.ts';
import { asSureAsTold } from './sureness.ts';

const isOver = ({ state }: Incident): boolean => state === 'Recovering' || state === 'Resolved';

/** The worst that anybody was told. */
function worstTold({ hearings }: Incident, severity: Severity): Severity {
  let worst = severity;
  for (const { told, sending = [] } of Object.values(hearings))
    for (const one of [...(told ? [told] : []), ...sending.map((message) => message.told)])
      worst = worse(worst, one.worst ?? one.severity);
  return worst;
}

function spokenExplanation(incident: Incident): Explanation {
  const { blamed } = incident;
  const explanation = asSureAsTold(incident.explanation, blamed);
  const lost = blamed && explanation.confidence === 'unknown' && sameFailure(blamed, explanation) ? blamed : undefined;
  if (!isOver(incident)) {
    if (lost === undefined) return explanation;
    const { confidence, change, proof, trace, sign } = lost;
    const cause = { confidence, proof, trace, ...(change && { change }), ...(sign && { sign }) };
    return { ...explanation, ...cause, ...(explanation.sign && { sign: explanation.sign }) };
  }
  const kept = lost ?? explanation;
  const severity = worstTold(incident, kept.severity);
  return severity === kept.severity ? kept : { ...kept, severity };
}

const known = new WeakMap<Incident, Incident>();

/**
 * The incident as people are told and shown it. A rollback takes the edit away that was blamed, and what recovers is milder for a while: the
 * cause that was told is kept until it is taken back by a message, and what is over is as severe as it was told.
 */
export function spokenOf(incident: Incident): Incident {
  const before = known.get(incident);
  if (before) return before;
  const explanation = spokenExplanation(incident);
  const spoken = explanation === incident.explanation ? incident : { ...incident, explanation };
  known.set(incident, spoken);
  return spoken;
}
