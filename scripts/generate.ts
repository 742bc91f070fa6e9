/**
 * Writes what follows from `src/api`, `src/providers` and `src/detect`: the registry, the list of reasons, `crds/`, `config/samples/`, `docs/reference/`. With
 * `--check` it writes nothing and fails when a file is stale, or when a detector lacks a test of what it must and must not do.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { mark } from './generate/mark.ts';
import { providerTypes, registryText } from './generate/registry.ts';

const root = resolve(import.meta.dirname, '..');
const check = process.argv.includes('--check');
const stale: string[] = [];

/** Writes a file, or notes that it is not what it should be. */
function put(path: string, text: string): void {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (check) stale.push(path);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}

// These first: the other files are made from what they name.
put('src/providers/registry.ts', registryText(providerTypes(join(root, 'src/providers'))));
put('src/model/reason.ts', (await import('./generate/reasons.ts')).reasonsText());
const { generatedFiles } = await import('./generate/files.ts');
const files = generatedFiles();
for (const [path, text] of files) put(path, text);

// What was generated once and is not any more.
for (const path of globSync(
  ['crds/*', 'config/samples/*', 'config/chart/**/*.{yaml,json,txt}', 'docs/reference/**/*.{md,json}'],
  { cwd: root },
).sort()) {
  if (files.has(path) || !readFileSync(join(root, path), 'utf8').slice(0, 300).includes(mark)) continue;
  if (check) stale.push(`${path} (nothing generates it any more)`);
  else rmSync(join(root, path));
}

const holes = (await import('./generate/detector-cases.ts')).holesOfDetectors();
for (const hole of holes) console.error(`detector ${hole}`);
for (const path of stale) console.error(`stale: ${path}`);
if (stale.length > 0)
  console.error(`${stale.length} generated files are stale: run \`make generate\` and commit the result.`);
console.log(`generate: ${files.size + 2} files, ${stale.length} stale`);
process.exitCode = stale.length > 0 || (check && holes.length > 0) ? 1 : 0;
