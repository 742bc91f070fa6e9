import type { Labels } from '../../model/subject.ts';
import { type Fields, fieldsOf, labelsOf, listOf, textOf } from './fields.ts';

/** One of `matchExpressions` (meta/v1 LabelSelectorRequirement). An operator that nobody knows matches nothing. */
type Expression = { readonly key: string; readonly operator: string; readonly values: readonly string[] };

/** meta/v1 LabelSelector: all must match. The empty one matches every object; where a field has none, nothing is selected. */
export type LabelSelector = { readonly labels: Labels; readonly expressions: readonly Expression[] };

const noExpressions: readonly Expression[] = [];

function expressionOf(raw: Fields): Expression {
  const values = Array.isArray(raw.values) ? raw.values.filter((value) => typeof value === 'string') : [];
  return { key: textOf(raw.key) ?? '', operator: textOf(raw.operator) ?? '', values };
}

/** A `LabelSelector` as the API gives it; `undefined` when there is none. */
export function labelSelectorOf(value: unknown): LabelSelector | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { matchLabels, matchExpressions } = fieldsOf(value);
  const expressions = listOf(matchExpressions).map(expressionOf);
  return { labels: labelsOf(matchLabels), expressions: expressions.length > 0 ? expressions : noExpressions };
}

/** A selector that is a plain map, as Services and ReplicationControllers have it: an empty one selects nothing. */
export function mapSelectorOf(value: unknown): LabelSelector | undefined {
  const labels = labelsOf(value);
  for (const _ in labels) return { labels, expressions: noExpressions };
  return undefined;
}

/** Whether labels satisfy a selector (apimachinery `labels.Requirement.Matches`). */
export function selects({ labels: wanted, expressions }: LabelSelector, labels: Labels): boolean {
  for (const key in wanted) if (labels[key] !== wanted[key]) return false;
  return expressions.every((expression) => satisfies(expression, labels[expression.key]));
}

function satisfies({ operator, values }: Expression, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

/** A selector in the form of `kubectl get -l`: `app=api,tier in (front,back)`; `''` for none and for one that matches all. */
export function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return '';
  const equal = Object.entries(selector.labels).map(([key, value]) => `${key}=${value}`);
  const others = selector.expressions.map(({ key, operator, values }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
  });
  return [...equal.sort(), ...others.sort()].join(',');
}

/** The selector as a fact of a finding, for the line that lists the Pods; nothing where there is none or it matches all. */
export function selectorOf({ selector }: { readonly selector?: LabelSelector | undefined }): {
  readonly selector?: string;
} {
  const text = selectorText(selector);
  return text === '' ? {} : { selector: text };
}
