import type { PodScript } from '../../../sandbox/kubelet/pod-script.ts';
import type { Kubelet, SimulatedNode } from '../../../sandbox/kubelet.ts';
import type { Pod } from '../../../sandbox/shapes.ts';
import { type ApiClient, ApiError } from '../../../src/kube/api-client.ts';
import type { Clock } from '../../../src/model/clock.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import type { Manifest } from './manifests.ts';

/** What a container of an image does, and what becomes of its Pod; a function where it depends on the Pod. */
export type Behaviour = ImageScript | ((pod: Pod) => ImageScript);

/** What the containers of an image do, wherever they run. */
export type ImageScript = Omit<PodScript, 'containers'>;

/** What a story works with while it is played: a cluster and its machines. */
export type Hands = {
  readonly api: ApiClient;
  readonly kubelet: Kubelet;
  readonly clock: Clock;
  /** Lets the cluster's time go on. */
  pass(milliseconds: number): Promise<void>;
  /** Controllers and scheduler are gone. */
  stopControllers(): Promise<void>;
  /** The API server is gone, and back after so many milliseconds; rejects where there is no process of its own. */
  restartApiServer(takesMs: number): Promise<void>;
  /** Tocsin stops here, and starts again after so many seconds. */
  restartTocsin(afterSeconds: number): Promise<void>;
};

/** Creates an object as `kubectl apply` would; its namespace too, when it is new. */
export async function create(hands: Hands, path: string, object: RawObject): Promise<void> {
  const { namespace } = object.metadata;
  if (namespace) await ensureNamespace(hands, namespace);
  const query = { fieldManager: 'kubectl-client-side-apply' };
  for (let left = 50; ; left -= 1)
    try {
      await hands.api.json({ method: 'POST', path, query, body: object });
      return;
    } catch (error) {
      // A new namespace refuses Pods until its service account is made.
      if (left === 0 || !(error instanceof ApiError && error.status === 403)) throw error;
      await hands.pass(200);
    }
}

async function ensureNamespace(hands: Hands, name: string): Promise<void> {
  try {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await hands.api.json({ method: 'POST', path: '/api/v1/namespaces', body });
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return;
    throw error;
  }
}

/** Where the objects of a manifest's kind are, in its namespace. */
export async function pathOf(hands: Hands, { apiVersion, kind, metadata }: Manifest): Promise<string> {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  for (let left = 50; ; left -= 1) {
    const found = await servedAt(hands.api, root, kind);
    if (found)
      return `${root}${found.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : ''}/${found.name}`;
    if (left === 0) throw new Error(`the API server does not serve ${kind} in ${apiVersion}`);
    // A new definition takes a moment.
    await hands.pass(200);
  }
}

type ServedResource = { readonly name: string; readonly kind: string; readonly namespaced: boolean };

async function servedAt(api: ApiClient, path: string, kind: string): Promise<ServedResource | undefined> {
  try {
    const { resources } = await api.json<{ resources: readonly ServedResource[] }>({ path });
    return resources.find((each) => each.kind === kind && !each.name.includes('/'));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** A merge patch, of kinds that know no other, too. */
export async function write(hands: Hands, path: string, body: object, manager: string): Promise<void> {
  const contentType = 'application/merge-patch+json';
  await hands.api.json({ method: 'PATCH', path, body, contentType, query: { fieldManager: manager } });
}

/** A machine goes down and comes back by itself; its kubelet says so (pkg/kubelet/nodestatus/setters.go). */
export async function restart({ clock }: Hands, node: SimulatedNode, takesMs: number): Promise<void> {
  node.stop();
  clock.after(takesMs, () => {
    const said = `Node ${node.name} has been rebooted, boot id: 4b0c5d0e-2f7e-4c56-9a53-5d1f7f0b6f11`;
    void node.start().then(() => node.tell('Warning', 'Rebooted', said));
  });
}

/** Changes an object; `manager` is who the API's records say it was (`kubectl-set`, `kubectl-edit`). */
export async function patch(hands: Hands, path: string, body: object, manager: string): Promise<void> {
  const contentType = 'application/strategic-merge-patch+json';
  await hands.api.json({ method: 'PATCH', path, body, contentType, query: { fieldManager: manager } });
}

/** Deletes an object with what it owns, in the background as kubectl does. */
export async function remove(hands: Hands, path: string): Promise<void> {
  await hands.api.json({ method: 'DELETE', path, body: { propagationPolicy: 'Background' } });
}

/** Cordons a node and evicts its Pods, those of DaemonSets left out, as `kubectl drain` does. */
export async function drain(hands: Hands, node: string): Promise<void> {
  await patch(hands, `/api/v1/nodes/${node}`, { spec: { unschedulable: true } }, 'kubectl-drain');
  for (const pod of await podsOn(hands, node)) {
    const { name, namespace, ownerReferences = [] } = pod.metadata;
    if (ownerReferences.some(({ kind }) => kind === 'DaemonSet')) continue;
    await evict(hands, namespace ?? '', name);
  }
}

/** `kubectl drain` asks again every 5 s while a budget refuses. */
const evictAgainMs = 5_000;

async function evict(hands: Hands, namespace: string, name: string): Promise<void> {
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
  try {
    await hands.api.json({ method: 'POST', path: `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, body });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) return;
    if (error.status !== 429) throw error;
    // The story goes on meanwhile; what it asks for after its end is refused.
    hands.clock.after(evictAgainMs, () => void evict(hands, namespace, name).catch(() => undefined));
  }
}

async function podsOn(hands: Hands, node: string): Promise<readonly Pod[]> {
  return (await allPods(hands)).filter((pod) => pod.spec.nodeName === node);
}

/** Every Pod of the cluster. */
export async function allPods(hands: Pick<Hands, 'api'>): Promise<readonly Pod[]> {
  return (await hands.api.json<{ items: Pod[] }>({ path: '/api/v1/pods' })).items;
}

/** Asks for the eviction of every Pod with a label `app` once, as a descheduler does: what a budget refuses stays. */
export async function evictOnce(hands: Hands, namespace: string, app: string): Promise<void> {
  for (const { metadata } of await allPods(hands)) {
    if (metadata.namespace !== namespace || metadata.labels?.app !== app) continue;
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name, namespace } };
    const path = `/api/v1/namespaces/${namespace}/pods/${metadata.name}/eviction`;
    try {
      await hands.api.json({ method: 'POST', path, body });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 429)) throw error;
    }
  }
}

/** One condition of a Node, the others stay. */
export async function writeCondition(
  hands: Hands,
  node: string,
  [type, status, reason, message]: readonly [type: string, status: 'True' | 'False', reason: string, message: string],
): Promise<void> {
  const now = new Date(hands.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const condition = { type, status, reason, message, lastTransitionTime: now, lastHeartbeatTime: now };
  await patch(hands, `/api/v1/nodes/${node}/status`, { status: { conditions: [condition] } }, 'node-problem-detector');
}
