/**
 * The quiet runs in full: what is normal in a cluster, all of it side by side for `QUIET_MINUTES` (default 15) on a real control
 * plane with the real operator. Prints what it did, writes docs/contributing/quiet.md, and ends with exit code 1 if anybody was told anything.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { playQuiet, type Quiet } from './play.ts';

const minutes = Number(process.env.QUIET_MINUTES ?? 15);
if (!(minutes >= 5 && minutes <= 600)) throw new Error(`QUIET_MINUTES is "${process.env.QUIET_MINUTES}"; use 5 to 600`);
const began = Date.now();
const say = (line: string): void =>
  console.log(`${((Date.now() - began) / 60_000).toFixed(1).padStart(6)} min  ${line}`);

function line({ run, did, told, decisions }: Quiet): string {
  const done = typeof did === 'string' ? did : `**it failed: ${did.failed}**`;
  const unsaid = decisions.length - told.length;
  return `| ${run.what} | ${done} | ${told.length} | ${Math.max(0, unsaid)} |`;
}

const outcome = await playQuiet(minutes * 60, say);
const noise = outcome.flatMap(({ told }) => told);
for (const { title, message } of noise) console.error(`told: ${title}\n${message}\n`);

const page = `# Quiet runs

<!-- Written by \`make quiet\` (test/e2e/quiet/main.ts). Do not edit. -->

What is normal in a cluster, played side by side for ${minutes} minutes on one real control plane (etcd, kube-apiserver, controller manager,
scheduler) with simulated kubelets at the pace of real ones, and the real operator on Pro with a receiver. Nobody may be told of any
of it. \`make e2e\` plays a short cut of five minutes.

| what happened | how often | notifications | decided without a word |
| --- | --- | --- | --- |
${outcome.map(line).join('\n')}

Last run: ${new Date(began).toISOString().slice(0, 10)}, ${((Date.now() - began) / 60_000).toFixed(0)} minutes in all, ${noise.length} notifications.
`;
writeFileSync(join(import.meta.dirname, '../../../docs/contributing/quiet.md'), page);
console.log(`\n${page}`);
process.exitCode = noise.length > 0 || outcome.some(({ did }) => typeof did !== 'string') ? 1 : 0;
