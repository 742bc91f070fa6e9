import type { Ref } from '../../model/ref.ts';
import type { LinkType } from './link-type.ts';
import { Multimap } from './multimap.ts';

/** A link that an object states by name. */
export type ObjectLink = { readonly type: LinkType; readonly to: Ref };

/** Who states a link to an object, whether that exists or not: an index by target of what all but Pods state. */
export class ObjectLinks {
  readonly #byType = new Map<LinkType, Multimap<Ref, Ref>>();

  /** An object states these from now on. */
  add(from: Ref, links: Iterable<ObjectLink>): void {
    for (const { type, to } of links) {
      const byTarget = this.#byType.get(type) ?? new Multimap<Ref, Ref>();
      this.#byType.set(type, byTarget);
      byTarget.add(to, from);
    }
  }

  /** It states them no more. */
  remove(from: Ref, links: Iterable<ObjectLink>): void {
    for (const { type, to } of links) this.#byType.get(type)?.remove(to, from);
  }

  /** Who states a link of a type to an object. */
  to(target: Ref, type: LinkType): Iterable<Ref> {
    return this.#byType.get(type)?.get(target) ?? [];
  }

  /** Who states any link to an object; once for each type of link. */
  *toAny(target: Ref): Iterable<Ref> {
    for (const byTarget of this.#byType.values()) yield* byTarget.get(target);
  }
}
