import { InvalidArgumentError, Option } from 'commander';
import { type AddCommand, UsageError } from './command.ts';
import type { HistoryArguments } from './running/history.ts';
import { withOperatorOptions } from './running/options.ts';

const help = `
Reads the status page of the running operator, which the AlertConfig enables (statusEndpoint.enabled), by a port-forward of kubectl.

What is over is remembered for 30 days, 2,000 incidents at most: on Community since Tocsin started, on Pro across restarts. --all lists it as well,
--over alone; --search looks in everything that is said of an incident, or where a word says: object:, reason:, cause:, namespace:, severity:, id:.

With --contexts it asks several clusters and says what is the same in them; those that could not be asked stand below, and the exit code is 1.

Exit codes: 0 printed, 1 it could not be read and the message says why, 2 called wrongly.

Examples:
  tocsin incidents
  tocsin incidents --output json | jq -r '.[].root.name'
  tocsin incidents --since 7d --search 'reason:OOMKilled namespace:shop'
  tocsin incidents --contexts prod-eu,prod-us
`;

/** Names with commas between them, each once. */
function namesOf(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes(''))
    throw new InvalidArgumentError('Names of contexts, with commas between them: prod-eu,prod-us.');
  return [...new Set(names)];
}

/** Whether more is asked for than what is open. */
const isHistory = ({ all, over, since, until, search, namespace }: HistoryArguments): boolean =>
  [all, over, since, until, search, namespace].some((each) => each !== undefined);

/** `tocsin incidents`: what is open, and what was. */
export const incidentsCommand: AddCommand = (program, exit) => {
  withOperatorOptions(program.command('incidents').description('list what is open, and what became of each'))
    .addOption(
      new Option('--contexts <names>', 'several contexts of the kubeconfig, with commas between them')
        .conflicts(['context', 'url'])
        .argParser(namesOf),
    )
    .option('--all', 'what is over as well')
    .option('--over', 'only what is over')
    .option('--since <time>', 'what was open at this time or after: 7d, 2026-11-22T18:00:00Z (with what is over)')
    .option('--until <time>', 'what had begun by then (with what is over)')
    .option('--search <words>', 'only where all these words are found (with what is over)')
    .option('-n, --namespace <name>', 'only what concerns this namespace (with what is over)')
    .addHelpText('after', help)
    .action(async ({ contexts, ...options }: HistoryArguments & { readonly contexts?: readonly string[] }) => {
      if (contexts) {
        if (isHistory(options))
          throw new UsageError(
            '--contexts lists what is open: it goes without --all, --over, --since, --until, --search and --namespace.',
          );
        const { runFleet } = await import('./running/fleet.ts');
        return exit(await runFleet({ ...options, contexts }, process, Date.now()));
      }
      if (isHistory(options)) {
        const { runHistory } = await import('./running/history.ts');
        return exit(await runHistory(options, process, Date.now()));
      }
      const { runIncidents } = await import('./running/incidents.ts');
      exit(await runIncidents(options, process, Date.now()));
    });
};
