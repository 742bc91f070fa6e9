import type { ApiClient } from '../kube/api-client.ts';
import type { KnownObject } from '../kube/census.ts';
import { trimmed, withoutSchemas } from '../kube/custom-definition.ts';
import { type Discovered, discover } from '../kube/discovery.ts';
import { Gate } from '../kube/gate.ts';
import { Prober } from '../kube/prober.ts';
import { Reflector } from '../kube/reflector.ts';
import type { ReflectorOptions } from '../kube/reflector-options.ts';
import { ServedChanges } from '../kube/served-changes.ts';
import { backoffMs } from '../model/backoff.ts';
import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';
import type { ObjectEvent } from '../model/raw-object.ts';
import { qualifiedKind } from '../model/ref.ts';
import { type Resource, sourceOf } from '../model/resource.ts';
import type { Input } from '../model/turn.ts';
import type { StartReflection } from '../operator/own-kinds.ts';
import type { Logger } from '../telemetry/logger.ts';
import { watchedKinds } from '../world/kinds.ts';
import type { CoverageTracker } from './coverage-tracker.ts';
import { CustomKinds, definitions, isTooLarge, isTooMany } from './custom-kinds.ts';
import { Gathering } from './gathering.ts';
import { Rediscovery } from './rediscovery.ts';

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

/**
 * Watches the resource table: what is served and allowed is reflected into the queue, what is not becomes coverage. Discovery
 * follows the definitions and API services of the cluster, within seconds.
 */
export class Sources {
  readonly #options: SourcesOptions;
  readonly #resources: readonly Resource[];
  readonly #gate = new Gate(listsAtOnce);
  readonly #prober: Prober;
  readonly #reflectors = new Map<string, Reflector>();
  readonly #served = new ServedChanges();
  readonly #custom = new CustomKinds();
  /** Whether the edition watches custom resources; `undefined` until it is known. */
  #watchesCustom: boolean | undefined;
  readonly #rediscovery: Rediscovery;
  /** Looks come one after the other: an older answer must not overrule a newer one. */
  #looking: Promise<void> = Promise.resolve();
  readonly #gatherings = new Set<Gathering>();
  #cancelLook: (() => void) | undefined;
  /** Discoveries in a row that left something unknown. */
  #failures = 0;
  #stopped = false;

  constructor(options: SourcesOptions) {
    this.#options = options;
    this.#resources = options.resources ?? watchedKinds;
    this.#prober = new Prober(options);
    this.#rediscovery = new Rediscovery(options.clock, (groups) => this.#lookAt(groups));
  }

