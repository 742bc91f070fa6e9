/** Bytes that are put together until they are complete, up to a bound. */
export class Capture {
  readonly #most: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether it has become more than may be kept: then nothing is. */
  get isTooLarge(): boolean {
    return this.#length > this.#most;
  }

  add(part: Buffer): void {
    this.#length += part.length;
    // A copy: the chunk that it is a part of is used again.
    if (this.isTooLarge) this.#parts = [];
    else if (part.length > 0) this.#parts.push(Buffer.from(part));
  }

  /** What there is so far. */
  text(): string {
    return Buffer.concat(this.#parts).toString('utf8');
  }

  /** What was put together; the next begins. `undefined`: it was too large. */
  take(): string | undefined {
    const text = this.isTooLarge ? undefined : this.text();
    [this.#parts, this.#length] = [[], 0];
    return text;
  }
}
