import type { Schema, Validation } from '../../model/schema.ts';
import type { Kind } from '../group.ts';

/** A column of `kubectl get`. `wide`: only with `-o wide`. */
export type Column = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly path: string;
  readonly description: string;
  readonly wide?: true;
};

/** Everything one kind is: its CRD, checks, types and page follow from it. */
export type ResourceDefinition<S = unknown, T = unknown> = {
  readonly kind: Kind;
  /** One sentence, the description of the kind. */
  readonly description: string;
  readonly spec: Schema<S>;
  /** Objects without a spec are fine (AlertConfig). */
  readonly specRequired: boolean;
  readonly status: Schema<T>;
  readonly columns: readonly Column[];
  /** Rules on the whole object (its name). */
  readonly validations: readonly Validation[];
  /** The manifest that the page and `config/samples` show, as YAML. */
  readonly sample: string;
};

/** The part of `metadata` that Tocsin reads of its own resources. */
export type ObjectMeta = {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly generation: number;
  /** RFC 3339. */
  readonly creationTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Who changed it when, by the API server's clock. */
  readonly managedFields?: readonly { readonly time?: string }[];
};

/** An object of one of the four kinds as the API server returns it. */
export type OwnObject<S, T> = {
  readonly apiVersion: string;
  readonly kind: Kind;
  readonly metadata: ObjectMeta;
  readonly spec: S;
  readonly status?: T;
};

/** The column of a condition's status. */
export function conditionColumn(type: string, description: string): Column {
  return { name: type, type: 'string', path: `.status.conditions[?(@.type=="${type}")].status`, description };
}

/** Why an object takes part or does not, with `-o wide`. */
export const reasonColumn: Column = {
  name: 'Reason',
  type: 'string',
  path: '.status.conditions[?(@.type=="Active")].reason',
  description: 'Why it is active or not.',
  wide: true,
};

/** Every list has it last. */
export const ageColumn: Column = {
  name: 'Age',
  type: 'date',
  path: '.metadata.creationTimestamp',
  description: 'Time since creation.',
};
