import { InvalidArgumentError, Option } from 'commander';
import type { AddCommand } from './command.ts';
import type { RedeliverArguments } from './redeliver/arguments.ts';

const help = `
Once the cause is mended: what is open is told as it stands now, and the end of what the product still takes for open. What is
over wakes nobody, and what a fallback has told is not told twice. Most needs no asking: after a change of the Secret or the spec, and
after an outage, Tocsin tells by itself what was missed.

Exit codes: 0 everything arrived or nothing was left to send, 1 something failed or is still on the way, 2 called wrongly.

Examples:
  tocsin redeliver oncall
  tocsin redeliver oncall --namespace shop --all --output json
`;

function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 3600)
    throw new InvalidArgumentError(`"${text}" is not a number of seconds from 1 to 3600.`);
  return value;
}

/** `tocsin redeliver`: what failed for good is sent again. */
export const redeliverCommand: AddCommand = (program, exit) => {
  program
    .command('redeliver')
    .description('send again what an AlertProvider could not deliver, as far as it is still worth telling')
    .argument('<provider>', 'name of the AlertProvider')
    .option('-n, --namespace <name>', 'namespace of the AlertProvider', 'tocsin')
    .option('--all', 'also what a fallback has told', false)
    .option('--timeout <seconds>', 'how long the outcome is waited for', seconds, 60)
    .addOption(
      new Option('-o, --output <format>', 'text for people, or json').choices(['text', 'json']).default('text'),
    )
    .option('--kubeconfig <file>', 'kubeconfig to use')
    .option('--context <name>', 'context of the kubeconfig')
    .addHelpText('after', help)
    .action(
      async (
        provider: string,
        { timeout, ...options }: Omit<RedeliverArguments, 'provider' | 'timeoutSeconds'> & { readonly timeout: number },
      ) => {
        const { openCluster } = await import('./lint/open-cluster.ts');
        const { runRedeliver } = await import('./redeliver/run.ts');
        const client = await openCluster(options);
        try {
          exit(await runRedeliver({ provider, timeoutSeconds: timeout, ...options }, process, client));
        } finally {
          await client.close();
        }
      },
    );
};
