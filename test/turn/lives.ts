import type { CoverageState } from '../../src/model/coverage.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../../src/model/settings.ts';
import type { Saved } from '../../src/model/store.ts';
import type { Input } from '../../src/model/turn.ts';
import { notAhead, restoredFrom } from '../../src/runtime/saving/restored.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { coverage } from '../runtime/helpers.ts';

/** Start of the story; times in it are seconds after this. */
const begin = Date.parse('2026-11-20T09:00:00Z');
export const instant = (seconds: number): number => begin + seconds * 1000;
export const at = (seconds: number): string => new Date(instant(seconds)).toISOString();

const sources = { pods: 'Pod', 'deployments.apps': 'Deployment', 'replicasets.apps': 'ReplicaSet', nodes: 'Node' };
type Source = keyof typeof sources;

/** What a source says of itself. */
export const source = (name: Source, state: CoverageState): Input => ({
  kind: 'source',
  coverage: { ...coverage(name, state), kind: sources[name] },
});

/** Objects of one source as they are. */
export const objects = (name: Source, ...raws: readonly RawObject[]): Input => ({
  kind: 'objects',
  source: name,
  events: raws.map((raw) => ({ is: 'put', raw })),
});

export const settingsOf = (providers: readonly ProviderSettings[] = [provider('oncall')]): Settings => ({
  ...defaultSettings,
  edition: 'Pro',
  evidence: { ...defaultSettings.evidence, logs: false },
  providers,
});

/** One process: the real core over the real store. `saved`: what the one before it left. `setsAside`: as in production. */
export function life(saved?: Saved, setsAside = false) {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map(), setsAside });
  const store = new MemoryStore(saved);
  const told: string[] = [];
  const leads: string[] = [];
  const memos: string[] = [];
  let now = instant(0);
  let wakeAt: number | undefined;

  function turn(seconds: number, ...inputs: readonly Input[]): void {
    now = instant(seconds);
    const { save, wakeAt: next } = core.turn(inputs, now);
    wakeAt = next;
    store.commit(save);
    for (const { act, notification, provider: to } of save.enqueue) {
      const about = notification.incident?.root ?? `${notification.list?.total ?? 0} listed`;
      told.push(`${act} ${about}${to.endsWith('/oncall') ? '' : ` → ${to}`}`);
      leads.push(notification.lead);
    }
    for (const { topic, key, value } of save.memos)
      memos.push(`${topic}/${key}${value === undefined ? ' forgotten' : ''}`);
  }

  return {
    ...{ core, store, told, leads, memos, turn },
    /** Everything is in sight; what there is, is there at the start. */
    start(seconds: number, settings: Settings, ...inputs: readonly Input[]): void {
      const restored = saved && restoredFrom(saved);
      if (restored) turn(seconds, { kind: 'restored', saved: restored });
      const unseen = new Set(inputs.flatMap((input) => (input.kind === 'source' ? input.coverage.source : [])));
      const seen = (Object.keys(sources) as Source[]).filter((name) => !unseen.has(name));
      turn(seconds, ...inputs, ...seen.map((name) => source(name, 'Watching')), { kind: 'settings', settings });
      turn(seconds, { kind: 'baseline' });
    },
    /** Runs the turns that are asked for until then. */
    until(seconds: number): void {
      for (let turns = 0; wakeAt !== undefined && wakeAt <= instant(seconds) && turns < 1_000; turns += 1)
        turn((wakeAt - begin) / 1000, { kind: 'wake' });
    },
    /** What it leaves behind when it is killed, as it is read from a file. */
    kill(): Saved {
      return JSON.parse(JSON.stringify({ ...store.load(), savedAt: now })) as Saved;
    },
    incidents: () => [...core.view.incidents()].map(({ state, explanation }) => `${state} ${explanation.root.ref}`),
  };
}

/** The next process, on a clock that says so many seconds. */
export const nextLife = (saved: Saved, seconds: number, setsAside = false) =>
  life(notAhead(saved, instant(seconds)), setsAside);

/** A lone Pod whose container crashes over and over since `since`. */
export function crashing(name: string, since: number, uid = name): RawObject {
  const terminated = { exitCode: 1, reason: 'Error', startedAt: at(since - 2), finishedAt: at(since) };
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name, namespace: 'shop', uid, creationTimestamp: at(since - 600) },
    spec: { nodeName: 'n1', containers: [{ name: 'app', image: 'registry.example/api:1' }] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady', lastTransitionTime: at(since) }],
      containerStatuses: [
        {
          ...{ name: 'app', image: 'registry.example/api:1', imageID: 'x', ready: false, restartCount: 5 },
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 2m40s restarting failed container' } },
          lastState: { terminated },
        },
      ],
    },
  };
}

/** The same Pod, ready since then. */
export function healthy(name: string, since: number, uid = name): RawObject {
  return {
    ...crashing(name, since, uid),
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at(since) }],
      containerStatuses: [
        {
          ...{ name: 'app', image: 'registry.example/api:1', imageID: 'x', ready: true, restartCount: 0 },
          state: { running: { startedAt: at(since) } },
        },
      ],
    },
  };
}

/** A Deployment that makes no Pods: none of the one it wants is there since then, as its conditions do not tell. */
export function withoutPods(name: string, wanted = 2): RawObject {
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
    metadata: { name, namespace: 'shop', uid: name, generation: 1, creationTimestamp: at(-7_200) },
    spec: { replicas: wanted, selector: { matchLabels: { app: name } }, template: { spec: { containers: [] } } },
    status: {
      ...{ observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
      conditions: [{ type: 'Available', status: 'True', lastTransitionTime: at(-7_200), lastUpdateTime: at(-7_200) }],
    },
  };
}
