/** Which Pods may be on which Nodes: what the scheduler, the DaemonSet controller and eviction share. */
import { fieldAt } from '../object.ts';
import type { Node, PodSpec, Taint, Toleration } from '../shapes.ts';

/** Whether a toleration covers a taint (core/v1 helpers). */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  return toleration.operator === 'Exists' || (toleration.value ?? '') === (taint.value ?? '');
}

/** The first taint with one of these effects that a Pod does not tolerate. */
export function untolerated(spec: PodSpec, node: Node, effects: readonly string[]): Taint | undefined {
  return (node.spec?.taints ?? []).find(
    (taint) =>
      effects.includes(taint.effect) && !(spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint)),
  );
}

/** Whether `nodeSelector` and the node name of a DaemonSet's affinity pick a node. Other affinity terms are not looked at. */
export function selects(spec: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  const matching = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  const wanted = boundName(spec);
  return matching && (wanted === undefined || wanted === node.metadata.name);
}

/** The affinity that ties a DaemonSet's Pod to its node. */
export function affinityTo(node: string): object {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } },
  };
}

/** The node name in such an affinity. */
export function boundName(spec: PodSpec): string | undefined {
  const terms = fieldAt(
    spec,
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
    'nodeSelectorTerms',
  );
  const fields = Array.isArray(terms) ? fieldAt(terms[0], 'matchFields') : undefined;
  const values = Array.isArray(fields) ? fieldAt(fields[0], 'values') : undefined;
  return Array.isArray(values) ? String(values[0]) : undefined;
}
