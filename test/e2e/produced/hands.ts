import type { NodeOptions } from '../../../sandbox/kubelet/node.ts';
import type { Kubelet, SimulatedNode } from '../../../sandbox/kubelet.ts';
import { type ApiClient, ApiError } from '../../../src/kube/api-client.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import type { ControlPlane } from '../../controlplane/cluster.ts';
import { pathOfKind, type ServedKinds } from './served-kinds.ts';
import { valueAt } from './value-at.ts';

/** A manifest: `metadata.namespace` may be left out, and is the case's. */
export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
};

/** What a case works with, in a namespace of its own. */
export type Hands = {
  readonly ns: string;
  readonly api: ApiClient;
  readonly kubelet: Kubelet;
  readonly kubectl: ControlPlane['kubectl'];
  /** Creates or changes objects as `kubectl apply --server-side` does; a refusal rejects. */
  apply(...objects: readonly Manifest[]): Promise<void>;
  /** One object of the namespace (or without one); `undefined` when it is not there. */
  get(kind: string, name: string): Promise<RawObject | undefined>;
  /** All objects of a kind in the namespace, or of the whole cluster where it has none. */
  list(kind: string): Promise<readonly RawObject[]>;
  /** What stands at a path (`valueAt`) in one object; `undefined`: nothing, or no object. */
  read(kind: string, name: string, path: string): Promise<unknown>;
  /** Whether some object of a kind in the namespace has this value at a path; a pattern for texts. */
  some(kind: string, path: string, value: unknown): Promise<boolean>;
  /** A merge patch; `subresource: 'status'` writes as the controller of that kind would. */
  patch(kind: string, name: string, body: object, subresource?: 'status' | 'scale'): Promise<void>;
  /** Deletes in the background. */
  remove(kind: string, name: string): Promise<void>;
  /**
   * A Node for this case alone, `<namespace>-<suffix>`: its taint keeps all other Pods away, `onOwnNodes` lets Pods on. It goes
   * when the case has settled.
   */
  addNode(suffix: string, options?: Omit<NodeOptions, 'name'>): Promise<SimulatedNode>;
  /** The part of a Pod's spec that binds it to the Nodes of this case. */
  readonly onOwnNodes: object;
  /** Resolves when `check` is true; rejects after `seconds` (default 60), naming `what`. */
  until(what: string, check: () => Promise<boolean>, seconds?: number): Promise<void>;
  /** Done when the case has settled and been recorded: takes away what would hurt others. */
  afterwards(undo: () => Promise<unknown>): void;
};

/** What the hands of all cases share. */
export type Shared = Pick<Hands, 'api' | 'kubelet' | 'kubectl'> & { readonly kinds: ServedKinds };

const ownNode = 'produced.tocsin.dev/case';

/** The hands of one case, and how to tidy up after it. */
export function handsOf({ kinds, ...shared }: Shared, ns: string): { hands: Hands; tidy: () => Promise<void> } {
  const { api } = shared;
  const undo: (() => Promise<unknown>)[] = [];
  const path = async (kind: string, name?: string): Promise<string> => pathOfKind(await kinds.find(kind), ns, name);
  const hands: Hands = {
    ...shared,
    ns,
    async apply(...objects) {
      for (const object of objects) await applyOne(api, kinds, ns, object);
    },
    async get(kind, name) {
      try {
        return await api.json<RawObject>({ path: await path(kind, name) });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      }
    },
    list: async (kind) => (await api.json<{ items: RawObject[] }>({ path: await path(kind) })).items,
    read: async (kind, name, at) => valueAt(await hands.get(kind, name), at),
    async some(kind, at, value) {
      const found = (await hands.list(kind)).map((object) => valueAt(object, at));
      return found.some((each) => (value instanceof RegExp ? value.test(String(each ?? '')) : each === value));
    },
    async patch(kind, name, body, subresource) {
      const whole = `${await path(kind, name)}${subresource === undefined ? '' : `/${subresource}`}`;
      await api.json({ method: 'PATCH', path: whole, body, contentType: 'application/merge-patch+json' });
    },
    async remove(kind, name) {
      await api.json({ method: 'DELETE', path: await path(kind, name), body: { propagationPolicy: 'Background' } });
    },
    async addNode(suffix, options = {}) {
      const name = `${ns}-${suffix}`;
      const taints = [...(options.taints ?? []), { key: ownNode, value: ns, effect: 'NoSchedule' }];
      const labels = { ...options.labels, [ownNode]: ns };
      const node = await shared.kubelet.addNode({ ...options, name, taints, labels });
      undo.push(async () => {
        node.stop();
        await api.json({ method: 'DELETE', path: `/api/v1/nodes/${name}` });
      });
      return node;
    },
    onOwnNodes: {
      nodeSelector: { [ownNode]: ns },
      tolerations: [{ key: ownNode, operator: 'Exists', effect: 'NoSchedule' }],
    },
    async until(what, check, seconds = 60) {
      for (const deadline = Date.now() + seconds * 1000; !(await check()); ) {
        if (Date.now() > deadline) throw new Error(`after ${seconds} s still not: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    },
    afterwards: (action) => void undo.push(action),
  };
  const tidy = async (): Promise<void> => {
    for (const action of undo.reverse())
      await action().catch((error: unknown) => console.error(`tidying up ${ns}:`, error));
  };
  return { hands, tidy };
}

async function applyOne(api: ApiClient, kinds: ServedKinds, ns: string, object: Manifest): Promise<void> {
  const row = await kinds.find(object.kind, object.apiVersion);
  const { namespace = ns, name } = object.metadata;
  const metadata = { ...object.metadata, ...(row.namespaced && { namespace }) };
  await api.json({
    method: 'PATCH',
    path: pathOfKind(row, namespace, name),
    query: { fieldManager: 'kubectl', force: true },
    body: { ...object, metadata },
    contentType: 'application/apply-patch+yaml',
  });
}
