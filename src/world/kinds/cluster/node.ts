import type { Labels } from '../../../model/subject.ts';
import { type Fields, fieldsOf, given, listOf, textOf, timeOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';

/** A taint; `since`: when it was put on (epoch milliseconds), where that is said. */
export type Taint = {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly since?: number;
};

/** core/v1 Node. */
export type NodeView = Meta & {
  readonly kind: 'Node';
  readonly unschedulable: boolean;
  readonly taints: readonly Taint[];
  readonly conditions: readonly Condition[];
  readonly zone?: string;
  /** The group of Nodes that it was made for, by the label of its provider. */
  readonly pool?: string;
  readonly controlPlane: boolean;
  readonly kubeletVersion: string;
  /** Its own addresses, those that are numbers. */
  readonly addresses?: readonly string[];
  /** What Pods may have of it, as quantities: `3920m`, `15Gi`. */
  readonly allocatable?: { readonly cpu?: string; readonly memory?: string; readonly pods?: string };
};

/** Label keys by which providers and provisioners mark the Nodes of a pool: `eks.amazonaws.com/nodegroup`, `karpenter.sh/nodepool`. */
const poolKey = /\/(?:[\w.-]*-)?(?:node-?pool|node-?group|agent-?pool|pool)(?:-id|-name)?$/i;

/** The pool of a Node, by the label of its provider; by the first in order where several mark it. */
export function poolOf(labels: Labels): string | undefined {
  let first: string | undefined;
  for (const key in labels) if (poolKey.test(key) && (first === undefined || key < first)) first = key;
  return first === undefined ? undefined : labels[first] || undefined;
}

function addressesOf({ addresses }: Fields): NodeView['addresses'] {
  const own = listOf(addresses).filter(({ type }) => type === 'InternalIP' || type === 'ExternalIP');
  return own.length === 0 ? undefined : own.flatMap(({ address }) => textOf(address) ?? []);
}

/** core/v1 Node. */
export const nodes: WatchedKind<NodeView> = watched({
  group: '',
  kind: 'Node',
  namespaced: false,
  managedFields: true,
  required: true,
  // Heartbeats are left out: they are not news.
  fields({ raw, spec, status, meta }) {
    const allocatable = status.allocatable === undefined ? undefined : fieldsOf(status.allocatable);
    return {
      unschedulable: spec.unschedulable === true,
      taints: listOf(spec.taints).map((taint) => ({
        key: textOf(taint.key) ?? '',
        effect: textOf(taint.effect) ?? '',
        ...given({ value: textOf(taint.value), since: timeOf(taint.timeAdded) }),
      })),
      conditions: conditionsOf(raw, meta.createdAt),
      controlPlane: 'node-role.kubernetes.io/control-plane' in meta.labels,
      kubeletVersion: textOf(fieldsOf(status.nodeInfo).kubeletVersion) ?? '',
      ...given({
        allocatable:
          allocatable &&
          given({
            cpu: textOf(allocatable.cpu),
            memory: textOf(allocatable.memory),
            pods: textOf(allocatable.pods),
          }),
        addresses: addressesOf(status),
        pool: poolOf(meta.labels),
        zone: meta.labels['topology.kubernetes.io/zone'] ?? meta.labels['failure-domain.beta.kubernetes.io/zone'],
      }),
    };
  },
  judgedBy: ['Pod', 'DaemonSet'],
  turning: ['Ready'],
  facets: ({ unschedulable }) => (unschedulable ? cordoned : none),
  fingerprintForDependents: ({ uid, unschedulable, taints, conditions, deletionAt }) => [
    uid,
    unschedulable,
    taints.map(({ key, effect }) => [key, effect]),
    conditions.map(({ type, status, since }) => [type, status, since]),
    deletionAt,
  ],
});

/** It takes no new Pods. */
const cordoned: readonly string[] = ['cordoned'];
const none: readonly string[] = [];
