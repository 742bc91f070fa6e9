import type { AuditLine } from './entries.ts';

/** Lines that are not lost yet and not written either are held up to this many bytes: some ten thousand decisions. */
const maxWaitingBytes = 8 * 1024 * 1024;

/** Lines that found no room, one after another. Times are epoch milliseconds. */
export type Loss = { readonly lost: number; readonly from: number; readonly until: number };

/** Lines between the turn and the disk, in order. Once it is full, whatever comes is counted and lost, so that what is held has no holes. */
export class WaitingLines {
  #lines: AuditLine[] = [];
  #bytes = 0;
  #loss: Loss | undefined;

  get bytes(): number {
    return this.#bytes;
  }

  get length(): number {
    return this.#lines.length;
  }

  /** What found no room since the last `takeLoss`. */
  get loss(): Loss | undefined {
    return this.#loss;
  }

  /** Whether a line of this many characters would be held. After a loss nothing is until it has been told. */
  hasRoom(characters: number): boolean {
    return this.#loss === undefined && this.#bytes + characters <= maxWaitingBytes;
  }

  /** Holds a line, whatever its size. */
  push(line: AuditLine): void {
    this.#lines.push(line);
    this.#bytes += line.text.length;
  }

  /** Counts lines that are lost. */
  lose({ lost, from, until }: Loss): void {
    this.#loss = { lost: lost + (this.#loss?.lost ?? 0), from: this.#loss?.from ?? from, until };
  }

  /** What was lost, once there is room to say so; from then on lines are held again. */
  takeLoss(): Loss | undefined {
    if (this.#bytes * 2 > maxWaitingBytes) return undefined;
    const loss = this.#loss;
    this.#loss = undefined;
    return loss;
  }

  /** The oldest lines, at least one and together at most `maxBytes` if there are several; they stay until `dropFirst`. */
  peek(maxBytes: number): readonly AuditLine[] {
    let bytes = 0;
    const end = this.#lines.findIndex(({ text }, index) => {
      bytes += text.length;
      return index > 0 && bytes > maxBytes;
    });
    // A copy: more may come while these are written.
    return this.#lines.slice(0, end < 0 ? this.#lines.length : end);
  }

  /** Forgets the oldest ones, as `peek` gave them: they are written. Does nothing when they are gone already. */
  dropFirst(written: readonly AuditLine[]): void {
    if (written[0] !== this.#lines[0]) return;
    for (const { text } of written) this.#bytes -= text.length;
    this.#lines = this.#lines.slice(written.length);
  }

  /** Hands everything over and holds nothing any more. */
  takeAll(): { readonly lines: readonly AuditLine[]; readonly loss: Loss | undefined } {
    const all = { lines: this.#lines, loss: this.#loss };
    this.#lines = [];
    this.#bytes = 0;
    this.#loss = undefined;
    return all;
  }
}
