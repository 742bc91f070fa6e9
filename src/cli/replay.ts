import { Option } from 'commander';
import type { AddCommand } from './command.ts';
import type { ReplayArguments } from './replay/arguments.ts';

const help = `
The file is what \`tocsin run --record FILE\` wrote, as it is or compressed by gzip or zstd, or the log of a scenario (test/scenarios).
The same log gives the same decisions, byte for byte. JSON lines hold each decision with its reason and the trace of its explanation.

Exit codes: 0 replayed to the end, 1 the file is no log (the message names the line), 2 called wrongly.

Examples:
  tocsin replay incident.jsonl --output text
  tocsin replay incident.jsonl | jq 'select(.disposition == "Delivered")'
`;

/** `tocsin replay`: decisions of a recorded log. */
export const replayCommand: AddCommand = (program, exit) => {
  program
    .command('replay')
    .description('replay a recorded log and print every decision with its reason')
    .argument('<file>', 'log to replay, or - for standard input')
    .addOption(
      new Option('-o, --output <format>', 'json: one decision a line; text for people')
        .choices(['json', 'text'])
        .default('json'),
    )
    .addHelpText('after', help)
    .action(async (file: string, options: Omit<ReplayArguments, 'file'>) => {
      const { runReplay } = await import('./replay/run.ts');
      exit(await runReplay({ file, ...options }, process));
    });
};
