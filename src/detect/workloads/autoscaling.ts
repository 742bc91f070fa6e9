import { nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { HorizontalPodAutoscalerView } from '../../world/kinds/workloads/autoscaler.ts';
import { given } from '../../world/reading/fields.ts';
import type { Condition } from '../../world/reading/meta.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { verticalIdle } from './vertical-autoscaling.ts';

const declared = {
  judges: 'HorizontalPodAutoscaler',
  symptom: 'scaling',
  exemptions: ['terminating', 'targetAtZero'],
} as const;
const controller = 'horizontal controller';
/** Autoscalers of the same Pods that are looked at: two is a mistake, and more are the same one. */
const maxRivals = 8;

/** A condition of an autoscaler that is False for one of some reasons. */
function failing(autoscaler: HorizontalPodAutoscalerView, type: string, reasons: RegExp): Condition | undefined {
  const condition = conditionOf(autoscaler, type);
  return condition?.status === 'False' && reasons.test(condition.reason) ? condition : undefined;
}

/** The API that serves a kind of metrics; it is an aggregated one, which somebody must have installed. */
const metricApis: readonly (readonly [RegExp, Ref])[] = [
  [
    /metrics API: .*resource metrics|resource metrics API|\bcpu\b|\bmemory\b/,
    refOf('APIService', '', 'v1beta1.metrics.k8s.io'),
  ],
  [/custom metrics API/, refOf('APIService', '', 'v1beta1.custom.metrics.k8s.io')],
  [/external metrics API/, refOf('APIService', '', 'v1beta1.external.metrics.k8s.io')],
];

/** Texts of a metric that no waiting brings: nobody serves it, or a container does not say what it asks for. */
const hopeless =
  /could not find the requested resource|no matches for kind|missing request for \w+|unknown metric source type/;

function metricProblem({ reason, since, message }: Condition, target: Ref): Problem {
  const [, resource, container] = /missing request for (\w+) in container (\S+) of Pod/.exec(message) ?? [];
  const api = metricApis.find(([pattern]) => pattern.test(message))?.[1];
  const patience = hopeless.test(message) || reason === 'InvalidMetricSourceType';
  return {
    since,
    detail: message,
    names: api === undefined ? [] : [api],
    facts: { target, ...given({ container, resource }) },
    ...(patience && { forSeconds: 30, settle: 'conclusive' }),
  };
}

const failedGetMetric = detector({
  ...declared,
  id: 'A1',
  reasons: [{ reason: 'FailedGetResourceMetric', family: 'consequence', sure: 'likely' }],
  severity: 'medium',
  forSeconds: 300,
  source: `autoscaling/v2 HorizontalPodAutoscaler condition ScalingActive=False, reason FailedGet…Metric (${controller})`,
  predicate:
    'an autoscaler cannot read a metric for 5 min, or for 30 s where no waiting helps: nobody serves it, or a container has no request',
  clears: 'ScalingActive is True',
  patience: 'new Pods have no metrics for 2 to 3 min, and a metrics server that restarts is back within 2',
  isNot: 'a target at zero replicas (`ScalingDisabled`), Pods that have just begun',
  judge: (autoscaler) => {
    const condition = failing(autoscaler, 'ScalingActive', /^FailedGet\w+Metric$|^InvalidMetricSourceType$/);
    return condition !== undefined && metricProblem(condition, autoscaler.target);
  },
});

/** The target is not there, as far as its kind is watched, or else as the controller says. */
function lacksTarget({ target }: HorizontalPodAutoscalerView, seen: unknown, says: string): boolean {
  if (seen === 'absent') return true;
  return seen === 'unknown' && says.includes(`"${nameOf(target)}" not found`);
}

const targetMissing = detector({
  ...declared,
  id: 'A6',
  reasons: [{ reason: 'HPATargetMissing', family: 'config', sure: 'high' }],
  reads: ['Deployment', 'StatefulSet', 'ReplicaSet'],
  severity: 'medium',
  forSeconds: 30,
  settle: 'conclusive',
  source: `autoscaling/v2 HorizontalPodAutoscaler spec.scaleTargetRef; AbleToScale=False, reason FailedGetScale (${controller})`,
  predicate: 'what an autoscaler is to scale does not exist for 30 s',
  clears: 'it exists',
  patience: 'the target may be made just after its autoscaler',
  isNot: 'a target of a kind that cannot be seen',
  judge: (autoscaler, world) => {
    const condition = failing(autoscaler, 'AbleToScale', /^FailedGetScale$/);
    if (!condition || !lacksTarget(autoscaler, world.get(autoscaler.target), condition.message)) return false;
    const { target } = autoscaler;
    return {
      since: condition.since,
      names: [target],
      facts: { target },
      detail: condition.message,
    };
  },
});

const cannotScale = detector({
  ...declared,
  id: 'A2',
  reasons: [
    { reason: 'FailedGetScale', family: 'create', sure: 'likely' },
    { reason: 'FailedUpdateScale', family: 'create', sure: 'likely' },
  ],
  severity: 'high',
  forSeconds: 60,
  source: `autoscaling/v2 HorizontalPodAutoscaler condition AbleToScale=False (${controller})`,
  predicate: 'an autoscaler cannot read or change the scale of its target, which exists, for 60 s',
  clears: 'AbleToScale is True',
  patience: 'a conflict is mended at the next try, 15 s later',
  isNot: 'a target that does not exist, which is its own reason',
  judge: (autoscaler, world) => {
    const condition = failing(autoscaler, 'AbleToScale', /^Failed(?:Get|Update)Scale$/);
    if (!condition || lacksTarget(autoscaler, world.get(autoscaler.target), condition.message)) return false;
    const reason = condition.reason === 'FailedUpdateScale' ? 'FailedUpdateScale' : 'FailedGetScale';
    const since = Math.min(condition.since, world.since(autoscaler.ref, 'unableToScale'));
    return { reason, since, detail: condition.message, facts: { target: autoscaler.target } };
  },
});

/**
 * The other autoscalers of the same Pods, which are in the same namespace: `pods by selector app=api are controlled by multiple
 * HPAs: [shop/api shop/old]`.
 */
function rivalsIn(message: string, own: Ref): readonly Ref[] {
  const [, list = ''] = /controlled by multiple HPAs: \[([^\]]*)\]/.exec(message) ?? [];
  return list
    .split(/\s+/)
    .flatMap((path) => {
      const [namespace, name] = path.split('/');
      return namespace && name ? [refOf('HorizontalPodAutoscaler', namespace, name)] : [];
    })
    .filter((ref) => ref !== own && namespaceOf(ref) === namespaceOf(own))
    .slice(0, maxRivals);
}

