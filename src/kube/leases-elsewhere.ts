import type { Clock } from '../model/clock.ts';
import type { ApiClient } from './api-client.ts';
import type { LeaseHolder } from './lease-options.ts';
import type { LeaseBody } from './lease-rules.ts';
import { sleep } from './sleep.ts';

/** A holder that lives renews every 2 s: after this it has. Milliseconds. */
const renewsWithinMs = 6_000;

/** A Lease in another namespace, and who holds it. */
export type LeaseElsewhere = { readonly namespace: string; readonly holder: LeaseHolder };

/**
 * The first Lease of that name in another namespace whose holder renews it; `undefined` when there is none. What a killed process
 * left behind is looked at twice, and costs 6 s. Rejects with `ApiError` when Leases of all namespaces cannot be listed.
 */
export async function findLiveLease(
  client: ApiClient,
  lease: { readonly namespace: string; readonly name: string },
  clock: Clock,
  signal: AbortSignal,
): Promise<LeaseElsewhere | undefined> {
  const read = async (): Promise<readonly LeaseBody[]> => {
    const query = { fieldSelector: `metadata.name=${lease.name}` };
    const path = '/apis/coordination.k8s.io/v1/leases';
    const { items } = await client.json<{ readonly items?: readonly LeaseBody[] }>({ path, query, signal });
    return (items ?? []).filter(({ metadata, spec }) => metadata.namespace !== lease.namespace && spec?.holderIdentity);
  };
  const before = await read();
  if (before.length === 0) return undefined;
  await sleep(clock, renewsWithinMs, signal);
  const live = (await read()).find(({ metadata, spec }) =>
    before.some((old) => old.metadata.uid === metadata.uid && old.spec?.renewTime !== spec?.renewTime),
  );
  if (live === undefined) return undefined;
  const { holderIdentity = '', acquireTime } = live.spec ?? {};
  const holder = { identity: holderIdentity, since: acquireTime, renews: true };
  return { namespace: String(live.metadata.namespace), holder };
}
