import { Detection } from '../detect/detection.ts';
import { type Explained, Explainer } from '../explain/explainer.ts';
import { Incidents } from '../incident/incidents.ts';
import { spokenOf } from '../incident/spoken.ts';
import type { StepResult } from '../incident/step.ts';
import type { Announcement } from '../model/announcement.ts';
import type { Delivery } from '../model/delivery.ts';
import { Faults } from '../model/faults.ts';
import type { HubWord } from '../model/hub.ts';
import type { Incident } from '../model/incident.ts';
import { earliest } from '../model/instants.ts';
import type { PressedRequest } from '../model/press.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../model/settings.ts';
import type { Traits } from '../model/traits.ts';
import type { Input, Turn } from '../model/turn.ts';
import type { HeldSince } from '../world/view/world.ts';
import { WatchedWorld } from '../world/watched-world.ts';
import type { CoreView } from './core-view.ts';
import { decisionCounters } from './decision-counters.ts';
import { Excerpts } from './excerpts.ts';
import { Fleet } from './fleet.ts';
import { LateSources } from './late-sources.ts';
import { Ledgers } from './ledgers.ts';
import { MaintenanceEvents } from './maintenance.ts';
import { isQuoting, Notifier } from './notifications.ts';
import { outsideCauses, verdictsOn, wordAfterRestart, wouldBeTold } from './outside.ts';
import { Presses } from './presses.ts';
import { ProviderTests } from './provider-tests.ts';
import { Redeliveries } from './redeliveries.ts';
import { Remembered } from './remembered.ts';
import { Reports } from './reports.ts';
import { type CoreParts, restoreTo, takeMemos } from './saved-core.ts';
import { nothingTaken, type Taken } from './taken.ts';
import { Tallies } from './tallies.ts';
import { whyOf } from './why.ts';

/** What is explained before the baseline. */
const unexplained: Explained = { explanations: [] };

/** Who decides: what makes keys its own, and what is known of the products. */
export type CoreIdentity = { readonly clusterId: string; readonly version: string; readonly traits: Traits };

/**
 * `setsAside`: what a step throws on is set aside, so that all else goes on. Without, an exception is thrown on. `isAsked`: somebody asks what is
 * broken, so that the logs of what was there at the start are read as well. `heldSince`: since when what was there at the start has been so, where it
 * has no time of its own.
 */
export type CoreOptions = CoreIdentity & {
  readonly setsAside?: boolean;
  readonly isAsked?: boolean;
  readonly heldSince?: HeldSince;
};

/**
 * The pure core: one synchronous function from inputs to effects, and a read-only view for status and health. It puts the pure
 * folders together: inputs change the world, detectors judge what became dirty, the explainer finds the causes, the incidents
 * decide, and what is to be told becomes deliveries. No I/O, no clock: the same inputs and times give the same effects.
 */
