import type { Command, Option } from 'commander';

/** An option as a shell completes it. */
export type OptionWords = {
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  /** Its value is a file. */
  readonly isFile: boolean;
};

/** A command as a shell completes it. `path`: the words before, without the program's own name. */
export type CommandWords = {
  readonly path: readonly string[];
  readonly description: string;
  readonly children: readonly CommandWords[];
  readonly options: readonly OptionWords[];
  /** Its arguments are files. */
  readonly takesFiles: boolean;
  /** The words that its argument may be. */
  readonly choices: readonly string[];
};

/** What there is to complete, of a command and all below it. */
export function wordsOf(command: Command, path: readonly string[] = []): CommandWords {
  const names = command.registeredArguments.map((argument) => argument.name());
  return {
    path,
    description: command.description(),
    children: command.commands.map((child) => wordsOf(child, [...path, child.name()])),
    options: [...command.options.map(optionWords), help],
    takesFiles: names.some((name) => name === 'file' || name === 'files'),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
}

/** A command and all below it. */
export function* everyCommand(command: CommandWords): Generator<CommandWords> {
  yield command;
  for (const child of command.children) yield* everyCommand(child);
}

const help: OptionWords = {
  ...{ long: '--help', short: '-h', description: 'what it does and takes' },
  ...{ takesValue: false, choices: [], isFile: false },
};

function optionWords(option: Option): OptionWords {
  const { long = '', short, description, required, optional, argChoices = [], flags } = option;
  return {
    ...{ long, short, description, takesValue: required || optional, choices: argChoices },
    isFile: /<(?:file|dir|directory)>/.test(flags),
  };
}
