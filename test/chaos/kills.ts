import { setTimeout as delay } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import type { Trial } from './judge.ts';
import { Outages } from './outages.ts';
import type { Pod } from './pod.ts';
import { Trouble } from './trouble.ts';
import type { Fault } from './workload.ts';

/** What is done, and how often. */
export type KillOptions = {
  /** What the names of its workloads and its state directory begin with. */
  readonly name: string;
  readonly rounds: number;
  /** Sets the host's clock between and within the lives of the process. */
  readonly setsClock?: boolean;
  /** The pager is out at random. */
  readonly hasOutages?: boolean;
  /** How workloads break; by default in every way. */
  readonly faults?: readonly Fault[];
  readonly say: (text: string) => void;
};

/** What was done and what arrived. */
export type KillTrial = Trial & {
  /** Seconds from the start of a process to its `/readyz`, of those that came so far. */
  readonly readySeconds: readonly number[];
  readonly clockSteps: number;
  /** Of the pager. */
  readonly outages: number;
};

/** When a process is killed: while it starts, some time later, in the middle of an attempt, or right after one was answered. */
const moments = ['starting', 'running', 'attempt', 'answered'] as const;
type Moment = (typeof moments)[number];
/** Of ten rounds. */
const plan: readonly Moment[] = [
  ...(['running', 'attempt', 'starting', 'answered', 'running'] as const),
  ...(['attempt', 'running', 'starting', 'attempt', 'answered'] as const),
];
/** Once in so many rounds the Lease of the killed process runs out by itself, which takes 15 s. */
const leaseEvery = 10;
/** Longest times, milliseconds: of a life once it is ready, of a start, until a killed one is started again. */
const longest = { life: 6_000, start: 3_000, gap: 2_500, attempt: 15_000, ready: 60_000, answer: 20 } as const;
/** The host's clock is off by no more than this; milliseconds. */
const mostOffMs = 2 * 3_600_000;

/** Kills the process again and again while workloads break and mend, then lets everything be told. */
export async function killAgainAndAgain(arena: Arena, options: KillOptions): Promise<KillTrial> {
  const { pager, random, receivers, spare, stage } = arena;
  const { name, rounds, setsClock = false, hasOutages = false, faults, say } = options;
  const stateDirectory = arena.directory(name);
  const all = [...receivers, spare];
  const since = all.map(({ taken }) => taken.length);
  const outages = new Outages(pager, random);
  const trouble = new Trouble({
    ...{ api: stage.client, prefix: name, random, ...(faults && { faults }) },
    taken: receivers.map(({ taken }) => taken),
  });
  const kills: number[] = [];
  const readySeconds: number[] = [];
  let clockMs = 0;
  let clockSteps = 0;
  const step = (): number => {
    if (!setsClock) return 0;
    clockSteps += 1;
    clockMs = Math.round((2 * random() - 1) * mostOffMs);
    return clockMs;
  };

  // What is broken when the very first process starts is told in one summary, which is another matter.
  const first = arena.pod({ name: 'tocsin-0', stateDirectory });
  if (!(await isReady(first, readySeconds))) throw new Error(`the first never was ready:\n${first.output.join('\n')}`);
  await first.stop();
  trouble.start();
  if (hasOutages) outages.start();
  for (let round = 0; round < rounds; round += 1) {
    const pod = arena.pod({ name: 'tocsin-0', stateDirectory, clockMs: step() });
    const moment = plan[round % plan.length] ?? 'running';
    if (moment === 'starting') await delay(random() * longest.start);
    else if (await isReady(pod, readySeconds)) {
      await delay(random() * longest.life);
      pod.setClock(step());
      if (moment !== 'running') await arrival(arena, moment === 'answered' ? 2 * longest.answer + 300 * random() : 0);
    }
    if (pod.code !== undefined)
      throw new Error(`round ${round + 1}: it ended by itself:\n${pod.output.slice(-20).join('\n')}`);
    const killing = pod.kill();
    kills.push(Date.now());
    await killing;
    if (round % leaseEvery !== leaseEvery - 1) await arena.forgetLease();
    await delay(random() * longest.gap);
    if (round % 10 === 9) say(`${name}: killed ${round + 1} times; ${trouble.breaks.length} breaks`);
  }
  const last = arena.pod({ name: 'tocsin-0', stateDirectory, clockMs });
  await isReady(last, readySeconds);
  await outages.end();
  await trouble.end();
  await last.stop();
  return {
    ...{ breaks: trouble.breaks, kills, readySeconds, clockSteps, outages: outages.count },
    receivers: receivers.map(({ name: receiver }) => receiver),
    spares: [spare.name],
    taken: all.flatMap(({ taken }, index) => taken.slice(since[index])),
  };
}

/** Waits until `/readyz` says yes; false when it takes too long. */
async function isReady(pod: Pod, seconds: number[]): Promise<boolean> {
  while (Date.now() < pod.startedAt + longest.ready && pod.code === undefined) {
    if (await pod.hasStarted()) {
      seconds.push((Date.now() - pod.startedAt) / 1000);
      return true;
    }
    await delay(50);
  }
  return false;
}

/** Resolves so many milliseconds after the next message is there: 0 is before it is answered. Does not wait for ever. */
function arrival({ receivers }: Arena, afterMs: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      for (const end of ends) end();
      resolve();
    };
    const timer = setTimeout(finish, longest.attempt);
    const ends = receivers.map((receiver) =>
      receiver.onTaken(() => (afterMs === 0 ? finish() : void setTimeout(finish, afterMs))),
    );
  });
}
