import type { Command } from 'commander';

/** Adds one command to the program. `exit` sets the exit code of a command that ran and found something wrong. */
export type AddCommand = (program: Command, exit: (code: number) => void) => void;

/** The standard streams of a command; tests hand in their own. */
export type Streams = {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; hasColors?(): boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
};

/** Calls `stop` on the first Ctrl-C or SIGTERM; a second Ctrl-C ends the process at once. */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): () => void {
  let asked = false;
  const listener = (signal: NodeJS.Signals): void => {
    if (asked && signal === 'SIGINT') process.exit(130);
    if (!asked) stop(signal);
    asked = true;
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
}

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
