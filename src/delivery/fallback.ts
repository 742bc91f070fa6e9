import {
  type Delivery,
  type DeliveryReport,
  deliveryKeys,
  type HandoverReason,
  type Recipient,
} from '../model/delivery.ts';
import type { Ref } from '../model/ref.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { StoredDelivery } from '../model/store.ts';
import { showsAct } from '../model/traits.ts';
import type { DispatchedType, DispatcherOptions } from './types.ts';

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
 * act, and has not had the message before. `undefined` at the end of the chain, where it is a cycle, and when the provider has
 * been deleted, whatever bears its name now.
 */
export function fallbackOf(
  delivery: Delivery,
  { providers, types }: Pick<DispatcherOptions, 'providers' | 'types'>,
): ProviderSettings | undefined {
  // A test asks whether this very provider works.
  if (delivery.act === 'test') return undefined;
  const all = providers();
  const own = all.get(delivery.provider);
  if (own?.uid !== delivery.providerUid) return undefined;
  const seen = new Set<Ref>([...(delivery.via ?? []).map(({ provider }) => provider), delivery.provider]);
  let next = own.fallback;
  while (next !== undefined && !seen.has(next)) {
    seen.add(next);
    const provider = all.get(next);
    const type = provider && types(provider.type);
    if (provider && type && mayReceive(provider) && takes(type, delivery)) return provider;
    next = provider?.fallback;
  }
  return undefined;
}

/** Where a later act goes because its opening went there. `both`: to its own provider as well. */
export function diversionOf(
  { act, stream, providerUid }: Delivery,
  { store, providers }: Pick<DispatcherOptions, 'store' | 'providers'>,
): { readonly to: ProviderSettings; readonly both: boolean } | undefined {
  if (act !== 'update' && act !== 'resolve') return undefined;
  const diversion = store.diversion(stream, providerUid);
  const to = diversion && providers().get(diversion.to.provider);
  return to?.uid === diversion?.to.providerUid && to && diversion ? { to, both: diversion.both } : undefined;
}

/** The same message for a fallback, marked as such, its age counted from `now` (epoch milliseconds). */
export function copyFor(
  to: ProviderSettings,
  { delivery, mayHaveArrived }: StoredDelivery,
  reason: HandoverReason,
  { handedOver, now }: Pick<DispatcherOptions, 'handedOver'> & { readonly now: number },
): Delivery {
  const { notification, provider, providerUid } = delivery;
  return {
    ...delivery,
    ...deliveryKeys(delivery.stream, to.uid, delivery.act, delivery.sequence),
    provider: to.ref,
    providerUid: to.uid,
    createdAt: now,
    notBefore: now,
    via: [...(delivery.via ?? []), { provider, providerUid, mayHaveArrived }],
    notification: handedOver(notification, { from: provider, to: to.ref, reason }),
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
