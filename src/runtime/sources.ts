import type { ApiClient } from '../kube/api-client.ts';
import type { KnownObject } from '../kube/census.ts';
import { type Discovered, discover } from '../kube/discovery.ts';
import { createGate } from '../kube/gate.ts';
import { createProber } from '../kube/prober.ts';
import { Reflector } from '../kube/reflector.ts';
import type { ReflectorOptions } from '../kube/reflector-options.ts';
import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';
import { qualifiedKind } from '../model/ref.ts';
import { type Resource, sourceOf } from '../model/resource.ts';
import type { Input } from '../model/turn.ts';
import type { StartReflection } from '../operator/tocsin-operator.ts';
import type { Logger } from '../telemetry/logger.ts';
import { watchedKinds } from '../world/kinds.ts';
import type { CoverageTracker } from './coverage-tracker.ts';

/** First lists at the same time, over all sources: they are what an API server pays most for. */
const listsAtOnce = 2;
/** What is served and allowed is looked at again this often. */
const rediscoverMs = 600_000;
/** While the API server cannot be asked what it serves: this, doubling to the above. */
const retryDiscoveryMs = 2_000;

/** What the sources need. */
export type SourcesOptions = {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  readonly board: CoverageTracker;
  readonly push: (input: Input) => void;
  /** Everything the world knows of a kind, with nothing left in the queue. */
  readonly known: (kind: string) => Iterable<KnownObject>;
};

/** Everything that is watched. */
export type Sources = {
  /** Finds out what is served and allowed, and watches it; goes on by itself. */
  start(): void;
  /** Watches one of our own kinds, on the same pool, gate and prober. */
  readonly reflect: StartReflection;
  /** Objects and last sign of life (epoch milliseconds) by source. */
  stats(): ReadonlyMap<string, { readonly objects: number; readonly heardAt: number }>;
  stop(): Promise<void>;
};

/** Watches the resource table: what is served and allowed is reflected into the queue, what is not becomes coverage. */
export function createSources(options: SourcesOptions): Sources {
  const { client, clock, random, log, board } = options;
  const gate = createGate(listsAtOnce);
  const prober = createProber({ client, clock, random });
  const running = new Map<string, Reflector>();
  let cancel: (() => void) | undefined;
  let retryMs = retryDiscoveryMs;
  let stopped = false;

  function see(coverage: Coverage): void {
    board.see(coverage);
    options.push({ kind: 'source', coverage });
  }

  function reflector(
    resource: Resource,
    version: string,
    handlers: Pick<ReflectorOptions, 'onEvents' | 'onCoverage' | 'known'>,
  ): Reflector {
    const made = new Reflector({
      client,
      resource,
      version,
      clock,
      random,
      gate,
      prober,
      log: (level, message, fields) => log[level](fields, message),
      ...handlers,
    });
    made.start();
    return made;
  }

  function take(found: Discovered): void {
    const source = sourceOf(found.resource);
    const watching = running.get(source);
    if (found.is === 'not') {
      if (watching) {
        running.delete(source);
        void watching.stop();
      }
      const { state, reason } = found.coverage;
      // Still the same: since when does not change either.
      if (board.row(source)?.state === state) return;
      log[state === 'Denied' ? 'warn' : 'info']({ source, reason }, state);
      see(found.coverage);
    } else if (found.is === 'watchable' && !watching) {
      running.set(
        source,
        reflector(found.resource, found.version, {
          onEvents: (events) => options.push({ kind: 'objects', source, events }),
          onCoverage: see,
          known: () => options.known(qualifiedKind(found.resource.group, found.resource.kind)),
        }),
      );
    }
  }

  /** Resolves with what could not be found out. */
  async function rediscover(): Promise<readonly string[]> {
    try {
      const found = await discover(client, watchedKinds, clock.now());
      if (stopped) return [];
      for (const each of found) take(each);
      board.complete();
      return found.flatMap((each) => (each.is === 'unknown' ? `${sourceOf(each.resource)}: ${each.why}` : []));
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  }

  async function look(): Promise<void> {
    const unknown = await rediscover();
    if (stopped) return;
    if (unknown.length > 0) log.warn({ unknown }, 'cannot find out all that the API server serves; trying again');
    const waitMs = unknown.length > 0 ? retryMs : rediscoverMs;
    retryMs = unknown.length > 0 ? Math.min(2 * retryMs, rediscoverMs) : retryDiscoveryMs;
    cancel = clock.after(waitMs, () => void look());
  }

  return {
    start() {
      for (const resource of watchedKinds) board.expect(sourceOf(resource), resource.required ?? false);
      void look();
    },
    reflect(resource, handlers) {
      const source = sourceOf(resource);
      board.expect(source, resource.required ?? false);
      const own = reflector(resource, resource.versions[0], handlers);
      running.set(source, own);
      return own;
    },
    stats: () =>
      new Map(
        [...running].map(([source, each]) => {
          const { objects, lastSignOfLife } = each.stats();
          return [source, { objects: objects ?? 0, heardAt: lastSignOfLife }];
        }),
      ),
    async stop() {
      stopped = true;
      cancel?.();
      await Promise.allSettled([...running.values()].map((each) => each.stop()));
      running.clear();
    },
  };
}
