import type { ApiClient } from '../../kube/api-client.ts';
import { readService } from '../../kube/services.ts';
import { BoundedMap } from '../../model/bounded-map.ts';
import type { Clock } from '../../model/clock.ts';
import type { ServiceAddresses } from '../../model/service-addresses.ts';

/** An address that a Service gave back may be another's after this long; milliseconds. */
const maxAgeMs = 30_000;
/** Services that tenants send to, and names that could be one. */
const maxServices = 1_000;

type Answer = { readonly askedAt: number; readonly service: Promise<ServiceAddresses | undefined> };

/** Services as the API server has them, asked for again after 30 s. A failure is not kept. */
export class ServiceFinder {
  readonly #client: ApiClient;
  readonly #clock: Clock;
  readonly #answers = new BoundedMap<string, Answer>(maxServices);

  constructor(client: ApiClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** A Service, or `undefined` when there is none. Rejects with `ApiError` within 3 s. */
  find(namespace: string, name: string): Promise<ServiceAddresses | undefined> {
    const key = `${namespace}/${name}`;
    const known = this.#answers.get(key);
    if (known && this.#clock.monotonic() - known.askedAt < maxAgeMs) return known.service;
    const answer = { askedAt: this.#clock.monotonic(), service: readService(this.#client, namespace, name) };
    this.#answers.set(key, answer);
    answer.service.catch(() => {
      if (this.#answers.get(key) === answer) this.#answers.delete(key);
    });
    return answer.service;
  }
}
