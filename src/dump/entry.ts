/** One file of a dump. */
export type Entry = {
  /** With slashes, relative to the dump, for recognising and for people; nothing is ever opened or written by it. */
  readonly path: string;
  /** Epoch milliseconds. */
  readonly modifiedAt?: number;
  /** Its bytes, once. What nobody takes is skipped. */
  readonly chunks: AsyncIterable<Uint8Array>;
};

/** What could not be read, for people: the dump is judged without it. */
export type Flaw = { readonly path: string; readonly says: string };

/** Notes what could not be read. */
export type NoteFlaw = (flaw: Flaw) => void;
