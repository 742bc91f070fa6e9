import { createDispatcher } from '../delivery/dispatcher.ts';
import { createSender } from '../delivery/send.ts';
import type { ApiClient } from '../kube/api-client.ts';
import { createEventRecorder } from '../kube/events.ts';
import { createLease } from '../kube/lease.ts';
import { readLog } from '../kube/logs.ts';
import { createSecretSource } from '../kube/secrets.ts';
import type { Clock } from '../model/clock.ts';
import { kindOf, nameOf, namespaceOf, type Ref } from '../model/ref.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../model/settings.ts';
import type { Effects, Input } from '../model/turn.ts';
import { type RunningOperator, startOperator } from '../operator/operator.ts';
import { startServer } from '../server/server.ts';
import { createMemoryStore } from '../state/memory.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type Core, createCore } from './core.ts';
import { createCoverageBoard } from './coverage-board.ts';
import { createEvidenceFetcher } from './evidence.ts';
import { healthOf, readinessOf, type Vitals } from './health.ts';
import { createLoop } from './loop.ts';
import { dispatchedTypes, everyIncidentTypes } from './provider-types.ts';
import { createRecorder } from './recorder.ts';
import { createSources } from './sources.ts';

/** A turn that has been due for this long without running means that the process is stuck. */
const stuckMs = 60_000;
/** Deliveries that are due get this long to go out when the process is asked to stop. */
const drainMs = 10_000;
/** Between two tries to read what is needed before the first turn. */
const retryStartMs = 2_000;

/** What the operator runs with. */
export type RuntimeOptions = {
  readonly client: ApiClient;
  /** Namespace of the operator: its objects speak for the whole cluster, the Lease lives there. */
  readonly namespace: string;
  /** Unique to this process: the Pod's name and a random part. */
  readonly identity: string;
  readonly version: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Records every turn's inputs, redacted, as JSON lines in this file. */
  readonly record?: string;
  /** Told of every turn's effects, after the commit; for the tests that compare a run with its replay. */
  readonly observe?: (effects: Effects, now: number) => void;
};

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
  const { client, clock, random, log, metrics, namespace } = options;
  const end = Promise.withResolvers<Error>();
  let begun: Begun | undefined;
  let beginning: Promise<void> | undefined;
  let held = false;
  let stopping = false;

  const vitals = (): Vitals => {
    const providers = begun?.settings().providers ?? [];
    return {
      version: options.version,
      lockHeld: held,
      stateLoaded: begun !== undefined,
      requiredSynced: begun?.board.requiredSynced() ?? false,
      coverage: begun?.board.rows() ?? [],
      stats: begun?.sources.stats() ?? new Map(),
      providers,
      failing: (provider) => begun?.dispatcher.view(provider.ref).failing ?? false,
      configInvalid: providers.some(({ active }) => active.reason === 'Invalid'),
    };
  };

  const server = await startServer({
    ...options.listen,
    metrics,
    log,
    views: {
      health: () => healthOf(vitals()),
      ready: () => readinessOf(vitals()),
      alive: () => {
        const since = begun?.loop.pulse().waitingSince;
        return since === undefined || clock.now() - since < stuckMs;
      },
      now: () => clock.now(),
    },
  });
  log.info({ port: server.port, namespace, version: options.version }, 'endpoints are up; waiting for the state lock');

  async function begin(): Promise<void> {
    while (!stopping && !begun) {
      try {
        begun = await beginWork(options, end.resolve);
        if (!held) begun.pause();
      } catch (error) {
        log.warn({ err: error }, 'cannot start yet');
        await new Promise<void>((resolve) => clock.after(retryStartMs, resolve));
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
      if (begun) begun.resume();
      else beginning ??= begin();
    },
    onLost(why) {
      held = false;
      metrics.set('tocsin_lease_held', {}, 0);
      begun?.pause();
      log.warn({ why, holder: lease.holder() }, 'the state lock is lost; deliveries pause');
      if (why === 'taken') end.resolve(new Error(`the state lock was taken by ${lease.holder() ?? 'another process'}`));
    },
  });
  lease.start();

  return {
    port: server.port,
    ended: end.promise,
    async stop() {
      stopping = true;
      log.info('stopping');
      await begun?.stop();
      await lease.stop();
      await server.close();
    },
  };
}

/** Everything that exists once the lock has been held. */
type Begun = {
  readonly board: ReturnType<typeof createCoverageBoard>;
  readonly sources: ReturnType<typeof createSources>;
  readonly dispatcher: ReturnType<typeof createDispatcher>;
  readonly loop: ReturnType<typeof createLoop>;
  settings(): Settings;
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
};

