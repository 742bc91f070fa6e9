import { qualifiedKind, type Ref, refOf } from '../../../model/ref.ts';
import { groupOf } from '../../../model/resource.ts';
import { type Fields, fieldsOf, given, listOf, numberOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';

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
  /** While it is at its maximum: where the first metric stands and where it should, `cpu is at 95 %, with a target of 70 %`. */
  readonly reading?: string;
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

/** A metric's value as its status or its target has it: `70 %`, `1200m`. */
function amountOf(raw: unknown): string | undefined {
  const { averageUtilization, utilization, averageValue, value } = fieldsOf(raw);
  const share = numberOf(averageUtilization ?? utilization);
  return share === undefined ? textOf(averageValue ?? value) : `${share} %`;
}

/** The part of a metric that its type names: `resource`, `pods`, … */
function partOf(metric: Fields | undefined): Fields {
  const { resource, containerResource, pods, object, external } = metric ?? {};
  return fieldsOf(resource ?? containerResource ?? pods ?? object ?? external);
}

function readingOf(wanted: Fields | undefined, seen: readonly Fields[]): string | undefined {
  const [name] = wanted ? metricName(wanted) : [];
  const current = seen.find((metric) => metricName(metric)[0] === name);
  const [is, target] = [amountOf(partOf(current).current), amountOf(partOf(wanted).target)];
  return name === undefined || is === undefined || target === undefined
    ? undefined
    : `${name} is at ${is}, with a target of ${target}`;
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
export const horizontalPodAutoscalers: WatchedKind<HorizontalPodAutoscalerView> = watched({
  group: 'autoscaling',
  versions: ['v2'],
  kind: 'HorizontalPodAutoscaler',
  namespaced: true,
  managedFields: true,
  fields({ raw, spec, status, meta, namespace }) {
    const [max, current] = [numberOf(spec.maxReplicas) ?? 0, numberOf(status.currentReplicas) ?? 0];
    // It changes every 15 s: only where it is told.
    const reading = current >= max ? readingOf(listOf(spec.metrics)[0], listOf(status.currentMetrics)) : undefined;
    return {
      target: targetOf(spec.scaleTargetRef, namespace),
      min: numberOf(spec.minReplicas) ?? 1,
      max,
      current,
      desired: numberOf(status.desiredReplicas) ?? 0,
      metrics: listOf(spec.metrics).flatMap(metricName),
      conditions: conditionsOf(raw, meta.createdAt),
      ...given({ reading }),
    };
  },
  edited: ({ min, max, target }) => [
    { field: 'scaleBounds', says: `${min} to ${max}`, path: ['f:spec'] },
    { field: 'scaleTarget', says: target.slice(target.lastIndexOf('/') + 1), path: ['f:spec', 'f:scaleTargetRef'] },
  ],
  links: ({ target }) => [{ type: 'scales', to: target }],
  facets: facetsOfAutoscaler,
});

/** autoscaling.k8s.io/v1 VerticalPodAutoscaler. */
export type VerticalPodAutoscalerView = Meta & {
  readonly kind: 'VerticalPodAutoscaler';
  readonly target: Ref;
  readonly conditions: readonly Condition[];
};

/** autoscaling.k8s.io/v1 VerticalPodAutoscaler, where its definition is installed. */
export const verticalPodAutoscalers: WatchedKind<VerticalPodAutoscalerView> = watched({
  group: 'autoscaling.k8s.io',
  kind: 'VerticalPodAutoscaler',
  namespaced: true,
  fields({ raw, spec, meta, namespace }) {
    const target = targetOf(spec.targetRef, namespace);
    return { target, conditions: conditionsOf(raw, meta.createdAt) };
  },
  links: ({ target }) => [{ type: 'scales', to: target }],
});
