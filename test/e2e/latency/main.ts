/**
 * How soon people are told: every case of test/e2e/produced on a real control plane, with kubelets at the pace of real ones, the
 * real operator and a receiver. Measured from the failing observation (since when the API says that it is so) to the request.
 * Prints the figures, writes docs/contributing/latency.md, and ends with exit code 1 when a promise is not kept.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { severities } from '../../../src/model/severity.ts';
import { configurePro } from '../pro.ts';
import { titleOf } from '../produced/case.ts';
import { producedCases } from '../produced/cases.ts';
import { play } from '../produced/play.ts';
import type { Receiver } from '../receiver.ts';
import { ready } from '../stage.ts';
import { concludesWithinSeconds, isAbout, line, quantile, tallyOf } from './told.ts';

/**
 * Three that begin within 75 s and are related, by their reason or a Node, are a burst: it is told as one, and later. So there are
 * few at a time, on many Nodes, and those of one row apart from each other. A quarter of an hour for 150 cases.
 */
const atOnce = 12;
const nodes = 40;
/** The promises, in seconds. */
const promised = { p50: 30, p95: 90, outageP95: 45 } as const;

/** When this began (epoch milliseconds). */
const began = Date.now();

const only = (process.env.ONLY ?? '').split(',').filter((word) => word !== '');
const cases = await producedCases();
/** Rows that wait for minutes or days on purpose, whatever happens: what they wait is in docs/noticed. */
const patient = cases.filter(({ withinSeconds = 0 }) => withinSeconds > 2 * concludesWithinSeconds);
const all = cases.filter(
  (row) => (only.length === 0 && !patient.includes(row)) || only.includes(row.id) || only.includes(row.reason),
);
/** `ONLY=S1,PVCPending node test/e2e/latency/main.ts` measures these alone, and writes no page. */
let receiver: Receiver | undefined;
const half = Math.ceil(all.length / 2);
const apart = all.slice(0, half).flatMap((row, i) => [row, ...all.slice(half + i, half + i + 1)]);
const outcomes = await play(apart, {
  speed: 1,
  atOnce,
  nodes,
  async started(stage) {
    receiver = stage.receiver;
    await ready(stage, await stage.startOperator({ licenseKeys: await configurePro(stage) }));
  },
  attended: ({ receiver: { wait } }, ns) =>
    wait(`of ${ns}`, (message) => isAbout(message, ns), concludesWithinSeconds).then(
      () => console.log(`${((Date.now() - began) / 60_000).toFixed(1).padStart(6)} min  ${ns} is told`),
      () => console.log(`${((Date.now() - began) / 60_000).toFixed(1).padStart(6)} min  ${ns} is not told yet`),
    ),
});

const tally = tallyOf(outcomes, receiver?.messages ?? [], began);
const { told } = tally;
const later = [...patient, ...tally.later].map(titleOf);
const failed = tally.failed.map(([row, error]) => `${titleOf(row)}: ${error}`);
const outages = told.filter(({ row }) => row.outage);
const slowest = told.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
const kept =
  quantile(told, 0.5) <= promised.p50 &&
  quantile(told, 0.95) <= promised.p95 &&
  quantile(outages, 0.95) <= promised.outageP95;

const page = `# How soon people are told

<!-- Written by \`make latency\` (test/e2e/latency/main.ts). Do not edit. -->

From the failing observation, as the API dates it, to the request at the receiver, waiting and settling included. Every case of
[detectors.md](detectors.md) that concludes within ${concludesWithinSeconds / 60} minutes, side by side on a real control plane with kubelets at the pace of real
ones and the real operator. A crash loop counts from its first crash. Promised: half within ${promised.p50} s, 95 % within ${promised.p95} s, and 95 % within
${promised.outageP95} s where a workload served and now serves nothing.

| severity | cases | p50 | p95 | longest |
| --- | --- | --- | --- | --- |
${severities
  .map((severity) =>
    line(
      severity,
      told.filter((each) => each.severity === severity),
    ),
  )
  .join('\n')}
${line('all', told)}
${line('served, and now serves nothing', outages)}

The slowest: ${slowest.map(({ row, seconds }) => `${row.id} ${row.reason} ${seconds.toFixed(0)} s`).join(', ')}.

Not told by then, since their rows wait longer on purpose or nobody is to be told of them alone: ${later.length} cases.

Last run: ${new Date().toISOString().slice(0, 10)}.
`;
if (only.length === 0) writeFileSync(join(import.meta.dirname, '../../../docs/contributing/latency.md'), page);
console.log(page);
for (const text of later) console.log(`not told in time: ${text}`);
for (const text of failed) console.error(`it did not come about: ${text}`);
process.exitCode = kept && failed.length === 0 ? 0 : 1;
