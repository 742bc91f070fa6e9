import type { ByteReader } from './byte-reader.ts';
import type { Entry, NoteFlaw } from './entry.ts';

/** POSIX.1-1988 ustar, with pax headers and GNU's long names: everything comes in blocks of 512 bytes. */
const block = 512;
/** A name or a pax header is no longer (bytes). */
const mostHeader = 64 * 1024;

type Header = { readonly path: string; readonly size: number; readonly type: string; readonly modifiedAt: number };

const textIn = (bytes: Buffer, from: number, length: number): string => {
  const field = bytes.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
};

/** An octal number, or GNU's binary one; `NaN`: neither. */
function numberIn(bytes: Buffer, from: number, length: number): number {
  if (((bytes[from] ?? 0) & 0x80) !== 0) return Number(bytes.readBigUInt64BE(from + length - 8));
  const text = textIn(bytes, from, length).trim();
  return text === '' ? 0 : /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}

/** A block as a header; `undefined`: it is none, as its sum does not fit. */
function headerOf(bytes: Buffer): Header | undefined {
  if (bytes.length < block) return undefined;
  let sum = 8 * 32;
  for (let at = 0; at < block; at++) if (at < 148 || at >= 156) sum += bytes[at] ?? 0;
  if (numberIn(bytes, 148, 8) !== sum) return undefined;
  const size = numberIn(bytes, 124, 12);
  if (!Number.isSafeInteger(size) || size < 0) return undefined;
  const prefix = textIn(bytes, 257, 5) === 'ustar' && bytes[263] === 0x30 ? textIn(bytes, 345, 155) : '';
  const name = textIn(bytes, 0, 100);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    size,
    type: String.fromCharCode(bytes[156] ?? 0),
    modifiedAt: numberIn(bytes, 136, 12) * 1000,
  };
}

/** Whether a file begins as a tar archive does. */
export function isTar(begin: Buffer): boolean {
  return headerOf(begin.subarray(0, block)) !== undefined;
}

/** The files of an archive, in its order, while it is read. A damaged one ends where it is damaged, with a flaw. */
export async function* entriesOfTar(bytes: ByteReader, flaw: NoteFlaw): AsyncGenerator<Entry> {
  let longName: string | undefined;
  for (;;) {
    const raw = await bytes.take(block);
    if (raw.length === 0 || raw.every((byte) => byte === 0)) return;
    const header = headerOf(raw);
    if (header === undefined) {
      flaw({ path: '', says: 'the archive is cut off or damaged: what comes after is not read' });
      return;
    }
    const { type, size, modifiedAt } = header;
    const padding = (block - (size % block)) % block;
    if (type === 'L' || type === 'x') {
      if (size > mostHeader) {
        flaw({ path: header.path, says: 'a name in the archive is too long: what comes after is not read' });
        return;
      }
      const text = (await bytes.take(size)).toString('utf8');
      longName =
        type === 'L' ? text.replace(/\0.*$/s, '') : (/(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? longName);
      await bytes.take(padding);
      continue;
    }
    const content = new Content(bytes, size);
    // Links, folders and devices hold nothing to read.
    if (type === '0' || type === '\0' || type === '7')
      yield { path: longName ?? header.path, modifiedAt, chunks: content.chunks() };
    longName = undefined;
    if (!(await content.skip()) || (await bytes.take(padding)).length < padding) {
      flaw({ path: header.path, says: 'the archive is cut off within this file' });
      return;
    }
  }
}

/** The bytes of one file within the archive. */
class Content {
  readonly #bytes: ByteReader;
  #left: number;

  constructor(bytes: ByteReader, size: number) {
    this.#bytes = bytes;
    this.#left = size;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.#next(); chunk.length > 0; chunk = await this.#next()) yield chunk;
  }

  /** Whether all of it was there. */
  async skip(): Promise<boolean> {
    while ((await this.#next()).length > 0);
    return this.#left === 0;
  }

  async #next(): Promise<Buffer> {
    if (this.#left === 0) return Buffer.alloc(0);
    const chunk = await this.#bytes.some(this.#left);
    this.#left -= chunk.length;
    return chunk;
  }
}
