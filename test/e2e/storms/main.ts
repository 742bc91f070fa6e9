/**
 * Storms on a real control plane: 60 simulated machines in three zones, the real operator in a process of its own, and a thousand Pods
 * that fail from one cause, one cause after the other. Prints what was told, writes docs/storms.md, and ends with exit code 1 when one
 * cause was not one message. `STORM_PODS=100` is a short cut, `ONLY='registry outage'` picks; neither writes the page.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { configurePro } from '../pro.ts';
import { ready } from '../stage.ts';
import { allReady, type Ride, ride, rootOf } from './ride.ts';
import { storms } from './storms.ts';
import { build, type Town } from './town.ts';

const fullSize = 1_000;
const size = Number(process.env.STORM_PODS ?? fullSize);
const only = (process.env.ONLY ?? '').split(',').filter((word) => word !== '');
const began = Date.now();
const say = (text: string): void =>
  console.log(`${((Date.now() - began) / 60_000).toFixed(1).padStart(5)} min  ${text}`);

/** Starts the operator beside this process; resolves when it has listed everything. */
async function startOperator(town: Town): Promise<{ readonly pid: number; stop(): Promise<void> }> {
  const { stage } = town;
  const keys = [...(await configurePro(stage))].map(([kid, key]) => ({ ...key.export({ format: 'jwk' }), kid }));
  const args = [join(import.meta.dirname, 'operator.ts'), stage.plane.admin.kubeconfigPath, JSON.stringify({ keys })];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const listening = Promise.withResolvers<number>();
  createInterface({ input: child.stdout }).once('line', (line) => {
    listening.resolve((JSON.parse(line) as { port: number }).port);
  });
  void ended.then(() => listening.reject(new Error('the operator ended')));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    await ready(stage, { url: `http://127.0.0.1:${await listening.promise}` }, 120);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid ?? 0, stop };
}

function row({ storm, hit, messages, firstSeconds, faults, logsAtOnce, peakMemoryMiB }: Ride): string {
  const opened = messages.filter(({ type }) => type === 'incident.opened');
  const updates = messages.filter(({ type }) => type === 'incident.updated').length;
  const roots = opened
    .map((message) => `${rootOf(message)} ${message.incident?.reason ?? ''}`)
    .slice(0, 5)
    .join(', ');
  const count = `${opened.length}${updates > 0 ? ` + ${updates} updates` : ''}`;
  const first = firstSeconds === undefined ? 'none' : `${firstSeconds.toFixed(0)} s`;
  const verdict = faults.length === 0 ? 'yes' : '**no**';
  return `| ${[storm.name, hit, count, first, roots, logsAtOnce, `${peakMemoryMiB} MiB`, verdict].join(' | ')} |`;
}

function texts(rides: readonly Ride[]): string {
  return rides
    .map(({ storm, messages, faults }) => {
      const first = messages.find(({ type }) => type === 'incident.opened');
      const text = first ? `**${first.title}**\n\n${quoted(first.message)}` : 'Nothing was told.';
      const wrong = faults.slice(0, 8).map((fault) => `- ${fault.replaceAll('\n', ' ')}`);
      return `### ${storm.name[0]?.toUpperCase()}${storm.name.slice(1)}\n\n${text}\n${wrong.length > 0 ? `\nNot as it should be:\n\n${wrong.join('\n')}\n` : ''}`;
    })
    .join('\n');
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

function page(rides: readonly Ride[], pods: number): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `# Storms

<!-- Written by \`make storms\` (test/e2e/storms/main.ts). Do not edit. -->

${pods} Pods of 50 workloads fail from one cause, one cause after the other, on a real control plane with 60 simulated machines in three
zones, the operator in a process of its own and a receiver: one message is expected for each cause, which names it and counts who is
hit, and then its end. The first message counts from the moment the cause began; a lost machine is missed by Kubernetes itself only
after 40 to 50 s. Logs are fetched ten at a time at most; each takes 200 ms here.

| storm | Pods hit | messages | first after | roots that were told | logs at once | peak memory | one message a cause, and its end |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rides.map(row).join('\n')}

Measured with the simulated machines, the control plane and the operator on one computer (${machine}), on ${new Date().toISOString().slice(0, 10)}.

## What was told first

${texts(rides)}`;
}

const town = await build(size);
// Ended before its time, it leaves no control plane behind.
process.once('SIGTERM', () => void town.stage.stop().finally(() => process.exit(1)));
const rides: Ride[] = [];
try {
  say('the town is built');
  await allReady(town, 400);
  const operator = await startOperator(town);
  say(`${town.pods} Pods are ready, and the operator watches them`);
  try {
    for (const storm of storms.filter(({ name }) => only.length === 0 || only.includes(name))) {
      say(storm.name);
      const rode = await ride(town, storm, operator.pid);
      rides.push(rode);
      const opened = rode.messages.filter(({ type }) => type === 'incident.opened');
      for (const { type, title, receivedAt } of opened.slice(0, 12))
        console.log(`           ${((receivedAt - rode.began) / 1000).toFixed(0).padStart(4)} s  ${type}: ${title}`);
      for (const fault of rode.faults.slice(0, 6)) console.log(`           FAULT ${fault}`);
      console.log(row(rode));
      say(`${storm.name}: ${rode.hit} Pods hit, ${rode.seconds.toFixed(0)} s`);
    }
  } finally {
    await operator.stop();
  }
} finally {
  await town.stage.stop();
}
const text = page(rides, town.pods);
if (only.length === 0 && size === fullSize) writeFileSync(join(import.meta.dirname, '../../../docs/storms.md'), text);
console.log(text);
process.exitCode = rides.every(({ faults, logsAtOnce }) => faults.length === 0 && logsAtOnce <= 10) ? 0 : 1;
