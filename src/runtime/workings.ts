import { readFile } from 'node:fs/promises';
import { lostDeliveries } from '../delivery/dead-letters.ts';
import { Dispatcher } from '../delivery/dispatcher.ts';
import type { ApiClient } from '../kube/api-client.ts';
import type { EventRecorder } from '../kube/events.ts';
import { fencedClient } from '../kube/fenced-client.ts';
import { SecretReader } from '../kube/secret-reader.ts';
import { ProviderSecrets } from '../kube/secrets.ts';
import { trialSince } from '../kube/trial.ts';
import { includes } from '../model/edition.ts';
import type { ProviderView } from '../model/provider-view.ts';
import type { RedeliveryRequest } from '../model/redelivery.ts';
import type { Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import { withoutState } from '../model/state-view.ts';
import { CustomResources } from '../operator/operator.ts';
import { providers } from '../providers/registry.ts';
import type { Auditing } from '../state/audit/auditing.ts';
import { MemoryStore } from '../state/memory.ts';
import { Core } from '../turn/core.ts';
import { reportFaults } from './faults.ts';
import type { HubDesk } from './hub/desk.ts';
import type { HubMember } from './hub/member.ts';
import { createHubDesk, createHubMember } from './hub/observed-hub.ts';
import { Acting } from './loop/acting.ts';
import { createAuditing } from './loop/auditing.ts';
import { Carrier } from './loop/carrier.ts';
import { CurrentSettings } from './loop/current-settings.ts';
import type { EvidenceFetcher } from './loop/evidence.ts';
import type { Loop } from './loop/loop.ts';
import { createHeartbeat } from './loop/observed-heartbeat.ts';
import { createLoop } from './loop/observed-loop.ts';
import { createEventRecorder, createEvidence } from './loop/observed-objects.ts';
import type { ActiveOperatorOptions } from './loop/options.ts';
import { logBaseline } from './recording/decision-log.ts';
import { Trail } from './recording/trail.ts';
import { History } from './saving/history.ts';
import { SavedState } from './saving/saved-state.ts';
import { fencedOutbound } from './sending/fenced-outbound.ts';
import type { Heartbeat } from './sending/heartbeat.ts';
import { Listening } from './sending/listening.ts';
import { createOutbound, type Outbound } from './sending/outbound.ts';
import { dispatchedTypes, providerTraits } from './sending/provider-types.ts';
import { ReadBack } from './sending/read-back.ts';
import { ServingCertificate } from './serving-certificate.ts';
import { MemoryTrimmer } from './trim-memory.ts';
import { AlertsIn } from './watching/alerts-in.ts';
import { ApiServerChecks } from './watching/api-server-checks.ts';
import { ClusterAddresses } from './watching/cluster-addresses.ts';
import { CoverageTracker } from './watching/coverage-tracker.ts';
import { NodeStats } from './watching/node-stats.ts';
import { OwnSight } from './watching/own-sight.ts';
import { ServiceFinder } from './watching/service-finder.ts';
import { ServiceNetworks } from './watching/service-networks.ts';
import { Sources } from './watching/sources.ts';

/** Everything that works while the operator is active, each part made once and wired to the others. Nothing is started here. */
export class Workings {
  readonly core: Core;
  readonly store = new MemoryStore();
  readonly settings: CurrentSettings;
  readonly events: EventRecorder;
  readonly loop: Loop;
  readonly coverage: CoverageTracker;
  readonly sources: Sources;
  readonly nodeStats: NodeStats;
  readonly apiServerChecks: ApiServerChecks;
  readonly ownSight: OwnSight;
  readonly alertsIn: AlertsIn;
  readonly hubDesk: HubDesk;
  readonly hubMember: HubMember;
  readonly evidence: EvidenceFetcher;
  readonly customResources: CustomResources;
  readonly serviceNetworks: ServiceNetworks;
  readonly clusterAddresses = new ClusterAddresses(() => this.serviceNetworks.cidrs);
  readonly outbound: Outbound;
  readonly dispatcher: Dispatcher;
  readonly audit: Auditing;
  readonly trail = new Trail();
  readonly history: History;
  readonly heartbeat: Heartbeat;
  readonly servingCertificate: ServingCertificate;
  readonly acting: Acting;
  readonly listening: Listening;
  readonly readBack: ReadBack;
  readonly carrier: Carrier;
  readonly savedState: SavedState | undefined;

  /** `clusterId` tells this cluster from others. */
  constructor(options: ActiveOperatorOptions, clusterId: string) {
    const ownClient = fencedClient(options.client, options.holdsLock);
    this.core = new Core({ clusterId, version: options.version, traits: providerTraits, setsAside: true });
    this.history = new History(this.core.view, options.namespace);
    this.settings = new CurrentSettings(options.namespace);
    this.events = createEventRecorder(options, ownClient);
    this.loop = createLoop(options, clusterId, {
      turn: this.core.turn,
      carry: (effects, inputs, now) => {
        this.carrier.carry(effects, inputs, now);
        reportFaults(this.core.view.faults, options);
      },
    });
    this.coverage = this.#createCoverage(options);
    this.sources = this.#createSources(options);
    this.nodeStats = this.#createNodeStats(options);
    this.apiServerChecks = this.#createApiServerChecks(options);
    this.ownSight = new OwnSight({
      clock: options.clock,
      rows: () => this.coverage.rows(),
      hasSynced: (source) => this.coverage.hasSynced(source),
      push: (input) => this.loop.push(input),
    });
    this.alertsIn = this.#createAlertsIn(options);
    this.evidence = createEvidence(options, (evidence) => this.loop.push({ kind: 'evidence', evidence }));
    const reader = new SecretReader(ownClient, options.clock);
    this.customResources = this.#createCustomResources(options, ownClient, clusterId, reader);
    this.serviceNetworks = new ServiceNetworks(ownClient, options.clock);
    this.outbound = fencedOutbound(this.#createOutbound(options, ownClient), options.mayTell);
    this.dispatcher = this.#createDispatcher(options);
    this.heartbeat = createHeartbeat(options, {
      send: this.outbound.sendOwn,
      open: (fresh) => this.customResources.openHeartbeat(fresh),
      changed: () => this.customResources.touchConfig(),
    });
    this.hubDesk = createHubDesk(options, this);
    this.hubMember = createHubMember(options, this, clusterId);
    this.servingCertificate = this.#createServingCertificate(options, reader);
    this.audit = createAuditing(options, clusterId, {
      committed: () => this.store.durable(),
      changed: () => this.customResources.touchConfig(),
    });
    this.acting = this.#createActing(options, ownClient);
    this.listening = this.#createListening(options);
    this.readBack = this.#createReadBack(options, ownClient);
    this.carrier = this.#createCarrier(options);
    this.savedState = this.#createSavedState(options, clusterId);
  }

  #createCoverage({ clock, log }: ActiveOperatorOptions): CoverageTracker {
    return new CoverageTracker(clock, () => {
      this.loop.push({ kind: 'baseline' });
      logBaseline(this.coverage.rows(), log);
      new MemoryTrimmer(clock).start();
    });
  }

  #createSources({ client, clock, random, log, rediscoverMs }: ActiveOperatorOptions): Sources {
    return new Sources({
      client,
      clock,
      random,
      log,
      coverage: this.coverage,
      ...(rediscoverMs !== undefined && { rediscoverMs }),
      push: (input) => {
        this.clusterAddresses.take(input);
        this.loop.push(input);
      },
      known: (kind) => {
        this.loop.drain();
        return this.core.view.world.keys(kind);
      },
    });
  }

  #createNodeStats({ client, clock, random, log }: ActiveOperatorOptions): NodeStats {
    return new NodeStats({
      client,
      clock,
      random,
      log,
      world: this.core.view.world,
      settings: () => this.settings.get(),
      see: (coverage) => this.coverage.see(coverage),
      push: (input) => this.loop.push(input),
    });
  }

  #createApiServerChecks({ client, clock, log }: ActiveOperatorOptions): ApiServerChecks {
    return new ApiServerChecks({
      client,
      clock,
      log,
      settings: () => this.settings.get(),
      see: (coverage) => this.coverage.see(coverage),
      push: (input) => this.loop.push(input),
    });
  }

  #createAlertsIn({ clock, metrics }: ActiveOperatorOptions): AlertsIn {
    return new AlertsIn({
      clock,
      world: this.core.view.world,
      settings: () => this.settings.get().alertsIn,
      push: (input) => this.loop.push(input),
      drain: () => this.loop.drain(),
      count(taken) {
        for (const [outcome, by] of Object.entries(taken))
          if (by > 0) metrics.add('tocsin_alerts_in_total', { outcome }, by);
      },
    });
  }

  #createCustomResources(
    { clock, licenseKeys: keys, log, namespace, state }: ActiveOperatorOptions,
    client: ApiClient,
    clusterId: string,
    reader: SecretReader,
  ): CustomResources {
    const { mutes, routes, incidents, redelivery } = this.core.view;
    return new CustomResources({
      client,
      clock,
      log,
      namespace,
      reflect: this.sources.reflect,
      views: {
        provider: (ref) => this.delivery(ref),
        muted: (ref) => mutes().get(ref),
        routes: (ref) => routes()?.get(ref) ?? (routes() && []),
        coverage: () => this.coverage.rows(),
        incidents,
        redelivery,
        failedDeliveries: () => this.store.deadLetters().length,
        audit: () => this.audit.view(),
        heartbeat: () => this.heartbeat.view(),
        hub: () => this.hubMember.view(),
        servingCertificate: () => this.servingCertificate.view(),
        state: () => state?.volume.view() ?? withoutState,
      },
      secrets: (lookup) => new ProviderSecrets({ reader, ...lookup }),
      licenses: { clusterId, keys, reader, trialSince: () => trialSince(client, namespace) },
      recordEvent: (event) => this.events.record(event),
      onSettings: (settings) => this.#configure(settings),
      onTest: (provider, nonce) => this.loop.push({ kind: 'test', provider, nonce }),
      onRedeliver: (asked) => this.#redeliver(asked),
      onProviderChanged: (ref) => this.dispatcher.providerChanged(ref),
      onCoverage: (row) => this.coverage.see(row),
    });
  }

  #createOutbound({ hostClock, version, namespace, clock, env }: ActiveOperatorOptions, client: ApiClient): Outbound {
    const services = new ServiceFinder(client, clock);
    return createOutbound({
      clock: hostClock,
      version,
      namespace,
      settings: () => this.settings.get(),
      ownerOf: (address) => this.clusterAddresses.ownerOf(address),
      findService: (tenant, name) => services.find(tenant, name),
      pod: { env: env ?? {}, read: (file) => readFile(file, 'utf8') },
    });
  }

  #createDispatcher({ clock, hostClock, random, log, metrics, mayTell, namespace }: ActiveOperatorOptions): Dispatcher {
    return new Dispatcher({
      store: this.store,
      clock,
      random,
      log,
      metrics,
      namespace,
      // A saved delivery waits until its provider can be known.
      holdsLock: () => mayTell() && this.settings.areKnown,
      hostNow: () => hostClock.now(),
      providers: () => this.settings.providers(),
      types: (type) => dispatchedTypes.get(type),
      secrets: this.customResources.secretSource,
      send: this.outbound.send,
      mail: this.outbound.mail,
      aws: this.outbound.aws,
      report: (report) => this.loop.push({ kind: 'outcome', report }),
      paused: true,
    });
  }

  #createServingCertificate(
    { clock, hostClock, log, namespace, serveTls }: ActiveOperatorOptions,
    reader: SecretReader,
  ) {
    return new ServingCertificate({
      clock,
      hostClock,
      serve: serveTls,
      read: (name) => reader.open(namespace, name, true),
      changed: (view) => {
        if (view.is === 'failing') log.warn({ why: view.why }, 'the endpoints cannot be served over TLS');
        else log.info({ tls: view }, 'TLS of the endpoints');
        this.customResources.touchConfig();
      },
    });
  }

  #createActing({ log, namespace }: ActiveOperatorOptions, client: ApiClient): Acting {
    return new Acting({
      ...{ client, namespace, log, definitions: providers },
      provider: (ref) => this.settings.providers().get(ref),
      secrets: this.customResources.secretSource,
      send: this.outbound.send,
      reply: (press) => this.listening.replyTo(press),
    });
  }

  #createListening({ clock, log }: ActiveOperatorOptions): Listening {
    return new Listening({
      ...{ clock, log, definitions: providers },
      secrets: this.customResources.secretSource,
      ways: this.outbound.held,
      isReady: () => this.core.view.hasStarted(),
      cursor: (channel) => this.core.view.pressCursor(channel, clock.now()),
      heard: (heard) => this.loop.push({ kind: 'pressed', heard }),
    });
  }

  #createReadBack({ clock, log, namespace }: ActiveOperatorOptions, client: ApiClient): ReadBack {
    return new ReadBack({
      ...{ client, namespace, clock, log, definitions: providers },
      secrets: this.customResources.secretSource,
      send: this.outbound.send,
      incidents: () => this.core.view.incidents(),
      reference: (incident, uid) => this.store.reference(incident, uid),
      changed: (provider) => this.customResources.touch([provider]),
    });
  }

  #createCarrier({ log, metrics, observe }: ActiveOperatorOptions): Carrier {
    const { store, dispatcher, evidence, events, customResources, audit, trail, history, acting, hubMember } = this;
    return new Carrier({
      store,
      dispatcher,
      evidence,
      events,
      customResources,
      log,
      metrics,
      audit,
      trail,
      history,
      acting,
      hubMember,
      world: this.core.view.world,
      ...(observe && { observe }),
    });
  }

  /** What became of a provider's deliveries, across restarts where they are saved, and what is under way. */
  delivery(provider: Ref): ProviderView {
    const uid = this.settings.providers().get(provider)?.uid ?? '';
    const readBackFailure = this.readBack.failure(uid);
    const queue = this.dispatcher.queue(provider);
    return { ...this.core.view.ledger(uid), ...queue, ...(readBackFailure !== undefined && { readBackFailure }) };
  }

  #redeliver(asked: Omit<RedeliveryRequest, 'lost'>): void {
    const uid = this.settings.providers().get(asked.provider)?.uid ?? '';
    const lost = lostDeliveries(uid, this.store.deadLetters(), this.store.outbox());
    this.loop.push({ kind: 'redeliver', request: { ...asked, lost } });
  }

  #createSavedState({ state, clock, log }: ActiveOperatorOptions, clusterId: string): SavedState | undefined {
    if (state === undefined) return undefined;
    const { volume, found } = state;
    return new SavedState({
      directory: volume.directory,
      found,
      store: this.store,
      clusterId,
      clock,
      log,
      restored: (saved) => {
        this.audit.restore(saved.memos);
        this.history.restore(saved.memos, clock.now());
        this.loop.push({ kind: 'restored', saved });
      },
    });
  }

  #configure(settings: Settings): void {
    this.savedState?.configure(settings.edition, settings.editionIsKnown);
    this.settings.set(settings);
    this.listening.configure(settings);
    this.readBack.configure(settings);
    const { enabled, path } = settings.auditLog;
    this.audit.configure({ enabled, path }, settings.edition);
    this.heartbeat.configure(settings.heartbeat);
    const { enabled: isPageServed, tls } = settings.statusEndpoint;
    this.servingCertificate.configure(
      isPageServed || settings.alertsIn.enabled || settings.hub.enabled ? tls?.secretName : undefined,
    );
    this.loop.push({ kind: 'settings', settings });
    this.alertsIn.configure();
    this.hubDesk.configure();
    this.hubMember.configure(settings.hub);
    if (settings.editionIsKnown) this.sources.license(includes(settings.edition, 'proDetectors'));
    this.coverage.configured();
  }
}
