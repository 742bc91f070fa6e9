import type { Progress } from '../../diagnose/cluster.ts';
import { count } from '../../message/words.ts';

/** One line on a terminal that says how far a look has come; nothing where nobody watches. */
export function showProgress(stream: NodeJS.WritableStream & { readonly isTTY?: boolean }): {
  show(progress: Progress): void;
  clear(): void;
} {
  if (stream.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  const write = (line: string): void => void stream.write(`\r\u001b[2K${line}`);
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
