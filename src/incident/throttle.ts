import type { SummaryAnnouncement } from '../model/announcement.ts';
import { shortHash } from '../model/hash.ts';
import { expected, hearingOf } from '../model/hearing.ts';
import type { Incident } from '../model/incident.ts';
import { earliest } from '../model/instants.ts';
import { namespaceOf } from '../model/ref.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { takesStorms } from '../model/traits.ts';
import { audienceOf, type StepContext, traitsOf } from './context.ts';
import { afterListing, isUnderWay } from './hearing.ts';
import type { Message } from './notices.ts';
import type { IncidentStore } from './store.ts';
import { summaryOf } from './summary.ts';
import type { Opening, ThrottleMemory } from './throttle-memory.ts';

const windowMs = 60_000;
/** More openings than this in a minute are a storm for people: they get one overview. */
const mostInWindow = 20;
/** A storm is over once the last minute brought no more than this. */
const calmInWindow = 10;
/** While a storm lasts, what came in its course is listed this often. */
const overviewIntervalMs = 2 * 60_000;
/** Openings that are critical always go out by themselves, but for more than this many in a minute. */
const mostCriticalInWindow = 20;
/** Critical openings beyond that are listed this often. */
const criticalIntervalMs = 10_000;
/** Openings that are remembered of the last minute: beyond that it is a storm in any case. */
const maxRemembered = 1_000;

/**
 * The namespaces whose openings collapse, so that the others make no more than `most`: those with the most first, those with
 * as many together. So one team's storm never swallows what another team is told, and one fault that hits all is one message.
 */
export function stormingNamespaces(openings: readonly Opening[], most: number): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { namespace } of openings) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  const storming = new Set<string>();
  const byCount = [...Map.groupBy(counts, ([, count]) => count)].sort(([a], [b]) => b - a);
  let left = openings.length;
  for (const [count, alike] of byCount) {
    if (left <= most) break;
    for (const [namespace] of alike) storming.add(namespace);
    left -= count * alike.length;
  }
  return storming;
}

/** How much one provider was told lately, and what is kept for its next overview. */
class Throttle {
  #recent: Opening[];
  #critical: number[];
  /** Ids of incidents that nobody has listed yet. */
  readonly #unlisted: Set<string>;
  #hasCritical: boolean;
  #listedAt: number;
  /** While a storm lasts. */
  #storming: boolean;

  /** Goes on from what is remembered, if anything is. */
  constructor(memory?: ThrottleMemory) {
    this.#recent = [...(memory?.recent ?? [])];
    this.#critical = [...(memory?.critical ?? [])];
    this.#unlisted = new Set(memory?.unlisted);
    this.#hasCritical = memory?.hasCritical ?? false;
    this.#listedAt = memory?.listedAt ?? Number.NEGATIVE_INFINITY;
    this.#storming = memory?.storming ?? false;
  }

