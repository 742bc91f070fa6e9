import type { Schema, StructuralSchema } from '../model/schema.ts';
import type { Kind } from './group.ts';

/** A setting that this version takes and does nothing with. */
type NoEffect = {
  /** Below `spec`. */
  readonly path: string;
  /** What happens, or what to do, instead: the end of a sentence. */
  readonly instead?: string;
};

/**
 * Kind → the settings without effect in this version, one row each. What is built loses its row; CRDs, reference pages, lint and
 * conditions follow.
 */
export const noEffect: Readonly<Record<Kind, readonly NoEffect[]>> = {
  AlertProvider: [],
  Silence: [],
  MaintenanceWindow: [],
  AlertConfig: [{ path: 'evidence.events' }],
};

/** The sentence at the end of the description of whatever has no effect. */
export const saysNoEffect = 'Has no effect in this version.';

/** The same schema; the descriptions of the settings of the kind that have no effect say so. */
export function markNoEffect<T>(kind: Kind, schema: Schema<T>): Schema<T> {
  const paths = noEffect[kind].map(({ path }) => path.split('.'));
  return { ...schema, json: paths.reduce(marked, schema.json) };
}

function marked(schema: StructuralSchema, [name, ...rest]: readonly string[]): StructuralSchema {
  if (name === undefined) return { ...schema, description: `${schema.description} ${saysNoEffect}` };
  const property = schema.properties?.[name];
  if (!property) throw new Error(`the schema has no field ${name}: correct the row in no-effect.ts`);
  return { ...schema, properties: { ...schema.properties, [name]: marked(property, rest) } };
}

/** A setting without effect that somebody made, and what to say to them. */
export type Ineffective = { readonly path: string; readonly message: string };

/** What somebody has set in the spec of an object in vain. `schema`: of the spec. */
export function ineffectiveSettings(kind: Kind, schema: StructuralSchema, spec: unknown): readonly Ineffective[] {
  return noEffect[kind]
    .filter(({ path }) => isChosen(...valueAt(schema, spec, path)))
    .map(({ path, instead }) => {
      const so = instead === undefined ? '' : `: ${instead}`;
      return { path: `spec.${path}`, message: `\`spec.${path}\` has no effect in this version${so}` };
    });
}

function valueAt(schema: StructuralSchema, spec: unknown, path: string): [StructuralSchema, unknown] {
  return path
    .split('.')
    .reduce<[StructuralSchema, unknown]>(
      ([below, value], name) => [below.properties?.[name] ?? {}, Object(value)[name]],
      [schema, spec],
    );
}

/** The API server fills defaults in: only another value is somebody's choice. */
function isChosen(schema: StructuralSchema, value: unknown): boolean {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return false;
  return value !== schema.default;
}
