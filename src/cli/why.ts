import { InvalidArgumentError } from 'commander';
import type { AddCommand } from './command.ts';
import { withOperatorOptions } from './running/options.ts';
import type { WhyArguments } from './running/why.ts';

const help = `
Says which incident the object is part of, why that is taken for the cause, and who was told or not, and why: filters, Silences,
maintenance, routes. Where nothing is open, what would become of an incident of it, now or at another time.

Kinds are written as for kubectl, in short (deploy, po, svc) or whole. Where several objects have the name, it lists them.

Exit codes: 0 answered, 1 it could not be asked and the message says why, 2 called wrongly, or no or several things have that name.

Examples:
  tocsin why deployment/shop/api
  tocsin why deploy api -n shop
  tocsin why payments
  tocsin why 3f9c0e1d2b4a5c67
  tocsin why node/n1 --at 2026-11-23T02:00:00Z
`;

function time(text: string): string {
  if (Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError(`"${text}" is not a time: write 2026-11-23T02:00:00Z.`);
  return new Date(text).toISOString();
}

/** `tocsin why`: why somebody was told, or was not. */
export const whyCommand: AddCommand = (program, exit) => {
  withOperatorOptions(
    program
      .command('why')
      .description('explain what became of an incident of an object, or what would')
      .argument('<what...>', 'the ID of an incident, or an object: deployment/shop/api, deploy api, node/n1, api')
      .option('-n, --namespace <name>', 'namespace of the object')
      .option('--at <time>', 'what would become of it at this time (RFC 3339)', time),
  )
    .addHelpText('after', help)
    .action(async (what: readonly string[], options: Omit<WhyArguments, 'object'>) => {
      const { runWhy } = await import('./running/why.ts');
      exit(await runWhy({ object: what.join(' '), ...options }, process));
    });
};
