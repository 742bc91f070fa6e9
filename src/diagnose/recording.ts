import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { DumpError } from '../dump/bounds.ts';
import type { CollectOptions } from '../dump/collect.ts';
import { errorMessage } from '../model/error-message.ts';
import { type ReplayedTurn, replayStream } from '../runtime/recording/replay.ts';
import type { Seen } from './diagnosis.ts';
import { lookAtDump } from './file.ts';

/** How every recording of ours begins. */
const begin = '{"tocsinLog":';

/** Looks at what was written down: a recording of ours as it stood at its end, anything else as a dump. */
export async function lookAtFile(options: CollectOptions & { readonly version: string }): Promise<Seen> {
  const { path, stdin } = options;
  if (path === '-') {
    const [head, whole] = await peeked(stdin);
    if (!head.startsWith(begin)) return lookAtDump({ ...options, stdin: whole });
    return lookAtRecording(Readable.from(whole), 'standard input');
  }
  return (await beginOf(path)).startsWith(begin)
    ? lookAtRecording(createReadStream(path), basename(path))
    : lookAtDump(options);
}

async function beginOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (!file) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(begin.length), 0, begin.length, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    // A folder has no begin.
    return '';
  } finally {
    await file.close();
  }
}

/** The first characters of a stream, and all of it. */
async function peeked(
  stream: AsyncIterable<Uint8Array | string>,
): Promise<readonly [head: string, whole: AsyncIterable<Uint8Array | string>]> {
  const source = stream[Symbol.asyncIterator]();
  const first: (Uint8Array | string)[] = [];
  let head = '';
  while (head.length < begin.length) {
    const { done, value } = await source.next();
    if (done) break;
    first.push(value);
    head += typeof value === 'string' ? value : Buffer.from(value).toString('latin1');
  }
  async function* whole(): AsyncGenerator<Uint8Array | string> {
    yield* first;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  }
  return [head, whole()];
}

async function lookAtRecording(input: Readable, name: string): Promise<Seen> {
  let isOver = false;
  async function* lines(): AsyncGenerator<string> {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    isOver = true;
  }
  let last: ReplayedTurn | undefined;
  try {
    for await (const turn of replayStream(lines())) {
      // What only time would bring after its end was never seen.
      if (isOver) break;
      last = turn;
    }
  } catch (error) {
    throw new DumpError(`${name}: ${errorMessage(error)}`, { cause: error });
  }
  if (!last) throw new DumpError(`${name} holds no turn: nothing was recorded but its first line`);
  return {
    ...{ view: last.view, now: last.now, watchedMs: 0, coverage: [], unseen: [] },
    looked: { is: 'file', name, format: 'recording of Tocsin' },
    limits: ['It is how things stood at the end of the recording; `tocsin report` shows the way there.'],
  };
}
