import { backoffMs } from '../model/backoff.ts';
import { FirstReading, type Found } from './first-reading.ts';
import type { JournalOptions } from './journal-options.ts';
import { Pending } from './pending.ts';
import type { SaveProblem } from './problem.ts';
import type { Answer } from './protocol.ts';
import { Shipment } from './shipment.ts';
import type { Change, ChangeLog } from './tables.ts';
import { Waiters } from './waiters.ts';

/** A delivery waits no longer than this for what is being saved; milliseconds. */
const slowMs = 2_000;
/** Waits between two attempts to save. */
const retryWaits = { firstMs: 1_000, longestMs: 30_000 };

/** What is followed: a store that says all there is. */
export type Followed = {
  /** Whether the file holds all of it already, but for changes that it tells of next. */
  readonly isSaved: boolean;
  changes(): Iterable<Change>;
  attach(log: ChangeLog): void;
  detach(): void;
};

/** Counters of a journal. Bytes are those of the rows; SQLite writes whole pages. */
export type JournalFigures = { readonly transactions: number; readonly bytes: number; readonly lastMs: number };

/**
 * What stands behind the store: its changes, in order, in the state file. A thread waits for the disk; here nothing blocks.
 * What comes while a transaction is under way is the next one, so transactions of the store are joined and never split.
 *
 * A disk that is full, read-only, failing or slow is a `problem`: the changes are kept, the last one of each row, and nobody
 * waits for them; once it works again everything is written in one transaction.
 */
