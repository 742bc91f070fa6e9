import { Dispatcher } from '../delivery/dispatcher.ts';
import type { ApiClient } from '../kube/api-client.ts';
import { createEventRecorder } from '../kube/events.ts';
import { readLog } from '../kube/logs.ts';
import { createSecretSource } from '../kube/secrets.ts';
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
import { createCore } from '../turn/core.ts';
import { CoverageTracker } from './coverage-tracker.ts';
import { createEvidenceFetcher } from './evidence.ts';
import { exposeGauges } from './gauges.ts';
import { Loop } from './loop.ts';
import type { RuntimeOptions } from './options.ts';
import { createOutbound } from './outbound.ts';
import { dispatchedTypes, providerTraits } from './provider-types.ts';
import { createRecorder } from './recorder.ts';
import { Sources } from './sources.ts';
import { trimMemory } from './trim-memory.ts';
import { atMost } from './waiting.ts';

/** Deliveries that are due get this long to go out when the process is asked to stop. */
const drainMs = 10_000;
/** Requests to the API server that are under way at a stop (statuses, Events) are waited for this long. */
const farewellMs = 5_000;

/** After the baseline: by then its turn is over, and what it told has been sent. Milliseconds. */
const givingBackMs = 5_000;

/** Everything that exists once the lock has been held. It begins paused. */
export type ActiveOperator = {
  settings(): Settings;
  coverage(): readonly Coverage[];
  stats: Sources['stats'];
  requiredSynced(): boolean;
  configInvalid(): boolean;
  /** A failure that no later delivery has repaired. */
  failing(provider: Ref): boolean;
  incidents(): Iterable<Incident>;
  deadLetters(): readonly DeadLetter[];
  delivery(provider: Ref): ProviderView;
  /** Epoch milliseconds since when a turn has been due without running, if one is. */
  waitingSince(): number | undefined;
  /** Without the lock nothing leaves this process: no delivery, no status, no Event. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
};

/** Reads what the first turn needs and starts to work. Rejects when the API server cannot be asked or `signal` fires. */
export async function startActiveOperator(
  options: RuntimeOptions & {
    /** The host's own clock, which may be set in both directions: for what is compared with other machines' clocks. */
    readonly hostClock: Clock;
  },
  crashed: (error: Error) => void,
  signal: AbortSignal,
): Promise<ActiveOperator> {
  const { client, clock, hostClock, random, log, metrics, version } = options;
  const clusterId = await clusterIdOf(client, signal);
  const core = createCore({ clusterId, version, traits: providerTraits });
  const store = new MemoryStore();
  let settings: Settings = { ...defaultSettings, operatorNamespace: options.namespace };
  let providers: ReadonlyMap<Ref, ProviderSettings> = new Map();
  let paused = true;

  const events = createEventRecorder({
    client,
    clock,
    component: 'tocsin',
    instance: options.identity,
    onError: (error, record) =>
      log.warn({ err: error, about: record.about.name, reason: record.reason }, 'cannot write Event'),
  });
  const record =
    options.record === undefined
      ? undefined
      : createRecorder({
          path: options.record,
          header: { clusterId, version },
          failed: (error) => log.error({ err: error }, 'cannot write the recording; going on without'),
        });
  const loop = new Loop({
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
  const coverage = new CoverageTracker(clock, () => {
    push({ kind: 'baseline' });
    clock.after(givingBackMs, trimMemory);
  });
  const sources = new Sources({
    client,
    clock,
    random,
    log,
    coverage,
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
  const operator = new CustomResources({
    client,
    reflect: sources.reflect,
    clock,
    namespace: options.namespace,
    log,
    views: {
      provider: (ref) => dispatcher.view(ref),
      silence: (ref) => core.view.silences().get(ref),
      coverage: () => coverage.rows(),
      incidents: core.view.incidents,
      failedDeliveries: () => store.deadLetters().length,
    },
    secrets: (lookup) => createSecretSource({ client, clock, ...lookup }),
    recordEvent: events.record,
    onSettings(next) {
      settings = next;
      providers = new Map(next.providers.map((provider) => [provider.ref, provider]));
      push({ kind: 'settings', settings: next });
      coverage.configured();
    },
    onTest: (provider, nonce) => push({ kind: 'test', provider, nonce }),
    onProviderChanged: (ref) => dispatcher.providerChanged(ref),
    onCoverage: (row) => coverage.see(row),
  });
  const outbound = createOutbound({
    clock: hostClock,
    version,
    namespace: options.namespace,
    settings: () => settings,
  });
  const dispatcher = new Dispatcher({
    store,
    providers: () => providers,
    types: (type) => dispatchedTypes.get(type),
    secrets: operator.secretSource,
    clock,
    hostNow: hostClock.now,
    random,
    send: outbound.send,
    mail: outbound.mail,
    handedOver,
    report: (report) => push({ kind: 'outcome', report }),
    paused,
    log,
    metrics,
  });
  exposeGauges(metrics, {
    coverage: () => coverage.rows(),
    stats: () => sources.stats(),
    incidents: core.view.incidents,
  });
  await operator.start();
  sources.start();

  /** Carries out what a turn asked for: first the commit, nothing before it. */
  function carry(effects: Effects, _inputs: readonly Input[], now: number): void {
    store.commit(effects.save);
    dispatcher.kick();
    for (const request of effects.fetch) evidence.request(request);
    if (!paused) writeEvents(effects.events);
    metrics.count(effects.counters);
    for (const { openedAt, baseline, startedAt, explanation } of effects.save.incidents)
      if (openedAt === now && !baseline)
        metrics.observe(
          'tocsin_detection_lag_seconds',
          { severity: explanation.severity },
          Math.max(0, now - startedAt) / 1000,
        );
    operator.touch(effects.statuses);
    options.observe?.(effects, now);
  }

  function writeEvents(requests: Effects['events']): void {
    for (const { about, uid, type, reason, message } of requests) {
      const apiVersion = core.view.world.apiVersionOf(about);
      if (apiVersion === undefined) continue;
      const subject = { apiVersion, kind: kindOf(about), namespace: namespaceOf(about), name: nameOf(about), uid };
      events.record({ about: subject, type, reason, message });
    }
  }

  return {
    settings: () => settings,
    coverage: () => coverage.rows(),
    stats: () => sources.stats(),
    requiredSynced: () => coverage.requiredSynced(),
    configInvalid: () => operator.configInvalid(),
    failing: (provider) => dispatcher.view(provider).failing,
    incidents: core.view.incidents,
    deadLetters: () => store.deadLetters(),
    delivery: (provider) => dispatcher.view(provider),
    waitingSince: () => loop.waitingSince(),
    pause() {
      paused = true;
      dispatcher.pause();
      operator.pause();
      push({ kind: 'lease', held: false });
    },
    resume() {
      paused = false;
      dispatcher.resume();
      operator.resume();
      push({ kind: 'lease', held: true });
    },
    async stop() {
      coverage.stop();
      evidence.stop();
      await sources.stop();
      loop.drain();
      await dispatcher.stop(drainMs);
      await outbound.close();
      // What the last deliveries came to.
      loop.drain();
      loop.stop();
      await atMost(clock, farewellMs, Promise.all([operator.stop(), events.drain()]));
    },
  };
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
