import type { ApiClient } from '../../kube/api-client.ts';
import type { KnownObject } from '../../kube/census.ts';
import { trimmed, withoutSchemas } from '../../kube/custom-definition.ts';
import { type Discovered, discover } from '../../kube/discovery.ts';
import { ServedChanges } from '../../kube/served-changes.ts';
import type { Clock } from '../../model/clock.ts';
import type { Coverage } from '../../model/coverage.ts';
import type { ObjectEvent } from '../../model/raw-object.ts';
import { qualifiedKind } from '../../model/ref.ts';
import { type Resource, sourceOf } from '../../model/resource.ts';
import type { Input } from '../../model/turn.ts';
import type { StartReflection } from '../../operator/own-kinds.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { optedKinds, watchedKinds } from '../../world/kinds/kinds.ts';
import type { CoverageTracker } from './coverage-tracker.ts';
import { CustomKinds, definitions, isTooLarge, isTooMany } from './custom-kinds.ts';
import { Gathering } from './gathering.ts';
import { Looks } from './looks.ts';
import { Rediscovery } from './rediscovery.ts';
import { Reflectors, type SourceStats } from './reflectors.ts';

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

/** All kinds that definitions define, as one row: it says whether the edition watches them. */
const customSource = { source: 'customresources', kind: 'CustomResource' } as const;

/**
 * Watches the resource table: what is served and allowed is reflected into the queue, what is not becomes coverage. Discovery
 * follows the definitions and API services of the cluster, within seconds.
 */
export class Sources {
  readonly #options: SourcesOptions;
  readonly #resources: readonly Resource[];
  readonly #reflectors: Reflectors;
  readonly #served = new ServedChanges();
  readonly #custom = new CustomKinds();
  /** Whether the edition watches what needs a licence; `undefined` until it is known. Until then, and without, nobody asks for it. */
  #isLicensed: boolean | undefined;
  readonly #rediscovery: Rediscovery;
  readonly #looks: Looks;
  readonly #gatherings = new Set<Gathering>();
  #stopped = false;

