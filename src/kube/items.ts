import { parseObject } from './parse.ts';

/** What of a list is left when its items have been handed over. */
export type ListRest = { readonly metadata?: unknown; readonly items?: readonly unknown[] | null };

/** How the API server writes the begin of a list's items, and what stands near the begin of each: kind and version, if at all. */
const beginOfItems = Buffer.from('"items":[');
const metadata = Buffer.from('"metadata":{');
const maxOpeningBytes = 512;
/** The bytes between two items may stand within one too; a list with more of that is left for the end. */
const maxFalseEnds = 16;
const firstCapacity = 64 * 1024;

/**
 * Takes a list apart while it arrives. A whole page of 250 Pods, parsed at once, is several MB that live long enough to be taken
 * for permanent, so a list is taken apart into its items. Where one may end and the next begin as the first did is searched for
 * in the bytes; whether one does end there, `JSON.parse` says: no begin of an object is an object. What cannot be taken apart is
 * read as a whole at its end.
 */
export class ItemReader {
  #buffer: Buffer = Buffer.allocUnsafeSlow(firstCapacity);
  #used = 0;
  /** The list up to its items; '' until they begin. */
  #head = '';
  /** Where the item under way begins, and where to go on searching. */
  #start = 0;
  #searched = 0;
  #falseEnds = 0;
  /** The end of an item and the opening of the next. */
  #between: Buffer | undefined;
  readonly #withoutManagedFields: boolean;

  /** `withoutManagedFields`: nobody reads those of the items, which may come without them. */
  constructor(withoutManagedFields = false) {
    this.#withoutManagedFields = withoutManagedFields;
  }

  /** Bytes that are held because no item is complete with them. */
  get held(): number {
    return this.#used - this.#start;
  }

  /** Adds bytes; returns the items that are complete with them. */
  take(chunk: Uint8Array): unknown[] {
    this.#append(chunk);
    this.#open();
    const items: unknown[] = [];
    const between = this.#between;
    while (between !== undefined && this.#falseEnds <= maxFalseEnds) {
      const at = this.#find(between);
      if (at < 0) break;
      this.#searched = at + 1;
      const item = this.#parsed(this.#start, at + 1);
      if (item === undefined) this.#falseEnds++;
      else {
        items.push(item);
        this.#start = at + 2;
        this.#searched = this.#start;
      }
    }
    return items;
  }

  /** The body is complete: its metadata, and the items that were not handed over. Throws `SyntaxError` when it is not JSON. */
  end(): ListRest {
    return JSON.parse(this.#head + this.#text(this.#start, this.#used)) as ListRest;
  }

  #append(chunk: Uint8Array): void {
    if (this.#used + chunk.length > this.#buffer.length) this.#makeRoom(this.held + chunk.length);
    this.#buffer.set(chunk, this.#used);
    this.#used += chunk.length;
  }

  /** Moves what is held to the begin of the buffer, or of a larger one. */
  #makeRoom(bytes: number): void {
    const target = bytes > this.#buffer.length ? bufferFor(bytes, this.#buffer.length) : this.#buffer;
    this.#buffer.copy(target, 0, this.#start, this.#used);
    this.#buffer = target;
    this.#used -= this.#start;
    this.#searched -= this.#start;
    this.#start = 0;
  }

  /** The place of a mark in what was not searched yet; -1 when it is not there (or only its begin is). */
  #find(mark: Buffer): number {
    const at = this.#buffer.subarray(0, this.#used).indexOf(mark, this.#searched);
    this.#searched = at >= 0 ? at : Math.max(this.#searched, this.#used - mark.length + 1);
    return at;
  }

  /** The item between two places, if there is one. */
  #parsed(from: number, to: number): unknown {
    try {
      return parseObject(this.#buffer.subarray(from, to), this.#withoutManagedFields);
    } catch {
      return undefined;
    }
  }

  #text(from: number, to: number): string {
    return this.#buffer.toString('utf8', from, to);
  }

  /** Finds out where the items begin and how. */
  #open(): void {
    if (this.#head === '') {
      const at = this.#find(beginOfItems);
      if (at < 0) return;
      this.#start = at + beginOfItems.length;
      this.#searched = this.#start;
      this.#head = this.#text(0, this.#start);
    }
    if (this.#between !== undefined || this.held < maxOpeningBytes) return;
    const at = this.#buffer.subarray(this.#start, this.#start + maxOpeningBytes).indexOf(metadata);
    if (at < 0) this.#falseEnds = Number.POSITIVE_INFINITY;
    const opening = this.#buffer.subarray(this.#start, this.#start + at + metadata.length);
    this.#between = Buffer.concat([Buffer.from('},'), opening]);
  }
}

/** At least so many bytes, doubling from the present capacity. */
function bufferFor(bytes: number, present: number): Buffer {
  let capacity = present;
  while (capacity < bytes) capacity *= 2;
  return Buffer.allocUnsafeSlow(capacity);
}
