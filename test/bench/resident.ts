import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from './numbers.ts';

/** Memory of a process in MiB. */
export type Resident = { readonly steady: number; readonly peak: number };

/** A figure of `/proc/<pid>/status` in MiB: `VmRSS`, `VmHWM`. */
function memory(pid: number, field: string): number {
  const [, kibibytes = 'NaN'] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

/** The kernel's clock ticks, as it gives them to programs: 100 a second on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Seconds of processor time that a process has used. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name before them is in parentheses and may hold spaces: utime and stime are the 12th and 13th after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** What came last is worked off by then; how long nothing happens before memory counts as steady, and how long it is looked at then. Seconds. */
const workedOffSeconds = 15;
const idleSeconds = 60;
const lookSeconds = 15;

/** Memory when nothing happens, and the share of one core that doing nothing takes, in percent. */
export type Idle = Resident & { readonly corePercent: number };

/** The median of what is resident at the end of an idle minute, the most that ever was, and the processor time of that minute. */
export async function residentAfterIdle(pid: number): Promise<Idle> {
  await delay(workedOffSeconds * 1000);
  const cpuBefore = cpuSeconds(pid);
  await delay(idleSeconds * 1000);
  const samples: number[] = [];
  for (let second = 0; second < lookSeconds; second++) {
    samples.push(memory(pid, 'VmRSS'));
    await delay(1000);
  }
  const corePercent = ((cpuSeconds(pid) - cpuBefore) / (idleSeconds + lookSeconds)) * 100;
  return { steady: median(samples), peak: memory(pid, 'VmHWM'), corePercent };
}

/** What is resident now, in MiB. */
export function residentNow(pid: number): Resident {
  return { steady: memory(pid, 'VmRSS'), peak: memory(pid, 'VmHWM') };
}
