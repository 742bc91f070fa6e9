import { InvalidArgumentError, Option } from 'commander';
import { parseDurationMs } from '../model/duration.ts';
import type { AddCommand } from './command.ts';
import type { DiagnoseArguments } from './diagnose/arguments.ts';

const help = `
Looks at a cluster once, or at what was written down of one, and says what is broken, why, how sure that is, what proves it and what to do
next. Nothing is installed and nothing is written: it lists and watches what you may see, by the same judgement as the operator.

It watches until what it sees is certain, at most a minute; with --watch for exactly so long. Where you may not see the whole cluster it
looks at one namespace: that of -n, else that of the context. What could not be seen, and what that means, stands at the end.

Exit codes: 0 nothing is broken, 1 something is, 2 it could not look, or was called wrongly.

Examples:
  tocsin diagnose
  tocsin diagnose --context prod-eu -n shop
  tocsin diagnose -o json | jq -r '.broken[].lead'
  tocsin diagnose --from must-gather.tar.gz
  kubectl get pods,nodes,events -A -o json | tocsin diagnose --from -
  tocsin diagnose --since 1h -o markdown > comment.md
`;

function duration(text: string): { readonly ms: number; readonly text: string } {
  const ms = parseDurationMs(text);
  if (ms === undefined) throw new InvalidArgumentError(`"${text}" is not a duration: write 30s, 5m or 2h.`);
  return { ms, text };
}

/** `tocsin diagnose`: what is broken in a cluster, and why. */
export const diagnoseCommand: AddCommand = (program, exit) => {
  program
    .command('diagnose')
    .description('say what is broken in a cluster and why, with nothing installed')
    .option('-n, --namespace <name>', 'only what is in this namespace or hits it')
    .option('-A, --all-namespaces', 'everything that can be seen (the default)')
    .option('-l, --selector <labels>', 'only what has these labels, as for kubectl get')
    .option(
      '--from <file>',
      'what was written down of a cluster instead: a folder, an archive, a file, or - (see docs/diagnose.md)',
    )
    .option('--since <duration>', 'only what began so shortly ago (1h)', duration)
    .option('--watch <duration>', 'watch for exactly so long (30s) instead of until it is certain', duration)
    .addOption(
      new Option('-o, --output <format>', 'text for people, json or yaml for programs, markdown or html to hand on')
        .choices(['text', 'json', 'yaml', 'markdown', 'html'])
        .default('text'),
    )
    .option('--kubeconfig <file>', 'kubeconfig to use')
    .option('--context <name>', 'context of the kubeconfig')
    .addHelpText('after', help)
    .action(async (options: DiagnoseArguments) => {
      const { runDiagnose } = await import('./diagnose/run.ts');
      exit(await runDiagnose(options, process));
    });
};
