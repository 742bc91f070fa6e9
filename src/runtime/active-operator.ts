import type { Coverage } from '../model/coverage.ts';
import type { Fault } from '../model/faults.ts';
import type { ClusterRow, HubView } from '../model/hub.ts';
import type { Audience, Incident } from '../model/incident.ts';
import type { LicenseStanding } from '../model/license.ts';
import type { Notification } from '../model/notification.ts';
import type { ProviderView } from '../model/provider-view.ts';
import type { Ref } from '../model/ref.ts';
import type { SecretSource } from '../model/secret-source.ts';
import type { Settings } from '../model/settings.ts';
import type { DeadLetter } from '../model/store.ts';
import { emptyBatch } from '../model/turn.ts';
import type { Unclear, Why, WhyQuestion } from '../model/why.ts';
import type { PostedAlert } from '../server/alerts.ts';
import type { HubReply } from '../server/hub.ts';
import type { ReportQuestion, ReportView } from '../server/report-view.ts';
import type { AlertsTaken, StatusView } from '../server/views.ts';
import { clusterIdOf } from './cluster-id.ts';
import { exposeGauges } from './gauges.ts';
import { type OperatorSight, sightOf } from './loop/agents.ts';
import type { ActiveOperatorOptions } from './loop/options.ts';
import { runningReport } from './running-report.ts';
import type { History } from './saving/history.ts';
import { withTimeout } from './timeout.ts';
import type { SourceStats } from './watching/reflectors.ts';
import { Workings } from './workings.ts';

/** Deliveries that are due get this long to go out when the process is asked to stop. */
const drainMs = 10_000;
/** Requests to the API server that are under way at a stop (statuses, Events) are waited for this long. */
const farewellMs = 5_000;

/** Reads what the first turn needs and starts to work. Rejects when the API server cannot be asked or `signal` fires. */
export async function startActiveOperator(
  options: ActiveOperatorOptions,
  signal: AbortSignal,
): Promise<ActiveOperator> {
  const active = new ActiveOperator(options, await clusterIdOf(options.client, signal));
  await active.start();
  return active;
}

/** The life of everything that exists once the lock has been held. It begins paused. */
export class ActiveOperator {
  readonly #options: ActiveOperatorOptions;
  readonly #workings: Workings;
  readonly #watchingSince: number;

  /** `clusterId` tells this cluster from others. */
  constructor(options: ActiveOperatorOptions, clusterId: string) {
    this.#options = options;
    this.#workings = new Workings(options, clusterId);
    this.#watchingSince = options.clock.now();
    exposeGauges(options.metrics, {
      coverage: () => this.coverage(),
      stats: () => this.stats(),
      incidents: () => this.incidents(),
      providers: () => this.settings().providers,
      license: () => this.license(),
      version: options.version,
    });
  }

  /** Begins to watch. */
  async start(): Promise<void> {
    this.#options.state?.volume.onChange(() => this.#workings.customResources.touchConfig());
    await this.#workings.customResources.start();
    this.#workings.sources.start();
    this.#workings.nodeStats.start();
    this.#workings.apiServerChecks.start();
    this.#workings.ownSight.start();
  }

  /** What the custom resources say now. */
  settings(): Settings {
    return this.#workings.settings.get();
  }

  /** What is known of every source. */
  coverage(): readonly Coverage[] {
    return this.#workings.coverage.rows();
  }

  /** By source. */
  stats(): ReadonlyMap<string, SourceStats> {
    return this.#workings.sources.stats();
  }

  /** What was set aside, since a step threw on it. */
  faults(): Iterable<Fault> {
    return this.#workings.core.view.faults.all();
  }

  /** All required sources have synced at least once and are not denied or gone now. */
  requiredSynced(): boolean {
    return this.#workings.coverage.requiredSynced();
  }

  /** An AlertConfig or an AlertProvider cannot be used as it is. */
  configInvalid(): boolean {
    return this.#workings.customResources.configInvalid();
  }

  /** It is known whether there is saved state, and it is gone on from. */
  stateLoaded(): boolean {
    return this.#options.state === undefined || this.#workings.settings.areKnown;
  }

  /** The audit log is wanted and cannot be written. */
  auditFailing(): boolean {
    return this.#workings.audit.view().failure !== undefined;
  }

  /** How the licence stands. */
  license(): LicenseStanding {
    return this.#workings.customResources.license();
  }

  /** All that are known. */
  incidents(): Iterable<Incident> {
    return this.#workings.core.view.incidents();
  }

  /** What the message of an incident says at a time (epoch milliseconds). */
  words(incident: Incident, now: number, audience?: Audience): Notification {
    return this.#workings.core.view.words(incident, now, audience);
  }

