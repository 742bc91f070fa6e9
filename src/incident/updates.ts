import type { Explanation } from '../model/explanation.ts';
import type { Incident, Told } from '../model/incident.ts';
import { earliest } from '../model/instants.ts';
import type { Settings } from '../model/settings.ts';
import { compareSeverity } from '../model/severity.ts';
import { keepsComingBack, summaryIntervalMs } from './recurrence.ts';
import { impactIntervalMs } from './timing.ts';

/** An update that is due, or the instant (epoch milliseconds) at which one may be. */
export type Update = { readonly reasonCode: string } | { readonly notBefore: number } | undefined;

/** An explanation as it is told at `now` (epoch milliseconds). */
export function asTold({ severity, reason, root, affected }: Explanation, now: number): Told {
  return { severity, reason, root: root.ref, affected: affected.length, at: now };
}

/**
 * Growth counts from so many objects at least. The first message about a server names one or two, and says that nobody answers there:
 * that a dozen Pods of its clients fail as well is what who read it expects.
 */
const fewestAffected = 3;

const hasGrown = ({ affected }: Explanation, told: Told): boolean =>
  affected.length >= 10 * Math.max(fewestAffected, told.affected);

/** Whether an explanation says more than what was told: it is worse, has another root, or has spread tenfold. */
export function saysMore(explanation: Explanation, told: Told): boolean {
  return (
    compareSeverity(explanation.severity, told.severity) < 0 ||
    explanation.root.ref !== told.root ||
    hasGrown(explanation, told)
  );
}

/**
 * What has changed since the last message that is worth another one: severity up and root revised at once (a root once),
 * that it keeps coming back once and then once a day while it does, impact grown tenfold at most every 10 min, and the
 * reminder where one is asked for. Nothing else, ever.
 */
export function updateFor(incident: Incident, settings: Settings, now: number): Update {
  const { considered, explanation, recurring } = incident;
  if (considered === undefined || incident.state !== 'Open') return undefined;
  if (compareSeverity(explanation.severity, considered.severity) < 0) return { reasonCode: 'SeverityRaised' };
  if (explanation.root.ref !== considered.root && !incident.rootRevised) return { reasonCode: 'RootRevised' };
  if (!recurring && keepsComingBack(incident, now)) return { reasonCode: 'Flapping' };
  const renotifySeconds = settings.incidents.renotifySeconds[explanation.severity];
  const later = [
    ...(recurring && recurring.returns > 0
      ? [{ reasonCode: 'StillFlapping', at: recurring.toldAt + summaryIntervalMs }]
      : []),
    ...(hasGrown(explanation, considered) ? [{ reasonCode: 'ImpactGrew', at: considered.at + impactIntervalMs }] : []),
    ...(renotifySeconds === undefined ? [] : [{ reasonCode: 'StillOpen', at: considered.at + renotifySeconds * 1000 }]),
  ];
  const due = later.find(({ at }) => at <= now);
  if (due) return { reasonCode: due.reasonCode };
  return later.length === 0 ? undefined : { notBefore: earliest(later.map(({ at }) => at)) };
}
