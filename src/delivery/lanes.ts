import { laneOf } from '../model/delivery.ts';
import type { StoredDelivery } from '../model/store.ts';

/** The next delivery of each lane by sequence, lanes in the order of their oldest delivery. */
export function heads(outbox: readonly StoredDelivery[]): readonly StoredDelivery[] {
  const lanes = new Map<string, StoredDelivery>();
  for (const stored of outbox) {
    const lane = laneOf(stored.delivery);
    const head = lanes.get(lane);
    if (!head || stored.delivery.sequence < head.delivery.sequence) lanes.set(lane, stored);
  }
  return [...lanes.values()];
}
