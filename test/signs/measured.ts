import { readFileSync } from 'node:fs';
import type { Sign } from '../../src/model/sign.ts';
import { readSigns } from '../../src/signs/read.ts';
import { written } from './case.ts';

/**
 * Lines of real programs, each with what it says: `reviewed`, `learned`, `products` and `others` were looked at while the table was written,
 * `blind` never: it was labelled first, put aside, and is scored only.
 */
export const lineSets = ['blind', 'learned', 'reviewed', 'products', 'others'] as const;
export type LineSet = (typeof lineSets)[number];

/** Lines of a program, what may be read from them (any of the kinds; no kind: nothing), and where they were found. */
export type Measured = {
  readonly family: string;
  readonly kinds: readonly string[];
  /** Any of them will do: a name, or the number beside it. */
  readonly targets: readonly string[];
  readonly name: string;
  readonly source: string;
  readonly lines: readonly string[];
};

/** How well lines were read. `weaker`: the kind, without its target or name; or the bare exception that wraps it. */
export type Verdict = 'right' | 'weaker' | 'wrong' | 'missed' | 'quiet' | 'accused';

const words = (text = ''): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** The lines of a set: `## family | kinds | target | name | source`, then the lines as they were printed. */
export function measured(set: LineSet): readonly Measured[] {
  const text = readFileSync(new URL(`lines/${set}.txt`, import.meta.url), 'utf8');
  return text
    .split(/^## /m)
    .slice(1)
    .map((block) => {
      const [head = '', ...lines] = block.replace(/\n$/, '').split('\n');
      const [family = '', kinds, targets, name = '', source = ''] = head.split('|').map((part) => part.trim());
      const expected = words(kinds).filter((kind) => kind !== 'nothing');
      return { family, kinds: expected, targets: words(targets), name, source, lines };
    });
}

/** Whether the target is one that was expected: a name is looked up without its port. */
function isExpected(sign: Sign, targets: readonly string[]): boolean {
  const found = written(sign) ?? '';
  const host = (address: string): string => address.replace(/:\d+$/, '');
  if (sign.kind === 'NameNotResolved') return targets.some((target) => host(target) === host(found));
  return targets.includes(found);
}

export function verdictOf({ lines, kinds, targets, name }: Measured): Verdict {
  const [sign] = readSigns(lines);
  if (kinds.length === 0) return sign ? 'accused' : 'quiet';
  if (!sign) return 'missed';
  if (!kinds.includes(sign.kind))
    return sign.kind === 'UncaughtException' || sign.kind === 'Panic' ? 'weaker' : 'wrong';
  if (targets.length > 0 && !isExpected(sign, targets)) return sign.target ? 'wrong' : 'weaker';
  return name !== '' && sign.name !== name ? 'weaker' : 'right';
}

/** Shares of a set, in percent with one decimal. */
export type Shares = {
  readonly failing: number;
  readonly innocent: number;
  readonly right: number;
  readonly wrong: number;
  readonly accused: number;
};

export function sharesOf(set: LineSet): Shares {
  const verdicts = measured(set).map((each) => verdictOf(each));
  const count = (...which: readonly Verdict[]): number => verdicts.filter((verdict) => which.includes(verdict)).length;
  const innocent = count('quiet', 'accused');
  const failing = verdicts.length - innocent;
  const share = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10;
  return {
    ...{ failing, innocent },
    right: share(count('right'), failing),
    wrong: share(count('wrong'), failing),
    accused: share(count('accused'), innocent),
  };
}
