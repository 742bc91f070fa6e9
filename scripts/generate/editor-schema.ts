/** The schemas that editors read (the YAML language server, by `$schema`): descriptions, and values to begin with. */
import { parse } from 'yaml';
import { objectSchema } from '../../src/api/crd.ts';
import { group, type Kind, versions } from '../../src/api/group.ts';
import { type JsonSchema, manifestSchema } from '../../src/api/json-schema.ts';
import { resources } from '../../src/api/resources.ts';
import { providers } from '../../src/providers/registry.ts';
import { editorExamples } from './editor-examples.ts';
import { mark } from './mark.ts';
import { manifestOf } from './provider-page.ts';
import { modesOf } from './recorded.ts';

/** Values shown for one field at most. */
const mostExamples = 3;

/** The schema of a kind as text. Examples come from the samples; where these have none, from what the tests of a type are made with. */
export function editorSchema(kind: Kind): string {
  const { properties, ...rest } = manifestSchema(
    kind,
    versions.map((version) => `${group}/${version}`),
    objectSchema(resources[kind]),
  );
  const { spec, ...others } = properties as Readonly<Record<string, JsonSchema>>;
  const shown = { ...others, spec: withExamples(spec ?? {}, specsOf(samplesOf(kind)), specsOf(recordedOf(kind))) };
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', $comment: mark, title: kind };
  return `${JSON.stringify({ ...head, ...rest, properties: shown }, null, 1)}\n`;
}

function samplesOf(kind: Kind): readonly unknown[] {
  const own = [resources[kind].sample, ...editorExamples[kind]].map((text): unknown => parse(text));
  return kind === 'AlertProvider' ? [...own, ...providers.map(manifestOf)] : own;
}

function recordedOf(kind: Kind): readonly unknown[] {
  if (kind !== 'AlertProvider') return [];
  return providers.flatMap(({ type }) => modesOf(type).map(([, { block }]) => ({ spec: { [type]: block } })));
}

const specsOf = (manifests: readonly unknown[]): readonly unknown[] => at(manifests, 'spec');

/** What stands under a name in these values. */
const at = (values: readonly unknown[], name: string): readonly unknown[] =>
  values.flatMap((one) => (isSchema(one) && one[name] !== undefined ? [one[name]] : []));

/** The schema with what stands in these values at each field that holds no others, or else one of the others. */
function withExamples(schema: JsonSchema, values: readonly unknown[], others: readonly unknown[]): JsonSchema {
  const { properties, items } = schema;
  if (isSchema(properties)) {
    const each = Object.entries(properties).map(([name, value]) => [
      name,
      isSchema(value) ? withExamples(value, at(values, name), at(others, name)) : value,
    ]);
    return { ...schema, properties: Object.fromEntries(each) };
  }
  if (isSchema(items) && isSchema(items.properties))
    return { ...schema, items: withExamples(items, values.flat(), others.flat()) };
  if (isSchema(items) ? items.enum : (schema.enum ?? schema.type === 'boolean')) return schema;
  const different = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  const shown = different.length > 0 ? different.slice(0, mostExamples) : others.slice(0, 1);
  return shown.length > 0 ? { ...schema, examples: shown } : schema;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
