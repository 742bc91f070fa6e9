import type { StoredDelivery, WaitingDeliveries } from '../model/store.ts';

/** What all AlertProviders of one namespace together may use, where that is not Tocsin's own: one team must not use up what all share. */
export const tenantLimits = {
  /** Attempts under way at the same time: five providers with as many as one may have. */
  attempts: 20,
  /** Deliveries that wait. A storm of incidents to fifty providers is less; a day of them to providers that hang is more. */
  waiting: 1_000,
} as const;

/** How many attempts run for each tenant. */
export class TenantAttempts {
  readonly #operatorNamespace: string;
  readonly #running = new Map<string, number>();

  constructor(operatorNamespace: string) {
    this.#operatorNamespace = operatorNamespace;
  }

  /** Whether another attempt may begin for a provider of this namespace. */
  hasRoom(namespace: string): boolean {
    return namespace === this.#operatorNamespace || (this.#running.get(namespace) ?? 0) < tenantLimits.attempts;
  }

  begins(namespace: string): void {
    this.#running.set(namespace, (this.#running.get(namespace) ?? 0) + 1);
  }

  ends(namespace: string): void {
    const left = (this.#running.get(namespace) ?? 0) - 1;
    if (left > 0) this.#running.set(namespace, left);
    else this.#running.delete(namespace);
  }
}

/** What a namespace has no room for. */
type Crowd = { readonly tenant: string; readonly deliveries: readonly StoredDelivery[] };

/** What tenants have no room for, of all that waits: in each crowded namespace as much as is too much. */
export function crowdedOut(
  waiting: Pick<WaitingDeliveries, 'namespaces' | 'inNamespace'>,
  operatorNamespace: string,
): readonly Crowd[] {
  return [...waiting.namespaces()].flatMap(([tenant, count]): Crowd[] => {
    const excess = count - tenantLimits.waiting;
    if (tenant === operatorNamespace || excess <= 0) return [];
    return [{ tenant, deliveries: newestOfTheFullest(waiting.inNamespace(tenant), excess) }];
  });
}

/**
 * So many of them: always from the provider that has most, so that those that hang do not crowd out one that works; of it the newest, and
 * what ends an incident last, for that is worth most to whoever was told of it. What has been tried stays.
 */
function newestOfTheFullest(waiting: readonly StoredDelivery[], excess: number): readonly StoredDelivery[] {
  const untried = waiting.filter(({ attempts, inFlight }) => attempts === 0 && !inFlight);
  const queues = [...Map.groupBy(untried, ({ delivery }) => delivery.providerUid).values()].map((queue) => {
    const isEnd = ({ delivery }: StoredDelivery): boolean => delivery.act === 'resolve';
    return [...queue.filter(isEnd), ...queue.filter((each) => !isEnd(each))];
  });
  const out: StoredDelivery[] = [];
  while (out.length < excess) {
    const [first, ...others] = queues;
    if (!first) break;
    const fullest = others.reduce((most, queue) => (queue.length > most.length ? queue : most), first);
    const last = fullest.pop();
    if (!last) break;
    out.push(last);
  }
  return out;
}
