import { Argument } from 'commander';
import type { AddCommand } from './command.ts';
import type { ImportArguments } from './import/run.ts';
import { outputOption } from './output.ts';

const help = `
Prints AlertProviders and an AlertConfig on standard output, and on standard error what became of every value of the file: where it is now, or why nowhere.
Credentials are not copied: the commands that make their Secrets stand above the manifests.

  kwatch         config.yaml, alone or in its ConfigMap
  robusta        the values of its chart (generated_values.yaml)
  botkube        the values of its chart
  alertmanager   its configuration file: the receivers

Exit codes: 0 something was taken over, 1 nothing was, 2 called wrongly.

Examples:
  tocsin import kwatch config.yaml > tocsin.yaml && tocsin lint tocsin.yaml
  kubectl -n monitoring get secret alertmanager-main -o jsonpath='{.data.alertmanager\\.yaml}' | base64 -d | tocsin import alertmanager -
`;

/** `tocsin import`: from another tool's configuration. */
export const importCommand: AddCommand = (program, exit) => {
  program
    .command('import')
    .description('make manifests of the configuration of kwatch, Robusta, Botkube or Alertmanager')
    .addArgument(
      new Argument('<tool>', 'whose configuration it is').choices(['kwatch', 'robusta', 'botkube', 'alertmanager']),
    )
    .argument('<file>', 'the configuration; - is standard input')
    .option('-n, --namespace <name>', 'namespace of Tocsin', 'tocsin')
    .addOption(outputOption())
    .addHelpText('after', help)
    .action(async (tool: string, file: string, options: Omit<ImportArguments, 'tool' | 'file'>) => {
      const { runImport } = await import('./import/run.ts');
      exit(await runImport({ tool, file, ...options }, process));
    });
};
