import { type ApiClient, ApiError } from '../../kube/api-client.ts';
import type { LeaseHolder } from '../../kube/lease-options.ts';
import { findLiveLease } from '../../kube/leases-elsewhere.ts';
import { sleep } from '../../kube/sleep.ts';
import type { Clock } from '../../model/clock.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** The state lock: a Lease of this name in the operator's namespace. */
export const leaseName = 'tocsin';
/** Between two tries to look for another Tocsin (ms). */
const retryMs = 2_000;

/** What looking for another Tocsin needs. `namespace`: our own. */
export type SearchOptions = {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly namespace: string;
};

/**
 * Looks for a Tocsin that runs in another namespace, for as long as that cannot be found out. Resolves with what to tell who
 * started this one, or `undefined`: there is none, it may not be looked for, or `signal` fired.
 */
export async function findOther(options: SearchOptions, signal: AbortSignal): Promise<Error | undefined> {
  const { client, clock, log, namespace } = options;
  while (!signal.aborted) {
    try {
      const other = await findLiveLease(client, { namespace, name: leaseName }, clock, signal);
      return other && refusal(other.namespace, other.holder);
    } catch (error) {
      if (signal.aborted) return undefined;
      log.warn({ err: error }, 'cannot look for a Tocsin in another namespace');
      if (error instanceof ApiError && error.status === 403) return undefined;
      await sleep(clock, retryMs, signal).catch(() => undefined);
    }
  }
  return undefined;
}

/** What to tell who started a second Tocsin. */
export function refusal(namespace: string, { identity, since }: LeaseHolder): Error {
  return new Error(
    `another Tocsin runs: ${identity} holds the Lease ${namespace}/${leaseName}${since === undefined ? '' : ` since ${since}`} and renews it. ` +
      'Stop it first (in a cluster: kubectl scale its Deployment to 0), then start this one again.',
  );
}
