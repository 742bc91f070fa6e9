import { Dispatcher } from '../../src/delivery/dispatcher.ts';
import type { DispatchedType, DispatcherOptions } from '../../src/delivery/types.ts';
import { type Delivery, type DeliveryReport, deliveryKeys, type Outcome } from '../../src/model/delivery.ts';
import type { Act, Notification } from '../../src/model/notification.ts';
import { afterReport, emptyLedger, type ProviderView } from '../../src/model/provider-view.ts';
import { redact } from '../../src/model/redact.ts';
import type { Ref } from '../../src/model/ref.ts';
import { Secret } from '../../src/model/secret.ts';
import type { SecretSource } from '../../src/model/secret-source.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import type { Store } from '../../src/model/store.ts';
import { type Batch, emptyBatch } from '../../src/model/turn.ts';
import type { Attempt } from '../../src/providers/provider.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';
import { type VirtualClock, virtualClock } from './clock.ts';

/** A provider's settings with what a test says. */
export function provider(name: string, more: Partial<ProviderSettings> = {}): ProviderSettings {
  return {
    ref: `AlertProvider/tocsin/${name}`,
    uid: `uid-${name}`,
    namespace: 'tocsin',
    type: 'scripted',
    config: { name },
    secrets: {},
    retry: {},
    suspended: false,
    active: { is: true, reason: 'Selected' },
    usable: true,
    generation: 1,
    ...more,
  };
}

/** A notification about nothing in particular. */
export function notification(act: Act, text = 'Something broke.'): Notification {
  const title = '[high] PodNotReady · Pod shop/api';
  return { act, severity: 'high', title, lead: text, evidence: [], facts: [], links: [], cluster: 'test', at: 0 };
}

/** An empty batch with what a test says. */
export function batch(more: Partial<Batch>): Batch {
  return { ...emptyBatch, ...more };
}

/** A delivery as the turn makes it. */
export function delivery(
  to: Pick<ProviderSettings, 'ref' | 'uid'>,
  act: Act,
  sequence: number,
  more: Partial<Delivery> & { readonly now: number; readonly text?: string },
): Delivery {
  const { now, text, ...fields } = more;
  const stream = fields.stream ?? 'inc-1';
  return {
    ...deliveryKeys(stream, to.uid, act, sequence),
    stream,
    provider: to.ref,
    providerUid: to.uid,
    act,
    sequence,
    alertKey: `key-of-${stream}`,
    createdAt: now,
    notBefore: now,
    notification: notification(act, text),
    ...fields,
  };
}

/** What the scripted product saw. */
export type Seen = {
  readonly provider: string;
  readonly stream: string;
  readonly act: Act;
  readonly at: number;
  readonly attempt: Attempt<unknown>;
};

/** A dispatcher with a virtual clock and a scripted product. */
export type Stage = {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly metrics: Metrics;
  readonly dispatcher: Dispatcher;
  readonly providers: Map<Ref, ProviderSettings>;
  readonly seen: Seen[];
  readonly reports: DeliveryReport[];
  readonly logged: string[];
  /** What is known of a provider, as the runtime puts it together. */
  view(ref: Ref): ProviderView;
  /** Commits and kicks, as the runtime does after a turn. */
  enqueue(...deliveries: Delivery[]): void;
};

/** A map that a test edits as settings are: the same snapshot until then. */
function unchangedUntilEdited<Key, Value>(edited: ReadonlyMap<Key, Value>): () => ReadonlyMap<Key, Value> {
  let snapshot = new Map(edited);
  return () => {
    const isSame = snapshot.size === edited.size && [...edited].every(([key, value]) => snapshot.get(key) === value);
    if (!isSame) snapshot = new Map(edited);
    return snapshot;
  };
}

/** How a product answers one attempt. */
export type Script = (attempt: Attempt<unknown>, seen: readonly Seen[]) => Outcome | Promise<Outcome>;

export const arrived: Outcome = { is: 'delivered' };
export const refused: Outcome = { is: 'permanent', reason: 'HTTP 400: no', credential: false };
export const broken: Outcome = { is: 'retryable', reason: 'HTTP 503', mayHaveArrived: false };

/** Sets a stage. `random` 1 makes every jittered wait its longest. */
export function stage(options: {
  readonly providers: readonly ProviderSettings[];
  readonly script: Script;
  readonly random?: () => number;
  readonly paused?: boolean;
  readonly holdsLock?: () => boolean;
  readonly secrets?: SecretSource;
  readonly type?: Partial<DispatchedType>;
  readonly ways?: Partial<Pick<DispatcherOptions, 'send' | 'aws'>>;
  /** What an earlier stage left. */
  readonly store?: Store;
  readonly clock?: VirtualClock;
}): Stage {
  const clock = options.clock ?? virtualClock();
  const store = options.store ?? new MemoryStore();
  const metrics = createMetrics({ process: false });
  const providers = new Map(options.providers.map((settings) => [settings.ref, settings]));
  const seen: Seen[] = [];
  const reports: DeliveryReport[] = [];
  const logged: string[] = [];
  const type: DispatchedType = {
    type: 'scripted',
    product: 'Scripted',
    plain: 'native',
    pacing: { perSecond: 1000, burst: 1000 },
    join: (config, secrets) => ({ ...config, secrets: Object.fromEntries(secrets) }),
    async deliver(attempt) {
      const { stream, act } = attempt.delivery;
      // The joined config of this stage's type.
      const { name } = attempt.config as { name: string };
      seen.push({ provider: name, stream, act, at: clock.now(), attempt });
      return options.script(attempt, seen);
    },
    ...options.type,
  };
  const opened = { values: new Map([['url', new Secret('https://x')]]), version: '1' };
  const dispatcher = new Dispatcher({
    store,
    namespace: 'tocsin',
    providers: unchangedUntilEdited(providers),
    types: (name) => (name === 'scripted' ? type : name === 'incidents-only' ? { ...type, plain: 'none' } : undefined),
    secrets: options.secrets ?? { open: async () => opened },
    clock,
    hostNow: clock.now,
    random: options.random ?? (() => 1),
    send: () => () => Promise.reject(new Error('this product does not send')),
    mail: () => ({
      send: () => Promise.reject(new Error('this product sends no mail')),
      check: () => Promise.reject(new Error('this product sends no mail')),
    }),
    ...options.ways,
    report: (report) => void reports.push(report),
    paused: options.paused ?? false,
    holdsLock: options.holdsLock ?? (() => true),
    log: createLogger({ level: 'debug', redact, stream: { write: (line: string) => logged.push(line) } }),
    metrics,
  });
  return {
    clock,
    store,
    metrics,
    dispatcher,
    providers,
    seen,
    reports,
    logged,
    view(ref) {
      const uid = providers.get(ref)?.uid;
      const ledger = reports.filter(({ providerUid }) => providerUid === uid).reduce(afterReport, emptyLedger);
      return { ...ledger, ...dispatcher.queue(ref) };
    },
    enqueue(...deliveries) {
      store.commit(batch({ enqueue: deliveries }));
      dispatcher.kick();
    },
  };
}