  /** Everything it goes by. */
  memory(): ThrottleMemory {
    return {
      ...{ recent: [...this.#recent], critical: [...this.#critical], unlisted: [...this.#unlisted] },
      ...{ hasCritical: this.#hasCritical, storming: this.#storming },
      ...(Number.isFinite(this.#listedAt) && { listedAt: this.#listedAt }),
    };
  }

  /** What goes out by itself; the rest is kept for an overview. */
  sift(messages: readonly Message[], now: number): Message[] {
    this.#advance(now);
    const [critical, others] = partition(messages, ({ notice }) => notice.view.severity === 'critical');
    return [...this.#siftCritical(critical, now), ...this.#siftOthers(others, now)];
  }

  #siftCritical(messages: readonly Message[], now: number): Message[] {
    const alone = messages.slice(0, Math.max(0, mostCriticalInWindow - this.#critical.length));
    for (const _ of alone) this.#critical.push(now);
    const beyond = messages.slice(alone.length);
    for (const { notice } of beyond) this.#unlisted.add(notice.incident);
    this.#hasCritical ||= beyond.length > 0;
    return alone;
  }

  #siftOthers(messages: readonly Message[], now: number): Message[] {
    for (const message of messages) this.#recent.push({ at: now, namespace: originOf(message) });
    const storming = stormingNamespaces(this.#recent, this.#storming ? calmInWindow : mostInWindow);
    const [collapsed, alone] = partition(messages, (message) => storming.has(originOf(message)));
    for (const { notice } of collapsed) this.#unlisted.add(notice.incident);
    if (collapsed.length > 0 && !this.#storming) this.#listedAt = Number.NEGATIVE_INFINITY;
    this.#storming = storming.size > 0;
    if (this.#recent.length > maxRemembered) this.#recent = this.#recent.slice(-maxRemembered);
    return alone;
  }

  /** What an overview lists now: at the begin of a storm and at its end at once, in its course every few minutes. */
  due(now: number): readonly string[] {
    this.#advance(now);
    this.#storming &&= stormingNamespaces(this.#recent, calmInWindow).size > 0;
    const waits = this.#storming || this.#hasCritical;
    if (this.#unlisted.size === 0 || (waits && this.#nextAt() > now)) return [];
    const ids = [...this.#unlisted];
    this.#unlisted.clear();
    this.#hasCritical = false;
    this.#listedAt = now;
    return ids;
  }

  /** When something may be due by time alone (epoch milliseconds), `Infinity` when nothing can be. */
  wakeAt(): number {
    if (this.#unlisted.size === 0) return Number.POSITIVE_INFINITY;
    const calmAt = (this.#recent.at(-1 - calmInWindow)?.at ?? Number.NEGATIVE_INFINITY) + windowMs;
    return this.#storming ? Math.min(this.#nextAt(), calmAt) : this.#nextAt();
  }

  /** Nothing is remembered and nothing is owed. */
  get idle(): boolean {
    return this.#recent.length === 0 && this.#critical.length === 0 && this.#unlisted.size === 0;
  }

  #nextAt(): number {
    return this.#listedAt + (this.#hasCritical ? criticalIntervalMs : overviewIntervalMs);
  }

  #advance(now: number): void {
    this.#recent = this.#recent.filter(({ at }) => at > now - windowMs);
    this.#critical = this.#critical.filter((at) => at > now - windowMs);
  }
}

const originOf = ({ notice }: Message): string => namespaceOf(notice.view.root.ref);

function partition<T>(list: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const yes: T[] = [];
  const no: T[] = [];
  for (const item of list) (test(item) ? yes : no).push(item);
  return [yes, no];
}

/**
 * Keeps what people read readable: to chats, mail and push more openings than anybody can read in a minute become one
 * overview. A critical one is always heard at once, and a storm ends by itself: at most minutes pass until everything that
 * came in its course was listed. Trackers and pagers get every incident.
 */
export class Throttles {
  /** By provider UID. */
  readonly #throttles = new Map<string, Throttle>();

  /** What each goes by, by provider UID. */
  memory(): ReadonlyMap<string, unknown> {
    return new Map([...this.#throttles].map(([uid, throttle]) => [uid, throttle.memory()]));
  }

  /** A storm goes on where it was. */
  restore(throttles: ReadonlyMap<string, ThrottleMemory>): void {
    for (const [uid, memory] of throttles) this.#throttles.set(uid, new Throttle(memory));
  }

  /** The messages that go out by themselves. What they leave out comes in an overview, for which it is marked. */
  sift(messages: readonly Message[], store: IncidentStore, { traits, now }: StepContext): Message[] {
    const sifted = new Set<Message>();
    const loud = messages.filter(
      ({ act, provider, notice }) =>
        (act === 'open' || act === 'reopen') &&
        !takesStorms(traitsOf(provider, traits)) &&
        !isFollowing(store.get(notice.incident), provider),
    );
    for (const [uid, group] of Map.groupBy(loud, ({ provider }) => provider.uid)) {
      const throttle = this.#throttles.get(uid) ?? new Throttle();
      this.#throttles.set(uid, throttle);
      const alone = new Set(throttle.sift(group, now));
      for (const message of group)
        if (!alone.has(message)) {
          sifted.add(message);
          const incident = store.get(message.notice.incident);
          if (incident)
            store.hear(incident.id, uid, { ...hearingOf(incident, uid), collapsed: message.notice.view.severity });
        }
    }
    return messages.filter((message) => !sifted.has(message));
  }

  /** The overviews that are due: of what is still open, since nobody needs to be told of what is over. */
  overviews(store: IncidentStore, context: StepContext): SummaryAnnouncement[] {
    const announcements: SummaryAnnouncement[] = [];
    for (const [uid, throttle] of this.#throttles) {
      const provider = context.providers.get(uid);
      const due = throttle.due(context.now);
      if (throttle.idle || provider?.active.is !== true) this.#throttles.delete(uid);
      if (provider?.active.is !== true) continue;
      const audience = audienceOf(provider, context.settings);
      const untold = due
        .flatMap((id) => openIncident(store, id))
        .filter(({ standings }) => standings[audience]?.disposition === 'Delivered')
        .filter((incident) => expected(hearingOf(incident, uid)).knows !== 'open');
      if (untold.length > 0) announcements.push(overviewOf(untold, provider, store, context));
    }
    return announcements;
  }

  /** When the next overview may be due (epoch milliseconds), `Infinity` when none can be. */
  wakeAt(): number {
    return earliest([...this.#throttles.values()].map((throttle) => throttle.wakeAt()));
  }
}

/** Whether what a provider was to be told of an incident before is still on its way. */
const isFollowing = (incident: Incident | undefined, { uid }: ProviderSettings): boolean =>
  incident !== undefined && isUnderWay(hearingOf(incident, uid));

function openIncident(store: IncidentStore, id: string): Incident[] {
  const incident = store.get(id);
  return incident?.state === 'Open' || incident?.state === 'Recovering' ? [incident] : [];
}

function overviewOf(
  incidents: readonly Incident[],
  provider: ProviderSettings,
  store: IncidentStore,
  { settings, now }: StepContext,
): SummaryAnnouncement {
  const id = shortHash(['overview', provider.ref, now, ...incidents.map((incident) => incident.id)]);
  for (const incident of incidents) {
    const hearing = hearingOf(incident, provider.uid);
    store.hear(incident.id, provider.uid, afterListing(hearing, 'overview', id, incident.explanation.severity));
  }
  return summaryOf('overview', id, 'opening', incidents, audienceOf(provider, settings), [provider.ref]);
}
