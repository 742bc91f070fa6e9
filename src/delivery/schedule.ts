import type { Delivery, DeliveryFailure } from '../model/delivery.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { StoredDelivery } from '../model/store.ts';
import { showsAct } from '../model/traits.ts';
import type { Destination } from './destination.ts';
import { failures } from './failures.ts';
import type { LineOwner, Standing } from './line.ts';
import { maxAgeOf } from './retry.ts';
import type { TenantAttempts } from './tenants.ts';
import type { DispatchedType, DispatcherOptions } from './types.ts';

/** A fallback is told of what has waited for so long behind a provider that is being probed; milliseconds. */
const probePatienceMs = 2 * 60_000;

/** And for so long behind one that asks again and again to be left alone: as long as it may ask for once. Milliseconds. */
const quietPatienceMs = 15 * 60_000;

/** Where the head of a lane belongs, however its destination fares. */
export type Filing =
  /** It fails without a further attempt. */
  | { readonly is: 'end'; readonly failure: DeliveryFailure }
  /** It is not told. */
  | { readonly is: 'omit' }
  /** It stands in line for its destination. */
  | {
      readonly is: 'wait';
      readonly provider: ProviderSettings;
      readonly type: DispatchedType;
      readonly times: Pick<Standing, 'dueAt' | 'expiresAt' | 'hasFallback'>;
    };

/** Whether a provider may be sent to now: a suspended or invalid one waits for a person. */
export function mayReceive(provider: ProviderSettings): boolean {
  return !provider.suspended && provider.active.reason !== 'Invalid';
}

/** Whether somebody else may hear of it when it waits for too long. A test asks whether this very provider works. */
export function hasFallback({ fallback }: ProviderSettings, { act }: Pick<Delivery, 'act'>): boolean {
  return fallback !== undefined && act !== 'test';
}

/** Which list the first delivery of a lane belongs to. `draining`: the process is stopping, evidence is not waited for. */
export function filingOf(
  { delivery, nextAttemptAt }: StoredDelivery,
  options: Pick<DispatcherOptions, 'providers' | 'types'>,
  draining: boolean,
): Filing {
  const provider = options.providers().get(delivery.provider);
  if (provider?.uid !== delivery.providerUid) return { is: 'end', failure: failures.providerDeleted() };
  const type = options.types(provider.type);
  if (!type) return { is: 'end', failure: failures.unknownType(provider.type) };
  if (!showsAct(type, delivery.act)) return { is: 'end', failure: failures.cannotShow(type.product, delivery.act) };
  if (delivery.unsent) return { is: 'omit' };
  const isUntried = nextAttemptAt <= delivery.notBefore;
  const times = {
    dueAt: draining && isUntried ? 0 : nextAttemptAt,
    expiresAt: delivery.createdAt + maxAgeOf(delivery).milliseconds,
    hasFallback: hasFallback(provider, delivery),
  };
  return { is: 'wait', provider, type, times };
}

/** Why a delivery ends that has become too old, with what kept it waiting where that is known: a missing Secret keeps everything waiting and is told once. */
export function expiry(
  { delivery }: StoredDelivery,
  { missingSecret, lastFailure }: Pick<Destination, 'missingSecret' | 'lastFailure'>,
): DeliveryFailure {
  const why = missingSecret ?? (lastFailure?.stream === delivery.stream ? lastFailure.message : undefined);
  return failures.expired(maxAgeOf(delivery).words, why);
}

/** Whether an attempt may begin for a destination now; the same for all that wait for it. Times are epoch milliseconds. */
export type Gate =
  | { readonly is: 'open' }
  | {
      readonly is: 'closed';
      /** Without it the end of an attempt decides, or a change of the settings. */
      readonly until?: number;
      /** Only the product's pace holds it back, for a moment. */
      readonly paced?: boolean;
      /** When a fallback is to be told of what was made at an instant. Without it never. */
      readonly overdueAt?: (createdAt: number) => number;
    };

/** Whether a product asks to be left alone, is being probed, or has enough to do. */
export function gateOf(
  { provider, destination }: LineOwner,
  tenants: Pick<TenantAttempts, 'hasRoom'>,
  now: number,
): Gate {
  const { circuit, bucket, quietUntil, lastFailure } = destination;
  const closed = (until: number | undefined, overdueAt: (createdAt: number) => number): Gate => ({
    is: 'closed',
    ...(until !== undefined && { until }),
    ...(lastFailure && { overdueAt }),
  });
  if (!mayReceive(provider)) return { is: 'closed' };
  if (quietUntil > now) return closed(quietUntil, (createdAt) => createdAt + quietPatienceMs);
  const { probeAt, openSince = now } = circuit;
  if (probeAt !== undefined && (probeAt > now || !destination.hasRoom())) {
    // A probe that runs ends by itself: nothing to wake up for.
    const until = probeAt > now ? probeAt : undefined;
    return closed(until, (createdAt) => Math.max(createdAt, openSince) + probePatienceMs);
  }
  if (!destination.hasRoom() || !tenants.hasRoom(provider.namespace)) return { is: 'closed' };
  const paceMs = bucket.waitMs(now);
  return paceMs > 0 ? { is: 'closed', until: now + paceMs, paced: true } : { is: 'open' };
}
