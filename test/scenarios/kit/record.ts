import { type Fields, fieldAt } from '../../../sandbox/object.ts';
import { definedResource, trimmed } from '../../../src/kube/custom-definition.ts';
import { discover } from '../../../src/kube/discovery.ts';
import { Gate } from '../../../src/kube/gate.ts';
import { LineBudget } from '../../../src/kube/lines.ts';
import { Prober } from '../../../src/kube/prober.ts';
import { Reflector } from '../../../src/kube/reflector.ts';
import { systemClock } from '../../../src/kube/system-clock.ts';
import type { Coverage } from '../../../src/model/coverage.ts';
import type { ObjectEvent, RawObject } from '../../../src/model/raw-object.ts';
import { type Resource, sourceOf } from '../../../src/model/resource.ts';
import type { Input } from '../../../src/model/turn.ts';
import { watchedKinds } from '../../../src/world/kinds/kinds.ts';
import { secretMetadata } from '../../../src/world/kinds/workloads/settings.ts';
import { logsOf } from './container-logs.ts';
import { allPods, type Hands } from './hands.ts';
import { aged, coalesce, compact, createSieve, isStock, type Log, type LogLine } from './log.ts';
import type { Scenario } from './scenario.ts';
import { type Stage, startStage } from './stage.ts';

/** Of every log: the clusters of scenarios are all this one. */
export const header = { tocsinLog: 1, clusterId: 'scenario', version: '1.0.0', turns: 'events' } as const;
/** The longest that workloads may take to be ready at first. */
const patienceMs = 120_000;

/** What Tocsin's reflectors hear, from their first list on. */
type Ear = { readonly synced: () => boolean; take(): Input[]; stop(): Promise<void> };

/** The kinds that definitions of the cluster define now: only with a licence are they watched. */
async function customKinds({ api }: Stage, { edition }: Scenario): Promise<readonly Resource[]> {
  if (edition !== 'Pro') return [];
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { items } = await api.json<{ items: readonly RawObject[] }>({ path });
  return items.flatMap((item) => definedResource(item) ?? []);
}

async function listen(stage: Stage, story: Scenario): Promise<Ear> {
  const { api, clock } = stage;
  const custom = await customKinds(stage, story);
  const found = await discover(api, [...watchedKinds, secretMetadata, ...custom], clock.now());
  const gate = new Gate(2);
  const budget = new LineBudget();
  const prober = new Prober({ client: api, clock: systemClock, random: () => 0.5 });
  const states = new Map<string, Coverage>();
  let heard: Input[] = [];
  const passes = createSieve();
  const watchable = found.flatMap((one) => (one.is === 'watchable' ? [one] : []));
  for (const one of found) if (one.is !== 'watchable') heard.push({ kind: 'source', coverage: one.coverage });
  const reflectors = watchable.map(({ resource, version }) => {
    const source = sourceOf(resource);
    const known = new Map<string, { namespace?: string; name: string; uid: string }>();
    const reflector = new Reflector({
      ...{ client: api, resource, version, gate, prober, budget, random: () => 0.5 },
      clock: { ...systemClock, now: clock.now },
      known: () => known.values(),
      onCoverage(coverage) {
        states.set(source, coverage);
        heard.push({ kind: 'source', coverage });
      },
      onEvents(events) {
        const kept: ObjectEvent[] = [];
        for (const { is, raw } of events) {
          const { name, namespace, uid = '' } = raw.metadata;
          const key = `${namespace ?? ''}/${name}`;
          if (is === 'gone') known.delete(key);
          else known.set(key, { name, uid, ...(namespace && { namespace }) });
          const event = { is, raw: compact(custom.includes(resource) ? trimmed(raw) : raw) };
          if (!isStock(raw) && passes(event)) kept.push(event);
        }
        if (kept.length > 0) heard.push({ kind: 'objects', source, events: kept });
      },
    });
    reflector.start();
    return reflector;
  });
  return {
    synced: () => [...states.values()].every(({ state }) => state === 'Watching'),
    take() {
      const taken = heard;
      heard = [];
      return coalesce(taken);
    },
    async stop() {
      await Promise.all(reflectors.map((reflector) => reflector.stop()));
    },
  };
}

