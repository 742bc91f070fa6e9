import type { Memo } from '../model/memo.ts';
import { isNumber, MemoLedger, type Memory, memoryOf, recall } from '../model/memory.ts';
import { worldTopics } from '../world/view/world-topics.ts';

/** That Tocsin is there is noted this often; milliseconds. */
const presenceMs = 60_000;
/** Objects of which something is saved, for each topic: far more than fail at a time in a cluster that anybody still reads of. */
const mostSaved = 20_000;

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

/** What there is much of, by object; only what changes is looked at. */
const topics = ['notes', 'normals', 'said', 'ended', ...worldTopics] as const;
type Topic = (typeof topics)[number];

/** What there is much of, where it is another than before. */
export type Much = Readonly<Record<Topic, Iterable<readonly [key: string, value: unknown]>>>;

/** What is saved of what the core remembers, so that each turn writes only what differs. */
export class Remembered {
  readonly #ledger = new MemoLedger();
  /** Objects of which something is saved, by topic. */
  readonly #saved = new Map<Topic, Set<string>>(topics.map((topic) => [topic, new Set()]));

  /** What a turn has to write: of what there is much of, what is another than before; `undefined`: nothing any more. */
  changes(memory: Memory, much: Much): readonly Memo[] {
    const memos = [...this.#ledger.changes(memory)];
    for (const topic of topics)
      for (const [key, value] of much[topic]) {
        const saved = this.#savedOf(topic);
        if (value === undefined) {
          if (saved.delete(key)) memos.push({ topic, key });
        } else if (saved.has(key) || saved.size < mostSaved) {
          saved.add(key);
          memos.push({ topic, key, value });
        }
      }
    return memos;
  }

  /** What was remembered before a restart, to go on from. */
  restore(memos: readonly Memo[]): Memory {
    const isMuch = ({ topic }: Memo): boolean => topics.some((each) => each === topic);
    this.#ledger.take(memos.filter((memo) => !isMuch(memo)));
    const memory = memoryOf(memos);
    for (const topic of topics) for (const key of memory[topic]?.keys() ?? []) this.#savedOf(topic).add(key);
    return memory;
  }

  #savedOf(topic: Topic): Set<string> {
    return this.#saved.get(topic) ?? new Set();
  }
}
