import type { ChangeField } from '../../model/change-field.ts';
import type { Coverage } from '../../model/coverage.ts';
import type { HeardSign } from '../../model/heard-sign.ts';
import type { Memory } from '../../model/memory.ts';
import type { ObjectEvent } from '../../model/raw-object.ts';
import type { Ref } from '../../model/ref.ts';
import type { Labels, Subject } from '../../model/subject.ts';
import type { Evidence } from '../../model/turn.ts';
import type { Granted } from '../edits/access-edits.ts';
import type { EventView } from '../kinds/cluster/event.ts';
import type { Projection } from '../kinds/kinds.ts';
import type { RunsSinceSuccess } from '../memory/cron-runs.ts';
import type { Departure } from '../memory/departures.ts';
import type { Instability } from '../memory/instability.ts';
import type { OwnNormal, SavedNormal } from '../memory/own-normal.ts';
import type { SavedNotes } from '../memory/saved-notes.ts';
import type { Marks } from '../objects/marks.ts';
import type { Owners } from '../objects/owners.ts';
import type { LinkType } from '../reading/link-type.ts';
import type { WorldChanges } from './world-topics.ts';

/** An edit to an object that can cause trouble. Status and resync noise is not a change. */
export type Change = {
  readonly ref: Ref;
  /** What was edited. */
  readonly field: ChangeField;
  /** The container, for a field of one. */
  readonly container?: string;
  /**
   * Which parts of the field, at most five: variables of `env` by name, `limits.memory` of `resources`, the keys that the `data` of a
   * ConfigMap lost. Absent: it has none.
   */
  readonly parts?: readonly string[];
  /** Epoch milliseconds, by the API's own record (managedFields, creation of the new ReplicaSet) where it has one. */
  readonly at: number;
  /** Who wrote it: `kubectl-set`, `Argo CD application shop`, `Helm release api`. */
  readonly by?: string;
  /** False when the API only shows that it may have changed (ConfigMap data). */
  readonly certain: boolean;
  /** What it said before and says now, where anybody may read that: never a variable's value or an argument. */
  readonly from?: string;
  readonly to?: string;
  /** What a role or binding granted before. */
  readonly was?: Granted;
};

/** A sign, and what its target is: a Service (there or not), a Pod, a Node, an `ExternalEndpoint//host:port`. */
export type PlacedSign = HeardSign & { readonly to?: Ref };

/** The cluster as last seen. Reads are synchronous; there is one writer, the turn. */
export type World = {
  /**
   * `absent`: it does not exist. `unknown`: it is not held, and its kind is not being watched: denied, not synced yet, or failing,
   * so that what came since is not seen. Unknown never decides anything.
   */
  get(ref: Ref): Projection | 'absent' | 'unknown';
  /** All objects of one kind, in no particular order. */
  all(kind: string): Iterable<Projection>;
  count(kind: string): number;
  /**
   * Objects linked from (`out`) or to (`in`) an object, at most `limit`. Computed from shared Pod templates and indexes,
   * never stored per Pod. `in` + `owned-by` gives the children, `in` + `runs-on` the Pods of a Node.
   */
  linked(ref: Ref, type: LinkType, way: 'out' | 'in', limit?: number): Iterable<Ref>;
  /** Recent edits of an object after an instant (epoch milliseconds), oldest first. Kept for 30 minutes at least. */
  changes(ref: Ref, afterMs: number): readonly Change[];
  /** The custom resources of which edits are remembered; few are edited, and fewer edits matter. */
  editedCustom(): Iterable<Ref>;
  /** The roles and bindings of which edits are remembered, or their deletion. */
  editedAccess(): Iterable<Ref>;
  /**
   * Since when (epoch milliseconds) a facet of an object has been as it is: the API's own time where it has one, else
   * the first observation. Facets are the detectors' own words, `container/api/waiting/ImagePullBackOff`.
   */
  since(ref: Ref, facet: string): number;
  /** The topmost owner by controller references, at most six deep; the object itself when it has none. */
  topOwner(ref: Ref): Ref;
  labelsOf(ref: Ref): Labels;
  /** What a selector needs of an object. */
  subject(ref: Ref): Subject;
  /**
   * What the containers of a Pod said of why they fail, most telling first, at most twelve; where they said nothing, or nobody
   * asked them, what those of a Pod of the same owner did.
   */
  signs(pod: Ref): readonly PlacedSign[];
  /**
   * The shape of what a Pod, or a sibling that is asked for it, said last where that is no sign: words that nobody can read are not silence.
   * Empty: its log was read, and it said nothing more. `undefined`: nobody has read it.
   */
  lastWords(pod: Ref): string | undefined;
  /** The last line of a Pod whose log or termination message was read. */
  lastLine(pod: Ref): string | undefined;
  /** Another number whenever anything has changed. */
  readonly revision: number;
  /** The kinds that are watched now; the same set for as long as they are the same. Of some everything is seen in some namespaces only. */
  readonly kindsInSight: ReadonlySet<string>;
  /** The Pods of a namespace, at most `limit`, in no particular order. */
  podsIn(namespace: string, limit: number): Iterable<Ref>;
};

