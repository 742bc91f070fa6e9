import type { Memo } from '../model/memo.ts';
import { isNumber, MemoLedger, type Memory, memoryOf, recall } from '../model/memory.ts';
import type { Ref } from '../model/ref.ts';

/** That Tocsin is there is noted this often; milliseconds. */
const presenceMs = 60_000;
/** Objects of which it is saved what was observed: far more than fail at a time in a cluster that anybody still reads of. */
const mostNoted = 20_000;
const notesTopic = 'notes';

/** That Tocsin looked at this cluster at `now` (epoch milliseconds), to the minute, so that not every turn has it to write. */
export function presenceAt(now: number, clusterId: string): ReadonlyMap<string, number | string> {
  return new Map<string, number | string>([
    ['seenAt', now - (now % presenceMs)],
    ['cluster', clusterId],
  ]);
}

/** When Tocsin looked last, as far as it is saved (epoch milliseconds). `savedAt`: when anything was. */
export function seenUntil(memory: Memory, savedAt: number): number {
  return Math.max(savedAt, recall(memory, 'presence', isNumber).get('seenAt') ?? savedAt);
}

/** What is saved of what the core remembers, so that each turn writes only what differs. */
export class Remembered {
  readonly #ledger = new MemoLedger();
  /** Objects with notes. There can be many: only those that change are looked at. */
  readonly #noted = new Set<string>();

  /** What a turn has to write: `notes` are what was observed of the objects of which something else is now. */
  changes(memory: Memory, notes: Iterable<readonly [Ref, unknown]>): readonly Memo[] {
    const memos = [...this.#ledger.changes(memory)];
    for (const [key, value] of notes) {
      if (value === undefined) {
        if (this.#noted.delete(key)) memos.push({ topic: notesTopic, key });
      } else if (this.#noted.has(key) || this.#noted.size < mostNoted) {
        this.#noted.add(key);
        memos.push({ topic: notesTopic, key, value });
      }
    }
    return memos;
  }

  /** What was remembered before a restart, to go on from. */
  restore(memos: readonly Memo[]): Memory {
    this.#ledger.take(memos.filter(({ topic }) => topic !== notesTopic));
    const memory = memoryOf(memos);
    for (const key of memory[notesTopic]?.keys() ?? []) this.#noted.add(key);
    return memory;
  }
}
