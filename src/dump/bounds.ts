/** How much of a dump is read at most. */
export type Bounds = {
  /** Files and folders in it. */
  readonly entries: number;
  /** Bytes in all, after they were unpacked. */
  readonly bytes: number;
  /** Unpacked bytes for each packed one, once a megabyte was unpacked: text shrinks to a twentieth, a bomb to a thousandth. */
  readonly ratio: number;
  /** Bytes of one object. */
  readonly objectBytes: number;
  /** Bytes of all objects that are kept to be judged. */
  readonly keptBytes: number;
  /** Bytes kept of the end of one log, and of all logs. */
  readonly logBytes: number;
  readonly keptLogBytes: number;
  /** Folders within folders. */
  readonly depth: number;
};

/** What any dump of a real cluster stays below, and any machine can hold. */
export const usualBounds: Bounds = {
  entries: 500_000,
  bytes: 16 * 1024 ** 3,
  ratio: 400,
  objectBytes: 8 * 1024 ** 2,
  keptBytes: 1024 ** 3,
  logBytes: 16_384,
  keptLogBytes: 96 * 1024 ** 2,
  depth: 24,
};

/** A dump cannot be read at all. The message says why and what to do. */
export class DumpError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DumpError';
  }
}
