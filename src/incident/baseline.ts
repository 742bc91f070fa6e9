import type { Explanation } from '../model/explanation.ts';
import type { Incident } from '../model/incident.ts';
import type { Reason } from '../model/reason.ts';
import { kindNameOf } from '../model/ref.ts';
import { settling } from './beginnings.ts';
import type { StepContext } from './context.ts';
import type { IncidentStore } from './store.ts';
import { settledAt } from './timing.ts';
import { asTold } from './told.ts';

const second = 1000;

/** Nothing has begun before Tocsin looks, so nothing is a burst. */
const noBursts = { includes: () => false };

/** Whether an explanation was there long enough at `by` (epoch milliseconds), before Tocsin could see it, so that it is no news. */
export function isMature(explanation: Explanation, { settings, now }: StepContext, by = now): boolean {
  return settledAt({ explanation, seenAt: now, now, settings, bursts: noBursts }) <= by;
}

/**
 * Whether something fails among objects of these kinds, which nobody could see until now. Whatever else begins in the same moment is
 * news: it could have been seen before.
 */
export function isOfKinds({ root, members }: Explanation, kinds: readonly string[]): boolean {
  return [root.ref, ...members.map(({ subject }) => subject.ref)].some((ref) => kinds.includes(kindNameOf(ref)));
}

/**
 * The last instant of which an earlier life surely saw what began until then: the API writes whole seconds, so what seems to have
 * begun just before its end may have begun just after.
 */
export function lastSurelySeen(seenUntil: number): number {
  return seenUntil - second;
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
