/** The reference pages: Markdown from the same definitions as the CRDs. */
import { conditionReasons } from '../../src/api/conditions.ts';
import { group, type Kind, kindNames, kinds, version } from '../../src/api/group.ts';
import { resources } from '../../src/api/resources.ts';
import type { ResourceDefinition } from '../../src/api/schema/resource.ts';
import type { StructuralSchema } from '../../src/model/schema.ts';
import type { AnyProvider } from '../../src/providers/kit/define.ts';
import { providers } from '../../src/providers/registry.ts';
import { oneSource } from '../../src/schema/secret.ts';
import { mark } from './mark.ts';
import { providerPage } from './provider-page.ts';

/** One page of documentation by its path below `docs/reference`. */
export type Page = { readonly path: string; readonly text: string };

/** All pages: one per kind, one per provider type, and the way to them. */
export function referencePages(): readonly Page[] {
  return [
    { path: 'README.md', text: indexPage() },
    ...kindNames.map((kind) => ({ path: `${kinds[kind].singular}.md`, text: kindPage(kind, resources[kind]) })),
    ...providers.map((provider) => ({ path: `providers/${provider.type}.md`, text: providerPage(provider) })),
  ];
}

/** The first line of a page. */
export const generated = `<!-- ${mark} -->\n`;
const kindRow = (kind: Kind): string =>
  `| [${kind}](${kinds[kind].singular}.md) | \`${kinds[kind].shortName}\` | ${resources[kind].description} |`;
const providerRow = ({ type, product, description }: AnyProvider): string =>
  `| [${type}](providers/${type}.md) | ${product} | ${description} |`;

function indexPage(): string {
  return `${generated}
# Reference

All resources belong to the API group \`${group}\`, version \`${version}\`, and to the category \`tocsin\`:
\`kubectl get tocsin\` lists them. \`kubectl explain ${kinds.AlertProvider.plural}.spec\` shows the same texts as these pages.

| kind | short name | what it is |
| --- | --- | --- |
${kindNames.map(kindRow).join('\n')}

## Provider types

| type | product | what it does |
| --- | --- | --- |
${providers.map(providerRow).join('\n')}

[Metrics](metrics.md) of Tocsin, alerts on them, and a dashboard.

For editors: the JSON Schemas of the kinds are in [schemas](schemas). With the YAML language server, begin a manifest with
\`# yaml-language-server: $schema=<path or address of the schema>\`.
`;
}

function kindPage(kind: Kind, definition: ResourceDefinition): string {
  const { description, sample, spec, status, columns } = definition;
  return `${generated}
# ${kind}

${description}

Short name \`${kinds[kind].shortName}\`.

\`\`\`yaml
${sample.trimEnd()}
\`\`\`

## Spec

${fieldTable(kind === 'AlertProvider' ? withoutBlocks(spec.json) : spec.json)}
${kind === 'AlertProvider' ? `\nThe block named by \`type\` is described on the page of the type: ${providers.map(({ type }) => `[${type}](providers/${type}.md)`).join(', ')}.\n` : ''}
${ruleList(
  { ...(kind === 'AlertProvider' ? withoutBlocks(spec.json) : spec.json) },
  definition.validations.map(({ message }) => message),
)}
## Status

${fieldTable(status.json)}

### Conditions

| condition | reasons |
| --- | --- |
${Object.entries(conditionReasons[kind])
  .map(([type, reasons]) => `| \`${type}\` | ${reasons.map((reason: string) => `\`${reason}\``).join(', ')} |`)
  .join('\n')}

## Columns of \`kubectl get\`

| column | meaning |
| --- | --- |
${columns.map(({ name, description: meaning, wide }) => `| ${name} | ${meaning}${wide ? ' (with `-o wide`)' : ''} |`).join('\n')}
`;
}

function withoutBlocks(spec: StructuralSchema): StructuralSchema {
  const types = new Set(providers.map(({ type }) => type));
  const kept = Object.entries(spec.properties ?? {}).filter(([name]) => !types.has(name));
  return { ...spec, properties: Object.fromEntries(kept) };
}

/** Every field below a schema, one row each, in the order of the definition; what a secret is, where there is one. */
export function fieldTable(schema: StructuralSchema): string {
  const table = `| field | type | default | meaning |\n| --- | --- | --- | --- |\n${rows(schema, '').join('\n')}`;
  return hasSecrets(schema) ? `${table}\n\n${whatSecretsAre}` : table;
}

const whatSecretsAre =
  'A secret is either `secretKeyRef: { name, key }`, a key of a Secret in the same namespace, or `value`, the text itself, which anyone who can read the object can see.';

/** Where a credential goes: the one thing that all pages would explain field by field. */
const source = new Set(['secretKeyRef', 'value']);
const isSecret = ({ properties }: StructuralSchema): boolean => properties?.secretKeyRef !== undefined;
const hasSecrets = (schema: StructuralSchema): boolean =>
  isSecret(schema) || below(schema).some((inner) => hasSecrets(inner));
const below = ({ properties, items }: StructuralSchema): readonly StructuralSchema[] => [
  ...Object.values(properties ?? {}),
  ...(items ? [items] : []),
];

function rows(schema: StructuralSchema, prefix: string): readonly string[] {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !isSecret(schema) || !source.has(name));
  return fields.flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const must = schema.required?.includes(name) ? ' **Required.**' : '';
    const preset = field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``;
    const row = `| \`${path}\` | ${typeName(field)} | ${preset} | ${cell(field.description ?? '')}${must} |`;
    const inner = field.items ? rows(field.items, `${path}[].`) : rows(field, `${path}.`);
    return [row, ...inner];
  });
}

/** A type in words, with what limits it. */
function typeName(schema: StructuralSchema): string {
  const { type, format, items, additionalProperties, minimum, maximum } = schema;
  if (isSecret(schema)) return 'secret';
  if (schema.enum) return schema.enum.map((word) => `\`${word}\``).join(', ');
  if (schema['x-kubernetes-int-or-string']) return `text or number${bounds(minimum, maximum)}`;
  if (schema['x-kubernetes-preserve-unknown-fields']) return type ?? 'any';
  if (type === 'array')
    return `list of ${items?.type === 'object' ? (isSecret(items) ? 'secrets' : 'objects') : typeName(items ?? {})}`;
  if (additionalProperties) return `table of ${typeName(additionalProperties)}`;
  if (type === 'integer') return `whole number${bounds(minimum, maximum)}`;
  if (type === 'string') return format === 'date-time' ? 'time' : 'text';
  return type === 'boolean' ? 'true or false' : 'object';
}

function bounds(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined || maximum === undefined) return '';
  return maximum >= 2_147_483_647 ? '' : `, ${minimum} to ${maximum}`;
}

/** The CEL rules of a schema in words. */
export function ruleList(schema: StructuralSchema, more: readonly string[] = []): string {
  const messages = [...new Set([...more, ...messagesOf(schema)])];
  return messages.length === 0 ? '' : `The API server checks besides:\n\n${messages.map((m) => `- ${m}`).join('\n')}\n`;
}

/** But for that of secrets, which stands below the fields. */
function messagesOf(schema: StructuralSchema): readonly string[] {
  const own = (schema['x-kubernetes-validations'] ?? []).map(({ message }) => message);
  return [...own.filter((message) => message !== oneSource.message), ...below(schema).flatMap(messagesOf)];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
