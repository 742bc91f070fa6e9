/** Single executables: Node with the program in it, so that nobody needs a Node of their own. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundling } from './bundle.ts';

/** Platforms whose Node is a package of the lock file, and what krew calls them. */
export const platforms = {
  'linux-x64': { os: 'linux', arch: 'amd64' },
  'linux-arm64': { os: 'linux', arch: 'arm64' },
} as const;

/** One of them. */
export type Platform = keyof typeof platforms;

/** The marker in a Node that says where the program is put; from the documentation of Node. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** What is put into a Node: the program and its thread, the same for every platform. Resolves with the file. */
export async function singleBlob(root: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const at = (name: string): string => join(folder, name);
  const common = { ...bundling, format: 'cjs', legalComments: 'none' } as const;
  const define = { ...bundling.define, 'import.meta.url': '__here', 'import.meta.dirname': '__dirname' };
  const banner = { js: "const __here = require('node:url').pathToFileURL(process.execPath).href;" };
  await build({ ...common, define, banner, entryPoints: [join(root, 'src/cli/single.ts')], outfile: at('single.cjs') });
  await build({ ...common, entryPoints: [join(root, 'src/state/worker.ts')], outfile: at('state-worker.cjs') });
  const config = {
    ...{ main: at('single.cjs'), output: at('single.blob'), assets: { 'state-worker': at('state-worker.cjs') } },
    // The cache of compiled code is a platform's own.
    ...{ disableExperimentalSEAWarning: true, useCodeCache: false },
  };
  writeFileSync(at('single.json'), JSON.stringify(config));
  execFileSync(process.execPath, ['--experimental-sea-config', at('single.json')], { stdio: 'pipe' });
  return at('single.blob');
}

/** Puts the program into a Node; `node`: the program of the platform. */
export function singleExecutable(blob: string, node: string, target: string, root: string): void {
  copyFileSync(node, target);
  chmodSync(target, 0o755);
  // A program of its own: it warns of every section that it does not know.
  const postject = join(root, 'node_modules/postject/dist/cli.js');
  const put = [postject, target, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse];
  execFileSync(process.execPath, put, { stdio: 'pipe', maxBuffer: 64 * 1024 * 1024 });
}

type Lockfile = {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
};

/** The folder of the Node of a platform: that of this one is among the dependencies, another one is fetched as the lock file has it. */
export function nodeOf(platform: Platform, root: string, folder: string): string {
  const name = `node-${platform}`;
  const own = join(root, 'node_modules', name);
  if (existsSync(join(own, 'bin/node'))) return own;
  const { packages }: Lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version = '', integrity = '' } = packages[`node_modules/${name}`] ?? {};
  mkdirSync(join(folder, name), { recursive: true });
  const pack = ['pack', `${name}@${version}`, '--json', '--pack-destination', folder];
  const packed = execFileSync('npm', pack, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [archive] = JSON.parse(packed) as readonly { readonly filename: string; readonly integrity: string }[];
  if (archive?.integrity !== integrity)
    throw new Error(`${name}@${version} is not what package-lock.json has: ${archive?.integrity}`);
  execFileSync('tar', ['-xzf', join(folder, archive.filename), '-C', join(folder, name), '--strip-components=1']);
  return join(folder, name);
}

/** Makes all of them in `folder`; the program of each with the licence of its Node. */
export async function singleExecutables(root: string, folder: string): Promise<readonly Executable[]> {
  const blob = await singleBlob(root, folder);
  return Object.entries(platforms).map(([platform, { os, arch }]) => {
    const node = nodeOf(platform as Platform, root, folder);
    const program = join(folder, `tocsin-${os}-${arch}`);
    singleExecutable(blob, join(node, 'bin/node'), program, root);
    return { os, arch, program, nodeLicense: join(node, 'LICENSE') };
  });
}

/** A program for one platform, which needs nothing but that. */
export type Executable = {
  readonly os: string;
  readonly arch: string;
  readonly program: string;
  readonly nodeLicense: string;
};
