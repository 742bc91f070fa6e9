import { Dispatcher } from '../delivery/dispatcher.ts';
import type { ApiClient } from '../kube/api-client.ts';
import { EventRecorder } from '../kube/events.ts';
import { fencedClient } from '../kube/fenced-client.ts';
import { readLog } from '../kube/logs.ts';
import { ProviderSecrets } from '../kube/secrets.ts';
import { handedOver } from '../message/handover.ts';
import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';
import type { Incident } from '../model/incident.ts';
import type { ProviderView } from '../model/provider-view.ts';
import { kindOf, nameOf, namespaceOf, type Ref } from '../model/ref.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../model/settings.ts';
import type { DeadLetter } from '../model/store.ts';
import type { Effects, Input } from '../model/turn.ts';
import { CustomResources } from '../operator/operator.ts';
import { MemoryStore } from '../state/memory.ts';
import { Core } from '../turn/core.ts';
import { CoverageTracker } from './coverage-tracker.ts';
import { EvidenceFetcher } from './evidence.ts';
import { exposeGauges } from './gauges.ts';
import { Loop } from './loop.ts';
import type { RuntimeOptions } from './options.ts';
import { createOutbound, type Outbound } from './outbound.ts';
import { dispatchedTypes, providerTraits } from './provider-types.ts';
import { createRecorder } from './recorder.ts';
import { ServiceFinder } from './service-finder.ts';
import { ServiceNetworks } from './service-networks.ts';
import { type SourceStats, Sources } from './sources.ts';
import { withTimeout } from './timeout.ts';
import { trimMemory } from './trim-memory.ts';

/** Deliveries that are due get this long to go out when the process is asked to stop. */
const drainMs = 10_000;
/** Requests to the API server that are under way at a stop (statuses, Events) are waited for this long. */
const farewellMs = 5_000;
/** After the baseline: by then its turn is over, and what it told has been sent. Milliseconds. */
const givingBackMs = 5_000;

/** What it works with. */
export type ActiveOperatorOptions = Omit<RuntimeOptions, 'clock' | 'listen'> & {
  /** Never goes back. */
  readonly clock: Clock;
  /** The host's own clock, which may be set in both directions: for what is compared with other machines' clocks. */
  readonly hostClock: Clock;
  /** Whether the state lock is held at this very moment. */
  readonly holdsLock: () => boolean;
  /** Told of the bug that ended a turn: nothing goes on from there. */
  readonly crashed: (error: Error) => void;
};

/** Reads what the first turn needs and starts to work. Rejects when the API server cannot be asked or `signal` fires. */
export async function startActiveOperator(
  options: ActiveOperatorOptions,
  signal: AbortSignal,
): Promise<ActiveOperator> {
  const active = new ActiveOperator(options, await clusterIdOf(options.client, signal));
  await active.start();
  return active;
}

/** Everything that exists once the lock has been held. It begins paused. */
export class ActiveOperator {
  readonly #options: ActiveOperatorOptions;
  readonly #core: Core;
  readonly #store = new MemoryStore();
  readonly #events: EventRecorder;
  readonly #loop: Loop;
  readonly #coverage: CoverageTracker;
  readonly #sources: Sources;
  readonly #evidence: EvidenceFetcher;
  readonly #customResources: CustomResources;
  readonly #serviceNetworks: ServiceNetworks;
  readonly #outbound: Outbound;
  readonly #dispatcher: Dispatcher;
  #settings: Settings;
  #providers: ReadonlyMap<Ref, ProviderSettings> = new Map();
  #paused = true;

