import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError } from '../command.ts';

/** A text to lint, under the name people know it by. `isUTF8`: its bytes were; else what could not be read stands as U+FFFD. */
export type SourceText = { readonly name: string; readonly text: string; readonly isUTF8: boolean };

/** Files of a folder that may hold manifests. */
const patterns = ['**/*.yaml', '**/*.yml', '**/*.json'];
/** Hidden files, and folders that hold other people's files. */
const skipped = /^(\..+|node_modules)$/;
/** A file larger than this is no manifest (bytes); the API server takes 1.5 MiB for one object. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Reads what the arguments name: files, folders with all below them, `-` for standard input. Rejects with `UsageError` for
 * what cannot be read.
 */
export async function readSources(
  names: readonly string[],
  standardInput: AsyncIterable<Uint8Array | string>,
): Promise<readonly SourceText[]> {
  const sources: SourceText[] = [];
  const seen = new Set<string>();
  for (const name of names) {
    if (name === '-') {
      sources.push(await readAll('-', standardInput));
      continue;
    }
    for (const file of await filesOf(name)) {
      if (seen.has(file)) continue;
      seen.add(file);
      sources.push(await readAll(file, createReadStream(file)));
    }
  }
  return sources;
}

async function filesOf(name: string): Promise<readonly string[]> {
  const info = await stat(name).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new UsageError(
      code === 'ENOENT' ? `there is no file or folder "${name}"` : `cannot read "${name}" (${code})`,
    );
  });
  if (!info.isDirectory()) return [name];
  const found: string[] = [];
  for await (const file of glob(patterns, { cwd: name, exclude: (path) => skipped.test(basename(path)) }))
    found.push(file);
  if (found.length === 0) throw new UsageError(`the folder "${name}" holds no .yaml, .yml or .json file`);
  return found.sort().map((file) => join(name, file));
}

/** All of a file, a pipe or standard input, as long as it may be a manifest. */
async function readAll(name: string, input: AsyncIterable<Uint8Array | string>): Promise<SourceText> {
  const called = name === '-' ? 'standard input' : `"${name}"`;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of input) {
      const read = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk);
      bytes += read.length;
      if (bytes > maxBytes) throw new UsageError(`${called} is larger than 16 MiB: that is no manifest`);
      chunks.push(read);
    }
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error && 'code' in error)) throw error;
    throw new UsageError(`cannot read ${called} (${error.code})`);
  }
  const whole = Buffer.concat(chunks);
  return { name, text: whole.toString('utf8'), isUTF8: isUtf8(whole) };
}