export class Journal implements ChangeLog {
  readonly #options: JournalOptions;
  readonly #pending = new Pending();
  readonly #waiters: Waiters;
  readonly #first: FirstReading;
  #followed: Followed | undefined;
  /** Empties the file. */
  #clearing = false;
  #problem: SaveProblem | undefined;
  #underWay: Shipment | undefined;
  #groups = 0;
  #scheduled = false;
  #hurried = false;
  /** Attempts to save since the last one that succeeded. */
  #retries = 0;
  #cancelRetry: (() => void) | undefined;
  #closed = false;
  #figures: JournalFigures = { transactions: 0, bytes: 0, lastMs: 0 };

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#waiters = new Waiters(options.clock, slowMs, () =>
      this.#become({ code: 'Slow', message: `the disk has not saved anything for ${slowMs / 1000} s` }),
    );
    this.#first = new FirstReading(options, (problem) => this.#become(problem));
    options.thread.listen((answer) => this.#hear(answer));
  }

  /** Why nothing can be saved at the moment, if so. */
  get problem(): SaveProblem | undefined {
    return this.#problem;
  }

  /** What it has done so far. */
  get figures(): JournalFigures {
    return this.#figures;
  }

  /** Reads what was saved. Never rejects, and takes at most 15 s. */
  open(): Promise<Found> {
    return this.#first.read();
  }

  /** What was read is none of ours: it is kept under another name when something is saved. */
  disown(): void {
    this.#options.thread.ask({ do: 'leaveUnread' });
  }

  /** From now on the file holds what the store holds: everything there is, if it does not yet, then each change. */
  follow(store: Followed): void {
    this.#followed = store;
    this.#clearing = false;
    store.attach(this);
    if (store.isSaved) return;
    this.#waiters.appended();
    this.#pending.demandWhole();
    this.#schedule();
  }

  /** The store goes on alone. The file is emptied, so that nobody takes what is in it for how things are. */
  leave(): void {
    this.#followed?.detach();
    this.#followed = undefined;
    this.#clearing = true;
    this.#waiters.appended();
    this.#pending.demandWhole();
    this.#schedule();
  }

  append(changes: readonly Change[]): void {
    this.#waiters.appended();
    this.#pending.add(changes);
    this.#schedule();
  }

  durable(): Promise<void> | undefined {
    if (this.#problem || !this.#options.mayWrite()) return undefined;
    const saved = this.#waiters.wait();
    if (saved) this.#hurry();
    return saved;
  }

  /** The directory is ours again: what waits is written. */
  wake(): void {
    this.#schedule();
  }

  /** Everything is written, or nobody waits for it any more: after `deadlineMs`, or since nothing can be saved. */
  async settle(deadlineMs: number): Promise<void> {
    this.#pump();
    const saved = this.durable();
    if (saved === undefined) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(deadlineMs, resolve);
      void saved.then(() => {
        cancel();
        resolve();
      });
    });
  }

  /** Writes nothing any more. */
  close(): void {
    this.#closed = true;
    this.#cancelRetry?.();
    this.#waiters.release();
  }

  /** What comes in one go is one transaction: a turn's commit and the begins that follow it. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  /** Somebody waits: what is there goes as soon as all that can go on without waiting has, so that others' begins go with it. */
  #hurry(): void {
    if (this.#hurried) return;
    this.#hurried = true;
    // Ticks that promises ask for run when no promise has anything left to do.
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#hurried = false;
        this.#pump();
      }),
    );
  }

  #pump(): void {
    if (this.#closed || this.#underWay || this.#cancelRetry || !this.#hasWork() || !this.#options.mayWrite()) return;
    const { thread, clock } = this.#options;
    this.#groups += 1;
    const changes = this.#pending.take();
    this.#underWay = new Shipment({
      thread,
      clock,
      group: this.#groups,
      changes,
      upTo: this.#waiters.count,
      all: () => this.#followed?.changes() ?? [],
      shrink: this.#clearing,
    });
  }

  #hasWork(): boolean {
    if (this.#problem?.code === 'ForeignFile' || !(this.#followed || this.#clearing)) return false;
    // While there is a problem an empty transaction shows whether there still is.
    return !this.#pending.isEmpty || this.#problem !== undefined;
  }

  #hear(answer: Answer): void {
    this.#first.hear(answer);
    if (answer.is === 'committed') this.#committed(answer);
    if (answer.is === 'trimmed') this.#options.onTrimmed(answer.rows);
    if (answer.is === 'failed') this.#failed(answer.problem);
    if (answer.is === 'unsynced') this.#doubt(answer.problem);
  }

  #committed({ aside }: Extract<Answer, { is: 'committed' }>): void {
    const shipment = this.#underWay;
    if (!shipment) return;
    this.#underWay = undefined;
    const lastMs = shipment.tookMs();
    const { transactions, bytes } = this.#figures;
    this.#figures = { transactions: transactions + 1, bytes: bytes + shipment.bytes, lastMs };
    if (aside !== undefined) this.#options.onAside(aside);
    this.#retries = 0;
    this.#waiters.reached(shipment.upTo);
    if (this.#followed === undefined && this.#pending.isEmpty) this.#clearing = false;
    // A slow disk has recovered once it was fast again.
    const isSlow = this.#problem !== undefined && lastMs >= slowMs;
    if (this.#problem && !isSlow) this.#become(undefined);
    if (isSlow && this.#pending.isEmpty) this.#retryLater();
    else this.#schedule();
  }

  #failed(problem: SaveProblem): void {
    const shipment = this.#underWay;
    if (!shipment) return;
    this.#underWay = undefined;
    this.#become(problem);
    // A full disk leaves the file as it was; after anything else nobody knows what is in it.
    if (problem.code === 'DiskFull' && shipment.changes) this.#pending.putBack(shipment.changes);
    else this.#pending.demandWhole();
    if (problem.code !== 'ForeignFile') this.#retryLater();
  }

  /** What is in the file is not known any more: everything is written anew. A transaction that is under way fails by itself. */
  #doubt(problem: SaveProblem): void {
    this.#become(problem);
    this.#pending.demandWhole();
    if (!this.#underWay) this.#retryLater();
  }

  #retryLater(): void {
    this.#cancelRetry?.();
    this.#retries += 1;
    this.#cancelRetry = this.#options.clock.after(backoffMs(retryWaits, this.#retries), () => {
      this.#cancelRetry = undefined;
      this.#pump();
    });
  }

  #become(problem: SaveProblem | undefined): void {
    const before = this.#problem;
    this.#problem = problem;
    if (problem) this.#waiters.release();
    if (before?.code !== problem?.code) this.#options.onProblem(problem);
  }
}
