import type { Found, LogPlace } from './found.ts';
import { Tail } from './tail.ts';

const start = /^==== START logs for container (\S+) of pod ([^/\s]+)\/(\S+) ====$/;
const end = /^==== END logs for container \S+ of pod \S+ ====$/;
const newline = Buffer.of(0x0a);
/** A line that marks a log is no longer (bytes); of a longer one the rest is not kept. */
const mostLine = 4_096;

/** The logs that `kubectl cluster-info dump` prints between marks, line by line. */
export class MarkedLogs {
  readonly #logBytes: number;
  #line: Buffer[] = [];
  #length = 0;
  #log: { readonly place: LogPlace; readonly tail: Tail } | undefined;

  constructor(logBytes: number) {
    this.#logBytes = logBytes;
  }

  /** Neither within a log nor within a line. */
  get isAtBegin(): boolean {
    return this.#log === undefined && this.#length === 0;
  }

  /** Adds a piece of a line. */
  add(part: Buffer): void {
    // A copy: the chunk that it is a part of is used again.
    if (this.#length < mostLine) this.#line.push(Buffer.from(part.subarray(0, mostLine)));
    this.#length += part.length;
  }

  /** The line ends: the log that ends with it, if one does. */
  endLine(): readonly Found[] {
    const line = Buffer.concat(this.#line);
    [this.#line, this.#length] = [[], 0];
    return this.takeLine(line) ?? [];
  }

  /** A line at once: what ends with it; `undefined`: it belongs to no log. */
  takeLine(line: Buffer): readonly Found[] | undefined {
    const isMark = line.subarray(0, 5).toString('latin1') === '==== ';
    const text = isMark ? line.toString('utf8').trim() : '';
    if (this.#log) {
      if (isMark && end.test(text)) return this.end();
      this.#log.tail.add(line);
      this.#log.tail.add(newline);
      return [];
    }
    const [, container, namespace, pod] = start.exec(text) ?? [];
    if (container === undefined || namespace === undefined || pod === undefined) return undefined;
    this.#log = { place: { container, namespace, pod, previous: false }, tail: new Tail(this.#logBytes) };
    return [];
  }

  /** There is no more: the log that is not complete. */
  end(): readonly Found[] {
    const log = this.#log;
    this.#log = undefined;
    return log ? [{ is: 'log', place: log.place, tail: log.tail.take() }] : [];
  }
}
