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
  /** Globs on who answers for the root or an affected object. */
  readonly owners?: readonly string[];
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
 * Something about an incident, worked out once: a Node may take thousands of Pods with it, and many selectors ask the same of
 * them. What they are matched against never changes.
 */
function once<T>(work: (incident: Selectable) => T): (incident: Selectable) => T {
  const known = new WeakMap<Selectable, T>();
  return (incident) => {
    const before = known.get(incident);
    if (before !== undefined) return before;
    const found = work(incident);
    known.set(incident, found);
    return found;
  };
}

/** Namespaces of the root and of what is affected. */
const namespacesOf = once(({ root, affected }): readonly string[] => {
  const namespaces = new Set([namespaceOf(root.ref)]);
  for (const { ref } of affected) namespaces.add(namespaceOf(ref));
  namespaces.delete('');
  return [...namespaces];
});

/** Sets of labels of the root and of what is affected: Pods of one template share theirs. */
const labelSetsOf = once(({ root, affected }): readonly Labels[] => {
  const sets = new Set([root.labels]);
  for (const { labels } of affected) sets.add(labels);
  return [...sets];
});

/** Who answers for the root and for what is affected. */
const ownersOf = once(({ root, affected }): readonly string[] => [
  ...new Set([root, ...affected].flatMap(({ owner }) => owner ?? [])),
]);

/** Nodes of the root and of what is affected, as far as these are Pods; `undefined` for one that runs nowhere. */
const podNodesOf = once(({ root, affected }): readonly (string | undefined)[] => {
  const nodes = new Set<string | undefined>();
  for (const { ref, node } of [root, ...affected]) if (kindOf(ref) === 'Pod') nodes.add(node);
  return [...nodes];
});

/** A cluster-scoped root passes a list of only excludes, whatever it hits; it passes includes if an affected object matches. */
function namespacesMatch(globs: readonly string[] | undefined, incident: Selectable): boolean {
  if (globs === undefined || globs.length === 0) return true;
  if (namespaceOf(incident.root.ref) === '' && globs.every((glob) => glob.startsWith('!'))) return true;
  return globsMatch(globs, namespacesOf(incident));
}

/** The root is that Node, or there are affected Pods and all of them run on matching nodes. */
function nodesMatch(globs: readonly string[] | undefined, incident: Selectable): boolean {
  if (globs === undefined || globs.length === 0) return true;
  if (kindOf(incident.root.ref) === 'Node') return globsMatch(globs, [nameOf(incident.root.ref)]);
  const nodes = podNodesOf(incident);
  return nodes.length > 0 && nodes.every((node) => node !== undefined && globsMatch(globs, [node]));
}

function labelsMatch(wanted: Labels | undefined, incident: Selectable): boolean {
  if (wanted === undefined) return true;
  const pairs = Object.entries(wanted);
  return labelSetsOf(incident).some((labels) =>
    pairs.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value),
  );
}

/** What nobody answers for passes a list of only excludes. */
function ownersMatch(globs: readonly string[] | undefined, incident: Selectable): boolean {
  if (globs === undefined || globs.length === 0) return true;
  const owners = ownersOf(incident);
  return owners.length === 0 ? globs.every((glob) => glob.startsWith('!')) : globsMatch(globs, owners);
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
  if (!ownersMatch(selector.owners, incident)) return 'owners';
  return undefined;
}

/** Whether the selector picks this incident. */
export function selectorMatches(selector: Selector, incident: Selectable): boolean {
  return selectorMismatch(selector, incident) === undefined;
}

/** An incident with the shares that its workloads have in it, where these are several. */
export type WithParts = Selectable & {
  readonly parts?: readonly { readonly root: Subject; readonly members: readonly { readonly subject: Subject }[] }[];
};

/**
 * Whether a selector that picks an incident picks all that fails in it: its namespaces, labels and owners fit the share of each
 * workload, or a cause that is in no namespace.
 */
export function picksAll({ namespaces, labels, owners }: Selector, { parts = [], ...incident }: WithParts): boolean {
  const isShared = namespaceOf(incident.root.ref) === '';
  return parts.every(({ root, members }) => {
    if (namespaceOf(root.ref) === '') return true;
    const affected = [root, ...members.map(({ subject }) => subject)];
    const own = { ...incident, root: isShared ? incident.root : root, affected };
    return namespacesMatch(namespaces, own) && labelsMatch(labels, own) && ownersMatch(owners, own);
  });
}
