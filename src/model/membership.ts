/** Puts a value into a set, or takes it out. */
export function setMember<Value>(set: Set<Value>, value: Value, isIn: boolean): void {
  if (isIn) set.add(value);
  else set.delete(value);
}
