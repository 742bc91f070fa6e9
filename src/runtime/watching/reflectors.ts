import type { ApiClient } from '../../kube/api-client.ts';
import { Gate } from '../../kube/gate.ts';
import { LineBudget } from '../../kube/lines.ts';
import { Prober } from '../../kube/prober.ts';
import { Reflector } from '../../kube/reflector.ts';
import type { ReflectorOptions } from '../../kube/reflector-options.ts';
import type { Clock } from '../../model/clock.ts';
import { type Resource, sourceOf } from '../../model/resource.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** First lists at the same time, over all sources: they are what an API server pays most for. */
const listsAtOnce = 2;

/** What reflectors need. */
export type ReflectorsOptions = {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
};

/** What the statistics of one source say: its objects, and when it last showed a sign of life (epoch milliseconds). */
export type SourceStats = { readonly objects: number; readonly heardAt: number };

/** Who listens to a source. */
export type SourceHandlers = Pick<ReflectorOptions, 'onEvents' | 'onCoverage' | 'known'>;

/** The reflectors of one API server, by source: they share the gate of their first lists, the prober and the memory of unfinished lines. */
export class Reflectors {
  readonly #options: ReflectorsOptions;
  readonly #gate = new Gate(listsAtOnce);
  readonly #prober: Prober;
  readonly #budget = new LineBudget();
  readonly #bySource = new Map<string, Reflector>();

  constructor(options: ReflectorsOptions) {
    this.#options = options;
    this.#prober = new Prober(options);
  }

  /** Watches a resource at a version until it is dropped. */
  watch(resource: Resource, version: string, handlers: SourceHandlers): Reflector {
    const { client, clock, random, log } = this.#options;
    const reflector = new Reflector({
      client,
      resource,
      version,
      clock,
      random,
      ...handlers,
      gate: this.#gate,
      prober: this.#prober,
      budget: this.#budget,
      log: (level, message, fields) => log[level](fields, message),
    });
    this.#bySource.set(sourceOf(resource), reflector);
    reflector.start();
    return reflector;
  }

  /** Whether a source is watched. */
  has(source: string): boolean {
    return this.#bySource.has(source);
  }

  /** Ends the watch of a source, if there is one. */
  drop(source: string): void {
    void this.#bySource.get(source)?.stop();
    this.#bySource.delete(source);
  }

  /** The objects of a source; `undefined` before its first list is complete. */
  objects(source: string): number | undefined {
    return this.#bySource.get(source)?.stats().objects;
  }

  /** By source. */
  stats(): ReadonlyMap<string, SourceStats> {
    return new Map(
      [...this.#bySource].map(([source, reflector]) => {
        const { objects, lastSignOfLife } = reflector.stats();
        return [source, { objects: objects ?? 0, heardAt: lastSignOfLife }];
      }),
    );
  }

  /** Resolves when no request is under way any more. */
  async stop(): Promise<void> {
    await Promise.allSettled([...this.#bySource.values()].map((reflector) => reflector.stop()));
    this.#bySource.clear();
  }
}
