import type { StructuralSchema } from '../model/schema.ts';
import { category, group, kinds, storedVersion, version, versions } from './group.ts';
import type { Column, ResourceDefinition } from './schema/resource.ts';

/** The schema of a whole object of the kind, as its CRD holds it. */
export function objectSchema(definition: ResourceDefinition): StructuralSchema {
  const { description, spec, specRequired, status, validations } = definition;
  return {
    type: 'object',
    description,
    properties: {
      apiVersion: { type: 'string', description: 'Version of the API that the object is written for.' },
      kind: { type: 'string', description: 'Kind of the object.' },
      metadata: { type: 'object' },
      spec: spec.json,
      status: status.json,
    },
    ...(specRequired && { required: ['spec'] }),
    ...(validations.length > 0 && { 'x-kubernetes-validations': validations }),
  };
}

function printerColumn({ name, type, path, description, wide }: Column) {
  return { name, type, jsonPath: path, description, ...(wide && { priority: 1 }) };
}

/**
 * The same schema without descriptions. Those of the best version are shown; a second copy would bring the largest definition near the
 * 256 KiB that `kubectl apply` can remember of an object.
 */
function withoutWords({ description: _, ...schema }: StructuralSchema): StructuralSchema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, withoutWords(property)]),
      ),
    }),
    ...(items && { items: withoutWords(items) }),
    ...(additionalProperties && { additionalProperties: withoutWords(additionalProperties) }),
  };
}

/** The CustomResourceDefinition of a kind. */
export function crdOf(definition: ResourceDefinition) {
  const { kind, columns } = definition;
  const { plural, singular, shortName } = kinds[kind];
  const schema = objectSchema(definition);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels: { 'app.kubernetes.io/part-of': 'tocsin' } },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        shortNames: [shortName],
        categories: [category],
      },
      versions: versions.map((name) => ({
        name,
        served: true,
        storage: name === storedVersion,
        subresources: { status: {} },
        additionalPrinterColumns: columns.map(printerColumn),
        schema: { openAPIV3Schema: name === version ? schema : withoutWords(schema) },
      })),
    },
  };
}
