import type { Progress } from '../../diagnose/cluster.ts';
import { count } from '../../message/parts/words.ts';

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Writes one line on a terminal over and over; nothing where nobody watches. */
function lineOn(stream: Stream): (line: string) => void {
  return stream.isTTY === true ? (line) => void stream.write(`\r\u001b[2K${line}`) : () => undefined;
}

/** How far a look at a cluster has come, for whoever waits. */
export function showProgress(stream: Stream): { show(progress: Progress): void; clear(): void } {
  const write = lineOn(stream);
  return {
    show: ({ listed, kinds, objects, settling, reading }) => {
      const parts = [
        `${listed} of ${kinds} kinds listed, ${count(objects, 'object')}`,
        ...(reading > 0 ? [`reading ${count(reading, 'log')}`] : []),
        ...(settling > 0 ? [`${count(settling, 'thing')} not certain yet`] : []),
      ];
      write(parts.join('; '));
    },
    clear: () => write(''),
  };
}

/** The same of a dump. */
export function showReading(stream: Stream): { show(files: number, objects: number): void; clear(): void } {
  const write = lineOn(stream);
  return {
    show: (files, objects) => {
      if (files % 50 === 1) write(`${count(files, 'file')}, ${count(objects, 'object')}`);
    },
    clear: () => write(''),
  };
}
