import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Files kept aside; the oldest goes first. */
const maxKept = 3;

/** Why a file is kept aside: it is damaged, or it could not be read at the start and is not what is in memory now. */
export type AsideReason = 'corrupt' | 'unread';

/** What belongs to a file of SQLite: the file itself and what stands beside it. */
const suffixes = ['', '-wal', '-shm', '-journal'];

/**
 * Renames a state file, with what belongs to it, to `<name>.<reason>-<time>`, so that it can be looked at and recovered. Returns
 * the new name. Throws what the file system throws. `now`: epoch milliseconds.
 */
export function keepAside(directory: string, name: string, reason: AsideReason, now: number): string {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const kept = `${name}.${reason}-${time}`;
  const files = new Set(readdirSync(directory));
  for (const suffix of suffixes)
    if (files.has(name + suffix)) renameSync(join(directory, name + suffix), join(directory, kept + suffix));
  forgetOldest(directory, name);
  return kept;
}

function forgetOldest(directory: string, name: string): void {
  const pattern = /\.(?:corrupt|unread)-(\w+Z)$/;
  const kept = readdirSync(directory)
    .filter((file) => file.startsWith(`${name}.`) && pattern.test(file))
    .map((file) => ({ file, time: pattern.exec(file)?.[1] ?? '' }))
    .sort((a, b) => a.time.localeCompare(b.time));
  for (const { file } of kept.slice(0, -maxKept))
    for (const suffix of suffixes) rmSync(join(directory, file + suffix), { force: true });
}
