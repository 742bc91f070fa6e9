import { mark, type Rule } from './rule.ts';

/** A Secret of Kubernetes that was printed, with whatever its keys are called. */
export const secretObjectRules: readonly Rule[] = [
  {
    what: 'the data of a Secret in JSON, escaped or not',
    pattern: /("(?:data|stringData)\\{0,3}"\s{0,3}:\s{0,3}\{)([^{}]{1,20000})/g,
    // Told from a ConfigMap by this, and not only sooner.
    needs: ['"Secret"', '"Secret\\', '"stringData'],
    keep: (_, before = '', text = '') =>
      `${before}${text.replace(/(:\s{0,3}\\{0,3}")((?:[^"\\]|\\[^"])+)/g, `$1${mark}`)}`,
  },
  {
    what: 'the data of a Secret in YAML',
    pattern: /^([^\S\n]{0,40}(?:- )?(?:data|stringData):[^\S\n]*\n)((?:[^\S\n]{1,60}[^\n]*(?:\n|$)){1,500})/gm,
    needs: ['kind: Secret', 'stringData:'],
    keep: (_, before = '', block = '') => `${before}${withoutValues(before, block)}`,
  },
];

/** Every entry deeper than the line above, until one that is not. */
function withoutValues(above: string, block: string): string {
  const depth = above.search(/\S/);
  let within = true;
  return block
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return line;
      within &&= line.search(/\S/) > depth;
      return within ? line.replace(/^(\s*(?:[\w.-]+:\s*)?)(\S.*)$/, (_, name: string) => `${name}${mark}`) : line;
    })
    .join('\n');
}
