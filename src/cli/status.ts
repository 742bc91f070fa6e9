import { type AddCommand, onStopSignal } from './command.ts';
import { withOperatorOptions } from './running/options.ts';
import type { StatusArguments } from './running/status.ts';

const help = `
Reads the status page of the running operator, which the AlertConfig enables (statusEndpoint.enabled), by a port-forward of kubectl.

Exit codes: 0 healthy, 1 degraded, or it could not be read and the message says why, 2 called wrongly.

Examples:
  tocsin status
  tocsin status --url http://localhost:8060
  tocsin status --web
`;

/** `tocsin status`: edition, coverage, providers and deliveries on one screen. */
export const statusCommand: AddCommand = (program, exit) => {
  withOperatorOptions(
    program.command('status').description('show how Tocsin itself stands: coverage, providers, deliveries'),
  )
    .option('--web', 'keep the port forwarded and print the address of the status page, until Ctrl-C', false)
    .addHelpText('after', help)
    .action(async ({ web, ...options }: StatusArguments & { readonly web: boolean }) => {
      if (web) {
        const { runWeb } = await import('./running/web.ts');
        const stopped = Promise.withResolvers<undefined>();
        onStopSignal(() => stopped.resolve(undefined));
        exit(await runWeb(options, process, stopped.promise));
        return;
      }
      const { runStatus } = await import('./running/status.ts');
      exit(await runStatus(options, process, Date.now()));
    });
};
