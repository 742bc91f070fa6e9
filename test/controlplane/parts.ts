import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Authority, KeyPair } from '../../sandbox/certificate.ts';
import { type Access, healthy } from './access.ts';
import type { Binaries } from './binaries.ts';
import { createPart, type RunningPart } from './part.ts';

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

/** Where everything is that the parts need. */
export type Layout = {
  readonly binaries: Binaries;
  readonly directory: string;
  readonly ports: Readonly<Record<'etcd' | 'peer' | 'api' | 'manager' | 'scheduler', number>>;
  readonly url: string;
  readonly authority: Authority;
  readonly admin: Access;
  readonly access: (name: string, groups: readonly string[]) => Access;
};

/** The parts in the order they start in, with their flags. */
export function partsOf(layout: Layout, options: ControlPlaneOptions): ReadonlyMap<Part, RunningPart> {
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
