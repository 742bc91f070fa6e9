import type { Delivery } from '../../src/model/delivery.ts';
import type { Notification } from '../../src/model/notification.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../../src/model/settings.ts';
import type { Traits } from '../../src/model/traits.ts';
import type { Effects, Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { everyKind, sourceOf } from '../world/story.ts';

/** Who is told in the stories. */
export const provider: ProviderSettings = {
  ...{
    ref: 'AlertProvider/tocsin/oncall',
    uid: 'oncall',
    namespace: 'tocsin',
    type: 'webhook',
    config: {},
    secrets: {},
  },
  ...{ retry: {}, suspended: false, active: { is: true, reason: 'Selected' }, usable: true, generation: 1 },
};
/** What most stories are told with: everything, to one provider. */
export const toldWith: Settings = {
  ...defaultSettings,
  edition: 'Pro',
  app: { clusterName: 'prod-eu', startupMessage: 'WhenBroken' },
  providers: [provider],
};

/**
 * A watched cluster as the core sees it: raw objects in, what is told out. Time passes as it would: a turn at every change
 * and at every instant that the core asks for. `own`: settings that differ from what most stories are told with; `traits`: what its
 * products are like.
 */
export function watchedCluster(own: Partial<Settings> = {}, traits: Traits = new Map()) {
  const core = new Core({ clusterId: 'c', version: '1.2.3', traits });
  const told = new Map<string, Delivery>();
  /** Log lines of the containers that are asked for. */
  let log: readonly string[] = [];
  let wakeAt: number | undefined;

  function turn(inputs: readonly Input[], now: number): void {
    const effects: Effects = core.turn(inputs, now);
    for (const each of [...effects.save.enqueue, ...effects.save.replace]) told.set(each.id, each);
    ({ wakeAt } = effects);
    for (const { previous, lines: _, ...run } of effects.fetch) {
      const { pod, container } = run;
      const source = `last log lines of the ${previous ? 'previous ' : ''}container ${container} in ${nameOf(pod)}`;
      turn([{ kind: 'evidence', evidence: { ...run, source, lines: log } }], now + 1);
    }
  }
  function wait(until: number): void {
    for (let turns = 0; turns < 1000 && wakeAt !== undefined && wakeAt <= until; turns += 1)
      turn([{ kind: 'wake' }], wakeAt);
    turn([{ kind: 'wake' }], until);
  }
  function change(is: 'put' | 'gone', now: number, raws: readonly RawObject[]): void {
    wait(now);
    turn(
      raws.map((raw): Input => ({ kind: 'objects', source: sourceOf(raw), events: [{ is, raw }] })),
      now,
    );
  }
  return {
    /** Begins to watch: what is put before is the baseline. `more`: settings of this story alone. */
    start(now: number, more: Partial<Settings> = {}): void {
      const seen = everyKind.map(({ kind, source }): Input => {
        const coverage = { source, kind, state: 'Watching', reason: 'Synced', since: now, required: false } as const;
        return { kind: 'source', coverage };
      });
      turn([{ kind: 'settings', settings: { ...toldWith, ...own, ...more } }, ...seen, { kind: 'baseline' }], now);
    },
    put: (now: number, ...raws: RawObject[]): void => change('put', now, raws),
    gone: (now: number, ...raws: RawObject[]): void => change('gone', now, raws),
    wait,
    logs(...lines: readonly string[]): void {
      log = lines;
    },
    /** Somebody asks a provider for a test message. */
    ask: (now: number, to: Ref): void => turn([{ kind: 'test', provider: to, nonce: 'tried' }], now),
    told: (): Notification[] => [...told.values()].map(({ notification }) => notification),
    /** The same, with where each goes to and the keys by which products know it. */
    deliveries: (): Delivery[] => [...told.values()],
  };
}

const nameOf = (ref: Ref): string => ref.slice(ref.lastIndexOf('/') + 1);
