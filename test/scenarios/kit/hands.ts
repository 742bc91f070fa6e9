import { type ApiClient, ApiError } from '../../../src/kube/api-client.ts';
import type { Clock } from '../../../src/model/clock.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import type { ContainerScript } from '../../../src/sandbox/kubelet/pod-script.ts';
import type { Kubelet } from '../../../src/sandbox/kubelet.ts';
import type { Pod } from '../../../src/sandbox/shapes.ts';

/** What a container of an image does; a function where it depends on the Pod. */
export type Behaviour = ContainerScript | ((pod: Pod) => ContainerScript);

/** What a story works with while it is played: a cluster and its machines. */
export type Hands = {
  readonly api: ApiClient;
  readonly kubelet: Kubelet;
  readonly clock: Clock;
  /** Lets the cluster's time go on. */
  pass(milliseconds: number): Promise<void>;
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
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
    await hands.api.json({ method: 'POST', path: `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, body });
  }
}

async function podsOn(hands: Hands, node: string): Promise<readonly Pod[]> {
  return (await allPods(hands)).filter((pod) => pod.spec.nodeName === node);
}

/** Every Pod of the cluster. */
export async function allPods(hands: Pick<Hands, 'api'>): Promise<readonly Pod[]> {
  return (await hands.api.json<{ items: Pod[] }>({ path: '/api/v1/pods' })).items;
}
