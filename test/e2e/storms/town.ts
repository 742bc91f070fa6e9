import type { NodeOptions } from '../../../sandbox/kubelet/node.ts';
import type { PodScript } from '../../../sandbox/kubelet/pod-script.ts';
import type { Pod } from '../../../sandbox/shapes.ts';
import { ApiError } from '../../../src/kube/api-client.ts';
import { type Stage, startStage } from '../stage.ts';

/** What befalls Pods: nothing, or a script for those it concerns. */
type Weather = { readonly concerns: (pod: Pod) => boolean; readonly script: PodScript };

/** A cluster of many machines and many clients of one database. */
export type Town = {
  readonly stage: Stage;
  /** How many Pods the clients have together. */
  readonly pods: number;
  readonly clients: readonly string[];
  /** From now on these Pods do as the script says, what runs of them too. */
  befall(concerns: (pod: Pod) => boolean, script: PodScript): void;
  /** The same, for what is started from now on. */
  expect(concerns: (pod: Pod) => boolean, script: PodScript): void;
  /** Everything does again what it should. */
  calm(): void;
  /**
   * Deletes the Pods that still wait for their next attempt and those that have crashed, as whoever is on call would: a crash loop of
   * what stays counts as over only after ten minutes. Resolves to how many there were.
   */
  nudge(): Promise<number>;
  /** Deletes the Pods of clients that match labels, all at once; their controllers make them anew. */
  recreate(labels: string): Promise<void>;
  /** Machines with a label. */
  machines(label: string, value: string): readonly string[];
  /** Pods of clients that are ready. */
  ready(): Promise<number>;
};

/** The names that the storms are about. */
export const names = {
  registry: 'registry.acme.example',
  group: 'spot',
  groupLabel: 'eks.amazonaws.com/nodegroup',
  zoneLabel: 'topology.kubernetes.io/zone',
  zone: 'eu-west-1b',
  secret: 'db-credentials',
} as const;

const zones = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'] as const;
const clientCount = 50;

/** 60 machines: 20 in each zone, and a third of them, over all zones, in the group that may be lost. */
export function machinesOf(): readonly (NodeOptions & { readonly labels: Readonly<Record<string, string>> })[] {
  return Array.from({ length: 60 }, (_, index) => ({
    name: `m${String(index + 1).padStart(2, '0')}`,
    labels: {
      [names.zoneLabel]: zones[index % 3] ?? zones[0],
      [names.groupLabel]: index % 9 < 3 ? names.group : 'standard',
    },
    // Nobody is to wait for room.
    ...{ cpu: '64', memory: '256Gi', pods: 400 },
  }));
}

const isOf = (app: string) => (pod: Pod) => pod.metadata.labels?.app === app;

/** Whether a Pod is one of the clients. */
export const isClient = (pod: Pod): boolean => pod.metadata.labels?.role === 'client';
/** Whether a Pod is the database's. */
export const isDatabase = isOf('postgres');
/** Whether a Pod is one of the cluster's DNS. */
export const isDns = isOf('coredns');

function workload(
  kind: 'Deployment' | 'StatefulSet',
  place: string,
  replicas: number,
  pod: object,
  labels: object = {},
): object {
  const [namespace, name = ''] = place.split('/');
  const all = { app: name, ...labels };
  return {
    ...{ apiVersion: 'apps/v1', kind, metadata: { name, namespace } },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      ...(kind === 'StatefulSet' ? { serviceName: name } : { strategy: { type: 'Recreate' } }),
      template: { metadata: { labels: all }, spec: { terminationGracePeriodSeconds: 1, ...pod } },
    },
  };
}

const readinessProbe = { httpGet: { path: '/ready', port: 8080 } };

/** A workload of so many Pods, none of which waits for the others when it is changed. */
export function many(place: string, replicas: number, image: string): object {
  return workload('Deployment', place, replicas, { containers: [{ name: 'app', image, readinessProbe }] });
}

function clientOf(name: string, index: number, replicas: number): object {
  const where = index % 2 === 0 ? { [names.groupLabel]: names.group } : { [names.zoneLabel]: names.zone };
  const env = [
    { name: 'DATABASE_HOST', value: 'postgres.data.svc.cluster.local' },
    { name: 'DATABASE_PORT', value: '5432' },
    { name: 'DATABASE_PASSWORD', valueFrom: { secretKeyRef: { name: names.secret, key: 'password' } } },
  ];
  const image = `${names.registry}/${name}:1`;
  const container = { name: 'app', image, imagePullPolicy: 'Always', env, readinessProbe };
  return workload(
    'Deployment',
    `shop/${name}`,
    replicas,
    { nodeSelector: where, containers: [container] },
    { role: 'client' },
  );
}

