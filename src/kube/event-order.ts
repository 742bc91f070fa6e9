import type { RawObject } from '../model/raw-object.ts';
import { isNewer } from './resource-version.ts';

/** What is remembered of one watch: the objects that changed last. Events that are swapped on their way come close to each other. */
const maxObjects = 2_000;

/**
 * The order of the events of one watch, which are to come as they happened. One that is older than what came before it of the same
 * object (the same UID) is no news. It is forgotten with the watch: a list, and a server whose storage was set back, are believed.
 */
export class EventOrder {
  /** UID → version, the last to change at the end. */
  readonly #versions = new Map<string, string>();

  /** Whether something newer is known of the object. If not, this is remembered. */
  isStale({ metadata: { uid, resourceVersion } }: RawObject): boolean {
    if (typeof uid !== 'string' || typeof resourceVersion !== 'string') return false;
    const known = this.#versions.get(uid);
    if (known !== undefined && isNewer(known, resourceVersion)) return true;
    this.#versions.delete(uid);
    this.#versions.set(uid, resourceVersion);
    const [oldest] = this.#versions.keys();
    if (this.#versions.size > maxObjects && oldest !== undefined) this.#versions.delete(oldest);
    return false;
  }
}
