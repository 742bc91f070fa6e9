import type { Command } from 'commander';
import { timeoutSeconds, withClusterOptions } from './cluster/options.ts';
import type { AddCommand } from './command.ts';
import type { InstallArguments, UninstallArguments } from './install/arguments.ts';

const installHelp = `
Applies what the release's install.yaml holds, server-side: the namespace, the four kinds, the roles, one Pod; then an AlertConfig \`default\` with the
status page for port-forwards, if there is none. It waits until the Pod is ready. Doing it again changes nothing. With Helm, use the chart instead.

Exit codes: 0 it runs, 1 it does not and the message says why, 2 called wrongly.

Examples:
  tocsin install --cluster-name prod-eu
  tocsin install --dry-run                     # what would be made or changed
  tocsin install --dry-run --output yaml       # the manifests, for Git or for somebody else to apply
`;

const upgradeHelp = `
Brings kinds, roles and the Pod to the version of this program, deletes what that version does not have any more, and waits until the Pod is ready. What
you configured stays as it is. The way back is the same command of the earlier version.

Exit codes: 0 it runs, 1 it does not and the message says why, 2 called wrongly.

Examples:
  tocsin upgrade
  tocsin upgrade --dry-run
`;

const uninstallHelp = `
Deletes what \`tocsin install\` made, and waits until it is gone. The four kinds take every object of theirs along, and the namespace its Secrets: without
--yes it only says what would go.

Exit codes: 0 nothing is left, 1 something is or it was not confirmed, 2 called wrongly.

Examples:
  tocsin uninstall --yes
  tocsin uninstall --keep-configuration --yes   # kinds, objects, Secrets and namespace stay
`;

const withPlace = (command: Command): Command =>
  withClusterOptions(command)
    .option('-n, --namespace <name>', 'namespace of Tocsin', 'tocsin')
    .option('--timeout <seconds>', 'how long to wait', timeoutSeconds, 180);

type Parsed<T> = Omit<T, 'timeoutSeconds'> & { readonly timeout: number };

function adding(verb: 'install' | 'upgrade', description: string, help: string): AddCommand {
  return (program, exit) => {
    withPlace(program.command(verb).description(description))
      .option('--image <name>', 'image to run, instead of that of the release')
      .option('--cluster-name <name>', 'how messages call this cluster')
      .option('--dry-run', 'write nothing: say what would change, or print the manifests (--output yaml)', false)
      .option('--force', 'take over fields that somebody else has set', false)
      .addHelpText('after', help)
      .action(async ({ timeout, ...options }: Parsed<InstallArguments>) => {
        const { withCluster } = await import('./cluster/open.ts');
        const { runInstall } = await import('./install/run.ts');
        exit(
          await withCluster(options, (client) =>
            runInstall(verb, { ...options, timeoutSeconds: timeout }, process, client),
          ),
        );
      });
  };
}

/** `tocsin install`: for those without Helm. */
export const installCommand = adding('install', 'install Tocsin in the cluster, and wait until it runs', installHelp);

/** `tocsin upgrade`: what is installed becomes this version. */
export const upgradeCommand = adding('upgrade', 'bring the Tocsin of the cluster to this version', upgradeHelp);

/** `tocsin uninstall`: what was installed goes. */
export const uninstallCommand: AddCommand = (program, exit) => {
  withPlace(program.command('uninstall').description('take Tocsin out of the cluster, and leave nothing'))
    .option('--keep-configuration', 'keep the four kinds with their objects, and the namespace with its Secrets', false)
    .option('--yes', 'it is meant', false)
    .addHelpText('after', uninstallHelp)
    .action(async ({ timeout, ...options }: Parsed<UninstallArguments>) => {
      const { withCluster } = await import('./cluster/open.ts');
      const { runUninstall } = await import('./install/uninstall.ts');
      exit(
        await withCluster(options, (client) => runUninstall({ ...options, timeoutSeconds: timeout }, process, client)),
      );
    });
};
