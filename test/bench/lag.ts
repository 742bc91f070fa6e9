import { setTimeout as delay } from 'node:timers/promises';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { BenchServer } from './api-server.ts';
import { type Layout, namesOf, pod, timeText } from './pod.ts';
import type { BenchReceiver } from './receiver.ts';

/** One series: in `count` Deployments, from `first` on, one Pod begins to crash. */
export type LagSeries = {
  readonly first: number;
  readonly count: number;
  readonly perSecond: number;
  /** How long a problem must last before it is told. */
  readonly settleSeconds: number;
  /** Whether messages wait for log lines. */
  readonly logs: boolean;
};

/** New settings are in force well within this. */
const settingsMs = 1_000;
/** What has not arrived this long after the last event will not. */
const patienceMs = 20_000;
let generation = 1;

/** The settings of a series. */
export function configOf({ settleSeconds, logs }: Pick<LagSeries, 'settleSeconds' | 'logs'>): RawObject {
  const overrides = [{ selector: { reasons: ['CrashLoopBackOff'] }, settleSeconds }];
  return {
    apiVersion: 'tocsin.dev/v1alpha1',
    kind: 'AlertConfig',
    metadata: {
      ...{ name: 'default', namespace: 'tocsin', uid: 'config', generation: generation++ },
      creationTimestamp: '2026-11-01T08:00:00Z',
    },
    spec: { app: { clusterName: 'bench' }, detection: { overrides }, evidence: { logs } },
  };
}

/**
 * Milliseconds from the event on the wire (or, if later, the end of the settle time) to the request at the receiver, for each
 * problem. Rejects when a message does not arrive: what is lost must not make the figure better.
 */
export async function measureLag(
  server: BenchServer,
  receiver: BenchReceiver,
  layout: Layout,
  series: LagSeries,
): Promise<readonly number[]> {
  server.put(configOf(series));
  await delay(settingsMs);
  /** App → when its message was due, by `performance.now()`. */
  const due = new Map<string, number>();
  const lags: number[] = [];
  const all = Promise.withResolvers<void>();
  receiver.onOpened = (root, at) => {
    const [app = ''] = /^service-\d+/.exec(root) ?? [];
    const dueAt = due.get(app);
    if (dueAt === undefined) return;
    due.delete(app);
    lags.push(at - dueAt);
    if (lags.length === series.count) all.resolve();
  };
  const begun = performance.now();
  for (let at = 0; at < series.count; at++) {
    const owner = series.first + at;
    await delay(Math.max(0, begun + (at * 1000) / series.perSecond - performance.now()));
    const epochNow = Date.now();
    const since = Math.floor(epochNow / 1000) * 1000;
    const index = owner * layout.podsPerOwner + replicaOf(owner, layout);
    const event = server.event('pods', 'MODIFIED', crashing(pod(index, layout), since));
    const writtenAt = performance.now();
    due.set(namesOf(owner).app, Math.max(writtenAt, writtenAt + since + series.settleSeconds * 1000 - epochNow));
    server.emit('pods', event);
  }
  const late = delay(patienceMs + series.settleSeconds * 1000, undefined, { ref: false }).then(() => {
    throw new Error(
      `${due.size} of ${series.count} messages did not arrive: ${[...due.keys()].slice(0, 5).join(', ')}`,
    );
  });
  await Promise.race([all.promise, late]);
  return lags;
}

/**
 * Which Pod of a Deployment crashes: on another node each time, since two workloads that fail on one Node alone are that Node's. Nodes come
 * again after as many Deployments as have a Pod on each of them.
 */
const replicaOf = (owner: number, { podsPerOwner, nodeCount }: Layout): number =>
  Math.floor((owner * podsPerOwner) / nodeCount) % podsPerOwner;

/** The Pod as its kubelet writes it when its main container has crashed for the fourth time. `since`: whole seconds. */
function crashing(raw: RawObject, since: number): RawObject {
  const status = raw.status as {
    readonly conditions: readonly { readonly type: string }[];
    readonly containerStatuses: readonly object[];
  };
  const at = timeText(since);
  const failing = new Set(['Ready', 'ContainersReady']);
  const unready = { status: 'False', reason: 'ContainersNotReady', message: 'containers with unready status: [main]' };
  const [main, ...others] = status.containerStatuses;
  const message = `back-off 1m20s restarting failed container=main pod=${raw.metadata.name}`;
  const terminated = { exitCode: 1, reason: 'Error', startedAt: timeText(since - 2000), finishedAt: at };
  const crashed = {
    ...{ ...main, ready: false, started: false, restartCount: 4 },
    state: { waiting: { reason: 'CrashLoopBackOff', message } },
    lastState: { terminated },
  };
  return {
    ...raw,
    status: {
      ...status,
      conditions: status.conditions.map((condition) =>
        failing.has(condition.type) ? { ...condition, ...unready, lastTransitionTime: at } : condition,
      ),
      containerStatuses: [crashed, ...others],
    },
  };
}