export class Core {
  readonly #identity: CoreIdentity;
  readonly #isAsked: boolean;
  readonly #faults = new Faults();
  #heldSince: HeldSince = () => undefined;
  readonly #world = new WatchedWorld(this.#faults, (ref) => this.#heldSince(ref));
  readonly #detection = new Detection(this.#world, {
    edition: defaultSettings.edition,
    faults: this.#faults,
    heldSince: (ref) => this.#heldSince(ref),
  });
  readonly #explainer = new Explainer(this.#world, this.#detection, { faults: this.#faults });
  readonly #incidents = new Incidents(this.#faults);
  readonly #lateSources = new LateSources();
  readonly #redeliveries = new Redeliveries();
  readonly #ledgers = new Ledgers();
  readonly #excerpts = new Excerpts(this.#world);
  readonly #notifier: Notifier;
  #settings: Settings = defaultSettings;
  #providers: ReadonlyMap<Ref, ProviderSettings> = new Map();
  readonly #tallies = new Tallies();
  readonly #tests = new ProviderTests();
  readonly #maintenance = new MaintenanceEvents();
  readonly #reports = new Reports();
  readonly #presses = new Presses();
  readonly #fleet = new Fleet();
  #hub: HubWord | undefined;
  readonly #parts: CoreParts = {
    ...{ world: this.#world, detection: this.#detection, explainer: this.#explainer, incidents: this.#incidents },
    ...{ lateSources: this.#lateSources, redeliveries: this.#redeliveries, ledgers: this.#ledgers },
    ...{ tests: this.#tests, reports: this.#reports, presses: this.#presses, remembered: new Remembered() },
  };
  /** The baseline is taken once. */
  #started = false;

  constructor({ setsAside = false, isAsked = false, heldSince, ...identity }: CoreOptions) {
    this.#identity = identity;
    if (heldSince) this.#heldSince = heldSince;
    this.#isAsked = isAsked;
    this.#notifier = new Notifier(this.#world, this.#excerpts, identity.version, this.#faults);
    if (setsAside) this.#faults.setAside();
  }

  /** What the edges may read between turns. */
  readonly view: CoreView = {
    world: this.#world,
    faults: this.#faults,
    hasStarted: () => this.#started,
    settings: () => this.#settings,
    findings: () => this.#detection.all(),
    incidents: () => Iterator.from(this.#incidents.all()).map(spokenOf),
    mutes: () => this.#tallies.mutes(),
    routes: () => this.#tallies.routes(),
    redelivery: (uid) => this.#redeliveries.get(uid),
    ledger: (uid) => this.#ledgers.get(uid),
    verdictsOn: (report) => verdictsOn(report, this.#incidents.all(), this.#settings),
    pressCursor: (channel, now) => this.#presses.cursor(channel, now),
    words: (incident, now, audience) =>
      this.#notifier.words(spokenOf(incident), { settings: this.#settings, now }, audience),
    quoted: (incident, now) => this.#notifier.quoted(spokenOf(incident), { settings: this.#settings, now }),
    why: (asked, now, at) =>
      whyOf(asked, {
        ...{ world: this.#world, settings: this.#settings, now, at, ...this.#identity },
        words: (incident) => this.view.words(incident, now),
        incidents: [...this.#incidents.all()].map(spokenOf),
        findings: (ref) => this.#detection.findings(ref),
        faults: this.#faults.all(),
      }),
  };

  /** One turn. */
  readonly turn: Turn = (inputs, now) => {
    const taken = nothingTaken();
    for (const ref of this.#faults.begin(now)) if (this.#started) taken.dirty.add(ref);
    for (const input of inputs) this.#take(input, now, taken);
    const { step, ...decided } = this.#decide(taken, now);
    for (const ref of this.#tallies.take(step)) taken.statuses.add(ref);
    for (const announcement of step.announcements) this.#noteStandIns(announcement, taken);

    const context = { settings: this.#settings, providers: this.#providers, traits: this.#identity.traits, now };
    const fetch = this.#excerpts.wanted(this.#beginning(step), step.changed, this.#settings, now);
    const wakeAt = Math.min(decided.wakeAt, this.#excerpts.wakeAt(now) ?? Number.POSITIVE_INFINITY);
    // Before what is told now: an answer belongs to what was told earlier.
    const { replace, retold } = this.#notifier.answer(taken.evidence, (id) => this.#incidents.get(id), context);
    for (const one of retold) this.#incidents.retold(one, now);
    const { enqueue, events } = this.#notifier.tell(step.announcements, context);
    this.#excerpts.forget(this.#incidents.all());
    const again = this.#sendAgain(step, enqueue, taken, now);
    const pressed = this.#pressed(taken.pressed, now);
    const answers = this.#started ? this.#maintenance.due(this.#world, this.#settings, now, taken.baseline) : [];
    return {
      save: {
        incidents: step.changed,
        forget: step.forget,
        enqueue: [...taken.tests, ...enqueue, ...again.flatMap((one) => one.enqueue)],
        replace,
        drop: taken.droppedTests,
        forgetFailed: again.flatMap(({ forgetFailed }) => forgetFailed),
        memos: this.#started ? takeMemos(this.#parts, now, this.#identity.clusterId) : [],
        audit: step.decisions,
      },
      fetch,
      events: [...events, ...answers],
      ...(pressed.length > 0 && { pressed }),
      ...(this.#settings.hub.url !== undefined && {
        outside: outsideCauses(
          this.#incidents.all(),
          wouldBeTold({ ...this.#identity, settings: this.#settings, now, marks: this.#world.marks.at(now) }),
        ),
      }),
      statuses: [...taken.statuses],
      counters: decisionCounters(step.decisions),
      ...(Number.isFinite(wakeAt) && { wakeAt: Math.max(wakeAt, now + 1) }),
    };
  };

  /** The incidents that nobody has been told of yet, those of which somebody is told now, and those that somebody asks about. */
  *#beginning({ announcements }: StepResult): Iterable<Incident> {
    for (const incident of this.#incidents.all())
      if (incident.state === 'Settling' || (this.#isAsked && incident.state === 'Open')) yield incident;
    for (const announcement of announcements) {
      const incident = isQuoting(announcement) ? this.#incidents.get(announcement.incident.id) : undefined;
      if (incident) yield incident;
    }
  }

  /** A fallback is told since a provider could not be: the status of that one says so. */
  #noteStandIns({ notes = [], providers: [fallback] }: Announcement, { statuses }: Taken): void {
    for (const note of notes) {
      const uid = note.is === 'standsIn' ? this.#providers.get(note.provider)?.uid : undefined;
      if (note.is !== 'standsIn' || uid === undefined || fallback === undefined) continue;
      this.#ledgers.standsIn(uid, fallback);
      statuses.add(note.provider);
    }
  }

  /** From what became dirty to decisions. */
  #decide({ dirty, baseline, ...taken }: Taken, now: number): { readonly step: StepResult; readonly wakeAt: number } {
    const { clusterId, traits } = this.#identity;
    const settings = this.#settings;
    this.#world.expire(now);
    const judged = this.#detection.evaluate(dirty, now);
    for (const ref of judged.changed) dirty.add(ref);
    // At the baseline no explanation has looked at anything yet that could have changed.
    const news = baseline ? judged.changed : dirty;
    // Before it there is nothing to explain but what was saved, of which half of the cluster still hides the causes.
    const { explanations, wakeAt } = this.#started
      ? this.#explainer.explain(news, now, settings.detection.overrides)
      : unexplained;
    const newlySeen = this.#started ? this.#lateSources.takeKinds() : [];
    const reports = this.#reports.take(taken.reports, this.#started);
    const inSight = (kind: string): boolean => this.#world.isInSight(kind) || !this.#lateSources.wasSeen(kind);
    const redeliveries = this.#started ? this.#redeliveries.take() : [];
    const step = this.#incidents.step({
      ...{
        explanations: this.#fleet.join(explanations, settings.detection.overrides, now),
        hub: this.#hub,
        settings,
        now,
        baseline,
        clusterId,
        newlySeen,
        reports,
        traits,
        inSight,
        redeliveries,
      },
      marks: this.#world.marks.at(now),
      isBeingRead: ({ samplePod }) => this.#excerpts.isAwaited(samplePod, settings, now),
    });
    return {
      step,
      wakeAt: earliest(
        [judged.wakeAt, wakeAt, step.wakeAt, this.#faults.wakeAt(), this.#fleet.wakeAt()].filter(
          (at) => at !== undefined,
        ),
      ),
    };
  }

  /** What to do about buttons that were pressed. Before the cluster is known nothing is: their products tell of them again. */
  #pressed(heard: Taken['pressed'], now: number): readonly PressedRequest[] {
    if (!this.#started) return [];
    const incident = (id: string): Incident | undefined => this.#incidents.get(id);
    return heard.flatMap((one) => this.#presses.take(one, { settings: this.#settings, incident, now }));
  }

  /** What failed for good and was asked for again: what is told besides, and which dead letters leave the list. */
  #sendAgain({ redelivered }: StepResult, told: readonly Delivery[], { statuses }: Taken, now: number) {
    return redelivered.flatMap((plan) => {
      const uid = this.#providers.get(plan.request.provider)?.uid;
      if (uid === undefined) return [];
      statuses.add(plan.request.provider);
      return [this.#redeliveries.decided(plan, uid, told, now)];
    });
  }

  /** Takes in one input: what it changes is known at once, what follows from it is decided when all are in. */
  #take(input: Input, now: number, taken: Taken): void {
    switch (input.kind) {
      case 'objects':
        this.#lateSources.takeObjects(input.source);
        if (!this.#started) this.#world.load(input.source, input.events, now);
        else for (const ref of this.#world.apply(input.source, input.events, now)) taken.dirty.add(ref);
        this.#askWhose(this.#world.owners.takeChanged(), taken);
        break;
      case 'source': {
        this.#lateSources.take(input.coverage);
        const concerned = this.#world.see(input.coverage, now);
        if (!this.#started) break;
        for (const ref of concerned) taken.dirty.add(ref);
        for (const ref of this.#detection.standing()) taken.dirty.add(ref);
        break;
      }
      case 'restored':
        if (!this.#started) restoreTo(this.#parts, input.saved);
        break;
      case 'baseline':
        if (this.#started) break;
        taken.baseline = true;
        this.#started = true;
        this.#hub ??= wordAfterRestart(this.#incidents.all(), now);
        // Nothing is judged before, when half of the cluster is known; now everything is, once.
        for (const ref of this.#world.everything()) taken.dirty.add(ref);
        for (const ref of this.#detection.standing()) taken.dirty.add(ref);
        break;
      case 'settings':
        for (const ref of this.#detection.switchTo(input.settings.edition, this.#world.everything()))
          if (this.#started) taken.dirty.add(ref);
        for (const ref of this.#detection.goBy(thresholdsOf(input.settings), this.#world.everything()))
          if (this.#started) taken.dirty.add(ref);
        if (this.#world.owners.readBy(input.settings.owners.keys)) this.#askWhose('all', taken);
        this.#settings = input.settings;
        this.#providers = new Map(input.settings.providers.map((provider) => [provider.ref, provider]));
        break;
      case 'evidence':
        taken.evidence.push(input.evidence);
        this.#excerpts.take(input.evidence);
        for (const ref of this.#world.hear(input.evidence, now)) taken.dirty.add(ref);
        // Its last line is news to signatures alone.
        if (this.#settings.signatures.length > 0) taken.dirty.add(input.evidence.pod);
        break;
      case 'outcome':
        taken.reports.push(input.report);
        taken.statuses.add(input.report.provider);
        this.#ledgers.learn(input.report);
        for (const ref of this.#redeliveries.learn(input.report)) taken.statuses.add(ref);
        break;
      case 'pressed':
        taken.pressed.push(input.heard);
        break;
      case 'member':
        this.#fleet.take(input.report);
        break;
      case 'hub':
        this.#hub = input.word;
        break;
      case 'redeliver':
        this.#redeliveries.ask(input.request);
        break;
      case 'test':
        this.#takeTest(input.provider, input.nonce, now, taken);
        break;
      case 'lease':
      case 'wake':
        break;
    }
  }

  /** Namespaces name other owners, or owners are named otherwise: what is found says anew whose it is. */
  #askWhose(namespaces: ReadonlySet<string> | 'all', { dirty }: Taken): void {
    if (!this.#started || (namespaces !== 'all' && namespaces.size === 0)) return;
    for (const { subject } of this.#detection.all())
      if (namespaces === 'all' || namespaces.has(namespaceOf(subject.ref))) dirty.add(subject.ref);
  }

  #takeTest(ref: Ref, nonce: string, now: number, taken: Taken): void {
    const provider = this.#providers.get(ref);
    if (!provider) return;
    const { test, dropped } = this.#tests.ask(provider, nonce, this.#settings, now);
    if (dropped !== undefined) taken.droppedTests.push(dropped);
    taken.tests.push(test);
  }
}

/** What detectors go by. */
const thresholdsOf = ({ detection, signatures }: Settings) => ({ ...detection, signatures });
