import { isDeepStrictEqual } from 'node:util';
import { inlineSecret } from '../api/opened.ts';
import { nextOpening } from '../api/rules/opening.ts';
import { type ApiClient, ApiError } from '../kube/api-client.ts';
import type { EventRecord } from '../kube/events.ts';
import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';
import type { RawObject } from '../model/raw-object.ts';
import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { Secret } from '../model/secret.ts';
import type { SecretSource } from '../model/secret-source.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type Composed, composeSettings } from './compose.ts';
import type { StatusCondition } from './conditions.ts';
import { createFirstLook } from './first-look.ts';
import { createObjectBook } from './objects.ts';
import { createProviderChecks } from './provider-checks.ts';
import { createProviderAnnouncer } from './provider-events.ts';
import { silenceChangesAt } from './silence-status.ts';
import { createStatusWriter, type DesiredStatus } from './status-writer.ts';
import { createStatuses } from './statuses.ts';
import { createTestRequests } from './test-requests.ts';
import { createTimetable } from './timetable.ts';
import { type StartReflection, TocsinOperator } from './tocsin-operator.ts';
import type { StatusViews } from './views.ts';

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
  /**
   * What the custom resources say has changed. The first time once all four kinds have been listed and every object has been
   * looked at: half a configuration would choose the wrong provider and forget silences.
   */
  readonly onSettings: (settings: Settings) => void;
  readonly onTest: (provider: Ref, nonce: string) => void;
  /** A provider's spec or Secrets changed, after `onSettings`: what waits for it may be tried at once. */
  readonly onProviderChanged: (provider: Ref) => void;
  readonly onCoverage: (coverage: Coverage) => void;
};

