import type { DeliveryFailure } from '../model/delivery.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { StoredDelivery } from '../model/store.ts';
import { showsAct } from '../model/traits.ts';
import type { Destination } from './destination.ts';
import { diversionOf, fallbackOf, mayReceive } from './fallback.ts';
import { maxAgeOf } from './retry.ts';
import type { TenantAttempts } from './tenants.ts';
import type { DispatchedType, DispatcherOptions } from './types.ts';

/** With a fallback, deliveries wait no longer than this behind a provider that is being probed; milliseconds. */
const probePatienceMs = 2 * 60_000;

/** And no longer than this behind one that asks again and again to be left alone; as long as it may ask for once. Milliseconds. */
const quietPatienceMs = 15 * 60_000;

/** What is to be done with the head of a lane now. */
export type Schedule =
  | { readonly is: 'start'; readonly provider: ProviderSettings; readonly type: DispatchedType }
  /** It fails without a further attempt. */
  | { readonly is: 'end'; readonly failure: DeliveryFailure }
  /** Only the fallback that got the opening is told. */
  | { readonly is: 'move'; readonly to: ProviderSettings }
  /** `paced`: only the product's pace holds it back, for a moment. Without `until`, the end of another attempt decides. */
  | { readonly is: 'wait'; readonly until?: number; readonly paced?: boolean };

/** What a schedule goes by. `now`: epoch milliseconds. */
export type ScheduleContext = {
  readonly options: Pick<DispatcherOptions, 'store' | 'providers' | 'types'>;
  readonly destinationOf: (provider: ProviderSettings, type: DispatchedType) => Destination;
  readonly tenants: Pick<TenantAttempts, 'hasRoom'>;
  /** The process is stopping: evidence is not waited for. */
  readonly draining: boolean;
  readonly now: number;
};

function end(
  code: DeliveryFailure['code'],
  message: string,
  failureClass: DeliveryFailure['class'] = 'permanent',
): Schedule {
  return { is: 'end', failure: { class: failureClass, code, message } };
}

/** Whether a delivery may be tried now. `start` has taken the destination's token. */
export function scheduleOf(stored: StoredDelivery, context: ScheduleContext): Schedule {
  const { delivery } = stored;
  const { options, destinationOf, now } = context;
  const diversion = diversionOf(delivery, options);
  if (diversion && !diversion.both) return { is: 'move', to: diversion.to };
  const provider = options.providers().get(delivery.provider);
  if (provider?.uid !== delivery.providerUid) return end('ProviderDeleted', 'the AlertProvider was deleted');
  const type = options.types(provider.type);
  if (!type) return end('Rejected', `this version has no provider type "${provider.type}"`);
  const destination = destinationOf(provider, type);
  const maxAge = maxAgeOf(delivery);
  const expiresAt = delivery.createdAt + maxAge.milliseconds;
  if (now >= expiresAt) {
    const why = reasonOfWaiting(stored, destination);
    const because = why === undefined ? '' : `: ${why}`;
    return end('Expired', `not delivered within ${maxAge.words}${because}`, 'retryable');
  }
  if (!showsAct(type, delivery.act))
    return end('Rejected', `${type.product} cannot show a message that is no incident (${delivery.act})`);
  if (!mayReceive(provider)) return { is: 'wait', until: expiresAt };
  const waiting =
    waitForInstant(stored, type, destination, context) ?? waitForDestination(stored, provider, destination, context);
  if (!waiting) return { is: 'start', provider, type };
  return waiting.is === 'wait' ? { ...waiting, until: Math.min(waiting.until ?? expiresAt, expiresAt) } : waiting;
}

/** Why it has waited for so long, where that is known: a missing Secret keeps everything waiting and is told once. */
function reasonOfWaiting(
  { delivery }: StoredDelivery,
  { missingSecret, lastFailure }: Destination,
): string | undefined {
  return missingSecret ?? (lastFailure?.stream === delivery.stream ? lastFailure.message : undefined);
}

/** Waiting for the instant of the next attempt. */
function waitForInstant(
  { delivery, nextAttemptAt }: StoredDelivery,
  type: DispatchedType,
  { quietUntil }: Destination,
  { draining, now }: ScheduleContext,
): Schedule | undefined {
  const due = draining && nextAttemptAt <= delivery.notBefore ? now : nextAttemptAt;
  if (due <= now || quietUntil > now) return undefined;
  // A process that stops still waits for what the product needs a moment to make.
  const paced = draining && due - now <= (type.settlesAfterMs ?? 0);
  return { is: 'wait', until: due, paced };
}

/** Waiting for a product that asks to be left alone, is being probed, or has enough to do. */
function waitForDestination(
  { delivery, nextAttemptAt }: StoredDelivery,
  { namespace }: ProviderSettings,
  destination: Destination,
  { options, tenants, now }: ScheduleContext,
): Schedule | undefined {
  const { circuit, bucket, quietUntil, lastFailure } = destination;
  /** Waits, unless a fallback could have told it by `patienceEnds`. */
  const waitOrHandOver = (until: number, patienceEnds: number): Schedule => {
    if (!lastFailure || !fallbackOf(delivery, options)) return { is: 'wait', until };
    return now >= patienceEnds
      ? end(lastFailure.code, lastFailure.message, lastFailure.class)
      : { is: 'wait', until: Math.min(until, patienceEnds) };
  };
  if (quietUntil > now)
    return waitOrHandOver(Math.max(quietUntil, nextAttemptAt), delivery.createdAt + quietPatienceMs);
  const { probeAt, openSince = now } = circuit;
  if (probeAt !== undefined && (probeAt > now || !destination.hasRoom())) {
    // A probe that runs ends by itself: nothing to wake up for.
    const probeWait = probeAt > now ? probeAt : Number.POSITIVE_INFINITY;
    return waitOrHandOver(probeWait, Math.max(delivery.createdAt, openSince) + probePatienceMs);
  }
  if (!destination.hasRoom() || !tenants.hasRoom(namespace)) return { is: 'wait' };
  if (!bucket.take(now)) return { is: 'wait', until: now + bucket.waitMs(now), paced: true };
  return undefined;
}
