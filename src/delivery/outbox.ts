import type { ProviderView } from '../model/provider-view.ts';
import type { Ref } from '../model/ref.ts';
import type { Store } from '../model/store.ts';
import type { DispatcherOptions } from './types.ts';

/** How much waits for a provider, and since when (epoch milliseconds). */
export function pendingOf(store: Store, provider: Ref): Pick<ProviderView, 'pending' | 'oldestPendingTime'> {
  const times = store.outbox().flatMap(({ delivery }) => (delivery.provider === provider ? [delivery.createdAt] : []));
  return times.length === 0 ? { pending: 0 } : { pending: times.length, oldestPendingTime: Math.min(...times) };
}

/** Shows depth and age of the outbox at every scrape, for the providers there are then. */
export function exposeOutbox({ store, providers, clock, metrics }: DispatcherOptions): void {
  metrics.beforeScrape(() => {
    metrics.reset('tocsin_delivery_queue_depth');
    metrics.reset('tocsin_delivery_oldest_seconds');
    for (const { ref: provider, type } of providers().values()) {
      const { pending, oldestPendingTime } = pendingOf(store, provider);
      const age = oldestPendingTime === undefined ? 0 : Math.max(0, clock.now() - oldestPendingTime) / 1000;
      metrics.set('tocsin_delivery_queue_depth', { provider, type }, pending);
      metrics.set('tocsin_delivery_oldest_seconds', { provider, type }, age);
    }
  });
}
