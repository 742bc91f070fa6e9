import { Option } from 'commander';
import type { AddCommand } from './command.ts';
import type { DiffArguments } from './diff/arguments.ts';

const help = `
The recording is what \`tocsin run --record FILE\` wrote. What happened in it happens again under the settings that the files and the
recording have together, as if the files had been applied before it began. Every message that is not the same to the byte is named. What the
recorded run sent ends as it did there; what only the other sends arrives.

Exit codes: 0 no message differs, 1 some do, 2 it could not be compared and the message says why.

Examples:
  tocsin diff monday.jsonl --settings new-routes.yaml
  tocsin diff monday.jsonl --settings alerts/ --output json | jq '.differences[] | select(.is == "gone")'
  tocsin diff monday.jsonl --without Silence/tocsin/quiet
`;

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** `tocsin diff`: what other settings would have changed. */
export const diffCommand: AddCommand = (program, exit) => {
  program
    .command('diff')
    .description('show what other settings would have changed in the messages of a recorded run')
    .argument('<file>', 'recording')
    .option('--settings <file...>', 'files or folders with the objects as they are to be')
    .addOption(
      new Option('--without <object>', 'an object that is to be gone (Silence/tocsin/quiet); may be repeated')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('-n, --namespace <name>', 'namespace of Tocsin; objects that name none are taken to go there', 'tocsin')
    .addOption(
      new Option('-o, --output <format>', 'text for people, json with both messages whole')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addHelpText('after', help)
    .action(
      async (
        recording: string,
        { settings = [], ...options }: Omit<DiffArguments, 'recording' | 'settings'> & { settings?: string[] },
      ) => {
        const { runDiff } = await import('./diff/run.ts');
        exit(await runDiff({ recording, settings, ...options }, process));
      },
    );
};
