/** What of a list is left when its items have been handed over. */
export type ListRest = { readonly metadata?: unknown; readonly items?: readonly unknown[] | null };

/** Takes a list apart while it arrives. */
export type ItemReader = {
  /** Adds bytes; returns the items that are complete with them. */
  take(chunk: Uint8Array): unknown[];
  /** The body is complete: its metadata, and the items that were not handed over. Throws `SyntaxError` when it is not JSON. */
  end(): ListRest;
  /** Bytes that are held because no item is complete with them. */
  readonly held: number;
};

/** How the API server writes the begin of a list's items, and what stands near the begin of each: kind and version, if at all. */
const beginOfItems = Buffer.from('"items":[');
const metadata = Buffer.from('"metadata":{');
const maxOpeningBytes = 512;
/** The bytes between two items may stand within one too; a list with more of that is left for the end. */
const maxFalseEnds = 16;
const firstCapacity = 64 * 1024;

/**
 * A whole page of 250 Pods, parsed at once, is several MB that live long enough to be taken for permanent, so a list is
 * taken apart into its items. Where one may end and the next begin as the first did is searched for in the bytes; whether one
 * does end there, `JSON.parse` says: no begin of an object is an object. What cannot be taken apart is read as a whole at its end.
 */
export function createItemReader(): ItemReader {
  let buffer: Buffer = Buffer.allocUnsafeSlow(firstCapacity);
  let used = 0;
  /** The list up to its items; '' until they begin. */
  let head = '';
  /** Where the item under way begins, and where to go on searching. */
  let start = 0;
  let searched = 0;
  let falseEnds = 0;
  /** The end of an item and the opening of the next. */
  let between: Buffer | undefined;

  function append(chunk: Uint8Array): void {
    if (used + chunk.length > buffer.length) {
      const target = used - start + chunk.length > buffer.length ? grown(used - start + chunk.length) : buffer;
      buffer.copy(target, 0, start, used);
      buffer = target;
      used -= start;
      searched -= start;
      start = 0;
    }
    buffer.set(chunk, used);
    used += chunk.length;
  }

  function grown(bytes: number): Buffer {
    let capacity = buffer.length;
    while (capacity < bytes) capacity *= 2;
    return Buffer.allocUnsafeSlow(capacity);
  }

  /** The place of a mark in what was not searched yet; -1 when it is not there (or only its begin is). */
  function find(mark: Buffer): number {
    const at = buffer.subarray(0, used).indexOf(mark, searched);
    searched = at >= 0 ? at : Math.max(searched, used - mark.length + 1);
    return at;
  }

  function text(from: number, to: number): string {
    return buffer.toString('utf8', from, to);
  }

  /** Finds where the items begin and how; true when it is known. */
  function opened(): boolean {
    if (head === '') {
      const at = find(beginOfItems);
      if (at < 0) return false;
      start = at + beginOfItems.length;
      searched = start;
      head = text(0, start);
    }
    if (between === undefined && used - start >= maxOpeningBytes) {
      const at = buffer.subarray(start, start + maxOpeningBytes).indexOf(metadata);
      if (at < 0) falseEnds = Number.POSITIVE_INFINITY;
      between = Buffer.concat([Buffer.from('},'), buffer.subarray(start, start + at + metadata.length)]);
    }
    return between !== undefined;
  }

  return {
    take(chunk) {
      append(chunk);
      const items: unknown[] = [];
      if (!opened() || between === undefined) return items;
      while (falseEnds <= maxFalseEnds) {
        const at = find(between);
        if (at < 0) break;
        searched = at + 1;
        const item = parsed(text(start, at + 1));
        if (item === undefined) falseEnds++;
        else {
          items.push(item);
          start = at + 2;
          searched = start;
        }
      }
      return items;
    },
    end: () => JSON.parse(head + text(start, used)) as ListRest,
    get held() {
      return used - start;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
