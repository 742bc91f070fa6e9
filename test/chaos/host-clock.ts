/**
 * Loaded before the operator (`--import`): makes the host's clock, as the operator sees it, one that can be set. `CHAOS_CLOCK_MS`
 * is how far it is off at the start; a message to the process sets it anew. Time that only runs forward is left alone, as
 * setting a real clock would.
 */
import { isMainThread } from 'node:worker_threads';

const hostNow = Date.now.bind(Date);
let offMs = Number(process.env.CHAOS_CLOCK_MS ?? 0);
Date.now = () => hostNow() + offMs;

if (isMainThread) {
  process.on('message', (message) => {
    if (typeof message === 'number') offMs = message;
  });
  // What listens to its parent would never end by itself.
  process.channel?.unref();
}
