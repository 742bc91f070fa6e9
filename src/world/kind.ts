import type { Resource } from '../model/resource.ts';
import type { Fields } from './fields.ts';
import type { Meta } from './meta.ts';

/**
 * A kind that is watched and held: which resource it is, what is kept of an object, and who is judged by it. Each has a file
 * in `kinds/` and a line in the table (`kinds.ts`).
 */
export type WatchedKind<V extends Meta & { readonly kind: string } = Meta & { readonly kind: string }> = Resource & {
  readonly kind: V['kind'];
  /** What is kept of an object as the API gives it. */
  project(raw: Fields): V;
  /** Kinds that are judged by objects of this one: all of them are looked at again when it comes into or goes out of sight. */
  readonly judgedBy?: readonly string[];
  /**
   * What those are judged by that it owns or hosts. They are looked at again when this differs and not at every change: a
   * rollout of 1,000 Pods writes the counts of its owner 1,000 times, and no Pod is judged by these.
   */
  fingerprintForDependents?(view: V): readonly unknown[];
  /** What its owners are judged by. */
  fingerprintForOwners?(view: V): readonly unknown[];
};
