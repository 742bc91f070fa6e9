/**
 * The layer check: which folder of `src/`, and the sandbox beside it, may import which. The table is the folder table of `docs/contributing/architecture.md`;
 * an import that it does not name, a cycle between files, a folder that has become a heap (`layers/folders.ts`), or
 * code that stands twice (`layers/repeats.ts`), fails `make check`.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { heaps } from './layers/folders.ts';
import { repeats, type Source } from './layers/repeats.ts';

const root = resolve(import.meta.dirname, '..');

/** Folder → the folders of ours it may import, besides itself. */
const mayImport: Record<string, readonly string[]> = {
  model: [],
  signs: ['model'],
  telemetry: [],
  kube: ['model'],
  world: ['model', 'signs'],
  detect: ['model', 'world'],
  explain: ['model', 'world'],
  incident: ['model'],
  message: ['model'],
  turn: ['model', 'world', 'detect', 'explain', 'incident', 'message'],
  schema: ['model'],
  providers: ['model', 'message', 'schema'],
  delivery: ['model', 'providers', 'telemetry'],
  state: ['model'],
  api: ['model', 'schema', 'providers'],
  edition: ['model', 'schema'],
  operator: ['api', 'edition', 'schema', 'kube', 'model', 'telemetry'],
  server: ['model', 'message', 'telemetry'],
  runtime: [
    'model',
    'telemetry',
    'kube',
    'world',
    'turn',
    'providers',
    'delivery',
    'state',
    'edition',
    'operator',
    'server',
  ],
  dump: ['model', 'world'],
  diagnose: ['dump', 'model', 'telemetry', 'kube', 'world', 'message', 'turn', 'server', 'runtime'],
  mcp: ['model', 'message', 'world', 'server', 'diagnose'],
  sandbox: ['model', 'kube'],
  cli: ['runtime', 'diagnose', 'mcp', 'message', 'sandbox', 'edition', 'api', 'model', 'telemetry', 'kube'],
  'main.ts': ['cli'],
};
/** The pure core: no clock, no timers, no randomness, no I/O. */
const pure = ['model', 'signs', 'world', 'detect', 'explain', 'incident', 'message', 'turn'];
const impure =
  /\b(?:Date\.now|Math\.random|setTimeout|setInterval|setImmediate|performance\.now|process\.env)\b|new Date\(\)/;
/** Data outside `src/` that is part of the program. */
const shipped = ['/package.json', '/config/license-keys.json'];
const pureNodeModules = new Set(['node:crypto', 'node:util', 'node:zlib']);

const problems: string[] = [];
const files = globSync('{src,sandbox}/**/*.ts', { cwd: root }).sort();
const graph = new Map<string, string[]>();
const sources: Source[] = [];
/** Folder → the folders it does import, so that a permission nobody uses is taken back. */
const imported = new Map<string, Set<string>>();
/** The room of a file, by its whole path; empty for what belongs to none. */
const folderOf = (file: string): string => /^(?:src\/)?([^/]+)/.exec(relative(root, file))?.[1] ?? '';
const isOurs = (file: string): boolean => /^(?:src|sandbox)\//.test(relative(root, file));

for (const name of files) {
  const file = join(root, name);
  const text = readFileSync(file, 'utf8');
  const { module, program } = parseSync(file, text);
  sources.push({ path: name, text, program });
  const specifiers = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap((entry) =>
      entry.entries.flatMap((e) => (e.moduleRequest ? [e.moduleRequest.value] : [])),
    ),
    ...module.dynamicImports.map((entry) => text.slice(entry.moduleRequest.start + 1, entry.moduleRequest.end - 1)),
  ];
  const from = folderOf(file);
  const allowed = mayImport[from];
  if (!allowed) problems.push(`${name}: folder ${from} is not in the layer table (scripts/layers.ts)`);
  const targets: string[] = [];
  for (const specifier of specifiers) {
    if (!specifier.startsWith('.')) {
      if (pure.includes(from) && specifier.startsWith('node:') && !pureNodeModules.has(specifier))
        problems.push(`${name}: the pure core must not import ${specifier}`);
      continue;
    }
    const target = resolve(dirname(file), specifier);
    if (!isOurs(target)) {
      if (!shipped.some((data) => target.endsWith(data))) problems.push(`${name}: imports ${specifier}, outside src/`);
      continue;
    }
    const to = folderOf(target);
    if (to !== from && !allowed?.includes(to)) problems.push(`${name}: ${from}/ must not import ${to}/ (${specifier})`);
    imported.set(from, (imported.get(from) ?? new Set()).add(to));
    targets.push(target);
  }
  graph.set(file, targets);
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const found = pure.includes(from) ? impure.exec(code) : null;
  if (found) problems.push(`${name}: the pure core must not use ${found[0]}; time comes in as an argument`);
}

/** Depth-first search; a file met again on the current path is a cycle. */
const done = new Set<string>();
function visit(file: string, path: readonly string[]): void {
  if (path.includes(file)) {
    const cycle = [...path.slice(path.indexOf(file)), file].map((f) => relative(root, f));
    problems.push(`cycle: ${cycle.join(' → ')}`);
    return;
  }
  if (done.has(file)) return;
  for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
  done.add(file);
}
for (const file of graph.keys()) visit(file, []);

problems.push(...heaps(graph, root), ...repeats(sources));

for (const [folder, allowed] of Object.entries(mayImport))
  for (const other of allowed)
    if (!imported.get(folder)?.has(other))
      problems.push(`scripts/layers.ts: ${folder}/ may import ${other}/ but does not: take the permission out`);

// A checker that silently sees nothing passes everything.
const imports = [...graph.values()].reduce((sum, targets) => sum + targets.length, 0);
if (graph.size !== files.length || files.length === 0) problems.push(`saw ${graph.size} of ${files.length} modules`);
if (imports < files.length / 2)
  problems.push(`saw only ${imports} imports in ${files.length} modules: is the parser working?`);
for (const problem of problems) console.error(problem);
console.log(`layers: ${graph.size} modules, ${imports} imports, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
