/**
 * Writes what follows from `src/api`, `src/providers` and `src/detect`: the registry, the list of reasons, `crds/`, `config/samples/`, `docs/reference/`. With
 * `--check` it writes nothing and fails when a file is stale, or when a detector lacks a test of what it must and must not do. It never
 * deletes: a file that nothing generates any more fails both ways, until somebody has said which of the two is the mistake.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { orphansOf } from './generate/orphans.ts';
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
const first = ['src/providers/registry.ts', 'src/model/redaction/product-addresses.ts', 'src/model/reason.ts'] as const;
put(first[0], registryText(providerTypes(join(root, 'src/providers'))));
put(first[1], (await import('./generate/product-addresses.ts')).productAddressesText());
put(first[2], (await import('./generate/reasons.ts')).reasonsText());
const { generatedFiles } = await import('./generate/files.ts');
const files = generatedFiles();
for (const [path, text] of files) put(path, text);

const orphans = orphansOf(root, new Set([...first, ...files.keys()]));
for (const path of orphans)
  console.error(`nothing generates ${path} any more: put its row back into scripts/generate, or delete the file.`);

const holes = (await import('./generate/detector-cases.ts')).holesOfDetectors();
for (const hole of holes) console.error(hole);
for (const path of stale) console.error(`stale: ${path}`);
if (stale.length > 0)
  console.error(`${stale.length} generated files are stale: run \`make generate\` and commit the result.`);
console.log(`generate: ${files.size + first.length} files, ${stale.length} stale, ${orphans.length} without a row`);
process.exitCode = stale.length > 0 || orphans.length > 0 || (check && holes.length > 0) ? 1 : 0;
