import { InvalidArgumentError } from 'commander';
import type { AddCommand } from './command.ts';
import { withOperatorOptions } from './running/options.ts';
import type { WhyArguments } from './running/why.ts';

const help = `
Says which incident the object is part of, why that is taken for the cause, and who was told or not, and why: filters, Silences,
maintenance, routes. Where nothing is open, what would become of an incident of it, now or at another time.

Exit codes: 0 answered, 1 it could not be asked and the message says why, 2 called wrongly.

Examples:
  tocsin why deployment/shop/api
  tocsin why pod/api-7d9c-1 -n shop
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
      .argument('<kind/namespace/name>', 'the object, as in deployment/shop/api or node/n1')
      .option('-n, --namespace <name>', 'namespace of the object, for kind/name')
      .option('--at <time>', 'what would become of it at this time (RFC 3339)', time),
  )
    .addHelpText('after', help)
    .action(async (object: string, options: Omit<WhyArguments, 'object'>) => {
      const { runWhy } = await import('./running/why.ts');
      exit(await runWhy({ object, ...options }, process));
    });
};
