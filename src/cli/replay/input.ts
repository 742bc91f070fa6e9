import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type Duplex, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { type Streams, UsageError } from '../command.ts';

/** The first bytes of what is compressed → what unpacks it. */
const packings: readonly (readonly [begin: string, unpack: () => Duplex])[] = [
  ['1f8b', createGunzip],
  ['28b52ffd', createZstdDecompress],
];

/** A log to read, compressed by gzip or zstd or not: a file, or `-` for standard input. Rejects with `UsageError` where there is none. */
export async function openInput(file: string, stdin: Streams['stdin']): Promise<Readable> {
  try {
    return Readable.from(unpacked(file === '-' ? stdin : (await open(file)).createReadStream()));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new UsageError(missing ? `there is no file "${file}"` : `cannot read "${file}": ${String(error)}`);
  }
}

async function* unpacked(packed: Streams['stdin']): AsyncGenerator<string | Uint8Array> {
  const source = packed[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done) return;
  const begin = Buffer.from(first.value).toString('hex', 0, 4);
  const unpack = packings.find(([each]) => begin.startsWith(each))?.[1];
  async function* whole(): AsyncGenerator<string | Uint8Array> {
    try {
      for (let next = first; !next.done; next = await source.next()) yield next.value;
    } finally {
      await source.return?.();
    }
  }
  if (!unpack) yield* whole();
  else {
    const unpacking = unpack();
    // What is wrong with the file is said by the stream that is read.
    const source = Readable.from(whole()).on('error', (error) => unpacking.destroy(error));
    yield* source.pipe(unpacking);
  }
}

/** Its lines, read no further than they are taken. */
export function linesOf(input: Readable): AsyncIterable<string> {
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}
