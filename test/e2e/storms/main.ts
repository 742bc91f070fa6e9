/**
 * Storms on a real control plane: 60 simulated machines in three zones, the real operator in a process of its own, and a thousand Pods
 * that fail from one cause, one cause after the other. Prints what was told, writes docs/contributing/storms.md, and ends with exit code 1 when one
 * cause was not one message. `STORM_PODS=100` is a short cut, `ONLY='registry outage,zone lost'` picks: the page keeps what it says of the others.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { configurePro } from '../pro.ts';
import { ready } from '../stage.ts';
import type { Report } from './operator.ts';
import { page, row } from './page.ts';
import { allReady, type Operator, type Ride, ride } from './ride.ts';
import { type Storm, storms } from './storms.ts';
import { build, type Town } from './town.ts';

const size = Number(process.env.STORM_PODS ?? 1_000);
const only = (process.env.ONLY ?? '').split(',').filter((word) => word !== '');
/** Whether a storm is to be played: all are, or those whose name begins with one of `ONLY`. */
const isPicked = ({ name }: Storm): boolean => only.length === 0 || only.some((word) => name.startsWith(word.trim()));
const began = Date.now();
const say = (text: string): void =>
  console.log(`${((Date.now() - began) / 60_000).toFixed(1).padStart(5)} min  ${text}`);

/** Starts the operator beside this process; resolves when it has listed everything. */
async function startOperator(town: Town): Promise<Operator & { stop(): Promise<void> }> {
  const { stage } = town;
  const keys = [...(await configurePro(stage))].map(([kid, key]) => ({ ...key.export({ format: 'jwk' }), kid }));
  const args = [join(import.meta.dirname, 'operator.ts'), stage.plane.admin.kubeconfigPath, JSON.stringify({ keys })];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  const ended = once(child, 'exit');
  const listening = Promise.withResolvers<number>();
  if (child.stdout === null) throw new Error('the operator has no output');
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
  const report = async (): Promise<Report> => {
    child.send('report');
    const [answer] = await once(child, 'message');
    return answer as Report;
  };
  return { pid: child.pid ?? 0, report, stop };
}

const town = await build(size);
// Ended before its time, it leaves no control plane behind.
process.once('SIGTERM', () => void town.stage.stop().finally(() => process.exit(1)));
const rides: Ride[] = [];
const file = join(import.meta.dirname, '../../../docs/contributing/storms.md');
/** Written after each storm: a run that is cut short keeps what it has measured. */
const write = (): void => writeFileSync(file, page(rides, existsSync(file) ? readFileSync(file, 'utf8') : ''));
try {
  say('the town is built');
  await allReady(town, 400);
  const operator = await startOperator(town);
  say(`${town.pods} Pods are ready, and the operator watches them`);
  try {
    for (const storm of storms.filter(isPicked)) {
      say(storm.name);
      const rode = await ride(town, storm, operator);
      rides.push(rode);
      write();
      for (const [index, message] of rode.messages.slice(0, 40).entries()) {
        const after = ((message.receivedAt - rode.began) / 1000).toFixed(0).padStart(4);
        console.log(`           ${after} s  ${message.type}: ${message.title}`);
        // The text of the first is on the page.
        if (index > 0) console.log(message.message.replaceAll(/^/gm, ' '.repeat(20)));
      }
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
process.exitCode = rides.every(({ faults, logsAtOnce }) => faults.length === 0 && logsAtOnce <= 10) ? 0 : 1;
