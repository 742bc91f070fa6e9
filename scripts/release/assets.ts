import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Executable } from '../build/single.ts';
import { krewManifest } from './krew.ts';
import { notesOf } from './notes.ts';

/** What the assets are made of. `dist`: where the bundled program is; `target`: where they go, emptied first. */
export type ReleaseOptions = {
  readonly root: string;
  readonly dist: string;
  readonly target: string;
  /** By its digest. */
  readonly image: string;
  /** Where the assets will be. */
  readonly url: string;
  readonly version: string;
  readonly description: string;
  /** The program for each platform on which it needs no Node. */
  readonly executables: readonly Executable[];
};

/** What the plugin of kubectl is made of; the first is the program. */
const pluginFiles = ['tocsin.mjs', 'state-worker.mjs', 'tocsin.mjs.LEGAL.txt', 'THIRD-PARTY-NOTICES.txt'] as const;

/**
 * Writes the assets, with the image by its digest wherever one is named, and returns their names: the same input gives the same bytes.
 * Throws where a program that is needed (kubectl, tar) is missing or fails.
 */
export function releaseAssets(options: ReleaseOptions): readonly string[] {
  const { root, dist, target, image, version } = options;
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const put = (name: string, text: string): void => writeFileSync(join(target, name), text);

  put('install.yaml', withImage(run('kubectl', ['kustomize', join(root, 'config/default')]), options));
  put('crds.yaml', run('kubectl', ['kustomize', join(root, 'config/crd')]));
  put('settings.yaml', run('kubectl', ['kustomize', join(root, 'config/settings')]));
  put('notes.md', notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version));
  for (const name of ['LICENSE', 'NOTICE']) cpSync(join(root, name), join(target, name));
  for (const name of ['sbom.cdx.json', 'THIRD-PARTY-NOTICES.txt']) cpSync(join(dist, name), join(target, name));

  const plugin = 'kubectl-tocsin.tar.gz';
  archive(join(target, plugin), dist, pluginFiles);
  const archived = (name: string): { readonly uri: string; readonly sha256: string } => ({
    uri: `${options.url}/${name}`,
    sha256: digest(join(target, name)),
  });
  const own = options.executables.map((executable) => {
    const name = archiveExecutable(executable, options);
    return { os: executable.os, arch: executable.arch, ...archived(name), bin: 'tocsin' };
  });
  put('tocsin.krew.yaml', krewManifest(version, [...own, { os: 'darwin', ...archived(plugin), bin: pluginFiles[0] }]));

  const temporary = mkdtempSync(join(tmpdir(), 'tocsin-release-'));
  try {
    cpSync(join(root, 'config/chart'), join(temporary, 'tocsin'), { recursive: true });
    const [repository, sum] = image.split('@');
    replaceIn(join(temporary, 'tocsin/values.yaml'), 'repository: tocsin', `repository: ${repository}`);
    replaceIn(join(temporary, 'tocsin/values.yaml'), 'digest: ""', `digest: ${sum}`);
    archive(join(target, `tocsin-${version}.tgz`), temporary, ['tocsin']);
    const bundle = join(temporary, 'olm');
    cpSync(join(root, 'config/olm'), bundle, { recursive: true });
    const service = join(bundle, 'manifests/tocsin.clusterserviceversion.yaml');
    writeFileSync(service, withImage(readFileSync(service, 'utf8'), options));
    archive(join(target, 'olm-bundle.tar.gz'), temporary, ['olm']);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }

  const made = globSync('*', { cwd: target }).sort();
  put('SHA256SUMS', made.map((name) => `${digest(join(target, name))}  ${name}\n`).join(''));
  return [...made, 'SHA256SUMS'];
}

/** Archives a program with the licences of what is in it; returns the name of the archive. */
function archiveExecutable({ os, arch, program, nodeLicense }: Executable, options: ReleaseOptions): string {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-executable-'));
  try {
    const files: Readonly<Record<string, string>> = {
      tocsin: program,
      LICENSE: join(options.root, 'LICENSE'),
      NOTICE: join(options.root, 'NOTICE'),
      'LICENSE.node': nodeLicense,
      'THIRD-PARTY-NOTICES.txt': join(options.dist, 'THIRD-PARTY-NOTICES.txt'),
    };
    for (const [name, file] of Object.entries(files)) cpSync(file, join(folder, name));
    chmodSync(join(folder, 'tocsin'), 0o755);
    const name = `tocsin-${os}-${arch}.tar.gz`;
    archive(join(options.target, name), folder, Object.keys(files));
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Manifests with the released image in the place of the name that they have in the repository. */
function withImage(text: string, { image, version }: ReleaseOptions): string {
  const own = `tocsin:${version}`;
  const replaced = text.replaceAll(
    new RegExp(`(\\b(?:image|containerImage): )${own.replaceAll('.', '\\.')}$`, 'gm'),
    `$1${image}`,
  );
  if (replaced === text || replaced.includes(`: ${own}`))
    throw new Error(`the manifests do not name the image as ${own}`);
  return replaced;
}

function replaceIn(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not say "${from}"`);
  writeFileSync(file, text.replace(from, to));
}

/** The same files give the same archive. */
function archive(file: string, folder: string, names: readonly string[]): void {
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w'];
  run('tar', [...same, '--use-compress-program=gzip -n', '-cf', file, '-C', folder, ...names]);
}

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (error || status !== 0) throw new Error(`${program} ${args[0] ?? ''} failed: ${error?.message ?? stderr}`);
  return stdout;
}
