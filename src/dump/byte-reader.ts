const nothing = Buffer.alloc(0);

/** Takes bytes from a stream in the pieces that somebody asks for. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer = nothing;
  #isOver = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next bytes without taking them: fewer than asked for at the end only. */
  async peek(bytes: number): Promise<Buffer> {
    while (this.#held.length < bytes && (await this.#more()));
    return this.#held.subarray(0, bytes);
  }

  /** Takes exactly so many bytes; fewer at the end only. */
  async take(bytes: number): Promise<Buffer> {
    const taken = await this.peek(bytes);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  /** Takes at most so many bytes, as they come; empty at the end only. */
  async some(most: number): Promise<Buffer> {
    if (this.#held.length === 0 && !(await this.#more())) return nothing;
    const taken = this.#held.subarray(0, most);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  /** All that is left, as it comes. */
  async *rest(): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.some(Number.POSITIVE_INFINITY); chunk.length > 0; ) {
      yield chunk;
      chunk = await this.some(Number.POSITIVE_INFINITY);
    }
  }

  /** Nothing more is read. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#source.return?.();
  }

  async #more(): Promise<boolean> {
    while (!this.#isOver) {
      const { done, value } = await this.#source.next();
      if (done) this.#isOver = true;
      else if (value.length > 0) {
        this.#held =
          this.#held.length === 0
            ? Buffer.from(value.buffer, value.byteOffset, value.length)
            : Buffer.concat([this.#held, value]);
        return true;
      }
    }
    return false;
  }
}
