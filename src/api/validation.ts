import { objectSchema } from './crd.ts';
import { apiVersion, type Kind } from './group.ts';
import { manifestSchema } from './json-schema.ts';
import { resources } from './resources.ts';
import type { StructuralSchema } from './schema/schema.ts';
import { brokenRules } from './validation/cel.ts';
import { prepared } from './validation/prepare.ts';
import { compile, duplicates, type Refused } from './validation/schema.ts';

/** Something the API server would refuse. `cel`: by a rule, in the API server's very words. */
export type ManifestProblem = Refused & { readonly rule: 'schema' | 'cel' };

/**
 * What the API server would say to a manifest of this kind under strict field validation: schema problems first, and only
 * without any the CEL rules. `previous`: the object that it would update. For lint, the sandbox and tests; the operator uses
 * `checkProvider` instead, since compiling the schema of all providers costs tens of MiB.
 */
export function validate(kind: Kind, object: unknown, previous?: unknown): readonly ManifestProblem[] {
  const schema = objectSchema(resources[kind]);
  const value = prepared(schema, object);
  const refused = [...checkerFor(kind, schema, value)(value), ...duplicates(schema, value)];
  if (refused.length > 0) return refused.map((problem) => ({ ...problem, rule: 'schema' }));
  const before = previous === undefined ? undefined : prepared(schema, previous);
  return brokenRules(schema, value, before).map((problem) => ({ ...problem, rule: 'cel' }));
}

/** The object as the API server would see it: defaults applied, nulls dropped. */
export function seenByServer(kind: Kind, object: unknown): unknown {
  return prepared(objectSchema(resources[kind]), object);
}

const checkers = new Map<string, ReturnType<typeof compile>>();

/** A checker with only those properties of `spec` spelled out that the value has: of 55 provider blocks, one. */
function checkerFor(kind: Kind, schema: StructuralSchema, value: unknown): ReturnType<typeof compile> {
  const spec = schema.properties?.spec ?? {};
  const given: unknown = Object(value).spec;
  const used = new Set(Object.keys(typeof given === 'object' && given !== null ? given : {}));
  const properties = Object.entries(spec.properties ?? {}).map(
    ([name, property]) => [name, used.has(name) ? property : {}] as const,
  );
  const key = [kind, ...properties.map(([name]) => name).filter((name) => used.has(name))].join(' ');
  const known = checkers.get(key);
  if (known) return known;
  const narrowed = {
    ...schema,
    properties: { ...schema.properties, spec: { ...spec, properties: Object.fromEntries(properties) } },
  };
  const checker = compile(manifestSchema(kind, apiVersion, narrowed));
  checkers.set(key, checker);
  return checker;
}
