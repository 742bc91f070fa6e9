/** A map by string that forgets its oldest entries beyond a number. */
export type BoundedMap<V> = {
  get(key: string): V | undefined;
  /** Makes the entry the newest. */
  set(key: string, value: V): void;
  delete(key: string): void;
  deletePrefix(prefix: string): void;
};

/** An empty bounded map. */
export function createBoundedMap<V>(max: number): BoundedMap<V> {
  const entries = new Map<string, V>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= max) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        break;
      }
    },
    delete: (key) => void entries.delete(key),
    deletePrefix(prefix) {
      for (const key of entries.keys()) if (key.startsWith(prefix)) entries.delete(key);
    },
  };
}
