import type { Kind } from './group.ts';

/** How many objects of one kind in one namespace take part. */
export type NamespaceLimit = {
  /** In Tocsin's own namespace, where administrators write. */
  readonly own: number;
  /** In any other: one team must not use up what all share. `config/tenants` has a ResourceQuota with the same numbers. */
  readonly tenant: number;
};

/** Kind → its limits. The oldest objects take part; what is beyond says so in its status and changes nothing. */
export const namespaceLimits: Readonly<Record<Kind, NamespaceLimit>> = {
  AlertProvider: { own: 500, tenant: 50 },
  Silence: { own: 2_000, tenant: 200 },
  MaintenanceWindow: { own: 2_000, tenant: 200 },
  // Only one counts anyway, and it must be named `default`.
  AlertConfig: { own: 10, tenant: 10 },
};

/**
 * Bytes of `spec` that are held of all objects in one namespace other than Tocsin's: fifty AlertProviders and two hundred Silences are some
 * 200 KB. What is beyond takes part in nothing.
 */
export const tenantSpecBytes = 4 * 1024 * 1024;

/** What an object says whose spec found no room. */
export const overSpecBytes = `The objects of Tocsin in this namespace are larger than ${tenantSpecBytes / 1024 / 1024} MiB together, and this one found no room: make them smaller or delete some, then apply this one again.`;

/** The limit of a kind in a namespace. */
export function limitOf(kind: Kind, namespace: string, operatorNamespace: string): number {
  return namespaceLimits[kind][namespace === operatorNamespace ? 'own' : 'tenant'];
}

/** What an object beyond the limit says. */
export function overLimit(kind: Kind, namespace: string, limit: number): string {
  return `The namespace ${namespace} has more than ${limit} objects of kind ${kind}. Only the ${limit} oldest take part, and this is not one of them: delete some that are no longer needed.`;
}
