import { setTimeout as delay } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import { type Break, isAbout, type Trial } from './judge.ts';
import type { Pod } from './pod.ts';
import { until } from './until.ts';
import { Workload } from './workload.ts';

/** Longest wait for a start, and for an opening. Milliseconds. */
const longestMs = 45_000;
/** What is healthy for 5 s is told to be over: whoever is to hear of that has heard of it after so long. Milliseconds. */
const listenMs = 15_000;

/**
 * One workload breaks, is told to the first receiver, is mended while the process is dead, and the process is started again. With
 * saved state its end is told then; without, a judge that is worth anything finds it lost.
 */
export async function mendWhileDead(arena: Arena, name: string): Promise<Trial> {
  const { receivers, stage } = arena;
  const since = receivers[0]?.taken.length ?? 0;
  const taken = (): Trial['taken'] => (receivers[0]?.taken ?? []).slice(since);
  const start = async (): Promise<Pod> => {
    const pod = arena.pod({ name: 'tocsin-0', stateDirectory: arena.directory(name) });
    await until(
      'it to be ready',
      () => pod.hasStarted(),
      longestMs,
      () => pod.output.slice(-20).join('\n'),
    );
    return pod;
  };
  const heard = (type: string): boolean => taken().some((each) => each.type === type && isAbout(each, name));

  const first = await start();
  const workload = new Workload(stage.client, name, 'image');
  const story: Break = { name, brokenAt: Date.now(), lasts: true };
  await workload.break();
  await until('the opening', () => heard('incident.opened'), longestMs);
  // The outcome of the attempt is saved by then.
  await delay(1_000);
  const killedAt = Date.now();
  await first.kill();
  await arena.forgetLease();
  story.mendedAt = Date.now();
  await workload.mend();
  const second = await start();
  for (const end = Date.now() + listenMs; Date.now() < end && !heard('incident.resolved'); ) await delay(100);
  await workload.remove();
  await second.stop();
  return {
    receivers: receivers.slice(0, 1).map(({ name: receiver }) => receiver),
    breaks: [story],
    kills: [killedAt],
    taken: taken(),
  };
}
