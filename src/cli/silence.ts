import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseDurationMs } from '../model/duration.ts';
import { instantIn } from '../model/instants.ts';
import { type Severity, severities } from '../model/severity.ts';
import { withClusterOptions } from './cluster/options.ts';
import type { AddCommand } from './command.ts';
import type { AddArguments, ExpireArguments } from './silence/arguments.ts';

const addHelp = `
A Silence in the namespace of Tocsin speaks for the whole cluster, elsewhere for its own namespace. Incidents are still followed and
counted (kubectl get silences): nobody is told. Lists take commas; \`*\` and \`?\` are wildcards, \`!\` in front excludes.

Exit codes: 0 it mutes, or will; 1 it was refused, and the message says why; 2 called wrongly.

Examples:
  tocsin silence add deployment/shop/api --for 2h --comment "database move, OPS-123"
  tocsin silence add 3f9c0e1d2b4a5c67 --for 1h
  tocsin silence add --reasons 'Node*' --nodes 'gpu-*' --until 2026-11-23T18:00:00Z
  tocsin silence add --namespaces lab --for 8h --dry-run > silence.yaml
`;

const expireHelp = `
It ends now and stays to be looked at; one that has not begun is deleted. What is still broken is told as it stands.

Exit codes: 0 it is over, 1 it could not be ended and the message says why, 2 called wrongly.

Example:
  tocsin silence expire api-x7k2p
`;

/** The longest time a Silence may last (seconds): a year, as the API has it. */
const maxSeconds = 31_536_000;

function span(text: string): number {
  const seconds = (parseDurationMs(text) ?? 0) / 1000;
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxSeconds)
    throw new InvalidArgumentError(`"${text}" is not a length of time up to a year: write 45m, 2h, 1d12h.`);
  return seconds;
}

function instant(text: string): string {
  if (instantIn(text) === undefined)
    throw new InvalidArgumentError(`"${text}" is not a time: write 2026-11-23T18:00:00Z.`);
  return text;
}

const listed = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== ''),
];

function pairs(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const labels = { ...before };
  for (const pair of listed(text)) {
    const [key = '', value, ...rest] = pair.split('=');
    if (key === '' || value === undefined || rest.length > 0)
      throw new InvalidArgumentError(`"${pair}" is not a label: write app=api.`);
    labels[key] = value;
  }
  return labels;
}

function severityList(text: string, before: readonly Severity[] = []): Severity[] {
  const isSeverity = (word: string): word is Severity => severities.some((severity) => severity === word);
  const words = listed(text);
  const given = words.filter(isSeverity);
  const wrong = words.find((word) => !isSeverity(word));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`"${wrong}" is not a severity: they are ${severities.join(', ')}.`);
  return [...before, ...given];
}

/** The options that say which incidents, one for each field of a selector. */
function withSelector(command: Command): Command {
  return command
    .option('--namespaces <globs>', 'namespaces of the root object or of an affected one', listed)
    .option('--reasons <globs>', 'reasons, as message titles show them', listed)
    .addOption(new Option('--severities <list>', `severities: ${severities.join(', ')}`).argParser(severityList))
    .option('--kinds <list>', 'kinds of the root object, such as Deployment', listed)
    .option('--names <globs>', 'names of the root object', listed)
    .option('--nodes <globs>', 'the root is one of these Nodes, or all affected Pods run on them', listed)
    .option('--labels <key=value>', 'labels of the root object or of an affected one', pairs)
    .option('--owners <globs>', 'who answers for the root object or for an affected one', listed);
}

type Parsed = Omit<AddArguments, 'object' | 'forSeconds'> & { readonly for?: number };

/** `tocsin silence`: writes Silences. */
export const silenceCommand: AddCommand = (program, exit) => {
  const silence = program.command('silence').description('mute incidents for a while, or end that early');
  const add = silence
    .command('add')
    .description('make a Silence: nobody is told of what it selects until it ends')
    .argument(
      '[kind/namespace/name]',
      'what is muted: an object, as in deployment/shop/api or node/n1, or the ID of an open incident',
    )
    .option('-n, --namespace <name>', 'namespace of the Silence', 'tocsin')
    .option('--name <name>', 'name of the Silence; without one it gets one')
    .option('--for <duration>', 'how long: 45m, 2h, 1d', span)
    .option('--until <time>', 'until when (RFC 3339)', instant)
    .option('--from <time>', 'from when (RFC 3339), instead of at once', instant);
  withClusterOptions(withSelector(add))
    .option('--comment <text>', 'why; messages and kubectl show it')
    .option('--by <name>', 'who asked for it; by default who the API server says you are')
    .option('--dry-run', 'print the manifest and make nothing', false)
    .addHelpText('after', addHelp)
    .action(async (object: string | undefined, { for: forSeconds, ...options }: Parsed) => {
      const { withCluster } = await import('./cluster/open.ts');
      const { runSilenceAdd } = await import('./silence/add.ts');
      const asked = {
        ...options,
        ...(object !== undefined && { object }),
        ...(forSeconds !== undefined && { forSeconds }),
      };
      exit(await withCluster(options, (client) => runSilenceAdd(asked, process, client)));
    });
  withClusterOptions(
    silence
      .command('expire')
      .description('end a Silence now')
      .argument('<name>', 'name of the Silence')
      .option('-n, --namespace <name>', 'its namespace', 'tocsin'),
  )
    .addHelpText('after', expireHelp)
    .action(async (name: string, options: Omit<ExpireArguments, 'name'>) => {
      const { withCluster } = await import('./cluster/open.ts');
      const { runSilenceExpire } = await import('./silence/expire.ts');
      exit(await withCluster(options, (client) => runSilenceExpire({ name, ...options }, process, client)));
    });
};
