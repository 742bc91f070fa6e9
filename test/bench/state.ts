/**
 * What saving costs: deliveries through the outbox, from a commit to the begin of its attempt, what a turn writes, the size after a
 * day, and a restart with 10,000 incidents. Each with the real dispatcher, a product that answers at once, and the real disk.
 */
import { once } from 'node:events';
import { fdatasync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Incident } from '../../src/model/incident.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { StateDirectory } from '../../src/state/state-directory.ts';
import { Core } from '../../src/turn/core.ts';
import { realClock } from '../delivery/clock.ts';
import { arrived, batch, delivery, provider, stage } from '../delivery/stage.ts';
import { explained, incident } from '../state/stage.ts';
import { median, percentile } from './numbers.ts';

/** What it measures. `added`: by saving, to the way from a commit to the begin of its attempt. Kilobytes are 1,000 bytes. */
export type StateFigures = {
  readonly perSecondMemory: number;
  readonly perSecondSaved: number;
  readonly addedLagMs: number;
  readonly addedLagP99Ms: number;
  /** The same message to a thread that does nothing and back, and as many bytes forced to the disk; no part of Tocsin. */
  readonly threadP99Ms: number;
  readonly diskP99Ms: number;
  readonly turnKilobytes: number;
  /** Of an incident of 10,000 Pods. */
  readonly largeTurnKilobytes: number;
  readonly dayMebibytes: number;
  readonly restartMs: number;
};

/** What varies most is measured so often; the median counts. */
const repeats = 3;

const oncall = provider('oncall');
const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-state-'));
const clock = { ...realClock, advance: () => Promise.resolve() };

async function opened(name: string): Promise<{ readonly state: StateDirectory; readonly store: MemoryStore }> {
  const ready = Promise.withResolvers<void>();
  const state = new StateDirectory({
    directory: join(folder, name),
    clock: realClock,
    onLock: () => ready.resolve(),
    onProblem: (problem) => console.log(`  ${problem ? problem.message : 'the disk works again'}`),
    onAside: () => undefined,
    onTrimmed: () => undefined,
    crashed: ready.reject,
  });
  state.lock.acquire();
  await ready.promise;
  const { saved } = await state.journal.open();
  const store = new MemoryStore(saved, saved?.placeOf);
  state.journal.follow(store);
  await store.durable();
  return { state, store };
}

/** Sends through a store, and says when each attempt began and when all have ended. */
function sender(store: MemoryStore, count: number) {
  const begunAt = new Map<string, number>();
  const all = Promise.withResolvers<void>();
  const { dispatcher } = stage({
    ...{ providers: [oncall], store, clock, type: { pacing: { perSecond: 1e6, burst: 1e6 } } },
    script({ delivery: { id } }) {
      begunAt.set(id, performance.now());
      if (begunAt.size === count) all.resolve();
      return arrived;
    },
  });
  return { dispatcher, begunAt, all: all.promise };
}

const opening = (stream: string, now: number) => delivery(oncall, 'open', 1, { stream, now });

