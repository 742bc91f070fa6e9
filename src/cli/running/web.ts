import type { Streams } from '../command.ts';
import { askOperator, type OperatorOptions, reachOperator } from './operator.ts';

/**
 * Prints where a browser finds the status page and keeps the way there open until `stopped`. Exit code 0. Rejects with what to do where the page is
 * not enabled or cannot be reached.
 */
export async function runWeb(
  asked: OperatorOptions,
  { stdout }: Pick<Streams, 'stdout'>,
  stopped: Promise<unknown>,
): Promise<number> {
  const { address, close } = await reachOperator(asked);
  try {
    await askOperator('/status', {}, { ...asked, url: address });
    stdout.write(`${new URL('/status', address).href}\n`);
    await stopped;
    return 0;
  } finally {
    close();
  }
}
