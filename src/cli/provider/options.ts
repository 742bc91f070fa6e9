import type { Command } from 'commander';
import { timeoutSeconds } from '../cluster/options.ts';
import type { ProviderArguments } from './arguments.ts';

/** What commander hands over, beside the name of the AlertProvider. */
export type Parsed<Asked extends ProviderArguments> = Omit<Asked, 'provider' | 'timeoutSeconds'> & {
  readonly timeout: number;
};

/** The argument and options of a command that asks something of an AlertProvider. */
export function withProvider(command: Command): Command {
  return command
    .argument('<provider>', 'name of the AlertProvider')
    .option('-n, --namespace <name>', 'namespace of the AlertProvider', 'tocsin')
    .option('--timeout <seconds>', 'how long the outcome is waited for', timeoutSeconds, 60);
}
