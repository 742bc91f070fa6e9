/**
 * Every figure in one run, each side in a process of its own, with the machine's name: figures mean nothing without it. Prints
 * the tables and writes them into docs/contributing/performance.md. It never fails for a figure. About nine minutes on a quiet machine.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImage } from '../e2e/install-image.ts';
import { runScript } from './child.ts';
import type { LagSeries } from './lag.ts';
import { load, machineWords, versionWords } from './machine.ts';
import { percentile } from './numbers.ts';
import { residentAt, sideBySide, streamedSync } from './side-by-side.ts';
import type { SignFigures } from './signs.ts';
import type { StateFigures } from './state.ts';
import type { StatusPageFigures } from './status-page.ts';
import { type Figure, figureTable, sideTable, withFigures } from './table.ts';
import type { StormFigures } from './turn-storm.ts';
import type { EverythingFigures } from './world-everything.ts';

const page = join(import.meta.dirname, '../../docs/contributing/performance.md');
const small = { pods: 5_000, nodes: 500 };
const large = { pods: 20_000, nodes: 2_000 };
const largest = { pods: 100_000, nodes: 5_000 };
/** Kept at the same time: four Warnings for each Pod of the small cluster. */
const events = 20_000;
/** Each Deployment fails once, so the series together have at most as many as the small cluster: 500. */
const series: readonly LagSeries[] = [
  { first: 0, count: 200, perSecond: 8, settleSeconds: 0, logs: false },
  { first: 200, count: 100, perSecond: 8, settleSeconds: 2, logs: false },
  // Logs are read at most five times a second: more often, this would measure a queue.
  { first: 300, count: 200, perSecond: 3, settleSeconds: 0, logs: true },
];

const begun = performance.now();
let mostLoad = load();
function say(text: string): void {
  mostLoad = Math.max(mostLoad, load());
  const seconds = ((performance.now() - begun) / 1000).toFixed(0).padStart(4);
  console.log(`${seconds} s, load ${load().toFixed(1)}: ${text}`);
}

