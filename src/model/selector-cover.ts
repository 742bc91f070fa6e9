import { isDeepStrictEqual } from 'node:util';
import { type Alphabet, anyNames, type Effort, findWord, namespaceNames, nodeNames, someEffort } from './glob-words.ts';
import { type Reason, reasons } from './reason.ts';
import { globsMatch, type Selector } from './selector.ts';
import { type Severity, severities } from './severity.ts';
import type { Labels } from './subject.ts';

/** A field of a selector. */
export type SelectorField = keyof Selector;

type Globs = readonly string[];

/** A list that restricts nothing is as good as none. */
const given = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined);

const isOnlyExcludes = (globs: Globs): boolean => globs.every((glob) => glob.startsWith('!'));

/** The reasons that a list lets pass. */
export function reasonsOf({ reasons: globs }: Pick<Selector, 'reasons'>): readonly Reason[] {
  return reasons.filter((reason) => globsMatch(globs, [reason]));
}

/** The severities that a selector lets pass. */
export function severitiesOf({ severities: only }: Pick<Selector, 'severities'>): readonly Severity[] {
  return given(only) ?? severities;
}

/** Whether no word of an alphabet passes all of the lists. `false` where that would take too long to tell. */
const isVoid = (lists: readonly Globs[], alphabet: Alphabet, effort: Effort): boolean =>
  findWord(lists, [], alphabet, effort) === 'none';

/** What a kind is made of: no group (`apps/Deployment`), no wildcard. */
const kindPattern = /^[A-Za-z][A-Za-z0-9]*$/;
/** Label keys and values as the API server takes them. */
const keyPattern = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?$/;
const valuePattern = /^(?:[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)?$/;

const isLabel = ([key, value]: readonly [string, string]): boolean => keyPattern.test(key) && valuePattern.test(value);

/** One field by itself: whether nothing that exists or could exist passes it. */
const nothingPasses: Readonly<Record<SelectorField, (selector: Selector, effort: Effort) => boolean>> = {
  // What stands outside all namespaces passes a list of only excludes.
  namespaces: ({ namespaces = [] }, effort) =>
    !isOnlyExcludes(namespaces) && isVoid([namespaces], namespaceNames, effort),
  reasons: (selector) => reasonsOf(selector).length === 0,
  severities: (selector) => severitiesOf(selector).length === 0,
  kinds: ({ kinds }) => given(kinds)?.every((kind) => !kindPattern.test(kind)) === true,
  names: ({ names = [] }, effort) => isVoid([names], anyNames, effort),
  nodes: ({ nodes = [] }, effort) => isVoid([nodes], nodeNames, effort),
  labels: ({ labels = {} }) => !Object.entries(labels).every(isLabel),
  // An annotation may name anybody, and what nobody answers for passes a list of only excludes.
  owners({ owners = [] }) {
    const includes = owners.filter((glob) => !glob.startsWith('!'));
    return includes.length > 0 && includes.every((name) => isPlain(name) && !globsMatch(owners, [name]));
  },
};

const fields: readonly SelectorField[] = [
  ...(['namespaces', 'reasons', 'severities', 'kinds', 'names', 'nodes', 'labels', 'owners'] as const),
];

/**
 * The fields for which a selector can never match anything, whatever fails: each of them lets nothing pass that exists or could
 * exist. May miss some, never names one wrongly.
 */
export function impossibleFields(selector: Selector, effort: Effort = someEffort()): readonly SelectorField[] {
  return fields.filter((field) => nothingPasses[field](selector, effort));
}

const isPlain = (glob: string): boolean => !/[*?!]/.test(glob);

/** Whether every word that passes `narrow` passes `wide`. */
function globsCover(wide: Globs, narrow: Globs, alphabet: Alphabet, effort: Effort): boolean {
  if (wide.length === 0) return true;
  // Most lists are a few names, which are quickly compared one by one.
  if (narrow.length > 0 && narrow.every(isPlain)) return narrow.every((name) => globsMatch(wide, [name]));
  return findWord([narrow], [wide], alphabet, effort) === 'none';
}

/** What stands outside all namespaces passes a list of only excludes, and no list with an include by itself. */
function namespacesCover(wide: Globs, narrow: Globs, effort: Effort): boolean {
  return (isOnlyExcludes(wide) || !isOnlyExcludes(narrow)) && globsCover(wide, narrow, namespaceNames, effort);
}

/** An incident without Pods passes no list at all: only another list is covered. */
function nodesCover(wide: Globs | undefined, narrow: Globs | undefined, effort: Effort): boolean {
  return wide === undefined || (narrow !== undefined && globsCover(wide, narrow, nodeNames, effort));
}

/** What nobody answers for passes a list of only excludes; of names no more is asked than whether the narrow list says them. */
function ownersCover(wide: Globs, narrow: Globs): boolean {
  if (wide.length === 0 || isDeepStrictEqual(wide, narrow)) return true;
  return narrow.length > 0 && narrow.every((name) => isPlain(name) && globsMatch(wide, [name]));
}

function labelsCover(wide: Labels, narrow: Labels): boolean {
  return Object.entries(wide).every(([name, value]) => Object.hasOwn(narrow, name) && narrow[name] === value);
}

function includesAll<T>(wide: readonly T[] | undefined, narrow: readonly T[] | undefined): boolean {
  return wide === undefined || narrow?.every((word) => wide.includes(word)) === true;
}

/** Whether every incident that `narrow` picks is picked by `wide`. May say no where it is hard to tell, never yes wrongly. */
export function selectorCovers(wide: Selector, narrow: Selector, effort: Effort = someEffort()): boolean {
  return (
    includesAll(given(wide.severities), severitiesOf(narrow)) &&
    includesAll(given(wide.kinds), given(narrow.kinds)) &&
    labelsCover(wide.labels ?? {}, narrow.labels ?? {}) &&
    includesAll(reasonsOf(wide), reasonsOf(narrow)) &&
    ownersCover(wide.owners ?? [], narrow.owners ?? []) &&
    globsCover(wide.names ?? [], narrow.names ?? [], anyNames, effort) &&
    namespacesCover(wide.namespaces ?? [], narrow.namespaces ?? [], effort) &&
    nodesCover(given(wide.nodes), given(narrow.nodes), effort)
  );
}

/**
 * The selectors that together pick whatever `narrow` picks, as indexes, the fewest that are easily found: one of them, or one for
 * each severity. `undefined`: none, as far as can be told.
 */
export function coveredBy(
  earlier: readonly Selector[],
  narrow: Selector,
  effort: Effort = someEffort(),
): readonly number[] | undefined {
  const one = earlier.findIndex((wide) => selectorCovers(wide, narrow, effort));
  if (one >= 0) return [one];
  const each = severitiesOf(narrow).map((severity) =>
    earlier.findIndex((wide) => selectorCovers(wide, { ...narrow, severities: [severity] }, effort)),
  );
  return each.includes(-1) ? undefined : [...new Set(each)].sort((a, b) => a - b);
}
