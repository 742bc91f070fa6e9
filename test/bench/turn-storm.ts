/**
 * Cost of the turns in which 1 % of 100,000 Pods begin to crash within ten seconds, one Pod each of a thousand workloads, and of those after
 * them until people have been told. Run with `node --expose-gc test/bench/turn-storm.ts`.
 */
import type { RawObject } from '../../src/model/raw-object.ts';
import { sourceOf } from '../../src/model/resource.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';
import { clusterOf, podsPerOwner } from './cluster.ts';
import { timed } from './numbers.ts';
import { pod } from './pod.ts';

/** What this came to. */
export type StormFigures = {
  /** Milliseconds of the longest turn while they begin to fail. */
  readonly failingMs: number;
  /** The longest turn of the three minutes after that. */
  readonly afterMs: number;
};

const size = { pods: Number(process.env.PODS ?? 100_000), nodes: 5_000, around: 5_000 };
const layout = { podsPerOwner, nodeCount: size.nodes };
const failing = size.pods / 100;
const second = 1000;
const turnsWhileFailing = 100;

/** A Pod whose first container has crashed for the fifth time. */
function crashed(index: number, now: number): RawObject {
  const raw = structuredClone(pod(index, layout));
  const status = raw.status as {
    conditions: { type: string; status: string; lastTransitionTime: string }[];
    containerStatuses: { ready: boolean; restartCount: number; state: object; lastState: object }[];
  };
  const [at, before] = [new Date(now).toISOString(), new Date(now - 4 * second).toISOString()];
  for (const condition of status.conditions)
    if (condition.type.endsWith('Ready')) Object.assign(condition, { status: 'False', lastTransitionTime: at });
  Object.assign(status.containerStatuses[0] ?? {}, {
    ...{ ready: false, restartCount: 5 },
    state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 2m40s restarting failed container' } },
    lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: before, finishedAt: at } },
  });
  return { ...raw, metadata: { ...raw.metadata, resourceVersion: `9${index}` } };
}

function measure(): StormFigures {
  const core = new Core({ clusterId: 'bench', version: '0', traits: new Map() });
  let now = Date.UTC(2026, 1, 1);
  core.turn([{ kind: 'settings', settings: { ...defaultSettings, edition: 'Pro' } }], now);
  for (const row of watchedKinds) {
    const [source, kind] = [sourceOf(row), row.kind];
    const coverage = { source, kind, state: 'Watching', reason: 'Synced', since: now, required: false } as const;
    for (const raw of clusterOf(size).get(source)?.() ?? [])
      core.turn([{ kind: 'objects', source, events: [{ is: 'put', raw: { kind, ...raw } }] }], now);
    core.turn([{ kind: 'source', coverage }], now);
  }
  core.turn([{ kind: 'baseline' }], now);
  const turn = (inputs: readonly Input[]): number => timed(() => void core.turn(inputs, now));
  const fail = (from: number, count: number): Input => {
    const raws = Array.from({ length: count }, (_, at) => crashed((from + at) * 100, now));
    return { kind: 'objects', source: 'pods', events: raws.map((raw) => ({ is: 'put', raw })) };
  };
  // Time goes on by the second, as it does where the loop is woken: what is due is not left to the first that fails.
  for (let elapsed = 0; elapsed < 120; elapsed += 1) {
    now += second;
    turn([]);
  }
  let [failingMs, afterMs] = [0, 0];
  for (let at = 0; at < turnsWhileFailing; at += 1) {
    now += (10 * second) / turnsWhileFailing;
    const inputs = [fail((at * failing) / turnsWhileFailing, failing / turnsWhileFailing)];
    failingMs = Math.max(failingMs, turn(inputs));
  }
  for (let elapsed = 0; elapsed < 180; elapsed += 1) {
    now += second;
    afterMs = Math.max(afterMs, turn([]));
  }
  return { failingMs, afterMs };
}

const figures = measure();
console.log(`${failing} of ${size.pods} Pods begin to crash, the longest turn: ${figures.failingMs.toFixed(0)} ms`);
console.log(`the longest turn of the three minutes after: ${figures.afterMs.toFixed(0)} ms`);
process.send?.(figures);
