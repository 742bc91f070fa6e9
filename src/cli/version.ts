import packageJson from '../../package.json' with { type: 'json' };
import type { AddCommand } from './command.ts';
import { type Output, outputOption, structured } from './output.ts';

/** `tocsin version`: what is installed here; `tocsin status` says what runs in the cluster. */
export const versionCommand: AddCommand = (program) => {
  program
    .command('version')
    .description('print the version of this program (of the one in the cluster: tocsin status)')
    .addOption(outputOption())
    .action(({ output }: { readonly output: Output }) => {
      const { version } = packageJson;
      const facts = { version, node: process.versions.node, platform: `${process.platform}/${process.arch}` };
      process.stdout.write(output === 'text' ? `${version}\n` : structured(facts, output));
    });
};
