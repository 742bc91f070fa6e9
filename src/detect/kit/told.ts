import { latest } from '../../model/instants.ts';
import type { Ref } from '../../model/ref.ts';
import type { EventView } from '../../world/kinds/cluster/event.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/**
 * How long an Event is evidence (X17). Its writer counts up what repeats and lets no more than one in 5 min through, so
 * that what goes on is told again within this time (client-go tools/record, EventSourceObjectSpamFilter).
 */
export const evidenceMs = 15 * 60_000;

/** Which Events are asked for. */
export type Told = {
  readonly reasons: readonly string[];
  /** Those about this container, or that name none. */
  readonly container?: string;
  readonly says?: RegExp;
  /** Told at or after this instant (epoch milliseconds); default: while they are evidence. */
  readonly after?: number;
};

/** The newest of these Events of an object. */
export function lastTold(ref: Ref, { reasons, container, says, after }: Told, world: ObservedWorld, now: number) {
  const since = after ?? now - evidenceMs + 1;
  const isAsked = (event: EventView): boolean =>
    event.lastAt >= since &&
    reasons.includes(event.reason) &&
    (container === undefined || event.container === undefined || event.container === container) &&
    (says === undefined || says.test(event.message));
  return world.events(ref).findLast(isAsked);
}

/** Since when something has been told of a state that holds since an instant (epoch milliseconds). */
export function toldSince(event: EventView, began: number): number {
  return latest([began, event.firstAt]);
}
