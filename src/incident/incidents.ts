import type { Explanation } from '../model/explanation.ts';
import { Faults } from '../model/faults.ts';
import type { Audience, Decision, Incident } from '../model/incident.ts';
import { earliest } from '../model/instants.ts';
import { noMarks } from '../model/maintenance.ts';
import { isTrue, type Memory, recall } from '../model/memory.ts';
import { Absence } from './absence.ts';
import { acknowledge } from './acknowledging.ts';
import { baselineIncident, isMature, isOfKinds, lastSurelySeen } from './baseline.ts';
import { settling } from './beginnings.ts';
import { Bursts } from './bursts.ts';
import { contextOf, mutesChangeAt, type StepContext } from './context.ts';
import { decisionOf } from './decision.ts';
import { afterRestart, afterRetelling, type LeftOutbox, type Retold } from './hearing.ts';
import { advance, type Encounter, type LifecycleContext } from './lifecycle.ts';
import { type Matched, match } from './matching.ts';
import { Outlet } from './outlet.ts';
import { Pipeline } from './pipeline.ts';
import { Reach, type Reached } from './reach.ts';
import { redeliver } from './redelivery.ts';
import { applyReports } from './reports.ts';
import { forgetOldest, shrink } from './retention.ts';
import type { Found } from './start-lists.ts';
import { Step, type StepInput, type StepResult } from './step.ts';
import { stillFailing } from './still-failing.ts';
import { IncidentStore } from './store.ts';
import { Symptoms } from './symptoms.ts';
import type { TakingContext } from './taking.ts';
import { longestSettleMs } from './timing.ts';
import type { Transition } from './transitions.ts';
import { Awaited, isUnsettled, unsettled } from './unsettled.ts';

/**
 * Incidents that begin in one step at most; the others begin in the next, at once. Finding the words for each takes part of a
 * millisecond, and a turn must stay far shorter than the lock's renewal.
 */
const mostBegun = 1_000;

/** The result of a step that decides nothing. */
const nothing = { announcements: [], decisions: [], changed: [], forget: [], redelivered: [] };

/** A resolved incident is the same one again only while its cooldown lasts; afterwards the failure is a new incident. */
function canFollow({ state, resolvedAt = 0 }: Incident, { settings, now }: StepContext): boolean {
  return state !== 'Resolved' || now <= resolvedAt + settings.incidents.cooldownSeconds * 1000 + longestSettleMs;
}

/** The incidents of one cluster through time. */
export class Incidents {
  readonly #store = new IncidentStore();
  readonly #pipeline = new Pipeline(this.#store);
  readonly #symptoms = new Symptoms();
  readonly #bursts = new Bursts();
  readonly #reach = new Reach();
  readonly #outlet: Outlet;
  /** What decides whom incidents go to, as it was in the step before. */
  #rules: readonly unknown[] = [];
  readonly #absence = new Absence();
  readonly #awaited = new Awaited();
  #knownAudiences: ReadonlySet<Audience> = new Set();
  #started = false;
  /** When whatever was known before a restart was last seen (epoch milliseconds). */
  #seenUntil: number | undefined;
  readonly #faults: Faults;

  /** `faults`: where an incident is set aside that a step throws on. */
  constructor(faults: Faults = new Faults()) {
    this.#faults = faults;
    this.#outlet = new Outlet(this.#store, this.#reach, faults);
  }

  /** Every incident that is known, settling and resolved ones included. */
  all(): Iterable<Incident> {
    return this.#store.all();
  }

  /** The incident of an id, if it is known. */
  get(id: string): Incident | undefined {
    return this.#store.get(id);
  }