/** The custom-resource side. It begins paused. */
export type OperatorSide = {
  readonly secretSource: SecretSource;
  start(): Promise<void>;
  /** Something a status is made of changed. */
  touch(refs: readonly Ref[]): void;
  /** Some object of ours cannot work as it is. */
  configInvalid(): boolean;
  /** Status is written only while the state lock is held. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
};

/** Watches our four kinds, keeps one settings snapshot of what they say, and writes their status. */
export function createOperator(options: OperatorOptions): OperatorSide {
  const { clock, log, namespace } = options;
  const objects = createObjectBook();
  const timetable = createTimetable(clock);
  let composed: Composed = composeSettings(objects, () => undefined, namespace);
  let published: Settings | undefined;
  let stopped = false;

  const secretSource = options.secrets({
    provider: (ref) => composed.settings.providers.find((provider) => provider.ref === ref),
    inline(ref, field) {
      const object = objects.AlertProvider.get(ref);
      return object && inlineSecret(object, field);
    },
  });
  const checks = createProviderChecks({ object: (ref) => objects.AlertProvider.get(ref), secrets: secretSource });
  const tests = createTestRequests({ clock, send: options.onTest });
  const statuses = createStatuses({ ...options, objects, checks, tests, composed: () => composed });
  const announcer = createProviderAnnouncer(options.recordEvent);
  const writer = createStatusWriter({
    desired: statuses.desired,
    current: statuses.current,
    write,
    clock,
    paused: true,
    failed: (ref, error, retryInMs) => log.warn({ err: error, object: ref, retryInMs }, 'cannot write status'),
  });
  const firstLook = createFirstLook({ log, done: () => void operator.idle().then(begin) });
  const operator = new TocsinOperator({
    client: options.client,
    reflect: options.reflect,
    clock,
    handler: {
      put,
      gone: async (raw) => forget(refTo(raw)),
      failed: (key, error, retryInMs) => log.warn({ err: error, object: key, retryInMs }, 'cannot reconcile'),
      covered(coverage) {
        options.onCoverage(coverage);
        firstLook.see(coverage);
        touchAll(objects.AlertConfig);
      },
    },
  });

  function compose(): void {
    composed = composeSettings(objects, checks.get, namespace);
  }

  /** All four kinds are listed and every object was looked at once: what they say counts from now on. */
  function begin(): void {
    if (stopped) return;
    published = composed.settings;
    options.onSettings(published);
    publish();
    refresh();
  }

  /** Makes the snapshot anew and, if it says something new, hands it on. */
  function publish(): void {
    compose();
    if (!published || stopped) return;
    if (!isDeepStrictEqual(published, composed.settings)) {
      published = composed.settings;
      options.onSettings(published);
    }
    for (const [ref, object] of objects.AlertProvider) tests.look(ref, object, checks.get(ref));
    touchAll(objects.AlertProvider);
    touchAll(objects.AlertConfig);
  }

  /** Until the whole configuration is known, statuses would have to be taken back. */
  function touch(ref: Ref): void {
    if (published) writer.touch(ref);
  }
  function touchAll(those: ReadonlyMap<Ref, unknown>): void {
    for (const ref of those.keys()) touch(ref);
  }
  function refresh(): void {
    for (const those of [objects.AlertProvider, objects.Silence, objects.MaintenanceWindow, objects.AlertConfig])
      touchAll(those);
    timetable.at('refresh', clock.now() + refreshMs, refresh);
  }

  async function put(raw: RawObject): Promise<void> {
    const ref = refTo(raw);
    const before = objects.find(ref);
    // Deleted and made anew so quickly that only the new one was seen.
    if (before && before.metadata.uid !== raw.metadata.uid) forget(ref);
    objects.put(ref, raw);
    if (objects.AlertProvider.has(ref)) await visitProvider(ref);
    else publish();
    visitAgainInTime(ref);
  }

  /** Judges a provider, and again whenever its Secrets may have changed. */
  async function visitProvider(ref: Ref): Promise<void> {
    // The secret source reads from the snapshot where the Secrets are.
    compose();
    let changed = false;
    try {
      changed = await checks.judge(ref);
    } catch (error) {
      log.warn({ err: error, provider: ref }, 'cannot read the Secrets of a provider; trying again');
    }
    publish();
    const nextMs = checks.nextMs(ref);
    if (nextMs === undefined) timetable.cancel(ref);
    else timetable.at(ref, clock.now() + nextMs, () => void visitProvider(ref));
    if (changed && published) options.onProviderChanged(ref);
  }

  /** Silences and windows change by time alone. */
  function visitAgainInTime(ref: Ref): void {
    touch(ref);
    const now = clock.now();
    const silence = composed.settings.silences.find((each) => each.ref === ref);
    const window = objects.MaintenanceWindow.get(ref);
    const opening = window && nextOpening(window.spec, now);
    const at =
      (silence && silenceChangesAt(silence, now)) ?? (opening && 'startsAt' in opening ? opening.startsAt : undefined);
    if (at !== undefined) timetable.at(ref, at, () => visitAgainInTime(ref));
  }

  function forget(ref: Ref): void {
    objects.remove(ref);
    timetable.cancel(ref);
    for (const each of [checks, tests, statuses, announcer, writer]) each.forget(ref);
    publish();
  }

  async function write(ref: Ref, status: DesiredStatus['status']): Promise<void> {
    const object = objects.AlertProvider.get(ref);
    try {
      await operator.writeStatus({ kind: kindOf(ref), namespace: namespaceOf(ref), name: nameOf(ref) }, status);
    } catch (error) {
      // Deleted meanwhile: there is nothing to write on, and the watch will say so.
      if (error instanceof ApiError && error.status === 404) return;
      throw error;
    }
    // The status of a provider is made of conditions among others.
    if (object) announcer.written(ref, object, status.conditions as readonly StatusCondition[]);
  }

  return {
    secretSource,
    start: () => operator.start(),
    touch(refs) {
      for (const ref of refs) touch(ref);
      if (refs.length > 0) touchAll(objects.AlertConfig);
    },
    configInvalid: () =>
      composed.problems.length > 0 || composed.settings.providers.some(({ active }) => active.reason === 'Invalid'),
    pause: writer.pause,
    resume() {
      writer.resume();
      if (published) refresh();
    },
    async stop() {
      stopped = true;
      timetable.stop();
      await operator.drained();
      await writer.stop();
    },
  };
}

/** The operator class sets the kind of each object to one of the four. */
function refTo({ kind, metadata }: RawObject): Ref {
  return refOf(kind ?? '', metadata.namespace, metadata.name);
}
