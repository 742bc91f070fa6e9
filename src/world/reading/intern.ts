/**
 * One copy of what many objects repeat. Bounded without counting references: what has not been asked for while `capacity`
 * others were is forgotten, which costs only that later objects share with each other and not with earlier ones.
 */
export type Pool<T> = (key: string, make: () => T) => T;

/** Builds a pool of at most twice `capacity` values. */
export function createPool<T>(capacity: number): Pool<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (key, make) => {
    const recent = young.get(key);
    if (recent !== undefined) return recent;
    const value = old.get(key) ?? make();
    if (young.size >= capacity) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
    return value;
  };
}
