import type { RawObject } from '../../src/model/raw-object.ts';

/** The objects of one resource as bytes, made once: a page is three pieces of what is there. */
export type Collection = {
  readonly size: number;
  /** A list of the items from `start` to `end` (exclusive), in pieces to be written one after the other. */
  list(start: number, end: number, version: string): readonly Uint8Array[];
  /** One item, as list items are: without kind and apiVersion. */
  item(index: number): Uint8Array;
};

const comma = Buffer.from(',');
/** Bytes are gathered in blocks of this size, so that no copy of a large list is ever made. */
const blockBytes = 8 * 1024 * 1024;

/** Serializes the objects. `listKind`: the kind of the list, `PodList`. */
export function createCollection(apiVersion: string, listKind: string, objects: Iterable<RawObject>): Collection {
  const blocks: Buffer[] = [];
  const items: Uint8Array[] = [];
  let block = Buffer.allocUnsafe(0);
  let used = 0;
  for (const object of objects) {
    const text = JSON.stringify(object);
    const bytes = Buffer.byteLength(text) + comma.length;
    if (used + bytes > block.length) {
      block = Buffer.allocUnsafe(Math.max(blockBytes, bytes));
      blocks.push(block);
      used = 0;
    }
    block.write(text, used);
    comma.copy(block, used + bytes - comma.length);
    items.push(block.subarray(used, used + bytes - comma.length));
    used += bytes;
  }

  /** The items with the commas between them: neighbours in one block are one piece. */
  function joined(start: number, end: number): Uint8Array[] {
    const pieces: { bytes: Uint8Array; end: number }[] = [];
    for (const item of items.slice(start, end)) {
      const last = pieces.at(-1);
      const begin = item.byteOffset;
      if (last && last.bytes.buffer === item.buffer && last.end + comma.length === begin) {
        last.end = begin + item.length;
        last.bytes = new Uint8Array(item.buffer, last.bytes.byteOffset, last.end - last.bytes.byteOffset);
      } else pieces.push({ bytes: item, end: begin + item.length });
    }
    return pieces.flatMap(({ bytes }, at) => (at === 0 ? [bytes] : [comma, bytes]));
  }

  return {
    size: items.length,
    item: (index) => items[index] ?? new Uint8Array(0),
    list(start, end, version) {
      const left = items.length - end;
      const metadata = {
        resourceVersion: version,
        ...(left > 0 ? { continue: String(end), remainingItemCount: left } : {}),
      };
      const head = JSON.stringify({ kind: listKind, apiVersion, metadata }).replace(/\}$/, ',"items":[');
      return [Buffer.from(head), ...joined(start, end), Buffer.from(']}\n')];
    },
  };
}
