/** Keeps the last bytes of what it is given. */
export class Tail {
  readonly #most: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(chunk: Uint8Array): void {
    const last = chunk.length > this.#most ? chunk.subarray(chunk.length - this.#most) : chunk;
    // A copy: what it is a part of may be as large as the file.
    this.#parts.push(Buffer.from(last));
    this.#length += last.length;
    if (this.#length > 4 * this.#most) this.#trim();
  }

  /** The last bytes, at most as many as are kept. */
  take(): Buffer {
    this.#trim();
    const tail = this.#parts[0] ?? Buffer.alloc(0);
    this.#parts = [];
    this.#length = 0;
    return tail;
  }

  #trim(): void {
    const all = Buffer.concat(this.#parts);
    const last = Buffer.from(all.subarray(Math.max(0, all.length - this.#most)));
    this.#parts = [last];
    this.#length = last.length;
  }
}
