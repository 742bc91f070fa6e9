/** The commands of a shell block, one by one: words without quotes; comments, redirections and what is quoted stay out of it. */
export function commandsOf(script: string): readonly (readonly string[])[] {
  const text = script.replaceAll('\\\n', ' ').replace(/<<-?'?(\w+)'?[^\n]*\n[\s\S]*?\n\s*\1\b/g, '');
  const commands: string[][] = [[]];
  // A quoted text or a bare word, and what ends a command; a comment begins at a word.
  for (const [token] of text.matchAll(
    /#[^\n]*|\n|\|\|?|&&?|;|\$\(|<\(|\)|(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s|&;()'"])+/g,
  )) {
    if (token.startsWith('#')) continue;
    if (/^(?:\n|\|\|?|&&?|;|\$\(|<\(|\))$/.test(token)) commands.push([]);
    else commands.at(-1)?.push(token.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"/g, (_, one, two) => one ?? two));
  }
  return commands.filter(({ length }) => length > 0);
}

/** The bodies of here-documents. */
export function heredocsOf(script: string): readonly string[] {
  return [...script.matchAll(/<<-?'?(\w+)'?[^\n]*\n([\s\S]*?)\n\s*\1\b/g)].map(([, , body = '']) => body);
}