/** What the detectors read besides: what only somebody who kept watching can know of a container. */
export type ObservedWorld = World & {
  /** Whether a kind that is not in sight may come into it by itself: it is being listed, or its watch is being mended. */
  isExpected(kind: string): boolean;
  /** How often a container restarted after an instant (epoch milliseconds), as far as it was seen or follows from the Pod's age. */
  restartsAfter(pod: Ref, container: string, afterMs: number): number;
  /**
   * The newest message of a failing pull that told its cause. Older kubelets alternate between `ErrImagePull` with the
   * cause and `ImagePullBackOff` without one.
   */
  pullError(pod: Ref, container: string): string | undefined;
  /**
   * When a condition of an object turned from or to True in the last hour (epoch milliseconds, the oldest first), as far as it
   * was seen; for condition types that its kind remembers.
   */
  turns(ref: Ref, type: string): readonly number[];
  /** The runs of a CronJob that began after its last success; `undefined`: none did. */
  runsSinceSuccess(ref: Ref): RunsSinceSuccess | undefined;
  /** What is normal for a workload by itself; `undefined`: the edition does not know. */
  ownNormal(workload: Ref): OwnNormal | undefined;
  /** When its restarts of the last day will be fewer (epoch milliseconds); `undefined`: there were none. */
  restartsChangeAt(workload: Ref): number | undefined;
  /** How Pods of a workload went in the last day that left nothing behind to tell of it, the latest last. */
  departures(workload: Ref): readonly Departure[];
  /** The Nodes with or through which Pods of an owner were lost lately (a Job's in the last day), one for each Pod. */
  lostOn(owner: Ref): readonly string[];
  /** How long the last Pods of an owner took from running to ready, at most three (seconds). */
  starts(owner: Ref): readonly number[];
  /** How steadily the Pods of a ReplicaSet have run in the last hours, as far as it was seen. */
  instability(replicaSet: Ref): Instability;
  /** What Events told of an object (of this one, and no namesake before it) in the last hour, at most ten, oldest first. */
  events(ref: Ref): readonly EventView[];
  /**
   * How many Warnings that no detector knows came in the last half hour in all the cluster, and how many come in an hour as a rule,
   * where enough was seen.
   */
  warnings(): { readonly recent: number; readonly usualHourly: number | undefined };
  /** The labels of the Pods of a namespace, and of those that its workloads would make; those alike are given once. */
  podLabels(namespace: string): Iterable<Labels>;
  /** The Services that select Pods with such labels. */
  servicesFor(namespace: string, labels: Labels): Iterable<Ref>;
};

/**
 * Since when an object, or what it is judged by, has been as it is when it is first met (epoch milliseconds), where nobody watched and that is known
 * all the same; `undefined`: since it was met.
 */
export type HeldSince = (ref: Ref) => number | undefined;

/** An object by name, with the identity it had. */
export type ObjectKey = { readonly namespace?: string; readonly name: string; readonly uid: string };

/** The world as its one writer, the turn, holds it. `now` is epoch milliseconds. */
export type WritableWorld = ObservedWorld & {
  /** Goes on from what was normal before a restart. `since`: when anybody began to watch (epoch milliseconds). */
  restoreNormals(saved: ReadonlyMap<string, SavedNormal>, since: number | undefined): void;
  /** What is kept of workloads to know what is normal for them, where it is another than at the last call; `undefined`: nothing. */
  takeNormals(): Iterable<readonly [Ref, SavedNormal | undefined]>;
  /** Goes on from what was seen over time before a restart. `watchedSince`: since when Pods have been watched (epoch milliseconds). */
  restoreSeen(memory: Memory, watchedSince: number | undefined): void;
  /** What was seen over time and is another than at the last call. */
  takeSeen(): WorldChanges;
  /** Since when Pods have been watched (epoch milliseconds). */
  readonly podsWatchedSince: number | undefined;
  /** Since when anybody watches (epoch milliseconds). */
  readonly watchedSince: number | undefined;
  /**
   * Takes in changes of one source (`pods`, `deployments.apps`). Returns the objects to look at again: those that changed
   * in what is kept of them, and those that detectors or rules judge by them.
   */
  apply(source: string, events: readonly ObjectEvent[], now: number): ReadonlySet<Ref>;
  /** Takes in what a run of a container logged last. Returns the objects to look at again: its Pod and who is judged by that, if it tells anything new. */
  hear(evidence: Evidence, now: number): ReadonlySet<Ref>;
  /** Takes in the same without asking whom it concerns, while nothing is judged yet. */
  load(source: string, events: readonly ObjectEvent[], now: number): void;
  /** Whether all objects of a kind are seen, so that one that is not held is not there; so it is of a kind that nobody watches. */
  isInSight(kind: string): boolean;
  /** Goes on from what was observed before a restart. Comes before anything is judged. */
  restore(notes: ReadonlyMap<string, SavedNotes>): void;
  /** What only somebody who kept watching can know of objects, where it is another than at the last call; `undefined`: nothing. */
  takeNotes(): Iterable<readonly [Ref, SavedNotes | undefined]>;
  /** An object, and whoever is judged by it. */
  concernedBy(ref: Ref): Iterable<Ref>;
  /** Every object that is held. */
  everything(): Iterable<Ref>;
  /** Takes in a row of coverage. Returns the objects to look at again because a kind came into or went out of sight. */
  see(coverage: Coverage, now: number): ReadonlySet<Ref>;
  /** Forgets changes, losses and observations too old for anybody to ask for. */
  expire(now: number): void;
  /** Which objects carry maintenance annotations. */
  readonly marks: Pick<Marks, 'all' | 'at' | 'takeChanged'>;
  /** Who answers for objects. */
  readonly owners: Pick<Owners, 'readBy' | 'takeChanged'>;
  /** What is held of a kind, for the comparison after a relist. */
  keys(kind: string): Iterable<ObjectKey>;
  uidOf(ref: Ref): string | undefined;
  /** `v1`, `apps/v1`; `undefined` for kinds that are not watched and for virtual objects. */
  apiVersionOf(ref: Ref): string | undefined;
};
