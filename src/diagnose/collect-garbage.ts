import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage now and gives free memory back. The engine waits until the heap has grown by as much again: after a dump of 100 MB was read
 * that is 70 MiB more at the end, of 510. It takes 0.1 to 0.3 s.
 */
export function collectGarbage(): void {
  // Offered only with this flag, which nobody gives to a command.
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
  gc({ type: 'major', flavor: 'last-resort' });
}
