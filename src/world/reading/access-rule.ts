import type { AccessRequest } from '../../model/refusal.ts';
import type { Fields } from './fields.ts';
import { createPool } from './intern.ts';

/**
 * One rule of a role in few characters, `get,list apps,batch deployments,jobs` and the names it is bound to, where it is: verbs, groups,
 * resources, each parted by commas. The core group is the empty word. Most roles of a cluster repeat each other's rules, which are held once.
 */
export type AccessRule = string;

/** Rules that are held once; a large cluster has some thousand that differ. */
const rulePool = createPool<AccessRule>(4096);
/** Rules kept of one role: more has only what may do everything. */
const maxRules = 400;

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];

/** rbac.authorization.k8s.io/v1 PolicyRule; `undefined` of one about paths that are no resources, which no program fails by as it works. */
function ruleOf(raw: Fields): AccessRule | undefined {
  const [verbs, groups, resources] = [textsOf(raw.verbs), textsOf(raw.apiGroups), textsOf(raw.resources)];
  if (verbs.length === 0 || groups.length === 0 || resources.length === 0) return undefined;
  const names = textsOf(raw.resourceNames);
  const parts = [verbs, groups, resources, ...(names.length > 0 ? [names] : [])].map((part) => [...part].sort().join());
  const rule = parts.join(' ');
  return rulePool(rule, () => rule);
}

/** The rules of a role, in an order of their own: that they stand in another one is no edit. */
export function rulesOf(rules: readonly Fields[]): readonly AccessRule[] {
  const read = rules.slice(0, maxRules).flatMap((rule) => ruleOf(rule) ?? []);
  return [...new Set(read)].sort();
}

const includes = (list: string | undefined, ...any: readonly string[]): boolean =>
  list?.split(',').some((item) => item === '*' || any.includes(item)) ?? false;

/** Whether a rule lets somebody do something (`rbac.RuleAllows` of the API server). */
export function allows(rule: AccessRule, { verb, group, resource, name }: AccessRequest): boolean {
  const [verbs, groups, resources, names] = rule.split(' ');
  const [, below] = resource.split('/');
  const isResource = includes(resources, resource) || (below !== undefined && includes(resources, `*/${below}`));
  if (!includes(verbs, verb) || !includes(groups, group) || !isResource) return false;
  return names === undefined || (name !== undefined && names.split(',').includes(name));
}

/** What rules let one do and others do not, in words (`list endpoints`), at most so many. */
export function takenFrom(
  before: readonly AccessRule[],
  after: readonly AccessRule[],
  most: number,
): readonly string[] {
  const taken: string[] = [];
  for (const rule of before) {
    if (after.includes(rule)) continue;
    const [verbs = '', groups = '', resources = '', names] = rule.split(' ');
    for (const group of groups.split(','))
      for (const resource of resources.split(',')) {
        const isLost = (verb: string): boolean => {
          const [name] = names?.split(',') ?? [];
          const request = { verb, group, resource, namespace: '', ...(name !== undefined && { name }) };
          return !after.some((other) => allows(other, request));
        };
        const lost = verbs.split(',').filter(isLost);
        if (lost.length === 0) continue;
        taken.push(`${lost.join('/')} ${resource}${group === '' || group === '*' ? '' : `.${group}`}`);
        if (taken.length === most) return taken;
      }
  }
  return taken;
}
