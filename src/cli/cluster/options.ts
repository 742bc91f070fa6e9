import { type Command, InvalidArgumentError } from 'commander';
import { outputOption } from '../output.ts';

/** Which cluster a command speaks to. */
export type ClusterOptions = { readonly kubeconfig?: string; readonly context?: string };

/** The options of every command that asks the API server. */
export function withClusterOptions(command: Command): Command {
  return command
    .addOption(outputOption())
    .option('--kubeconfig <file>', 'kubeconfig to use')
    .option('--context <name>', 'context of the kubeconfig');
}

/** Reads `--timeout`: whole seconds up to an hour. Throws what the terminal prints. */
export function timeoutSeconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 3600)
    throw new InvalidArgumentError(`"${text}" is not a number of seconds from 1 to 3600.`);
  return value;
}
