import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '../../sandbox/certificate.ts';
import { type Access, accessFor } from './access.ts';
import { findBinaries } from './binaries.ts';
import { freePort, type RunningPart } from './part.ts';
import { type ControlPlaneOptions, type Part, partsOf } from './parts.ts';

/** A real etcd, kube-apiserver, controller manager and scheduler on free loopback ports. */
export type ControlPlane = {
  readonly url: string;
  /** Member of system:masters. */
  readonly admin: Access;
  /** A user with a client certificate: CN and O. */
  user(name: string, groups?: readonly string[]): Access;
  /** SIGKILL; resolves when the process is gone. */
  kill(part: Part): Promise<void>;
  /** Starts a killed part on the same ports; resolves when it is healthy. */
  start(part: Part): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  pause(part: Part): void;
  resume(part: Part): void;
  /** Runs kubectl as admin; rejects with its stderr when it fails. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  /** Tells etcd to forget all history up to now. */
  compact(): Promise<void>;
  /** The end of each part's log, for a failed test. */
  logs(lines?: number): string;
  /** Kills every part and removes the temporary directory. */
  stop(): Promise<void>;
};

/** How often another control plane may take a port between the moment that it is found free and the moment that a part listens there. */
const portRaces = 3;

/** Starts a control plane; resolves when the API server is ready and the first namespaces and service account exist. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  for (let left = portRaces; ; left -= 1)
    try {
      return await startOnFreePorts(options);
    } catch (error) {
      if (left === 0 || !String(error).includes('address already in use')) throw error;
    }
}

async function startOnFreePorts(options: ControlPlaneOptions): Promise<ControlPlane> {
  const binaries = findBinaries();
  if (!binaries)
    throw new Error(
      'The control plane binaries are missing: run `make controlplane` (it needs Go, and says so if it is not there).',
    );
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-controlplane-'));
  const ports = {
    etcd: await freePort(),
    peer: await freePort(),
    api: await freePort(),
    manager: await freePort(),
    scheduler: await freePort(),
  };
  const url = `https://127.0.0.1:${ports.api}`;
  const authority = createAuthority('tocsin-controlplane', Date.now());
  const access = (name: string, groups: readonly string[]): Access =>
    accessFor(directory, url, authority, name, groups);
  const admin = access('admin', ['system:masters']);
  const parts = partsOf({ binaries, directory, ports, url, authority, admin, access }, options);
  const logs = (lines = 15): string => [...parts].map(([name, part]) => `--- ${name}\n${part.log(lines)}`).join('\n');
  const killAll = (): void => {
    for (const part of parts.values()) part.killNow();
  };
  process.once('exit', killAll);
  const stop = async (): Promise<void> => {
    await Promise.all([...parts.values()].map((part) => part.kill()));
    process.off('exit', killAll);
    rmSync(directory, { recursive: true, force: true });
  };
  const partNamed = (name: Part): RunningPart => {
    const part = parts.get(name);
    if (!part) throw new Error(`${name} is not part of this control plane`);
    return part;
  };
  const plane: ControlPlane = {
    url,
    admin,
    user: (name, groups = []) => access(name, groups),
    kill: (name) => partNamed(name).kill(),
    start: (name) => partNamed(name).start(),
    pause: (name) => partNamed(name).signal('SIGSTOP'),
    resume: (name) => partNamed(name).signal('SIGCONT'),
    kubectl: (args, input) => run(binaries.kubectl, ['--kubeconfig', admin.kubeconfigPath, ...args], input),
    compact: () => compactEtcd(ports.etcd),
    logs,
    stop,
  };
  try {
    await partNamed('etcd').start();
    await partNamed('kube-apiserver').start();
    // The two others need the API server but not each other.
    await Promise.all([...parts].slice(2).map(([, part]) => part.start()));
    if (parts.has('kube-controller-manager')) await until(() => plane.kubectl(['get', 'serviceaccount', 'default']));
    else await until(() => plane.kubectl(['get', 'namespace', 'default']));
    return plane;
  } catch (error) {
    const shown = logs();
    await stop();
    throw new Error(`The control plane did not start.\n${shown}`, { cause: error });
  }
}

/** Asks etcd, through its JSON gateway, to compact everything before the present revision. */
async function compactEtcd(port: number): Promise<void> {
  const ask = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/v3/kv/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`etcd answered ${response.status} to ${path}: ${await response.text()}`);
    return response.json();
  };
  const answer = (await ask('range', { key: Buffer.from('/').toString('base64') })) as { header: { revision: string } };
  await ask('compaction', { revision: answer.header.revision, physical: true });
}

/** Tries until it succeeds, for half a minute. */
async function until(attempt: () => Promise<unknown>): Promise<void> {
  for (let left = 150; ; left -= 1)
    try {
      await attempt();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
}

/** Runs a program to its end; rejects with what it said on stderr. */
function run(path: string, args: readonly string[], input: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const text = Buffer.concat(err).toString('utf8').trim();
      if (code === 0) resolve(Buffer.concat(out).toString('utf8'));
      else reject(new Error(`kubectl ${args.slice(2).join(' ')}: exit code ${code}: ${text}`));
    });
    // One that ends before it has read everything says why by its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
  });
}
