import type { AlertConfig } from '../api/alert-config.ts';
import type { AlertProvider } from '../api/alert-provider.ts';
import { apiVersion, configName, type Kind, testAnnotation } from '../api/group.ts';
import type { MaintenanceWindow } from '../api/maintenance-window.ts';
import { inlineSecret } from '../api/opened.ts';
import type { Silence } from '../api/silence.ts';
import type { ApiClient } from '../kube/api-client.ts';
import { ApiError } from '../kube/api-client.ts';
import type { EventRecord } from '../kube/events.ts';
import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';
import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { Secret } from '../model/secret.ts';
import type { SecretSource } from '../model/secret-source.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import type { RawObject } from '../model/turn.ts';
import type { Logger } from '../telemetry/logger.ts';
import { checkFallback, checkSecrets, checkSpec, checkValues, type ProviderCheck } from './check.ts';
import { type Composed, composeSettings } from './compose.ts';
import type { StatusCondition } from './conditions.ts';
import { urgencyOf } from './conditions.ts';
import { configStatus, ignoredConfigStatus } from './config-status.ts';
import { eventsBetween } from './provider-events.ts';
import { providerStatus, type TestState } from './provider-status.ts';
import { silenceChangesAt, silenceStatus } from './silence-status.ts';
import { createStatusWriter, type DesiredStatus } from './status-writer.ts';
import { type StartReflection, TocsinOperator } from './tocsin-operator.ts';
import type { StatusViews } from './views.ts';
import { nextOpening, windowStatus } from './window-status.ts';

/** Referenced Secrets are read again this often (the design's figure), so that a rotated credential is noticed. */
const recheckMs = 60_000;
/** Statuses made of facts that come without an event (counters, coverage) are looked at this often. */
const refreshMs = 5_000;

/** What the operator works with. */
export type OperatorOptions = {
  readonly client: ApiClient;
  readonly reflect: StartReflection;
  readonly clock: Clock;
  readonly namespace: string;
  readonly log: Logger;
  readonly views: StatusViews;
  /** Made from this operator's own view of the providers. */
  readonly secrets: (lookup: {
    provider(ref: Ref): ProviderSettings | undefined;
    inline(provider: Ref, field: string): Secret | undefined;
  }) => SecretSource;
  readonly recordEvent: (event: EventRecord) => void;
  readonly onSettings: (settings: Settings) => void;
  readonly onTest: (provider: Ref, nonce: string) => void;
  /** A provider's spec or Secrets changed: what waits for it may be tried at once. */
  readonly onProviderChanged: (provider: Ref) => void;
  readonly onCoverage: (coverage: Coverage) => void;
};

