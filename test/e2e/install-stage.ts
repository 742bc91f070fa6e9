import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { startKubelet } from '../../sandbox/kubelet.ts';
import type { ApiClient } from '../../src/kube/api-client.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { loadClusterConfig } from '../../src/kube/load-config.ts';
import { systemClock } from '../../src/kube/system-clock.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/cluster.ts';
import { type Asked, auditPolicy, readAudit } from './install-audit.ts';
import { buildImage, type Image } from './install-image.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** The user that Tocsin is to the API server. */
export const serviceAccountUser = 'system:serviceaccount:tocsin:tocsin';

/** A cluster as strict as they come, with nothing of ours in it yet, and the image as the Dockerfile makes it. */
export type InstallStage = {
  readonly plane: ControlPlane;
  readonly client: ApiClient;
  readonly receiver: Receiver;
  readonly image: Image;
  readonly folder: string;
  /** Every request Tocsin's service account has made. */
  asked(): readonly Asked[];
  readonly auditFile: string;
  apply(...objects: readonly object[]): Promise<void>;
  stop(): Promise<void>;
};

/** As GKE has it: Pods of a critical priority only where a quota allows them. */
const admission = {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AdmissionConfiguration',
  plugins: [
    {
      name: 'ResourceQuota',
      configuration: {
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'ResourceQuotaConfiguration',
        limitedResources: [
          {
            resource: 'pods',
            matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['system-cluster-critical'] }],
          },
        ],
      },
    },
  ],
};

/** One of each kind besides the providers; `oncall` is the active one. */
export const otherKinds: readonly object[] = [
  {
    apiVersion: 'tocsin.dev/v1alpha1',
    kind: 'AlertConfig',
    metadata: { name: 'default', namespace: 'tocsin' },
    spec: { app: { communityProvider: 'oncall' } },
  },
  {
    apiVersion: 'tocsin.dev/v1alpha1',
    kind: 'Silence',
    metadata: { name: 'search', namespace: 'tocsin' },
    spec: { selector: { names: ['search'] }, durationSeconds: 3600, comment: 'migration' },
  },
  {
    apiVersion: 'tocsin.dev/v1alpha1',
    kind: 'MaintenanceWindow',
    metadata: { name: 'upgrades', namespace: 'tocsin' },
    spec: { selector: { nodes: ['*'] }, schedule: '0 2 * * 6', durationSeconds: 7200, comment: 'upgrades' },
  },
];

/** Starts it. */
export async function startInstallStage(): Promise<InstallStage> {
  const cleanup: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const undo of cleanup.reverse()) await undo();
  };
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-install-'));
  cleanup.push(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, content: object): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const auditFile = join(folder, 'audit.log');
  try {
    const plane = await startControlPlane({
      flags: {
        'kube-apiserver': [
          `--audit-policy-file=${file('audit-policy.json', auditPolicy(serviceAccountUser))}`,
          `--audit-log-path=${auditFile}`,
          `--admission-control-config-file=${file('admission.json', admission)}`,
        ],
      },
    });
    cleanup.push(() => plane.stop());
    const config = await loadClusterConfig({ kubeconfig: plane.admin.kubeconfigPath, env: {}, clock: systemClock });
    const client = createApiClient(config, { clock: systemClock, version: packageJson.version });
    cleanup.push(() => client.close());
    const kubelet = await startKubelet({ api: client, nodes: [{ name: 'n1' }], speed: 4 });
    cleanup.push(() => kubelet.stop());
    const receiver = await startReceiver();
    cleanup.push(() => receiver.stop());
    return {
      plane,
      client,
      receiver,
      image: buildImage(join(folder, 'image')),
      folder,
      auditFile,
      asked: () => readAudit(auditFile),
      async apply(...objects) {
        await plane.kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
