import { eventOn } from '../../world/events.ts';
import { at, autoscaler, budget, condition, configMap, node } from '../../world/objects.ts';
import { type ClusterStory, long, nodes, podsOf, replicaSet, sized, unplaced } from '../shop.ts';

type Parts = Parameters<typeof autoscaler>[1];

/** A healthy Deployment and an autoscaler that was well for an hour; then it says something else. */
function scales(parts: Parts, waitMinutes = 30): ClusterStory {
  return (k8s) => {
    k8s.put(at(0), ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.put(at(0), autoscaler('api', { createdAt: long }));
    k8s.start(at(0));
    k8s.put(at(10), autoscaler('api', { createdAt: long, ...parts }));
    k8s.wait(at(10 + waitMinutes));
  };
}

const says = (type: string, status: string, reason: string, message: string): Parts => ({
  conditions: [condition(type, status, at(10), reason, message)],
});

/** Three labelled Pods and their budget. */
function protects(
  parts: Parts,
  waitMinutes: number,
  ...more: Parameters<Parameters<ClusterStory>[0]['put']>[1][]
): ClusterStory {
  const labels = { app: 'api' };
  return (k8s) => {
    const pods = podsOf('api', 3, { labels });
    k8s.put(at(0), ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...pods);
    k8s.put(at(0), budget('api', { createdAt: long }));
    k8s.start(at(0));
    k8s.put(at(10), budget('api', { createdAt: long, ...parts }), ...more);
    k8s.wait(at(10 + waitMinutes));
  };
}

function vertical(type: string, status: string, message: string): ClusterStory {
  const vpa = (conditions: readonly Record<string, unknown>[]) => ({
    apiVersion: 'autoscaling.k8s.io/v1',
    kind: 'VerticalPodAutoscaler',
    metadata: { name: 'api', namespace: 'shop', uid: 'vpa', creationTimestamp: '2026-06-01T11:00:00Z' },
    spec: { targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' } },
    status: { conditions },
  });
  return (k8s) => {
    k8s.put(at(0), sized('Deployment', 'api', 3, 3), vpa([]));
    k8s.start(at(0));
    k8s.put(at(10), vpa([condition(type, status, at(10), '', message)]));
    k8s.wait(at(24 * 60 + 90));
  };
}

/** One story for every reason of autoscalers and budgets. */
/** The autoscaler begins to make a Node for a Pod, and its cloud refuses. */
const refusedNode: ClusterStory = (k8s) => {
  const status = configMap('cluster-autoscaler-status', { namespace: 'kube-system', createdAt: long });
  const about = { apiVersion: 'v1', kind: 'ConfigMap', metadata: status.metadata };
  const [, pod] = podsOf('api', 2, {
    createdAt: at(10),
    ...unplaced('Unschedulable', '0/3 nodes are available: 3 Insufficient cpu.'),
  });
  k8s.put(long, ...nodes, status, sized('Deployment', 'api', 1, 1), replicaSet('api', 1), ...podsOf('api', 1));
  k8s.start(at(0));
  if (!pod) return;
  k8s.put(at(10), sized('Deployment', 'api', 2, 1), replicaSet('api', 2), pod);
  k8s.put(
    at(10, 5),
    eventOn(pod, 'TriggeredScaleUp', at(10, 5), { type: 'Normal', message: 'pod triggered scale-up' }),
  );
  const message = 'Scale-up failed for group spot-large: Quota CPUS exceeded. Limit: 24.0';
  k8s.put(at(10, 20), eventOn(about, 'FailedToScaleUpGroup', at(10, 20), { message, reporter: 'cluster-autoscaler' }));
  k8s.wait(at(14));
};

export const scalingStories = {
  ScaleUpFailed: refusedNode,
  HPATargetMissing: (k8s) => {
    k8s.start(at(0));
    const message =
      'the HPA controller was unable to get the target\'s current scale: deployments/scale.apps "api" not found';
    k8s.put(at(10), autoscaler('api', says('AbleToScale', 'False', 'FailedGetScale', message)));
    k8s.wait(at(20));
  },
  FailedGetResourceMetric: scales(
    says(
      'ScalingActive',
      'False',
      'FailedGetResourceMetric',
      'the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container api of Pod api-r1-a',
    ),
  ),
  FailedGetScale: scales(
    says(
      'AbleToScale',
      'False',
      'FailedGetScale',
      "the HPA controller was unable to get the target's current scale: deployments.apps is forbidden",
    ),
  ),
  FailedUpdateScale: scales(
    says(
      'AbleToScale',
      'False',
      'FailedUpdateScale',
      'the HPA controller was unable to update the target scale: admission webhook "replicas.example.com" denied the request',
    ),
  ),
  AmbiguousSelector: scales(
    says(
      'ScalingActive',
      'False',
      'AmbiguousSelector',
      'pods by selector app=api are controlled by multiple HPAs: [shop/api shop/api-old]',
    ),
  ),
  InvalidSelector: scales(
    says('ScalingActive', 'False', 'InvalidSelector', "the HPA target's scale is missing a selector"),
  ),
  HPAMaxedOut: scales({
    conditions: [
      condition(
        'ScalingLimited',
        'True',
        at(10),
        'TooManyReplicas',
        'the desired replica count is more than the maximum',
      ),
    ],
    status: {
      ...{ currentReplicas: 10, desiredReplicas: 10 },
      currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 95 } } }],
    },
  }),
  HPAReplicasMismatch: scales({ status: { currentReplicas: 3, desiredReplicas: 6 } }),
  VPAConfigUnsupported: vertical(
    'ConfigUnsupported',
    'True',
    'The targetRef controller has a parent but it should point to a topmost well-known or scalable controller',
  ),
  VPANoPodsMatched: vertical('NoPodsMatched', 'True', 'No pods match this VPA object'),
  VPANoRecommendation: vertical('RecommendationProvided', 'False', ''),
  PDBBlocksDrain: protects(
    {
      status: { disruptionsAllowed: 0, desiredHealthy: 3 },
      spec: { minAvailable: '100%' },
      conditions: [condition('DisruptionAllowed', 'False', at(10), 'InsufficientPods')],
    },
    10,
    node('n1', { since: long, spec: { unschedulable: true } }),
  ),
  PDBSyncFailed: protects(
    {
      status: { disruptionsAllowed: 0 },
      conditions: [
        condition(
          'DisruptionAllowed',
          'False',
          at(10),
          'SyncFailed',
          'jobs.batch does not implement the scale subresource',
        ),
      ],
    },
    10,
  ),
  PDBOverlap: (k8s) => {
    const labels = { app: 'api' };
    k8s.put(at(0), ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3, { labels }));
    k8s.put(at(0), budget('api', { createdAt: long }));
    k8s.start(at(0));
    k8s.put(at(10), budget('everything', { spec: { selector: {} } }));
    k8s.wait(at(24 * 60 + 90));
  },
  PDBSelectsNothing: (k8s) => {
    k8s.start(at(0));
    k8s.put(at(10), budget('api', { status: { expectedPods: 0, currentHealthy: 0, disruptionsAllowed: 0 } }));
    k8s.wait(at(50 * 60));
  },
  PDBNotEnoughHealthy: protects(
    { status: { currentHealthy: 1, desiredHealthy: 2, disruptionsAllowed: 0 }, spec: { minAvailable: 2 } },
    20,
  ),
} satisfies Readonly<Record<string, ClusterStory>>;