  /** What agents are answered from, cut for an audience as `page` is. */
  sight(page: StatusView, audience: Audience, now: number): OperatorSight {
    return sightOf(this.#workings.core.view, page, { audience, now, coverage: this.coverage() });
  }

  /** Since when (epoch milliseconds) this process has watched. */
  get watchingSince(): number {
    return this.#watchingSince;
  }

  /** What is remembered of incidents that are over. */
  history(): History {
    return this.#workings.history;
  }

  /** What became of an incident, or of those of an object, or what would at a time (epoch milliseconds). */
  why(asked: WhyQuestion, now: number, at: number): Why | Unclear {
    return this.#workings.core.view.why(asked, now, at);
  }

  /** What a report of what is known at a time (epoch milliseconds) is made of. Unclear where what it is asked for is no object's name. */
  report(asked: ReportQuestion, now: number): ReportView | Unclear {
    return runningReport(this.#workings, asked, now);
  }

  /** Deliveries that ended as failed and are kept, oldest first. */
  deadLetters(): readonly DeadLetter[] {
    return this.#workings.store.deadLetters();
  }

  /** What became of a provider's deliveries, and what is under way. */
  delivery(provider: Ref): ProviderView {
    return this.#workings.delivery(provider);
  }

  /** Whether it is known whether alerts are taken, and the cluster that they are about is seen. */
  get takesAlerts(): boolean {
    return this.#workings.settings.areKnown && this.#workings.coverage.requiredSynced();
  }

  /** Takes alerts that were posted. */
  takeAlerts(posted: readonly PostedAlert[]): AlertsTaken {
    return this.#workings.alertsIn.take(posted);
  }

  /** Opens the token with which alerts are sent: the value `token`. */
  openAlertsToken(): ReturnType<SecretSource['open']> {
    return this.#workings.customResources.openAlertsToken();
  }

  /** Whether it is known whether this is a hub, what its own cluster has is known, and it may tell. */
  get takesSummaries(): boolean {
    const { settings, core } = this.#workings;
    return settings.areKnown && core.view.hasStarted() && this.#options.mayTell();
  }

  /** Takes what a member of this hub has posted. */
  takeSummary(body: string): Promise<HubReply> {
    return this.#workings.hubDesk.take(body);
  }

  /** The members of this hub. */
  clusters(): readonly ClusterRow[] {
    return this.#workings.hubDesk.rows();
  }

  /** How it stands with the hub that this is a member of. */
  hub(): HubView {
    return this.#workings.hubMember.view();
  }

  /** Since when (monotonic milliseconds) a turn has been due without running, if one is. */
  waitingSince(): number | undefined {
    return this.#workings.loop.waitingSince();
  }

  /** Without the lock nothing is written in the cluster: no status, no Event. Deliveries go by `mayTell`. */
  pause(): void {
    const { carrier, customResources, audit, loop, listening, readBack } = this.#workings;
    listening.pause();
    readBack.pause();
    carrier.pause();
    customResources.pause();
    audit.lock(false);
    loop.push({ kind: 'lease', held: false });
  }

  /** The lock is another's: no delivery is begun any more. */
  silence(): void {
    this.#workings.dispatcher.pause();
  }

  /** The lock is held. */
  resume(): void {
    const { carrier, dispatcher, customResources, audit, loop, listening, readBack } = this.#workings;
    carrier.resume();
    listening.resume();
    readBack.resume();
    dispatcher.resume();
    customResources.resume();
    audit.lock(true);
    loop.push({ kind: 'lease', held: true });
  }

  /** Sends what is due, and resolves when nothing is left. */
  async stop(): Promise<void> {
    const { serviceNetworks, coverage, evidence, sources, nodeStats, apiServerChecks, loop, dispatcher, outbound } =
      this.#workings;
    const { listening, audit, heartbeat, ownSight, servingCertificate, store, customResources, events } =
      this.#workings;
    listening.pause();
    this.#workings.readBack.pause();
    heartbeat.stop();
    ownSight.stop();
    this.#workings.alertsIn.stop();
    this.#workings.hubMember.stop();
    servingCertificate.stop();
    serviceNetworks.stop();
    coverage.stop();
    evidence.stop();
    await Promise.all([sources.stop(), nodeStats.stop(), apiServerChecks.stop()]);
    loop.drain();
    await dispatcher.stop(drainMs);
    await outbound.close();
    // What the last deliveries came to.
    loop.drain();
    loop.stop();
    await audit.stop();
    // What is in the log need not be written after the next start.
    store.commit({ ...emptyBatch, memos: audit.record([]) });
    await withTimeout(this.#options.clock, farewellMs, Promise.all([customResources.stop(), events.drain()]));
  }
}
