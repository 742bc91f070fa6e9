import { glob, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError } from '../command.ts';

/** A text to lint, under the name people know it by. */
export type SourceText = { readonly name: string; readonly text: string };

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
      sources.push({ name: '-', text: await readAll(standardInput) });
      continue;
    }
    for (const file of await filesOf(name)) {
      if (seen.has(file)) continue;
      seen.add(file);
      sources.push({ name: file, text: await readFile(file, 'utf8') });
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
  if (!info.isDirectory()) {
    if (info.size > maxBytes) throw new UsageError(`"${name}" is larger than 16 MiB: that is no manifest`);
    return [name];
  }
  const found: string[] = [];
  for await (const file of glob(patterns, { cwd: name, exclude: (path) => skipped.test(basename(path)) }))
    found.push(file);
  if (found.length === 0) throw new UsageError(`the folder "${name}" holds no .yaml, .yml or .json file`);
  return found.sort().map((file) => join(name, file));
}

async function readAll(input: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
