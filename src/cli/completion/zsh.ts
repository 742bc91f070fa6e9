import { type CommandWords, everyCommand, type OptionWords } from './words.ts';

/** The completion of a program for zsh: to be sourced, or kept as `_tocsin` in a folder of `$fpath`. */
export function zshCompletion(program: string, root: CommandWords): string {
  return `#compdef ${program}
# Completion of ${program} for zsh: source <(${program} completion zsh)
${[...everyCommand(root)].map((command) => commandFunction(program, command)).join('\n')}
if [ "\${funcstack[1]}" = "_${program}" ]; then _${program} "$@"; else compdef _${program} ${program}; fi
`;
}

const functionOf = (program: string, { path }: CommandWords): string => ['', program, ...path].join('_');

/** Within single quotes and within the brackets that `_arguments` reads. */
const quoted = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, (mark) => `\\${mark}`);

function commandFunction(program: string, command: CommandWords): string {
  const specs = command.options.flatMap(optionSpecs).map((spec) => `    '${spec}'`);
  const lines = command.children.length > 0 ? withChildren(specs) : [...specs, ...argumentSpecs(command)];
  const call = lines
    .map((line) => `${line} \\`)
    .join('\n')
    .replace(/ \\$/, '');
  const tail = command.children.length > 0 ? childTail(program, command) : '';
  return `${functionOf(program, command)}() {
  local -a line
  local state
  _arguments -C \\
${call}
${tail}}`;
}

function optionSpecs({ long, short, description, takesValue, choices, isFile }: OptionWords): string[] {
  const value = isFile ? ':file:_files' : `:value:(${choices.join(' ')})`;
  const end = `[${quoted(description)}]${takesValue ? value : ''}`;
  return [long, ...(short === undefined ? [] : [short])].map((flag) => `${flag}${end}`);
}

function argumentSpecs({ takesFiles, choices }: CommandWords): string[] {
  if (takesFiles) return ["    '*:file:_files'"];
  return choices.length > 0 ? [`    '1:word:(${choices.join(' ')})'`] : [];
}

function withChildren(specs: readonly string[]): string[] {
  return [...specs, "    '1: :->command'", "    '*:: :->rest'"];
}

function childTail(program: string, { children }: CommandWords): string {
  const names = children.map(({ path, description }) => `'${path.at(-1)}:${quoted(description)}'`);
  const cases = children.map((child) => `        ${child.path.at(-1)}) ${functionOf(program, child)} ;;`);
  return `  case "$state" in
    command) local -a names=(${names.join(' ')}); _describe command names ;;
    rest)
      case "\${line[1]}" in
${cases.join('\n')}
      esac ;;
  esac
`;
}
