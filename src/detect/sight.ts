import { kindOf, type Ref } from '../model/ref.ts';
import type { EventView } from '../world/kinds/cluster/event.ts';
import type { Projection } from '../world/kinds/kinds.ts';
import type { OwnNormal } from '../world/memory/own-normal.ts';
import type { LinkType } from '../world/reading/link-type.ts';
import type { ObservedWorld } from '../world/view/world.ts';

/**
 * The world as a judge looks at it: it notes the kinds of which the judge asked for something that cannot be seen, as what is
 * not found for want of these may still be so, and the Events that it looked at, whose words it may repeat.
 */
export class Sight implements ObservedWorld {
  readonly #world: ObservedWorld;
  #knowsNormal = false;
  readonly #missed = new Set<string>();
  #foundNone = false;
  #told: EventView[] = [];

  constructor(world: ObservedWorld) {
    this.#world = world;
  }

  /** Whether judges know what is normal for each workload. */
  knowNormal(does: boolean): void {
    this.#knowsNormal = does;
  }

  ownNormal(workload: Ref): OwnNormal | undefined {
    return this.#knowsNormal ? this.#world.ownNormal(workload) : undefined;
  }

  /** A new judgement begins. */
  begin(): void {
    if (this.#missed.size > 0) this.#missed.clear();
    this.#foundNone = false;
    if (this.#told.length > 0) this.#told = [];
  }

  /** The Events that were looked at since this judgement began. */
  get told(): readonly EventView[] {
    return this.#told;
  }

  /**
   * Whether the judge missed a kind that was in sight once. `then`: the kinds that were; `undefined`: before a restart, when it may
   * have been any that is not out of sight for good.
   */
  hasLost(then: ReadonlySet<string> | undefined): boolean {
    for (const kind of this.#missed) if (then ? then.has(kind) : this.#world.isExpected(kind)) return true;
    return false;
  }

  /** Whether the judge asked for something that is not there: that may turn out to be only not seen. */
  get foundNone(): boolean {
    return this.#foundNone;
  }

  get(ref: Ref): Projection | 'absent' | 'unknown' {
    const seen = this.#world.get(ref);
    if (seen === 'unknown') this.#missed.add(kindOf(ref));
    if (seen === 'absent') this.#foundNone = true;
    return seen;
  }

  get revision(): number {
    return this.#world.revision;
  }

  get kindsInSight(): ReadonlySet<string> {
    return this.#world.kindsInSight;
  }

  isExpected(kind: string): boolean {
    return this.#world.isExpected(kind);
  }

  events(ref: Ref): readonly EventView[] {
    const events = this.#world.events(ref);
    for (const event of events) this.#told.push(event);
    return events;
  }

  all = (kind: string) => this.#world.all(kind);
  count = (kind: string) => this.#world.count(kind);
  linked = (ref: Ref, type: LinkType, way: 'out' | 'in', limit?: number) => this.#world.linked(ref, type, way, limit);
  changes = (ref: Ref, afterMs: number) => this.#world.changes(ref, afterMs);
  editedCustom = () => this.#world.editedCustom();
  editedAccess = () => this.#world.editedAccess();
  since = (ref: Ref, facet: string) => this.#world.since(ref, facet);
  topOwner = (ref: Ref) => this.#world.topOwner(ref);
  labelsOf = (ref: Ref) => this.#world.labelsOf(ref);
  subject = (ref: Ref) => this.#world.subject(ref);
  restartsAfter = (pod: Ref, container: string, afterMs: number) => this.#world.restartsAfter(pod, container, afterMs);
  signs = (pod: Ref) => this.#world.signs(pod);
  lastLine = (pod: Ref) => this.#world.lastLine(pod);
  lastWords = (pod: Ref) => this.#world.lastWords(pod);
  pullError = (pod: Ref, container: string) => this.#world.pullError(pod, container);
  turns = (ref: Ref, type: string) => this.#world.turns(ref, type);
  runsSinceSuccess = (ref: Ref) => this.#world.runsSinceSuccess(ref);
  departures = (workload: Ref) => this.#world.departures(workload);
  restartsChangeAt = (workload: Ref) => this.#world.restartsChangeAt(workload);
  starts = (owner: Ref) => this.#world.starts(owner);
  lostOn = (owner: Ref) => this.#world.lostOn(owner);
  instability = (replicaSet: Ref) => this.#world.instability(replicaSet);
  warnings = () => this.#world.warnings();
  podsIn = (namespace: string, limit: number) => this.#world.podsIn(namespace, limit);
  podLabels = (namespace: string) => this.#world.podLabels(namespace);
  servicesFor = (namespace: string, labels: Readonly<Record<string, string>>) =>
    this.#world.servicesFor(namespace, labels);
}
