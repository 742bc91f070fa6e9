import type { ProviderQueue } from '../model/provider-view.ts';
import type { Store, StoredDelivery } from '../model/store.ts';
import type { DispatcherOptions } from './types.ts';

type Pending = Omit<ProviderQueue, 'probing'>;

/** How much waits for a provider, and since when (epoch milliseconds). */
export function pendingOf(store: Store, providerUid: string): Pending {
  return pendingAmong(store.outbox().filter(({ delivery }) => delivery.providerUid === providerUid));
}

function pendingAmong(waiting: readonly StoredDelivery[]): Pending {
  if (waiting.length === 0) return { pending: 0 };
  const oldestPendingTime = waiting.reduce((oldest, { delivery }) => Math.min(oldest, delivery.createdAt), Infinity);
  return { pending: waiting.length, oldestPendingTime };
}

/** Shows depth and age of the outbox at every scrape, for the providers there are then. */
export function exposeOutbox({ store, providers, clock, metrics }: DispatcherOptions): void {
  metrics.beforeScrape(() => {
    metrics.reset('tocsin_delivery_queue_depth');
    metrics.reset('tocsin_delivery_oldest_seconds');
    const waiting = Map.groupBy(store.outbox(), ({ delivery }) => delivery.providerUid);
    for (const { ref: provider, uid, type } of providers().values()) {
      const { pending, oldestPendingTime = clock.now() } = pendingAmong(waiting.get(uid) ?? []);
      metrics.set('tocsin_delivery_queue_depth', { provider, type }, pending);
      const ageMs = Math.max(0, clock.now() - oldestPendingTime);
      metrics.set('tocsin_delivery_oldest_seconds', { provider, type }, ageMs / 1000);
    }
  });
}
