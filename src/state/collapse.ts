import type { Delivery } from '../model/delivery.ts';
import type { Act } from '../model/notification.ts';
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
 * that is not under way gives way to a newer update, which says all there is, or to the resolve. What says that something is broken gives
 * way to its resolve, for nobody is woken for what is over; where an opening or reopening never arrived the resolve is needless as well.
 */
export function supersededBy(delivery: Delivery, lane: readonly StoredDelivery[]): Superseded {
  if (delivery.act !== 'update' && delivery.act !== 'resolve') return { drops: [], needless: false };
  const own = lane.filter((stored) => stored.delivery.stream === delivery.stream);
  // What led to an earlier end has been weighed with that.
  const since = own.slice(own.findLastIndex((stored) => stored.delivery.act === 'resolve') + 1);
  const waiting = since.filter(({ inFlight }) => !inFlight);
  if (delivery.act === 'update')
    return { drops: waiting.filter((stored) => stored.delivery.act === 'update'), needless: false };
  const openings = since.filter(begins);
  return {
    drops: waiting.filter((stored) => endable.has(stored.delivery.act)),
    needless: openings.length > 0 && openings.every(neverArrived),
  };
}

/**
 * What its end makes needless of a lane once an attempt has failed that was under way when the incident ended: all of it that waits, the end
 * included where nothing can have arrived.
 */
export function endedMeanwhile(tried: StoredDelivery, lane: readonly StoredDelivery[]): readonly StoredDelivery[] {
  const { id, stream } = tried.delivery;
  const from = lane.findIndex(({ delivery }) => delivery.id === id);
  const index = lane.findIndex(
    ({ delivery }, at) => at > from && delivery.stream === stream && delivery.act === 'resolve',
  );
  const end = lane[index];
  if (end === undefined) return [];
  const { drops, needless } = supersededBy(end.delivery, lane.slice(0, index));
  return needless ? [...drops, end] : drops;
}

const begins = ({ delivery: { act } }: StoredDelivery): boolean => act === 'open' || act === 'reopen';

/** `startup`: the alert that a pager makes of a list, each as the list is then; an earlier one may be there. */
const endable: ReadonlySet<Act> = new Set(['open', 'reopen', 'update', 'startup']);

/**
 * What falls with an opening that was given up and certainly never arrived: what was to follow it, up to the next opening. It would be news,
 * or the end, of what its reader knows nothing of; what the reader is owed then is one opening, as things stand when it can be told.
 */
export function groundlessAfter(opening: StoredDelivery, lane: readonly StoredDelivery[]): readonly StoredDelivery[] {
  if (!begins(opening) || opening.mayHaveArrived) return [];
  const { stream, sequence } = opening.delivery;
  const after = lane.filter(({ delivery }) => delivery.stream === stream && delivery.sequence > sequence);
  const next = after.findIndex(begins);
  return next < 0 ? after : after.slice(0, next);
}

/**
 * An update with what those that it takes the place of (the oldest first) would have told: a rise that nobody heard of is still
 * one, and must ring, and what was to be remarked is remarked. What is no update stays as it is.
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
  const note = joined([...before.map((stored) => stored.delivery.notification.note), notification.note]);
  return { ...delivery, notification: { ...notification, incident: inherited, ...(note && { note }) } };
}

/** Remarks in one, each once. */
function joined(notes: readonly (string | undefined)[]): string {
  return notes.reduce<string>((all, note = '') => {
    if (all.includes(note)) return all;
    return note.includes(all) ? note : `${all} ${note}`;
  }, '');
}