/** The custom-resource side while it runs. */
export type RunningOperator = {
  readonly secretSource: SecretSource;
  /** Something a status is made of changed. */
  touch(refs: Iterable<Ref>): void;
  /** Status is written only while the state lock is held. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
};

/** The API server has checked each object against our schema, of which these types are made. */
function ours<T extends object>(raw: object): T {
  return raw as T;
}

/** Watches our four kinds, keeps one settings snapshot of what they say, and writes their status. */
export async function startOperator(options: OperatorOptions): Promise<RunningOperator> {
  const { clock, log, views } = options;
  const providers = new Map<string, AlertProvider>();
  const silences = new Map<string, Silence>();
  const windows = new Map<string, MaintenanceWindow>();
  const configs = new Map<string, AlertConfig>();
  const checks = new Map<string, ProviderCheck>();
  const tests = new Map<Ref, TestState>();
  const mutedBefore = new Map<Ref, number>();
  const told = new Map<Ref, readonly StatusCondition[]>();
  const timers = new Map<string, () => void>();
  const synced = new Set<string>();
  let composed: Composed = compose();
  let stopped = false;

  const secretSource = options.secrets({
    provider: (ref) => composed.settings.providers.find((provider) => provider.ref === ref),
    inline(ref, field) {
      const object = providers.get(ref);
      return object && inlineSecret(object, field);
    },
  });

  function compose(): Composed {
    return composeSettings({ providers, silences, configs }, checks, options.namespace);
  }

  /** Makes the snapshot anew and hands it on, once every kind has been seen: half a configuration would flip the choice. */
  function publish(): void {
    composed = compose();
    for (const ref of providers.keys()) touch(ref);
    touchConfigs();
    if (synced.size === 4 && !stopped) options.onSettings(composed.settings);
  }

  // The keys of our maps are refs.
  const touch = (ref: string): void => writer.touch(ref as Ref);
  function touchConfigs(): void {
    for (const ref of configs.keys()) touch(ref);
  }

  function later(key: string, at: number, action: () => void): void {
    timers.get(key)?.();
    timers.set(key, clock.after(Math.max(0, at - clock.now()), action));
  }

  async function judge(ref: Ref, object: AlertProvider): Promise<void> {
    const spec = checkSpec(object);
    const problems = [...spec, ...checkFallback(object, providers)];
    if (spec.length > 0) {
      checks.set(ref, { invalid: true, secrets: 'unread', problems });
      return;
    }
    const before = checks.get(ref);
    try {
      const opened = await secretSource.open(ref, false);
      const found = 'values' in opened;
      const wrong = found ? checkValues(object, opened) : checkSecrets(opened);
      checks.set(ref, {
        invalid: found && wrong.length > 0,
        secrets: found ? 'found' : 'missing',
        ...(found && { secretsVersion: opened.version }),
        problems: [...wrong, ...problems],
      });
      if (before?.secretsVersion !== checks.get(ref)?.secretsVersion) options.onProviderChanged(ref);
    } catch (error) {
      checks.set(ref, { ...(before ?? { invalid: false, secrets: 'unread' }), problems });
      throw error;
    }
  }

  async function putProvider(ref: Ref, object: AlertProvider): Promise<void> {
    providers.set(ref, object);
    if (!checks.has(ref)) checks.set(ref, { invalid: false, secrets: 'unread', problems: [] });
    composed = compose();
    try {
      await judge(ref, object);
    } finally {
      // A fallback of others may have appeared.
      for (const [other, neighbour] of providers) {
        const check = checks.get(other);
        if (other === ref || !check) continue;
        const kept = check.problems.filter(({ reason }) => !reason.startsWith('Fallback'));
        checks.set(other, { ...check, problems: [...kept, ...checkFallback(neighbour, providers)] });
      }
      publish();
      later(`recheck ${ref}`, clock.now() + recheckMs, () => void recheck(ref));
    }
    requestTest(ref, object);
  }

  async function recheck(ref: Ref): Promise<void> {
    const object = providers.get(ref);
    if (!object || stopped) return;
    const before = JSON.stringify(checks.get(ref));
    await judge(ref, object).catch((error: unknown) => log.warn({ err: error, provider: ref }, 'cannot read Secrets'));
    if (JSON.stringify(checks.get(ref)) !== before) publish();
    later(`recheck ${ref}`, clock.now() + recheckMs, () => void recheck(ref));
  }

  function requestTest(ref: Ref, object: AlertProvider): void {
    const nonce = object.metadata.annotations?.[testAnnotation];
    if (nonce === undefined || nonce === object.status?.lastTest?.nonce || nonce === tests.get(ref)?.nonce) return;
    const problem = checks.get(ref)?.problems[0];
    tests.set(ref, { nonce, requestedAt: clock.now(), ...(problem && { refused: problem.message }) });
    if (!problem) options.onTest(ref, nonce);
    touch(ref);
  }

  function putSilence(ref: Ref, object: Silence): void {
    if (!mutedBefore.has(ref)) mutedBefore.set(ref, object.status?.suppressed ?? 0);
    silences.set(ref, object);
    publish();
    touchSilence(ref);
  }

  function touchSilence(ref: Ref): void {
    touch(ref);
    const settings = composed.settings.silences.find((silence) => silence.ref === ref);
    const at = settings && silenceChangesAt(settings, clock.now());
    if (at !== undefined) later(`silence ${ref}`, at, () => touchSilence(ref));
  }

  function touchWindow(ref: Ref): void {
    touch(ref);
    const object = windows.get(ref);
    const opening = object && nextOpening(object.spec, clock.now());
    if (opening && 'startsAt' in opening) later(`window ${ref}`, opening.startsAt, () => touchWindow(ref));
  }

  const put: Readonly<Record<Kind, (ref: Ref, raw: RawObject) => Promise<void> | void>> = {
    AlertProvider: (ref, raw) => putProvider(ref, ours(raw)),
    Silence: (ref, raw) => putSilence(ref, ours(raw)),
    MaintenanceWindow(ref, raw) {
      windows.set(ref, ours(raw));
      touchWindow(ref);
    },
    AlertConfig(ref, raw) {
      configs.set(ref, ours(raw));
      publish();
    },
  };

  function gone(ref: Ref): void {
    for (const map of [providers, silences, windows, configs, checks]) map.delete(ref);
    for (const map of [tests, mutedBefore, told]) map.delete(ref);
    for (const purpose of ['recheck', 'silence', 'window']) {
      timers.get(`${purpose} ${ref}`)?.();
      timers.delete(`${purpose} ${ref}`);
    }
    writer.forget(ref);
    publish();
  }

  function desired(ref: Ref): DesiredStatus | undefined {
    const now = clock.now();
    const provider = providers.get(ref);
    if (provider) {
      const check = checks.get(ref) ?? { invalid: false, secrets: 'unread', problems: [] };
      const settings = composed.settings.providers.find((each) => each.ref === ref);
      return providerStatus(provider, { check, settings, facts: views.provider(ref), test: tests.get(ref), now });
    }
    const silence = silences.get(ref);
    if (silence) {
      const settings = composed.settings.silences.find((each) => each.ref === ref);
      return silenceStatus(silence, {
        settings,
        muted: views.silence(ref),
        mutedBefore: mutedBefore.get(ref) ?? 0,
        now,
      });
    }
    const window = windows.get(ref);
    if (window) return windowStatus(window, now);
    const config = configs.get(ref);
    if (!config) return undefined;
    if (ref !== refOf('AlertConfig', options.namespace, configName))
      return ignoredConfigStatus(config, options.namespace, now);
    return configStatus(config, { problems: composed.problems, providers: composed.settings.providers, views, now });
  }

  /** The status as the API has it, to leave alone what is as it should be. */
  function current(ref: Ref): DesiredStatus | undefined {
    const object = providers.get(ref) ?? silences.get(ref) ?? windows.get(ref) ?? configs.get(ref);
    const status = object?.status;
    if (!status) return undefined;
    const more =
      'lastTest' in status
        ? status.lastTest
        : 'suppressed' in status && silences.has(ref)
          ? status.suppressed
          : undefined;
    return { status, urgent: urgencyOf(status.conditions, more) };
  }

  async function write(ref: Ref, status: DesiredStatus['status']): Promise<void> {
    const namespace = namespaceOf(ref);
    try {
      await operator.writeStatus({ kind: kindOf(ref), namespace, name: nameOf(ref) }, status);
    } catch (error) {
      // Deleted meanwhile: there is nothing to write on, and the watch will say so.
      if (error instanceof ApiError && error.status === 404) return;
      throw error;
    }
    announce(ref, status);
  }

  function announce(ref: Ref, status: DesiredStatus['status']): void {
    const object = providers.get(ref);
    // `providerStatus` made it.
    const conditions = status.conditions as readonly StatusCondition[] | undefined;
    if (!object || !conditions) return;
    const before = told.get(ref) ?? object.status?.conditions;
    told.set(ref, conditions);
    const { name, namespace, uid } = object.metadata;
    const about = { apiVersion, kind: 'AlertProvider', name, namespace, uid };
    for (const event of eventsBetween(before, conditions)) options.recordEvent({ about, ...event });
  }

  const writer = createStatusWriter({
    desired,
    current,
    write,
    clock,
    failed: (ref, error, retryInMs) => log.warn({ err: error, object: ref, retryInMs }, 'cannot write status'),
  });

  const operator = new TocsinOperator({
    client: options.client,
    reflect: options.reflect,
    clock,
    handler: {
      async put(raw) {
        const { name, namespace } = raw.metadata;
        // The operator class sets the kind of each object to one of the four.
        const kind = raw.kind as Kind;
        await put[kind](refOf(kind, namespace, name), raw);
      },
      async gone(raw) {
        gone(refOf(raw.kind ?? '', raw.metadata.namespace, raw.metadata.name));
      },
      failed: (key, error, retryInMs) => log.warn({ err: error, object: key, retryInMs }, 'cannot reconcile'),
      covered(coverage) {
        options.onCoverage(coverage);
        if (coverage.state === 'Watching' && !synced.has(coverage.source)) {
          synced.add(coverage.source);
          // The objects of the first list are in the queue ahead of this.
          setImmediate(publish);
        }
        touchConfigs();
      },
    },
  });
  await operator.start();

  function refresh(): void {
    if (stopped) return;
    for (const ref of [...providers.keys(), ...silences.keys(), ...configs.keys()]) touch(ref);
    later('refresh', clock.now() + refreshMs, refresh);
  }
  refresh();

  return {
    secretSource,
    touch(refs) {
      for (const ref of refs) touch(ref);
      touchConfigs();
    },
    pause: () => writer.pause(),
    resume: () => writer.resume(),
    async stop() {
      stopped = true;
      for (const cancel of timers.values()) cancel();
      timers.clear();
      await operator.drained();
      await writer.stop();
    },
  };
}
