import { awaitsEnd, hearingOf } from '../model/hearing.ts';
import { isOutside } from '../model/hub.ts';
import type { Audience, Incident } from '../model/incident.ts';
import { type Ref, refOf } from '../model/ref.ts';
import { wholeCluster } from '../model/view.ts';
import type { StepContext } from './context.ts';

/** So long an incident waits for the hub's answer before the cluster tells it itself (ms). */
export const hubWaitMs = 10_000;

/** What the hub has said, and when it is asked whether that holds. */
type Heard = Pick<StepContext, 'hub' | 'now' | 'providersIn'>;

/** Whether the hub has told it, and that was confirmed lately. */
const isToldThere = ({ id }: Incident, { hub, now }: Heard): boolean => (hub?.told[id] ?? 0) > now;

/** Whether somebody of the audience takes it for open: who read of its beginning reads how it goes on, and its end. */
const isKnownHere = (incident: Incident, audience: Audience, { providersIn }: Heard): boolean =>
  (providersIn.get(audience) ?? []).some(({ uid }) => awaitsEnd(hearingOf(incident, uid)));

/**
 * The ref of the hub that has told an audience's people already: only of what lies outside of the cluster, and for the cluster's own people, of
 * whom nobody has heard of it. `undefined`: none has.
 */
export function hubThatTold(incident: Incident, audience: Audience, context: Heard): Ref | undefined {
  if (context.hub === undefined || audience !== wholeCluster) return undefined;
  const isTold = isOutside(incident.explanation.root.ref) && isToldThere(incident, context);
  return isTold && !isKnownHere(incident, audience, context) ? refOf('Hub', '', context.hub.name) : undefined;
}

/** Whether something that is about to be told waits for the hub's answer: it has answered lately, and not yet about this. */
export function awaitsHub(incident: Incident, context: Heard): boolean {
  const { hub, now } = context;
  if (hub === undefined || now >= hub.awaitedUntil || !isOutside(incident.explanation.root.ref)) return false;
  if (isToldThere(incident, context) || hub.declined.includes(incident.id)) return false;
  return now < (incident.askedAt ?? now) + hubWaitMs;
}
