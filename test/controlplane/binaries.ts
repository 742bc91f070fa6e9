import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** The programs of a control plane, and kubectl. */
export const binaryNames = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'] as const;
/** Go itself; $GO names another one than that of the PATH. */
const goProgram = process.env.GO || 'go';

/** One of them. */
export type BinaryName = (typeof binaryNames)[number];

/** Where each program is. */
export type Binaries = Readonly<Record<BinaryName, string>>;

/** Each folder below is a Go module that pins the control plane of one minor version. */
const versionsDirectory = join(import.meta.dirname, 'kubernetes');

/** The minor versions that can be built, the oldest first: `1.33`. */
export const kubernetesVersions: readonly string[] = readdirSync(versionsDirectory).toSorted((a, b) =>
  a.localeCompare(b, 'en', { numeric: true }),
);

/** The module of the version that $KUBERNETES names, else of the newest, with the version that it pins: `v1.36.3`. */
function pinned(): { readonly directory: string; readonly version: string } {
  const wanted = process.env.KUBERNETES || kubernetesVersions.at(-1);
  const minor = kubernetesVersions.find((each) => each === wanted);
  if (!minor) throw new Error(`KUBERNETES=${wanted} cannot be built: name one of ${kubernetesVersions.join(', ')}`);
  const directory = join(versionsDirectory, minor);
  const text = readFileSync(join(directory, 'go.mod'), 'utf8');
  const version = /^\s*(?:require )?k8s\.io\/kubernetes (v\d+\.\d+\.\d+)(?: .*)?$/m.exec(text)?.[1];
  if (!version) throw new Error(`${join(directory, 'go.mod')} names no version of k8s.io/kubernetes`);
  return { directory, version };
}

const cacheDirectory = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tocsin', 'controlplane', pinned().version);

const allIn = (directory: string | undefined): directory is string =>
  directory !== undefined && directory !== '' && binaryNames.every((name) => existsSync(join(directory, name)));

const inPath = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find((path) => existsSync(path));

const asBinaries = (path: (name: BinaryName) => string): Binaries => ({
  etcd: path('etcd'),
  'kube-apiserver': path('kube-apiserver'),
  'kube-controller-manager': path('kube-controller-manager'),
  'kube-scheduler': path('kube-scheduler'),
  kubectl: path('kubectl'),
});

/** The programs, if they are all in $KUBEBUILDER_ASSETS, in the PATH or in the cache; only there of the version that $KUBERNETES names. */
export function findBinaries(): Binaries | undefined {
  if (process.env.KUBERNETES) {
    const cached = cacheDirectory();
    return allIn(cached) ? asBinaries((name) => join(cached, name)) : undefined;
  }
  const directory = [process.env.KUBEBUILDER_ASSETS, cacheDirectory()].find(allIn);
  if (allIn(process.env.KUBEBUILDER_ASSETS) || !binaryNames.every(inPath))
    return directory === undefined ? undefined : asBinaries((name) => join(directory, name));
  return asBinaries((name) => inPath(name) ?? name);
}

/** Finds or builds the programs. Rejects at once, naming the remedy, when they are missing and there is no Go. */
export async function prepareBinaries(
  say: (line: string) => void,
): Promise<{ readonly directory: string | undefined; readonly built: boolean }> {
  const found = findBinaries();
  if (found) return { directory: dirname(found['kube-apiserver']), built: false };
  if (spawnSync(goProgram, ['version']).status !== 0)
    throw new Error(
      `The real control plane needs ${binaryNames.join(', ')}, and they are not here; nor is Go to build them.\n` +
        'Install Go 1.26 or newer (https://go.dev/dl) and run `make controlplane` again, or point KUBEBUILDER_ASSETS\n' +
        'at a directory that holds all five. `make test` and `make demo` need none of this.',
    );
  await build(cacheDirectory(), say);
  return { directory: cacheDirectory(), built: true };
}

/** What `go build` is given. The version is set by flags, or the API server would call itself v0.0.0. */
function steps(version: string): readonly { readonly label: string; readonly args: readonly string[] }[] {
  const [major, minor] = version.slice(1).split('.');
  const variables = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  const flags = Object.entries(variables).map(([key, value]) => `-X k8s.io/component-base/version.${key}=${value}`);
  const kubernetes = (name: string): { label: string; args: string[] } => ({
    label: name,
    args: ['-ldflags', `-s -w ${flags.join(' ')}`, '-o', `./${name}`, `k8s.io/kubernetes/cmd/${name}`],
  });
  return [
    ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'].map(kubernetes),
    { label: 'etcd', args: ['-ldflags', '-s -w', '-o', './etcd', 'go.etcd.io/etcd/server/v3'] },
  ];
}

async function build(target: string, say: (line: string) => void): Promise<void> {
  const { directory, version } = pinned();
  say(`Building the control plane ${version} with Go, once: about 6 minutes on two cores, 360 MB in ${target}`);
  mkdirSync(dirname(target), { recursive: true });
  // In a directory of its own and renamed when whole: an interrupted build leaves nothing that looks finished.
  const temporary = mkdtempSync(`${target}.building-`);
  try {
    for (const { label, args } of steps(version)) {
      const started = Date.now();
      say(`  ${label} ...`);
      await goBuild(
        directory,
        args.map((arg) => (arg.startsWith('./') ? join(temporary, arg) : arg)),
      );
      say(`  ${label} built in ${Math.round((Date.now() - started) / 1000)} s`);
    }
    rmSync(target, { recursive: true, force: true });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function goBuild(module: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(goProgram, ['build', '-mod=readonly', '-trimpath', ...args], {
      cwd: module,
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`go build failed with exit code ${code}: see the lines above`)),
    );
  });
}
