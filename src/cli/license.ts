import { InvalidArgumentError, Option } from 'commander';
import { type AddCommand, UsageError } from './command.ts';

const keygenHelp = `
The private half is written to a new file that only you may read: keep it where you keep secrets, never in a repository or an image.
The public half is printed; put it in the "keys" of config/license-keys.json and build the image.

Example:
  tocsin license keygen --id 2026-a --out ~/keys/tocsin-2026-a.json
`;

const issueHelp = `
A licence is a text that is handed to its holder. It holds no secret of yours: whoever has it can use it on the clusters it lists.

Examples:
  tocsin license issue --key ~/keys/tocsin-2026-a.json --licensee "Example Ltd" --expires 2027-12-31
  tocsin license issue --key … --licensee "Example Ltd" --expires 2027-12-31 \\
    --cluster $(kubectl get namespace kube-system --output jsonpath={.metadata.uid}) --output manifest | kubectl apply -f -
`;

const showHelp = `
Exit codes: 0 the licence gives an edition now (also in its days of grace), 1 it does not, 2 called wrongly.

Examples:
  tocsin license show license.txt
  kubectl get secret tocsin-license --namespace tocsin --output yaml | tocsin license show -
`;

/** A day, which is its beginning in UTC, or an RFC 3339 instant. */
function instant(text: string): Date {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const date = new Date(isDay ? `${text}T00:00:00Z` : text);
  const isRead = isDay || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  if (!isRead || Number.isNaN(date.getTime()) || (isDay && !date.toISOString().startsWith(text)))
    throw new InvalidArgumentError(
      `"${text}" is not an instant; write a day (2027-12-31, its beginning in UTC) or 2027-12-31T18:00:00Z.`,
    );
  return date;
}

const collected = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** `tocsin license keygen|issue|show`: what whoever sells licences, and whoever uses one, needs. */
export const licenseCommand: AddCommand = (program, exit) => {
  const license = program.command('license').description('make keys, issue licences, and show what a licence gives');
  license
    .command('keygen')
    .description('make a key pair to sign licences with')
    .requiredOption('--id <name>', 'ID of the key, unique among yours, such as 2026-a')
    .requiredOption('--out <file>', 'new file for the private half; - prints it instead')
    .addHelpText('after', keygenHelp)
    .action(async (options) =>
      exit(await told(async () => (await import('./license/keygen.ts')).keygen(options, process))),
    );
  license
    .command('issue')
    .description('sign a licence and print it')
    .requiredOption('--key <file>', 'private key, as keygen wrote it')
    .requiredOption('--licensee <name>', 'who holds the licence')
    .requiredOption('--expires <instant>', 'when it ends: a day (its beginning in UTC) or an instant', instant)
    .option('--begins <instant>', 'from when on it is valid (default: at once)', instant)
    .option(
      '--cluster <uid>',
      'UID of the namespace kube-system of a cluster it is for; may be repeated (default: any)',
      collected,
    )
    .addOption(
      new Option('-o, --output <format>', 'the licence alone, a manifest of its Secret, or JSON')
        .choices(['text', 'manifest', 'json'])
        .default('text'),
    )
    .addHelpText('after', issueHelp)
    .action(async (options) =>
      exit(await told(async () => (await import('./license/issue.ts')).issue(options, process))),
    );
  license
    .command('show')
    .description('check a licence offline and say what it gives')
    .argument('<file>', 'a licence, or a manifest of its Secret; - for standard input')
    .option('--cluster <uid>', 'UID of the namespace kube-system of the cluster to judge it for')
    .option('--keys <file>', 'public keys to check it with (default: those of this build)')
    .addOption(
      new Option('-o, --output <format>', 'for people or for programs').choices(['text', 'json']).default('text'),
    )
    .addHelpText('after', showHelp)
    .action(async (file: string, options) =>
      exit(await told(async () => (await import('./license/show.ts')).show({ ...options, file }, process))),
    );
};

/** Wrong usage is said in one line, and is exit code 2. */
async function told(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`tocsin license: ${error.message}\n`);
    return 2;
  }
}
