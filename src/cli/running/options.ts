import type { Command } from 'commander';
import { outputOption } from '../output.ts';

/** The options of every command that asks the running operator, and prints what programs may read. */
export function withOperatorOptions(command: Command): Command {
  return withOperatorAddress(command).addOption(outputOption());
}

/** How to reach the running operator. */
export function withOperatorAddress(command: Command): Command {
  return command
    .option('--tocsin-namespace <name>', 'namespace of Tocsin', 'tocsin')
    .option('--url <address>', 'where its endpoints are, instead of a port-forward by kubectl (http://localhost:8060)')
    .option('--kubeconfig <file>', 'kubeconfig to use')
    .option('--context <name>', 'context of the kubeconfig');
}
