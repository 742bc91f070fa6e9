/** The thread that waits for the disk, so that nobody else does. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Request, ThreadData } from './protocol.ts';
import { Writer } from './writer.ts';

const data: ThreadData = workerData;
const writer = new Writer(data, (answer) => parentPort?.postMessage(answer));
parentPort?.on('message', (request: Request) => {
  writer.handle(request);
  if (request.do === 'close') parentPort?.close();
});
