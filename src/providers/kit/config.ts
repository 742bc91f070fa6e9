import { openSecret, Secret } from '../../model/secret.ts';
import type { SecretLocation } from '../../model/settings.ts';
import { type AnyConfig, objectOf } from './block.ts';
import type { ProviderDefinition } from './define.ts';
import type { BlockFields, FieldDeclaration, HeadersField, SecretField } from './fields.ts';

/** A block as a resource holds it, told apart into what may be kept and where the secrets are. */
export type SplitConfig = {
  /** Plain fields with their defaults; secret fields and headers absent. */
  readonly config: AnyConfig;
  /** Field path (`url`, `basicAuth.password`, `headers.X-Key`) → where its value is. */
  readonly secrets: Readonly<Record<string, SecretLocation>>;
};

/** Tells a block apart: defaults applied, `numeric` texts as strings, comma-separated lists as lists. Never throws. */
export function splitConfig(definition: { readonly fields: BlockFields }, block: unknown): SplitConfig {
  const secrets: Record<string, SecretLocation> = {};
  return { config: splitFields(definition.fields, objectOf(block) ?? {}, '', secrets), secrets };
}

function splitFields(
  fields: BlockFields,
  block: AnyConfig,
  prefix: string,
  secrets: Record<string, SecretLocation>,
): AnyConfig {
  const config: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const path = `${prefix}${name}`;
    const value = block[name] ?? undefined;
    if (field.is === 'secret') {
      const location = locationOf(value);
      if (location) secrets[path] = location;
    } else if (field.is === 'headers') {
      for (const header of headerEntries(value)) {
        const location = locationOf(header);
        if (location) secrets[`${path}.${header.name}`] = location;
      }
    } else if (field.is === 'group') {
      const inner = objectOf(value);
      if (inner) config[name] = splitFields(field.fields, inner, `${path}.`, secrets);
    } else {
      const plain = plainValue(field, value);
      if (plain !== undefined) config[name] = plain;
    }
  }
  return config;
}

/** Where `{ secretKeyRef }` or `{ value }` points; `undefined` when it is neither. */
export function locationOf(value: unknown): SecretLocation | undefined {
  const given = objectOf(value);
  const reference = objectOf(given?.secretKeyRef);
  const { name, key } = reference ?? {};
  if (typeof name === 'string' && typeof key === 'string') return { secret: name, key };
  return typeof given?.value === 'string' ? { inline: true } : undefined;
}

/** The usable entries of a list of headers. */
function headerEntries(value: unknown): readonly (AnyConfig & { readonly name: string })[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => {
    const header = objectOf(entry);
    return typeof header?.name === 'string' ? [{ ...header, name: header.name }] : [];
  });
}

function plainValue(field: Exclude<FieldDeclaration, SecretField | HeadersField>, value: unknown): unknown {
  if (value === undefined) return field.json.default;
  if (field.is === 'string' && typeof value === 'number') return String(value);
  if (field.is === 'list') return listOf(value);
  return value;
}

/** A list, or a text with commas, as trimmed texts without empty ones. */
export function listOf(value: unknown): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return parts.map((part) => String(part).trim()).filter((part) => part !== '');
}

/** The values written in the block itself, by field path; for whoever opens `{ inline: true }`. */
export function inlineSecrets(
  definition: { readonly fields: BlockFields },
  block: unknown,
): ReadonlyMap<string, Secret> {
  const found = new Map<string, Secret>();
  const visit = (fields: BlockFields, values: AnyConfig, prefix: string): void => {
    for (const [name, field] of Object.entries(fields)) {
      const path = `${prefix}${name}`;
      if (field.is === 'group') visit(field.fields, objectOf(values[name]) ?? {}, `${path}.`);
      if (field.is === 'secret') keep(path, values[name]);
      if (field.is === 'headers')
        for (const header of headerEntries(values[name])) keep(`${path}.${header.name}`, header);
    }
  };
  const keep = (path: string, value: unknown): void => {
    const text = objectOf(value)?.value;
    if (typeof text === 'string' && 'inline' in (locationOf(value) ?? {})) found.set(path, new Secret(text));
  };
  visit(definition.fields, objectOf(block) ?? {}, '');
  return found;
}

/**
 * Puts opened secrets back in their places, for one attempt. One trailing line break is dropped from each: files made
 * into Secrets end in one, and no credential does.
 */
export function joinConfig<C>(
  definition: ProviderDefinition<C>,
  config: AnyConfig,
  values: ReadonlyMap<string, Secret>,
): C {
  // The fields are what C was inferred from, so the joined value has that shape.
  return joinFields(definition.fields, config, values, '') as C;
}

function joinFields(
  fields: BlockFields,
  config: AnyConfig,
  values: ReadonlyMap<string, Secret>,
  prefix: string,
): AnyConfig {
  const joined: Record<string, unknown> = { ...config };
  for (const [name, field] of Object.entries(fields)) {
    const path = `${prefix}${name}`;
    if (field.is === 'secret') {
      const value = values.get(path);
      if (value) joined[name] = withoutLineBreak(value);
    } else if (field.is === 'headers') {
      const own = [...values].filter(([key]) => key.startsWith(`${path}.`));
      joined[name] = Object.fromEntries(
        own.map(([key, value]) => [key.slice(path.length + 1), withoutLineBreak(value)] as const),
      );
    } else if (field.is === 'group') {
      const inner = objectOf(config[name]);
      if (inner) joined[name] = joinFields(field.fields, inner, values, `${path}.`);
    }
  }
  return joined;
}

function withoutLineBreak(secret: Secret): Secret {
  const text = openSecret(secret);
  return text.endsWith('\n') ? new Secret(text.replace(/\r?\n$/, '')) : secret;
}
