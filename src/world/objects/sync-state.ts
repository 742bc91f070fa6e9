import type { Coverage } from '../../model/coverage.ts';
import { setMember } from '../../model/membership.ts';
import { kindOf, namespaceOf, type Ref } from '../../model/ref.ts';

/** States in which a kind cannot be seen at all, whatever was seen before. */
const blindStates: ReadonlySet<Coverage['state']> = new Set(['Denied', 'NotServed', 'Disabled']);

/** How long it is remembered that an object was seen to go while its kind is watched, where absence says so anyway. */
const goneMemoryMs = 5 * 60_000;

/** What a row of coverage did to a kind: nothing, it came into or went out of sight, or absence began or ceased to be sure. */
export type SyncChange = 'none' | 'sight' | 'absence';

/**
 * Which kinds are in sight, and of which what is not held is not there. A source that fails after its first sync goes on
 * showing what it showed; but what came since is not seen, so that nothing is absent but what was seen to go.
 */
export class SyncState {
  /** Watched now; another set after every change. */
  #current: ReadonlySet<string> = new Set();
  /** Watched once, and not out of sight since. */
  readonly #synced = new Set<string>();
  readonly #blind = new Set<string>();
  /** Kind → the only namespaces in which all of it is seen. */
  readonly #within = new Map<string, ReadonlySet<string>>();
  /** Of which anything was ever told. */
  readonly #told = new Set<string>();
  /** When objects were seen to go: known to be absent although others of their kind may not be. */
  readonly #gone = new Map<Ref, number>();

  /** Takes in the state of a kind's source. */
  take(kind: string, { state, within }: Pick<Coverage, 'state' | 'within'>): SyncChange {
    const before = { current: this.#current.has(kind), synced: this.#synced.has(kind), blind: this.#blind.has(kind) };
    this.#told.add(kind);
    if (within) this.#within.set(kind, new Set(within));
    else this.#within.delete(kind);
    const blind = blindStates.has(state);
    const current = state === 'Watching';
    setMember(this.#blind, kind, blind);
    if (current !== before.current) {
      const kinds = new Set(this.#current);
      setMember(kinds, kind, current);
      this.#current = kinds;
    }
    setMember(this.#synced, kind, current || (before.synced && !blind));
    if (before.blind !== blind || before.synced !== this.#synced.has(kind)) return 'sight';
    return before.current === current ? 'none' : 'absence';
  }

  /** The kinds that are being watched; the same set for as long as they are the same. */
  get current(): ReadonlySet<string> {
    return this.#current;
  }

  /** Whether the kind is being watched: what changes has changed just now. */
  isCurrent(kind: string): boolean {
    return this.#current.has(kind);
  }

  /** Whether anything was ever told of how the kind is watched. */
  isTold(kind: string): boolean {
    return this.#told.has(kind);
  }

  /** Whether nothing of the kind can be seen. */
  isBlind(kind: string): boolean {
    return this.#blind.has(kind);
  }

  /** For an object that is not held: whether it is known not to exist. */
  isAbsent(ref: Ref): boolean {
    if (this.#gone.has(ref)) return true;
    const kind = kindOf(ref);
    return this.#current.has(kind) && (this.#within.get(kind)?.has(namespaceOf(ref)) ?? true);
  }

  /** Whether everything of the kind is seen, wherever it is. */
  isWhole(kind: string): boolean {
    return this.#current.has(kind) && !this.#within.has(kind);
  }

  /** An object is there. */
  sawCome(ref: Ref): void {
    if (this.#gone.size > 0) this.#gone.delete(ref);
  }

  /** An object has gone. `now`: epoch milliseconds. */
  sawGo(ref: Ref, now: number): void {
    this.#gone.set(ref, now);
  }

  /** Forgets who went some time ago where it can be told anyway. */
  expire(now: number): void {
    for (const [ref, at] of this.#gone)
      if (at <= now - goneMemoryMs && this.#current.has(kindOf(ref))) this.#gone.delete(ref);
  }
}
