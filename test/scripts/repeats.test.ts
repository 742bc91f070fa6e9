import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSync } from 'oxc-parser';
import { repeats } from '../../scripts/layers/repeats.ts';

const lines = ['one', 'two', 'three', 'four', 'five', 'six'];
const source = (path: string, text: string) => ({ path, text, program: parseSync(path, text).program });
const calling = (name: string, names: readonly string[]): string =>
  `export function ${name}(): void {\n${names.map((each) => `  ${each}();`).join('\n')}\n}\n`;

test('six lines that stand in two functions are found, whatever stands between them for people', () => {
  const first = source('src/a.ts', calling('a', ['zero', ...lines]));
  const text = `class B {\n  b(): void {\n    // Why.\n${lines.map((each) => `    ${each}();`).join('\n\n')}\n  }\n}\n`;
  assert.deepEqual(repeats([first, source('src/b.ts', text)]), [
    'src/a.ts:3 and src/b.ts:4: the same 6 lines; one piece of code can serve',
  ]);
});

test('five lines, and what tables, types and imports repeat, are left alone', () => {
  const five = ['a', 'b'].map((name) => source(`src/${name}.ts`, calling(name, lines.slice(1))));
  const table = `export const rows = {\n${lines.map((each) => `  ${each}: 1,`).join('\n')}\n};\n`;
  const names = `import {\n${lines.map((each) => `  ${each},`).join('\n')}\n} from './x.ts';\n`;
  const rest = ['c', 'd'].map((name) => source(`src/${name}.ts`, `${names}${table}`));
  assert.deepEqual(repeats([...five, ...rest]), []);
});