/** A Service for the Pods of the workload of its name. */
export function service(place: string, port: number, app?: string, labels: object = {}): object {
  const [namespace, name = ''] = place.split('/');
  return {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace, labels } },
    spec: { selector: { app: app ?? name }, ports: [{ name: 'main', port, targetPort: port }] },
  };
}

/** The Secret that every client reads. */
export function credentials(password: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: names.secret, namespace: 'shop' },
    stringData: { password },
  };
}

async function podsOf(stage: Stage, labelSelector: string): Promise<readonly Pod[]> {
  // An API server that is busy with a thousand Pods may take longer to answer than is waited for.
  const list = (): Promise<{ items: Pod[] }> => stage.client.json({ path: '/api/v1/pods', query: { labelSelector } });
  return (await stage.eventually(120, list)).items;
}

/** Whether a Pod crashed, or waits before its next attempt. */
const isShaken = ({ status }: Pod): boolean =>
  status.containerStatuses?.some(
    ({ state, restartCount }) => restartCount > 0 || state.waiting?.reason?.endsWith('BackOff'),
  ) === true;

/** Deletes Pods, twenty at a time: the API server deletes a collection one after the other. */
async function deleteAll(stage: Stage, pods: readonly Pod[]): Promise<void> {
  const queue = pods.map(({ metadata: { namespace, name } }) => `/api/v1/namespaces/${namespace}/pods/${name}`);
  const work = async (): Promise<void> => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop())
      await stage.client.json({ method: 'DELETE', path, body: {} }).catch((error: unknown) => {
        // It went by itself meanwhile, or the answer was late: the request was made.
        if (!(error instanceof ApiError && (error.status === 404 || error.status === 0))) throw error;
      });
  };
  await Promise.all(Array.from({ length: 20 }, work));
}

/** Builds the town; resolves when its machines are there and everything has been applied. */
export async function build(pods: number): Promise<Town> {
  let weather: readonly Weather[] = [];
  const script = (pod: Pod): PodScript => weather.find(({ concerns }) => concerns(pod))?.script ?? {};
  const qps = ['--kube-api-qps=500', '--kube-api-burst=1000'];
  const syncs = [
    '--concurrent-deployment-syncs=20',
    '--concurrent-replicaset-syncs=40',
    '--concurrent-endpoint-syncs=20',
  ];
  const stage = await startStage({
    nodes: machinesOf(),
    speed: 2,
    plane: {
      flags: {
        'kube-apiserver': ['--max-requests-inflight=2000', '--max-mutating-requests-inflight=1000'],
        'kube-controller-manager': [...qps, ...syncs, '--node-eviction-rate=100'],
      },
    },
    kubelet: { script, logsAnswerAfterMs: 200 },
  });
  const clients = Array.from({ length: clientCount }, (_, index) => `client-${String(index + 1).padStart(2, '0')}`);
  const replicas = Math.max(1, Math.floor(pods / clientCount));
  await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'data' } }, credentials('first'));
  await stage.apply(
    workload('StatefulSet', 'data/postgres', 1, {
      containers: [{ name: 'postgres', image: 'docker.io/library/postgres:16', readinessProbe }],
    }),
    service('data/postgres', 5432),
    workload('Deployment', 'kube-system/coredns', 2, {
      containers: [{ name: 'coredns', image: 'registry.k8s.example/coredns:1.12', readinessProbe }],
    }),
    // Its label is how everybody knows it (kubeadm's manifest of CoreDNS).
    service('kube-system/kube-dns', 53, 'coredns', { 'k8s-app': 'kube-dns' }),
    ...clients.map((name, index) => clientOf(name, index, replicas)),
  );
  const reread = (concerns: (pod: Pod) => boolean): void => stage.kubelet.reread(concerns);
  return {
    stage,
    pods: replicas * clientCount,
    clients,
    befall(concerns, next) {
      weather = [{ concerns, script: next }, ...weather];
      reread(concerns);
    },
    expect(concerns, next) {
      weather = [{ concerns, script: next }, ...weather];
    },
    calm() {
      const before = weather;
      weather = [];
      reread((pod) => before.some(({ concerns }) => concerns(pod)));
    },
    async nudge() {
      const shaken = (await podsOf(stage, '')).filter(isShaken);
      await deleteAll(stage, shaken);
      return shaken.length;
    },
    recreate: async (labels) => deleteAll(stage, await podsOf(stage, labels)),
    machines: (label, value) =>
      machinesOf()
        .filter(({ labels }) => labels[label] === value)
        .map(({ name }) => name),
    async ready() {
      const { items } = await stage.client.json<{
        items: { metadata: { name: string }; status?: { readyReplicas?: number } }[];
      }>({
        path: '/apis/apps/v1/namespaces/shop/deployments',
      });
      return items
        .filter(({ metadata }) => clients.includes(metadata.name))
        .reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0);
    },
  };
}
