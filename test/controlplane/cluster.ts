import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Authority, createAuthority, type KeyPair } from '../../src/sandbox/certificate.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { createPart, freePort, type RunningPart } from './part.ts';

/** The parts of a control plane that can be killed, paused and started again. */
export type Part = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler';

/** What to run; etcd and the API server always are. */
export type ControlPlaneOptions = {
  /** Default true: the built-in `view` role is empty until the controller manager aggregates it. */
  readonly controllerManager?: boolean;
  /** Default true. */
  readonly scheduler?: boolean;
  /** More flags for a part, `--flag=value`. */
  readonly flags?: Readonly<Partial<Record<Part, readonly string[]>>>;
};

/** A way in: a kubeconfig file and what is in it, PEM. */
export type Access = {
  readonly kubeconfigPath: string;
  readonly url: string;
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
};

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

/** Starts a control plane; resolves when the API server is ready and the first namespaces and service account exist. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
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

type Layout = {
  readonly binaries: Binaries;
  readonly directory: string;
  readonly ports: Readonly<Record<'etcd' | 'peer' | 'api' | 'manager' | 'scheduler', number>>;
  readonly url: string;
  readonly authority: Authority;
  readonly admin: Access;
  readonly access: (name: string, groups: readonly string[]) => Access;
};

/** The parts in the order they start in, with their flags. */
function partsOf(layout: Layout, options: ControlPlaneOptions): ReadonlyMap<Part, RunningPart> {
  const { binaries, directory, ports, url, authority, admin, access } = layout;
  const file = (name: string, content: string): string => {
    const path = join(directory, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const pair = (name: string, { certificate, key }: KeyPair): [string, string] => [
    file(`${name}.crt`, certificate),
    file(`${name}.key`, key),
  ];
  const etcdUrl = `http://127.0.0.1:${ports.etcd}`;
  const peerUrl = `http://127.0.0.1:${ports.peer}`;
  const ca = file('ca.crt', authority.certificate);
  const addresses = ['127.0.0.1', '10.0.0.1'];
  const names = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  const [serverCertificate, serverKey] = pair(
    'server',
    authority.sign({ commonName: 'kube-apiserver', addresses, names }),
  );
  const [kubeletCertificate, kubeletKey] = pair(
    'kubelet-client',
    authority.sign({ commonName: 'kube-apiserver', organizations: ['system:masters'] }),
  );
  const accounts = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const accountsPublic = file('service-accounts.pub', accounts.publicKey);
  const accountsPrivate = file('service-accounts.key', accounts.privateKey);
  const managerAccess = access('system:kube-controller-manager', []);
  const schedulerAccess = access('system:kube-scheduler', []);
  const rows: readonly [Part, boolean, readonly string[], () => Promise<boolean>][] = [
    [
      'etcd',
      true,
      [
        `--data-dir=${join(directory, 'etcd')}`,
        `--listen-client-urls=${etcdUrl}`,
        `--advertise-client-urls=${etcdUrl}`,
        `--listen-peer-urls=${peerUrl}`,
        `--initial-advertise-peer-urls=${peerUrl}`,
        `--initial-cluster=default=${peerUrl}`,
        // A crash of the machine may lose what a test wrote: nobody minds, and it is ten times faster.
        '--unsafe-no-fsync',
        '--log-level=warn',
      ],
      async () => (await fetch(`${etcdUrl}/health`)).ok,
    ],
    [
      'kube-apiserver',
      true,
      [
        `--etcd-servers=${etcdUrl}`,
        '--bind-address=127.0.0.1',
        '--advertise-address=127.0.0.1',
        `--secure-port=${ports.api}`,
        `--tls-cert-file=${serverCertificate}`,
        `--tls-private-key-file=${serverKey}`,
        `--client-ca-file=${ca}`,
        '--authorization-mode=Node,RBAC',
        '--service-cluster-ip-range=10.0.0.0/24',
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${accountsPublic}`,
        `--service-account-signing-key-file=${accountsPrivate}`,
        // The simulated kubelet shows a certificate nobody knows, so its authority is not given.
        `--kubelet-client-certificate=${kubeletCertificate}`,
        `--kubelet-client-key=${kubeletKey}`,
        '--kubelet-preferred-address-types=InternalIP',
        '--endpoint-reconciler-type=none',
        '--shutdown-delay-duration=0s',
      ],
      () => healthy(`${url}/readyz`, admin),
    ],
    [
      'kube-controller-manager',
      options.controllerManager ?? true,
      [
        `--kubeconfig=${managerAccess.kubeconfigPath}`,
        `--authentication-kubeconfig=${managerAccess.kubeconfigPath}`,
        `--authorization-kubeconfig=${managerAccess.kubeconfigPath}`,
        `--service-account-private-key-file=${accountsPrivate}`,
        `--root-ca-file=${ca}`,
        '--use-service-account-credentials',
        '--leader-elect=false',
        '--bind-address=127.0.0.1',
        `--secure-port=${ports.manager}`,
      ],
      () => healthy(`https://127.0.0.1:${ports.manager}/healthz`),
    ],
    [
      'kube-scheduler',
      options.scheduler ?? true,
      [
        `--kubeconfig=${schedulerAccess.kubeconfigPath}`,
        `--authentication-kubeconfig=${schedulerAccess.kubeconfigPath}`,
        `--authorization-kubeconfig=${schedulerAccess.kubeconfigPath}`,
        '--leader-elect=false',
        '--bind-address=127.0.0.1',
        `--secure-port=${ports.scheduler}`,
      ],
      () => healthy(`https://127.0.0.1:${ports.scheduler}/healthz`),
    ],
  ];
  return new Map(
    rows
      .filter(([, wanted]) => wanted)
      .map(([name, , args, isHealthy]) => {
        const flags = [...args, ...(options.flags?.[name] ?? [])];
        return [name, createPart(name, binaries[name], flags, join(directory, `${name}.log`), isHealthy)];
      }),
  );
}

/** Writes a kubeconfig with a fresh client certificate for a user. */
function accessFor(
  directory: string,
  url: string,
  authority: Authority,
  name: string,
  groups: readonly string[],
): Access {
  const { certificate, key } = authority.sign({ commonName: name, organizations: groups });
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority-data': base64(authority.certificate) } }],
    users: [{ name, user: { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: name, namespace: 'default' } }],
    'current-context': 'test',
  };
  const folder = join(directory, 'kubeconfigs');
  mkdirSync(folder, { recursive: true });
  const kubeconfigPath = join(folder, `${name.replaceAll(/[^a-z0-9-]/gi, '_')}.json`);
  writeFileSync(kubeconfigPath, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  return { kubeconfigPath, url, ca: authority.certificate, certificate, key };
}

/** Whether a health endpoint answers 200. The certificate is not looked at: these are our own children on loopback. */
function healthy(url: string, access?: Access): Promise<boolean> {
  return new Promise((resolve) => {
    const credentials = access ? { cert: access.certificate, key: access.key } : {};
    const asked = request(
      url,
      { rejectUnauthorized: false, timeout: 2000, agent: false, ...credentials },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

/** Asks etcd, through its JSON gateway, to compact everything before the present revision. */
async function compactEtcd(port: number): Promise<void> {
  const ask = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/v3/kv/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`etcd answered ${response.status} to ${path}: ${await response.text()}`);
    return await response.json();
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
    child.stdin.end(input ?? '');
  });
}
