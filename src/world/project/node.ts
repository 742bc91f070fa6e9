import { type Fields, fieldsOf, given, listOf, textOf } from '../fields.ts';
import type { NodeView } from '../projection.ts';
import { conditionsOf, metaOf } from './meta.ts';

/** core/v1 Node. Heartbeats are left out: they are not news. */
export function projectNode(raw: Fields): NodeView {
  const meta = metaOf('Node', raw);
  const spec = fieldsOf(raw.spec);
  const nodeInfo = fieldsOf(fieldsOf(raw.status).nodeInfo);
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
    kubeletVersion: textOf(nodeInfo.kubeletVersion) ?? '',
    ...given({
      zone: meta.labels['topology.kubernetes.io/zone'] ?? meta.labels['failure-domain.beta.kubernetes.io/zone'],
    }),
  };
}
