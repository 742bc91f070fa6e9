import { type Fields, fieldsOf, given, listOf, textOf } from '../fields.ts';
import type { WatchedKind } from '../kind.ts';
import { type Condition, conditionsOf, type Meta, metaOf } from '../meta.ts';

/** core/v1 Node. */
export type NodeView = Meta & {
  readonly kind: 'Node';
  readonly unschedulable: boolean;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly conditions: readonly Condition[];
  readonly zone?: string;
  readonly controlPlane: boolean;
  readonly kubeletVersion: string;
  /** What Pods may have of it, as quantities: `3920m`, `15Gi`. */
  readonly allocatable?: { readonly cpu?: string; readonly memory?: string };
};

/** Heartbeats are left out: they are not news. */
function project(raw: Fields): NodeView {
  const meta = metaOf('Node', raw);
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  const allocatable = status.allocatable === undefined ? undefined : fieldsOf(status.allocatable);
  return {
    ...meta,
    kind: 'Node',
    unschedulable: spec.unschedulable === true,
    taints: listOf(spec.taints).map((taint) => ({
      key: textOf(taint.key) ?? '',
      effect: textOf(taint.effect) ?? '',
      ...given({ value: textOf(taint.value) }),
    })),
    conditions: conditionsOf(raw, meta.createdAt),
    controlPlane: 'node-role.kubernetes.io/control-plane' in meta.labels,
    kubeletVersion: textOf(fieldsOf(status.nodeInfo).kubeletVersion) ?? '',
    ...given({
      allocatable: allocatable && given({ cpu: textOf(allocatable.cpu), memory: textOf(allocatable.memory) }),
      zone: meta.labels['topology.kubernetes.io/zone'] ?? meta.labels['failure-domain.beta.kubernetes.io/zone'],
    }),
  };
}

/** core/v1 Node. */
export const nodes: WatchedKind<NodeView> = {
  group: '',
  versions: ['v1'],
  plural: 'nodes',
  kind: 'Node',
  namespaced: false,
  required: true,
  project,
  judgedBy: ['Pod', 'DaemonSet'],
  fingerprintForDependents: ({ uid, unschedulable, taints, conditions, deletionAt }) => [
    uid,
    unschedulable,
    taints.map(({ key, effect }) => [key, effect]),
    conditions.map(({ type, status, since }) => [type, status, since]),
    deletionAt,
  ],
};
