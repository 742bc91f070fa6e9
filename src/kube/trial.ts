import type { RawObject } from '../model/raw-object.ts';
import { type ApiClient, ApiError } from './api-client.ts';

/** The object whose age is that of the trial. No restart, upgrade or new installation of the Pod makes it younger. */
const name = 'tocsin-trial';

/**
 * When the trial of Pro in this cluster began: when this was asked for the first time. The API server notes that as the creation of a
 * Lease, in whose metadata nobody can write it. Resolves with epoch milliseconds; rejects with `ApiError`.
 */
export async function trialSince(client: ApiClient, namespace: string): Promise<number> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace }, spec: {} };
  try {
    return createdAt(await client.json<RawObject>({ path: `${path}/${name}` }));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
  return createdAt(await client.json<RawObject>({ method: 'POST', path, body }));
}

const createdAt = ({ metadata }: RawObject): number => Date.parse(String(metadata.creationTimestamp));
