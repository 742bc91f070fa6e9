import type { AddCommand } from './command.ts';
import type { McpArguments } from './mcp/run.ts';

const help = `
Serves agents by the Model Context Protocol over standard input and output: incidents, why, evidence, what changed, what depends on what, who would
be told. Of a cluster (as \`tocsin diagnose\` looks at it, and goes on watching), or with --from of what was written down. Everything only reads,
answers are small, and texts of the cluster are marked as data.

Exit codes: 0 the agent is done, 2 called wrongly.

Examples:
  tocsin mcp --context prod-eu
  tocsin mcp --from must-gather.tar.gz
  claude mcp add tocsin -- tocsin mcp
`;

/** `tocsin mcp`: answers agents. */
export const mcpCommand: AddCommand = (program, exit) => {
  program
    .command('mcp')
    .description('answer agents by the Model Context Protocol, read-only')
    .option('--from <file>', 'what was written down of a cluster: a folder, an archive or a file')
    .option('-n, --namespace <name>', 'where one may see one namespace alone: this one')
    .option('--kubeconfig <file>', 'kubeconfig to use')
    .option('--context <name>', 'context of the kubeconfig')
    .addHelpText('after', help)
    .action(async (options: McpArguments) => {
      const { runMcp } = await import('./mcp/run.ts');
      exit(await runMcp(options, process));
    });
};
