import type { LabelSelector } from '../world/reading/label-selector.ts';

const key = '[A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?';
const value = '(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?';
const equality = new RegExp(`^(${key})\\s*(==?|!=)\\s*(${value})$`);
const membership = new RegExp(`^(${key})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const existence = new RegExp(`^(!?)\\s*(${key})$`);

/** A selector as `kubectl get -l` takes it: `app=api,tier in (front,back),!canary`; `undefined`: it is none. */
export function parseLabelQuery(text: string): LabelSelector | undefined {
  // Commas within parentheses separate values.
  const parts = text.split(/,(?![^(]*\))/).map((part) => part.trim());
  const expressions = parts.map(expressionOf);
  return expressions.every((each) => each !== undefined) ? { labels: {}, expressions } : undefined;
}

function expressionOf(part: string): LabelSelector['expressions'][number] | undefined {
  const [, name, operator, is] = equality.exec(part) ?? [];
  if (name !== undefined && is !== undefined)
    return { key: name, operator: operator === '!=' ? 'NotIn' : 'In', values: [is] };
  const [, of, how, list] = membership.exec(part) ?? [];
  if (of !== undefined && list !== undefined)
    return { key: of, operator: how === 'in' ? 'In' : 'NotIn', values: list.split(',').map((one) => one.trim()) };
  const [, no, there] = existence.exec(part) ?? [];
  return there === undefined ? undefined : { key: there, operator: no === '!' ? 'DoesNotExist' : 'Exists', values: [] };
}
