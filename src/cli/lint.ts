import { Option } from 'commander';
import type { AddCommand } from './command.ts';
import type { LintArguments } from './lint/arguments.ts';

const help = `
Exit codes: 0 nothing wrong (warnings allowed), 1 errors, 2 called wrongly.

Examples:
  tocsin lint alerts/                           all manifests below a folder
  kustomize build prod | tocsin lint -          what a tool renders
  tocsin lint --cluster                         what is in the cluster
  tocsin lint --cluster provider.yaml           a file, as if it were applied there
  tocsin lint --check provider.yaml secret.yaml and try the credentials at the product
`;

/** `tocsin lint`: checks manifests. */
export const lintCommand: AddCommand = (program, exit) => {
  program
    .command('lint')
    .description('check manifests: what the API server would refuse, what cannot work, and likely mistakes')
    .argument('[files...]', 'files, folders, or - for standard input')
    .option('-n, --namespace <name>', 'namespace of Tocsin; objects that name none are taken to go there', 'tocsin')
    .addOption(
      new Option('-o, --output <format>', 'text for people, json for programs, github for workflow annotations')
        .choices(['text', 'json', 'github'])
        .default('text'),
    )
    .option('--strict', 'warnings count as errors', false)
    .option('--check', 'also test the credentials at the product, where the type supports it', false)
    .option('--cluster', 'check what is in the cluster; with files, as if they were applied there', false)
    .option('--kubeconfig <file>', 'kubeconfig for --cluster')
    .option('--context <name>', 'context of the kubeconfig')
    .addHelpText('after', help)
    .action(async (names: string[], options: Omit<LintArguments, 'names'>) => {
      const { runLint } = await import('./lint/run.ts');
      exit(await runLint({ names, ...options }, process));
    });
};
