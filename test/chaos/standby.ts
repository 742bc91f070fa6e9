import { setTimeout as delay } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import { type Break, isAbout, type Taken, type Trial } from './judge.ts';
import type { Pod } from './pod.ts';
import { ownerOfPort } from './sockets.ts';
import { until } from './until.ts';
import { Workload } from './workload.ts';

/** Two Pods: whether they have one state directory, and how the first, once stopped, goes on. */
export type StandbyOptions = {
  readonly name: string;
  readonly shared: boolean;
  /** It wakes, or whoever watches over it kills it. */
  readonly ending: 'wakes' | 'is killed';
};

/** What a Pod that waits says of itself. */
export type Waiting = { readonly healthz: number; readonly readyz: number; readonly reason: string };

/** What two Pods did. Seconds. */
export type StandbyTrial = Trial & {
  /** The second, before the first was stopped and, with a shared directory, once it had the Lease. */
  readonly waiting: readonly Waiting[];
  /** From the stop of the first until the second was ready. */
  readonly takeoverSeconds: number;
  /** From the moment the first woke or was killed until the second was ready: its wait for the directory. */
  readonly directorySeconds?: number;
  /** Messages that the first sent once it had been stopped. */
  readonly sentByStopped: number;
  /** How the first ended: its exit code, `null` when it was killed. */
  readonly exitCode: number | null | undefined;
};

/** Longest wait for anything. Milliseconds. */
const longestMs = 60_000;
/** By then a process that means to send something after waking has done so: retries come after 5 s at first. Milliseconds. */
const listenMs = 20_000;

/**
 * Two Pods. The first is stopped with a retry pending, past its lease; the second takes over; then the first goes on. With one
 * directory, which a stopped process does not let go, the first goes on before the second is ready.
 */
export async function standBy(arena: Arena, options: StandbyOptions): Promise<StandbyTrial> {
  const { shared, ending } = options;
  const story = new Story(arena, options.name);
  const { first, second } = await startBoth(arena, options);
  const waiting = [await saying(second)];
  const before = await story.break('before');
  await story.told(before, 'incident.opened');
  const during = await story.refused('during');

  first.freeze();
  const stoppedAt = Date.now();
  const sent = story.countOf(first);
  story.accept();
  const goOn = async (): Promise<void> => (ending === 'wakes' ? first.wake() : first.kill());
  const ready = (): Promise<number> => until('the second to be ready', () => isReady(second), longestMs);
  let directorySeconds: number | undefined;
  if (shared) {
    const hasLease = async (): Promise<boolean> => (await second.ask('/readyz')).text.includes('directory');
    await until('the second to wait for the directory', hasLease, longestMs);
    waiting.push(await saying(second));
    await goOn();
    directorySeconds = await ready();
  } else await ready();
  const takeoverSeconds = (Date.now() - stoppedAt) / 1000;
  if (!shared) {
    await until('the second to tell', () => story.taken().some(({ at }) => at > stoppedAt), longestMs);
    await goOn();
  }
  await until('the first to end', () => first.code !== undefined, longestMs);
  await delay(listenMs);
  // With a directory of its own the second knows of nothing before it: that is in the summary of its start.
  if (shared) await story.told(during, 'incident.opened');
  await story.mend();
  if (shared) for (const workload of [before, during]) await story.told(workload, 'incident.resolved');
  await story.end();
  await second.stop();
  return {
    ...{
      receivers: arena.receivers.map(({ name }) => name),
      breaks: story.breaks,
      kills: [stoppedAt],
      taken: story.taken(),
    },
    ...{ waiting, takeoverSeconds, sentByStopped: sent(), exitCode: first.code },
    ...(directorySeconds !== undefined && { directorySeconds }),
  };
}

/** Starts the first, and the second once that is ready; resolves when the second waits. */
async function startBoth(
  arena: Arena,
  { name, shared }: StandbyOptions,
): Promise<{ readonly first: Pod; readonly second: Pod }> {
  const directory = (pod: string): string => arena.directory(shared ? name : `${name}-${pod}`);
  const first = arena.pod({ name: 'tocsin-a', stateDirectory: directory('a') });
  await until('the first to be ready', () => isReady(first), longestMs);
  const second = arena.pod({ name: 'tocsin-b', stateDirectory: directory('b') });
  const waits = async (): Promise<boolean> => (await second.ask('/readyz')).text.includes('tocsin-a');
  await until('the second to wait', waits, longestMs);
  return { first, second };
}

/** What is broken and mended meanwhile, and what the receivers take of it. */
class Story {
  readonly breaks: Break[] = [];
  readonly #arena: Arena;
  readonly #name: string;
  readonly #workloads: Workload[] = [];
  readonly #since: readonly number[];
  #stopCounting = (): void => undefined;

  constructor(arena: Arena, name: string) {
    this.#arena = arena;
    this.#name = name;
    this.#since = arena.receivers.map(({ taken }) => taken.length);
  }

  /** Everything that was taken so far. */
  taken(): readonly Taken[] {
    return this.#arena.receivers.flatMap(({ taken }, index) => taken.slice(this.#since[index]));
  }

  async break(part: string): Promise<Workload> {
    const workload = new Workload(this.#arena.stage.client, `${this.#name}-${part}`, 'image');
    this.#workloads.push(workload);
    this.breaks.push({ name: workload.name, brokenAt: Date.now(), lasts: true });
    await workload.break();
    return workload;
  }

  /** Breaks one while every receiver refuses everything; resolves when each has refused, so that a retry is pending. */
  async refused(part: string): Promise<Workload> {
    const { receivers } = this.#arena;
    for (const receiver of receivers) receiver.feel('refusing');
    const before = receivers.map(({ refused }) => refused);
    const workload = await this.break(part);
    const haveRefused = (): boolean => receivers.every(({ refused }, index) => refused > (before[index] ?? 0));
    await until('an attempt to be refused', haveRefused, longestMs);
    return workload;
  }

  /** Everything is taken again, over new connections. */
  accept(): void {
    for (const receiver of this.#arena.receivers) {
      receiver.feel('well');
      receiver.disconnect();
    }
  }

  /** Counts what this process sends from now on. */
  countOf({ pid }: Pod): () => number {
    let count = 0;
    const ends = this.#arena.receivers.map((receiver) =>
      receiver.onTaken((_, port) => {
        if (ownerOfPort(port, [pid]) !== undefined) count += 1;
      }),
    );
    this.#stopCounting = () => {
      for (const end of ends) end();
    };
    return () => count;
  }

  /** Resolves when every receiver has such news of it. */
  async told({ name }: Workload, type: string): Promise<void> {
    const holds = (): boolean =>
      this.#arena.receivers.every((receiver) =>
        this.taken().some((each) => each.receiver === receiver.name && each.type === type && isAbout(each, name)),
      );
    await until(`${type} of ${name}`, holds, longestMs);
  }

  async mend(): Promise<void> {
    for (const [index, workload] of this.#workloads.entries()) {
      const each = this.breaks[index];
      if (each) each.mendedAt = Date.now();
      await workload.mend();
    }
  }

  async end(): Promise<void> {
    this.#stopCounting();
    for (const workload of this.#workloads) await workload.remove();
  }
}

async function isReady(pod: Pod): Promise<boolean> {
  return (await pod.ask('/readyz')).status === 200;
}

async function saying(pod: Pod): Promise<Waiting> {
  const [healthz, readyz] = [await pod.ask('/healthz'), await pod.ask('/readyz')];
  return { healthz: healthz.status, readyz: readyz.status, reason: readyz.text };
}
