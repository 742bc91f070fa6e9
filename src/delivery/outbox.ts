import type { DispatcherOptions } from './types.ts';

/** Shows depth and age of the outbox at every scrape, for the providers there are then. */
export function exposeOutbox({ store, providers, clock, metrics }: DispatcherOptions): void {
  metrics.beforeScrape(() => {
    metrics.reset('tocsin_delivery_queue_depth');
    metrics.reset('tocsin_delivery_oldest_seconds');
    for (const { ref: provider, uid, type } of providers().values()) {
      const { pending, oldestPendingTime = clock.now() } = store.waiting.pendingOf(uid);
      metrics.set('tocsin_delivery_queue_depth', { provider, type }, pending);
      const ageMs = Math.max(0, clock.now() - oldestPendingTime);
      metrics.set('tocsin_delivery_oldest_seconds', { provider, type }, ageMs / 1000);
    }
  });
}