async function beginWork(options: RuntimeOptions, crashed: (error: Error) => void): Promise<Begun> {
  const { client, clock, random, log, metrics } = options;
  const clusterId = await clusterIdOf(client);
  const core: Core = createCore({ clusterId, version: options.version, everyIncident: everyIncidentTypes });
  const store = createMemoryStore();
  let settings: Settings = { ...defaultSettings, operatorNamespace: options.namespace };
  let providers: ReadonlyMap<Ref, ProviderSettings> = new Map();

  const events = createEventRecorder({
    client,
    clock,
    component: 'tocsin',
    instance: options.identity,
    onError: (error, record) =>
      log.warn({ err: error, about: record.about.name, reason: record.reason }, 'cannot write Event'),
  });
  const record =
    options.record === undefined ? undefined : createRecorder(options.record, { clusterId, version: options.version });

  const loop = createLoop({
    turn: core.turn,
    clock,
    carry,
    ...(record && { record }),
    observe(seconds, inputs) {
      metrics.observe('tocsin_turn_duration_seconds', {}, seconds);
      metrics.observe('tocsin_turn_inputs', {}, inputs);
    },
    crashed(error) {
      log.error({ err: error }, 'a turn failed: this is a bug; please report it with this log line');
      crashed(new Error('a turn failed', { cause: error }));
    },
  });
  const push = (input: Input): void => loop.push(input);
  const board = createCoverageBoard(clock, () => push({ kind: 'baseline' }));
  const sources = createSources({
    client,
    clock,
    random,
    log,
    board,
    push,
    known(kind) {
      loop.drain();
      return core.view.world.keys(kind);
    },
  });
  const evidence = createEvidenceFetcher({
    readLog: (request) => readLog(client, request),
    clock,
    found: (found) => push({ kind: 'evidence', evidence: found }),
    failed: (request, error) => log.info({ err: error, pod: request.pod }, 'no log lines for a message'),
  });
  const operator: RunningOperator = await startOperator({
    client,
    reflect: sources.reflect,
    clock,
    namespace: options.namespace,
    log,
    views: {
      provider: (ref) => dispatcher.view(ref),
      silence: (ref) => core.view.silences().get(ref),
      coverage: () => board.rows(),
      incidents: () => core.view.incidents(),
      failedDeliveries: () => store.deadLetters().length,
    },
    secrets: (lookup) => createSecretSource({ client, clock, ...lookup }),
    recordEvent: (event) => events.record(event),
    onSettings(next) {
      settings = next;
      providers = new Map(next.providers.map((provider) => [provider.ref, provider]));
      push({ kind: 'settings', settings: next });
    },
    onTest: (provider, nonce) => push({ kind: 'test', provider, nonce }),
    onProviderChanged: (ref) => dispatcher.providerChanged(ref),
    onCoverage(coverage) {
      board.see(coverage);
    },
  });
  const sender = createSender({
    clock,
    version: options.version,
    settings: () => ({
      timeoutMs: settings.delivery.timeoutSeconds * 1000,
      allowedPrivateDestinations: settings.delivery.allowedPrivateDestinations,
      ...(settings.app.proxyURL !== undefined && { proxyURL: settings.app.proxyURL }),
    }),
  });
  const dispatcher = createDispatcher({
    store,
    providers: () => providers,
    types: (type) => dispatchedTypes.get(type),
    secrets: operator.secretSource,
    clock,
    random,
    send: (provider, type) =>
      sender.for({
        // Whoever writes objects in the operator's namespace could reach what it can anyhow.
        allPrivate: provider.namespace === options.namespace,
        ...(type.minTimeoutMs !== undefined && { minTimeoutMs: type.minTimeoutMs }),
      }),
    report: (report) => push({ kind: 'outcome', report }),
    paused: false,
    log,
    metrics,
  });
  sources.start();

  function carry(effects: Effects, _inputs: readonly Input[], now: number): void {
    store.commit(effects.save);
    dispatcher.kick();
    for (const request of effects.fetch) evidence.request(request);
    for (const event of effects.events) {
      const { about, uid, type, reason, message } = event;
      const apiVersion = core.view.world.apiVersionOf(about);
      if (apiVersion === undefined) continue;
      const subject = { apiVersion, kind: kindOf(about), namespace: namespaceOf(about), name: nameOf(about), uid };
      events.record({ about: subject, type, reason, message });
    }
    metrics.count(effects.counters);
    operator.touch(effects.statuses);
    options.observe?.(effects, now);
  }

  return {
    board,
    sources,
    dispatcher,
    loop,
    settings: () => settings,
    pause() {
      dispatcher.pause();
      operator.pause();
      push({ kind: 'lease', held: false });
    },
    resume() {
      dispatcher.resume();
      operator.resume();
      push({ kind: 'lease', held: true });
    },
    async stop() {
      board.stop();
      evidence.stop();
      await sources.stop();
      loop.drain();
      await dispatcher.stop(drainMs);
      await sender.close();
      loop.stop();
      await operator.stop();
      await events.drain();
    },
  };
}

/** The UID of `kube-system`: what tells two clusters apart. */
async function clusterIdOf(client: ApiClient): Promise<string> {
  const namespace = await client.json<{ readonly metadata?: { readonly uid?: string } }>({
    path: '/api/v1/namespaces/kube-system',
  });
  const uid = namespace.metadata?.uid;
  if (uid === undefined) throw new Error('the namespace kube-system has no UID');
  return uid;
}
