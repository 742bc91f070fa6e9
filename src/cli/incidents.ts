import { InvalidArgumentError, Option } from 'commander';
import type { AddCommand } from './command.ts';
import type { IncidentsArguments } from './running/incidents.ts';
import { withOperatorOptions } from './running/options.ts';

const help = `
Reads the status page of the running operator, which the AlertConfig enables (statusEndpoint.enabled), by a port-forward of kubectl.

With --contexts it asks several clusters and says what is the same in them; those that could not be asked stand below, and the exit code is 1.

Exit codes: 0 printed, 1 it could not be read and the message says why, 2 called wrongly.

Examples:
  tocsin incidents
  tocsin incidents --output json | jq -r '.[].root.name'
  tocsin incidents --contexts prod-eu,prod-us
`;

/** Names with commas between them, each once. */
function namesOf(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes(''))
    throw new InvalidArgumentError('Names of contexts, with commas between them: prod-eu,prod-us.');
  return [...new Set(names)];
}

/** `tocsin incidents`: what is open. */
export const incidentsCommand: AddCommand = (program, exit) => {
  withOperatorOptions(program.command('incidents').description('list what is open, and what became of each'))
    .addOption(
      new Option('--contexts <names>', 'several contexts of the kubeconfig, with commas between them')
        .conflicts(['context', 'url'])
        .argParser(namesOf),
    )
    .addHelpText('after', help)
    .action(async ({ contexts, ...options }: IncidentsArguments & { readonly contexts?: readonly string[] }) => {
      if (contexts) {
        const { runFleet } = await import('./running/fleet.ts');
        return exit(await runFleet({ ...options, contexts }, process, Date.now()));
      }
      const { runIncidents } = await import('./running/incidents.ts');
      exit(await runIncidents(options, process, Date.now()));
    });
};
