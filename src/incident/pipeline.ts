import type { Incident } from '../model/incident.ts';
import { type Memory, recall } from '../model/memory.ts';
import type { Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { StepContext } from './context.ts';
import { dueOf } from './due.ts';
import { end, endsForStandIns } from './endings.ts';
import type { Matter } from './lifecycle.ts';
import { isMuteCount, type MuteCount, MuteCounts } from './mute-counts.ts';
import { isRouteCounts, RouteCounts, type RouteTable } from './route-counts.ts';
import { type Ruled, ruleOn } from './standings.ts';
import type { Step } from './step.ts';
import type { IncidentStore } from './store.ts';
import { type TakingContext, take } from './taking.ts';
import type { Transition } from './transitions.ts';

/**
 * What there is to tell of one incident, through mute, route and ledger: to messages for those who have not heard it. Keeps the incident
 * as it is then, and counts what was held back and what each route has taken.
 */
export class Pipeline {
  readonly #store: IncidentStore;
  readonly #mutes = new MuteCounts();
  readonly #routes = new RouteCounts();
  /** When time alone may bring something to tell of an incident (epoch milliseconds). */
  readonly #dueAt = new Map<string, number>();

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

  /** Whether time alone may have brought something to tell of an incident. */
  isDue(id: string, now: number): boolean {
    return (this.#dueAt.get(id) ?? Number.POSITIVE_INFINITY) <= now;
  }

  /** When time alone brings something to tell next (epoch milliseconds), `Infinity` when it brings nothing. */
  wakeAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [id, at] of this.#dueAt)
      if (this.#store.get(id) === undefined) this.#dueAt.delete(id);
      else next = Math.min(next, at);
    return next;
  }

  /** An incident begins, goes on or becomes part of another. `before`: the incident before the step. */
  tell(incident: Incident, matter: Matter, context: TakingContext, step: Step, before: Incident = incident): void {
    const ruled = ruleOn(incident, matter, context);
    this.#mutes.count(before, ruled.incident, context.now);
    this.#route(before, ruled, context, step);
    if (matter.is === 'folds' && matter.row.to === null) this.#store.remove(incident.id);
  }

  /** An incident of which nothing is told by itself: whom it goes to may have changed. `before`: the incident before the step. */
  pass(incident: Incident, before: Incident, context: TakingContext, step: Step): void {
    if (incident.state === 'Recovering') this.#route(before, { incident, decisions: [], sides: [] }, context, step);
    else this.#keep(incident);
    if (incident.state !== 'Resolved') return;
    for (const message of endsForStandIns(incident, context)) step.messages.push(message);
  }

  /** An incident is over: whoever knows of it is told, now or as soon as that is possible. */
  end(incident: Incident, { from, reasonCode }: Transition, context: StepContext, step: Step): void {
    const ended = end(incident, from, reasonCode, context, this.#store);
    for (const decision of ended.decisions) step.decisions.push(decision);
    for (const message of ended.messages) step.messages.push(message);
    this.#keep(ended.incident);
    step.resolved.push(ended.incident);
  }

  #route(before: Incident, ruled: Ruled, context: TakingContext, step: Step): void {
    const taken = take(before, ruled, context);
    for (const taking of taken.takings) this.#routes.count(taking, context.now);
    this.#keep(taken.incident);
    const { messages, decisions, wakeAt } = dueOf(taken, taken.sides, context);
    for (const decision of [...taken.decisions, ...decisions]) step.decisions.push(decision);
    for (const message of messages) step.messages.push(message);
    if (wakeAt !== undefined) this.#dueAt.set(taken.incident.id, wakeAt);
  }

  #keep(incident: Incident): void {
    this.#dueAt.delete(incident.id);
    this.#store.put(incident);
  }
}
