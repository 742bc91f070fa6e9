import type { ChangeField } from '../../model/change-field.ts';
import type { Resource } from '../../model/resource.ts';
import type { Labels } from '../../model/subject.ts';
import { type Fields, fieldsOf, textOf } from './fields.ts';
import type { LabelSelector } from './label-selector.ts';
import { type Meta, metaOf } from './meta.ts';
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

/** What the fields of an object are read from. */
type Parts = {
  /** The object as the API gives it, its spec and its status. */
  readonly raw: Fields;
  readonly spec: Fields;
  readonly status: Fields;
  /** What is kept of every object, and its namespace as the API gives it. */
  readonly meta: Meta;
  readonly namespace: string | undefined;
};

/** A row of the table of kinds: what it does not say is as it is of most. */
type Row<K extends string, F, V extends Meta & { readonly kind: string }> = Omit<
  WatchedKind<V>,
  'kind' | 'project' | 'versions' | 'plural' | 'withoutManagedFields'
> & {
  readonly kind: K;
  /** Default: `v1` alone. */
  readonly versions?: Resource['versions'];
  /** Default: the kind in lower case with an `s`. */
  readonly plural?: string;
  /** Somebody reads who wrote which fields. */
  readonly managedFields?: true;
  /** What is kept of an object besides what is kept of every one. */
  readonly fields: (parts: Parts) => F;
};

/** A view of a kind: what is kept of every object, and its own fields. */
type View<K extends string, F> = Meta & { readonly kind: K } & F;

/** A kind whose objects are kept field by field. */
export function watched<K extends string, F extends object>({
  fields,
  managedFields,
  ...row
}: Row<K, F, View<K, F>>): Omit<WatchedKind<View<K, F>>, 'kind'> & { readonly kind: K } {
  const { kind } = row;
  return {
    versions: ['v1'],
    plural: `${kind.toLowerCase()}s`,
    ...(!managedFields && { withoutManagedFields: true }),
    ...row,
    project(raw) {
      const meta = metaOf(kind, raw);
      const namespace = textOf(fieldsOf(raw.metadata).namespace);
      const parts = { raw, spec: fieldsOf(raw.spec), status: fieldsOf(raw.status), meta, namespace };
      return { ...meta, kind, ...fields(parts) };
    },
  };
}
