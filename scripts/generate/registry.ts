/** The registry of provider types, from the files of `src/providers`: no list to remember when one is added. */
import { readdirSync } from 'node:fs';
import { mark } from './mark.ts';

/** Files of the folder that are no provider type. */
const others = new Set(['kit.ts', 'provider.ts', 'registry.ts']);

/** The types there are: the names of their files, sorted. */
export function providerTypes(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !others.has(name))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort();
}

/** The text of `registry.ts`. */
export function registryText(types: readonly string[]): string {
  // In the order of their paths, as the formatter sorts them.
  const imports = [['./kit/define.ts', 'type { AnyProvider }'], ...types.map((type) => [`./${type}.ts`, `{ ${type} }`])]
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map(([path, what]) => `import ${what} from '${path}';\n`)
    .join('');
  const one = `export const providers: readonly AnyProvider[] = [${types.join(', ')}];`;
  const listed =
    one.length <= 120
      ? one
      : one.replace(`[${types.join(', ')}]`, `[\n${types.map((type) => `  ${type},\n`).join('')}]`);
  return `// ${mark}
${imports}
/** Every provider type there is code for, by name. */
${listed}
`;
}
