import { getAsset, isSea } from 'node:sea';
import { Worker } from 'node:worker_threads';
import type { Answer, Request, ThreadData } from './protocol.ts';

/** A line to the thread that writes. */
export type Thread = {
  /** Asks; what was asked before is done first. Never blocks. */
  ask(request: Request): void;
  /** From now on told of every answer. */
  listen(heard: (answer: Answer) => void): void;
  /** Ends it, whatever it is doing. */
  end(): void;
};

/** The file of the thread: beside this one, or beside the bundle (`scripts/build.ts`). */
const entry = import.meta.url.endsWith('.ts') ? './worker.ts' : './state-worker.mjs';

/** Starts the thread. `crashed` is told of a bug in it: the lock that it held is gone with it. */
export function startThread(data: ThreadData, crashed: (error: Error) => void): Thread {
  const options = { workerData: data, name: 'state' };
  // In a single executable it is a part of that.
  const worker = isSea()
    ? new Worker(getAsset('state-worker', 'utf8'), { ...options, eval: true })
    : new Worker(new URL(entry, import.meta.url), options);
  // A process that has nothing else to do need not wait for it: whoever stops in order waits for `closed`.
  worker.unref();
  worker.on('error', (error) => crashed(error instanceof Error ? error : new Error(String(error))));
  return {
    ask: (request) => worker.postMessage(request),
    listen: (heard) => void worker.on('message', heard),
    end: () => void worker.terminate(),
  };
}
