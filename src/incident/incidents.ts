import type { Announcement } from '../model/announcement.ts';
import type { DeliveryReport } from '../model/delivery.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Decision, Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { Traits } from '../model/traits.ts';
import { audienceOf, audiencesOf } from './audiences.ts';
import { createNewcomers, startupsOver } from './baseline.ts';
import { createBook } from './book.ts';
import { createDesk, type Desk } from './desk.ts';
import { digestsDue } from './digest.ts';
import { type LifeContext, live, settling } from './life.ts';
import { match } from './matching.ts';
import { learn } from './reports.ts';
import { forgetOldest } from './retention.ts';
import { createSilenceTally, type SilenceCount } from './silences.ts';
import { closings, createStorms } from './storm.ts';
import { type Arrival, recentArrivals, settledAt } from './timing.ts';

/** Everything a step decides from. Times are epoch milliseconds. */
export type StepInput = {
  /** All explanations that hold now. */
  readonly explanations: readonly Explanation[];
  readonly settings: Settings;
  readonly now: number;
  /** Take the baseline in this step. Before it, nothing is told and nothing changes state. */
  readonly baseline?: boolean;
  /** UID of the `kube-system` namespace, so that two clusters never share a key. */
  readonly clusterId: string;
  /** Providers that could deliver now: valid, active, their Secrets there. */
  readonly usable: readonly Ref[];
  readonly reports: readonly DeliveryReport[];
  /** Of the provider types that are no chats. */
  readonly traits?: Traits;
};

/** What a step decided. */
export type StepResult = {
  readonly announcements: readonly Announcement[];
  readonly decisions: readonly Decision[];
  /** Incidents that are new or different, to be saved. */
  readonly changed: readonly Incident[];
  /** Ids of incidents past their retention. */
  readonly forget: readonly string[];
  readonly silences: ReadonlyMap<Ref, SilenceCount>;
  /** The next instant at which something could change by time alone. */
  readonly wakeAt?: number;
};

/** The incidents of one cluster through time. */
export type Incidents = {
  step(input: StepInput): StepResult;
  /** Every incident that is known, settling and resolved ones included. */
  all(): Iterable<Incident>;
  /** Continues from saved incidents: there is no baseline then. */
  restore(incidents: readonly Incident[]): void;
};

/** A failure within this time of being seen again counts as having begun within the cooldown that ended meanwhile. */
const longestSettleMs = 75_000;

/** A resolved incident is the same one again only while its cooldown lasts; afterwards the failure is a new incident. */
function canFollow({ state, resolvedAt }: Incident, settings: Settings, now: number): boolean {
  if (state !== 'Resolved') return true;
  return now <= (resolvedAt ?? 0) + settings.incidents.cooldownSeconds * 1000 + longestSettleMs;
}

/** Makes an empty set of incidents. */
export function createIncidents(): Incidents {
  const book = createBook();
  const storms = createStorms();
  const newcomers = createNewcomers();
  const silences = createSilenceTally();
  let arrivals: Arrival[] = [];
  let knownAudiences: ReadonlySet<string> = new Set();
  let started = false;
  let restored = false;

  /** What is mature when the baseline is taken was there before us: it is summarized, not told. */
  function takeBaseline({ explanations, settings, now, clusterId }: StepInput, desk: Desk): void {
    for (const explanation of explanations) {
      if (settledAt(explanation, settings, [], now) > now) continue;
      const { severity, root, affected } = explanation;
      const found: Incident = {
        ...settling(explanation, clusterId, now, book),
        ...{ state: 'Open', openedAt: now, baseline: true },
        atStart: { severity, root: root.ref, affected: affected.length, at: now },
      };
      book.put(desk.announce(found, { act: 'open', action: 'open', from: null, reasonCode: 'ExistedAtStart' }));
    }
  }

  function step(input: StepInput): StepResult {
    const { explanations, settings, now, clusterId, usable, reports, traits = new Map() } = input;
    if (!started && input.baseline !== true)
      return { announcements: [], decisions: [], changed: [], forget: [], silences: silences.counts(settings) };
    learn(reports, book);
    const desk = createDesk({ settings, now, book, silences, storms, traits });
    const wakes: number[] = [];
    arrivals = recentArrivals(arrivals, now);
    const wake = (at: number): void => void wakes.push(at);
    const context: LifeContext = {
      ...{ settings, now, clusterId, book, desk, arrivals, knownAudiences, wake, resolved: [] },
    };
    if (!started && !restored) takeBaseline(input, desk);
    started = true;

    const followers = book.all().filter((incident) => canFollow(incident, settings, now));
    const { followed, absorbed, fresh } = match(followers, explanations);
    const follows = new Map(followed);
    for (const explanation of fresh) {
      const incident = settling(explanation, clusterId, now, book);
      arrivals.push({ at: now, explanation });
      follows.set(incident.id, explanation);
      book.put(incident);
    }
    for (const incident of book.all()) live(incident, follows.get(incident.id), absorbed.get(incident.id), context);

    forgetOldest(book, now - settings.incidents.cooldownSeconds * 1000 - longestSettleMs);

    const announced = desk.close();
    const digests = digestsDue(book, settings, traits, now);
    const providers = new Map(settings.providers.map((provider) => [provider.ref, provider]));
    const speaksTo = (ref: Ref): string | undefined => {
      const provider = providers.get(ref);
      return provider?.active.is ? audienceOf(provider, settings) : undefined;
    };
    const announcements = [
      ...newcomers.welcome({
        usable,
        fresh: !restored,
        clusterId,
        book,
        settings,
        traits,
        now,
        introduce: desk.introduce,
      }),
      ...announced,
      ...storms.ended(book, now),
      ...closings(context.resolved, book, speaksTo),
      ...startupsOver(context.resolved, { book, settings, traits, clusterId }),
      ...digests.announcements,
    ];
    knownAudiences = new Set(audiencesOf(settings));
    for (const { startsAt, endsAt } of settings.silences) wakes.push(startsAt, endsAt);
    for (const at of [digests.wakeAt, storms.wakeAt()]) if (at !== undefined) wakes.push(at);
    const due = wakes.filter((at) => at > now);
    return {
      announcements,
      decisions: desk.decisions,
      ...book.takeChanges(),
      silences: silences.counts(settings),
      ...(due.length === 0 ? {} : { wakeAt: Math.min(...due) }),
    };
  }

  return {
    step,
    all: () => book.all(),
    restore(incidents) {
      restored = true;
      for (const incident of incidents) book.put(incident);
      book.takeChanges();
    },
  };
}
