import {
  type Acknowledgement,
  acknowledgementOf,
  isSameAcknowledgement,
  whoAcknowledged,
} from '../model/acknowledgement.ts';
import type { Decision, Incident } from '../model/incident.ts';
import type { Settings } from '../model/settings.ts';
import { compareSeverity } from '../model/severity.ts';
import { decisionOf } from './decision.ts';

/** An incident with who has taken it on, and what was decided by that; `undefined` where nothing was. */
export type Acknowledging = { readonly incident: Incident; readonly decision?: Decision };

/**
 * Takes over what the annotations say of an incident that people know of. What acknowledged its last time acknowledges nothing more: it
 * failed again since, and that is news. `now`: epoch milliseconds.
 */
export function acknowledge(incident: Incident, { acknowledgements = {} }: Settings, now: number): Acknowledging {
  if (incident.state !== 'Open' && incident.state !== 'Recovering') return { incident };
  const said = acknowledgements[incident.id];
  // Most are taken on by nobody, and each is looked at in every turn: none is copied for that.
  if (said === undefined && incident.acknowledged === undefined && incident.lapsed === undefined) return { incident };
  const { state, explanation, acknowledged, lapsed, ...rest } = incident;
  const wanted = isSameAcknowledgement(said, lapsed) ? undefined : said;
  const known = { ...rest, state, explanation };
  const kept = said === undefined ? {} : lapsed && { lapsed };
  if (isSameAcknowledgement(wanted, acknowledged)) {
    const isForgotten = lapsed !== undefined && said === undefined;
    return { incident: isForgotten ? { ...known, ...(acknowledged && { acknowledged }) } : incident };
  }
  const { severity, reason } = explanation;
  const next: Incident =
    wanted === undefined
      ? { ...known, ...kept, ...(acknowledged && { withdrawn: { ...acknowledgementOf(acknowledged), at: now } }) }
      : { ...known, ...kept, acknowledged: { ...wanted, at: sinceWhen(wanted, incident, now), severity, reason } };
  const who = wanted ?? acknowledged;
  const decision = decisionOf(next, now, {
    ...{ action: wanted ? 'acknowledge' : 'unacknowledge', from: state, to: state, audience: '' },
    ...{ disposition: next.standings['']?.disposition ?? 'Delivered' },
    reasonCode: wanted ? 'Acknowledged' : 'AcknowledgementWithdrawn',
    ...(who && { by: whoAcknowledged(who) }),
  });
  return { incident: next, decision };
}

/** When it was said, as far as that can be: the annotation may say anything. */
const sinceWhen = (
  { since = Number.POSITIVE_INFINITY }: Acknowledgement,
  { openedAt = 0 }: Incident,
  now: number,
): number => Math.min(now, Math.max(since, openedAt));

/** Whether who took it on knows how it stands: since then it has neither become worse nor another failure. */
export function isInHand({ acknowledged, explanation: { severity, reason } }: Incident): boolean {
  return (
    acknowledged !== undefined &&
    acknowledged.reason === reason &&
    compareSeverity(severity, acknowledged.severity) >= 0
  );
}
