import type { ApiClient } from './api-client.ts';

/** More networks than a cluster has; one page. */
const limit = 100;

type ServiceCIDRList = { readonly items?: readonly { readonly spec?: { readonly cidrs?: readonly string[] } }[] };

/**
 * The networks from which the cluster gives Services their addresses (`ServiceCIDR`, in every cluster since Kubernetes 1.33). Rejects
 * with `ApiError`; an older server answers 404.
 */
export async function listServiceNetworks(client: ApiClient, signal: AbortSignal): Promise<readonly string[]> {
  const { items = [] } = await client.json<ServiceCIDRList>({
    path: '/apis/networking.k8s.io/v1/servicecidrs',
    query: { limit },
    attempts: 1,
    signal,
  });
  return items.flatMap(({ spec }) => spec?.cidrs ?? []);
}