  /** Finds out what is served and allowed, and watches it; goes on by itself. */
  start(): void {
    const { coverage } = this.#options;
    for (const resource of this.#resources) coverage.expect(sourceOf(resource), resource.required ?? false);
    coverage.complete();
    this.#lookAtAll();
  }

  /** Watches one of our own kinds, on the same pool, gate and prober. */
  readonly reflect: StartReflection = (resource, handlers) => {
    this.#options.coverage.expect(sourceOf(resource), resource.required ?? false);
    return this.#watch(resource, resource.versions[0], handlers);
  };

  /** The edition is known: whether it watches custom resources. */
  watchCustom(watches: boolean): void {
    if (this.#watchesCustom === watches) return;
    this.#watchesCustom = watches;
    this.#rediscovery.touch([...this.#custom.resources()].map(({ group }) => group));
  }

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
    this.#rediscovery.stop();
    await Promise.allSettled([...this.#reflectors.values()].map((reflector) => reflector.stop()));
    this.#reflectors.clear();
    for (const gathering of this.#gatherings) gathering.flush();
    this.#gatherings.clear();
  }

  /** Looks at everything, and plans to do so again. */
  #lookAtAll(): void {
    this.#looking = this.#looking.then(async () => {
      const { clock, rediscoverMs = usualRediscoverMs } = this.#options;
      const allKnown = await this.#look(this.#everything());
      if (this.#stopped) return;
      this.#failures = allKnown ? 0 : this.#failures + 1;
      const waitMs = allKnown ? rediscoverMs : backoffMs(retryWaits, this.#failures);
      this.#cancelLook = clock.after(waitMs, () => this.#lookAtAll());
    });
  }

  /** Looks at some API groups between the usual looks. What cannot be found out is left to these. */
  #lookAt(groups: ReadonlySet<string>): void {
    const resources = this.#everything().filter(({ group }) => groups.has(group));
    if (resources.length > 0) this.#looking = this.#looking.then(async () => void (await this.#look(resources)));
  }

  #everything(): readonly Resource[] {
    const custom = this.#watchesCustom === undefined ? [] : this.#custom.resources();
    return [...this.#resources, ...custom];
  }

  /** Whether all could be found out. */
  async #look(resources: readonly Resource[]): Promise<boolean> {
    const { client, clock, log } = this.#options;
    if (this.#stopped) return true;
    const found = await discover(client, resources, clock.now());
    if (this.#stopped) return true;
    for (const each of found) {
      if (this.#custom.has(sourceOf(each.resource))) await this.#takeCustom(each);
      else this.#take(each);
      if (this.#stopped) return true;
    }
    const unknown = found.flatMap((each) => (each.is === 'unknown' ? `${sourceOf(each.resource)}: ${each.why}` : []));
    if (unknown.length > 0) log.warn({ unknown }, 'cannot find out all that the API server serves; trying again');
    return unknown.length === 0;
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

  /** A kind that a definition defines: what may not be watched has no row, as nobody has asked for it. */
  async #takeCustom(found: Discovered): Promise<void> {
    const { resource } = found;
    const source = sourceOf(resource);
    const isKnown = this.#options.coverage.row(source) !== undefined;
    if (found.is === 'watchable') {
      const why = await this.#whyNot(resource, found.version);
      if (why === undefined) this.#take(found);
      else if (why !== 'Unknown') this.#take({ is: 'unwatchable', resource, coverage: this.#disabled(resource, why) });
    } else if (isKnown) this.#take(found);
    if (found.is === 'unwatchable' && found.coverage.state === 'NotServed') this.#custom.notServed(source);
  }

  /** Why a custom resource that may be watched is not; `Unknown`: that cannot be told now, and the next look tries again. */
  async #whyNot(resource: Resource, version: string): Promise<'NotLicensed' | 'TooLarge' | 'Unknown' | undefined> {
    if (this.#watchesCustom !== true) return 'NotLicensed';
    const watched = this.#reflectors.get(sourceOf(resource))?.stats().objects;
    if (watched !== undefined || this.#reflectors.has(sourceOf(resource)))
      return isTooMany(watched ?? 0) ? 'TooLarge' : undefined;
    try {
      return (await isTooLarge(this.#options.client, resource, version)) ? 'TooLarge' : undefined;
    } catch (error) {
      this.#options.log.warn({ err: error, source: sourceOf(resource) }, 'cannot find out how much there is of it');
      return 'Unknown';
    }
  }

  #disabled(resource: Resource, reason: 'NotLicensed' | 'TooLarge'): Coverage {
    const since = this.#options.clock.now();
    return { source: sourceOf(resource), kind: resource.kind, state: 'Disabled', reason, since, required: false };
  }

  /** A row that no reflector reports. While it says the same, its since stays the same too. */
  #report(coverage: Coverage): void {
    const { source, state, reason } = coverage;
    const last = this.#options.coverage.row(source);
    if (last?.state === state && last.reason === reason) return;
    this.#options.log[state === 'NotServed' || state === 'Disabled' ? 'info' : 'warn']({ source, reason }, state);
    this.#see(last?.state === state ? { ...coverage, since: last.since } : coverage);
  }

  #see(coverage: Coverage): void {
    this.#options.coverage.see(coverage);
    this.#options.push({ kind: 'source', coverage });
  }

  #watchWorld(resource: Resource, version: string): void {
    const source = sourceOf(resource);
    const push = (events: readonly ObjectEvent[]): void => this.#hear(source, events);
    const { gatherSeconds } = resource;
    const gathering = gatherSeconds && new Gathering(this.#options.clock, gatherSeconds * 1000, push);
    if (gathering) this.#gatherings.add(gathering);
    this.#watch(resource, version, {
      onEvents: (events) => (gathering ? gathering.add(events) : push(events)),
      onCoverage: (coverage) => {
        // What a source showed comes before what becomes of it.
        if (gathering) gathering.flush();
        this.#see(coverage);
      },
      known: () => {
        if (gathering) gathering.flush();
        return this.#options.known(qualifiedKind(resource.group, resource.kind));
      },
    });
  }

  #hear(source: string, events: readonly ObjectEvent[]): void {
    const trim = this.#custom.has(source) ? trimmed : source === definitions ? withoutSchemas : undefined;
    const read = trim ? events.map(({ is, raw }) => ({ is, raw: trim(raw) })) : events;
    this.#options.push({ kind: 'objects', source, events: read });
    this.#custom.take(source, events);
    const groups = this.#served.take(source, events);
    if (groups.size > 0) this.#rediscovery.touch(groups);
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