  /** `clusterId` tells this cluster from others. */
  constructor(options: ActiveOperatorOptions, clusterId: string) {
    const { client, clock, log, metrics, version } = options;
    this.#options = options;
    this.#settings = { ...defaultSettings, operatorNamespace: options.namespace };
    this.#core = new Core({ clusterId, version, traits: providerTraits });
    const ownClient = fencedClient(client, options.holdsLock);
    this.#events = new EventRecorder({
      ...{ client: ownClient, clock, component: 'tocsin', instance: options.identity },
      onError: (error, { about, reason }) => log.warn({ err: error, about: about.name, reason }, 'cannot write Event'),
    });
    this.#loop = this.#createLoop(clusterId);
    this.#coverage = new CoverageTracker(clock, () => {
      this.#push({ kind: 'baseline' });
      clock.after(givingBackMs, trimMemory);
    });
    this.#sources = this.#createSources();
    this.#evidence = new EvidenceFetcher({
      readLog: (request) => readLog(client, request),
      clock,
      found: (evidence) => this.#push({ kind: 'evidence', evidence }),
      failed: ({ pod }, error) => log.info({ err: error, pod }, 'no log lines for a message'),
    });
    this.#customResources = this.#createCustomResources(ownClient);
    this.#serviceNetworks = new ServiceNetworks(ownClient, clock);
    const services = new ServiceFinder(ownClient, clock);
    this.#outbound = createOutbound({
      ...{ clock: options.hostClock, version, namespace: options.namespace },
      settings: () => this.#settings,
      serviceCidrs: () => this.#serviceNetworks.cidrs,
      findService: (namespace, name) => services.find(namespace, name),
    });
    this.#dispatcher = this.#createDispatcher();
    exposeGauges(metrics, {
      coverage: () => this.coverage(),
      stats: () => this.stats(),
      incidents: () => this.incidents(),
      providers: () => this.#settings.providers,
    });
  }

  /** Begins to watch. */
  async start(): Promise<void> {
    await this.#customResources.start();
    this.#sources.start();
  }

  /** What the custom resources say now. */
  settings(): Settings {
    return this.#settings;
  }

  /** What is known of every source. */
  coverage(): readonly Coverage[] {
    return this.#coverage.rows();
  }

  /** By source. */
  stats(): ReadonlyMap<string, SourceStats> {
    return this.#sources.stats();
  }

  /** All required sources have synced at least once and are not denied or gone now. */
  requiredSynced(): boolean {
    return this.#coverage.requiredSynced();
  }

  /** An AlertConfig or an AlertProvider cannot be used as it is. */
  configInvalid(): boolean {
    return this.#customResources.configInvalid();
  }

  /** All that are known. */
  incidents(): Iterable<Incident> {
    return this.#core.view.incidents();
  }

  /** Deliveries that ended as failed and are kept, oldest first. */
  deadLetters(): readonly DeadLetter[] {
    return this.#store.deadLetters();
  }

  /** What became of a provider's deliveries since the start. */
  delivery(provider: Ref): ProviderView {
    return this.#dispatcher.view(provider);
  }

  /** Since when (monotonic milliseconds) a turn has been due without running, if one is. */
  waitingSince(): number | undefined {
    return this.#loop.waitingSince();
  }

  /** Without the lock nothing leaves this process: no delivery, no status, no Event. */
  pause(): void {
    this.#paused = true;
    this.#dispatcher.pause();
    this.#customResources.pause();
    this.#push({ kind: 'lease', held: false });
  }

  /** The lock is held. */
  resume(): void {
    this.#paused = false;
    this.#dispatcher.resume();
    this.#customResources.resume();
    this.#push({ kind: 'lease', held: true });
  }

  /** Sends what is due, and resolves when nothing is left. */
  async stop(): Promise<void> {
    this.#serviceNetworks.stop();
    this.#coverage.stop();
    this.#evidence.stop();
    await this.#sources.stop();
    this.#loop.drain();
    await this.#dispatcher.stop(drainMs);
    await this.#outbound.close();
    // What the last deliveries came to.
    this.#loop.drain();
    this.#loop.stop();
    await withTimeout(
      this.#options.clock,
      farewellMs,
      Promise.all([this.#customResources.stop(), this.#events.drain()]),
    );
  }

  #push(input: Input): void {
    this.#loop.push(input);
  }

  #createLoop(clusterId: string): Loop {
    const { clock, crashed, log, metrics, record: path, version } = this.#options;
    const failed = (error: unknown): void =>
      log.error({ err: error }, 'cannot write the recording; going on without it');
    const record = path === undefined ? undefined : createRecorder({ path, header: { clusterId, version }, failed });
    return new Loop({
      turn: this.#core.turn,
      clock,
      carry: (effects, _inputs, now) => this.#carry(effects, now),
      ...(record && { record }),
      observe(seconds, inputs) {
        metrics.observe('tocsin_turn_duration_seconds', {}, seconds);
        metrics.observe('tocsin_turn_inputs', {}, inputs);
      },
      crashed(error) {
        log.error({ err: error }, 'a turn failed: this is a bug; please report it with this log line');
        const why = error instanceof Error ? error.message : String(error);
        crashed(new Error(`a turn failed, which is a bug: ${why}`, { cause: error }));
      },
    });
  }

  #createSources(): Sources {
    const { client, clock, random, log } = this.#options;
    return new Sources({
      ...{ client, clock, random, log, coverage: this.#coverage },
      push: (input) => this.#push(input),
      known: (kind) => {
        this.#loop.drain();
        return this.#core.view.world.keys(kind);
      },
    });
  }

  #createCustomResources(client: ApiClient): CustomResources {
    const { clock, log, namespace } = this.#options;
    const { silences, incidents } = this.#core.view;
    return new CustomResources({
      ...{ client, clock, log, namespace, reflect: this.#sources.reflect },
      views: {
        provider: (ref) => this.delivery(ref),
        silence: (ref) => silences().get(ref),
        coverage: () => this.coverage(),
        incidents,
        failedDeliveries: () => this.deadLetters().length,
      },
      secrets: (lookup) => new ProviderSecrets({ client, clock, ...lookup }),
      recordEvent: (event) => this.#events.record(event),
      onSettings: (settings) => this.#configure(settings),
      onTest: (provider, nonce) => this.#push({ kind: 'test', provider, nonce }),
      onProviderChanged: (ref) => this.#dispatcher.providerChanged(ref),
      onCoverage: (row) => this.#coverage.see(row),
    });
  }

  #createDispatcher(): Dispatcher {
    const { clock, hostClock, random, log, metrics, holdsLock } = this.#options;
    return new Dispatcher({
      ...{ store: this.#store, clock, random, log, metrics, holdsLock, handedOver },
      hostNow: () => hostClock.now(),
      providers: () => this.#providers,
      types: (type) => dispatchedTypes.get(type),
      secrets: this.#customResources.secretSource,
      send: this.#outbound.send,
      mail: this.#outbound.mail,
      report: (report) => this.#push({ kind: 'outcome', report }),
      paused: this.#paused,
    });
  }

  #configure(settings: Settings): void {
    this.#settings = settings;
    this.#providers = new Map(settings.providers.map((provider) => [provider.ref, provider]));
    this.#push({ kind: 'settings', settings });
    this.#coverage.configured();
  }

  /** Carries out what a turn asked for: first the commit, nothing before it. */
  #carry(effects: Effects, now: number): void {
    this.#store.commit(effects.save);
    this.#dispatcher.kick();
    for (const request of effects.fetch) this.#evidence.request(request);
    if (!this.#paused) this.#writeEvents(effects.events);
    this.#options.metrics.count(effects.counters);
    this.#observeLag(effects.save.incidents, now);
    this.#customResources.touch(effects.statuses);
    this.#options.observe?.(effects, now);
  }

  #writeEvents(requests: Effects['events']): void {
    for (const { about, uid, type, reason, message } of requests) {
      const apiVersion = this.#core.view.world.apiVersionOf(about);
      if (apiVersion === undefined) continue;
      const subject = { apiVersion, kind: kindOf(about), namespace: namespaceOf(about), name: nameOf(about), uid };
      this.#events.record({ about: subject, type, reason, message });
    }
  }

  #observeLag(saved: readonly Incident[], now: number): void {
    for (const { openedAt, baseline, startedAt, explanation } of saved) {
      if (openedAt !== now || baseline) continue;
      const { severity } = explanation;
      const seconds = Math.max(0, now - startedAt) / 1000;
      this.#options.metrics.observe('tocsin_detection_lag_seconds', { severity }, seconds);
    }
  }
}

/** The UID of `kube-system`: what tells two clusters apart. */
async function clusterIdOf(client: ApiClient, signal: AbortSignal): Promise<string> {
  const namespace = await client.json<{ readonly metadata?: { readonly uid?: string } }>({
    path: '/api/v1/namespaces/kube-system',
    signal,
  });
  const uid = namespace.metadata?.uid;
  if (uid === undefined) throw new Error('the namespace kube-system has no UID');
  return uid;
}
