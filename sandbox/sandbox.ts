import { systemClock } from '../src/kube/system-clock.ts';
import type { Clock } from '../src/model/clock.ts';
import type { Tokens } from './access.ts';
import { createCluster, createFromManifest } from './cluster.ts';
import { startControllers } from './controllers.ts';
import { createFaults, type Fault } from './faults.ts';
import { type Fields, isFields, type KubeObject } from './object.ts';
import { serve } from './server.ts';

/** How a sandbox runs. Everything is optional. */
export type SandboxOptions = {
  /** Time of objects and controllers; default: the real one. Sockets, bookmarks and watch time-outs use real time. */
  readonly clock?: Clock;
  /** CustomResourceDefinition objects, parsed; they are established when `startSandbox` resolves. */
  readonly crds?: readonly object[];
  /** Changes kept for watches and list pages before older ones are compacted away; default 10,000. */
  readonly compactionAfter?: number;
  /** Milliseconds of real time between watch bookmarks; default 60,000. */
  readonly bookmarkEveryMs?: number;
  /** Whether Deployments, ReplicaSets, scheduling, node lifecycle and the others are simulated; default true. */
  readonly controllers?: boolean;
  /** Bearer token → user. When given, requests without a known token are refused with 401. */
  readonly tokens?: Readonly<Record<string, { readonly username: string; readonly groups?: readonly string[] }>>;
};

/** Straight access to what is stored, past HTTP and faults; for tests. Resources are named `pods`, `deployments.apps`. */
export type SandboxObjects = {
  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  list(resource: string, namespace?: string): readonly KubeObject[];
  /** Creates an object from its manifest, validated and defaulted like any other. */
  create(manifest: object): KubeObject;
};

/** A running sandbox: a small Kubernetes API on loopback. */
export type Sandbox = {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** A kubeconfig as an object; write it as JSON or YAML. */
  readonly kubeconfig: Fields;
  readonly objects: SandboxObjects;
  /** Adds a fault; the returned function ends it. */
  inject(fault: Fault): () => void;
  /** Forgets all history: watches from older versions and list pages get 410. */
  compact(): void;
  /** Cuts every open connection, watches included. */
  cutConnections(): void;
  /** Refuses connections until `comeBack`; state is kept. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  /** Nobody reconciles or schedules any more. */
  stopControllers(): void;
  stop(): Promise<void>;
};

/** Starts a sandbox on a free loopback port. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const cluster = createCluster(options.clock ?? systemClock, options.compactionAfter ?? 10_000);
  const { store, registry, writer } = cluster;
  const faults = createFaults();
  const tokens: Tokens = options.tokens;
  const stopControllers = options.controllers === false ? () => {} : startControllers(cluster);
  for (const crd of options.crds ?? []) if (isFields(crd)) createFromManifest(cluster, crd, 'sandbox');
  const allows = faults.allows;
  const bookmarkEveryMs = options.bookmarkEveryMs ?? 60_000;
  const server = await serve({ store, registry, writer, faults, tokens, allows, bookmarkEveryMs });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    kubeconfig: kubeconfigOf(url, Object.keys(tokens ?? {})[0]),
    objects: {
      get: store.get,
      list: store.list,
      create: (manifest) => createFromManifest(cluster, isFields(manifest) ? manifest : {}, 'sandbox'),
    },
    inject: faults.add,
    compact: store.compact,
    cutConnections: server.cutConnections,
    goDown: server.close,
    comeBack: server.listen,
    stopControllers,
    async stop() {
      stopControllers();
      await server.close();
    },
  };
}

function kubeconfigOf(url: string, token: string | undefined): Fields {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    // Clients refuse plain HTTP unless told not to verify.
    clusters: [{ name: 'sandbox', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'sandbox', user: token === undefined ? {} : { token } }],
    contexts: [{ name: 'sandbox', context: { cluster: 'sandbox', user: 'sandbox', namespace: 'default' } }],
    'current-context': 'sandbox',
  };
}
