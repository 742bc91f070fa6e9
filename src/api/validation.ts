import type { StructuralSchema } from '../model/schema.ts';
import { checkValue, type Problem } from '../schema/check.ts';
import { objectSchema } from './crd.ts';
import { group, type Kind, versions } from './group.ts';
import { resources } from './resources.ts';
import { brokenRules } from './validation/cel.ts';
import { prepared } from './validation/prepare.ts';

/** Something the API server would refuse. `cel`: by a rule, in the API server's very words. */
export type ManifestProblem = Problem & { readonly rule: 'schema' | 'cel' };

/**
 * What the API server would say to a manifest of this kind under strict field validation: schema problems first, and only
 * without any the CEL rules. `previous`: the object that it would update.
 */
export function validate(kind: Kind, object: unknown, previous?: unknown): readonly ManifestProblem[] {
  const schema = manifestSchema(kind);
  const value = prepared(schema, object);
  const refused = checkValue(schema, value, '');
  if (refused.length > 0) return refused.map((problem) => ({ ...problem, rule: 'schema' }));
  const before = previous === undefined ? undefined : prepared(schema, previous);
  return brokenRules(schema, value, before).map((problem) => ({ ...problem, rule: 'cel' }));
}

/** The object as the API server would see it: defaults applied, nulls dropped. */
export function seenByServer(kind: Kind, object: unknown): unknown {
  return prepared(objectSchema(resources[kind]), object);
}

const table = (description: string): StructuralSchema => ({
  type: 'object',
  description,
  additionalProperties: { type: 'string', description: 'A text.' },
});

/** What people write of `ObjectMeta` of Kubernetes (k8s.io/apimachinery, meta/v1); the rest only the server writes, and is left to it. */
const metadataSchema: StructuralSchema = {
  type: 'object',
  description: 'Name and namespace of the object.',
  properties: {
    name: { type: 'string', description: 'Name of the object.' },
    generateName: { type: 'string', description: 'The beginning of a name that the server completes.' },
    namespace: { type: 'string', description: 'Namespace of the object.' },
    labels: table('Labels of the object.'),
    annotations: table('Annotations of the object.'),
    finalizers: { type: 'array', items: { type: 'string' }, description: 'Who must agree to its end.' },
    ...Object.fromEntries(
      [
        ...['creationTimestamp', 'deletionGracePeriodSeconds', 'deletionTimestamp', 'generation', 'managedFields'],
        ...['ownerReferences', 'resourceVersion', 'selfLink', 'uid'],
      ].map((name) => [name, { 'x-kubernetes-preserve-unknown-fields': true }]),
    ),
  },
};

/** Of a whole manifest: that of the CRD, with what the API server knows of every object. */
function manifestSchema(kind: Kind): StructuralSchema {
  const schema = objectSchema(resources[kind]);
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: { type: 'string', enum: versions.map((version) => `${group}/${version}`) },
      kind: { type: 'string', enum: [kind] },
      metadata: metadataSchema,
    },
    required: ['apiVersion', 'kind', 'metadata', ...(schema.required ?? [])],
  };
}
