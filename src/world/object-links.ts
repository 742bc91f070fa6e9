import type { Ref } from '../model/ref.ts';
import { addTo, takeFrom } from '../model/sets.ts';
import type { LinkType } from './link-type.ts';

/** A link that an object states by name. */
export type ObjectLink = { readonly type: LinkType; readonly to: Ref };

/** Who states a link to an object, whether that exists or not: an index by target of what all but Pods state. */
export class ObjectLinks {
  readonly #byTarget = new Map<Ref, Map<LinkType, Set<Ref>>>();

  /** An object states these from now on. */
  add(from: Ref, links: Iterable<ObjectLink>): void {
    for (const { type, to } of links) {
      const byType = this.#byTarget.get(to) ?? new Map<LinkType, Set<Ref>>();
      this.#byTarget.set(to, byType);
      addTo(byType, type, from);
    }
  }

  /** It states them no more. */
  remove(from: Ref, links: Iterable<ObjectLink>): void {
    for (const { type, to } of links) {
      const byType = this.#byTarget.get(to);
      if (!byType) continue;
      takeFrom(byType, type, from);
      if (byType.size === 0) this.#byTarget.delete(to);
    }
  }

  /** Who states a link of a type to an object. */
  to(target: Ref, type: LinkType): Iterable<Ref> {
    return this.#byTarget.get(target)?.get(type) ?? [];
  }

  /** Who states any link to an object; once for each type of link. */
  *toAny(target: Ref): Iterable<Ref> {
    for (const from of this.#byTarget.get(target)?.values() ?? []) yield* from;
  }

  /** Objects that are linked to, whether they are held or not. */
  targets(): Iterable<Ref> {
    return this.#byTarget.keys();
  }
}
