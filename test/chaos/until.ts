import { setTimeout as delay } from 'node:timers/promises';

const everyMs = 50;

/** Waits until it holds; resolves with the seconds that took, and rejects with what was waited for, and what `instead` says, after so long. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  longestMs: number,
  instead: () => string = () => '',
): Promise<number> {
  const since = Date.now();
  while (!(await holds())) {
    if (Date.now() > since + longestMs) throw new Error(`waited in vain for ${what}\n${instead()}`);
    await delay(everyMs);
  }
  return (Date.now() - since) / 1000;
}