  constructor(options: SourcesOptions) {
    this.#options = options;
    this.#resources = options.resources ?? [...watchedKinds, ...optedKinds];
    this.#reflectors = new Reflectors(options);
    this.#looks = new Looks({
      clock: options.clock,
      everyMs: options.rediscoverMs,
      everything: () => this.#everything(),
      look: (resources) => this.#look(resources),
    });
    this.#rediscovery = new Rediscovery(options.clock, (groups) =>
      this.#looks.at(() => this.#everything().filter(({ group }) => groups.has(group))),
    );
  }

  /** Finds out what is served and allowed, and watches it; goes on by itself. */
  start(): void {
    const { coverage } = this.#options;
    for (const resource of this.#everything()) coverage.expect(sourceOf(resource), resource.required ?? false);
    coverage.complete();
    this.#looks.start();
  }

  /** Watches one of our own kinds, on the same pool, gate and prober. */
  readonly reflect: StartReflection = (resource, handlers) => {
    this.#options.coverage.expect(sourceOf(resource), resource.required ?? false);
    return this.#reflectors.watch(resource, resource.versions[0], handlers);
  };

  /** The edition is known: whether it watches what needs a licence. The baseline waits for nothing of that before. */
  license(isLicensed: boolean): void {
    if (this.#isLicensed === isLicensed) return;
    this.#isLicensed = isLicensed;
    this.#report(this.#row(customSource, isLicensed ? undefined : 'NotLicensed'));
    for (const resource of this.#needingLicense())
      if (!isLicensed) this.#leave(resource);
      else if (resource.optIn) this.#options.coverage.expect(sourceOf(resource), false);
    if (isLicensed) this.#looks.at(() => this.#needingLicense());
  }

  /** By source. */
  stats(): ReadonlyMap<string, SourceStats> {
    return this.#reflectors.stats();
  }

  /** Resolves when no request is under way any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#looks.stop();
    this.#rediscovery.stop();
    await this.#reflectors.stop();
    for (const gathering of this.#gatherings) gathering.flush();
    this.#gatherings.clear();
  }

  /** What is asked for: nothing that the edition leaves out anyway. */
  #everything(): readonly Resource[] {
    const free = this.#resources.filter(({ licensed = false }) => !licensed);
    return this.#isLicensed === true ? [...free, ...this.#needingLicense()] : free;
  }

  #needingLicense(): readonly Resource[] {
    return [...this.#resources.filter(({ licensed = false }) => licensed), ...this.#custom.resources()];
  }

  /** Without a licence it is watched no more. A custom kind that nobody has watched has no row of its own. */
  #leave(resource: Resource): void {
    const source = sourceOf(resource);
    if (this.#custom.has(source) && this.#options.coverage.row(source) === undefined) return;
    this.#take({ is: 'unwatchable', resource, coverage: this.#rowOf(resource, 'NotLicensed') });
  }

  /** Whether all could be found out. */
  async #look(resources: readonly Resource[]): Promise<boolean> {
    const { client, clock, log } = this.#options;
    if (this.#stopped) return true;
    const found = await discover(client, resources, clock.now());
    for (const each of found) {
      if (this.#stopped) return true;
      // The licence may have ended meanwhile.
      const isCustom = this.#custom.has(sourceOf(each.resource));
      if ((isCustom || each.resource.licensed) && this.#isLicensed !== true) continue;
      if (isCustom) await this.#takeCustom(each);
      else this.#take(each.resource.optIn ? this.#optedOut(each) : each);
    }
    const unknown = found.flatMap((each) => (each.is === 'unknown' ? `${sourceOf(each.resource)}: ${each.why}` : []));
    if (unknown.length > 0) log.warn({ unknown }, 'cannot find out all that the API server serves; trying again');
    return unknown.length === 0;
  }

  #take(found: Discovered): void {
    const source = sourceOf(found.resource);
    const isWatched = this.#reflectors.has(source);
    if (found.is === 'watchable') {
      if (!isWatched) this.#watchWorld(found.resource, found.version);
    } else if (found.is === 'unwatchable') {
      this.#reflectors.drop(source);
      this.#report(found.coverage);
    } else if (!isWatched) this.#report(found.coverage);
  }

  /** What is off unless it is allowed lacks nothing where it is not. */
  #optedOut(found: Discovered): Discovered {
    const isDenied = found.is === 'unwatchable' && found.coverage.state === 'Denied';
    return isDenied ? { ...found, coverage: this.#rowOf(found.resource, 'OptIn') } : found;
  }

  /** A kind that a definition defines: what may not be watched has no row, as nobody has asked for it. */
  async #takeCustom(found: Discovered): Promise<void> {
    const { resource } = found;
    const source = sourceOf(resource);
    const isKnown = this.#options.coverage.row(source) !== undefined;
    if (found.is === 'watchable') {
      const tooLarge = await this.#isTooLarge(resource, found.version);
      if (this.#stopped || this.#isLicensed !== true) return;
      if (tooLarge === false) this.#take(found);
      else if (tooLarge) this.#take({ is: 'unwatchable', resource, coverage: this.#rowOf(resource, 'TooLarge') });
    } else if (isKnown) this.#take(found);
    if (found.is === 'unwatchable' && found.coverage.state === 'NotServed') this.#custom.notServed(source);
  }

  /** Whether there is too much of a custom resource; `undefined`: that cannot be told now, and the next look tries again. */
  async #isTooLarge(resource: Resource, version: string): Promise<boolean | undefined> {
    const source = sourceOf(resource);
    if (this.#reflectors.has(source)) return isTooMany(this.#reflectors.objects(source) ?? 0);
    try {
      return await isTooLarge(this.#options.client, resource, version);
    } catch (error) {
      this.#options.log.warn({ err: error, source }, 'cannot find out how much there is of it');
      return undefined;
    }
  }

  #rowOf(resource: Resource, reason: 'NotLicensed' | 'TooLarge' | 'OptIn'): Coverage {
    return this.#row({ source: sourceOf(resource), kind: resource.kind }, reason);
  }

  /** `why`: it is disabled. */
  #row(of: Pick<Coverage, 'source' | 'kind'>, why: 'NotLicensed' | 'TooLarge' | 'OptIn' | undefined): Coverage {
    const is =
      why === undefined
        ? ({ state: 'Watching', reason: 'Synced' } as const)
        : ({ state: 'Disabled', reason: why } as const);
    return { ...of, ...is, since: this.#options.clock.now(), required: false };
  }

  /** A row that no reflector reports. While it says the same, its since stays the same too. */
  #report(coverage: Coverage): void {
    const { source, state, reason } = coverage;
    const last = this.#options.coverage.row(source);
    if (last?.state === state && last.reason === reason) return;
    const level = state === 'Denied' || state === 'Failing' ? 'warn' : last === undefined ? 'debug' : 'info';
    this.#options.log[level]({ source, reason }, state);
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
    this.#reflectors.watch(resource, version, {
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
    // Of what nobody has watched nothing need be seen to end.
    for (const gone of this.#custom.gone())
      if (this.#options.coverage.row(gone) === undefined) this.#custom.notServed(gone);
    const groups = this.#served.take(source, events);
    if (groups.size > 0) this.#rediscovery.touch(groups);
  }
}
