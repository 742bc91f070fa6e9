import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { NodeOptions } from '../../sandbox/kubelet/node.ts';
import { type Kubelet, type KubeletOptions, startKubelet } from '../../sandbox/kubelet.ts';
import { answerOfOperator } from '../../src/cli/mcp/operator.ts';
import type { LicenseKeys } from '../../src/edition/keys.ts';
import type { ApiClient } from '../../src/kube/api-client.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { loadClusterConfig } from '../../src/kube/load-config.ts';
import { systemClock } from '../../src/kube/system-clock.ts';
import { redact } from '../../src/model/redact.ts';
import type { Effects } from '../../src/model/turn.ts';
import { type Runtime, startRuntime } from '../../src/runtime/runtime.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import type { Access } from '../controlplane/access.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/cluster.ts';
import type { ControlPlaneOptions } from '../controlplane/parts.ts';
import { isAllListed } from './listed.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** A real control plane with simulated nodes, our CRDs, a receiver, and what a test does with them. */
export type Stage = {
  readonly plane: ControlPlane;
  readonly client: ApiClient;
  readonly kubelet: Kubelet;
  readonly receiver: Receiver;
  /** A folder that is gone afterwards. */
  readonly folder: string;
  readonly kubectl: ControlPlane['kubectl'];
  apply(...objects: readonly object[]): Promise<void>;
  /** Starts the operator in this process. */
  startOperator(options?: {
    readonly record?: string;
    readonly licenseKeys?: LicenseKeys;
    readonly stateDirectory?: string;
    readonly observe?: (effects: Effects, now: number) => void;
    readonly rediscoverMs?: number;
    /** As whom it asks the API server; by default as its administrator. */
    readonly as?: Access;
  }): Promise<Operator>;
  /** Resolves when `check` does without throwing; rejects with its last error after `seconds`. */
  eventually<T>(seconds: number, check: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

/** The operator under test and its log lines. */
export type Operator = {
  readonly runtime: Runtime;
  readonly log: readonly string[];
  readonly url: string;
  stop(): Promise<void>;
};

/** Starts everything but the operator. The namespaces `tocsin` and `shop` exist and the CRDs are established. */
export async function startStage(options: {
  readonly nodes: readonly (string | NodeOptions)[];
  readonly speed?: number;
  readonly plane?: ControlPlaneOptions;
  /** More about the simulated machines: scripts, slow logs. */
  readonly kubelet?: Partial<Pick<KubeletOptions, 'script' | 'logsAnswerAfterMs' | 'onError'>>;
}): Promise<Stage> {
  const cleanup: (() => unknown)[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-e2e-'));
  cleanup.push(() => rmSync(folder, { recursive: true, force: true }));
  const plane = await startControlPlane(options.plane);
  cleanup.push(() => plane.stop());
  const connect = async (access: Access): Promise<ApiClient> => {
    const config = await loadClusterConfig({ kubeconfig: access.kubeconfigPath, env: {}, clock: systemClock });
    return createApiClient(config, { clock: systemClock, version: packageJson.version });
  };
  const client = await connect(plane.admin);
  cleanup.push(() => client.close());
  const kubelet = await startKubelet({
    api: client,
    nodes: options.nodes.map((node) => (typeof node === 'string' ? { name: node } : node)),
    speed: options.speed ?? 4,
    ...options.kubelet,
  });
  cleanup.push(() => kubelet.stop());
  const receiver = await startReceiver();
  cleanup.push(() => receiver.stop());

  const apply: Stage['apply'] = async (...objects) => {
    await plane.kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  };
  const crds = globSync('crds/*.yaml', { cwd: join(import.meta.dirname, '../..') }).sort();
  for (const file of crds)
    await plane.kubectl(['apply', '-f', '-'], readFileSync(join(import.meta.dirname, '../..', file), 'utf8'));
  await plane.kubectl(['wait', '--for=condition=Established', '--timeout=30s', 'crd', '--all']);
  const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await apply(namespace('tocsin'), namespace('shop'));

  return {
    plane,
    client,
    kubelet,
    receiver,
    folder,
    kubectl: (args, input) => plane.kubectl(args, input),
    apply,
    async startOperator({ as = plane.admin, ...operatorOptions } = {}) {
      const lines: string[] = [];
      const own = await connect(as);
      const runtime = await startRuntime({
        client: own,
        namespace: 'tocsin',
        identity: `test-${crypto.randomUUID()}`,
        version: packageJson.version,
        listen: { host: '127.0.0.1', port: 0 },
        clock: systemClock,
        random: Math.random,
        licenseKeys: new Map(),
        log: createLogger({ redact, level: 'info', stream: { write: (line) => lines.push(line) } }),
        metrics: createMetrics({ process: false }),
        agents: answerOfOperator,
        ...operatorOptions,
      });
      let stopped = false;
      const stop = async (): Promise<void> => {
        if (stopped) return;
        stopped = true;
        await runtime.stop();
        await own.close();
      };
      cleanup.push(stop);
      return { runtime, log: lines, url: `http://127.0.0.1:${runtime.port}`, stop };
    },
    async eventually(seconds, check) {
      const deadline = Date.now() + seconds * 1000;
      for (;;) {
        try {
          return await check();
        } catch (error) {
          if (Date.now() > deadline) throw error;
          await new Promise((resolve) => setTimeout(resolve, 250));
        }
      }
    },
    async stop() {
      for (const undo of cleanup.reverse()) await undo();
    },
  };
}

/** Rows of coverage that ought to be watched and are not: what this server does not serve, or nobody allowed, cannot be. */
export function unwatched<Row extends { readonly state: string }>(resources: readonly Row[]): Row[] {
  return resources.filter(({ state }) => !['Watching', 'NotServed', 'Disabled'].includes(state));
}

/** A Deployment whose Pods play a script. */
export function deployment(
  name: string,
  options: { readonly replicas: number; readonly image?: string; readonly script?: object; readonly secret?: string },
): object {
  const labels = { app: name };
  const annotations = options.script ? { 'sandbox.tocsin.dev/script': JSON.stringify(options.script) } : {};
  const env = options.secret
    ? [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: options.secret, key: 'token' } } }]
    : [];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas: options.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations },
        spec: { containers: [{ name: 'app', image: options.image ?? 'registry.example/app:1.0', env }] },
      },
    },
  };
}

/** The webhook provider with its Secret, and settings that fit a test: what is well counts as well after 10 s. */
export function configuration(receiverUrl: string): readonly object[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'oncall', namespace: 'tocsin' },
      stringData: { url: receiverUrl },
    },
    {
      apiVersion: 'tocsin.dev/v1alpha1',
      kind: 'AlertConfig',
      metadata: { name: 'default', namespace: 'tocsin' },
      spec: { app: { clusterName: 'test' }, incidents: { holdSeconds: 10 } },
    },
    {
      apiVersion: 'tocsin.dev/v1alpha1',
      kind: 'AlertProvider',
      metadata: { name: 'oncall', namespace: 'tocsin' },
      spec: { type: 'webhook', webhook: { url: { secretKeyRef: { name: 'oncall', key: 'url' } } } },
    },
  ];
}

/** Resolves when `/readyz` of an operator answers 200 and everything has been listed. */
export async function ready(stage: Stage, operator: { readonly url: string }, seconds = 30): Promise<void> {
  await stage.eventually(seconds, async () => {
    const answer = await fetch(`${operator.url}/readyz`);
    if (answer.status !== 200) throw new Error(await answer.text());
    const health = await (await fetch(`${operator.url}/health`)).text();
    if (!isAllListed(health)) throw new Error('not everything has been listed');
  });
}
