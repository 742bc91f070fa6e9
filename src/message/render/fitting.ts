/**
 * The parts that fit into `max` together, in their order, which is that of importance: one that does not fit is left out,
 * a later and smaller one may still find room. `lengthOf`: of one part, in the unit of `max`.
 */
export function fitting<T>(parts: readonly T[], max: number, lengthOf: (part: T) => number): readonly T[] {
  let left = max;
  return parts.filter((part) => {
    const length = lengthOf(part);
    if (length > left) return false;
    left -= length;
    return true;
  });
}

/** The bytes that a part takes in a JSON document, its comma included. */
export function jsonBytes(part: unknown): number {
  return Buffer.byteLength(JSON.stringify(part)) + 1;
}
