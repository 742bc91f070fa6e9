import type { Explanation } from '../model/explanation.ts';
import type { Incident } from '../model/incident.ts';
import type { Reason } from '../model/reason.ts';
import { settling } from './beginnings.ts';
import type { StepContext } from './context.ts';
import type { IncidentStore } from './store.ts';
import { settledAt } from './timing.ts';
import { asTold } from './told.ts';

/** Nothing has begun before Tocsin looks, so nothing is a burst. */
const noBursts = { includes: () => false };

/** Whether an explanation was there long enough before Tocsin could see it, so that it is no news. */
export function isMature(explanation: Explanation, { settings, now }: StepContext): boolean {
  return settledAt({ explanation, seenAt: now, now, settings, bursts: noBursts }) <= now;
}

/** What was there before Tocsin could see it: summarized, not told. From here on only what is new about it is. */
export function baselineIncident(explanation: Explanation, context: StepContext, store: IncidentStore): Incident {
  const { now } = context;
  const reasons = new Set<Reason>([explanation.reason]);
  for (const { reason } of explanation.members) reasons.add(reason);
  return {
    ...settling(explanation, context, store),
    ...{ state: 'Open', openedAt: now, baseline: true },
    atStart: { ...asTold(explanation, now), reasons: [...reasons] },
  };
}
