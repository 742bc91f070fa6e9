/** A process that takes the lock of a directory, says each state as a line of JSON, and lets it go when it reads a line. */
import { createInterface } from 'node:readline';
import { StateDirectory } from '../../src/state/state-directory.ts';
import { realClock } from '../delivery/clock.ts';

const [, , directory = ''] = process.argv;
const state = new StateDirectory({
  directory,
  clock: realClock,
  onLock: ({ is }) => console.log(JSON.stringify(is)),
  onProblem: () => undefined,
  onAside: () => undefined,
  onTrimmed: () => undefined,
  crashed: (error) => {
    throw error;
  },
});
state.lock.acquire();
createInterface({ input: process.stdin }).on('line', () => state.lock.release());
