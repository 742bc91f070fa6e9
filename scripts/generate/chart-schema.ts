import { Document, YAMLMap } from 'yaml';
import { objectSchema } from '../../src/api/crd.ts';
import type { Kind } from '../../src/api/group.ts';
import { type JsonSchema, jsonSchemaOf } from '../../src/api/json-schema.ts';
import { resources } from '../../src/api/resources.ts';
import type { ChartValue } from './chart-values.ts';

/** Labels that the chart sets itself. */
const own = [
  'app.kubernetes.io/name',
  'app.kubernetes.io/part-of',
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/version',
  'helm.sh/chart',
];

/** Labels beside those of the chart. */
export const labelsSchema = {
  type: 'object',
  propertyNames: { not: { enum: own } },
  additionalProperties: { type: 'string' },
};

/** The spec of a kind, as the API server takes it; what CEL says besides, the API server checks. */
export function specSchema(kind: Kind): JsonSchema {
  const { properties } = objectSchema(resources[kind]);
  return properties?.spec ? bare(jsonSchemaOf(properties.spec)) : { type: 'object' };
}

/** Without descriptions, which the reference has: a release of Helm must fit into a Secret. */
function bare(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (key === 'description' || key === 'default') return [];
      if (key === 'properties') return [[key, mapped(value, bare)]];
      if (key === 'items' || key === 'additionalProperties') return [[key, isSchema(value) ? bare(value) : value]];
      return [[key, value]];
    }),
  );
}

/** The schema without values of credentials: values of a chart are kept in Git and in the cluster, where many may read them. */
export function byReference(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties } = schema;
  const named = isSchema(properties) ? properties : {};
  const { value: _, ...others } = named;
  const isCredential = Object.keys(named).sort().join() === 'secretKeyRef,value';
  const kept = isCredential ? others : named;
  return {
    ...schema,
    ...(isSchema(properties) && { properties: mapped(kept, byReference) }),
    ...(isSchema(items) && { items: byReference(items) }),
    ...(isSchema(additionalProperties) && { additionalProperties: byReference(additionalProperties) }),
  };
}

function mapped(schemas: unknown, change: (schema: JsonSchema) => JsonSchema): object {
  return Object.fromEntries(
    Object.entries(Object(schemas)).map(([name, each]) => [name, isSchema(each) ? change(each) : each]),
  );
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `values.yaml`, each with what it is. */
export function valuesText(values: readonly ChartValue[]): string {
  const document = new Document({});
  for (const { name, preset, says } of values) {
    const path = name.split('.');
    document.setIn(path, document.createNode(preset));
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1));
    if (!(parent instanceof YAMLMap)) continue;
    const pair = parent.items.at(-1);
    const key = document.createNode(path.at(-1));
    key.commentBefore = ` ${says}`;
    if (pair) pair.key = key;
  }
  return document.toString({ lineWidth: 0 });
}

type Schema = {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
};

/** The JSON schema of the values: what is misspelt is refused. */
export function schemaOf(values: readonly ChartValue[]): object {
  const root: Schema = { type: 'object', additionalProperties: false, properties: {} };
  // Helm adds `global` to the values of every chart.
  root.properties = { global: { type: 'object' } };
  for (const { name, preset, says, schema } of values) {
    const path = name.split('.');
    const last = path.pop() ?? '';
    let at = root;
    for (const part of path) {
      at.properties ??= {};
      at = at.properties[part] ??= { type: 'object', additionalProperties: false, properties: {} };
    }
    at.properties ??= {};
    at.properties[last] = { description: says, ...(schema ?? { type: typeof preset }) };
  }
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Values of the chart tocsin', ...root };
}
