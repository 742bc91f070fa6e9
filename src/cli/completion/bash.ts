import { type CommandWords, everyCommand, type OptionWords } from './words.ts';

/** The completion of a program for bash, to be sourced. Names of ours hold no character that a shell reads. */
export function bashCompletion(program: string, root: CommandWords): string {
  const all = [...everyCommand(root)];
  return `# Completion of ${program} for bash: source <(${program} completion bash)
_${program}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path="" word words="" index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$path/$word" in
${all.flatMap(({ path }) => (path.length > 0 ? [`      '/${path.join('/')}') path='/${path.join('/')}' ;;`] : [])).join('\n')}
    esac
  done
  case "$path $before" in
${all.flatMap(valueCases).join('\n')}
  esac
  case "$path" in
${all.map(wordCase).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
${filesOf(all)}}
complete -F _${program} ${program}
`;
}

const pathOf = ({ path }: CommandWords): string => path.map((word) => `/${word}`).join('');

/** What follows an option: its choices, a file, or nothing that is known. */
function valueCases(command: CommandWords): string[] {
  return command.options.flatMap((option) =>
    option.takesValue ? [`    ${patterns(command, option)}) ${reply(option)}; return ;;`] : [],
  );
}

function patterns(command: CommandWords, { long, short }: OptionWords): string {
  return [long, ...(short === undefined ? [] : [short])].map((flag) => `'${pathOf(command)} ${flag}'`).join('|');
}

function reply({ choices, isFile }: OptionWords): string {
  if (isFile) return 'COMPREPLY=($(compgen -f -- "$current"))';
  return choices.length > 0 ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current"))` : 'COMPREPLY=()';
}

function wordCase(command: CommandWords): string {
  const { children, options, choices } = command;
  const words = [...children.map(({ path }) => path.at(-1) ?? ''), ...choices, ...options.map(({ long }) => long)];
  return `    '${pathOf(command)}') words='${words.join(' ')}' ;;`;
}

function filesOf(all: readonly CommandWords[]): string {
  const paths = all.filter(({ takesFiles }) => takesFiles).map((command) => `'${pathOf(command)}'`);
  if (paths.length === 0) return '';
  return `  case "$path" in
    ${paths.join('|')}) [[ "$current" == -* ]] || COMPREPLY+=($(compgen -f -- "$current")) ;;
  esac
`;
}
