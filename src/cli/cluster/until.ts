import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../kube/system-clock.ts';

/** How often the API server is asked again (ms). */
const pollMs = 500;

/** Asks again until there is an answer, for so many seconds at most; `undefined`: there was none. */
export async function untilAnswered<Answer>(
  ask: () => Promise<Answer | undefined>,
  seconds: number,
): Promise<Answer | undefined> {
  const deadline = systemClock.monotonic() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || systemClock.monotonic() >= deadline) return answer;
    await wait(pollMs);
  }
}
