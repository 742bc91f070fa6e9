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

/** A message made of parts: those above its log and those below it, each most important first. */
export type AroundLog<T> = {
  readonly above: readonly T[];
  readonly below: readonly T[];
  /** What the whole may take, and what one part takes of it. */
  readonly max: number;
  readonly lengthOf: (part: T) => number;
  /** The log, cut to the room that the others leave. */
  readonly log: (left: number) => readonly T[];
};

/** The parts in the order they are shown. The log is cut first; then whole parts are left out, the last ones first. */
export function aroundLog<T>({ above, below, max, lengthOf, log }: AroundLog<T>): readonly T[] {
  const kept = new Set(fitting([...above, ...below], max, lengthOf));
  const left = [...kept].reduce((room, part) => room - lengthOf(part), max);
  const isKept = (part: T): boolean => kept.has(part);
  return [...above.filter(isKept), ...log(left), ...below.filter(isKept)];
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
