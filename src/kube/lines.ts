import type { RawObject } from '../model/raw-object.ts';
import { parseObject } from './parse.ts';

/** A line longer than this cannot be an object (etcd takes 1.5 MB by default): it is skipped as malformed. */
const maxLineBytes = 32 * 1024 * 1024;
const newline = 0x0a;

/**
 * Splits bytes into lines, one group per chunk that completes any. Lines inside a chunk are views of it; only the one that
 * crosses chunks is copied. A last line without a line break is dropped: the body was cut, and the half is of no use.
 * A line that is too long comes as an empty view.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = maxLineBytes,
): AsyncGenerator<readonly Uint8Array[]> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end);
      start = end + 1;
      const length = size + rest.length;
      if (length > maxBytes) lines.push(new Uint8Array(0));
      else if (parts.length > 0) lines.push(Buffer.concat([...parts, rest], length));
      else if (length > 0) lines.push(rest);
      parts = [];
      size = 0;
    }
    const left = chunk.subarray(start);
    size += left.length;
    if (size > maxBytes) parts = [];
    else if (left.length > 0) parts.push(left);
    if (lines.length > 0) yield lines;
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
