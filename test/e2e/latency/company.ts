/**
 * How soon people are told of a fault among thirty others that have nothing to do with it, and alone: the same cases of
 * test/e2e/produced, first all of them within five minutes, then one after the other. Real control plane, kubelets at the pace of real ones, the
 * real operator and a receiver. Writes docs/contributing/latency-in-company.md, and ends with exit code 1 when a promise is not kept.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurePro } from '../pro.ts';
import { type ProducedCase, titleOf } from '../produced/case.ts';
import { producedCases } from '../produced/cases.ts';
import { play } from '../produced/play.ts';
import type { Receiver } from '../receiver.ts';
import { ready } from '../stage.ts';
import { concludesWithinSeconds, isAbout, line, quantile, type Tally, tallyOf } from './told.ts';

/** So many begin within so long. */
const [company, withinMs] = [Number(process.env.COMPANY ?? 36), 5 * 60_000];
const nodes = 40;
/** The promises, in seconds: an outage is told by then, and nobody so much later than alone. */
const [promisedOutageP95, promisedLater] = [45, 10];

/** Kinds of a team's own: what is wrong with them is wrong with nobody else. */
const own =
  /^(?:Pod|Deployment|StatefulSet|DaemonSet|Job|Service|Ingress|PersistentVolumeClaim|HorizontalPodAutoscaler)\//;

/** Cases that have nothing to do with each other: all outages, and of the others one of a reason, from everywhere in the catalogue. */
function strangers(all: readonly ProducedCase[]): readonly ProducedCase[] {
  const fitting = all.filter(
    ({ subject, withinSeconds = 0 }) => own.test(subject('ns')) && withinSeconds <= concludesWithinSeconds,
  );
  const outages = fitting.filter(({ outage }) => outage);
  const reasons = new Set(outages.map(({ reason }) => reason));
  const others = fitting.filter(({ reason }) => !reasons.has(reason) && reasons.add(reason));
  const step = Math.max(1, others.length / Math.max(1, company - outages.length));
  return [...outages, ...others.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))];
}

async function measured(cases: readonly ProducedCase[], atOnce: number, apartMs: number): Promise<Tally> {
  const began = Date.now();
  let receiver: Receiver | undefined;
  const outcomes = await play(cases, {
    ...{ speed: 1, atOnce, apartMs, nodes },
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
  return tallyOf(outcomes, receiver?.messages ?? [], began);
}

const chosen = strangers(await producedCases());
const together = await measured(chosen, chosen.length, withinMs / chosen.length);
const toldThere = new Set(together.told.map(({ row }) => row));
const alone = await measured(
  chosen.filter((row) => toldThere.has(row)),
  1,
  0,
);
const both = together.told.flatMap((one) => {
  const other = alone.told.find(({ row }) => row === one.row);
  return other ? [{ row: one.row, later: one.seconds - other.seconds, alone: other.seconds, among: one.seconds }] : [];
});
const outagesAmong = together.told.filter(({ row }) => row.outage);
const late = both.filter(({ later }) => later > promisedLater).sort((a, b) => b.later - a.later);
const isKept = quantile(outagesAmong, 0.95) <= promisedOutageP95 && late.length === 0;

const page = `# How soon people are told among others

<!-- Written by \`make latency-in-company\` (test/e2e/latency/company.ts). Do not edit. -->

${chosen.length} faults that have nothing to do with each other begin within ${withinMs / 60_000} minutes, on a real control plane with kubelets at the pace of real
ones; then each of those that were told begins alone. From the failing observation, as the API dates it, to the request at the receiver. Promised: what
served and now serves nothing within ${promisedOutageP95} s (95 %), and nobody more than ${promisedLater} s later than alone.

| | cases | p50 | p95 | longest |
| --- | --- | --- | --- | --- |
${line('alone', alone.told)}
${line('among others', together.told)}
${line(
  'served, and now serves nothing: alone',
  alone.told.filter(({ row }) => row.outage),
)}
${line('served, and now serves nothing: among others', outagesAmong)}

More than ${promisedLater} s later than alone: ${late.length === 0 ? 'none' : late.map((one) => `${one.row.id} ${one.row.reason} (${one.alone.toFixed(0)} s alone, ${one.among.toFixed(0)} s among others)`).join(', ')}.

Last run: ${new Date().toISOString().slice(0, 10)}.
`;
if (process.env.COMPANY === undefined)
  writeFileSync(join(import.meta.dirname, '../../../docs/contributing/latency-in-company.md'), page);
console.log(page);
for (const row of together.later) console.log(`not told in time among others: ${titleOf(row)}`);
for (const row of alone.later) console.log(`not told in time alone: ${titleOf(row)}`);
for (const [row, error] of [...together.failed, ...alone.failed])
  console.error(`${titleOf(row)} did not come about: ${error}`);
process.exitCode = isKept ? 0 : 1;
