import type { AuditEntry } from '../../model/audit.ts';
import { backoffMs } from '../../model/backoff.ts';
import type { Clock } from '../../model/clock.ts';
import type { AuditSink } from './audit-file.ts';
import { type AuditLine, lineOf } from './entries.ts';
import { type Loss, WaitingLines } from './waiting-lines.ts';
import { whyUnwritten } from './why.ts';

/** Lines are gathered for this long, then written and synchronized together; milliseconds. */
const gatherMs = 200;
/** Written together at most; bytes. */
const maxBatchBytes = 1024 * 1024;
/** Between two tries while it cannot be written. */
const retries = { firstMs: 1_000, longestMs: 60_000 };
/** A disk that has not answered for this long is said to hang; milliseconds. */
const patienceMs = 30_000;

/** What a log works with. */
export type AuditLogOptions = {
  readonly sink: AuditSink;
  /** Tells its lines from those of every other. */
  readonly run: string;
  readonly clock: Clock;
  /** Whether the state lock is held at this very moment: nothing is written without. */
  readonly holdsLock: () => boolean;
  /** Resolves once what was decided is saved, so that no line tells what a restart knows nothing of. */
  readonly committed: () => Promise<void> | undefined;
  /** Told of lines that are safe. */
  readonly written: (lines: readonly AuditLine[]) => void;
  /** Told when it fails, with why, and when it works again. */
  readonly changed: (failure: string | undefined) => void;
};

/** The audit log on its way to one place. Taking a line in is synchronous; it is written later, in order. */
export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #waiting = new WaitingLines();
  #sequence = 0;
  #failures = 0;
  #failure: string | undefined;
  #writing = false;
  #cancelTimer: (() => void) | undefined;
  #drained: (() => void) | undefined;

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  /** Why it cannot be written at the moment, if it cannot: a sentence's end. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** What found no room and has not been told yet. */
  get loss(): Loss | undefined {
    return this.#waiting.loss;
  }

  /** Takes in an entry. `undefined`: there is no room, it is lost and counted. */
  push(entry: AuditEntry): AuditLine | undefined {
    const line = lineOf(this.#options.run, this.#sequence + 1, entry);
    // One that is lost has had its number all the same: its absence shows.
    this.#sequence += 1;
    if (!this.#waiting.hasRoom(line.text.length)) {
      const at = Date.parse(entry.time);
      this.#waiting.lose({ lost: 1, from: at, until: at });
      return undefined;
    }
    this.#waiting.push(line);
    this.#schedule(gatherMs);
    return line;
  }

  /** Goes on with what another was not able to write; before anything of its own. */
  adopt(lines: readonly AuditLine[], loss: Loss | undefined): void {
    for (const line of lines) this.#waiting.push(line);
    if (loss) this.#waiting.lose(loss);
    this.#schedule(gatherMs);
  }

  /** Gives away what is not written: nothing more is written here. */
  surrender(): { readonly lines: readonly AuditLine[]; readonly loss: Loss | undefined } {
    this.#cancelTimer?.();
    void this.#options.sink.close();
    return this.#waiting.takeAll();
  }

  /** The lock is held again. */
  resume(): void {
    this.#schedule(0);
  }

  /** Writes what there is, and resolves when nothing is left or after `deadlineMs`. */
  async end(deadlineMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(deadlineMs, resolve);
      this.#drained = () => {
        cancel();
        resolve();
      };
      this.#cancelTimer?.();
      this.#cancelTimer = undefined;
      this.#schedule(0);
    });
    this.#cancelTimer?.();
    await Promise.race([this.#options.sink.close(), this.#pause(deadlineMs)]);
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(milliseconds, resolve));
  }

  #schedule(afterMs: number): void {
    if (this.#writing) return;
    this.#cancelTimer ??= this.#options.clock.after(afterMs, () => {
      this.#cancelTimer = undefined;
      void this.#write();
    });
  }

  async #write(): Promise<void> {
    const { holdsLock, committed, sink, clock, written } = this.#options;
    this.#tellLoss();
    const batch = this.#waiting.peek(maxBatchBytes);
    if (batch.length === 0) return this.#drained?.();
    if (!holdsLock()) return;
    this.#writing = true;
    const cancelPatience = clock.after(patienceMs, () => this.#become('the disk does not answer: look at the volume'));
    try {
      await committed();
      if (!holdsLock()) return;
      await sink.append(batch);
      // What was surrendered meanwhile is somebody else's.
      this.#waiting.dropFirst(batch);
      written(batch);
      this.#failures = 0;
      this.#become(undefined);
    } catch (error) {
      this.#failures += 1;
      this.#become(whyUnwritten(error));
    } finally {
      cancelPatience();
      this.#writing = false;
    }
    this.#schedule(this.#failures > 0 ? backoffMs(retries, this.#failures) : this.#drained ? 0 : gatherMs);
  }

  #tellLoss(): void {
    const loss = this.#waiting.takeLoss();
    if (!loss) return;
    const at = (instant: number): string => new Date(instant).toISOString();
    const entry: AuditEntry = {
      kind: 'gap',
      time: at(this.#options.clock.now()),
      lost: loss.lost,
      from: at(loss.from),
      until: at(loss.until),
    };
    this.#sequence += 1;
    this.#waiting.push(lineOf(this.#options.run, this.#sequence, entry));
  }

  #become(failure: string | undefined): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#options.changed(failure);
  }
}
