/** One type in one mode before its product, and attempts at it through everything that is real. */

import { outcomeOfError } from '../../../src/delivery/classify.ts';
import { Dispatcher } from '../../../src/delivery/dispatcher.ts';
import type { Delivery, DeliveryReport, Outcome, Reference } from '../../../src/model/delivery.ts';
import type { Notification } from '../../../src/model/notification.ts';
import { redact } from '../../../src/model/redact.ts';
import { Secret } from '../../../src/model/secret.ts';
import type { ProviderSettings } from '../../../src/model/settings.ts';
import type { Store } from '../../../src/model/store.ts';
import { emptyBatch } from '../../../src/model/turn.ts';
import { joinConfig, splitConfig } from '../../../src/providers/kit/config.ts';
import type { AnyProvider } from '../../../src/providers/kit/define.ts';
import { dispatchedTypes } from '../../../src/runtime/sending/provider-types.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { realClock } from '../../delivery/clock.ts';
import { deliveryOf } from '../notifications.ts';
import type { Mode } from './case-file.ts';
import type { Wire } from './wire.ts';

/** A type as somebody configured it, and the ways to its product. */
export type Target = {
  readonly definition: AnyProvider;
  readonly mode: Pick<Mode, 'block' | 'secrets'>;
  readonly wire: Pick<Wire, 'ways'>;
};
/** What every case is given. */
export type Bench = Target & { readonly mode: Mode; readonly wire: Wire };

/** The instant of every attempt, so that goldens hold. */
const now = Date.parse('2026-11-20T10:00:00.900Z');

const opened = ({ secrets }: Target['mode']): ReadonlyMap<string, Secret> =>
  new Map(Object.entries(secrets).map(([path, value]) => [path, new Secret(value)] as const));

function configOf({ definition, mode }: Target): Readonly<Record<string, unknown>> {
  return joinConfig(definition, splitConfig(definition, mode.block).config, opened(mode));
}

/** Tries once, as the dispatcher does. `lost`: the product is asked for the reference first. */
export async function attempt(
  bench: Target,
  notification: Notification,
  {
    ref,
    lost = false,
    hasty = false,
    quiet,
  }: { readonly ref?: Reference; readonly lost?: boolean; readonly hasty?: boolean; readonly quiet?: true } = {},
): Promise<Outcome> {
  const { definition, wire } = bench;
  const ways = wire.ways(definition.minTimeoutMs, hasty);
  const delivery = deliveryOf(notification);
  const trial = { notification, delivery, config: configOf(bench), ...ways, now, ...(quiet && { quiet }) };
  try {
    const known = lost ? await definition.find?.(trial) : ref;
    return await definition.deliver(known === undefined ? trial : { ...trial, ref: known });
  } catch (error) {
    return outcomeOfError(error);
  }
}

/** Asks whether the credentials are good. */
export async function check(bench: Target): Promise<Outcome> {
  const { definition, wire } = bench;
  if (!definition.check) throw new Error(`${definition.type} has no check`);
  try {
    return await definition.check({ config: configOf(bench), ...wire.ways(definition.minTimeoutMs, false), now });
  } catch (error) {
    return outcomeOfError(error);
  }
}

/** Delivers through outbox and dispatcher; resolves with the first report, and with every place a text could leak to. */
export async function deliver(
  { definition, mode, wire }: Target,
  store: Store,
  notification: Notification,
): Promise<{ readonly report: DeliveryReport; readonly traces: string }> {
  const provider: ProviderSettings = {
    ref: 'AlertProvider/tocsin/tested',
    uid: 'uid',
    namespace: 'tocsin',
    type: definition.type,
    ...splitConfig(definition, mode.block),
    retry: {},
    suspended: false,
    active: { is: true, reason: 'Selected' },
    usable: true,
    generation: 1,
  };
  const logged: string[] = [];
  const metrics = createMetrics({ process: false });
  const ended = Promise.withResolvers<DeliveryReport>();
  const ways = wire.ways(definition.minTimeoutMs, false);
  const dispatcher = new Dispatcher({
    namespace: 'tocsin',
    store,
    providers: () => new Map([[provider.ref, provider]]),
    types: (type) => dispatchedTypes.get(type),
    secrets: { open: async () => ({ values: opened(mode), version: '1' }) },
    clock: { ...realClock, now: () => now },
    hostNow: () => now,
    random: () => 1,
    send: () => ways.send,
    mail: () => ways.mail,
    report: ended.resolve,
    paused: false,
    holdsLock: () => true,
    log: createLogger({ level: 'debug', redact, stream: { write: (line: string) => logged.push(line) } }),
    metrics,
  });
  const delivery: Delivery = {
    ...deliveryOf(notification),
    provider: provider.ref,
    providerUid: provider.uid,
    createdAt: now,
    notBefore: now,
    notification,
  };
  store.commit({ ...emptyBatch, enqueue: [delivery] });
  dispatcher.kick();
  const report = await ended.promise;
  await dispatcher.stop(0);
  const kept = { dead: store.deadLetters(), outbox: store.outbox(), queue: dispatcher.queue(provider.ref) };
  return { report, traces: [JSON.stringify([report, kept]), ...logged, await metrics.text()].join('\n') };
}
