import { readFileSync, writeFileSync } from 'node:fs';
import type { Message } from '../receiver.ts';
import type { Report } from './operator.ts';
import type { Storm } from './storms.ts';
import type { Town } from './town.ts';

/** The operator's process. */
export type Operator = {
  readonly pid: number;
  /** How it went since this was last asked. */
  report(): Promise<Report>;
};

/** How a storm went. */
export type Ride = {
  readonly storm: Storm;
  /** Epoch milliseconds. */
  readonly began: number;
  /** Pods that were not ready at the worst moment. */
  readonly hit: number;
  /** What was told about incidents from its beginning to its end. */
  readonly messages: readonly Message[];
  /** From its beginning to the first message; absent: none came. */
  readonly firstSeconds?: number;
  /** What is not as it should be, one sentence each. */
  readonly faults: readonly string[];
  /** From when it was over to the last message that says so; absent: not all that began was told to be over. */
  readonly overSeconds?: number;
  /** Logs that were fetched, and at the same time at most. */
  readonly logs: number;
  readonly logsAtOnce: number;
  readonly longestTurnMs: number;
  readonly peakMemoryMiB: number;
  readonly seconds: number;
};

/** How long the first message is waited for. */
const firstWithinSeconds = 120;
/** How long more of them are waited for. */
const watchedSeconds = 30;
/** It lasts as long as this at least: a program that crashes again and again takes a while until it is found to. */
const lastsSeconds = 100;
/** How long everything may take to be ready again, and the end of it to be told. */
const overWithinSeconds = 240;

/** `Kind/namespace/name` of what a message calls the root. */
export function rootOf({ incident }: Message): string {
  return incident ? `${incident.root.kind}/${incident.root.namespace ?? ''}/${incident.root.name}` : '';
}

/** Whether a message tells of a problem that begins: what failed in a storm before this one as well begins again. */
export const begins = ({ type }: Message): boolean => type === 'incident.opened' || type === 'incident.reopened';

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));

/** The most memory that a process has had since this was last asked, in MiB. */
function peakMemory(pid: number): number {
  const [, kibibytes = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return Math.round(Number(kibibytes) / 1024);
}

/** Resolves when every Pod of the clients is ready; rejects after so long. */
export async function allReady(town: Town, seconds: number): Promise<void> {
  await town.stage.eventually(seconds, async () => {
    const ready = await town.ready();
    if (ready !== town.pods) throw new Error(`${ready} of ${town.pods} Pods are ready`);
    await sleep(1000);
  });
}

/**
 * `affected`: by incident. What is told before the others fail cannot count them, and is told to have grown every ten minutes at most:
 * who asks then is answered with what the incident knows.
 */
function faultsOf(
  storm: Storm,
  { opened, messages, hit }: Pick<Ride, 'messages' | 'hit'> & { readonly opened: readonly Message[] },
  { affected }: Pick<Report, 'affected'>,
): string[] {
  const faults: string[] = [];
  for (const causes of storm.causes) {
    const told = opened.filter((message) => causes.includes(rootOf(message)));
    if (told.length === 0) faults.push(`no message names ${causes[0]}`);
    if (told.length > 1) faults.push(`${told.length} messages name ${causes[0]}`);
    const most = Math.max(0, ...told.map(({ incident }) => affected[incident?.id ?? ''] ?? 0));
    if (told.length > 0 && most < Math.min(10, hit / storm.causes.length / 4))
      faults.push(`it counts ${most} of ${hit} Pods`);
  }
  const right = new Set(storm.causes.flat());
  for (const message of opened) if (!right.has(rootOf(message))) faults.push(`"${message.title}" is told besides`);
  for (const { incident, title } of opened)
    if (!messages.some(({ type, incident: other }) => type === 'incident.resolved' && other?.id === incident?.id))
      faults.push(`the end of "${title}" is not told`);
  return faults;
}

/** Plays a storm and sees what is told of it. */
export async function ride(town: Town, storm: Storm, operator: Operator): Promise<Ride> {
  const { stage } = town;
  await storm.prepare?.(town);
  // A run that crashed as the last storm ended would belong to the crashes of this one, and have begun before it.
  do await allReady(town, overWithinSeconds);
  while ((await town.nudge()) > 0);
  const before = stage.receiver.messages.length;
  const told = (): readonly Message[] =>
    stage.receiver.messages.slice(before).filter(({ incident }) => incident !== null);
  const opened = (): readonly Message[] => told().filter(begins);
  stage.kubelet.forgetLogReads();
  peakMemory(operator.pid);
  await operator.report();
  const began = Date.now();
  let hit = 0;
  /** How many Pods are not ready, of the clients and of the workload that is hit beside them. */
  const unready = async (): Promise<number> =>
    (storm.giant ? await unreadyOf(town, storm.giant) : 0) + town.pods - (await town.ready());
  const watch = async (seconds: number, until: () => boolean): Promise<void> => {
    for (const end = Date.now() + seconds * 1000; Date.now() < end && !until(); await sleep(2000))
      hit = Math.max(hit, await unready().catch(() => 0));
  };
  const faults: string[] = [];
  await storm.begin(town);
  await watch(firstWithinSeconds, () => opened().length >= storm.causes.length);
  await watch(Math.max(watchedSeconds, lastsSeconds - (Date.now() - began) / 1000), () => false);
  await storm.end(town);
  const endedAt = Date.now();
  await town.nudge();
  await allReady(town, overWithinSeconds).catch(
    (error: unknown) => void faults.push(`it is not over: ${String(error)}`),
  );
  /** Whether the end of all that was told is told as well: what a storm before this one has left may end meanwhile. */
  const allEnded = (): boolean => {
    const ended = new Set(told().flatMap(({ type, incident }) => (type === 'incident.resolved' ? incident?.id : [])));
    return opened().length > 0 && opened().every(({ incident }) => ended.has(incident?.id));
  };
  await watch(overWithinSeconds / 2, allEnded);
  const messages = told();
  const first = opened()[0];
  const last = messages.reduce((at, { type, receivedAt }) => (type === 'incident.resolved' ? receivedAt : at), endedAt);
  const reads = stage.kubelet.logReads();
  const { longestTurnSeconds, affected } = await operator.report();
  await storm.tidy?.(town);
  return {
    ...{ storm, began, hit, messages },
    ...(first && { firstSeconds: (first.receivedAt - began) / 1000 }),
    faults: [...faults, ...faultsOf(storm, { opened: opened(), messages, hit }, { affected })],
    ...(allEnded() && { overSeconds: Math.max(0, last - endedAt) / 1000 }),
    ...{ logs: reads.total, logsAtOnce: reads.mostAtOnce },
    longestTurnMs: longestTurnSeconds * 1000,
    peakMemoryMiB: peakMemory(operator.pid),
    seconds: (Date.now() - began) / 1000,
  };
}

async function unreadyOf(town: Town, place: string): Promise<number> {
  const [namespace, name] = place.split('/');
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;
  const { status = {} } = await town.stage.client.json<{ status?: { readyReplicas?: number } }>({ path });
  return town.pods - (status.readyReplicas ?? 0);
}
