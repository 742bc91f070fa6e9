import { FairShares } from '../../model/fair-shares.ts';
import { nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { type EventView, isOfItsOwn, isRead } from '../kinds/cluster/event.ts';
import { createPool } from '../reading/intern.ts';
import { EventRates } from './event-rates.ts';
import { isUnmapped } from './event-reasons.ts';

/** Kept of one object, and of all, shared fairly by namespaces; how long (ms). A large cluster makes 20,000 Warnings an hour. */
const maxOfOne = 10;
const maxInAll = 50_000;
const memoryMs = 60 * 60_000;
/** An Event whose own time is further from its arrival was written by a clock that is wrong (ms). */
const maxDelayMs = 10 * 60_000;

/** Texts shared at once. */
const poolCapacity = 20_000;

/** What the cluster autoscaler tells of a Pod that waits, and of itself when the Node cannot be made. */
const [announcement, failedAnnouncement] = ['TriggeredScaleUp', 'FailedToScaleUpGroup'];

const none: readonly never[] = [];

/** What Events told lately, by the object they tell of; bounded, and kept for an hour. */
export class EventMemory {
  /** How many came that nobody knows. */
  readonly rates = new EventRates();
  /** By the ref of the Event, the one that came or was repeated longest ago first. */
  readonly #events = new FairShares<Ref, EventView>(maxInAll, ({ ref }) => namespaceOf(ref));
  readonly #texts = createPool<string>(poolCapacity);
  readonly #byObject = new Map<Ref, readonly EventView[]>();
  /** Pods for which a Node was announced: that the autoscaler cannot make it is told of no single Pod. */
  readonly #announced = new Set<Ref>();

  /** What is kept. */
  get size(): number {
    return this.#events.size;
  }

  /**
   * An Event came or was repeated. Returns who is judged by it: the object that it tells of, if anybody reads such Events and it may speak
   * for that object. `isLive`: it came just now; what is listed may have come an hour ago.
   */
  put(event: EventView, now: number, isLive = true): readonly Ref[] {
    if (!isRead(event) || !isOfItsOwn(event) || (!isLive && event.lastAt <= now - memoryMs)) return none;
    const before = this.#events.get(event.ref)?.count ?? event.count - 1;
    this.rates.note(isUnmapped(event) ? Math.max(0, event.count - before) : 0, now);
    this.remove(event.ref);
    const isLate = isLive && event.lastAt < now - maxDelayMs;
    const lastAt = event.lastAt > now || isLate ? now : event.lastAt;
    const kept = this.#compact(event, lastAt);
    const crowdedOut = this.#events.set(kept.ref, kept);
    const others = [...(this.#byObject.get(kept.regarding) ?? none), kept].sort((a, b) => a.lastAt - b.lastAt);
    this.#byObject.set(kept.regarding, others);
    const tooMany = others.length > maxOfOne ? leastTelling(others) : undefined;
    if (tooMany) this.remove(tooMany.ref);
    if (crowdedOut) this.#forget(crowdedOut);
    if (kept.reason === announcement) this.#announced.add(kept.regarding);
    return kept.reason === failedAnnouncement ? [kept.regarding, ...this.#announced] : [kept.regarding];
  }

  /** What is kept of an Event: its texts once, however many Events say the same, and nothing of its metadata. */
  #compact(event: EventView, lastAt: number): EventView {
    const { ref, isWarning, count, firstAt, container } = event;
    return {
      ref,
      regarding: this.#share(event.regarding) as Ref,
      regardingUid: this.#share(event.regardingUid),
      isWarning,
      reason: this.#share(event.reason),
      message: this.#share(event.message),
      count,
      firstAt: Math.min(firstAt, lastAt),
      lastAt,
      reporter: this.#share(event.reporter),
      ...(container !== undefined && { container: this.#share(container) }),
    };
  }

  #share(text: string): string {
    return this.#texts(text, () => text);
  }

  /** Forgets an Event. */
  remove(ref: Ref): void {
    const event = this.#events.get(ref);
    if (!event) return;
    this.#events.delete(ref);
    this.#forget(event);
  }

  #forget(event: EventView): void {
    const rest = (this.#byObject.get(event.regarding) ?? none).filter((each) => each !== event);
    if (!rest.some(({ reason }) => reason === announcement)) this.#announced.delete(event.regarding);
    if (rest.length === 0) this.#byObject.delete(event.regarding);
    else this.#byObject.set(event.regarding, rest);
  }

  /**
   * What was told of an object with a UID, oldest first; of a namesake before it nothing. Components of Kubernetes write the UID; of Nodes
   * kubelets, kube-proxy and others write the name in its place or nothing, into a namespace where only the cluster's own people write.
   */
  of(regarding: Ref, uid: string | undefined): readonly EventView[] {
    const events = this.#byObject.get(regarding) ?? none;
    const others = namespaceOf(regarding) === '' ? ['', nameOf(regarding)] : [];
    const isOfIt = ({ regardingUid }: EventView): boolean =>
      uid === undefined || regardingUid === uid || others.includes(regardingUid);
    return events.every(isOfIt) ? events : events.filter(isOfIt);
  }

  /** Forgets what was told more than an hour ago. */
  expire(now: number): void {
    this.rates.expire(now);
    for (const [ref, { lastAt }] of this.#events.entries()) {
      if (lastAt > now - memoryMs) break;
      this.remove(ref);
    }
  }
}

/**
 * What to forget of one object: the oldest of the reason that was told most. A scheduler that tells ten times why a Pod fits
 * nowhere, each time of other Nodes, does not push out that a Node is on its way.
 */
function leastTelling(events: readonly EventView[]): EventView | undefined {
  const byReason = [...Map.groupBy(events, ({ reason }) => reason).values()];
  return byReason.reduce((most, each) => (each.length > most.length ? each : most), [])[0];
}
