import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { type Streams, UsageError } from '../command.ts';

/** A log to read: a file, or `-` for standard input. Rejects with `UsageError` where there is none. */
export async function openInput(file: string, stdin: Streams['stdin']): Promise<Readable> {
  try {
    return file === '-' ? Readable.from(stdin) : (await open(file)).createReadStream();
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new UsageError(missing ? `there is no file "${file}"` : `cannot read "${file}": ${String(error)}`);
  }
}

/** Its lines, read no further than they are taken. */
export function linesOf(input: Readable): AsyncIterable<string> {
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}
