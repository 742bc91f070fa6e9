import type { ApiClient } from '../kube/api-client.ts';
import type { KnownObject } from '../kube/census.ts';
import { type Discovered, discover } from '../kube/discovery.ts';
import { Gate } from '../kube/gate.ts';
import { Prober } from '../kube/prober.ts';
import { Reflector } from '../kube/reflector.ts';
import type { ReflectorOptions } from '../kube/reflector-options.ts';
import { backoffMs } from '../model/backoff.ts';
import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';
import { qualifiedKind } from '../model/ref.ts';
import { type Resource, sourceOf } from '../model/resource.ts';
import type { Input } from '../model/turn.ts';
import type { StartReflection } from '../operator/own-kinds.ts';
import type { Logger } from '../telemetry/logger.ts';
import { watchedKinds } from '../world/kinds.ts';
import type { CoverageTracker } from './coverage-tracker.ts';

/** First lists at the same time, over all sources: they are what an API server pays most for. */
const listsAtOnce = 2;
/** What is served and allowed is looked at again this often. */
const usualRediscoverMs = 600_000;
/** While something of that cannot be found out: this, doubling to a minute. */
const retryWaits = { firstMs: 2_000, longestMs: 60_000 };

/** What the sources need. */
export type SourcesOptions = {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  readonly coverage: CoverageTracker;
  readonly push: (input: Input) => void;
  /** Everything the world knows of a kind, with nothing left in the queue. */
  readonly known: (kind: string) => Iterable<KnownObject>;
  /** What to watch when it is served and allowed. */
  readonly resources?: readonly Resource[];
  /** How often what is served and allowed is looked at again; default ten minutes. */
  readonly rediscoverMs?: number;
};

/** What the statistics of one source say: its objects, and when it last showed a sign of life (epoch milliseconds). */
export type SourceStats = { readonly objects: number; readonly heardAt: number };

/** Watches the resource table: what is served and allowed is reflected into the queue, what is not becomes coverage. */
export class Sources {
  readonly #options: SourcesOptions;
  readonly #resources: readonly Resource[];
  readonly #gate = new Gate(listsAtOnce);
  readonly #prober: Prober;
  readonly #reflectors = new Map<string, Reflector>();
  #cancelLook: (() => void) | undefined;
  /** Discoveries in a row that left something unknown. */
  #failures = 0;
  #stopped = false;

  constructor(options: SourcesOptions) {
    this.#options = options;
    this.#resources = options.resources ?? watchedKinds;
    this.#prober = new Prober(options);
  }

  /** Finds out what is served and allowed, and watches it; goes on by itself. */
  start(): void {
    const { coverage } = this.#options;
    for (const resource of this.#resources) coverage.expect(sourceOf(resource), resource.required ?? false);
    coverage.complete();
    void this.#look();
  }

  /** Watches one of our own kinds, on the same pool, gate and prober. */
  readonly reflect: StartReflection = (resource, handlers) => {
    this.#options.coverage.expect(sourceOf(resource), resource.required ?? false);
    return this.#watch(resource, resource.versions[0], handlers);
  };

  /** By source. */
  stats(): ReadonlyMap<string, SourceStats> {
    return new Map(
      [...this.#reflectors].map(([source, reflector]) => {
        const { objects, lastSignOfLife } = reflector.stats();
        return [source, { objects: objects ?? 0, heardAt: lastSignOfLife }];
      }),
    );
  }

  /** Resolves when no request is under way any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelLook?.();
    await Promise.allSettled([...this.#reflectors.values()].map((reflector) => reflector.stop()));
    this.#reflectors.clear();
  }

  async #look(): Promise<void> {
    const { client, clock, log, rediscoverMs = usualRediscoverMs } = this.#options;
    const found = await discover(client, this.#resources, clock.now());
    if (this.#stopped) return;
    const unknown = found.flatMap((each) => (each.is === 'unknown' ? `${sourceOf(each.resource)}: ${each.why}` : []));
    for (const each of found) this.#take(each);
    if (unknown.length > 0) log.warn({ unknown }, 'cannot find out all that the API server serves; trying again');
    this.#failures = unknown.length > 0 ? this.#failures + 1 : 0;
    const waitMs = this.#failures > 0 ? backoffMs(retryWaits, this.#failures) : rediscoverMs;
    this.#cancelLook = clock.after(waitMs, () => void this.#look());
  }

  #take(found: Discovered): void {
    const source = sourceOf(found.resource);
    const reflector = this.#reflectors.get(source);
    if (found.is === 'watchable') {
      if (!reflector) this.#watchWorld(found.resource, found.version);
    } else if (found.is === 'unwatchable') {
      this.#reflectors.delete(source);
      void reflector?.stop();
      this.#report(found.coverage);
    } else if (!reflector) this.#report(found.coverage);
  }

  /** A row that no reflector reports. While it says the same, its since stays the same too. */
  #report(coverage: Coverage): void {
    const { source, state, reason } = coverage;
    const last = this.#options.coverage.row(source);
    if (last?.state === state && last.reason === reason) return;
    this.#options.log[state === 'NotServed' ? 'info' : 'warn']({ source, reason }, state);
    this.#see(last?.state === state ? { ...coverage, since: last.since } : coverage);
  }

  #see(coverage: Coverage): void {
    this.#options.coverage.see(coverage);
    this.#options.push({ kind: 'source', coverage });
  }

  #watchWorld(resource: Resource, version: string): void {
    const source = sourceOf(resource);
    this.#watch(resource, version, {
      onEvents: (events) => this.#options.push({ kind: 'objects', source, events }),
      onCoverage: (coverage) => this.#see(coverage),
      known: () => this.#options.known(qualifiedKind(resource.group, resource.kind)),
    });
  }

  #watch(
    resource: Resource,
    version: string,
    handlers: Pick<ReflectorOptions, 'onEvents' | 'onCoverage' | 'known'>,
  ): Reflector {
    const { client, clock, random, log } = this.#options;
    const reflector = new Reflector({
      ...{ client, resource, version, clock, random, ...handlers },
      gate: this.#gate,
      prober: this.#prober,
      log: (level, message, fields) => log[level](fields, message),
    });
    this.#reflectors.set(sourceOf(resource), reflector);
    reflector.start();
    return reflector;
  }
}
