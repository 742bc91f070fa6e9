import { withClusterOptions } from './cluster/options.ts';
import { type AddCommand, UsageError } from './command.ts';
import type { ProviderArguments } from './provider/arguments.ts';
import { type Parsed, withProvider } from './provider/options.ts';

const help = `
The message is marked as a test and goes the way of every other: the running operator makes, signs and sends it. What the product
answers is printed as it said it.

With --dry-run nothing is sent: it prints a message of each kind as the AlertProvider would send it, of a webhook its body, of other
types the text; with --from that of a manifest, without a cluster.

Exit codes: 0 it arrived, or would be sent as it was asked; 1 it failed, is still on the way, or could not be put as it was asked; 2 called
wrongly.

Examples:
  tocsin send oncall
  tocsin send oncall --namespace shop --output json
  tocsin send oncall --dry-run
  tocsin send servicenow --dry-run --from servicenow.yaml
`;

type Asked = Parsed<ProviderArguments> & { readonly dryRun: boolean; readonly from?: string };

/** `tocsin send`: one test message through the real path. */
export const sendCommand: AddCommand = (program, exit) => {
  withClusterOptions(
    withProvider(program.command('send').description('send a test message to an AlertProvider and say how it went')),
  )
    .option('--dry-run', 'print what would be sent and send nothing', false)
    .option('--from <path>', 'with --dry-run: a file, a folder or - with the manifest, instead of the cluster')
    .addHelpText('after', help)
    .action(async (provider: string, { timeout, dryRun, from, ...options }: Asked) => {
      const { withCluster } = await import('./cluster/open.ts');
      if (from !== undefined && !dryRun) throw new UsageError('--from shows a manifest: add --dry-run');
      if (dryRun) {
        const { previewInCluster, previewOfFile } = await import('./provider/preview.ts');
        const asked = { provider, timeoutSeconds: timeout, ...options };
        if (from !== undefined) exit(await previewOfFile(asked, from, process));
        else exit(await withCluster(options, (client) => previewInCluster(asked, process, client)));
        return;
      }
      const { runSend } = await import('./provider/send.ts');
      exit(
        await withCluster(options, (client) =>
          runSend({ provider, timeoutSeconds: timeout, ...options }, process, client),
        ),
      );
    });
};
