import type { RawObject } from '../model/raw-object.ts';
import { parseObject } from './parse.ts';

/**
 * A line longer than this cannot be an object: an API server takes 3 MiB in a write (`MaxRequestBodyBytes`), etcd half of that by default. It is
 * skipped as malformed. Bytes.
 */
const maxLineBytes = 16 * 1024 * 1024;
const newline = 0x0a;

/** What lines that are not complete yet may hold together, over all watches of an API server. */
const sharedBytes = 32 * 1024 * 1024;

/** The memory that unfinished lines share, so that a server that never ends a line takes no more by doing so in every watch. */
export class LineBudget {
  #left: number;

  constructor(bytes = sharedBytes) {
    this.#left = bytes;
  }

  /** Whether so many bytes may be kept; they are taken if so. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** They are not kept any more. */
  give(bytes: number): void {
    this.#left += bytes;
  }
}

/** The line that is not complete yet: its pieces, or that it has become too long for any. */
class UnfinishedLine {
  readonly #budget: LineBudget;
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #kept = 0;
  #isTooLong = false;

  constructor(budget: LineBudget, maxBytes: number) {
    this.#budget = budget;
    this.#maxBytes = maxBytes;
  }

  /** Keeps a piece that has no line break. */
  add(piece: Uint8Array): void {
    if (this.#isTooLong || piece.length === 0) return;
    if (this.#kept + piece.length <= this.#maxBytes && this.#budget.take(piece.length)) {
      this.#parts.push(piece);
      this.#kept += piece.length;
    } else {
      this.drop();
      this.#isTooLong = true;
    }
  }

  /** The line, with its last piece; an empty view if it is too long, `undefined` if there is nothing in it. A new one begins. */
  end(piece: Uint8Array): Uint8Array | undefined {
    const length = this.#kept + piece.length;
    const isTooLong = this.#isTooLong || length > this.#maxBytes;
    const whole = this.#kept > 0 && !isTooLong ? Buffer.concat([...this.#parts, piece], length) : piece;
    this.drop();
    this.#isTooLong = false;
    if (isTooLong) return new Uint8Array(0);
    return length > 0 ? whole : undefined;
  }

  /** Nothing of it is kept any more. */
  drop(): void {
    this.#budget.give(this.#kept);
    this.#parts = [];
    this.#kept = 0;
  }
}

/**
 * Splits bytes into lines, one group per chunk that completes any. Lines inside a chunk are views of it; only the one that
 * crosses chunks is copied. A last line without a line break is dropped: the body was cut, and the half is of no use.
 * A line that is too long, or for which the shared budget does not suffice, comes as an empty view.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  budget = new LineBudget(),
  maxBytes = maxLineBytes,
): AsyncGenerator<readonly Uint8Array[]> {
  const unfinished = new UnfinishedLine(budget, maxBytes);
  try {
    for await (const chunk of chunks) {
      const lines: Uint8Array[] = [];
      let start = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
        const line = unfinished.end(chunk.subarray(start, at));
        if (line !== undefined) lines.push(line);
        start = at + 1;
      }
      unfinished.add(chunk.subarray(start));
      if (lines.length > 0) yield lines;
    }
  } finally {
    unfinished.drop();
  }
}

/** One event of a watch. `error` carries the Status object's fields that matter. */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: RawObject }
  | { readonly type: 'BOOKMARK'; readonly version: string; readonly initialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly code: number; readonly reason: string; readonly message: string };

/**
 * Reads one line of a watch; `undefined` when it is not an event we know how to read. `withoutManagedFields`: nobody reads those
 * of the object, which may come without them.
 */
export function decodeWatchLine(line: Uint8Array, withoutManagedFields = false): WatchEvent | undefined {
  let value: unknown;
  try {
    value = parseObject(Buffer.from(line.buffer, line.byteOffset, line.byteLength), withoutManagedFields);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !isRecord(value.object)) return undefined;
  const { type, object } = value;
  if (type === 'ERROR') {
    const { code, reason, message } = object;
    return { type, code: Number(code) || 500, reason: textOf(reason), message: textOf(message) };
  }
  const { metadata } = object;
  if (!isRecord(metadata)) return undefined;
  if (type === 'BOOKMARK') {
    const { resourceVersion, annotations } = metadata;
    if (typeof resourceVersion !== 'string') return undefined;
    const ended = isRecord(annotations) && annotations['k8s.io/initial-events-end'] === 'true';
    return { type, version: resourceVersion, initialEventsEnd: ended };
  }
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return undefined;
  return isRawObject(object) ? { type, object } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value has what makes it an object of the API: metadata with a name. */
export function isRawObject(value: unknown): value is RawObject {
  return isRecord(value) && isRecord(value.metadata) && typeof value.metadata.name === 'string';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
