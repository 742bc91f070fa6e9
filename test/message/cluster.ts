import type { Notification } from '../../src/model/notification.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../../src/model/settings.ts';
import type { Effects, Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { everyKind, sourceOf } from '../world/story.ts';

const provider: ProviderSettings = {
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
const settings: Settings = {
  ...defaultSettings,
  edition: 'Pro',
  app: { clusterName: 'prod-eu', startupMessage: 'WhenBroken' },
  providers: [provider],
};

/**
 * A watched cluster as the core sees it: raw objects in, what is told out. Time passes as it would: a turn at every change
 * and at every instant that the core asks for.
 */
export function watchedCluster() {
  const core = new Core({ clusterId: 'c', version: '1.2.3', traits: new Map() });
  const told = new Map<string, Notification>();
  /** Log lines of the containers that are asked for. */
  let log: readonly string[] = [];
  let wakeAt: number | undefined;

  function turn(inputs: readonly Input[], now: number): void {
    const effects: Effects = core.turn(inputs, now);
    for (const { id, notification } of [...effects.save.enqueue, ...effects.save.replace]) told.set(id, notification);
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
    /** Begins to watch: what is put before is the baseline. */
    start(now: number): void {
      const seen = everyKind.map(({ kind, source }): Input => {
        const coverage = { source, kind, state: 'Watching', reason: 'Synced', since: now, required: false } as const;
        return { kind: 'source', coverage };
      });
      turn([{ kind: 'settings', settings }, ...seen, { kind: 'baseline' }], now);
    },
    put: (now: number, ...raws: RawObject[]): void => change('put', now, raws),
    gone: (now: number, ...raws: RawObject[]): void => change('gone', now, raws),
    wait,
    logs(...lines: readonly string[]): void {
      log = lines;
    },
    told: (): Notification[] => [...told.values()],
  };
}

const nameOf = (ref: Ref): string => ref.slice(ref.lastIndexOf('/') + 1);
