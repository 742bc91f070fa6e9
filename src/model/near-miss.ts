import type { Labels } from './subject.ts';

/** A label that a selector wants, and the one that Pods have instead, both as people write them: `tier: front`. */
export type NearMiss = { readonly wants: string; readonly has: string };

/** Words shorter than this are different words when a letter differs: `api` and `app`. */
const shortest = 4;
/** A word that goes on for at most so many letters is the same word: `front`, `frontend`. */
const longestEnding = 4;

/** Whether a person may have meant the same: another case, one letter more, less, other or swapped, or a word cut short. */
export function isAlike(a: string, b: string): boolean {
  if (a.toLowerCase() === b.toLowerCase()) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length >= shortest && long.startsWith(short)) {
    const ending = long.slice(short.length);
    return ending.length <= longestEnding && /^[a-z]+$/i.test(ending);
  }
  return long.length >= shortest && long.length - short.length <= 1 && differsOnce(short, long);
}

/** Numbers are told apart by one digit on purpose: `v1` and `v2`, `db-0` and `db-1`. */
const isLetter = (text: string): boolean => /^[^\d]*$/.test(text);

function differsOnce(short: string, long: string): boolean {
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const [restOfShort, restOfLong] = [short.slice(at), long.slice(at)];
  if (short.length < long.length) return restOfShort === restOfLong.slice(1) && isLetter(restOfLong[0] ?? '');
  if (restOfShort.slice(1) === restOfLong.slice(1))
    return short.length >= shortest && isLetter(`${restOfShort[0] ?? ''}${restOfLong[0] ?? ''}`);
  const swapped = `${restOfLong[1] ?? ''}${restOfLong[0] ?? ''}${restOfLong.slice(2)}`;
  return restOfShort === swapped && isLetter(restOfShort.slice(0, 2));
}

/** How labels miss a selector by one slip of the pen; `undefined`: they satisfy it, or are of something else. */
export function nearMiss(wanted: Labels, labels: Labels): NearMiss | undefined {
  const unmet = Object.keys(wanted).filter((key) => labels[key] !== wanted[key]);
  const [key] = unmet;
  if (key === undefined || unmet.length > 1) return undefined;
  const value = wanted[key] ?? '';
  const own = labels[key];
  const wants = `${key}: ${value}`;
  if (own !== undefined) return isAlike(value, own) ? { wants, has: `${key}: ${own}` } : undefined;
  const slip = Object.keys(labels).find((other) => labels[other] === value && isAlike(key, other));
  return slip === undefined ? undefined : { wants, has: `${slip}: ${value}` };
}
