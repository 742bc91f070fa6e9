import { instantIn } from '../../model/instants.ts';
import { type MaintenanceMarks, noMarks } from '../../model/maintenance.ts';
import { namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import { isSame } from '../../model/same.ts';
import type { Labels } from '../../model/subject.ts';
import type { Projection } from '../kinds/kinds.ts';
import { messageOf } from '../reading/fields.ts';
import type { Objects } from './objects.ts';

/** Puts its object into maintenance while it is `"true"`. */
const maintenance = 'tocsin.dev/maintenance';
/** Puts its object into maintenance until that instant; beside the other one, its end. */
const maintenanceUntil = 'tocsin.dev/maintenance-until';

/** What the maintenance annotations of an object say: until when (epoch milliseconds, `Infinity`), or what is wrong with them. */
export type Mark = { readonly until: number } | { readonly wrong: string };

/** Kinds that can be put into maintenance by annotation. */
const markable: ReadonlySet<string> = new Set<Projection['kind']>([
  'Namespace',
  'Node',
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
]);

/** What people wrote, as it may be shown to them. */
function quoted(value: string): string {
  const text = messageOf(value);
  return `"${text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text}"`;
}

/** What annotations say of maintenance; `undefined`: nothing. What cannot be read puts nothing into maintenance. */
export function markOf(annotations: Labels | undefined): Mark | undefined {
  const [on, until] = [annotations?.[maintenance], annotations?.[maintenanceUntil]];
  if ((on === undefined && until === undefined) || on === 'false') return undefined;
  if (on !== undefined && on !== 'true')
    return { wrong: `\`${maintenance}\` is ${quoted(on)}: write "true" or "false"` };
  if (until === undefined) return { until: Number.POSITIVE_INFINITY };
  const instant = instantIn(until);
  if (instant === undefined)
    return {
      wrong: `\`${maintenanceUntil}\` is ${quoted(until)}, which is no time: write one as 2026-12-02T06:00:00Z`,
    };
  return { until: instant };
}

/**
 * Whether an object's annotations are its own. A ReplicaSet's are copies of its Deployment's, and the Deployment controller
 * never takes one back (`SetNewReplicaSetAnnotations`): removing it there has to be enough.
 */
function speaksForItself({ kind, owner }: Projection): boolean {
  return markable.has(kind) && (kind !== 'ReplicaSet' || owner === undefined);
}

/** Which objects carry maintenance annotations. */
export class Marks {
  readonly #objects: Objects;
  readonly #marks = new Map<Ref, Mark>();
  /** Objects whose marks came, changed or went since they were last taken. */
  #changed = new Set<Ref>();
  #revision = 0;

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  /** An object as it is now. */
  note(view: Projection): void {
    const before = this.#marks.get(view.ref);
    if (view.annotations === undefined && before === undefined) return;
    const mark = speaksForItself(view) ? markOf(view.annotations) : undefined;
    if (isSame(before, mark)) return;
    if (mark) this.#marks.set(view.ref, mark);
    else this.#marks.delete(view.ref);
    this.#change(view.ref);
  }

  /** The object is gone. */
  remove(ref: Ref): void {
    if (this.#marks.delete(ref)) this.#change(ref);
  }

  #change(ref: Ref): void {
    this.#changed.add(ref);
    this.#revision += 1;
  }

  /** Every object that carries one. */
  all(): ReadonlyMap<Ref, Mark> {
    return this.#marks;
  }

  /** Objects whose marks came, changed or went since the last call. */
  takeChanged(): ReadonlySet<Ref> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  /** What is in maintenance at `now` (epoch milliseconds). */
  at(now: number): MaintenanceMarks {
    if (this.#marks.size === 0) return noMarks;
    let changesAt = Number.POSITIVE_INFINITY;
    for (const mark of this.#marks.values())
      if ('until' in mark && mark.until > now && mark.until < changesAt) changesAt = mark.until;
    return { coverOf: (ref) => this.#coverOf(ref, now), changesAt, revision: this.#revision };
  }

  #coverOf(ref: Ref, now: number): Ref | undefined {
    const isMarked = (one: Ref): boolean => {
      const mark = this.#marks.get(one);
      return mark !== undefined && 'until' in mark && mark.until > now;
    };
    if (isMarked(ref)) return ref;
    for (const owner of this.#objects.ownersOf(ref)) if (isMarked(owner)) return owner;
    const [namespace, node] = [namespaceOf(ref), this.#objects.pods.record(ref)?.node];
    const around = [
      ...(namespace === '' ? [] : [refOf('Namespace', '', namespace)]),
      ...(node === undefined ? [] : [refOf('Node', '', node)]),
    ];
    return around.find(isMarked);
  }
}