/** Deliveries a second, a hundred committed by each turn. */
async function throughput(store: MemoryStore, count = 2_000): Promise<number> {
  const { dispatcher, all } = sender(store, count);
  const begun = performance.now();
  for (let first = 0; first < count; first += 100) {
    const enqueue = Array.from({ length: 100 }, (_, index) => opening(`t-${first + index}`, Date.now()));
    store.commit(batch({ enqueue }));
    dispatcher.kick();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  await all;
  await store.durable();
  return (count * 1000) / (performance.now() - begun);
}

/** Something that is timed again and again. Resolves when it is over, with the milliseconds. */
type Timed = (id: string) => Promise<number>;

/** From a commit with an incident to the begin of its attempt. */
function commitTo(store: MemoryStore): Timed {
  const begun = new Map<string, () => void>();
  const { dispatcher } = stage({
    ...{ providers: [oncall], store, clock, type: { pacing: { perSecond: 1e6, burst: 1e6 } } },
    script({ delivery: { id } }) {
      begun.get(id)?.();
      begun.delete(id);
      return arrived;
    },
  });
  return (id) => {
    const enqueued = opening(id, Date.now());
    const startedAt = performance.now();
    return new Promise((resolve) => {
      begun.set(enqueued.id, () => resolve(performance.now() - startedAt));
      store.commit(batch({ incidents: [incident(id)], enqueue: [enqueued] }));
      dispatcher.kick();
    });
  };
}

/** To a thread that does nothing, and back: what waking two threads takes on this machine at this moment. */
function threadTrip(): Timed {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads'); parentPort.on('message', (id) => parentPort.postMessage(id));`,
    { eval: true },
  );
  worker.unref();
  return async (id) => {
    const startedAt = performance.now();
    worker.postMessage(id);
    await once(worker, 'message');
    return performance.now() - startedAt;
  };
}

/** As many bytes as a commit writes, forced to the disk before anything else happens: what a bare loop would wait for. */
function forcedWrite(): Timed {
  const file = openSync(join(folder, 'bare'), 'w');
  const bytes = Buffer.alloc(5 * 4096, 1);
  return async () => {
    const startedAt = performance.now();
    writeSync(file, bytes);
    await promisify(fdatasync)(file);
    return performance.now() - startedAt;
  };
}

/** Milliseconds of each, twenty a second: all take turns, so that whatever else the machine does falls on all alike. */
async function takingTurns(sides: readonly Timed[], round: number, count = 300): Promise<number[][]> {
  const times = sides.map((): Promise<number>[] => []);
  for (let index = 0; index < count; index += 1)
    for (const [side, timed] of sides.entries()) {
      times[side]?.push(timed(`lag-${round}-${index}`));
      await new Promise<void>((resolve) => void setTimeout(resolve, 50 / sides.length));
    }
  return Promise.all(times.map((each) => Promise.all(each)));
}

/** What the process has written so far, in bytes; Linux says so. */
function writtenBytes(): number {
  const [, bytes] = /wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8')) ?? [];
  return Number(bytes);
}

/** Kilobytes that reach the file system in a turn and in the attempts that follow it, each with one delivery. */
async function turnKilobytes(
  store: MemoryStore,
  turns: number,
  incidentOf: (turn: number) => Incident,
): Promise<number> {
  const before = writtenBytes();
  for (let turn = 0; turn < turns; turn += 1) {
    const changed = incidentOf(turn);
    const act = turn === 0 ? 'open' : 'update';
    const enqueued = delivery(oncall, act, turn + 1, { stream: changed.id, now: turn });
    store.commit(batch({ incidents: [changed], enqueue: [enqueued] }));
    store.begin(enqueued.id);
    await store.durable();
    store.settle(enqueued.id, { is: 'delivered', at: turn, outcome: arrived });
    await store.durable();
  }
  return (writtenBytes() - before) / turns / 1000;
}

/** Two incidents a minute for a day, each told to two providers when it opens, changes and ends; the last 500 are kept. */
async function dayMebibytes(): Promise<number> {
  const { state, store } = await opened('day');
  const others = [oncall, provider('mail')];
  const minutes = 24 * 60;
  for (let count = 0; count < 2 * minutes; count += 1) {
    const at = count * 30_000;
    const id = `day-${count}`;
    for (const [index, act] of (['open', 'update', 'resolve'] as const).entries()) {
      const stateNow = act === 'resolve' ? 'Resolved' : 'Open';
      const enqueue = others.map((to) => delivery(to, act, index + 1, { stream: id, now: at }));
      const forget = act === 'open' && count >= 500 ? [`day-${count - 500}`] : [];
      const changed = incident(id, { state: stateNow, revision: index + 1, explanation: explained(id, 5) });
      store.commit(batch({ incidents: [changed], enqueue, forget }));
      for (const each of enqueue) store.begin(each.id);
      for (const each of enqueue)
        store.settle(each.id, { is: 'delivered', at, outcome: { is: 'delivered', ref: { ts: `${at}` } } });
    }
    if (count % 10 === 0) await store.durable();
  }
  const whileRunning = sizeOf('day');
  await state.close(10_000);
  return whileRunning / 2 ** 20;
}

