import { Lease } from '../kube/lease.ts';
import { sleep } from '../kube/sleep.ts';
import { AnchoredClock } from '../model/anchored-clock.ts';
import type { Clock } from '../model/clock.ts';
import { withoutLicense } from '../model/license.ts';
import { withoutState } from '../model/state-view.ts';
import { startServer } from '../server/server.ts';
import type { ServingPair } from '../server/serving-pair.ts';
import type { ServerViews } from '../server/views.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type ActiveOperator, startActiveOperator } from './active-operator.ts';
import { healthOf, hindrancesOf, readinessOf, type Vitals } from './health.ts';
import type { RuntimeOptions } from './loop/options.ts';
import { outageGraceMs, outlastsOutage } from './outage.ts';
import { createPages } from './pages.ts';
import { findOther, leaseName, refusal } from './saving/second-holder.ts';
import { exposeState } from './saving/state-gauges.ts';
import { StateVolume } from './saving/state-volume.ts';

/** A turn that has been due for this long without running means that the process is stuck. */
const stuckMs = 60_000;
/** Between two tries to read what is needed before the first turn. */
const retryStartMs = 2_000;

type Server = Awaited<ReturnType<typeof startServer>>;

/**
 * Composes everything and starts it: endpoints first (a waiting Pod is alive and unready), then the Lease, the state directory, state, sources
 * and the custom resources. Deliveries, status and Events are only written while the lock is held.
 */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const runtime = new Runtime(options);
  await runtime.start();
  return runtime;
}

