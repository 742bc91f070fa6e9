import { createLease } from '../kube/lease.ts';
import { AnchoredClock } from '../model/anchored-clock.ts';
import { startServer } from '../server/server.ts';
import { type ActiveOperator, startActiveOperator } from './active-operator.ts';
import { healthOf, readinessOf, type Vitals } from './health.ts';
import type { RuntimeOptions } from './options.ts';
import { createPages } from './pages.ts';
import { pause } from './waiting.ts';

/** A turn that has been due for this long without running means that the process is stuck. */
const stuckMs = 60_000;
/** Between two tries to read what is needed before the first turn. */
const retryStartMs = 2_000;

/** The operator while it runs. */
export type Runtime = {
  readonly port: number;
  /** Resolves, with why, when the process should end by itself: the lock went to another, or a turn failed. */
  readonly ended: Promise<Error>;
  /** Drains and stops in order; resolves when nothing is left. */
  stop(): Promise<void>;
};

/**
 * Composes everything and starts it: endpoints first (a waiting Pod is alive and unready), then the lock, then state, sources
 * and the custom resources. Deliveries, status and Events are only written while the lock is held.
 */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { client, clock: hostClock, random, log, metrics, namespace } = options;
  const clock = new AnchoredClock(hostClock, (milliseconds) =>
    log.warn(
      { seconds: Math.round(milliseconds / 1000) },
      milliseconds > 0
        ? 'the clock of this node was set forward, or the machine slept; it is followed once that has lasted 30 s'
        : 'the clock of this node was set back; nothing waits for it: times here meet it in ten times as long, or at once after a restart',
    ),
  );
  const end = Promise.withResolvers<Error>();
  const stopping = new AbortController();
  let work: ActiveOperator | undefined;
  let beginning: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  let held = false;

  const vitals = (): Vitals => ({
    version: options.version,
    lockHeld: held,
    stateLoaded: work !== undefined,
    requiredSynced: work?.requiredSynced() ?? false,
    coverage: work?.coverage() ?? [],
    stats: work?.stats() ?? new Map(),
    providers: work?.settings().providers ?? [],
    failing: (provider) => work?.failing(provider.ref) ?? false,
    configInvalid: work?.configInvalid() ?? false,
  });

  const server = await startServer({
    ...options.listen,
    metrics,
    log,
    views: {
      health: () => healthOf(vitals()),
      ready: () => readinessOf(vitals()),
      alive: () => {
        const since = work?.waitingSince();
        return since === undefined || clock.now() - since < stuckMs;
      },
      ...createPages(client, () => work),
      now: () => clock.now(),
    },
  });
  log.info({ port: server.port, namespace, version: options.version }, 'endpoints are up; waiting for the state lock');

  /** Once the lock has been held: begins, however often the API server must be asked. The lock may go meanwhile. */
  async function begin(): Promise<void> {
    while (!stopping.signal.aborted && !work) {
      try {
        work = await startActiveOperator({ ...options, clock, hostClock }, end.resolve, stopping.signal);
        if (held) work.resume();
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error }, 'cannot start yet');
        await pause(clock, retryStartMs, stopping.signal);
      }
    }
  }

  const lease = createLease({
    client,
    namespace,
    name: 'tocsin',
    identity: options.identity,
    clock,
    random,
    log: (level, message, fields) => log[level](fields, message),
    onHeld() {
      held = true;
      metrics.set('tocsin_lease_held', {}, 1);
      log.info({ identity: options.identity }, 'the state lock is held');
      if (work) work.resume();
      else beginning ??= begin();
    },
    onLost(why) {
      held = false;
      metrics.set('tocsin_lease_held', {}, 0);
      work?.pause();
      log.warn({ why, holder: lease.holder() }, 'the state lock is lost; deliveries pause');
      if (why === 'taken') end.resolve(new Error(`the state lock was taken by ${lease.holder() ?? 'another process'}`));
    },
  });
  lease.start();

  async function stop(): Promise<void> {
    log.info('stopping');
    stopping.abort();
    await beginning;
    await work?.stop();
    // Last: whoever waits for the lock may act from then on.
    await lease.stop();
    await server.close();
  }

  return {
    port: server.port,
    ended: end.promise,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
