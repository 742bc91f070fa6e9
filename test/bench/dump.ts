/**
 * What it takes to judge a dump of 100 MB, as `kubectl cluster-info dump` and must-gather write it: of a cluster in which all is well, and of one in
 * which every second Pod belongs to nobody and is broken for a reason of its own. Run with `node test/bench/dump.ts`, which prints seconds of wall
 * clock, of processor time, and the most memory. `DUMP_FOLDER` keeps the dumps, `DUMP_FORMAT` picks one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RawObject } from '../../src/model/raw-object.ts';
import { apiVersionOf, sourceOf } from '../../src/model/resource.ts';
import type { ContainerLog } from '../../src/runtime/recording/container-logs.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';
import { tarOf } from '../dump/archive.ts';
import { formats, type Holding } from '../dump/formats.ts';
import { clusterOf, podsPerOwner } from './cluster.ts';
import { namesOf, timeText } from './pod.ts';
import { warning } from './surroundings.ts';

const now = Date.UTC(2026, 1, 1);
const ago = (minutes: number): string => timeText(now - minutes * 60_000);
/** Of so many Pods one is broken. */
const brokenOneIn = 2;

type Fields = Readonly<Record<string, unknown>>;

/** How a Pod may be broken: what is different in the status of its container. */
const ways: readonly ((index: number) => Fields)[] = [
  () => ({
    state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container' } },
    lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: ago(3), finishedAt: ago(2) } },
    restartCount: 12,
  }),
  (index) => ({
    state: {
      waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image "registry.example.com/${index}"` },
    },
  }),
  () => ({
    state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container' } },
    lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', startedAt: ago(3), finishedAt: ago(2) } },
    restartCount: 9,
  }),
];

/** A Pod as it stands once its Deployment is broken. */
function broken(pod: RawObject, index: number): RawObject {
  const status = pod.status as Fields & { containerStatuses: readonly Fields[]; conditions: readonly Fields[] };
  const differs = ways[Math.floor(index / brokenOneIn) % ways.length]?.(index);
  const { ownerReferences: _, ...metadata } = pod.metadata;
  return {
    ...pod,
    metadata,
    status: {
      ...status,
      conditions: status.conditions.map((one) =>
        /Ready$/.test(String(one.type)) && one.type !== 'PodReadyToStartContainers'
          ? { ...one, status: 'False', reason: 'ContainersNotReady', lastTransitionTime: ago(30) }
          : one,
      ),
      containerStatuses: status.containerStatuses.map((one, at) =>
        at === 0 ? { ...one, ready: false, started: false, ...differs } : one,
      ),
    },
  };
}

/** Everything in a cluster of so many Pods; one in `brokenOneIn` is broken, or none. */
function holdingOf(pods: number, isBroken: boolean): Holding {
  const objects: RawObject[] = [];
  const logs: ContainerLog[] = [];
  const layout = { podsPerOwner, nodeCount: Math.ceil(pods / 20) };
  for (const [source, list] of clusterOf({ pods, nodes: layout.nodeCount, around: Math.ceil(pods / 2) })) {
    const row = watchedKinds.find((kind) => sourceOf(kind) === source);
    if (!row) continue;
    let index = 0;
    for (const raw of list()) {
      const whole = { ...raw, apiVersion: apiVersionOf(row, row.versions[0]), kind: row.kind } as RawObject;
      const owner = Math.floor(index / podsPerOwner);
      const isBad = isBroken && source === 'pods' && index % brokenOneIn === 0;
      objects.push(isBad ? broken(whole, index) : whole);
      if (source === 'pods') {
        const ref = `Pod/${raw.metadata.namespace}/${raw.metadata.name}` as const;
        const lines = Array.from(
          { length: 20 },
          (_, at) => `INFO request ${at} of ${namesOf(owner).app} answered in 3 ms`,
        );
        if (isBad) lines.push(`FATAL unknown column "vat_${index}" in table "orders"`);
        logs.push({ pod: ref, container: 'main', previous: isBad, lines });
        if (isBad) objects.push({ apiVersion: 'events.k8s.io/v1', kind: 'Event', ...warning(index, layout, ago(1)) });
      }
      index += 1;
    }
  }
  return { objects, logs };
}

/** JSON is twice as large as YAML of the same: so many Pods make 100 MB. */
const rows = [
  ['kubectl cluster-info dump', Number(process.env.DUMP_PODS_JSON ?? 3_150)],
  ['must-gather', Number(process.env.DUMP_PODS_YAML ?? 6_500)],
  ['objects as kubectl prints them', Number(process.env.DUMP_PODS_PRINTED ?? 3_150)],
] as const;

const main = join(import.meta.dirname, '../../src/main.ts');
const given = process.env.DUMP_FOLDER;
const folder = given ?? mkdtempSync(join(tmpdir(), 'tocsin-bench-dump-'));
mkdirSync(folder, { recursive: true });
try {
  for (const [format, pods] of rows.filter(([each]) => each === (process.env.DUMP_FORMAT ?? each)))
    for (const isBroken of [false, true]) {
      const path = join(folder, `${format.replaceAll(' ', '-')}-${isBroken ? 'broken' : 'well'}.tar`);
      const write = formats[format];
      if (write && !existsSync(path)) writeFileSync(path, tarOf(write(holdingOf(pods, isBroken)), now));
      const measured = `process.on('exit', () => { const { userCPUTime, maxRSS } = process.resourceUsage(); console.error(JSON.stringify({ userCPUTime, maxRSS })); });`;
      const began = performance.now();
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [
          `--import=data:text/javascript,${encodeURIComponent(measured)}`,
          main,
          'diagnose',
          '--from',
          path,
          '-o',
          'json',
        ],
        { encoding: 'utf8', maxBuffer: 1024 ** 3 },
      );
      const seconds = (performance.now() - began) / 1000;
      const { userCPUTime, maxRSS } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '{}');
      const answer = JSON.parse(stdout) as { broken: unknown[] };
      console.log(
        `${format.padEnd(26)} ${(statSync(path).size / 1e6).toFixed(0).padStart(4)} MB, ${String(answer.broken.length).padStart(5)} broken: ${seconds.toFixed(1)} s, user ${(userCPUTime / 1e6).toFixed(1)} s, ${(maxRSS / 1024).toFixed(0)} MiB`,
      );
    }
} finally {
  if (given === undefined) rmSync(folder, { recursive: true });
}
