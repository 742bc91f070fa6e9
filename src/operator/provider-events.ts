import type { AlertProvider, AlertProviderStatus } from '../api/alert-provider.ts';
import { storedApiVersion as apiVersion } from '../api/group.ts';
import type { EventRecord } from '../kube/events.ts';
import type { Ref } from '../model/ref.ts';
import type { StatusCondition } from './conditions.ts';

/** An Event to write on an AlertProvider. */
type ProviderEvent = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: 'DeliveryFailed' | 'DeliveryRecovered' | 'ProviderInvalid' | 'FallbackUsed' | 'Redelivered';
  readonly message: string;
};

/** What became different between two sets of conditions, as Events: an outage is a handful of them, not one per attempt. */
export function eventsBetween(
  before: readonly StatusCondition[] | undefined,
  after: readonly StatusCondition[],
): readonly ProviderEvent[] {
  const was = (type: string): StatusCondition | undefined => before?.find((condition) => condition.type === type);
  return after.flatMap((now): ProviderEvent[] => {
    const then = was(now.type);
    if (now.type === 'Stalled' && now.status === 'True' && (then?.status !== 'True' || then.reason !== now.reason))
      return [{ type: 'Warning', reason: 'ProviderInvalid', message: now.message }];
    if (now.type !== 'Delivering') return [];
    if (now.reason === 'FallbackInUse' && then?.reason !== 'FallbackInUse')
      return [{ type: 'Warning', reason: 'FallbackUsed', message: now.message }];
    if (now.status === 'False' && then?.status !== 'False')
      return [{ type: 'Warning', reason: 'DeliveryFailed', message: now.message }];
    if (now.status === 'True' && then?.status === 'False')
      return [{ type: 'Normal', reason: 'DeliveryRecovered', message: now.message }];
    return [];
  });
}

/** What a request to send again what failed came to, once that is known. */
export function redeliveryEvent(
  before: AlertProviderStatus['lastRedelivery'],
  after: AlertProviderStatus['lastRedelivery'],
): readonly ProviderEvent[] {
  if (!after || after.outcome === 'Pending') return [];
  if (before?.nonce === after.nonce && before.outcome === after.outcome) return [];
  const type = after.outcome === 'Failed' ? 'Warning' : 'Normal';
  return [{ type, reason: 'Redelivered', message: after.message ?? '' }];
}

/** Writes Events on providers as their written statuses change. */
export class ProviderAnnouncer {
  readonly #record: (event: EventRecord) => void;
  /** What was announced last; before, what the status says from earlier. */
  readonly #told = new Map<Ref, AlertProviderStatus>();

  constructor(record: (event: EventRecord) => void) {
    this.#record = record;
  }

  /** This status has just been written. */
  written(ref: Ref, object: AlertProvider, status: AlertProviderStatus): void {
    const before = this.#told.get(ref) ?? object.status;
    this.#told.set(ref, status);
    const { name, namespace, uid } = object.metadata;
    const about = { apiVersion, kind: 'AlertProvider', name, namespace, uid };
    const events = [
      ...eventsBetween(before?.conditions, status.conditions ?? []),
      ...redeliveryEvent(before?.lastRedelivery, status.lastRedelivery),
    ];
    for (const event of events) this.#record({ about, ...event, onePerReason: true });
  }

  /** The provider is gone. */
  forget(ref: Ref): void {
    this.#told.delete(ref);
  }
}
