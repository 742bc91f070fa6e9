import { globMatches, globsMatch, type Selector } from '../../model/selector.ts';
import { joinPath } from '../../schema/path.ts';
import { didYouMean } from '../../schema/suggest.ts';
import { unknownReasons } from '../rules/reasons.ts';
import type { Remark } from './remark.ts';

/** Fields of a selector that hold globs. */
const globFields = ['namespaces', 'reasons', 'names', 'nodes'] as const;

const quoted = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(', ');

/** Whether everything that glob `b` matches is matched by glob `a`. May say no where it is hard to tell. */
function globCovers(a: string, b: string): boolean {
  return a === b || (globMatches(a, b) && !(a.includes('?') && b.includes('*')));
}

/** The globs of a list, told apart. */
function split(globs: readonly string[]): {
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
} {
  return {
    includes: globs.filter((glob) => !glob.startsWith('!')),
    excludes: globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)),
  };
}

function globsCover(a: readonly string[], b: readonly string[]): boolean {
  const [wide, narrow] = [split(a), split(b)];
  const excluded = wide.excludes.every((glob) => narrow.excludes.some((other) => globCovers(other, glob)));
  if (wide.includes.length === 0) return excluded;
  return (
    excluded &&
    narrow.includes.length > 0 &&
    narrow.includes.every((glob) => wide.includes.some((other) => globCovers(other, glob)))
  );
}

/** Whether every incident that `b` picks is picked by `a`. May say no where it is hard to tell, never yes wrongly. */
export function selectorCovers(a: Selector, b: Selector): boolean {
  return (
    globFields.every((field) => a[field] === undefined || (b[field] !== undefined && globsCover(a[field], b[field]))) &&
    (['severities', 'kinds'] as const).every((field) => {
      const wide: readonly string[] | undefined = a[field];
      return wide === undefined || b[field]?.every((word) => wide.includes(word)) === true;
    }) &&
    Object.entries(a.labels ?? {}).every(([name, value]) => b.labels?.[name] === value)
  );
}

/** What looks wrong in one selector. `path`: of the selector. */
export function selectorRemarks(selector: Selector, path: string): readonly Remark[] {
  const never = globFields.flatMap((field): readonly Remark[] => {
    const { includes, excludes } = split(selector[field] ?? []);
    // Only excludes: a root outside all namespaces still passes.
    const tested = includes.length === 0 && field !== 'namespaces' ? ['*'] : includes;
    const gone = tested.filter((glob) => excludes.some((other) => globCovers(other, glob)));
    if (tested.length === 0 || gone.length < tested.length) return [];
    const at = joinPath(path, field);
    const message = `\`${at}\` (${quoted(selector[field] ?? [])}) excludes all that it includes, so nothing ever matches: remove the exclude or the include`;
    return [{ rule: 'NeverMatches', path: at, message }];
  });
  const kinds = (selector.kinds ?? []).flatMap((kind, index): readonly Remark[] => {
    if (/^[A-Z][A-Za-z0-9]*$/.test(kind)) return [];
    const at = joinPath(joinPath(path, 'kinds'), index);
    const meant = didYouMean(kind.replace(/s$/, ''), commonKinds);
    const message = `\`${at}\` is "${kind}", which is no kind: write it as manifests do, such as Deployment${meant}`;
    return [{ rule: 'UnknownKindOfRoot', path: at, message }];
  });
  return [...never, ...kinds, ...unknownReasons(selector.reasons ?? [], joinPath(path, 'reasons'))];
}

/**
 * A Silence or window of another namespace than the operator's is about incidents of its own namespace. One whose selector names
 * others only is about nothing.
 */
export function scopeRemarks(
  {
    metadata: { namespace },
    spec,
  }: { readonly metadata: { readonly namespace: string }; readonly spec: SelectorHolder },
  operatorNamespace: string,
): readonly Remark[] {
  const globs = spec.selector.namespaces ?? [];
  const names = globs.filter((glob) => !glob.startsWith('!'));
  if (namespace === operatorNamespace || names.length === 0 || globsMatch(globs, [namespace])) return [];
  const path = 'spec.selector.namespaces';
  const message = `\`${path}\` (${quoted(globs)}) leaves out "${namespace}", and outside the namespace of Tocsin it is about incidents of its own namespace only: remove the field, or move the object to "${operatorNamespace}"`;
  return [{ rule: 'OutOfScope', path, message }];
}

type SelectorHolder = { readonly selector: { readonly namespaces?: readonly string[] | undefined } };

/** Kinds that people select by, for suggestions. */
const commonKinds = [
  'Pod',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'Job',
  'CronJob',
  'Node',
  'Namespace',
];

/**
 * Entries of a list of selectors that an earlier one makes needless: all they pick is picked already. `unit`: what an entry is
 * called; `so`: what follows from it.
 */
export function needlessSelectors(selectors: readonly Selector[], path: string, unit: string): readonly Remark[] {
  return selectors.flatMap((selector, index): readonly Remark[] => {
    const earlier = selectors.findIndex((other, before) => before < index && selectorCovers(other, selector));
    if (earlier < 0) return [];
    const [at, other] = [joinPath(path, index), joinPath(path, earlier)];
    const all = Object.keys(selectors[earlier] ?? {}).length === 0 ? 'everything' : 'all that this one matches';
    const message = `\`${at}\` does nothing, since \`${other}\` before it matches ${all}: remove this ${unit}, or narrow the earlier one`;
    return [{ rule: 'Unreachable', path: at, message }];
  });
}
