/** Adds to a list in a map, making the list when there is none. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Takes out of a list in a map, dropping the list with its last entry. */
export function takeFrom<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  const at = list?.indexOf(value) ?? -1;
  if (!list || at < 0) return;
  if (list.length === 1) lists.delete(key);
  else list.splice(at, 1);
}
