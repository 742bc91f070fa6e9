import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DirectoryLock } from '../../src/state/directory-lock.ts';
import { Journal } from '../../src/state/journal.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import type { Answer } from '../../src/state/protocol.ts';
import { startThread, type Thread } from '../../src/state/thread.ts';
import { type VirtualClock, virtualClock } from '../kube/support/virtual-clock.ts';
import { commit, contents, incident, start, temporaryDirectory, told, until } from './stage.ts';

/** A disk that can hang: what the thread is asked then stands still until it goes on. */
class Disk implements Thread {
  hangs = false;
  readonly #thread: Thread;
  #held: Parameters<Thread['ask']>[0][] = [];

  constructor(directory: string) {
    this.#thread = startThread({ directory }, (error) => assert.fail(error));
  }

  ask(request: Parameters<Thread['ask']>[0]): void {
    if (this.hangs) this.#held.push(request);
    else this.#thread.ask(request);
  }

  listen(heard: (answer: Answer) => void): void {
    this.#thread.listen(heard);
  }

  end(): void {
    this.#thread.end();
  }

  get asked(): number {
    return this.#held.length;
  }

  goOn(): void {
    this.hangs = false;
    for (const request of this.#held.splice(0)) this.#thread.ask(request);
  }
}

type Setting = {
  readonly disk: Disk;
  readonly clock: VirtualClock;
  readonly journal: Journal;
  readonly problems: string[];
};

async function set(t: { after(end: () => void): void }, directory: string): Promise<Setting> {
  const clock = virtualClock();
  const disk = new Disk(directory);
  t.after(() => disk.end());
  const lock = new DirectoryLock(disk, clock, () => undefined);
  lock.acquire();
  const problems: string[] = [];
  const journal = new Journal({
    ...{ thread: disk, clock, mayWrite: () => lock.held },
    onProblem: (problem) => problems.push(problem?.code ?? 'none'),
    onAside: (name) => problems.push(name.replace(/-.*/, '')),
    onTrimmed: () => undefined,
  });
  await until(() => lock.held);
  return { disk, clock, journal, problems };
}

test('nobody waits longer than two seconds for a disk that hangs; what came meanwhile is saved when it goes on', async (t) => {
  const directory = temporaryDirectory(t);
  const { disk, clock, journal, problems } = await set(t, directory);
  const store = new MemoryStore((await journal.open()).saved);
  journal.follow(store);
  await store.durable();
  disk.hangs = true;
  commit(store, { incidents: [incident('a')], enqueue: [told('a', 'open', 1)] });
  let letGo = false;
  void store.durable()?.then(() => {
    letGo = true;
  });
  await clock.advance(1_999);
  assert.deepEqual([letGo, problems], [false, []]);
  await clock.advance(1);
  assert.deepEqual([letGo, problems, store.durable()], [true, ['Slow'], undefined]);
  for (let index = 0; index < 1000; index += 1) commit(store, { incidents: [incident(`later-${index}`)] });
  await clock.advance(3_600_000);
  assert.ok(disk.asked <= 1, 'what waits is not heaped up before the disk');
  disk.goOn();
  await until(() => problems.includes('none'));
  assert.deepEqual(problems, ['Slow', 'none']);
  await store.durable();
  const before = contents(store);
  disk.ask({ do: 'close' });
  const next = await start(t, directory);
  assert.deepEqual(contents(next.store), before);
});

test('a disk that does not let what was saved be read is given up after 15 s, and what is on it is kept aside', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, directory);
  commit(first.store, { incidents: [incident('old')] });
  await first.state.close(5000);
  const { disk, clock, journal, problems } = await set(t, directory);
  disk.hangs = true;
  const opening = journal.open();
  await clock.advance(15_000);
  const found = await opening;
  assert.deepEqual([found.is, found.saved, problems], ['unread', undefined, ['Slow']]);
  const store = new MemoryStore();
  commit(store, { incidents: [incident('new')] });
  journal.follow(store);
  assert.equal(store.durable(), undefined);
  disk.goOn();
  await until(() => problems.includes('none'));
  assert.deepEqual(problems, ['Slow', 'state.db.unread', 'none']);
});

test('a disk is not called slow when it was this process that had no time to hear its answer', async (t) => {
  const directory = temporaryDirectory(t);
  const { store, told: heard } = await start(t, directory);
  await store.durable();
  commit(store, { incidents: [incident('a')] });
  const saved = store.durable();
  // The transaction is on its way; then nothing runs here for longer than anybody would wait.
  await new Promise<void>((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200);
  await saved;
  assert.deepEqual([heard, store.durable()], [[], undefined]);
});
