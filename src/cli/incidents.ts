import type { AddCommand } from './command.ts';
import type { IncidentsArguments } from './running/incidents.ts';
import { withOperatorOptions } from './running/options.ts';

const help = `
Reads the status page of the running operator, which the AlertConfig enables (statusEndpoint.enabled), by a port-forward of kubectl.

Exit codes: 0 printed, 1 it could not be read and the message says why, 2 called wrongly.

Examples:
  tocsin incidents
  tocsin incidents --output json | jq -r '.[].root.name'
`;

/** `tocsin incidents`: what is open. */
export const incidentsCommand: AddCommand = (program, exit) => {
  withOperatorOptions(program.command('incidents').description('list what is open, and what became of each'))
    .addHelpText('after', help)
    .action(async (options: IncidentsArguments) => {
      const { runIncidents } = await import('./running/incidents.ts');
      exit(await runIncidents(options, process, Date.now()));
    });
};
