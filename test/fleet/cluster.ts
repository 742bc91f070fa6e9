import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kubelet, startKubelet } from '../../sandbox/kubelet.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { crdOf } from '../../src/api/crd.ts';
import { resources } from '../../src/api/resources.ts';
import type { ApiClient } from '../../src/kube/api-client.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { systemClock } from '../../src/kube/system-clock.ts';
import { Pod } from '../chaos/pod.ts';
import type { Image } from '../e2e/install-image.ts';
import { address, webhook } from '../runtime/stage.ts';
import { FleetReceiver } from './receiver.ts';

const deployments = '/apis/apps/v1/namespaces/shop/deployments';
const key = { secretKeyRef: { name: 'hub', key: 'key' } };
const secret = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hub', namespace: 'tocsin' } },
  data: { key: Buffer.from('k'.repeat(32)).toString('base64') },
};

/** A cluster of the fleet: an API server on loopback with a Node, a receiver, and the program as it is shipped, as a process of its own. */
export class Cluster {
  readonly name: string;
  readonly receiver: FleetReceiver;
  readonly #sandbox: Sandbox;
  readonly #client: ApiClient;
  readonly #kubelet: Kubelet;
  readonly #start: () => Pod;
  #pod: Pod | undefined;

  private constructor(name: string, parts: Parts) {
    this.name = name;
    this.receiver = parts.receiver;
    this.#sandbox = parts.sandbox;
    this.#client = parts.client;
    this.#kubelet = parts.kubelet;
    this.#start = parts.start;
  }

  /** Makes it, with nothing running yet. `hub`: of its AlertConfig, without the key. `port`: of the endpoints; a free one, if absent. */
  static async make(
    name: string,
    {
      hub,
      folder,
      image,
      port,
    }: { readonly hub: object; readonly folder: string; readonly image: Image; readonly port?: number },
  ): Promise<Cluster> {
    const sandbox = await startSandbox({ crds: Object.values(resources).map(crdOf) });
    const client = createApiClient(fixedClusterConfig({ server: sandbox.url }), { clock: systemClock, version: '0' });
    const kubelet = await startKubelet({ api: client, nodes: [{ name: 'n1' }], clock: systemClock, speed: 4 });
    const receiver = await FleetReceiver.start();
    const own = join(folder, name);
    const stateDirectory = join(own, 'state');
    mkdirSync(stateDirectory, { recursive: true });
    const kubeconfig = join(own, 'kubeconfig');
    writeFileSync(kubeconfig, JSON.stringify(sandbox.kubeconfig));
    const config = {
      ...{ apiVersion: 'tocsin.dev/v1beta1', kind: 'AlertConfig', metadata: { name: 'default', namespace: 'tocsin' } },
      spec: { app: { clusterName: name }, evidence: { logs: false }, hub: { ...hub, key } },
    };
    for (const namespace of ['tocsin', 'shop'])
      sandbox.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    for (const object of [secret, config, webhook('hook'), address('hook', receiver.url)])
      sandbox.objects.create(object);
    return new Cluster(name, {
      ...{ receiver, sandbox, client, kubelet },
      start: () => new Pod({ image, name, kubeconfig, stateDirectory, ...(port !== undefined && { port }) }),
    });
  }

  /** Starts the program. */
  start(): void {
    this.#pod = this.#start();
  }

  /** What the program said last. */
  output(): string {
    return (this.#pod?.output ?? []).slice(-20).join('\n');
  }

  /** Whether everything has been listed: what breaks from then on is news. */
  async hasStarted(): Promise<boolean> {
    return (await this.#pod?.hasStarted()) === true;
  }

  /** Whether the hub answers it. */
  isAnswered(): boolean {
    const { status } = (this.#sandbox.objects.get('alertconfigs.tocsin.dev', 'tocsin', 'default') ?? {}) as {
      readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    };
    return (status?.conditions ?? []).some(({ type, status: is }) => type === 'Hub' && is === 'True');
  }

  /** `kill -9`. Resolves when the process is gone. */
  async kill(): Promise<void> {
    await this.#pod?.kill();
  }

  /** Two Deployments whose images are in a registry that nobody reaches. */
  cut(registry: string): void {
    for (const workload of workloadsOf(registry)) this.#sandbox.objects.create(deploymentOf(workload, registry));
  }

  /** The registry is back. */
  async mend(registry: string): Promise<void> {
    for (const workload of workloadsOf(registry))
      await this.#client.json({
        method: 'PATCH',
        path: `${deployments}/${workload}`,
        contentType: 'application/merge-patch+json',
        body: { spec: { template: { metadata: { annotations: { [script]: '{}' } } } } },
      });
  }

  /** Stops all of it. */
  async stop(): Promise<void> {
    await this.kill();
    await this.receiver.stop();
    await this.#kubelet.stop();
    await this.#client.close();
    await this.#sandbox.stop();
  }
}

type Parts = {
  readonly receiver: FleetReceiver;
  readonly sandbox: Sandbox;
  readonly client: ApiClient;
  readonly kubelet: Kubelet;
  readonly start: () => Pod;
};

const script = 'sandbox.tocsin.dev/script';
const workloadsOf = (registry: string): readonly string[] => {
  const [name] = registry.split('.');
  return [`${name}-api`, `${name}-web`];
};

function deploymentOf(name: string, registry: string): object {
  const labels = { app: name };
  const annotations = { [script]: JSON.stringify({ pullError: 'RegistryUnreachable' }) };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'shop' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations },
        spec: { containers: [{ name: 'app', image: `${registry}/${name}:1` }] },
      },
    },
  };
}
