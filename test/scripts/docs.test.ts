import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';

const project = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(project, path), 'utf8');

/** The cells of a table's rows; `heading` is its first column's. */
function tableOf(markdown: string, heading: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  assert.ok(start >= 0, `no table ${heading}`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
/** What a cell has in code marks. */
const codes = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

const folders = [...readdirSync(join(project, 'src')), 'sandbox'];

test('the picture of the architecture has every folder of src/', () => {
  const picture = /```text\n([\s\S]*?)```/.exec(read('docs/contributing/architecture.md'))?.[1] ?? '';
  const words = new Set(picture.match(/[a-z]+(?:\.ts)?/g));
  assert.deepEqual(
    folders.filter((folder) => !words.has(folder)),
    [],
  );
});

test('its table of folders is the one that the layer check enforces', () => {
  const source = /const mayImport[^=]*= (\{[\s\S]*?\n\});/.exec(read('scripts/layers.ts'))?.[1] ?? '';
  // The table is a literal of strings; scripts/layers.ts checks as soon as it is imported, so it is read instead.
  const enforced = new Function(`return ${source}`)() as Record<string, readonly string[]>;
  const documented = Object.fromEntries(
    tableOf(read('docs/contributing/architecture.md'), 'folder').map(([folder, , imports]) => [
      codes(folder)[0],
      codes(imports),
    ]),
  );
  const there = new Set(folders);
  assert.deepEqual(
    documented,
    Object.fromEntries(
      Object.entries(enforced)
        .filter(([folder]) => there.has(folder))
        .map(([folder, imports]) => [folder, imports.filter((each) => there.has(each))]),
    ),
  );
});

type Role = { kind: string; rules?: { apiGroups: string[]; resources: string[]; verbs: string[] }[] };

test('the table of permissions is what the roles grant', () => {
  const granted = ['cluster-role', 'namespace-role'].flatMap((file) =>
    parseAllDocuments(read(`config/rbac/${file}.yaml`))
      .map((each) => each.toJS() as Role)
      .flatMap(({ kind, rules = [] }) =>
        rules.flatMap(({ apiGroups: [group], resources, verbs }) =>
          resources.flatMap((written) => {
            const [plural, subresource] = written.split('/');
            const name = `${plural}${group ? `.${group}` : ''}${subresource ? `/${subresource}` : ''}`;
            return verbs.map((verb) => `${verb} ${name} ${kind === 'Role' ? 'own namespace' : 'cluster'}`);
          }),
        ),
      ),
  );
  const documented = tableOf(read('docs/security.md'), 'verbs').flatMap(([verbs, resources, where]) =>
    codes(resources).flatMap((resource) => codes(verbs).map((verb) => `${verb} ${resource} ${where}`)),
  );
  assert.deepEqual([...documented].sort(), [...granted].sort());
});

test('what docs/install.md applies is there', () => {
  const paths = [...read('docs/install.md').matchAll(/-[kf] (config\/[\w./-]*\w)/g)].map(([, path = '']) => path);
  assert.ok(paths.length >= 4);
  for (const path of paths) assert.ok(existsSync(join(project, path)), path);
});
