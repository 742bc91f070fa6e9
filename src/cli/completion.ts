import { Argument } from 'commander';
import type { AddCommand } from './command.ts';
import type { CommandWords } from './completion/words.ts';

const help = `
Completes commands, options, and what an option may be.

  bash   source <(tocsin completion bash)            in ~/.bashrc
  zsh    source <(tocsin completion zsh)             in ~/.zshrc, after compinit
  fish   tocsin completion fish | source             in ~/.config/fish/config.fish
`;

type Shell = 'bash' | 'zsh' | 'fish';

const shells: Readonly<Record<Shell, () => Promise<(program: string, root: CommandWords) => string>>> = {
  bash: async () => (await import('./completion/bash.ts')).bashCompletion,
  zsh: async () => (await import('./completion/zsh.ts')).zshCompletion,
  fish: async () => (await import('./completion/fish.ts')).fishCompletion,
};

/** `tocsin completion`: a script for a shell. It needs every other command to be there. */
export const completionCommand: AddCommand = (program) => {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(shells)))
    .addHelpText('after', help)
    .action(async (shell: Shell) => {
      const { wordsOf } = await import('./completion/words.ts');
      const complete = await shells[shell]();
      process.stdout.write(complete('tocsin', wordsOf(program)));
    });
};