  /** What is to be remembered besides the incidents. */
  memory(): Memory {
    return {
      ...this.#reach.memory(),
      ...this.#outlet.memory(),
      ...this.#pipeline.memory(),
      audiences: new Map([...this.#knownAudiences].map((audience) => [audience, true])),
      ...this.#bursts.memory(),
      settling: unsettled(this.#store.all()),
    };
  }

  /**
   * Continues from saved incidents: there is no baseline then. `seenUntil`: when Tocsin last looked (epoch milliseconds).
   * `left`: what became of what was on its way, where that is known.
   */
  restore(incidents: readonly Incident[], seenUntil: number, memory: Memory = {}, left?: LeftOutbox): void {
    this.#seenUntil = seenUntil;
    for (const incident of incidents) this.#store.put(left ? afterRestart(incident, left) : incident);
    this.#store.takeChanges();
    this.#absence.begin(incidents, seenUntil);
    this.#reach.restore(memory);
    this.#outlet.restore(memory);
    this.#pipeline.restore(memory);
    this.#bursts.restore(memory);
    this.#awaited.begin(recall(memory, 'settling', isUnsettled).values(), seenUntil);
    this.#knownAudiences = new Set(recall(memory, 'audiences', isTrue).keys());
  }

  /**
   * One step: match, transition, mute, route, due, throttle, announce. Incidents follow explanations, change state, and what is worth
   * telling of each goes on to whom it concerns, unless something mutes it or too much is told at once.
   */
  step(input: StepInput): StepResult {
    const { explanations, settings, now, clusterId, reports, traits = new Map(), marks = noMarks } = input;
    const { redeliveries: requests = [], hub } = input;
    if (!this.#started && input.baseline !== true) return { ...nothing, mutes: this.#pipeline.allMutes() };
    const step = new Step();
    const untoldLists = applyReports(reports, this.#store, step.touched);
    const general = contextOf({ settings, now, clusterId, traits, marks, hub, knownAudiences: this.#knownAudiences });
    const reached = this.#reach.take(
      general,
      reports,
      requests.map(({ provider }) => provider),
    );
    const context = { ...general, settled: reached.settled, silent: reached.silent };
    const rulesChanged = this.#takeRules(general, reached);
    this.#bursts.advance(now);
    const isFirst = !this.#started;
    this.#started = true;
    if (isFirst && this.#seenUntil === undefined) this.#takeBaseline(explanations, context, step);

    const hidden = this.#absence.hidden(input.inSight ?? (() => true));
    const matched = this.#absence.correct(this.#match(explanations, context), hidden, this.#store, context);
    // What began while nobody looked is ordinary, however long ago.
    const matureAt = isFirst && this.#seenUntil !== undefined ? lastSurelySeen(this.#seenUntil) : now;
    this.#symptoms.note(this.#store.all(), matched.followed, now);
    const alone = this.#symptoms.leftAlone(this.#store.all(), matched, now);
    const found = this.#take({ ...matched, alone }, { newlySeen: input.newlySeen ?? [], matureAt }, context, step);
    const { isBeingRead = () => false } = input;
    const followedBy = (id: string): Explanation | undefined => found.follows.get(id) ?? matched.followed.get(id);
    const isStillFailing = stillFailing(this.#store.all(), followedBy);
    const lifecycle = { ...context, isBeingRead, isStillFailing, bursts: this.#bursts, store: this.#store };
    for (const incident of this.#store.all()) {
      if (hidden.has(incident.id)) continue;
      const follows = followedBy(incident.id);
      const settlesFrom = follows && alone.get(follows);
      const encounter = { follows, absorbedBy: matched.absorbed.get(incident.id), settlesFrom };
      this.#follow(incident, () => this.#live(incident, encounter, lifecycle, rulesChanged, step), step);
    }
    const redelivered = requests.map((request) => redeliver(request, this.#store, context, step));
    const isFresh = this.#seenUntil === undefined;
    const announcements = this.#outlet.announce({ reached, found, untoldLists, isFresh }, context, step);
    step.wakes.push(this.#reach.wakeAt(), this.#pipeline.wakeAt());
    for (const incident of step.resolved) this.#shrink(incident.id);
    forgetOldest(this.#store, now - settings.incidents.cooldownSeconds * 1000 - longestSettleMs);
    this.#knownAudiences = new Set(context.audiences);
    for (const at of mutesChangeAt(context)) step.wakes.push(at);
    const wakeAt = earliest(step.wakes.filter((at) => at > now));
    return {
      announcements,
      decisions: step.decisions,
      ...this.#store.takeChanges(),
      mutes: this.#pipeline.mutes(settings),
      routes: this.#pipeline.routes(settings),
      redelivered,
      ...(Number.isFinite(wakeAt) && { wakeAt }),
    };
  }

  /** What is announced and not sent yet is told in other words, since a log has explained more: that is what its readers will have heard. */
  retold(retold: Retold, now: number): void {
    const incident = this.#store.get(retold.incident);
    if (incident) this.#store.put(afterRetelling(incident, retold, now));
  }

  #match(explanations: readonly Explanation[], context: StepContext): Matched {
    return match(
      this.#store.all().filter((incident) => canFollow(incident, context)),
      explanations,
    );
  }

  /** What is mature when the baseline is taken was there before us: it is summarized, not told. */
  #takeBaseline(explanations: readonly Explanation[], context: TakingContext, step: Step): void {
    for (const explanation of explanations)
      if (isMature(explanation, context))
        this.#pipeline.tell(
          baselineIncident(explanation, context, this.#store),
          { is: 'begins', act: 'open', from: null, reasonCode: 'ExistedAtStart' },
          context,
          step,
        );
  }

  /** Makes incidents of explanations that none follows; what is mature of what could not be seen before is a late baseline. */
  #take(
    { fresh, alone }: Matched & { readonly alone: ReadonlyMap<Explanation, number> },
    { newlySeen, matureAt }: { readonly newlySeen: readonly string[]; readonly matureAt: number },
    context: TakingContext,
    step: Step,
  ): Found & { readonly follows: ReadonlyMap<string, Explanation> } {
    const follows = new Map<string, Explanation>();
    const incidents = new Set<string>();
    for (const explanation of fresh) {
      if (isOfKinds(explanation, newlySeen) && isMature(explanation, context, matureAt)) {
        const incident = baselineIncident(explanation, context, this.#store);
        const matter = { is: 'begins', act: 'open', from: null, reasonCode: 'ExistedAtStart' } as const;
        this.#pipeline.tell(incident, matter, context, step);
        incidents.add(incident.id);
        follows.set(incident.id, explanation);
        continue;
      }
      const known = this.#awaited.take(explanation, context.now);
      const incident = settling(explanation, context, this.#store, known ?? { settlesFrom: alone.get(explanation) });
      if (!known) this.#bursts.add(explanation, context.now);
      follows.set(incident.id, explanation);
      this.#store.put(incident);
    }
    return { follows, incidents, newlySeen };
  }

  /** Does `work` on one incident. Where it throws, the incident stays as it is, nothing of it is told, and the others go on. */
  #follow(incident: Incident, work: () => void, step: Step): void {
    const mark = step.mark();
    const about = incident.explanation.root.ref;
    this.#faults.guard({ step: 'follow', about, by: incident.id }, work, () => {
      step.back(mark);
      this.#store.put(incident);
    });
  }

  /** One incident through transition, mute, route and ledger. One of which nothing has changed is left as it is. */
  #live(
    incident: Incident,
    encounter: Encounter,
    context: LifecycleContext & TakingContext,
    rulesChanged: boolean,
    step: Step,
  ): void {
    const { now, settings } = context;
    const known = acknowledge(this.#absence.meet(incident, encounter), settings, now);
    if (known.decision) step.decisions.push(known.decision);
    const next = advance(known.incident, encounter, context);
    if (next.matter?.is === 'begins' && ++step.begun > mostBegun) {
      step.wakes.push(now + 1);
      return;
    }
    if (next.wakeAt !== undefined) step.wakes.push(next.wakeAt);
    if (next.silent) step.decisions.push(silently(next.incident ?? incident, next.silent, now));
    if (next.incident === undefined) this.#store.remove(incident.id);
    else if (next.ended) this.#pipeline.end(next.incident, next.ended, context, step);
    else if (next.matter && next.matter.is !== 'goesOn')
      this.#pipeline.tell(next.incident, next.matter, context, step, incident);
    else if (
      rulesChanged ||
      next.incident !== incident ||
      step.touched.has(incident.id) ||
      this.#pipeline.isDue(incident.id, now)
    )
      if (next.matter) this.#pipeline.tell(next.incident, next.matter, context, step, incident);
      else this.#pipeline.pass(next.incident, incident, context, step);
  }

  /** Whether what decides whom incidents go to is not what it was in the step before. */
  #takeRules({ settings, silences, windows, marks, hub, now }: StepContext, { arrived }: Reached): boolean {
    const before = this.#rules;
    const told = Object.entries(hub?.told ?? {}).flatMap(([id, until]) => (until > now ? [id] : []));
    this.#rules = [settings, marks.revision, marks.changesAt, told.sort().join(), ...silences, ...windows];
    const isSame = before.length === this.#rules.length && this.#rules.every((rule, index) => rule === before[index]);
    return !isSame || arrived.size > 0;
  }

  #shrink(id: string): void {
    const incident = this.#store.get(id);
    if (incident?.state === 'Resolved') this.#store.put(shrink(incident));
  }
}

/** Records a change of state that nobody is told of. */
function silently(incident: Incident, { action, from, to, reasonCode }: Transition, now: number): Decision {
  const disposition = incident.standings['']?.disposition ?? 'Delivered';
  return decisionOf(incident, now, { action, from, to, reasonCode, audience: '', disposition });
}
