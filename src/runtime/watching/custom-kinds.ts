import type { ApiClient } from '../../kube/api-client.ts';
import { definedResource } from '../../kube/custom-definition.ts';
import { pathOf } from '../../kube/path.ts';
import type { ObjectEvent } from '../../model/raw-object.ts';
import { type Resource, sourceOf } from '../../model/resource.ts';

/** The source of definitions. */
export const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
/** Kinds looked at, first those that were there first: each costs two access reviews at every look. */
const maxKinds = 200;
/** Kinds with more objects are not watched, nor those whose objects are larger on average (bytes of JSON). */
const maxObjects = 5_000;
const maxBytes = 64 * 1024;

/** The kinds that definitions of the cluster define and that can be watched by their conditions. */
export class CustomKinds {
  /** By the name of the definition, which is that of the source. */
  readonly #defined = new Map<string, Resource>();
  /** Whose definition has gone, until it is seen that they are not served. */
  readonly #gone = new Set<string>();

  /** Learns from definitions that come, change or go. */
  take(source: string, events: readonly ObjectEvent[]): void {
    if (source !== definitions) return;
    for (const { is, raw } of events) {
      const resource = is === 'put' ? definedResource(raw) : undefined;
      if (resource === undefined) {
        if (this.#defined.has(raw.metadata.name)) this.#gone.add(raw.metadata.name);
      } else if (this.#defined.has(raw.metadata.name) || this.#defined.size < maxKinds) {
        this.#defined.set(sourceOf(resource), resource);
        this.#gone.delete(sourceOf(resource));
      }
    }
  }

  /** Whose definition has gone, and that may still be served. */
  gone(): Iterable<string> {
    return [...this.#gone];
  }

  resources(): Iterable<Resource> {
    return this.#defined.values();
  }

  has(source: string): boolean {
    return this.#defined.has(source);
  }

  /** It is not served: if its definition has gone as well, it is forgotten. */
  notServed(source: string): void {
    if (this.#gone.delete(source)) this.#defined.delete(source);
  }
}

/** How many objects there may be of a kind that is watched already. */
export function isTooMany(objects: number): boolean {
  return objects > maxObjects;
}

/** Whether there is too much of a kind to watch it, by its first object and how many the API server says are left. */
export async function isTooLarge(client: ApiClient, resource: Resource, version: string): Promise<boolean> {
  let bytes = 0;
  const request = { path: pathOf(resource, version), query: { limit: 1 } };
  const { remainingItemCount = 0 } = await client.list(request, (items) => {
    for (const item of items) bytes = Math.max(bytes, JSON.stringify(item).length);
    return Promise.resolve();
  });
  return isTooMany(1 + remainingItemCount) || bytes > maxBytes;
}
