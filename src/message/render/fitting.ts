import { lengthIn, type Unit } from './truncate.ts';

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

/** The first lines that fit into `max`, with a visible mark where some are missing; nothing when not even one does. */
export function firstLines(lines: readonly string[], max: number, unit: Unit, lineBreak = '\n'): string {
  const whole = lines.join(lineBreak);
  if (lengthIn(unit, whole) <= max) return whole;
  const mark = `${lineBreak}…`;
  const kept: string[] = [];
  for (const line of lines) {
    const next = [...kept, line].join(lineBreak);
    if (lengthIn(unit, next) > max - lengthIn(unit, mark)) break;
    kept.push(line);
  }
  return kept.length === 0 ? '' : `${kept.join(lineBreak)}${mark}`;
}
