import { type Command, Option } from 'commander';

/** The options of every command that asks the running operator. */
export function withOperatorOptions(command: Command): Command {
  return command
    .option('--tocsin-namespace <name>', 'namespace of Tocsin', 'tocsin')
    .option('--url <address>', 'where its endpoints are, instead of a port-forward by kubectl (http://localhost:8060)')
    .option('--kubeconfig <file>', 'kubeconfig to use')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(
      new Option('-o, --output <format>', 'text for people, or json').choices(['text', 'json']).default('text'),
    );
}
