import type { StatusCondition } from './conditions.ts';

/** An Event to write on an AlertProvider. */
export type ProviderEvent = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: 'DeliveryFailed' | 'DeliveryRecovered' | 'ProviderInvalid' | 'FallbackUsed';
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
