import { firstLines } from './fitting.ts';
import { lengthIn, type Unit } from './truncate.ts';

/** A text of several parts. `shown`: from top to bottom. `gap` stands between parts, `lineBreak` between the lines of one. */
export type Page<Part> = {
  readonly shown: readonly Part[];
  readonly max: number;
  readonly unit: Unit;
  readonly gap: string;
  readonly lineBreak: string;
};

/** Parts with their lines, already written in the markup, most important first. */
export type Parts<Part> = readonly (readonly [Part, readonly string[]])[];

/**
 * One text within the room of the page. Each part gets what those more important leave, line by line; the last of all is the
 * `log`, which is written for the room that is left.
 */
export function arranged<Part>(
  { shown, max, unit, gap, lineBreak }: Page<Part>,
  parts: Parts<Part>,
  log: readonly [Part, (max: number) => string],
): string {
  const kept = new Map<Part, string>();
  const between = lengthIn(unit, gap);
  let left = max;
  const keep = (part: Part, text: string): void => {
    if (text === '' || !shown.includes(part)) return;
    kept.set(part, text);
    left -= lengthIn(unit, text) + between;
  };
  for (const [part, lines] of parts) keep(part, firstLines(lines, left, unit, lineBreak));
  const [part, write] = log;
  keep(part, write(left));
  return shown.flatMap((each) => kept.get(each) ?? []).join(gap);
}
