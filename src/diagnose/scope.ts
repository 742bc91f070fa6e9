import type { ApiClient } from '../kube/api-client.ts';
import { allowed } from '../kube/discovery.ts';
import type { Resource } from '../model/resource.ts';
import { watchedKinds } from '../world/kinds/kinds.ts';

/** What to look at: in the whole cluster, or what one may see of it from one namespace. */
export type Scope = {
  readonly resources: readonly Resource[];
  /** The only namespace that is looked at; absent: all. */
  readonly namespace?: string;
};

/**
 * As much as one may see: where Pods of the whole cluster may not be listed, those of one namespace. Events of the last hour are listed as
 * well, since nobody has watched them come. Nothing is required: what is not seen is said.
 */
export async function scopeOf(client: ApiClient, namespace: string): Promise<Scope> {
  const everything = watchedKinds.map((row): Resource => ({ ...row, required: false, startsNow: false }));
  const pods = watchedKinds.find(({ kind }) => kind === 'Pod');
  if (pods === undefined || (await allowed(client, pods))) return { resources: everything };
  const within = everything.map((row) => (row.namespaced ? { ...row, namespace } : row));
  return { resources: within, namespace };
}
