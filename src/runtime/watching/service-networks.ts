import type { ApiClient } from '../../kube/api-client.ts';
import { listServiceNetworks } from '../../kube/service-networks.ts';
import type { Clock } from '../../model/clock.ts';

/** Networks are added once in years, and asked for again this often; milliseconds. */
const refreshMs = 60 * 60_000;
/** Sooner after a failure: until the ranges are known, a Service in a public range looks like any address outside. Milliseconds. */
const retryMs = 60_000;

/** What is known of the networks of Services, for whoever decides where a tenant may connect to. */
export class ServiceNetworks {
  readonly #client: ApiClient;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  #cidrs: readonly string[] = [];
  #cancel: () => void = () => undefined;

  /** Begins to ask at once, and holds up nobody. */
  constructor(client: ApiClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    void this.#refresh();
  }

  /** As last heard; a failure changes nothing. */
  get cidrs(): readonly string[] {
    return this.#cidrs;
  }

  stop(): void {
    this.#cancel();
    this.#stopping.abort();
  }

  async #refresh(): Promise<void> {
    let next = refreshMs;
    try {
      this.#cidrs = await listServiceNetworks(this.#client, this.#stopping.signal);
    } catch {
      // An older cluster, one that does not allow it, or an API server that is away: `/health` tells of the latter.
      next = retryMs;
    }
    if (!this.#stopping.signal.aborted) this.#cancel = this.#clock.after(next, () => void this.#refresh());
  }
}
