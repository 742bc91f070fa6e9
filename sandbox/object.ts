/** A JSON object whose fields nobody has looked at yet. */
export type Fields = { [field: string]: unknown };

/** metadata.ownerReferences[]. */
export type OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

/** metadata.managedFields[]: which manager wrote which fields, when (RFC 3339, whole seconds). */
export type ManagedFields = {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  time?: string;
  fieldsType: 'FieldsV1';
  fieldsV1: Fields;
  subresource?: string;
};

/** The metadata every object has. Times are RFC 3339 with whole seconds, as the API writes them. */
export type ObjectMeta = {
  name: string;
  namespace?: string;
  generateName?: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFields[];
};

/** Any Kubernetes object as it is stored and served. */
export type KubeObject = { apiVersion: string; kind: string; metadata: ObjectMeta; [field: string]: unknown };

/** Whether a value is a JSON object: not an array, not null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value under a path of field names, or `undefined` where the path ends early. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const field of path) {
    if (!isFields(here)) return undefined;
    here = here[field];
  }
  return here;
}

/** RFC 3339 with whole seconds, the precision of metav1.Time. */
export function timestamp(epochMs: number): string {
  return new Date(Math.floor(epochMs / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}

/** RFC 3339 with microseconds, the precision of metav1.MicroTime (Leases). */
export function microTimestamp(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('Z', '000Z');
}
