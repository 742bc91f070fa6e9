import { isIP } from 'node:net';
import type { ServiceAddresses } from '../model/service-addresses.ts';
import { type ApiClient, ApiError } from './api-client.ts';
import { pathOf } from './path.ts';

/** Milliseconds: somebody waits to send. */
const deadlineMs = 3_000;
const services = { group: '', plural: 'services', namespaced: true };

type Service = {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIPs?: readonly string[];
    readonly selector?: Readonly<Record<string, string>>;
  };
};

/** Reads one Service; `undefined` when there is none. Rejects with `ApiError` within 3 s. */
export async function readService(
  client: ApiClient,
  namespace: string,
  name: string,
): Promise<ServiceAddresses | undefined> {
  try {
    const path = pathOf(services, 'v1', { namespace, name });
    const { spec = {} } = await client.json<Service>({ path, deadlineMs, attempts: 1 });
    return {
      type: spec.type ?? 'ClusterIP',
      clusterIPs: (spec.clusterIPs ?? []).filter((address) => isIP(address) !== 0),
      selects: Object.keys(spec.selector ?? {}).length > 0,
    };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
