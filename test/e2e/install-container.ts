import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Image } from './install-image.ts';

/** A process that runs as the image would, as far as a machine without a container engine can. */
export type Container = {
  readonly pid: number;
  readonly url: string;
  /** Every line of standard output and standard error so far. */
  readonly output: readonly string[];
  /** SIGTERM, as a kubelet stops it; resolves with the exit code. */
  stop(): Promise<number | null>;
};

/** What a kubelet would give the container. */
export type ContainerOptions = {
  readonly image: Image;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The files of the Pod's service account. */
  readonly serviceAccount: Readonly<Record<'token' | 'ca.crt' | 'namespace', string>>;
  /** An emptyDir is mounted here. */
  readonly stateDirectory: string;
};

const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';
/** The folders that hold a machine's programs and libraries; the base image has its own. */
const system = ['usr', 'lib', 'lib64'];

/** Whether this machine lets us give a process a root and a user of its own. */
export const canConfine = process.platform === 'linux' && process.getuid?.() === 0;

/**
 * $1: the new root, $2: Node, $3: where state goes, $4: user, $5: group, the rest: the program. In a mount namespace of its own: the
 * image's files and the machine's libraries, all read-only, one writable folder; then no root user, no capabilities, no way
 * to gain any.
 */
const script = `set -eu
root=$1 node=$2 state=$3 user=$4 group=$5; shift 5
mount --make-rprivate /
mount --bind "$root" "$root"
for folder in ${system.join(' ')}; do
  test -L "$root/$folder" || test ! -d "$root/$folder" || { mount --bind "/$folder" "$root/$folder" && mount -o remount,bind,ro "$root/$folder"; }
done
mount --bind "$node" "$root/nodejs/bin/node"
mount -o remount,bind,ro "$root/nodejs/bin/node"
mount -t proc -o ro proc "$root/proc" || mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o "size=16m,mode=0770,uid=0,gid=$group" tmpfs "$root$state"
mount -o remount,bind,ro "$root"
exec chroot "$root" /usr/bin/setpriv --reuid="$user" --regid="$group" --clear-groups --bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs "$@"
`;

/** Starts it; resolves when its endpoints are up, and rejects with its output if it ends before. */
export async function startContainer(options: ContainerOptions): Promise<Container> {
  const { command, environment } = canConfine ? confined(options) : plain(options);
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { HOME: '/home/nonroot', ...options.image.environment, ...options.environment, ...environment },
  });
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);
  const exited = once(child, 'exit').finally(() => process.off('exit', killNow));
  const output: string[] = [];
  const listening = Promise.withResolvers<number>();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      output.push(line);
      const port = /"port":(\d+)/.exec(line)?.[1];
      if (port) listening.resolve(Number(port));
    });
  void exited.then(() => listening.reject(new Error(`the container ended:\n${output.join('\n')}`)));
  const port = await listening.promise;
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    output,
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

type Start = { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> };

/** In a root of its own, with the files of the service account where a Pod finds them. */
function confined({ image, args, serviceAccount, stateDirectory }: ContainerOptions): Start {
  const { root, entrypoint } = image;
  for (const folder of ['proc', 'dev', 'nodejs/bin', stateDirectory, serviceAccountDirectory])
    mkdirSync(join(root, folder), { recursive: true });
  for (const folder of system) {
    const found = lstatSync(`/${folder}`, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) symlinkSync(readlinkSync(`/${folder}`), join(root, folder));
    else if (found) mkdirSync(join(root, folder));
  }
  writeFileSync(join(root, 'nodejs/bin/node'), '');
  for (const [name, content] of Object.entries(serviceAccount))
    writeFileSync(join(root, serviceAccountDirectory, name), content, { mode: 0o644 });
  const [user = '', group = ''] = image.user.split(':');
  const arrangement = [root, process.execPath, stateDirectory, user, group];
  return {
    command: ['unshare', '--mount', 'sh', '-c', script, 'sh', ...arrangement, ...entrypoint, ...args],
    environment: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  };
}

/** Where nobody lets us: the same program, flags and token, as an ordinary process. */
function plain({ image, args, environment, serviceAccount }: ContainerOptions): Start {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  const certificate = Buffer.from(serviceAccount['ca.crt']).toString('base64');
  const kubeconfig = join(image.root, 'kubeconfig.json');
  const content = {
    clusters: [
      { name: 'pod', cluster: { server: `https://${host}:${port}`, 'certificate-authority-data': certificate } },
    ],
    users: [{ name: 'pod', user: { token: serviceAccount.token } }],
    contexts: [{ name: 'pod', context: { cluster: 'pod', user: 'pod', namespace: serviceAccount.namespace } }],
    'current-context': 'pod',
  };
  writeFileSync(kubeconfig, JSON.stringify(content), { mode: 0o600 });
  const flags = image.entrypoint.slice(1, -1);
  const bundle = join(image.root, image.entrypoint.at(-1) ?? '');
  return { command: [process.execPath, ...flags, bundle, ...args], environment: { KUBECONFIG: kubeconfig } };
}

/** A line of `/proc/<pid>/status`: `Uid`, `CapEff`, `NoNewPrivs`. */
export function processStatus(pid: number, field: string): string {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${field}:`));
  return line?.slice(field.length + 1).trim() ?? '';
}

/** Mount points of a process with their options: `/` → `ro,relatime`. */
export function mountsOf(pid: number): ReadonlyMap<string, string> {
  const lines = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [, , , , mountPoint = '', options = ''] = line.split(' ');
      return [mountPoint, options];
    }),
  );
}
