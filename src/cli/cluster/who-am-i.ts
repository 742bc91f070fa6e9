import { type ApiClient, ApiError } from '../../kube/api-client.ts';

/** Who asks, as the API server knows them; `undefined` where it does not say. */
export async function whoAmI(client: ApiClient): Promise<string | undefined> {
  const reviewed = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  try {
    const { status } = await client.json<{ readonly status?: { readonly userInfo?: { readonly username?: string } } }>({
      ...{ method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: reviewed },
    });
    return status?.userInfo?.username;
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0) return undefined;
    throw error;
  }
}