async function awaitReady(story: Scenario, stage: Stage): Promise<void> {
  const deadline = stage.clock.now() + patienceMs;
  for (const { path, kind } of story.awaited) {
    if (!kind.ready) continue;
    const [ready, wanted] = kind.ready;
    for (;;) {
      const { spec, status } = await stage.api.json<{ spec: Fields; status: Fields }>({ path });
      const want = status[wanted] ?? spec.replicas;
      if (want === 0 || (typeof want === 'number' && status[ready] === want)) break;
      if (stage.clock.now() > deadline) throw new Error(`${path} did not get ready: ${JSON.stringify(status)}`);
      await stage.pass(500);
    }
  }
  await stage.pass(story.beforeMs);
}

/** How long the end of a recording waits for crashing containers to be in their back-off. */
const restMs = 20_000;

/** Whether some container runs that has just crashed. */
async function isBetweenRuns(stage: Stage): Promise<boolean> {
  const soon = stage.clock.now() - restMs;
  return (await allPods(stage)).some(({ status }) =>
    (status.containerStatuses ?? []).some(({ state, lastState }) => {
      const startedAt = fieldAt(state, 'running', 'startedAt');
      const failed = Number(fieldAt(lastState, 'terminated', 'exitCode') ?? 0) > 0;
      return failed && typeof startedAt === 'string' && Date.parse(startedAt) > soon;
    }),
  );
}

/** The Pods that have failed, as they are seen. */
function failedPods(inputs: readonly Input[]): { readonly namespace: string; readonly uid: string }[] {
  return inputs.flatMap((input) =>
    input.kind !== 'objects' || input.source !== 'pods'
      ? []
      : input.events.flatMap(({ is, raw: { metadata, status } }) =>
          is === 'put' && fieldAt(status, 'phase') === 'Failed'
            ? [{ namespace: metadata.namespace ?? '', uid: metadata.uid ?? '' }]
            : [],
        ),
  );
}

/** Plays a story on a cluster of its own and returns what Tocsin would have seen of it. */
export async function record(story: Scenario): Promise<Log> {
  const stage = await startStage(story);
  const lines: LogLine[] = [];
  let ear: Ear | undefined;
  const failed = new Set<string>();
  const noteLogs = async (namespace?: string): Promise<void> => {
    const logs = await logsOf(stage.api, namespace);
    if (logs.length > 0) lines.push({ now: stage.clock.now(), inputs: [], logs });
  };
  /** Writes down what was heard since the last time, and the logs of Pods that failed: the next run may take them away. */
  const note = async (): Promise<void> => {
    const inputs = ear?.take() ?? [];
    const now = stage.clock.now();
    if (inputs.length > 0) lines.push({ now, inputs });
    const namespaces = new Set(failedPods(inputs).flatMap(({ namespace, uid }) => (failed.has(uid) ? [] : namespace)));
    for (const { uid } of failedPods(inputs)) failed.add(uid);
    for (const namespace of namespaces) await noteLogs(namespace);
  };
  async function startTocsin(): Promise<void> {
    ear = await listen(stage, story);
    while (!ear.synced()) await stage.pass(50);
    const now = stage.clock.now();
    const first = lines.length > 0 ? { restart: true as const } : {};
    lines.push({ now, ...first, inputs: [...ear.take(), { kind: 'baseline' }] });
  }
  /** Lets time go on, listening. */
  async function pass(milliseconds: number): Promise<void> {
    for (const end = stage.clock.now() + milliseconds; stage.clock.now() < end; ) {
      await stage.pass(Math.min(250, end - stage.clock.now()));
      await note();
    }
  }
  const hands: Hands = {
    ...stage,
    async restartTocsin(afterSeconds) {
      await note();
      await ear?.stop();
      ear = undefined;
      await stage.pass(afterSeconds * 1000);
      await startTocsin();
    },
  };
  try {
    for (const action of story.before) await action(hands);
    await awaitReady(story, stage);
    await startTocsin();
    const start = stage.clock.now();
    for (const { atMs, action } of story.steps) {
      await pass(start + atMs - stage.clock.now());
      await noteLogs();
      await action(hands);
    }
    await pass(start + story.lastsMs - stage.clock.now());
    // What stands still for ever must not be the two seconds in which a container runs that crashes again and again.
    for (let waited = 0; waited < restMs && (await isBetweenRuns(stage)); waited += 500) await pass(500);
    await noteLogs();
    return { header, lines: aged(lines, (lines[0]?.now ?? 0) - story.beforeMs) };
  } finally {
    await ear?.stop();
    await stage.stop();
  }
}
