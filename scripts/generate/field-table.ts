/** Fields, rules, conditions and columns of a schema as Markdown. */
import type { StructuralSchema } from '../../src/model/schema.ts';
import { oneSource } from '../../src/schema/secret.ts';

/**
 * Every field below a schema, one row each, in the order of the definition. What a secret, a condition and a selector consist of stands once,
 * on the page that asks for it `withSelectors`.
 */
export function fieldTable(schema: StructuralSchema, { withSelectors = false } = {}): string {
  const all = rows(schema, '', withSelectors);
  const preset = all.some((row) => row.preset !== '');
  const head = ['field', 'type', ...(preset ? ['default'] : []), 'meaning'];
  const lines = all.map((row) => [row.field, row.type, ...(preset ? [row.preset] : []), row.meaning]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** An enumeration of more words than this is counted: the page says where they are. */
const maxWordsNamed = 20;

/** What all pages would explain field by field, and one of them does: credentials, selectors, conditions. */
const isSecret = ({ properties }: StructuralSchema): boolean => properties?.secretKeyRef !== undefined;
const isSelector = ({ properties }: StructuralSchema): boolean =>
  properties?.reasons !== undefined && properties.severities !== undefined;
const isCondition = ({ properties }: StructuralSchema): boolean => properties?.lastTransitionTime !== undefined;

/** A row of a table. */
type Row = { readonly field: string; readonly type: string; readonly preset: string; readonly meaning: string };
const below = ({ properties, items }: StructuralSchema): readonly StructuralSchema[] => [
  ...Object.values(properties ?? {}),
  ...(items ? [items] : []),
];

function rows(schema: StructuralSchema, prefix: string, withSelectors: boolean): readonly Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const must = schema.required?.includes(name) ? ' **Required.**' : '';
    const preset = field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``;
    const row = {
      field: `\`${path}\``,
      type: typeName(field),
      preset,
      meaning: `${cell(field.description ?? '')}${must}`,
    };
    const inner = field.items ?? field;
    if (isSecret(inner) || isCondition(inner) || (isSelector(inner) && !withSelectors)) return [row];
    return [row, ...rows(inner, field.items ? `${path}[].` : `${path}.`, withSelectors)];
  });
}

/** A type in words, with what limits it. */
function typeName(schema: StructuralSchema): string {
  const { type, format, items, additionalProperties, minimum, maximum } = schema;
  if (isSecret(schema)) return 'secret';
  if (isSelector(schema)) return 'selector';
  if (schema.enum && schema.enum.length > maxWordsNamed) return `one of ${schema.enum.length} words`;
  if (schema.enum) return schema.enum.map((word) => `\`${word}\``).join(', ');
  if (schema['x-kubernetes-int-or-string']) return `text or number${bounds(minimum, maximum)}`;
  if (schema['x-kubernetes-preserve-unknown-fields']) return type ?? 'any';
  if (type === 'array') return `list of ${items === undefined ? 'any' : namesOf(items)}`;
  if (additionalProperties) return `table of ${typeName(additionalProperties)}`;
  if (type === 'integer') return `whole number${bounds(minimum, maximum)}`;
  if (type === 'string') return format === 'date-time' ? 'time' : 'text';
  return type === 'boolean' ? 'true or false' : 'object';
}

/** What a list is of. */
function namesOf(items: StructuralSchema): string {
  if (isSecret(items)) return 'secrets';
  if (isCondition(items)) return 'conditions';
  return items.type === 'object' ? 'objects' : typeName(items);
}

function bounds(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined || maximum === undefined) return '';
  return maximum >= 2_147_483_647 ? '' : `, ${minimum} to ${maximum}`;
}

/** The CEL rules of a schema in words. */
export function ruleList(schema: StructuralSchema, more: readonly string[] = []): string {
  const messages = [...new Set([...more, ...messagesOf(schema)])];
  return messages.length === 0 ? '' : `The API server also checks:\n\n${messages.map((m) => `- ${m}`).join('\n')}\n`;
}

/** But for that of secrets, which stands below the fields. */
function messagesOf(schema: StructuralSchema): readonly string[] {
  const own = (schema['x-kubernetes-validations'] ?? []).map(({ message }) => message);
  return [...own.filter((message) => message !== oneSource.message), ...below(schema).flatMap(messagesOf)];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
