/**
 * What one Pod costs in the world: 20,000 realistic Pods of about 6 KB of JSON go in one at a time, and what the heap grew by
 * is divided among them. Run with `node --expose-gc test/bench/world-memory.ts`.
 */
import { WatchedWorld } from '../../src/world/watched-world.ts';
import { pod } from './pod.ts';

const podCount = 20_000;
const layout = { podsPerOwner: 10, nodeCount: 500 };

const { gc } = globalThis;
if (!gc) throw new Error('Run with --expose-gc, or garbage counts as memory in use.');
const now = Date.UTC(2026, 1, 1);
const world = new WatchedWorld();
// Warm up, so that compiled code does not count.
for (let index = 0; index < 200; index++)
  world.apply('pods', [{ is: 'put', raw: JSON.parse(JSON.stringify(pod(index, layout))) }], now);
gc();
gc();
const before = process.memoryUsage().heapUsed;
const startedAt = performance.now();
let bytes = 0;
for (let index = 200; index < podCount + 200; index++) {
  const text = JSON.stringify(pod(index, layout));
  bytes += text.length;
  world.apply('pods', [{ is: 'put', raw: JSON.parse(text) }], now);
}
const seconds = (performance.now() - startedAt) / 1000;
gc();
gc();
const perPod = (process.memoryUsage().heapUsed - before) / podCount;
console.log(`JSON per Pod       ${Math.round(bytes / podCount)} bytes`);
console.log(`heap per Pod       ${Math.round(perPod)} bytes (${world.count('Pod')} Pods)`);
console.log(`made and taken in  ${Math.round(podCount / seconds)} Pods per second`);
process.send?.({ kilobytesPerPod: perPod / 1000 });
