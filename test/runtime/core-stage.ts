import { lostDeliveries } from '../../src/delivery/dead-letters.ts';
import { Dispatcher } from '../../src/delivery/dispatcher.ts';
import type { DispatchedType } from '../../src/delivery/types.ts';
import { AnchoredClock } from '../../src/model/anchored-clock.ts';
import type { Outcome } from '../../src/model/delivery.ts';
import type { Decision } from '../../src/model/incident.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { redact } from '../../src/model/redact.ts';
import type { Redelivery } from '../../src/model/redelivery.ts';
import { Secret } from '../../src/model/secret.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../../src/model/settings.ts';
import type { Traits } from '../../src/model/traits.ts';
import { CurrentSettings } from '../../src/runtime/loop/current-settings.ts';
import { Loop } from '../../src/runtime/loop/loop.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { virtualClock } from '../kube/support/virtual-clock.ts';
import { coverage } from './helpers.ts';

/** What reached a product: seconds of real time since the start, provider, act, and the incident or summary. */
export type Arrived = {
  readonly second: number;
  readonly provider: string;
  readonly act: string;
  readonly stream: string;
  readonly title: string;
  readonly note: string;
  readonly id: string;
};

/**
 * The real core, loop, store and dispatcher together, fed by hand, on a host clock that the test sets. `answer` is what a
 * product says; without it everything arrives.
 */
export function coreStage(
  options: {
    readonly providers?: readonly ProviderSettings[];
    readonly traits?: Traits;
    readonly answer?: (provider: string, act: string) => Outcome;
  } = {},
) {
  const host = virtualClock();
  const start = host.monotonic();
  const steps: number[] = [];
  const clock = new AnchoredClock(host, (milliseconds) => steps.push(milliseconds));
  const core = new Core({ clusterId: 'c', version: '1', traits: options.traits ?? new Map() });
  const store = new MemoryStore();
  const arrived: Arrived[] = [];
  const turns: string[] = [];
  const decisions: Decision[] = [];
  let settings: Settings = { ...defaultSettings, providers: options.providers ?? [provider('oncall')] };
  const current = new CurrentSettings('tocsin');
  current.set(settings);
  const type: DispatchedType = {
    ...{ type: 'scripted', product: 'Scripted', plain: 'native', pacing: { perSecond: 100, burst: 100 } },
    join: (config) => config,
    async deliver({ delivery: { act, stream, id }, notification: { title, note = '' }, config }) {
      const { name } = config as { readonly name: string };
      const outcome = options.answer?.(name, act) ?? { is: 'delivered' };
      if (outcome.is === 'delivered')
        arrived.push({ second: (host.monotonic() - start) / 1000, provider: name, act, stream, title, note, id });
      return outcome;
    },
  };
  const dispatcher = new Dispatcher({
    namespace: 'tocsin',
    store,
    providers: () => current.providers(),
    types: () => type,
    secrets: { open: async () => ({ values: new Map([['url', new Secret('https://x')]]), version: '1' }) },
    clock,
    hostNow: host.now,
    random: () => 1,
    send: () => () => Promise.reject(new Error('this product does not send')),
    mail: () => ({
      send: () => Promise.reject(new Error('this product sends no mail')),
      check: () => Promise.reject(new Error('this product sends no mail')),
    }),
    report: (report) => loop.push({ kind: 'outcome', report }),
    paused: false,
    holdsLock: () => true,
    log: createLogger({ level: 'error', redact, stream: { write: () => undefined } }),
    metrics: createMetrics({ process: false }),
  });
  const loop = new Loop({
    turn(inputs, now) {
      turns.push(inputs.map(({ kind }) => kind).join(' '));
      return core.turn(inputs, now);
    },
    clock,
    carry(effects) {
      store.commit(effects.save);
      for (const decision of effects.save.audit) decisions.push(decision);
      dispatcher.kick();
      for (const { previous: _, lines: __, ...run } of effects.fetch)
        loop.push({ kind: 'evidence', evidence: { ...run, source: '', lines: [] } });
    },
    crashed(error) {
      throw error;
    },
  });
  return {
    ...{ host, clock, core, store, arrived, decisions, turns, steps, loop, dispatcher, startedAt: start },
    /** Everything is listed and empty; the baseline is taken. */
    async begin(): Promise<void> {
      loop.push({ kind: 'source', coverage: { ...coverage('pods', 'Watching'), kind: 'Pod' } });
      loop.push({ kind: 'settings', settings });
      loop.push({ kind: 'baseline' });
      await host.advance(10_000);
    },
    set(providers: readonly ProviderSettings[]): void {
      settings = { ...settings, providers };
      current.set(settings);
      loop.push({ kind: 'settings', settings });
      for (const { ref } of providers) dispatcher.providerChanged(ref);
    },
    /** Somebody asks for what failed for good to be sent again; resolves once that was decided and sent. */
    async redeliver(name: string, nonce: string): Promise<Redelivery | undefined> {
      const { ref, uid } = provider(name);
      const lost = lostDeliveries(uid, store.deadLetters(), store.outbox());
      loop.push({ kind: 'redeliver', request: { provider: ref, nonce, lost } });
      await host.advance(30_000);
      return core.view.redelivery(uid);
    },
    put: (raw: RawObject): void => loop.push({ kind: 'objects', source: 'pods', events: [{ is: 'put', raw }] }),
    gone: (raw: RawObject): void => loop.push({ kind: 'objects', source: 'pods', events: [{ is: 'gone', raw }] }),
    /** Acts that arrived, in brief: `open`, or `oncall open` where there are several providers. */
    acts: (): string[] =>
      arrived.map(({ provider: to, act }) => (settings.providers.length > 1 ? `${to} ${act}` : act)),
  };
}

/** A Pod whose only container crashes over and over, as seen at an instant (epoch milliseconds). */
export function crashing(name: string, now: number): RawObject {
  const iso = (instant: number): string => new Date(instant).toISOString();
  const terminated = { exitCode: 1, reason: 'Error', startedAt: iso(now - 3_000), finishedAt: iso(now - 1_000) };
  const message = 'back-off 2m40s restarting failed container';
  const app = { name: 'app', image: 'r/api:1' };
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: iso(now - 600_000) },
    spec: { nodeName: 'n1', containers: [app] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: iso(now) }],
      containerStatuses: [
        {
          ...{ ...app, ready: false, restartCount: 5 },
          state: { waiting: { reason: 'CrashLoopBackOff', message } },
          lastState: { terminated },
        },
      ],
    },
  };
}
