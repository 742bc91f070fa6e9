import { kindNameOf, kindOf, nameOf, namespaceOf } from './ref.ts';
import type { Severity } from './severity.ts';
import type { Labels, Subject } from './subject.ts';

/**
 * Which incidents? The one selector of filters, routes, silences and windows. All given fields must match, values within
 * a field are alternatives, an absent field matches everything. Globs know `*` and `?` only; a leading `!` excludes, and
 * a list of only excludes means "all but these".
 */
export type Selector = {
  readonly namespaces?: readonly string[];
  readonly reasons?: readonly string[];
  readonly severities?: readonly Severity[];
  readonly kinds?: readonly string[];
  /** Globs on the name of the root object. */
  readonly names?: readonly string[];
  readonly nodes?: readonly string[];
  /** Equality on labels of the root or an affected object. */
  readonly labels?: Labels;
};

/** What a selector is matched against: an incident's face. */
export type Selectable = {
  readonly root: Subject;
  readonly reason: string;
  readonly severity: Severity;
  readonly affected: readonly Subject[];
};

/**
 * Whether a name matches a glob. Linear time with one point of return per `*` (no regular expression, nothing that
 * backtracks exponentially), so a hostile pattern costs at most pattern × name steps.
 */
export function globMatches(glob: string, text: string): boolean {
  let g = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (g < glob.length && (glob[g] === '?' || (glob[g] === text[t] && glob[g] !== '*'))) {
      g += 1;
      t += 1;
    } else if (glob[g] === '*') {
      star = g;
      resume = t;
      g += 1;
    } else if (star >= 0) {
      g = star + 1;
      resume += 1;
      t = resume;
    } else return false;
  }
  while (glob[g] === '*') g += 1;
  return g === glob.length;
}

/** Whether any of `values` passes a list of globs with `!` excludes: none may be excluded, one must be included. */
export function globsMatch(globs: readonly string[] | undefined, values: readonly string[]): boolean {
  if (globs === undefined || globs.length === 0) return true;
  const excludes = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const includes = globs.filter((glob) => !glob.startsWith('!'));
  const kept = values.filter((value) => !excludes.some((glob) => globMatches(glob, value)));
  if (includes.length === 0) return kept.length > 0;
  return kept.some((value) => includes.some((glob) => globMatches(glob, value)));
}

/**
 * Namespaces of the root or an affected object. A cluster-scoped root passes a list of only excludes, whatever it hits; it
 * passes includes if an affected object matches.
 */
function namespacesMatch(globs: readonly string[] | undefined, incident: Selectable): boolean {
  if (globs === undefined || globs.length === 0) return true;
  const namespaces = [incident.root, ...incident.affected].map((s) => namespaceOf(s.ref)).filter((ns) => ns !== '');
  if (namespaceOf(incident.root.ref) === '' && globs.every((glob) => glob.startsWith('!'))) return true;
  return globsMatch(globs, namespaces);
}

/** The root is that Node, or there are affected Pods and all of them run on matching nodes. */
function nodesMatch(globs: readonly string[] | undefined, incident: Selectable): boolean {
  if (globs === undefined || globs.length === 0) return true;
  if (kindOf(incident.root.ref) === 'Node') return globsMatch(globs, [nameOf(incident.root.ref)]);
  const pods = [incident.root, ...incident.affected].filter((subject) => kindOf(subject.ref) === 'Pod');
  return pods.length > 0 && pods.every((pod) => pod.node !== undefined && globsMatch(globs, [pod.node]));
}

function labelsMatch(labels: Labels | undefined, incident: Selectable): boolean {
  if (labels === undefined) return true;
  const wanted = Object.entries(labels);
  return [incident.root, ...incident.affected].some((subject) =>
    wanted.every(([key, value]) => Object.hasOwn(subject.labels, key) && subject.labels[key] === value),
  );
}

/** The first field of the selector that does not match, or `undefined` when the selector matches. Tells *why* it did not. */
export function selectorMismatch(selector: Selector, incident: Selectable): keyof Selector | undefined {
  if (!namespacesMatch(selector.namespaces, incident)) return 'namespaces';
  if (!globsMatch(selector.reasons, [incident.reason])) return 'reasons';
  if (selector.severities && selector.severities.length > 0 && !selector.severities.includes(incident.severity))
    return 'severities';
  if (selector.kinds && selector.kinds.length > 0 && !selector.kinds.includes(kindNameOf(incident.root.ref)))
    return 'kinds';
  if (!globsMatch(selector.names, [nameOf(incident.root.ref)])) return 'names';
  if (!nodesMatch(selector.nodes, incident)) return 'nodes';
  if (!labelsMatch(selector.labels, incident)) return 'labels';
  return undefined;
}

/** Whether the selector picks this incident. */
export function selectorMatches(selector: Selector, incident: Selectable): boolean {
  return selectorMismatch(selector, incident) === undefined;
}