/** The operator while it runs. */
export class Runtime {
  readonly #options: RuntimeOptions;
  readonly #clock: Clock;
  readonly #lease: Lease;
  readonly #volume: StateVolume | undefined;
  readonly #end = Promise.withResolvers<Error>();
  readonly #stopping = new AbortController();
  #server: Server | undefined;
  #active: ActiveOperator | undefined;
  #starting: Promise<void> | undefined;
  #activating: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: RuntimeOptions) {
    const { client, clock, clockDifference, log, metrics, namespace, identity, random } = options;
    this.#options = options;
    this.#clock = new AnchoredClock(clock, (milliseconds) => logStep(log, milliseconds));
    this.#lease = new Lease({
      client,
      namespace,
      identity,
      random,
      clock: this.#clock,
      name: leaseName,
      log: (level, message, fields) => log[level](fields, message),
      onHeld: () => this.#hold(),
      onExpired: () => this.#expire(),
      onTaken: (by) => {
        this.#active?.silence();
        this.#pause(`the state lock is lost: it was taken by ${by}; deliveries end here`);
        this.#end.resolve(new Error(`the state lock was taken by ${by}`));
      },
      onWaiting: (holder) => {
        const { identity: by, since, renews } = holder;
        log.info({ holder: by, since, renews }, `the state lock ${namespace}/${leaseName} is held by ${by}; waiting`);
        if (renews && options.secondHolder === 'refuse') this.#end.resolve(refusal(namespace, holder));
      },
    });
    this.#volume = this.#createVolume();
    metrics.set('tocsin_lease_held', {}, 0);
    metrics.beforeScrape(() =>
      metrics.set('tocsin_clock_difference_seconds', {}, (clockDifference?.milliseconds ?? 0) / 1000),
    );
    metrics.set('tocsin_build_info', { version: options.version, edition: withoutLicense.edition }, 1);
  }

  /** The port of the endpoints, once started. */
  get port(): number {
    return this.#server?.port ?? 0;
  }

  /** The port of the endpoints over TLS, while they are served. */
  get tlsPort(): number | undefined {
    return this.#server?.tlsPort;
  }

  /** Resolves, with why, when the process should end by itself: the lock went to another, or a turn failed. */
  get ended(): Promise<Error> {
    return this.#end.promise;
  }

  /** Resolves when the endpoints are up. */
  async start(): Promise<void> {
    const { log, metrics, listen, namespace, version } = this.#options;
    this.#server = await startServer({ ...listen, metrics, log, views: this.#views() });
    log.info({ port: this.port, namespace, version }, 'endpoints are up; waiting for the state lock');
    this.#starting = this.#options.secondHolder === 'refuse' ? this.#startAlone() : undefined;
    if (this.#starting === undefined) this.#lease.start();
  }

  /** Drains and stops in order; resolves when nothing is left. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#options.log.info('stopping');
    this.#stopping.abort();
    await this.#starting;
    await this.#activating;
    await this.#active?.stop();
    await this.#volume?.close();
    // Last: whoever waits for the lock may act from then on.
    await this.#lease.stop();
    await this.#server?.close();
  }

  /** Tries for the lock once no other Tocsin is found in another namespace: the two would write the same statuses. */
  async #startAlone(): Promise<void> {
    const { signal } = this.#stopping;
    const other = await findOther({ ...this.#options, clock: this.#clock }, signal);
    if (other) this.#end.resolve(other);
    else if (!signal.aborted) this.#lease.start();
  }

  #hold(): void {
    const { log, metrics, identity } = this.#options;
    metrics.set('tocsin_lease_held', {}, 1);
    log.info({ identity }, 'the state lock is held');
    this.#volume?.resume();
    if (this.#active) this.#active.resume();
    else this.#activating ??= this.#startActive();
  }

  /** Nothing is written in the cluster any more. Deliveries go by `mayTell`, each for itself. */
  #expire(): void {
    const goesOn = this.#mayTell()
      ? 'what is to be told goes out for five minutes more'
      : 'deliveries pause until it is';
    this.#pause(`the state lock is lost: it could not be renewed; ${goesOn}`);
  }

  /** Whether people may be told now: with the lock, and for a while without where only the API server is away. */
  #mayTell(): boolean {
    if (this.#lease.held()) return true;
    return outlastsOutage({
      edition: this.#active?.settings().edition ?? 'Community',
      holdsDirectory: this.#volume?.fences ?? false,
      isUnanswered: this.#lease.isUnanswered(outageGraceMs),
    });
  }

  #pause(why: string): void {
    this.#options.metrics.set('tocsin_lease_held', {}, 0);
    this.#active?.pause();
    this.#options.log.warn(why);
  }

  #createVolume(): StateVolume | undefined {
    const { stateDirectory: path, log, metrics } = this.#options;
    if (path === undefined) return undefined;
    const volume = new StateVolume({
      path,
      clock: this.#clock,
      log,
      mayTell: () => this.#mayTell(),
      crashed: (error) =>
        this.#end.resolve(new Error('the thread that saves state failed, which is a bug', { cause: error })),
    });
    exposeState(metrics, volume);
    return volume;
  }

  /** Once the lock has been held: waits for the state directory, then starts, however often the API server must be asked. The lock may go meanwhile. */
  async #startActive(): Promise<void> {
    const { signal } = this.#stopping;
    const volume = this.#volume;
    const found = volume && (await this.#orStop(volume.open()));
    const options = {
      ...this.#options,
      ...(volume && found && { state: { volume, found } }),
      clock: this.#clock,
      hostClock: this.#options.clock,
      holdsLock: () => this.#lease.held(),
      mayTell: () => this.#mayTell(),
      crashed: this.#end.resolve,
      hindrances: () => hindrancesOf(this.#vitals()),
      serveTls: async (pair: ServingPair | undefined) => this.#server?.serveTls(pair),
    };
    while (!signal.aborted && !this.#active) {
      try {
        this.#active = await startActiveOperator(options, signal);
        if (this.#lease.held()) this.#active.resume();
      } catch (error) {
        if (signal.aborted) return;
        this.#options.log.warn({ err: error }, 'cannot start yet');
        await sleep(this.#clock, retryStartMs, signal).catch(() => undefined);
      }
    }
  }

  /** What is waited for, or `undefined` once the process is to stop. */
  async #orStop<T>(work: Promise<T>): Promise<T | undefined> {
    const { signal } = this.#stopping;
    const stopped = Promise.withResolvers<undefined>();
    if (signal.aborted) stopped.resolve(undefined);
    signal.addEventListener('abort', () => stopped.resolve(undefined), { once: true });
    return Promise.race([work, stopped.promise]);
  }

  #views(): ServerViews {
    return {
      health: () => healthOf(this.#vitals()),
      ready: () => readinessOf(this.#vitals()),
      alive: () => !this.#isStuck(),
      ...createPages(
        this.#options.client,
        () => this.#active,
        () => this.#clock.now(),
        this.#options.agents,
      ),
      now: () => this.#clock.now(),
    };
  }

  #isStuck(): boolean {
    const since = this.#active?.waitingSince();
    return since !== undefined && this.#clock.monotonic() - since >= stuckMs;
  }

  #vitals(): Vitals {
    const active = this.#active;
    const lockHolder = this.#lease.otherHolder();
    return {
      version: this.#options.version,
      lockHeld: this.#lease.held(),
      ...(lockHolder && { lockHolder }),
      stateLoaded: active?.stateLoaded() ?? false,
      state: this.#volume?.view() ?? withoutState,
      requiredSynced: active?.requiredSynced() ?? false,
      coverage: active?.coverage() ?? [],
      stats: active?.stats() ?? new Map(),
      faults: [...(active?.faults() ?? [])],
      providers: active?.settings().providers ?? [],
      failing: ({ ref }) => active?.delivery(ref).failing ?? false,
      turnStuck: this.#isStuck(),
      configInvalid: active?.configInvalid() ?? false,
      auditFailing: active?.auditFailing() ?? false,
      license: active?.license() ?? withoutLicense,
      clockDiffers: this.#options.clockDifference?.differs ?? false,
    };
  }
}

function logStep(log: Logger, milliseconds: number): void {
  log.warn(
    { seconds: Math.round(milliseconds / 1000) },
    milliseconds > 0
      ? 'the clock of this node was set forward, or the machine slept; it is followed once that has lasted 30 s'
      : 'the clock of this node was set back; nothing waits for it: times here meet it in ten times as long, or at once after a restart',
  );
}
