import type { Cluster } from '../cluster.ts';
import { ApiFailure } from '../failure.ts';
import type { StoreChange } from '../store.ts';

/** One level-triggered loop: which keys a change concerns, and how one key is brought nearer to what is wanted. */
export type Controller = {
  readonly name: string;
  /** Keys to look at after a change. */
  concerns(change: StoreChange): readonly string[];
  /** Reconciles one key; returns milliseconds after which to look again, if time alone can change the answer. */
  reconcile(key: string): number | undefined;
};

/** How long a key whose reconcile failed waits: this, doubling (client-go's rate limiter begins at 5 ms). */
const firstRetryMs = 100;
const longestRetryMs = 1_000_000;

/**
 * Runs controllers over a cluster: reads and writes go straight to the store, so there is no cache that could be stale.
 * Work runs in its own turn of the event loop, never inside the write that caused it; waiting is by the cluster's clock.
 */
export function runControllers(cluster: Cluster, controllers: readonly Controller[]): () => void {
  const queue = new Map<string, () => void>();
  const waiting = new Map<string, () => void>();
  /** How often a key failed in a row. */
  const failures = new Map<string, number>();
  let scheduled = false;
  let stopped = false;

  function enqueue(controller: Controller, key: string): void {
    queue.set(`${controller.name}\0${key}`, () => work(controller, key));
    if (scheduled) return;
    scheduled = true;
    setImmediate(drain);
  }
  function drain(): void {
    scheduled = false;
    const batch = [...queue.values()];
    queue.clear();
    for (const run of batch) if (!stopped) run();
  }
  function work(controller: Controller, key: string): void {
    const id = `${controller.name}\0${key}`;
    waiting.get(id)?.();
    waiting.delete(id);
    let again: number | undefined;
    try {
      again = controller.reconcile(key);
      failures.delete(id);
    } catch (error) {
      // Somebody else was faster, or the object has just gone; anything that is not the API's answer is a mistake of ours.
      if (!(error instanceof ApiFailure)) throw error;
      const failed = failures.get(id) ?? 0;
      failures.set(id, failed + 1);
      again = Math.min(longestRetryMs, firstRetryMs * 2 ** failed);
    }
    if (again !== undefined)
      waiting.set(
        id,
        cluster.clock.after(again, () => enqueue(controller, key)),
      );
  }
  const unsubscribe = cluster.store.subscribe((change) => {
    for (const controller of controllers) for (const key of controller.concerns(change)) enqueue(controller, key);
  });
  return () => {
    stopped = true;
    unsubscribe();
    for (const cancel of waiting.values()) cancel();
  };
}

/** `namespace/name` of a changed object. */
export function keyOfChange({ object }: StoreChange): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

/** Splits such a key. */
export function splitKey(key: string): [namespace: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

/** Concerned by changes of the controller's own kind, and by those of the objects that kind controls. */
export function ownedBy(resource: string, kind: string, ...children: readonly string[]): Controller['concerns'] {
  return (change) => {
    if (change.resource === resource) return [keyOfChange(change)];
    if (!children.includes(change.resource)) return [];
    return (change.object.metadata.ownerReferences ?? [])
      .filter((owner) => owner.controller && owner.kind === kind)
      .map((owner) => `${change.object.metadata.namespace ?? ''}/${owner.name}`);
  };
}
