import { withClusterOptions } from './cluster/options.ts';
import type { AddCommand } from './command.ts';
import type { ProviderArguments } from './provider/arguments.ts';
import { type Parsed, withProvider } from './provider/options.ts';

const help = `
The message is marked as a test and goes the way of every other: the running operator makes, signs and sends it. What the product
answers is printed as it said it.

Exit codes: 0 it arrived, 1 it failed or is still on the way, 2 called wrongly.

Examples:
  tocsin send oncall
  tocsin send oncall --namespace shop --output json
`;

/** `tocsin send`: one test message through the real path. */
export const sendCommand: AddCommand = (program, exit) => {
  withClusterOptions(
    withProvider(program.command('send').description('send a test message to an AlertProvider and say how it went')),
  )
    .addHelpText('after', help)
    .action(async (provider: string, { timeout, ...options }: Parsed<ProviderArguments>) => {
      const { withCluster } = await import('./cluster/open.ts');
      const { runSend } = await import('./provider/send.ts');
      exit(
        await withCluster(options, (client) =>
          runSend({ provider, timeoutSeconds: timeout, ...options }, process, client),
        ),
      );
    });
};
