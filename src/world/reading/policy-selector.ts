import { type LabelSelector, labelSelectorOf } from './label-selector.ts';

/** Labels that network plug-ins give every Pod besides its own: the namespace it is in. */
export const namespaceKeys = ['projectcalico.org/namespace', 'io.kubernetes.pod.namespace'] as const;
/** What is so of every Pod. */
const always = /^(?:all\(\)|global\(\)|projectcalico\.org\/orchestrator\s*==\s*['"]k8s['"])$/;

const key = '([\\w./-]{1,316})';
const value = '[\'"]([^\'"]{0,253})[\'"]';
/** Parts of a selector of Calico, each with the operator of Kubernetes that says the same. */
const parts: readonly (readonly [pattern: RegExp, operator: string])[] = [
  [new RegExp(`^${key}\\s*==\\s*${value}$`), 'In'],
  [new RegExp(`^${key}\\s*!=\\s*${value}$`), 'NotIn'],
  [new RegExp(`^${key}\\s+in\\s*\\{([^}]{0,2000})\\}$`), 'In'],
  [new RegExp(`^${key}\\s+not\\s+in\\s*\\{([^}]{0,2000})\\}$`), 'NotIn'],
  [new RegExp(`^has\\(${key}\\)$`), 'Exists'],
  [new RegExp(`^!\\s*has\\(${key}\\)$`), 'DoesNotExist'],
];

const valuesIn = (list: string): readonly string[] => list.split(',').map((each) => each.trim().replace(/['"]/g, ''));

/** One requirement; of what is not read nobody knows whom it means: it matches nothing. */
function requirementOf(text: string): object {
  for (const [pattern, operator] of parts) {
    const [found, name, list] = pattern.exec(text) ?? [];
    if (found !== undefined) return { key: name, operator, ...(list !== undefined && { values: valuesIn(list) }) };
  }
  return { key: '', operator: '' };
}

/** A selector of Calico, `app == 'db' && has(tier)`; `undefined`: all. */
function ofExpression(text: string): LabelSelector | undefined {
  const asked = text
    .split('&&')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !always.test(part));
  return asked.length === 0 ? undefined : labelSelectorOf({ matchExpressions: asked.map(requirementOf) });
}

/** Cilium says where a label is from: `k8s:app`. */
const origin = /^(?:k8s|any):/;

/** A selector of Kubernetes, the keys as Pods have them. */
function ofLabels(selector: LabelSelector): LabelSelector {
  const labels = Object.fromEntries(
    Object.entries(selector.labels).map(([name, wanted]) => [name.replace(origin, ''), wanted]),
  );
  return {
    labels,
    expressions: selector.expressions.map((each) => ({ ...each, key: each.key.replace(origin, '') })),
  };
}

/** Whom a policy of a network plug-in selects, in the form of Calico or that of Kubernetes; `undefined`: all. */
export function policySelectorOf(given: unknown): LabelSelector | undefined {
  if (typeof given === 'string') return ofExpression(given);
  const selector = labelSelectorOf(given);
  return selector && ofLabels(selector);
}
