import { type CommandWords, everyCommand, type OptionWords } from './words.ts';

/** The completion of a program for fish, to be sourced. */
export function fishCompletion(program: string, root: CommandWords): string {
  const lines = [...everyCommand(root)].flatMap((command) => commandLines(program, command));
  return `# Completion of ${program} for fish: ${program} completion fish | source
complete -c ${program} -f
${lines.join('\n')}
`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** When the words so far are those of the command, and of none below it. */
function condition({ path, children }: CommandWords): string {
  if (path.length === 0) return '__fish_use_subcommand';
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const names = children.map((child) => child.path.at(-1)).join(' ');
  return [...seen, ...(names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`])].join('; and ');
}

function commandLines(program: string, command: CommandWords): string[] {
  const begin = `complete -c ${program} -n ${quoted(condition(command))}`;
  return [
    ...command.children.map(({ path, description }) => `${begin} -a ${path.at(-1)} -d ${quoted(description)}`),
    ...command.choices.map((word) => `${begin} -a ${word}`),
    ...(command.takesFiles ? [`${begin} -F`] : []),
    ...command.options.map((option) => `${begin} ${optionWords(option)}`),
  ];
}

function optionWords({ long, short, description, takesValue, choices, isFile }: OptionWords): string {
  const value = isFile ? ' -r -F' : choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : ' -x';
  const short1 = short === undefined ? '' : ` -s ${short.slice(1)}`;
  return `-l ${long.slice(2)}${short1} -d ${quoted(description)}${takesValue ? value : ''}`;
}
