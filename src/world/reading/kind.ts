import type { ChangeField } from '../../model/change-field.ts';
import type { Resource } from '../../model/resource.ts';
import type { Labels } from '../../model/subject.ts';
import type { Fields } from './fields.ts';
import type { LabelSelector } from './label-selector.ts';
import type { Meta } from './meta.ts';
import type { ObjectLink } from './object-links.ts';

/** What a field says: a text that anybody may read, or a hash of what nobody should; and where managedFields records its edits. */
export type EditedField = {
  readonly field: ChangeField;
  readonly says: string | number;
  readonly path: readonly string[];
};

/**
 * A kind that is watched and held: which resource it is, what is kept of an object, what it is linked to, and who is judged
 * by it. Each has a file in `kinds/` and a line in the table (`kinds.ts`).
 */
export type WatchedKind<V extends Meta & { readonly kind: string } = Meta & { readonly kind: string }> = Resource & {
  readonly kind: V['kind'];
  /** What is kept of an object as the API gives it. */
  project(raw: Fields): V;
  /** The objects it names: the Service of an EndpointSlice, the class of a claim. Owners are links of every kind. */
  links?(view: V): readonly ObjectLink[];
  /** The Pods of its namespace that it selects; `undefined`: none. */
  selector?(view: V): LabelSelector | undefined;
  /** The labels of the Pods that it makes, where who selects these is judged by it; `undefined`: it makes none of its own. */
  podLabels?(view: V): Labels | undefined;
  /**
   * What holds of it now and has no time in the API (`unready`): `World.since` remembers when each began. Whatever a detector
   * asks `since` for must be stated here.
   */
  facets?(view: V): readonly string[];
  /** Condition types of which it is remembered how often they turned from or to True (`World.turns`). */
  readonly turning?: readonly string[];
  /**
   * The fields that people edit and whose edits can cause trouble. Two views are compared by them; a kind that has any must not
   * leave its managedFields away, which say when and by whom.
   */
  edited?(view: V): readonly EditedField[];
  /**
   * Kinds that are judged by objects of this one. They are all looked at again when it comes into or goes out of sight; one
   * that is linked with an object of it, or owns or is owned by it, is when that comes, goes or looks different (below).
   */
  readonly judgedBy?: readonly string[];
  /** Kinds that are judged by objects of this one through one in between: of an EndpointSlice, through its `Service`. */
  readonly judgedThrough?: Readonly<Record<string, readonly string[]>>;
  /**
   * What those are judged by that it owns, hosts or is linked with. They are looked at again when this differs and not at every
   * change: a rollout of 1,000 Pods writes the counts of its owner 1,000 times, and no Pod is judged by these. Absent: only
   * whether it is there.
   */
  fingerprintForDependents?(view: V): readonly unknown[];
  /** What its owners, and who selects it, are judged by. */
  fingerprintForOwners?(view: V): readonly unknown[];
};
