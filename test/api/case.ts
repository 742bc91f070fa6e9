/** What a row of the tables of manifests is made of. */
import { apiVersion, type Kind } from '../../src/api/group.ts';

/** A manifest as people apply it. */
export type Manifest = {
  readonly apiVersion: string;
  readonly kind: Kind;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec?: unknown;
};

/** One row. Without `refused` the manifest must be taken. */
export type Case = {
  readonly name: string;
  readonly manifest: Manifest;
  /** Applied before: the manifest is an update of it. */
  readonly previous?: Manifest;
  /** `path`: of the first problem. `message`: part of what a CEL rule says. */
  readonly refused?: { readonly by: 'schema' | 'cel'; readonly path: string; readonly message?: string };
};

/** Some fields of a spec. */
export type Spec = Readonly<Record<string, unknown>>;

/** A manifest of a kind in the namespace of Tocsin. */
export function manifest(kind: Kind, spec: unknown, name = 'case'): Manifest {
  return { apiVersion, kind, metadata: { name, namespace: 'tocsin' }, ...(spec !== undefined && { spec }) };
}

/** Refused by the schema, first at this path. */
export const schema = (path: string) => ({ by: 'schema', path }) as const;
/** Refused by a CEL rule at this path, whose message holds this. */
export const cel = (path: string, message: string) => ({ by: 'cel', path, message }) as const;

/** Messages that several tables expect. */
export const oneSource = 'set exactly one of `secretKeyRef` and `value`';
export const ownBlock = 'set the block named by `type`';
