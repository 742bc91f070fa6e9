import { produced } from '../case.ts';
import type { Hands, Manifest } from '../hands.ts';
import { job, workload } from '../manifests.ts';
import { valueAt } from '../value-at.ts';

const ready = 'status.conditions.Ready.status';
const asks = { container: { resources: { requests: { cpu: '10m' } } } };

/** An autoscaler by CPU; nobody serves metrics on this control plane. */
function autoscaler(name: string, target: string, spec: object = {}): Manifest {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target },
      ...{ minReplicas: 1, maxReplicas: 5 },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
      ],
      ...spec,
    },
  };
}

function budget(name: string, spec: object): Manifest {
  const selector = { matchLabels: { app: 'api' } };
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec: { selector, ...spec } };
}

/** The reason of a condition of one of the case's objects. */
const says =
  (kind: string, name: string, condition: string, reason: string) =>
  async ({ read }: Hands): Promise<boolean> =>
    (await read(kind, name, `status.conditions.${condition}.reason`)) === reason;

/** Refuses that anybody scales in the case's namespace. */
function noScaling(ns: string): Manifest[] {
  const name = `${ns}-no-scaling`;
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['deployments/scale'] },
          ],
        },
        matchConditions: [{ name: 'namespace', expression: `request.namespace == '${ns}'` }],
        validations: [{ expression: 'false', message: 'replicas are set in Git' }],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}

