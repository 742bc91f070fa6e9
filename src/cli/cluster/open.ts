import packageJson from '../../../package.json' with { type: 'json' };
import type { ApiClient } from '../../kube/api-client.ts';
import { createApiClient } from '../../kube/client.ts';
import { ClusterConfigError } from '../../kube/config.ts';
import { loadClusterConfig } from '../../kube/load-config.ts';
import { systemClock } from '../../kube/system-clock.ts';
import { UsageError } from '../command.ts';
import type { ClusterOptions } from './options.ts';

/** Opens the cluster that the user means, as `run` does. Rejects with `UsageError` where none is configured. */
export async function openCluster(options: ClusterOptions): Promise<ApiClient> {
  const { kubeconfig, context } = options;
  try {
    const config = await loadClusterConfig({
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
      env: process.env,
      clock: systemClock,
    });
    return createApiClient(config, { clock: systemClock, version: packageJson.version });
  } catch (error) {
    if (error instanceof ClusterConfigError) throw new UsageError(error.message);
    throw error;
  }
}

/** Runs a command on the cluster that the user means. */
export async function withCluster(
  options: ClusterOptions,
  run: (client: ApiClient) => Promise<number>,
): Promise<number> {
  const client = await openCluster(options);
  try {
    return await run(client);
  } finally {
    await client.close();
  }
}
