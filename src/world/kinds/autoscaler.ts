import { qualifiedKind, type Ref, refOf } from '../../model/ref.ts';
import { type Fields, fieldsOf, given, listOf, numberOf, textOf, timeOf } from '../fields.ts';
import type { WatchedKind } from '../kind.ts';
import { type Condition, conditionsOf, groupOf, type Meta, metaOf } from '../meta.ts';

/** autoscaling/v2 HorizontalPodAutoscaler. */
export type HorizontalPodAutoscalerView = Meta & {
  readonly kind: 'HorizontalPodAutoscaler';
  /** What it scales; the object need not exist. */
  readonly target: Ref;
  readonly min: number;
  readonly max: number;
  readonly current: number;
  readonly desired: number;
  /** Names of the metrics it goes by, as people call them: `cpu`, `requests_per_second`. */
  readonly metrics: readonly string[];
  readonly lastScaleAt?: number;
  readonly conditions: readonly Condition[];
};

/** A reference to an object of the same namespace, of whatever group. */
function targetOf(raw: unknown, namespace: string | undefined): Ref {
  const target = fieldsOf(raw);
  const kind = qualifiedKind(groupOf(textOf(target.apiVersion) ?? ''), textOf(target.kind) ?? '');
  return refOf(kind, namespace, textOf(target.name) ?? '');
}

function metricName(metric: Fields): string[] {
  const { resource, containerResource, pods, object, external } = metric;
  const plain = textOf(fieldsOf(resource ?? containerResource).name);
  const named = textOf(fieldsOf(fieldsOf(pods ?? object ?? external).metric).name);
  return [plain ?? named ?? []].flat();
}

function projectAutoscaler(raw: Fields): HorizontalPodAutoscalerView {
  const meta = metaOf('HorizontalPodAutoscaler', raw);
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  return {
    ...meta,
    kind: 'HorizontalPodAutoscaler',
    target: targetOf(spec.scaleTargetRef, textOf(fieldsOf(raw.metadata).namespace)),
    min: numberOf(spec.minReplicas) ?? 1,
    max: numberOf(spec.maxReplicas) ?? 0,
    current: numberOf(status.currentReplicas) ?? 0,
    desired: numberOf(status.desiredReplicas) ?? 0,
    metrics: listOf(spec.metrics).flatMap(metricName),
    conditions: conditionsOf(raw, meta.createdAt),
    ...given({
      lastScaleAt: timeOf(status.lastScaleTime),
    }),
  };
}

/**
 * What its status says and has no time in the API. That the scale cannot be changed has none either: the controller says before each
 * attempt that it can, so that the condition is dated anew every 15 s (`horizontal.go`, reconcileAutoscaler).
 */
function facetsOfAutoscaler({ current, desired, max, conditions }: HorizontalPodAutoscalerView): readonly string[] {
  const facets: string[] = [];
  if (current >= max) facets.push('atMaximum');
  if (current !== desired) facets.push(`wants/${desired}`);
  if (conditions.some(({ type, status }) => type === 'AbleToScale' && status === 'False')) facets.push('unableToScale');
  return facets;
}

/** autoscaling/v2 HorizontalPodAutoscaler. */
export const horizontalPodAutoscalers: WatchedKind<HorizontalPodAutoscalerView> = {
  group: 'autoscaling',
  versions: ['v2'],
  plural: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  namespaced: true,
  project: projectAutoscaler,
  edited: ({ min, max, target }) => [
    { field: 'scaleBounds', says: `${min} to ${max}`, path: ['f:spec'] },
    { field: 'scaleTarget', says: target.slice(target.lastIndexOf('/') + 1), path: ['f:spec', 'f:scaleTargetRef'] },
  ],
  links: ({ target }) => [{ type: 'scales', to: target }],
  facets: facetsOfAutoscaler,
};

/** autoscaling.k8s.io/v1 VerticalPodAutoscaler. */
export type VerticalPodAutoscalerView = Meta & {
  readonly kind: 'VerticalPodAutoscaler';
  readonly target: Ref;
  readonly conditions: readonly Condition[];
};

/** autoscaling.k8s.io/v1 VerticalPodAutoscaler, where its definition is installed. */
export const verticalPodAutoscalers: WatchedKind<VerticalPodAutoscalerView> = {
  group: 'autoscaling.k8s.io',
  versions: ['v1'],
  plural: 'verticalpodautoscalers',
  kind: 'VerticalPodAutoscaler',
  namespaced: true,
  withoutManagedFields: true,
  project: (raw) => {
    const meta = metaOf('VerticalPodAutoscaler', raw);
    const target = targetOf(fieldsOf(raw.spec).targetRef, textOf(fieldsOf(raw.metadata).namespace));
    return { ...meta, kind: 'VerticalPodAutoscaler', target, conditions: conditionsOf(raw, meta.createdAt) };
  },
  links: ({ target }) => [{ type: 'scales', to: target }],
};
