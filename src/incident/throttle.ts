import type { SummaryAnnouncement } from '../model/announcement.ts';
import { expected, hearingOf } from '../model/hearing.ts';
import type { Disposition, Incident } from '../model/incident.ts';
import { earliest } from '../model/instants.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { collapses } from '../model/traits.ts';
import { audienceOf, type StepContext, traitsOf } from './context.ts';
import { Criticals } from './criticals.ts';
import { isUnderWay } from './hearing.ts';
import type { Message } from './notices.ts';
import { floodingNamespaces, type Opening, originOf, stormingNamespaces } from './openings.ts';
import { overviewsOf } from './overviews.ts';
import type { IncidentStore } from './store.ts';
import type { ThrottleMemory } from './throttle-memory.ts';

const windowMs = 60_000;
/** More openings than this in a minute are a storm for people: they get one overview. */
const mostInWindow = 20;
/** A storm is over once the last minute brought no more than this. */
const calmInWindow = 10;
/** While a storm lasts, what came in its course is listed this often. */
const overviewIntervalMs = 2 * 60_000;
/** Critical openings beyond those that go out by themselves are listed this often. */
const criticalIntervalMs = 10_000;
/** Openings that are remembered of the last minute: beyond that it is a storm in any case. */
const maxRemembered = 1_000;

/** How much one provider was told lately, and what is kept for its next overview. */
class Throttle {
  #recent: Opening[];
  readonly #criticals: Criticals;
  /** For people who are called: only namespaces that flood by themselves collapse. */
  readonly #isPager: boolean;
  /** Ids of incidents that nobody has listed yet. */
  readonly #unlisted: Set<string>;
  #hasCritical: boolean;
  #hasExhausted: boolean;
  #listedAt: number;
  /** While a storm lasts. */
  #storming: boolean;

  /** Goes on from what is remembered, if anything is. */
  constructor(isPager: boolean, memory?: ThrottleMemory) {
    this.#isPager = isPager;
    this.#recent = [...(memory?.recent ?? [])];
    this.#criticals = new Criticals(memory?.critical);
    this.#unlisted = new Set(memory?.unlisted);
    this.#hasCritical = memory?.hasCritical ?? false;
    this.#hasExhausted = memory?.hasExhausted ?? false;
    this.#listedAt = memory?.listedAt ?? Number.NEGATIVE_INFINITY;
    this.#storming = memory?.storming ?? false;
  }

  /** Everything it goes by. */
  memory(): ThrottleMemory {
    return {
      ...{ recent: [...this.#recent], critical: this.#criticals.memory(), unlisted: [...this.#unlisted] },
      ...{ hasCritical: this.#hasCritical, storming: this.#storming },
      ...(this.#isPager && { isPager: true }),
      ...(this.#hasExhausted && { hasExhausted: true }),
      ...(Number.isFinite(this.#listedAt) && { listedAt: this.#listedAt }),
    };
  }

  /** What goes out by itself; the rest is kept for an overview. */
  sift(messages: readonly Message[], now: number): Message[] {
    this.#advance(now);
    const [critical, others] = partition(messages, ({ notice }) => notice.view.severity === 'critical');
    return [...this.#siftCritical(critical, now), ...this.#siftOthers(others, now)];
  }

  #siftCritical(messages: readonly Message[], now: number): readonly Message[] {
    const { alone, soon, later } = this.#criticals.sift(messages, !this.#isPager, now);
    for (const { notice } of [...soon, ...later]) this.#unlisted.add(notice.incident);
    this.#hasCritical ||= soon.length > 0;
    this.#hasExhausted ||= later.length > 0;
    return alone;
  }

  #siftOthers(messages: readonly Message[], now: number): Message[] {
    for (const message of messages) this.#recent.push({ at: now, namespace: originOf(message) });
    const storming = this.#stormingNow(this.#storming ? calmInWindow : mostInWindow);
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
    this.#storming &&= this.#stormingNow(calmInWindow).size > 0;
    const waits = this.#storming || this.#hasCritical || this.#hasExhausted;
    if (this.#unlisted.size === 0 || (waits && this.#nextAt() > now)) return [];
    const ids = [...this.#unlisted];
    this.#unlisted.clear();
    this.#hasCritical = false;
    this.#hasExhausted = false;
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
    return this.#recent.length === 0 && this.#criticals.idle && this.#unlisted.size === 0;
  }

  #stormingNow(most: number): ReadonlySet<string> {
    return (this.#isPager ? floodingNamespaces : stormingNamespaces)(this.#recent, most);
  }

  #nextAt(): number {
    return this.#listedAt + (this.#hasCritical ? criticalIntervalMs : overviewIntervalMs);
  }

  #advance(now: number): void {
    this.#recent = this.#recent.filter(({ at }) => at > now - windowMs);
    this.#criticals.advance(now);
  }
}

function partition<T>(list: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const yes: T[] = [];
  const no: T[] = [];
  for (const item of list) (test(item) ? yes : no).push(item);
  return [yes, no];
}

/**
 * Keeps what people read readable: to chats, mail and push more openings than anybody can read in a minute become one
 * overview, to pagers those of one namespace one alert. A critical one is heard at once, as long as its namespace does not ring all hour, and a
 * storm ends by itself: at most minutes pass until everything that came in its course was listed. Trackers get every incident.
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
    for (const [uid, memory] of throttles) this.#throttles.set(uid, new Throttle(memory.isPager === true, memory));
  }

  /** The messages that go out by themselves. What they leave out comes in an overview, for which it is marked. */
  sift(messages: readonly Message[], store: IncidentStore, { traits, now }: StepContext): Message[] {
    const sifted = new Set<Message>();
    const loud = messages.filter(
      ({ act, provider, notice }) =>
        (act === 'open' || act === 'reopen') &&
        collapses(traitsOf(provider, traits)) !== undefined &&
        !isFollowing(store.get(notice.incident), provider),
    );
    for (const [provider, group] of Map.groupBy(loud, (message) => message.provider)) {
      const { uid } = provider;
      const isPager = collapses(traitsOf(provider, traits)) === 'namespace';
      const throttle = this.#throttles.get(uid) ?? new Throttle(isPager);
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
        .filter(({ standings }) => isHeard(standings[audience]?.disposition))
        .filter((incident) => expected(hearingOf(incident, uid)).knows !== 'open');
      for (const overview of overviewsOf(untold, provider, store, context)) announcements.push(overview);
    }
    return announcements;
  }

  /** When the next overview may be due (epoch milliseconds), `Infinity` when none can be. */
  wakeAt(): number {
    return earliest([...this.#throttles.values()].map((throttle) => throttle.wakeAt()));
  }
}

/** Whether nothing keeps an audience from it; of what was there at the start whoever comes to it hears as well. */
const isHeard = (disposition: Disposition | undefined): boolean =>
  disposition === 'Delivered' || disposition === 'Baseline';

/** Whether what a provider was to be told of an incident before is still on its way. */
const isFollowing = (incident: Incident | undefined, { uid }: ProviderSettings): boolean =>
  incident !== undefined && isUnderWay(hearingOf(incident, uid));

function openIncident(store: IncidentStore, id: string): Incident[] {
  const incident = store.get(id);
  return incident?.state === 'Open' || incident?.state === 'Recovering' ? [incident] : [];
}
