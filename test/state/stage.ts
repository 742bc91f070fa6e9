import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Delivery, deliveryKeys } from '../../src/model/delivery.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Incident } from '../../src/model/incident.ts';
import type { Act } from '../../src/model/notification.ts';
import type { Store } from '../../src/model/store.ts';
import { type Batch, emptyBatch } from '../../src/model/turn.ts';
import type { Found } from '../../src/state/first-reading.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import type { SaveProblem } from '../../src/state/problem.ts';
import { StateDirectory, type StateDirectoryOptions } from '../../src/state/state-directory.ts';
import { realClock } from '../delivery/clock.ts';
import { notification } from '../delivery/stage.ts';
import { explanation, finding } from '../incident/helpers.ts';

/** A directory that is gone after the test; `fast`: in memory, where the system has such a place. */
export function temporaryDirectory(t: Pick<TestContext, 'after'>, fast = false): string {
  const parent = fast && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const directory = mkdtempSync(join(parent, 'tocsin-state-test-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A delivery of a stream to one provider. */
export function told(stream: string, act: Act, sequence: number, more: Partial<Delivery> = {}): Delivery {
  const keys = deliveryKeys(stream, 'uid-oncall', act, sequence);
  return {
    ...{ ...keys, stream, provider: 'AlertProvider/tocsin/oncall', providerUid: 'uid-oncall', act, sequence },
    ...{ alertKey: stream, createdAt: 0, notBefore: 0, notification: notification(act), ...more },
  };
}

/** An explanation of a Deployment with so many failing Pods. */
export function explained(name: string, pods: number): Explanation {
  const members = Array.from({ length: pods }, (_, index) => finding(`Pod/shop/${name}-${index}`));
  return explanation(`Deployment/shop/${name}`, { members });
}

/** An open incident. */
export function incident(id: string, more: Partial<Incident> = {}): Incident {
  return {
    ...{ id, alertKey: `key-${id}`, state: 'Open', explanation: explained(id, 2), startedAt: 0, revision: 1 },
    ...{ recoveries: [], standings: {}, hearings: {}, ...more },
  };
}

/** Commits a batch with what a test says. */
export function commit(store: Store, more: Partial<Batch>): void {
  store.commit({ ...emptyBatch, ...more });
}

/** A process that works in a state directory. */
export type StateProcess = {
  readonly state: StateDirectory;
  readonly store: MemoryStore;
  readonly found: Found;
  /** What it was told, in order: codes of problems, `none` when it is over, names of files kept aside, rows trimmed. */
  readonly told: string[];
};

/** Starts one: takes the lock, reads what was saved, and saves from then on. Ended with the test. */
export async function start(
  t: Pick<TestContext, 'after'>,
  directory: string,
  options: Partial<StateDirectoryOptions> = {},
): Promise<StateProcess> {
  const heard: string[] = [];
  const ready = Promise.withResolvers<void>();
  const state = new StateDirectory({
    directory,
    clock: realClock,
    onLock: ({ is }) => (is === 'held' || is === 'unavailable' ? ready.resolve() : undefined),
    onProblem: (problem: SaveProblem | undefined) => heard.push(problem?.code ?? 'none'),
    onAside: (name) => heard.push(name),
    onTrimmed: (rows) => heard.push(`trimmed ${rows}`),
    crashed: (error) => ready.reject(error),
    ...options,
  });
  t.after(() => state.close(1000));
  state.lock.acquire();
  await ready.promise;
  const found = await state.journal.open();
  const store = new MemoryStore(found.saved, found.saved?.placeOf);
  state.journal.follow(store);
  return { state, store, found, told: heard };
}

/** What is in a store, to be compared with what was saved: as JSON has it, without the time. */
export function contents(store: MemoryStore): unknown {
  const { savedAt: _, ...rest } = store.load();
  return JSON.parse(JSON.stringify(rest));
}

/** Waits until something holds, for 20 s at most. */
export async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${holds.toString()}`);
    await new Promise<void>((resolve) => void realClock.after(5, resolve));
  }
}
