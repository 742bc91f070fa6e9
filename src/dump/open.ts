import { createReadStream } from 'node:fs';
import { lstat, opendir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorMessage } from '../model/error-message.ts';
import { type Bounds, DumpError } from './bounds.ts';
import { ByteReader } from './byte-reader.ts';
import type { Entry, NoteFlaw } from './entry.ts';
import { entriesOfTar, isTar } from './tar.ts';

/** What was opened: files of a folder or an archive, or one file by itself. */
export type Opened = {
  readonly is: 'folder' | 'archive' | 'file';
  readonly name: string;
  readonly entries: AsyncIterable<Entry>;
};

/** First bytes of what is not unpacked here → what it is. */
const foreign: readonly (readonly [begin: string, name: string, unpack: string])[] = [
  ['504b0304', 'a zip archive', 'unzip it into a folder and name that'],
  ['fd377a585a00', 'compressed by xz', 'unpack it first: xz -d'],
  ['28b52ffd', 'compressed by zstd', 'unpack it first: zstd -d'],
  ['425a68', 'compressed by bzip2', 'unpack it first: bunzip2'],
  ['377abcaf271c', 'a 7z archive', 'unpack it into a folder and name that'],
];

/** Opens a dump: a folder, a file, or `-` for `stdin`, which is written `now` (epoch milliseconds). Rejects with `DumpError` where there is none. */
export async function openDump(
  path: string,
  stdin: AsyncIterable<Uint8Array | string>,
  now: number,
  bounds: Bounds,
  flaw: NoteFlaw,
): Promise<Opened> {
  if (path === '-') return openStream('standard input', bytesOf(stdin), bounds, flaw, now);
  const about = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new DumpError(
      error.code === 'ENOENT' ? `there is no file or folder "${path}"` : `cannot read "${path}": ${error.message}`,
    );
  });
  const name = basename(path) === '' || basename(path) === '.' ? path : basename(path);
  if (about.isDirectory()) return { is: 'folder', name, entries: entriesOfFolder(path, bounds, flaw) };
  if (!about.isFile() && !about.isFIFO()) throw new DumpError(`"${path}" is neither a file nor a folder`);
  return openStream(name, createReadStream(path, { highWaterMark: 256 * 1024 }), bounds, flaw, about.mtimeMs);
}

async function openStream(
  name: string,
  stream: AsyncIterable<Uint8Array>,
  bounds: Bounds,
  flaw: NoteFlaw,
  modifiedAt?: number,
): Promise<Opened> {
  const packed = new ByteReader(bounded(readable(stream, name), bounds.bytes));
  const begin = await packed.peek(8);
  if (begin.length === 0) throw new DumpError(`${name} is empty`);
  for (const [signature, is, unpack] of foreign)
    if (begin.toString('hex').startsWith(signature)) throw new DumpError(`${name} is ${is}: ${unpack}`);
  const isPacked = begin[0] === 0x1f && begin[1] === 0x8b;
  const bytes = isPacked ? new ByteReader(unpacked(packed, bounds, flaw)) : packed;
  if (isTar(await bytes.peek(512)))
    return { is: 'archive', name, entries: counted(entriesOfTar(bytes, flaw), bounds, flaw) };
  const path = name.replace(/\.gz$/, '');
  const only: Entry = { path, chunks: bytes.rest(), ...(modifiedAt !== undefined && { modifiedAt }) };
  return { is: 'file', name, entries: Readable.from([only]) };
}

async function* bytesOf(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

async function* readable(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw new DumpError(`cannot read ${name}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

async function* bounded(stream: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > most)
      throw new DumpError(`the dump has more than ${Math.round(most / 1024 ** 2)} MiB: unpack it and name a part`);
    yield chunk;
  }
}

/** The bytes that a packed stream holds. One that is damaged ends where it is, with a flaw; a bomb is refused. */
async function* unpacked(packed: ByteReader, bounds: Bounds, flaw: NoteFlaw): AsyncGenerator<Uint8Array> {
  let [before, after] = [0, 0];
  const counting = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of packed.rest()) {
      before += chunk.length;
      yield chunk;
    }
  };
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  const source = Readable.from(counting());
  source.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Uint8Array>) {
      after += chunk.length;
      if (after > bounds.bytes || (after > 1024 ** 2 && after > before * bounds.ratio))
        throw new DumpError('the dump unpacks to far more than a dump does: it is not read');
      yield chunk;
    }
  } catch (error) {
    if (error instanceof DumpError) throw error;
    flaw({ path: '', says: 'the compressed file is cut off or damaged: what comes after is not read' });
  } finally {
    source.destroy();
  }
}

async function* counted(entries: AsyncIterable<Entry>, bounds: Bounds, flaw: NoteFlaw): AsyncGenerator<Entry> {
  let number = 0;
  for await (const entry of entries) {
    number += 1;
    if (number > bounds.entries) {
      flaw({ path: '', says: `it has more than ${bounds.entries} files: the others are not read` });
      return;
    }
    yield entry;
  }
}

/** The files below a folder, by name. Links are not followed: they may lead anywhere. */
async function* entriesOfFolder(root: string, bounds: Bounds, flaw: NoteFlaw): AsyncGenerator<Entry> {
  yield* counted(walk(root, root, bounds, 0, flaw), bounds, flaw);
}

async function* walk(
  root: string,
  folder: string,
  bounds: Bounds,
  depth: number,
  flaw: NoteFlaw,
): AsyncGenerator<Entry> {
  const names: string[] = [];
  const place = relative(root, folder).split(sep).join('/');
  try {
    for await (const { name } of await opendir(folder)) names.push(name);
  } catch (error) {
    flaw({ path: place, says: errorMessage(error) });
    return;
  }
  for (const name of names.sort()) {
    const path = join(folder, name);
    const about = await lstat(path).catch(() => undefined);
    if (about?.isDirectory()) {
      if (depth < bounds.depth) yield* walk(root, path, bounds, depth + 1, flaw);
      else flaw({ path: place, says: 'folders are nested too deeply: what is below is not read' });
    } else if (about?.isFile()) {
      const chunks = tolerant(path, `${place}/${name}`, bounds, flaw);
      yield { path: relative(root, path).split(sep).join('/'), modifiedAt: about.mtimeMs, chunks };
    }
  }
}

/** A file that cannot be read is a flaw, and the others are. */
async function* tolerant(path: string, place: string, bounds: Bounds, flaw: NoteFlaw): AsyncGenerator<Uint8Array> {
  const bytes = new ByteReader(createReadStream(path, { highWaterMark: 256 * 1024 }));
  try {
    const begin = await bytes.peek(2);
    const isPacked = begin[0] === 0x1f && begin[1] === 0x8b;
    yield* isPacked ? unpacked(bytes, bounds, flaw) : bytes.rest();
  } catch (error) {
    if (error instanceof DumpError) throw error;
    flaw({ path: place, says: errorMessage(error) });
  } finally {
    await bytes.close();
  }
}
