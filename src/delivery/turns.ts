import type { Delivery } from '../model/delivery.ts';
import { namespaceOf } from '../model/ref.ts';
import { type Severity, severities, worse } from '../model/severity.ts';
import type { StoredDelivery } from '../model/store.ts';
import { Ranking } from './ranking.ts';

/** Of so many starts one is of what has waited longest, whatever it is: nothing starves behind what is more severe. */
const startsPerOldest = 8;

/** Who waits for a turn: what is more severe goes first, then whoever's namespace has had fewer turns, then what was made first. */
export type Waiting = { readonly severity: Severity; readonly namespace: string; readonly place: number };

/** How severe a delivery is: a test is asked for by somebody who waits for the answer. */
const severityOf = ({ act, notification }: Delivery): Severity => (act === 'test' ? 'critical' : notification.severity);

/** What decides when a lane has its turn: its head is as urgent as whatever waits behind it, for a rise cannot overtake its own opening. */
export function urgencyOf(head: Delivery, lane: readonly StoredDelivery[]): Omit<Waiting, 'place'> {
  return {
    severity: lane.reduce((worst, { delivery }) => worse(worst, severityOf(delivery)), severityOf(head)),
    namespace: namespaceOf(head.notification.incident?.root ?? head.provider),
  };
}

/** Namespaces that wait with something equally severe, each with its own in order of creation. */
class Shares {
  readonly #byNamespace = new Map<string, Ranking<string>>();

  get isEmpty(): boolean {
    return this.#byNamespace.size === 0;
  }

  add(key: string, { namespace, place }: Waiting): void {
    const own = this.#byNamespace.get(namespace) ?? new Ranking<string>();
    this.#byNamespace.set(namespace, own);
    own.set(key, place);
  }

  delete(key: string, { namespace }: Waiting): void {
    const own = this.#byNamespace.get(namespace);
    own?.delete(key);
    if (own?.size === 0) this.#byNamespace.delete(namespace);
  }

  /** Of the namespace that was served least, of several the one that waits longest. */
  first(servedOf: (namespace: string) => number): string | undefined {
    let best: { readonly key: string; readonly served: number; readonly place: number } | undefined;
    for (const [namespace, own] of this.#byNamespace) {
      const head = own.first();
      if (head === undefined) continue;
      const served = servedOf(namespace);
      if (best === undefined || served < best.served || (served === best.served && head.rank < best.place))
        best = { key: head.key, served, place: head.rank };
    }
    return best?.key;
  }
}

/**
 * In which order what is ready for one destination has its turn: by severity, then by fair shares of namespaces, then by age. Looking costs
 * the number of namespaces that wait, not what waits.
 */
export class Turns {
  readonly #waiting = new Map<string, Waiting>();
  readonly #bySeverity = new Map<Severity, Shares>(severities.map((severity) => [severity, new Shares()]));
  readonly #byAge = new Ranking<string>();
  /** How many turns each namespace has had; one that comes anew begins with as many as the one that has had fewest. */
  readonly #served = new Map<string, number>();
  #starts = 0;

  add(key: string, waiting: Waiting): void {
    this.delete(key);
    this.#waiting.set(key, waiting);
    this.#bySeverity.get(waiting.severity)?.add(key, waiting);
    this.#byAge.set(key, waiting.place);
  }

  delete(key: string): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return;
    this.#waiting.delete(key);
    this.#bySeverity.get(waiting.severity)?.delete(key, waiting);
    this.#byAge.delete(key);
    if (this.#waiting.size === 0) this.#served.clear();
  }

  /** Whose turn it is. */
  first(): string | undefined {
    if (this.#starts % startsPerOldest === startsPerOldest - 1) return this.#byAge.first()?.key;
    for (const shares of this.#bySeverity.values())
      if (!shares.isEmpty) return shares.first((namespace) => this.#servedOf(namespace));
    return undefined;
  }

  /** It has its turn now. */
  start(key: string): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return;
    this.#starts += 1;
    this.#served.set(waiting.namespace, this.#servedOf(waiting.namespace) + 1);
  }

  #servedOf(namespace: string): number {
    const known = this.#served.get(namespace);
    if (known !== undefined) return known;
    const least = this.#served.size === 0 ? 0 : Math.min(...this.#served.values());
    this.#served.set(namespace, least);
    return least;
  }
}