const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'));
try {
  console.log(`${versionWords()}\n${machineWords()}\n`);
  const loadBefore = load();
  say('building the image as the Dockerfile says');
  const image = buildImage(join(folder, 'image'));
  say('the world');
  const { kilobytesPerPod } = await runScript<{ kilobytesPerPod: number }>(script('world-memory'), ['--expose-gc']);
  say('the explainer');
  const { firstSolveMs } = await runScript<{ firstSolveMs: number }>(script('explain'), ['--expose-gc']);
  say('the signs');
  const signs = await runScript<SignFigures>(script('signs'), []);
  say('the incidents');
  const incidents = await runScript<{ settlingStepMs: number; resolvedMebibytes: number }>(script('incidents'), [
    '--expose-gc',
  ]);
  const { oneChangedMs } = await runScript<{ oneChangedMs: number }>(script('turn-large'), ['--expose-gc']);
  say('1,000 of 100,000 Pods begin to crash');
  const storm = await runScript<StormFigures>(script('turn-storm'), ['--expose-gc', '--max-old-space-size=8192']);
  say('everything around the Pods');
  const everything = await runScript<EverythingFigures>(script('world-everything'), ['--expose-gc']);
  say('the status page');
  const { desktop, phone } = await runScript<StatusPageFigures>(script('status-page'), []);
  say('saved state');
  const state = await runScript<StateFigures>(script('state'), ['--expose-gc']);
  say('5,000 Pods on 500 nodes');
  const five = await sideBySide({ image, folder, size: small, events, series, say });
  say('20,000 Pods on 2,000 nodes');
  const twenty = await sideBySide({ image, folder, size: large, events, series: [], say });
  say('the same with streamed lists');
  const streamed = await streamedSync(image, folder, large);
  say('100,000 Pods on 5,000 nodes');
  const hundred = await residentAt({ image, folder, size: { ...largest, around: small.pods }, events, say });
  say('the same with as much around each Pod');
  const crowded = await residentAt({ image, folder, size: largest, events, say });

  const lag = (at: number, share: number): number => percentile(five.lags[at] ?? [], share);
  const figures: readonly Figure[] = [
    { what: 'heap for each Pod that is kept, of 20,000', value: kilobytesPerPod, unit: 'KB', atMost: 1 },
    {
      what: 'heap for each of 5,000 Pods with all around it and 20,000 Events',
      value: everything.kilobytesPerPod,
      unit: 'KB',
    },
    { what: 'a turn of 100 changes (2,000 a second), p50', value: everything.turnP50Ms, unit: 'ms' },
    { what: 'a turn of 100 changes (2,000 a second), p99', value: everything.turnP99Ms, unit: 'ms', atMost: 100 },
    {
      what: 'processor time of the core for a change',
      value: everything.changeMicroseconds / 1000,
      unit: 'ms',
      atMost: 0.5,
    },
    { what: 'resident, steady, 5,000 Pods', value: five.operator.steady, unit: 'MiB', atMost: 180 },
    { what: 'resident, peak, 5,000 Pods', value: five.operator.peak, unit: 'MiB' },
    { what: 'resident after 500 incidents, 5,000 Pods', value: five.afterwards.steady, unit: 'MiB' },
    { what: 'resident, steady, 20,000 Pods', value: twenty.operator.steady, unit: 'MiB' },
    { what: 'resident, peak, 20,000 Pods', value: twenty.operator.peak, unit: 'MiB' },
    { what: 'resident, steady, 100,000 Pods', value: hundred.steady, unit: 'MiB', atMost: 400 },
    { what: 'resident, peak, 100,000 Pods', value: hundred.peak, unit: 'MiB' },
    { what: 'resident, steady, with 40,000 Services and 100,000 slices besides', value: crowded.steady, unit: 'MiB' },
    { what: 'idle, 5,000 Pods, share of a core', value: five.operator.corePercent, unit: 'percent', atMost: 5 },
    { what: 'idle, 100,000 Pods, share of a core', value: hundred.corePercent, unit: 'percent' },
    { what: 'first sync against the bare loop, 5,000 Pods', value: five.syncRatio, unit: 'times', atMost: 1.5 },
    { what: 'first sync against the bare loop, 20,000 Pods', value: twenty.syncRatio, unit: 'times', atMost: 1.5 },
    { what: 'from the first list to ready, 5,000 Pods', value: five.readySeconds, unit: 's' },
    { what: 'from the first list to ready, 20,000 Pods', value: twenty.readySeconds, unit: 's' },
    { what: 'from the first list to ready, 100,000 Pods', value: hundred.readySeconds, unit: 's' },
    { what: 'lag, no settle time, p50', value: lag(0, 0.5), unit: 'ms', atMost: 25 },
    { what: 'lag, no settle time, p99', value: lag(0, 0.99), unit: 'ms', atMost: 150 },
    { what: 'lag beyond a settle time of 2 s, p50', value: lag(1, 0.5), unit: 'ms', atMost: 25 },
    { what: 'lag beyond a settle time of 2 s, p99', value: lag(1, 0.99), unit: 'ms', atMost: 150 },
    { what: 'lag with log lines, p50', value: lag(2, 0.5), unit: 'ms' },
    { what: 'lag with log lines, p99', value: lag(2, 0.99), unit: 'ms' },
    { what: 'first explanation of 1,001 findings with one cause', value: firstSolveMs, unit: 'ms', atMost: 50 },
    { what: 'the slowest row of the signs on 64 KB of its own words', value: signs.slowestMs, unit: 'ms', atMost: 1 },
    {
      what: 'the slowest of the other readers of logs on 64 KB of hostile lines',
      value: signs.slowestReaderMs,
      unit: 'ms',
      atMost: 1,
    },
    {
      what: 'a turn with one change of 10,000 Pods that wait for one Secret',
      value: oneChangedMs,
      unit: 'ms',
      atMost: 5,
    },
    {
      what: 'the longest turn while 1,000 of 100,000 Pods begin to crash, the first one cold',
      value: storm.failingMs,
      unit: 'ms',
      atMost: 200,
    },
    { what: 'the longest turn after that, until all is told', value: storm.afterMs, unit: 'ms', atMost: 200 },
    { what: 'a step while 10,000 findings settle', value: incidents.settlingStepMs, unit: 'ms', atMost: 100 },
    { what: 'deliveries through the outbox in memory', value: state.perSecondMemory, unit: 'perSecond' },
    { what: 'deliveries through the outbox, saved', value: state.perSecondSaved, unit: 'perSecond' },
    { what: 'what saving adds to the lag, p50', value: state.addedLagMs, unit: 'ms' },
    { what: 'what saving adds to the lag, p99', value: state.addedLagP99Ms, unit: 'ms', atMost: 5 },
    { what: 'for comparison: a message to a thread and back, p99', value: state.threadP99Ms, unit: 'ms' },
    { what: 'for comparison: as many bytes forced to the disk, p99', value: state.diskP99Ms, unit: 'ms' },
    { what: 'written for a turn and its delivery', value: state.turnKilobytes, unit: 'KB' },
    { what: 'the same of an incident of 10,000 Pods', value: state.largeTurnKilobytes, unit: 'KB' },
    { what: 'saved state after a day of two incidents a minute', value: state.dayMebibytes, unit: 'MiB' },
    {
      what: 'from a start to the first delivery, 10,000 saved incidents',
      value: state.restartMs / 1000,
      unit: 's',
      atMost: 3,
    },
    ...paint("a desktop's", desktop),
    ...paint("a phone's", phone),
    { what: '300 resolved incidents of 1,000 findings', value: incidents.resolvedMebibytes, unit: 'MiB', atMost: 19 },
  ];
  const day = new Date().toISOString().slice(0, 10);
  const flags = image.entrypoint.slice(1, -1).join(' ');
  const environment = Object.entries(image.environment).map(([name, value]) => `${name}=${value}`);
  const facts = [
    `${day}. ${versionWords()}, started with \`${flags}\` and \`${environment.join(' ')}\`. ${machineWords()}.`,
    `Load average ${loadBefore.toFixed(1)} before, ${mostLoad.toFixed(1)} at most: above 1 something else was running.`,
  ];
  const tables = [
    facts.join('\n'),
    figureTable(figures),
    sideTable('5,000 Pods on 500 nodes', five.sides),
    sideTable('20,000 Pods on 2,000 nodes', [...twenty.sides, streamed]),
  ].join('\n\n');
  say('done');
  console.log(`\n${tables}`);
  writeFileSync(page, withFigures(readFileSync(page, 'utf8'), tables, 'bench', 'bench'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Nothing where no Chromium is at hand. */
function paint(width: string, times: StatusPageFigures['phone']): Figure[] {
  if (!times) return [];
  const what = `first paint of the status page with 500 incidents, ${width} width`;
  return [
    { what: `${what}, p50`, value: times.median, unit: 'ms', atMost: 300 },
    { what: `${what}, the longest of 15`, value: times.most, unit: 'ms' },
  ];
}

function script(name: string): string {
  return join(import.meta.dirname, `${name}.ts`);
}
