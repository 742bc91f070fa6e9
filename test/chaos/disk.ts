import { setTimeout as delay } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import type { Trial } from './judge.ts';
import type { Pod } from './pod.ts';
import { Trouble } from './trouble.ts';
import { Volume } from './volume.ts';

/** One way in which the disk fails and works again; `whileRunning`: the process goes on meanwhile, else it is started on it. */
type Failure = {
  readonly name: string;
  readonly whileRunning: boolean;
  begin(volume: Volume): void;
  end(volume: Volume): void;
};

const failures: readonly Failure[] = [
  { name: 'full', whileRunning: true, begin: (volume) => volume.fill(), end: (volume) => volume.empty() },
  { name: 'read-only', whileRunning: true, begin: (volume) => volume.forbid(), end: (volume) => volume.allow() },
  { name: 'hung', whileRunning: true, begin: (volume) => volume.freeze(), end: (volume) => volume.thaw() },
  { name: 'full at the start', whileRunning: false, begin: (volume) => volume.fill(), end: (volume) => volume.empty() },
  {
    name: 'read-only at the start',
    whileRunning: false,
    begin: (volume) => volume.remount('ro'),
    end: (volume) => volume.remount('rw'),
  },
];

/** How one failure went. Seconds. */
export type DiskFigure = {
  readonly failure: string;
  /** From its begin until `/health` said so. */
  readonly noticedSeconds: number;
  /** Messages that were delivered while it lasted. */
  readonly delivered: number;
  /** From its end until `/health` was content, which is when all that was held in memory is saved. */
  readonly recoveredSeconds: number;
};

/** Longest times; milliseconds. A failing disk is tried again after at most 30 s. */
const longest = { notice: 60_000, news: 120_000, recovery: 90_000, ready: 60_000 } as const;
/** So much news is delivered during each failure before it ends. */
const newsEach = 8;
const volumeMebibytes = 12;

/**
 * Makes the disk fail in every way while workloads break and mend, lets it work again, and kills the process as soon as `/health`
 * says that all is saved. Rejects when a failure is not noticed, stops the deliveries, or is not recovered from.
 */
export async function failDisk(
  arena: Arena,
  { name, say }: { readonly name: string; readonly say: (text: string) => void },
): Promise<Trial & { readonly figures: readonly DiskFigure[] }> {
  const { random, receivers, stage } = arena;
  const volume = new Volume(arena.directory(name), volumeMebibytes);
  const since = receivers.map(({ taken }) => taken.length);
  const trouble = new Trouble({
    ...{ api: stage.client, prefix: name, random },
    taken: receivers.map(({ taken }) => taken),
  });
  const kills: number[] = [];
  const figures: DiskFigure[] = [];
  const delivered = (): number => receivers.reduce((sum, { taken }) => sum + taken.length, 0);
  const start = (): Pod => arena.pod({ name: 'tocsin-0', stateDirectory: volume.path });
  let pod = start();
  const kill = async (): Promise<void> => {
    kills.push(Date.now());
    await pod.kill();
    await arena.forgetLease();
  };
  const failing = async (): Promise<boolean> => (await pod.reasons()).includes('StorageFailing');
  const ready = (): Promise<number> => until('ready', () => pod.hasStarted(), longest.ready, pod);

  try {
    await ready();
    trouble.start();
    for (const failure of failures) {
      const before = delivered();
      await until('some news', async () => delivered() >= before + newsEach, longest.news, pod);
      if (!failure.whileRunning) await kill();
      failure.begin(volume);
      if (!failure.whileRunning) {
        pod = start();
        await ready();
      }
      const heard = delivered();
      const noticedSeconds = await until(`${failure.name} to be noticed`, failing, longest.notice, pod);
      await until(`news while it is ${failure.name}`, async () => delivered() >= heard + newsEach, longest.news, pod);
      failure.end(volume);
      const figure = {
        ...{ failure: failure.name, noticedSeconds, delivered: delivered() - heard },
        recoveredSeconds: await until('the disk to work', async () => !(await failing()), longest.recovery, pod),
      };
      figures.push(figure);
      say(`${name}: ${JSON.stringify(figure)}`);
      await kill();
      pod = start();
      await ready();
    }
    await trouble.end();
    await pod.stop();
  } finally {
    await trouble.end();
    await pod.kill();
    volume.remove();
  }
  return {
    ...{ breaks: trouble.breaks, kills, figures },
    receivers: receivers.map(({ name: receiver }) => receiver),
    taken: receivers.flatMap(({ taken }, index) => taken.slice(since[index])),
  };
}

/** Waits until it holds; the seconds that took. */
async function until(what: string, holds: () => Promise<boolean>, longestMs: number, pod: Pod): Promise<number> {
  const since = Date.now();
  while (!(await holds())) {
    if (Date.now() > since + longestMs || pod.code !== undefined)
      throw new Error(`waited in vain for ${what}:\n${pod.output.slice(-20).join('\n')}`);
    await delay(100);
  }
  return (Date.now() - since) / 1000;
}
