import { BoundedMap } from '../model/bounded-map.ts';
import { TokenBucket } from '../model/token-bucket.ts';

/** Tests and redeliveries that one namespace may ask for: ten at once, twenty a minute after that. */
const rate = { perSecond: 20 / 60, burst: 10 };
/** Namespaces whose requests are counted; one that has not asked for longest is forgotten first, which gives it ten again. */
const maxNamespaces = 1_000;

/** How often people of a namespace may ask for something: each request makes Tocsin connect to where they say. */
export class RequestPace {
  readonly #operatorNamespace: string;
  readonly #buckets = new BoundedMap<string, TokenBucket>(maxNamespaces);

  constructor(operatorNamespace: string) {
    this.#operatorNamespace = operatorNamespace;
  }

  /** Counts a request. Milliseconds until it may be carried out: then it is to be asked again; 0: now. `now`: epoch milliseconds. */
  take(namespace: string, now: number): number {
    if (namespace === this.#operatorNamespace) return 0;
    const bucket = this.#buckets.get(namespace) ?? new TokenBucket(rate, now);
    this.#buckets.set(namespace, bucket);
    return bucket.take(now) ? 0 : bucket.waitMs(now);
  }
}
