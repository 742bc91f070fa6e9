import type { Incident } from '../model/incident.ts';
import { type Memory, recall } from '../model/memory.ts';
import type { Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { StepContext } from './context.ts';
import { type Disposed, mute } from './dispositions.ts';
import { end, payOwedEnd } from './endings.ts';
import type { Matter } from './lifecycle.ts';
import { isMuteCount, type MuteCount, MuteCounts } from './mute-counts.ts';
import { isRouteCounts, RouteCounts, type RouteTable } from './route-counts.ts';
import type { Step } from './step.ts';
import type { IncidentStore } from './store.ts';
import { type TakingContext, take } from './taking.ts';
import type { Transition } from './transitions.ts';

const unchanged = { decisions: [], notices: [] };

/**
 * What there is to tell of one incident, through mute and route: to messages for those it concerns. Keeps the incident as it is
 * then, and counts what was held back and what each route has taken.
 */
export class Pipeline {
  readonly #store: IncidentStore;
  readonly #mutes = new MuteCounts();
  readonly #routes = new RouteCounts();

  constructor(store: IncidentStore) {
    this.#store = store;
  }

  /** What Silences and MaintenanceWindows have muted. */
  mutes(settings: Settings): ReadonlyMap<Ref, MuteCount> {
    return this.#mutes.of(settings);
  }

  /** The same, before anything has been decided. */
  allMutes(): ReadonlyMap<Ref, MuteCount> {
    return this.#mutes.memory();
  }

  /** What the routes of each provider have taken. */
  routes(settings: Settings): RouteTable {
    return this.#routes.of(settings);
  }

  /** What is to be remembered of what was counted. */
  memory(): Memory {
    return { mutes: this.#mutes.memory(), routes: this.#routes.memory() };
  }

  /** Goes on from what was counted before a restart. */
  restore(memory: Memory): void {
    this.#mutes.restore(recall(memory, 'mutes', isMuteCount));
    this.#routes.restore(recall(memory, 'routes', isRouteCounts));
  }

  /** Something is worth telling of an incident. `before`: the incident before the step. */
  tell(incident: Incident, matter: Matter, context: TakingContext, step: Step, before: Incident = incident): void {
    const disposed = mute(incident, matter, context);
    this.#mutes.count(before, disposed.incident, context.now);
    this.#route(before, disposed, context, step);
    if (matter.is === 'folds' && matter.row.to === null) this.#store.remove(incident.id);
  }

  /** Nothing is worth telling of an incident; whom it goes to may have changed. `before`: the incident before the step. */
  pass(incident: Incident, before: Incident, context: TakingContext, step: Step): void {
    this.#route(before, { ...unchanged, incident }, context, step);
  }

  /** An incident is over: whoever knows of it is told, now or as soon as that is possible. */
  end(incident: Incident, { from, reasonCode }: Transition, context: StepContext, step: Step): void {
    const ended = end(incident, from, reasonCode, context, this.#store);
    this.#keep(ended, step);
    step.resolved.push(ended.incident);
  }

  /** Tells the ends that are owed to providers that can be told now. `arrived`: UIDs of providers that could not before. */
  payOwedEnds(arrived: ReadonlySet<string>, context: StepContext, step: Step): void {
    for (const incident of this.#store.all())
      if (incident.state === 'Resolved' && incident.endOwedTo?.length)
        this.#keep(payOwedEnd(incident, arrived, context), step);
  }

  #route(before: Incident, disposed: Disposed, context: TakingContext, step: Step): void {
    const { takings, ...taken } = take(before, disposed, context);
    for (const taking of takings) this.#routes.count(taking, context.now);
    this.#keep(taken, step);
  }

  #keep({ incident, decisions, messages }: ReturnType<typeof end>, step: Step): void {
    for (const decision of decisions) step.decisions.push(decision);
    for (const message of messages) step.messages.push(message);
    this.#store.put(incident);
  }
}
