import type { ApiClient } from './api-client.ts';

/** What is asked about: a verb on a resource. */
type ResourceAttributes = {
  readonly verb: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
};

type Review = { readonly status?: { readonly allowed?: boolean } };

/** Whether this client may do something (SelfSubjectAccessReview). Rejects with `ApiError`. */
export async function mayI(
  client: ApiClient,
  resourceAttributes: ResourceAttributes,
  signal?: AbortSignal,
): Promise<boolean> {
  const review = await client.json<Review>({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    },
    ...(signal && { signal }),
  });
  return review.status?.allowed === true;
}
