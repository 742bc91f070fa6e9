import type { ApiClient } from '../kube/api-client.ts';

/** The UID of `kube-system`: what tells two clusters apart. Rejects when the API server cannot be asked or `signal` fires. */
export async function clusterIdOf(client: ApiClient, signal: AbortSignal): Promise<string> {
  const namespace = await client.json<{ readonly metadata?: { readonly uid?: string } }>({
    path: '/api/v1/namespaces/kube-system',
    signal,
  });
  const uid = namespace.metadata?.uid;
  if (uid === undefined) throw new Error('the namespace kube-system has no UID');
  return uid;
}
