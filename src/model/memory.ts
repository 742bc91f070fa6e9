import type { Memo } from './memo.ts';
import { isRef, type Ref } from './ref.ts';
import { isSame } from './same.ts';

/** What the core remembers besides incidents: topic → key → plain JSON, which is replaced and never changed in place. */
export type Memory = Readonly<Record<string, ReadonlyMap<string, unknown>>>;

const nothing: ReadonlyMap<string, unknown> = new Map();

/** Saved memos by topic. */
export function memoryOf(memos: readonly Memo[]): Memory {
  const memory: Record<string, Map<string, unknown>> = {};
  for (const { topic, key, value } of memos) {
    const known = memory[topic] ?? new Map<string, unknown>();
    memory[topic] = known.set(key, value);
  }
  return memory;
}

/** What was remembered under a topic, as far as it has the shape that is expected: what another version wrote is forgotten. */
export function recall<T>(memory: Memory, topic: string, is: (value: unknown) => value is T): Map<string, T> {
  const recalled = new Map<string, T>();
  for (const [key, value] of memory[topic] ?? nothing) if (is(value)) recalled.set(key, value);
  return recalled;
}

/** What was remembered of objects under a topic, as far as it has the shape that is expected. */
export function recallOfObjects<T>(memory: Memory, topic: string, is: (value: unknown) => value is T): Map<Ref, T> {
  const recalled = new Map<Ref, T>();
  for (const [key, value] of recall(memory, topic, is)) if (isRef(key)) recalled.set(key, value);
  return recalled;
}

/** Whether a remembered value is a number. */
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Whether a remembered value is a text. */
export const isText = (value: unknown): value is string => typeof value === 'string';

/** Whether a remembered value is a ref. */
export const isSavedRef = (value: unknown): value is Ref => isText(value) && isRef(value);

/** Whether a remembered value is a flag that is set. */
export const isTrue = (value: unknown): value is true => value === true;

/** Whether a remembered value is a list of such things. */
export function isListOf<T>(value: unknown, is: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(is);
}

/** Knows what is saved, and so what has to be: only what differs is written. */
export class MemoLedger {
  readonly #saved = new Map<string, ReadonlyMap<string, unknown>>();

  /** Takes what is saved as the state to go on from. */
  take(memos: readonly Memo[]): void {
    this.#saved.clear();
    for (const [topic, entries] of Object.entries(memoryOf(memos))) this.#saved.set(topic, entries);
  }

  /** What is to be saved and forgotten, now that this is what is remembered. Other topics are other people's. */
  changes(memory: Memory): readonly Memo[] {
    const changes: Memo[] = [];
    for (const [topic, now] of Object.entries(memory)) {
      const before = changes.length;
      const saved = this.#saved.get(topic) ?? nothing;
      for (const [key, value] of now) if (!isSame(saved.get(key), value)) changes.push({ topic, key, value });
      for (const key of saved.keys()) if (!now.has(key)) changes.push({ topic, key });
      // What is remembered goes on changing: what is saved is a copy.
      if (changes.length > before) this.#saved.set(topic, new Map(now));
    }
    return changes;
  }
}
