/**
 * What a whole cluster costs the core: 5,000 Pods with all that stands around them and 20,000 Events, divided among the Pods; then
 * what turns take that bring 2,000 changes a second, most of them of Pods, slices and Events. Run with
 * `node --expose-gc test/bench/world-everything.ts`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { RawObject } from '../../src/model/raw-object.ts';
import { sourceOf } from '../../src/model/resource.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';
import { clusterOf, podsPerOwner } from './cluster.ts';
import { percentile } from './numbers.ts';
import { pod } from './pod.ts';
import { slice, surroundingsOf, warning } from './surroundings.ts';

const { gc } = globalThis;
if (!gc) throw new Error('Run with --expose-gc, or garbage counts as memory in use.');

/** What this came to. */
export type EverythingFigures = {
  readonly kilobytesPerPod: number;
  readonly turnP50Ms: number;
  readonly turnP99Ms: number;
  /** Processor time for one change, in microseconds: half of a million of it is 2,000 a second on a quarter of a core. */
  readonly changeMicroseconds: number;
};

const size = { pods: 5_000, nodes: 500 };
const layout = { podsPerOwner, nodeCount: size.nodes };
const around = surroundingsOf(size.pods);
const owners = Math.ceil(size.pods / podsPerOwner);
/** Changes in one turn: what comes in 50 ms at 2,000 a second. */
const changesPerTurn = 100;
const turns = 400;

/** An object as it comes from the wire: of its own. */
const parsed = (raw: RawObject): RawObject => JSON.parse(JSON.stringify(raw)) as RawObject;

function measure(): EverythingFigures {
  gc?.();
  gc?.();
  const before = process.memoryUsage().heapUsed;
  const core = new Core({ clusterId: 'bench', version: '0', traits: new Map() });
  let now = Date.UTC(2026, 1, 1);
  const put = (source: string, raw: RawObject): Input => ({
    kind: 'objects',
    source,
    events: [{ is: 'put', raw: parsed(raw) }],
  });
  core.turn([{ kind: 'settings', settings: { ...defaultSettings, edition: 'Pro' } }], now);
  for (const row of watchedKinds) {
    const [source, kind] = [sourceOf(row), row.kind];
    const coverage = { source, kind, state: 'Watching', reason: 'Synced', since: now, required: false } as const;
    const objects = clusterOf(size).get(source)?.() ?? [];
    const typed = Iterator.from(objects).map((raw) => put(source, { kind, ...raw }));
    for (const input of typed) core.turn([input], now);
    core.turn([{ kind: 'source', coverage }], now);
  }
  core.turn([{ kind: 'baseline' }], now);
  for (let index = 0; index < 20_000; index++) {
    const event = warning(index % size.pods, layout, new Date(now).toISOString());
    const metadata = { ...event.metadata, name: `${event.metadata.name}.${index}` };
    core.turn([put('events.events.k8s.io', { kind: 'Event', ...event, metadata })], now);
  }
  gc?.();
  gc?.();
  const kilobytesPerPod = (process.memoryUsage().heapUsed - before) / size.pods / 1000;

  const took: number[] = [];
  const cpuBefore = process.cpuUsage();
  let parsing = 0;
  for (let turn = 0; turn < turns; turn++) {
    now += 50;
    const parseBefore = process.cpuUsage();
    const inputs = Array.from({ length: changesPerTurn }, (_, at) => change(turn * changesPerTurn + at, now)).map(
      ([source, raw]) => put(source, raw),
    );
    const parseTook = process.cpuUsage(parseBefore);
    parsing += parseTook.user + parseTook.system;
    const startedAt = performance.now();
    core.turn(inputs, now);
    took.push(performance.now() - startedAt);
  }
  const cpu = process.cpuUsage(cpuBefore);
  return {
    kilobytesPerPod,
    turnP50Ms: percentile(took, 0.5),
    turnP99Ms: percentile(took, 0.99),
    changeMicroseconds: (cpu.user + cpu.system - parsing) / (turns * changesPerTurn),
  };
}

/** One of a busy cluster's changes: of ten, five of Pods (one in five becomes unready or ready), three of slices, two Events. */
function change(index: number, now: number): [source: string, raw: RawObject] {
  const which = (index * 7_919) % size.pods;
  const isBad = Math.floor(index / 50) % 2 === 0;
  if (index % 10 < 5) {
    const raw = parsed(pod(which, layout));
    const { conditions = [] } = (raw.status ?? {}) as {
      conditions?: { type: string; status: string; lastTransitionTime: string }[];
    };
    const ready = conditions.find(({ type }) => type === 'Ready');
    if (ready && which % 5 === 0) {
      ready.status = isBad ? 'False' : 'True';
      ready.lastTransitionTime = new Date(now).toISOString();
    }
    return [
      'pods',
      {
        ...raw,
        metadata: { ...raw.metadata, resourceVersion: String(index) },
      },
    ];
  }
  if (index % 10 < 8)
    return [
      'endpointslices.discovery.k8s.io',
      { kind: 'EndpointSlice', ...slice(which, { owners, services: around.services }, isBad ? 9 : 10) },
    ];
  const event = warning(which, layout, new Date(now).toISOString());
  return ['events.events.k8s.io', { kind: 'Event', ...event }];
}

await delay(0);
const figures = measure();
console.log(`heap for each Pod, everything around it included  ${figures.kilobytesPerPod.toFixed(2)} KB`);
console.log(
  `a turn of ${changesPerTurn} changes, p50 / p99      ${figures.turnP50Ms.toFixed(1)} / ${figures.turnP99Ms.toFixed(1)} ms`,
);
console.log(`processor time for one change                     ${figures.changeMicroseconds.toFixed(0)} µs`);
process.send?.(figures);
