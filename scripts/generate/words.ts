/** Figures and conditions of provider types in words, for the pages. */
import { abilities, abilityOf, type Support } from '../../src/providers/kit/supports.ts';
import type { Limits, Pacing } from '../../src/providers/provider.ts';

/** Units of lengths; UTF-16 units are what JavaScript, Java and many databases count, two for most emoji. */
const units = { characters: 'characters', utf16: 'UTF-16 units', bytes: 'bytes' } as const;

const number = (value: number): string => value.toLocaleString('en');

/** `title`: 250 characters. */
export function limitWords(limits: Limits): readonly (readonly [name: string, words: string])[] {
  return Object.entries(limits).map(([name, limit]) => {
    const [unit = 'characters', max = 0] = Object.entries(limit)[0] ?? [];
    return [name, `${number(Number(max))} ${new Map(Object.entries(units)).get(unit) ?? unit}`];
  });
}

/** `1 a second, 5 at once`. */
export function paceWords({ perSecond, burst }: Pacing): string {
  const periods = [
    ['second', 1],
    ['minute', 60],
    ['hour', 3_600],
  ] as const;
  const [name, seconds] = periods.find(([, length]) => perSecond * length >= 1) ?? ['day', 86_400];
  const count = Math.round(perSecond * seconds * 10) / 10;
  return `${number(count)} a ${name}, ${number(burst)} at once`;
}

/** What a claim depends on: `` with `token` ``, `when it is no worse`; empty for one that always holds. */
export function conditionOf(support: Support): string {
  if (typeof support === 'string') return '';
  if ('when' in support) return `when ${support.when}`;
  return `with ${support.with.map((field) => `\`${field}\``).join(' and ')}`;
}

/** Headings of abilities. */
export const abilityTitles = {
  thread: 'Thread',
  update: 'Update in place',
  close: 'Close',
  reopen: 'Reopen',
  dedup: 'No duplicates',
} as const satisfies Readonly<Record<keyof typeof abilities, string>>;

/** A claim as a line of a list. */
export function supportLine(support: Support): string {
  const ability = abilityOf(support);
  const condition = conditionOf(support);
  return `**${abilityTitles[ability]}**${condition === '' ? '' : `, ${condition}`}: ${abilities[ability]}.`;
}
