import { InvalidArgumentError } from 'commander';
import type { AckArguments } from './ack/arguments.ts';
import { withClusterOptions } from './cluster/options.ts';
import type { AddCommand } from './command.ts';

const help = `
Says that you look after it. Nobody is reminded of it any more and no fallback steps in; what is new is still told: that it gets worse, that it
fails in another way, and its end. Messages that Tocsin can edit, \`tocsin incidents\`, \`tocsin why\` and the status page show who and when.
It holds until the incident is over.

It is an annotation of the AlertConfig, so that you may who may patch that, and kubectl does the same:
  kubectl -n tocsin annotate ac default acknowledged.tocsin.dev/3f9c0e1d2b4a5c67=ada
  kubectl -n tocsin annotate ac default acknowledged.tocsin.dev/3f9c0e1d2b4a5c67-

Exit codes: 0 it is done, 1 it could not be and the message says why, 2 called wrongly.

Examples:
  tocsin ack 3f9c0e1d2b4a5c67
  tocsin ack 3f9c0e1d2b4a5c67 --undo
`;

/** What the name of an annotation may hold. IDs of incidents are shorter and simpler. */
function incidentId(text: string): string {
  if (!/^[0-9A-Za-z]([-\w.]{0,61}[0-9A-Za-z])?$/.test(text))
    throw new InvalidArgumentError(`"${text}" is not the ID of an incident: \`tocsin incidents -o json\` lists them.`);
  return text;
}

/** `tocsin ack`: takes an incident on. */
export const ackCommand: AddCommand = (program, exit) => {
  withClusterOptions(
    program
      .command('ack')
      .description('acknowledge an incident: nobody is reminded of it any more')
      .argument('<incident>', 'the ID of an incident, as its messages and `tocsin incidents` show it', incidentId)
      .option('-n, --namespace <name>', 'namespace of Tocsin', 'tocsin')
      .option('--by <name>', 'who takes it on; by default who the API server says you are')
      .option('--undo', 'take it back', false),
  )
    .addHelpText('after', help)
    .action(async (incident: string, options: Omit<AckArguments, 'incident'>) => {
      const { withCluster } = await import('./cluster/open.ts');
      const { runAck } = await import('./ack/run.ts');
      exit(await withCluster(options, (client) => runAck({ incident, ...options }, process, client)));
    });
};
