import type { AddCommand } from './command.ts';
import type { ReportArguments } from './report/arguments.ts';
import { withOperatorAddress } from './running/options.ts';

const help = `
One page for a post-mortem: what broke, why, whom it hit, what happened when, who was told and what the products answered, what was held
back and by what. It needs no other file, no script and no network, fits light, dark and paper, and is the same for the same recording.

With FILE it is of what \`tocsin run --record FILE\` wrote, or of the log of a scenario. Without one it is of the running operator,
whose status page the AlertConfig enables (statusEndpoint.enabled): what is open, what was over lately, and what was decided and
answered since it started.

Exit codes: 0 written, 1 it could not be made and the message says why, 2 called wrongly.

Examples:
  tocsin report outage.jsonl > outage.html
  tocsin report outage.jsonl --object deployment/shop/api --from 2026-11-22T18:00:00Z > api.html
  tocsin report > now.html
`;

/** `tocsin report`: one HTML page of a recording or of the running operator. */
export const reportCommand: AddCommand = (program, exit) => {
  withOperatorAddress(
    program
      .command('report')
      .description('make one HTML page of a recording, or of the running operator')
      .argument('[file]', 'recording, or - for standard input; without it, the running operator')
      .option(
        '--object <object>',
        'only what concerns it: an ID of an incident, KIND/NAMESPACE/NAME, or a name, as for why',
      )
      .option('--from <time>', 'only what was not over by then (RFC 3339)')
      .option('--until <time>', 'only what had begun by then (RFC 3339)'),
  )
    .addHelpText('after', help)
    .action(async (file: string | undefined, options: Omit<ReportArguments, 'file'>) => {
      const { runReport } = await import('./report/run.ts');
      exit(await runReport({ ...options, ...(file !== undefined && { file }) }, process));
    });
};
