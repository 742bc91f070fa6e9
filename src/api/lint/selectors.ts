import { someEffort } from '../../model/glob-words.ts';
import { globsMatch, type Selector } from '../../model/selector.ts';
import { impossibleFields, type SelectorField } from '../../model/selector-cover.ts';
import { didYouMean } from '../../model/suggest.ts';
import { joinPath } from '../../schema/path.ts';
import { whyNeedless } from '../rules/needless.ts';
import { unknownReasons } from '../rules/reasons.ts';
import { whyImpossible } from '../rules/routes.ts';
import type { Remark } from './remark.ts';

const quoted = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(', ');

/** Fields of which a rule of their own says what is wrong with each entry. */
const saidElsewhere = (field: SelectorField, selector: Selector): boolean =>
  field === 'kinds' || (field === 'reasons' && unknownReasons(selector.reasons ?? [], '').length > 0);

/** What looks wrong in one selector. `path`: of the selector. */
export function selectorRemarks(selector: Selector, path: string): readonly Remark[] {
  const never = impossibleFields(selector)
    .filter((field) => !saidElsewhere(field, selector))
    .map((field): Remark => {
      const at = joinPath(path, field);
      return { rule: 'NeverMatches', path: at, message: whyImpossible(field, selector, path) };
    });
  const kinds = (selector.kinds ?? []).flatMap((kind, index): readonly Remark[] => {
    if (/^[A-Z][A-Za-z0-9]*$/.test(kind)) return [];
    const at = joinPath(joinPath(path, 'kinds'), index);
    const meant = didYouMean(kind.replace(/^.*\//, '').replace(/s$/, ''), commonKinds);
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
 * Entries of a list of selectors that earlier ones make needless: all they pick is picked already. `unit`: what an entry is
 * called.
 */
export function needlessSelectors(selectors: readonly Selector[], path: string, unit: string): readonly Remark[] {
  return selectors.flatMap((selector, index): readonly Remark[] => {
    if (impossibleFields(selector).length > 0) return [];
    const message = whyNeedless(selectors, index, { path, unit, effort: someEffort() });
    return message === undefined ? [] : [{ rule: 'Unreachable', path: joinPath(path, index), message }];
  });
}
