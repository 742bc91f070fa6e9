import { badRequest } from './failure.ts';
import { fieldAt, type KubeObject } from './object.ts';
import type { LabelSelector } from './shapes.ts';

/** Whether an object is picked. */
export type Picks = (object: KubeObject) => boolean;

type Labels = Readonly<Record<string, string>>;
type Term = (labels: Labels) => boolean;

/** One comparison of a label: the four operators of `matchExpressions`, in their own words. */
function term(key: string, operator: string, values: readonly string[]): Term {
  const own = (labels: Labels): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  switch (operator) {
    case 'In':
      return (labels) => values.includes(own(labels) ?? '\0');
    case 'NotIn':
      return (labels) => !values.includes(own(labels) ?? '\0');
    case 'Exists':
      return (labels) => own(labels) !== undefined;
    case 'DoesNotExist':
      return (labels) => own(labels) === undefined;
    default:
      throw badRequest(`unable to parse requirement: unknown operator "${operator}"`);
  }
}

/** Whether a selector by labels picks these; an empty one picks all. */
export function matches(selector: LabelSelector, labels: Labels = {}): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => term(key, 'In', [value]));
  const others = (selector.matchExpressions ?? []).map(({ key, operator, values }) =>
    term(key, operator, values ?? []),
  );
  return [...equal, ...others].every((each) => each(labels));
}

/** Reads one requirement of a `labelSelector` parameter. */
function parseTerm(text: string): Term {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text);
  if (set) {
    const values = (set[3] ?? '').split(',').map((value) => value.trim());
    return term(set[1] ?? '', set[2] === 'in' ? 'In' : 'NotIn', values);
  }
  const equal = /^([^=!\s]+)\s*(==|=|!=)\s*([^=!\s]*)$/.exec(text);
  if (equal) return term(equal[1] ?? '', equal[2] === '!=' ? 'NotIn' : 'In', [equal[3] ?? '']);
  if (/^![^=!\s]+$/.test(text)) return term(text.slice(1), 'DoesNotExist', []);
  if (/^[^=!\s]+$/.test(text)) return term(text, 'Exists', []);
  throw badRequest(`unable to parse requirement: "${text}"`);
}

/** The selector of the `labelSelector` query parameter. */
export function parseLabelSelector(text: string): Picks {
  const terms = (text.match(/[^,(]+(?:\([^)]*\))?/g) ?? []).map((part) => parseTerm(part.trim()));
  return (object) => terms.every((matches) => matches(object.metadata.labels ?? {}));
}

/** The selector of the `fieldSelector` query parameter. Any field may be named: the real server has a short list. */
export function parseFieldSelector(text: string): Picks {
  const terms = text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(part);
      if (!match) throw badRequest(`invalid selector: '${part}'; can't understand '${part}'`);
      const path = (match[1] ?? '').split('.');
      return (object: KubeObject) => (String(fieldAt(object, ...path) ?? '') === match[3]) === (match[2] !== '!=');
    });
  return (object) => terms.every((matches) => matches(object));
}
