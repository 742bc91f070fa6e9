import { isDeepStrictEqual } from 'node:util';
import type { Kind } from '../api/group.ts';
import type { StatusOf } from '../api/resources.ts';
import type { Clock } from '../model/clock.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import { WorkQueue } from './work-queue.ts';

/** Counters and times are written at most this often per object, so that watches and Argo CD stay quiet. */
const quietMs = 60_000;
/** Status writes under way at the same time. */
const concurrency = 4;

/** A status as it should be. `urgent`: the parts whose change is written at once (conditions, the last test). */
export type DesiredStatus<K extends Kind = Kind> = { readonly status: StatusOf[K]; readonly urgent: unknown };

/** What is known of one object's status. A new object of the same name gets a new record, so that late answers do no harm. */
type Written = {
  last: { readonly content: unknown; readonly urgent: unknown; readonly at: number } | undefined;
  cancelPlan: (() => void) | undefined;
};

/** What a status writer works with. */
export type StatusWriterOptions = {
  /** How the status should be now; `undefined`: nothing is to be written yet, or the object is gone. */
  readonly desired: (ref: Ref) => DesiredStatus | undefined;
  /** How the API has it. */
  readonly current: (ref: Ref) => DesiredStatus | undefined;
  /** Rejects on failure, and is tried again with a back-off of its own per object. */
  readonly write: (ref: Ref, status: DesiredStatus['status']) => Promise<void>;
  readonly failed: (ref: Ref, error: unknown, retryInMs: number) => void;
  readonly clock: Clock;
  /** Whether it begins paused. */
  readonly paused: boolean;
};

/**
 * Writes the status of custom resources: at once when something urgent changed, else at most once a minute. A touch costs next to
 * nothing: what should be is worked out when its turn comes, once for any number of touches, and namespaces take turns.
 */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #queue: WorkQueue<Ref>;
  readonly #written = new Map<Ref, Written>();
  #paused: boolean;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    this.#paused = options.paused;
    this.#queue = new WorkQueue<Ref>({
      clock: options.clock,
      concurrency,
      shareOf: (key) => namespaceOf(key as Ref),
      // Keys are refs.
      failed: (key, error, retryInMs) => options.failed(key as Ref, error, retryInMs),
      work: (_key, ref) => this.#look(ref),
    });
  }

  /** Something that a status is made of may have changed: it is compared with what was written last. While paused: nothing. */
  touch(ref: Ref): void {
    // A retry writes what is so by then; it must not be hurried by every touch.
    if (!this.#paused && !this.#queue.backsOff(ref)) this.#queue.add(ref, ref);
  }

  /** The object is gone. One that is made anew under its name is written anew. */
  forget(ref: Ref): void {
    this.#cancelPlan(ref);
    this.#written.delete(ref);
    this.#queue.drop(ref);
  }

  /** Writes are held back: the lock is not held. */
  pause(): void {
    this.#paused = true;
  }

  /** After it, everything must be touched. */
  resume(): void {
    this.#paused = false;
  }

  /** Resolves when the writes under way have ended; none is begun any more. */
  async stop(): Promise<void> {
    this.#paused = true;
    for (const ref of this.#written.keys()) this.#cancelPlan(ref);
    await this.#queue.stop();
  }

  async #look(ref: Ref): Promise<void> {
    const next = this.#paused ? undefined : this.#options.desired(ref);
    if (!next) return;
    const { clock } = this.#options;
    const written = this.#recordOf(ref);
    const current = this.#options.current(ref);
    const last = written.last ?? (current && { content: current.status, urgent: current.urgent, at: 0 });
    if (last && isDeepStrictEqual(last.content, next.status)) return;
    const quietUntil = last && isDeepStrictEqual(last.urgent, next.urgent) ? last.at + quietMs : 0;
    if (quietUntil > clock.now()) {
      written.cancelPlan ??= clock.after(quietUntil - clock.now(), () => {
        written.cancelPlan = undefined;
        this.touch(ref);
      });
      return;
    }
    this.#cancelPlan(ref);
    await this.#options.write(ref, next.status);
    written.last = { content: next.status, urgent: next.urgent, at: clock.now() };
    // What changed while the write was under way is looked at again.
    if (this.#written.get(ref) === written) this.touch(ref);
  }

  #recordOf(ref: Ref): Written {
    const known = this.#written.get(ref);
    if (known) return known;
    const made: Written = { last: undefined, cancelPlan: undefined };
    this.#written.set(ref, made);
    return made;
  }

  #cancelPlan(ref: Ref): void {
    const written = this.#written.get(ref);
    written?.cancelPlan?.();
    if (written) written.cancelPlan = undefined;
  }
}
