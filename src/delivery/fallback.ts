import { type Delivery, type DeliveryReport, deliveryKeys, type Recipient } from '../model/delivery.ts';
import { nameOf, type Ref } from '../model/ref.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { StoredDelivery } from '../model/store.ts';
import { showsAct } from '../model/traits.ts';
import type { DispatchedType } from './types.ts';

/** Whether a provider may be sent to now: a suspended or invalid one waits for a person. */
export function mayReceive(provider: ProviderSettings): boolean {
  return !provider.suspended && provider.active.reason !== 'Invalid';
}

/** Whether a type shows a message. A pager makes an alert of a summary: of one with nothing urgent nobody is to be woken. */
function takes(type: DispatchedType, { act, notification: { severity } }: Delivery): boolean {
  const wakes = act === 'startup' && type.plain === 'alert';
  return showsAct(type, act) && (!wakes || severity === 'critical' || severity === 'high');
}

/**
 * The provider that takes over from `delivery.provider`: the first of the chain of fallbacks that may receive, takes this
 * act, and has not had the message before. `undefined` at the end of the chain or where it is a cycle.
 */
export function fallbackOf(
  delivery: Delivery,
  providers: ReadonlyMap<Ref, ProviderSettings>,
  types: (type: string) => DispatchedType | undefined,
): ProviderSettings | undefined {
  // A test asks whether this very provider works.
  if (delivery.act === 'test') return undefined;
  const seen = new Set<Ref>([...(delivery.via ?? []).map(({ provider }) => provider), delivery.provider]);
  let next = providers.get(delivery.provider)?.fallback;
  while (next !== undefined && !seen.has(next)) {
    seen.add(next);
    const provider = providers.get(next);
    const type = provider && types(provider.type);
    if (provider && type && mayReceive(provider) && takes(type, delivery)) return provider;
    next = provider?.fallback;
  }
  return undefined;
}

/** The same message for a fallback, marked `via … because …`, its age counted from `now` (epoch milliseconds). */
export function viaFallback(
  { delivery, mayHaveArrived }: StoredDelivery,
  to: ProviderSettings,
  because: string,
  now: number,
): Delivery {
  const { notification, provider, providerUid } = delivery;
  const mark = `via ${nameOf(to.ref)} because ${nameOf(provider)} ${because}`;
  return {
    ...delivery,
    ...deliveryKeys(delivery.stream, to.uid, delivery.act, delivery.sequence),
    provider: to.ref,
    providerUid: to.uid,
    createdAt: now,
    notBefore: now,
    via: [...(delivery.via ?? []), { provider, providerUid, mayHaveArrived }],
    notification: { ...notification, note: notification.note ? `${notification.note}; ${mark}` : mark },
  };
}

/** Who certainly does not get a delivery that has ended like this with no fallback left: see `DeliveryReport.untold`. */
export function untoldBy(
  { provider, providerUid, via = [] }: Delivery,
  { ended, mayHaveArrived }: Pick<DeliveryReport, 'ended' | 'mayHaveArrived'>,
): readonly Recipient[] {
  if (mayHaveArrived || (ended !== 'failed' && ended !== 'dropped')) return [];
  const before = via.filter((handover) => !handover.mayHaveArrived);
  return [...before, { provider, providerUid }].map((one) => ({
    provider: one.provider,
    providerUid: one.providerUid,
  }));
}
