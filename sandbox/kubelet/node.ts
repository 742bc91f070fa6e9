import { type ApiClient, ApiError } from '../../src/kube/api-client.ts';
import { sleep } from '../../src/kube/sleep.ts';
import type { Clock } from '../../src/model/clock.ts';
import { type KubeObject, microTimestamp, timestamp } from '../object.ts';

/** One simulated Node as it is registered. */
export type NodeOptions = {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** Pods it takes, default 110. */
  readonly pods?: number;
  /** Quantities, default 4 CPUs and 8 GiB. */
  readonly cpu?: string;
  readonly memory?: string;
};

/** What a kubelet says of its Node, besides whether it is Ready. */
export type Pressure = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

/** What keeps a Node alive in the API's eyes. */
export type Heart = {
  stop(): void;
  /** The kubelet posts its status with these pressures, and no others, from now on. */
  press(pressures: readonly Pressure[]): Promise<void>;
};

const leaseSeconds = 40;
/** The kubelet renews its Lease every quarter of its duration. */
const renewEveryMs = 10_000;
/** It compares its status with the API's this often, and posts it when they differ or after five minutes. */
const compareEveryMs = 10_000;
const statusEveryMs = 300_000;

const conditionRows = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

/** What the kubelet says under pressure (pkg/kubelet/nodestatus/setters.go). */
const pressed: Readonly<Record<Pressure, readonly [reason: string, message: string]>> = {
  MemoryPressure: ['KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'],
  DiskPressure: ['KubeletHasDiskPressure', 'kubelet has disk pressure'],
  PIDPressure: ['KubeletHasInsufficientPID', 'kubelet has insufficient PID available'],
};

/** Since when each pressure is there, or no longer (epoch milliseconds). */
type Pressures = ReadonlyMap<string, { readonly is: boolean; readonly since: number }>;

function statusOf(node: NodeOptions, port: number, since: number, now: number, pressures: Pressures): object {
  const capacity = {
    ...{ cpu: node.cpu ?? '4', memory: node.memory ?? '8Gi', pods: String(node.pods ?? 110) },
    'ephemeral-storage': '100Gi',
  };
  return {
    capacity,
    allocatable: capacity,
    conditions: conditionRows.map(([type, status, reason, message]) => {
      const pressure = pressures.get(type);
      const isPressed = pressure?.is === true && type !== 'Ready';
      const [ownReason, ownMessage] = isPressed ? pressed[type] : [reason, message];
      return {
        type,
        status: isPressed ? 'True' : status,
        reason: ownReason,
        message: ownMessage,
        lastHeartbeatTime: timestamp(now),
        lastTransitionTime: timestamp(Math.max(since, pressure?.since ?? 0)),
      };
    }),
    addresses: [
      { type: 'InternalIP', address: '127.0.0.1' },
      { type: 'Hostname', address: node.name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    nodeInfo: {
      machineID: '',
      systemUUID: '',
      bootID: '',
      kernelVersion: '6.12.0',
      osImage: 'Simulated Linux',
      containerRuntimeVersion: 'containerd://2.1.4',
      kubeletVersion: 'v1.36.3',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}

/** Asks, or treats the answer of an object that is already there as success. */
async function ensure(api: ApiClient, path: string, body: object): Promise<void> {
  try {
    await api.json({ method: 'POST', path, body });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}

/** Registers a Node, posts its status and renews its Lease until stopped. Resolves when it has first been Ready. */
export async function startHeart(
  parts: { readonly api: ApiClient; readonly clock: Clock; readonly onError: (error: unknown) => void },
  node: NodeOptions,
  port: number,
): Promise<Heart> {
  const { api, clock, onError } = parts;
  const { name } = node;
  const life = new AbortController();
  const hostname = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
  const labels = { ...hostname, ...node.labels };
  const spec = node.taints ? { taints: node.taints } : {};
  await ensure(api, '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec });
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
  const registered = await api.json<KubeObject>({ path: `/api/v1/nodes/${name}` });
  const owner = { apiVersion: 'v1', kind: 'Node', name, uid: registered.metadata.uid };
  const leaseSpec = (): object => ({
    holderIdentity: name,
    leaseDurationSeconds: leaseSeconds,
    renewTime: microTimestamp(clock.now()),
  });
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
  await ensure(api, leases, { ...lease, metadata: { name, ownerReferences: [owner] }, spec: leaseSpec() });
  const patch = (path: string, body: object, contentType: string): Promise<unknown> =>
    api.json({ method: 'PATCH', path, body, contentType });
  let readySince = clock.now();
  let postedAt = 0;
  const pressures = new Map<string, { readonly is: boolean; readonly since: number }>();
  const postStatus = async (): Promise<void> => {
    postedAt = clock.now();
    const body = { status: statusOf(node, port, readySince, postedAt, pressures) };
    await patch(`/api/v1/nodes/${name}/status`, body, 'application/strategic-merge-patch+json');
  };
  /** The node controller writes Unknown over the conditions of a Node it lost; the kubelet puts that right by itself. */
  const compareStatus = async (): Promise<void> => {
    const { status } = await api.json<{ status?: { conditions?: { type: string; status: string }[] } }>({
      path: `/api/v1/nodes/${name}`,
    });
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
    if (!ready) readySince = clock.now();
    if (!ready || clock.now() - postedAt >= statusEveryMs) await postStatus();
  };
  const renew = (): Promise<unknown> =>
    patch(`${leases}/${name}`, { spec: leaseSpec() }, 'application/merge-patch+json');
  const repeat = async (everyMs: number, action: () => Promise<unknown>): Promise<void> => {
    while (!life.signal.aborted) {
      await sleep(clock, everyMs, life.signal);
      await action().catch(onError);
    }
  };
  await renew();
  await postStatus();
  // Both loops end by the signal only.
  for (const loop of [repeat(renewEveryMs, renew), repeat(compareEveryMs, compareStatus)]) loop.catch(() => undefined);
  return {
    stop: () => life.abort(new Error('the node was stopped')),
    async press(wanted) {
      for (const type of Object.keys(pressed) as Pressure[])
        if ((pressures.get(type)?.is ?? false) !== wanted.includes(type))
          pressures.set(type, { is: wanted.includes(type), since: clock.now() });
      await postStatus();
    },
  };
}
