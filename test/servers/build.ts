/** Servers from the Go module proxy, each built once into a cache outside the tree. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Recipe, type RecipeName, recipes } from './recipes.ts';

/** Go itself; $GO names another one than that of the PATH. */
const goProgram = process.env.GO || 'go';

/** Where a server is, or will be: its programs, and the folders they read. */
export function directoryOf(name: RecipeName): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'tocsin', 'servers', `${name}-${recipes[name].version}`);
}

/** The directory of a server, which is built where it is missing. Rejects at once, naming the remedy, when there is no Go. */
export async function prepareServer(
  name: RecipeName,
  say: (line: string) => void = (line) => console.error(line),
): Promise<string> {
  const target = directoryOf(name);
  const recipe: Recipe = recipes[name];
  const made = [...Object.keys(recipe.programs), ...(recipe.keep ?? [])];
  if (made.every((path) => existsSync(join(target, path)))) return target;
  if (spawnSync(goProgram, ['version']).status !== 0)
    throw new Error(
      `The tests against a real ${name} build it from its Go module, and there is no Go.\n` +
        'Install Go 1.26 or newer (https://go.dev/dl) and run `make servers` again. `make test` needs none of this.',
    );
  say(`Building ${name} ${recipe.version} with Go, once: a few minutes on two cores, into ${target}`);
  mkdirSync(dirname(target), { recursive: true });
  // In a directory of its own and renamed when whole: an interrupted build leaves nothing that looks finished.
  const temporary = mkdtempSync(`${target}.building-`);
  try {
    const fresh = join(temporary, 'made');
    await build(recipe, join(temporary, 'source'), fresh);
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return target;
}

async function build(recipe: Recipe, source: string, made: string): Promise<void> {
  const { module, version, programs, tags = '', linker = '', cgo = false, stubs = {}, keep = [] } = recipe;
  const downloaded: { Dir?: unknown; Error?: unknown } = JSON.parse(
    await go(dirname(source), ['mod', 'download', '-json', `${module}@${version}`]),
  );
  if (typeof downloaded.Dir !== 'string') throw new Error(`${module}@${version} cannot be had: ${downloaded.Error}`);
  // A copy, since what the makers' build generates has to be put into it, and the module cache is read-only.
  cpSync(downloaded.Dir, source, { recursive: true });
  makeWritable(source);
  for (const [path, text] of Object.entries(stubs)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  mkdirSync(made);
  for (const [program, folder] of Object.entries(programs)) {
    const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false', '-tags', tags, '-ldflags', `-s -w ${linker}`];
    await go(source, ['build', ...flags, '-o', join(made, program), folder], { CGO_ENABLED: cgo ? '1' : '0' });
  }
  for (const folder of keep) cpSync(join(source, folder), join(made, folder), { recursive: true });
}

function makeWritable(path: string): void {
  const { mode } = lstatSync(path);
  if (lstatSync(path).isSymbolicLink()) return;
  chmodSync(path, mode | 0o200);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) makeWritable(join(path, name));
}

/** Runs Go and resolves with what it printed. */
function go(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(goProgram, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      // `go mod download -json` prints its error before it fails.
      if (code === 0 || args[0] === 'mod') resolve(printed);
      else reject(new Error(`go ${args.slice(0, 2).join(' ')} failed with exit code ${code}: see the lines above`));
    });
  });
}
