import type { Delivery } from '../model/delivery.ts';
import type { StoredDelivery } from '../model/store.ts';

/** What a new delivery makes needless. */
type Superseded = {
  /** Waiting deliveries that are not to be sent any more. */
  readonly drops: readonly StoredDelivery[];
  /** The new one is not to be sent either. */
  readonly needless: boolean;
};

/** Certain to be unknown to the product: no attempt runs, and every one that ended was definitely refused. */
function neverArrived(stored: StoredDelivery): boolean {
  return !stored.inFlight && !stored.mayHaveArrived;
}

/**
 * Collapse: what a new delivery supersedes among those that wait in its lane, of the same incident. An update
 * that is not under way gives way to a newer update, which says all there is, or to the resolve. An opening or reopening
 * that never arrived goes together with its resolve: nobody is woken for what is over.
 */
export function supersededBy(delivery: Delivery, lane: readonly StoredDelivery[]): Superseded {
  if (delivery.act !== 'update' && delivery.act !== 'resolve') return { drops: [], needless: false };
  const own = lane.filter((stored) => stored.delivery.stream === delivery.stream);
  const updates = own.filter((stored) => stored.delivery.act === 'update' && !stored.inFlight);
  if (delivery.act === 'update') return { drops: updates, needless: false };
  const openings = own.filter(({ delivery: { act } }) => act === 'open' || act === 'reopen');
  const needless = openings.length > 0 && openings.every(neverArrived);
  return { drops: needless ? [...openings, ...updates] : updates, needless };
}

/**
 * An update with what those that it takes the place of (the oldest first) would have told: a rise that nobody heard of is still
 * one, and must ring. What is no update stays as it is.
 */
export function heirOf(delivery: Delivery, unsent: readonly StoredDelivery[]): Delivery {
  const { act, notification } = delivery;
  const { incident, severity } = notification;
  const before = unsent.filter((stored) => stored.delivery.act === 'update');
  if (act !== 'update' || !incident || before.length === 0) return delivery;
  const { previousSeverity: own, ...face } = incident;
  const [known = own] = before.flatMap((stored) => stored.delivery.notification.incident?.previousSeverity ?? []);
  const ring = before.some((stored) => stored.delivery.notification.incident?.ring === true);
  const inherited = {
    ...face,
    ...(known !== undefined && known !== severity && { previousSeverity: known }),
    ...(ring && { ring }),
  };
  return { ...delivery, notification: { ...notification, incident: inherited } };
}