const invalidSelector = detector({
  ...declared,
  id: 'A3',
  reasons: [
    { reason: 'AmbiguousSelector', family: 'config', sure: 'high' },
    { reason: 'InvalidSelector', family: 'config', sure: 'high' },
  ],
  severity: 'medium',
  forSeconds: 30,
  settle: 'conclusive',
  source: `autoscaling/v2 HorizontalPodAutoscaler condition ScalingActive=False, reason AmbiguousSelector or InvalidSelector (${controller})`,
  predicate: 'several autoscalers scale the same Pods, or the selector of the target cannot be used, for 30 s',
  clears: 'ScalingActive is True',
  patience: 'one of two autoscalers may be on its way out',
  isNot: 'autoscalers of different Pods',
  judge: (autoscaler) => {
    const condition = failing(autoscaler, 'ScalingActive', /^(?:Ambiguous|Invalid)Selector$/);
    if (!condition) return false;
    const reason = condition.reason === 'InvalidSelector' ? 'InvalidSelector' : 'AmbiguousSelector';
    const { since, message } = condition;
    const facts = { target: autoscaler.target };
    return { reason, since, detail: message, names: rivalsIn(message, autoscaler.ref), facts };
  },
});

const maxedOut = detector({
  ...declared,
  id: 'A4',
  reasons: [{ reason: 'HPAMaxedOut', family: 'consequence', sure: 'likely' }],
  severity: 'medium',
  forSeconds: 900,
  source: `autoscaling/v2 HorizontalPodAutoscaler condition ScalingLimited=True, reason TooManyReplicas; status.currentReplicas, spec.maxReplicas (${controller})`,
  predicate: 'an autoscaler has wanted more than its maximum for 15 min, and may go below that',
  clears: 'it wants no more than its maximum, held for 10 min',
  patience: 'a peak may pass',
  isNot: 'an autoscaler at its minimum (`TooFewReplicas`), one of a fixed size, one that has as many as it wants',
  judge: (autoscaler, world) => {
    const { min, max, current } = autoscaler;
    const limited = conditionOf(autoscaler, 'ScalingLimited');
    const wantsMore = limited?.status === 'True' && limited.reason === 'TooManyReplicas';
    if (!wantsMore || current < max || min >= max) return false;
    return {
      since: Math.max(limited.since, world.since(autoscaler.ref, 'atMaximum')),
      facts: { current, min, max, ...given({ metric: autoscaler.metrics[0], reading: autoscaler.reading }) },
      clearHoldMs: 600_000,
    };
  },
});

const replicasMismatch = detector({
  ...declared,
  id: 'A5',
  reasons: [{ reason: 'HPAReplicasMismatch', family: 'consequence', sure: 'unknown' }],
  severity: 'medium',
  forSeconds: 900,
  source: `autoscaling/v2 HorizontalPodAutoscaler status.desiredReplicas, currentReplicas (${controller})`,
  predicate: 'the target of an autoscaler does not follow it: 15 min with one wish between minimum and maximum',
  clears: 'as many replicas are there as are desired',
  patience: 'Pods take their time to come and go',
  isNot: 'a scale-up that goes on step by step',
  judge: (autoscaler, world) => {
    const { min, max, current, desired } = autoscaler;
    if (current === desired || desired < min || desired > max) return false;
    return {
      since: world.since(autoscaler.ref, `wants/${desired}`),
      facts: { current, desired, min, max, target: autoscaler.target },
    };
  },
});

/** Autoscalers, in the order of the catalogue. */
export const autoscalingDetectors: readonly Detector[] = [
  targetMissing,
  invalidSelector,
  cannotScale,
  verticalIdle,
  failedGetMetric,
  maxedOut,
  replicasMismatch,
];
