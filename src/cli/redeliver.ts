import { withClusterOptions } from './cluster/options.ts';
import type { AddCommand } from './command.ts';
import type { ProviderArguments } from './provider/arguments.ts';
import { type Parsed, withProvider } from './provider/options.ts';

const help = `
Once the cause is mended: what is open is told as it stands now, and the end of what the product still takes for open. What is
over wakes nobody. Most needs no asking: after a change of the Secret or the spec, and
after an outage, Tocsin tells by itself what was missed.

Exit codes: 0 everything arrived or nothing was left to send, 1 something failed or is still on the way, 2 called wrongly.

Examples:
  tocsin redeliver oncall
  tocsin redeliver oncall --namespace shop --output json
`;

/** `tocsin redeliver`: what failed for good is sent again. */
export const redeliverCommand: AddCommand = (program, exit) => {
  const command = program
    .command('redeliver')
    .description('send again what an AlertProvider could not deliver, as far as it is still worth telling');

  withClusterOptions(withProvider(command))
    .addHelpText('after', help)
    .action(async (provider: string, { timeout, ...options }: Parsed<ProviderArguments>) => {
      const { withCluster } = await import('./cluster/open.ts');
      const { runRedeliver } = await import('./provider/redeliver.ts');
      exit(
        await withCluster(options, (client) =>
          runRedeliver({ provider, timeoutSeconds: timeout, ...options }, process, client),
        ),
      );
    });
};