const verticalDefinition: Manifest = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'verticalpodautoscalers.autoscaling.k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/63797' },
  },
  spec: {
    group: 'autoscaling.k8s.io',
    scope: 'Namespaced',
    names: { plural: 'verticalpodautoscalers', singular: 'verticalpodautoscaler', kind: 'VerticalPodAutoscaler' },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** Autoscalers and disruption budgets. */
export const cases = [
  produced({
    ...{ id: 'A1', reason: 'FailedGetResourceMetric', edition: 'Pro' },
    what: 'nobody serves the metrics API',
    subject: (ns) => `HorizontalPodAutoscaler/${ns}/api`,
    produce: ({ apply }) => apply(workload('Deployment', 'api', asks), autoscaler('api', 'api')),
    settled: says('HorizontalPodAutoscaler', 'api', 'ScalingActive', 'FailedGetResourceMetric'),
    withinSeconds: 60,
  }),
  produced({
    ...{ id: 'A6', reason: 'HPATargetMissing', edition: 'Pro' },
    subject: (ns) => `HorizontalPodAutoscaler/${ns}/api`,
    produce: ({ apply }) => apply(autoscaler('api', 'nobody')),
    settled: says('HorizontalPodAutoscaler', 'api', 'AbleToScale', 'FailedGetScale'),
    withinSeconds: 60,
  }),
  produced({
    ...{ id: 'A2', reason: 'FailedUpdateScale', edition: 'Pro' },
    what: 'a policy refuses it',
    subject: (ns) => `HorizontalPodAutoscaler/${ns}/api`,
    before: noScaling,
    async produce({ apply, afterwards, remove, ns }) {
      for (const kind of ['ValidatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy'])
        afterwards(() => remove(kind, `${ns}-no-scaling`));
      await apply(workload('Deployment', 'api', asks), autoscaler('api', 'api', { minReplicas: 3 }));
    },
    settled: says('HorizontalPodAutoscaler', 'api', 'AbleToScale', 'FailedUpdateScale'),
    also: ['HPAReplicasMismatch'],
  }),
  produced({
    ...{ id: 'A3', reason: 'AmbiguousSelector', edition: 'Pro' },
    subject: (ns) => `HorizontalPodAutoscaler/${ns}/*`,
    produce: ({ apply }) =>
      apply(workload('Deployment', 'api', asks), autoscaler('api', 'api'), autoscaler('old', 'api')),
    settled: ({ some }) =>
      some('HorizontalPodAutoscaler', 'status.conditions.ScalingActive.reason', 'AmbiguousSelector'),
    withinSeconds: 60,
    also: ['FailedGetResourceMetric'],
  }),
  produced({
    ...{ id: 'A4', reason: 'HPAMaxedOut', edition: 'Pro' },
    what: 'its condition written as its controller does with metrics',
    subject: (ns) => `HorizontalPodAutoscaler/${ns}/api`,
    async produce({ apply, until, patch, get, ...hands }) {
      await apply(workload('Deployment', 'api', { ...asks, spec: { replicas: 2 } }));
      await apply(autoscaler('api', 'api', { maxReplicas: 2 }));
      const blind = says('HorizontalPodAutoscaler', 'api', 'ScalingActive', 'FailedGetResourceMetric');
      await until('the controller has looked', () => blind({ apply, until, patch, get, ...hands }));
      const { conditions } = ((await get('HorizontalPodAutoscaler', 'api'))?.status ?? {}) as { conditions?: object[] };
      const limited = {
        ...{ type: 'ScalingLimited', status: 'True', reason: 'TooManyReplicas' },
        message: 'the desired replica count is more than the maximum replica count',
        lastTransitionTime: `${new Date().toISOString().slice(0, 19)}Z`,
      };
      const status = { conditions: [...(conditions ?? []), limited] };
      await patch('HorizontalPodAutoscaler', 'api', { status }, 'status');
    },
    settled: async ({ read }) =>
      (await read('HorizontalPodAutoscaler', 'api', 'status.conditions.ScalingLimited.reason')) === 'TooManyReplicas' &&
      (await read('HorizontalPodAutoscaler', 'api', 'status.currentReplicas')) === 2,
    withinSeconds: 1_000,
    quietBeforeSeconds: 900,
    also: ['FailedGetResourceMetric', 'HPAReplicasMismatch'],
  }),
  produced({
    ...{ id: 'A7', reason: 'PDBNotEnoughHealthy', edition: 'Pro' },
    subject: (ns) => `PodDisruptionBudget/${ns}/api`,
    async produce({ apply }) {
      const spec = { replicas: 2 };
      await apply(workload('Deployment', 'api', { spec, script: { readyAfterSeconds: 'never' } }));
      await apply(budget('api', { minAvailable: 1 }));
    },
    settled: async ({ read, list }) =>
      (await read('PodDisruptionBudget', 'api', 'status.expectedPods')) === 2 &&
      (await list('Pod')).every((each) => valueAt(each, 'status.containerStatuses.app.state.running') !== undefined),
    withinSeconds: 700,
    quietBeforeSeconds: 600,
    also: ['DeploymentUnavailable', 'PodNotReady', 'ProgressDeadlineExceeded'],
  }),
  produced({
    ...{ id: 'A8', reason: 'PDBBlocksDrain', edition: 'Pro' },
    what: 'a drain by kubectl',
    subject: (ns) => `PodDisruptionBudget/${ns}/api`,
    async produce({ addNode, apply, onOwnNodes, until, kubectl, read, ns }) {
      await addNode('n1');
      await apply(workload('Deployment', 'api', { pod: onOwnNodes, spec: { replicas: 2 } }));
      await apply(budget('api', { minAvailable: 2 }));
      await until('both Pods are ready', async () => (await read('Deployment', 'api', 'status.readyReplicas')) === 2);
      await kubectl(['drain', `${ns}-n1`, '--ignore-daemonsets', '--timeout=3s']).catch(() => undefined);
    },
    settled: async ({ read, ns }) =>
      (await read('Node', `${ns}-n1`, 'spec.unschedulable')) === true &&
      (await read('PodDisruptionBudget', 'api', 'status.disruptionsAllowed')) === 0,
    withinSeconds: 120,
  }),
  produced({
    ...{ id: 'A9', reason: 'PDBSyncFailed', edition: 'Pro' },
    subject: (ns) => `PodDisruptionBudget/${ns}/api`,
    async produce({ apply, until, some }) {
      await apply(job('api'));
      await until('its Pod runs', () => some('Pod', ready, 'True'));
      await apply(budget('api', { maxUnavailable: 1 }));
    },
    settled: says('PodDisruptionBudget', 'api', 'DisruptionAllowed', 'SyncFailed'),
    withinSeconds: 180,
  }),
  produced({
    ...{ id: 'A10', reason: 'PDBOverlap', edition: 'Pro' },
    subject: (ns) => `PodDisruptionBudget/${ns}/*`,
    async produce({ apply, until, some }) {
      await apply(workload('Deployment', 'api', { spec: { replicas: 2 } }));
      await until('its Pods run', () => some('Pod', ready, 'True'));
      await apply(budget('api', { minAvailable: 1 }), budget('everything', { minAvailable: 1, selector: {} }));
    },
    settled: async ({ read }) => (await read('PodDisruptionBudget', 'everything', 'status.expectedPods')) === 2,
    withinSeconds: 4_000,
    quietBeforeSeconds: 3_600,
  }),
  produced({
    ...{ id: 'A10', reason: 'PDBSelectsNothing', edition: 'Pro' },
    subject: (ns) => `PodDisruptionBudget/${ns}/api`,
    produce: ({ apply }) => apply(budget('api', { minAvailable: 1 })),
    settled: async ({ read }) => (await read('PodDisruptionBudget', 'api', 'status.observedGeneration')) === 1,
    withinSeconds: 90_000,
    quietBeforeSeconds: 86_400,
  }),
  produced({
    ...{ id: 'A11', reason: 'VPAConfigUnsupported', edition: 'Pro' },
    what: 'its condition written as its recommender does',
    subject: (ns) => `VerticalPodAutoscaler/${ns}/api`,
    before: () => [verticalDefinition],
    async produce({ apply, patch }) {
      const targetRef = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'api' };
      const metadata = { name: 'api' };
      await apply({
        apiVersion: 'autoscaling.k8s.io/v1',
        kind: 'VerticalPodAutoscaler',
        metadata,
        spec: { targetRef },
      });
      const condition = {
        ...{ type: 'ConfigUnsupported', status: 'True', lastTransitionTime: new Date().toISOString() },
        message:
          'The targetRef controller has a parent but it should point to a topmost well-known or scalable controller',
      };
      await patch('VerticalPodAutoscaler', 'api', { status: { conditions: [condition] } }, 'status');
    },
    settled: ({ some }) => some('VerticalPodAutoscaler', 'status.conditions.ConfigUnsupported.status', 'True'),
    withinSeconds: 4_000,
    quietBeforeSeconds: 3_600,
  }),
];
