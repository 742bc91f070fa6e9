import { Flood } from './arena.ts';
import type { Happening, History } from './history.ts';
import { judge } from './oracle.ts';
import { play } from './play.ts';
import type { Fault } from './transcript.ts';

/** What is wrong with a history; an exception is a fault, too. */
export async function faultsOf(history: History): Promise<readonly Fault[]> {
  try {
    return judge(await play(history));
  } catch (error) {
    if (error instanceof Flood) return [{ rule: 'O7 too often', says: error.message }];
    return [{ rule: 'threw', says: error instanceof Error ? (error.stack ?? error.message) : String(error) }];
  }
}

/** How often, and for how long, a history is played again at most to make it shorter. */
const most = { replays: 60, milliseconds: 4_000 };

/** The shortest history found by leaving happenings out that still breaks the same rule. */
export async function shrink(history: History, { rule }: Fault): Promise<History> {
  let best = history;
  let replays = 0;
  const began = performance.now();
  const mayGoOn = (): boolean => replays < most.replays && performance.now() - began < most.milliseconds;
  const breaks = async (happenings: readonly Happening[]): Promise<boolean> => {
    replays += 1;
    return (await faultsOf({ ...best, happenings })).some((fault) => fault.rule === rule);
  };
  for (let size = Math.ceil(best.happenings.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < best.happenings.length && mayGoOn(); ) {
      const rest = best.happenings.toSpliced(from, size);
      if (await breaks(rest)) best = { ...best, happenings: rest };
      else from += size;
    }
  return best;
}

/** A history as a person reads it. */
export function inWords({ seed, theme, edition, before, happenings }: History): string {
  const lines = [...before, ...happenings].map((each) => `  ${JSON.stringify(each)}`);
  return [`history ${seed} (${theme}), ${edition}, ${before.length} of these before Tocsin starts:`, ...lines].join(
    '\n',
  );
}
