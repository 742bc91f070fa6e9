import { constants, promises } from 'node:fs';
import { dirname } from 'node:path';
import { maxTornChars } from '../../model/audit.ts';
import { type AuditLine, lineBegin, readLine } from './entries.ts';

/** A file that would grow beyond this is rotated; bytes. */
const maxFileBytes = 32 * 1024 * 1024;
/** Rotated files that are kept, as `.1` (the newest) and so on: with the one that is written, 192 MiB. */
const keptFiles = 5;
/** Lines that come again are looked for in this much of the end; twice what may wait. Bytes. */
const tailBytes = 16 * 1024 * 1024;
/** Readable for the group of the volume (`fsGroup`), for those who collect it. */
const mode = 0o640;
const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The file system, as far as the log needs it. */
export type Files = Pick<typeof promises, 'open' | 'lstat' | 'rename' | 'unlink'>;

/** Where lines go to be safe. */
export type AuditSink = {
  /** Resolves once they are safe. Rejects when that is not certain: then the same lines come again. */
  append(lines: readonly AuditLine[]): Promise<void>;
  close(): Promise<void>;
};

/** Why the file cannot be the audit log, whoever may write it: a sentence's end. */
export class UnfitFile extends Error {}

type Handle = Awaited<ReturnType<Files['open']>>;
/** Run → its last line that the file held when it was opened: whatever comes before that is there as well. */
type Ends = ReadonlyMap<string, number>;
/** The file while it is open, and how long it is. */
type Opened = { readonly handle: Handle; readonly size: number; readonly ends: Ends };

/**
 * The audit log as a file: appended to, synchronized with the disk once per call, rotated by size. Whoever else rotates it may: a file that
 * was moved or deleted is made anew. What a failed machine tore is mended when the file is opened. After a failure nothing is
 * trusted: the file is opened again, and of the lines that come again those that it holds already are passed over.
 */
export class AuditFile implements AuditSink {
  readonly #path: string;
  readonly #files: Files;
  /** Makes the line that says what was torn. */
  readonly #repaired: (torn: string) => AuditLine;
  readonly #maxBytes: number;
  #opened: Opened | undefined;
  /** What the disk made of it is unknown: it is set aside, and lines are written again elsewhere. */
  #isDoubtful = false;

  constructor(path: string, options: { repaired(torn: string): AuditLine; files?: Files; maxBytes?: number }) {
    this.#path = path;
    this.#repaired = options.repaired;
    this.#files = options.files ?? promises;
    this.#maxBytes = options.maxBytes ?? maxFileBytes;
  }

  async append(lines: readonly AuditLine[]): Promise<void> {
    try {
      const opened = await this.#current(lines);
      const missing = lines.filter(({ run, sequence }) => sequence > (opened.ends.get(run) ?? 0));
      if (missing.length > 0) await this.#write(opened, missing.map(({ text }) => text).join(''));
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.handle.close().catch(() => undefined);
  }

  async #write(opened: Opened, text: string): Promise<void> {
    const bytes = Buffer.byteLength(text);
    const { handle } = opened.size > 0 && opened.size + bytes > this.#maxBytes ? await this.#rotate() : opened;
    await handle.appendFile(text);
    try {
      await handle.datasync();
    } catch (error) {
      // The kernel may have dropped what it could not write, and would say next time that all is fine.
      this.#isDoubtful = true;
      throw error;
    }
    // What was read at the opening says nothing about what is written now.
    const { size } = await handle.stat();
    this.#opened = { handle, size, ends: new Map() };
  }

  /** The file that bears the name now, open and whole. */
  async #current(lines: readonly AuditLine[]): Promise<Opened> {
    if (this.#isDoubtful) {
      await this.#rotate();
      this.#isDoubtful = false;
    }
    if (this.#opened && !(await this.#bearsTheName(this.#opened.handle))) await this.close();
    this.#opened ??= await this.#open(lines);
    return this.#opened;
  }

  async #bearsTheName(handle: Handle): Promise<boolean> {
    const [own, named] = await Promise.all([handle.stat(), this.#files.lstat(this.#path).catch(ifMissing)]);
    return named !== undefined && own.ino === named.ino && own.dev === named.dev;
  }

  async #open(lines: readonly AuditLine[] = []): Promise<Opened> {
    const handle = await this.#files.open(this.#path, flags, mode);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new UnfitFile('it is no regular file');
      await refuseForeign(handle, stat.size);
      const { whole, ends, torn } = await readTail(handle, stat.size);
      if (torn === undefined) return { handle, size: stat.size, ends };
      await handle.truncate(whole);
      // What comes again as a whole needs no word.
      const comesAgain = torn !== '' && lines.some(({ text }) => text.startsWith(torn));
      if (!comesAgain) await handle.appendFile(this.#repaired(torn).text);
      return { handle, size: (await handle.stat()).size, ends };
    } catch (error) {
      await handle.close().catch(() => undefined);
      throw error;
    }
  }

  /** Moves what there is one further, the oldest out, and opens a new file. */
  async #rotate(): Promise<Opened> {
    await this.close();
    const { rename, unlink } = this.#files;
    const name = (index: number): string => (index === 0 ? this.#path : `${this.#path}.${index}`);
    await unlink(name(keptFiles)).catch(ifMissing);
    for (let index = keptFiles - 1; index >= 0; index -= 1) await rename(name(index), name(index + 1)).catch(ifMissing);
    await this.#syncFolder();
    this.#opened = await this.#open();
    return this.#opened;
  }

  /** Makes the new names durable. */
  async #syncFolder(): Promise<void> {
    const folder = await this.#files.open(dirname(this.#path), constants.O_RDONLY);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

/** A path may name anything, saved state too: only what begins as an audit log is appended to. */
async function refuseForeign(handle: Handle, size: number): Promise<void> {
  const begin = Buffer.alloc(Math.min(size, lineBegin.length));
  await handle.read(begin, 0, begin.length, 0);
  // Zeros are what a file system leaves of a line that was not written when the power went.
  if (begin.every((byte) => byte === 0)) return;
  if (!lineBegin.startsWith(begin.toString())) throw new UnfitFile('it holds something else than an audit log');
}

/** The end of the file: up to where lines are whole, the last of each run, and what there is of another line. */
async function readTail(
  handle: Handle,
  size: number,
): Promise<{ readonly whole: number; readonly ends: Ends; readonly torn?: string }> {
  const tail = Buffer.alloc(Math.min(size, tailBytes));
  await handle.read(tail, 0, tail.length, size - tail.length);
  const end = tail.lastIndexOf(0x0a) + 1;
  const ends = endsOf(tail.subarray(0, end).toString());
  const whole = size - tail.length + end;
  if (end === tail.length) return { whole, ends };
  return { whole, ends, torn: tail.subarray(end).toString().replaceAll('\0', '').slice(0, maxTornChars) };
}

function endsOf(text: string): Ends {
  const ends = new Map<string, number>();
  for (const each of text.split('\n')) {
    const line = readLine(each);
    // Lines of repair stand outside the count.
    if (line && line.sequence > 0) ends.set(line.run, line.sequence);
  }
  return ends;
}