/** Milliseconds from the start of the thread to the first attempt, with 10,000 open incidents of three Pods each. */
async function restartMs(name: string): Promise<number> {
  const count = 10_000;
  const first = await opened(name);
  const incidents = Array.from({ length: count }, (_, index) =>
    incident(`r-${index}`, { explanation: explained(`r-${index}`, 3) }),
  );
  first.store.commit(batch({ incidents, enqueue: [opening('r-0', Date.now())] }));
  await first.store.durable();
  await first.state.close(10_000);
  const begun = performance.now();
  const { state, store } = await opened(name);
  const core = new Core({ clusterId: 'c', version: '0', traits: new Map() });
  core.turn([{ kind: 'restored', saved: { ...store.load(), savedAt: Date.now(), reports: [] } }], Date.now());
  const { dispatcher, all } = sender(store, 1);
  dispatcher.kick();
  await all;
  const took = performance.now() - begun;
  await state.close(10_000);
  return took;
}

const sizeOf = (name: string): number =>
  readdirSync(join(folder, name)).reduce((sum, file) => sum + statSync(join(folder, name, file)).size, 0);

async function measure(): Promise<StateFigures> {
  const saved = await opened('lag');
  const sides = [commitTo(new MemoryStore()), commitTo(saved.store), threadTrip()];
  const disk = [forcedWrite()];
  const rounds: (readonly number[][])[] = [];
  // What is forced to the disk holds up whatever else is written: that has its own turn.
  for (let round = 0; round < repeats; round += 1)
    rounds.push([...(await takingTurns(sides, round)), ...(await takingTurns(disk, round, 100))]);
  const perSecondMemory = await throughput(new MemoryStore());
  const perSecondSaved = await throughput(saved.store);
  // The log of all that is moved into the file once nothing happens.
  await new Promise<void>((resolve) => void setTimeout(resolve, 2_000));
  const small = await turnKilobytes(saved.store, 200, (turn) => incident('small', { revision: turn + 1 }));
  const pods = explained('large', 10_000);
  const large = await turnKilobytes(saved.store, 50, (turn) => {
    // One of its Pods recovers in each turn.
    const explanation = { ...pods, members: pods.members.slice(0, pods.members.length - turn) };
    return incident('large', { revision: turn + 1, explanation });
  });
  await saved.state.close(10_000);
  const shareOf = (share: number, side: number): number[] =>
    rounds.map((round) => percentile(round[side] ?? [], share));
  const addedLag = (share: number): number => {
    const inMemory = shareOf(share, 0);
    return median(shareOf(share, 1).map((whenSaved, round) => whenSaved - (inMemory[round] ?? Number.NaN)));
  };
  const restarts: number[] = [];
  for (let round = 0; round < repeats; round += 1) restarts.push(await restartMs(`restart-${round}`));
  return {
    ...{ perSecondMemory, perSecondSaved, addedLagMs: addedLag(0.5), addedLagP99Ms: addedLag(0.99) },
    ...{ threadP99Ms: median(shareOf(0.99, 2)), diskP99Ms: median(shareOf(0.99, 3)) },
    ...{ turnKilobytes: small, largeTurnKilobytes: large },
    ...{ dayMebibytes: await dayMebibytes(), restartMs: median(restarts) },
  };
}

try {
  const figures = await measure();
  for (const [what, value] of Object.entries(figures)) console.log(`  ${what}: ${value.toFixed(2)}`);
  process.send?.(figures);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
