import { produced } from '../case.ts';
import { pod, workload } from '../manifests.ts';

const onPod = (ns: string): string => `Pod/${ns}/api`;
const onPods = (ns: string): string => `Pod/${ns}/api-*`;

/** Writes one condition of a Pod as its kubelet would; the others stay. */
function condition(type: string, reason: string, message: string): object {
  const lastTransitionTime = `${new Date().toISOString().slice(0, 19)}Z`;
  return { status: { conditions: [{ type, status: 'True', reason, message, lastTransitionTime }] } };
}

/** Pods that do not start, do not serve, or go: what Events and their own status tell. */
export const cases = [
  produced({
    id: 'P10',
    reason: 'FailedMount',
    what: 'a Secret that does not exist',
    subject: onPod,
    produce: ({ apply }) => apply(pod('api', { pod: { volumes: [{ name: 'tls', secret: { secretName: 'tls' } }] } })),
    settled: ({ some }) => some('Event', 'reason', 'FailedMount'),
    also: ['SecretMissing'],
    withinSeconds: 40,
  }),
  produced({
    id: 'P10',
    reason: 'FailedAttachVolume',
    what: 'a cloud that refuses',
    subject: onPod,
    async produce({ apply }) {
      const message =
        'AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = Internal desc = Could not attach volume "vol-1" to node "i-1"';
      await apply(pod('api', { script: { heldUp: { reason: 'FailedAttachVolume', message } } }));
    },
    settled: ({ some }) => some('Event', 'reason', 'FailedAttachVolume'),
    withinSeconds: 400,
    quietBeforeSeconds: 70,
  }),
  produced({
    id: 'P11',
    reason: 'FailedCreatePodSandBox',
    subject: onPod,
    async produce({ apply }) {
      const message =
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "c1f0": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized';
      await apply(pod('api', { script: { heldUp: { reason: 'FailedCreatePodSandBox', message } } }));
    },
    settled: ({ some }) => some('Event', 'reason', 'FailedCreatePodSandBox'),
    withinSeconds: 400,
  }),
  produced({
    id: 'T19',
    reason: 'PodIPExhausted',
    subject: (ns) => `Node//${ns}-n1`,
    root: (ns) => `Node//${ns}-n1`,
    async produce({ addNode, apply, onOwnNodes }) {
      await addNode('n1');
      const message =
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "c1f0": plugin type="flannel" failed (add): failed to allocate for range 0: no IP addresses available in range set: 10.244.1.1-10.244.1.254';
      const script = { heldUp: { reason: 'FailedCreatePodSandBox', message } } as const;
      for (const name of ['api', 'web', 'cart']) await apply(pod(name, { script, pod: onOwnNodes }));
    },
    settled: async ({ list }) =>
      new Set(
        (await list('Event'))
          .filter(({ reason }) => reason === 'FailedCreatePodSandBox')
          .map(({ regarding, involvedObject }) => JSON.stringify(regarding ?? involvedObject)),
      ).size >= 3,
    also: ['FailedCreatePodSandBox'],
    withinSeconds: 400,
  }),
  produced({
    id: 'P16',
    reason: 'SchedulingGated',
    subject: onPod,
    produce: ({ apply }) => apply(pod('api', { pod: { schedulingGates: [{ name: 'example.com/quota' }] } })),
    settled: ({ some }) => some('Pod', 'status.conditions.PodScheduled.reason', 'SchedulingGated'),
    withinSeconds: 3_700,
    quietBeforeSeconds: 3_600,
  }),
  produced({
    id: 'P19',
    reason: 'ReadinessProbeFailed',
    subject: onPod,
    async produce({ apply }) {
      const readinessProbe = { httpGet: { path: '/ready', port: 8080 } };
      await apply(pod('api', { container: { readinessProbe }, script: { readyAfterSeconds: 'never' } }));
    },
    settled: ({ some }) => some('Event', 'reason', 'Unhealthy'),
    // All its Nodes came at once: until they are 10 min old nobody is told of readiness.
    withinSeconds: 700,
  }),
  produced({
    id: 'P19',
    reason: 'ProbeMisconfigured',
    what: 'a port by a name that no port has',
    subject: onPod,
    async produce({ apply }) {
      const container = {
        ports: [{ name: 'web', containerPort: 8080 }],
        readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
      };
      await apply(
        pod('api', { container, script: { readyAfterSeconds: 'never', readinessSays: "couldn't find port: http" } }),
      );
    },
    settled: ({ some }) => some('Event', 'reason', 'Unhealthy'),
    withinSeconds: 30,
  }),
  produced({
    id: 'P20',
    reason: 'LivenessProbeFailed',
    subject: onPod,
    async produce({ apply }) {
      const livenessProbe = { httpGet: { path: '/live', port: 8080 } };
      const livenessFails = { afterSeconds: 2, says: 'HTTP probe failed with statuscode: 500' };
      await apply(pod('api', { container: { livenessProbe }, script: { livenessFails } }));
    },
    settled: async ({ read }) => Number(await read('Pod', 'api', 'status.containerStatuses.app.restartCount')) >= 2,
  }),
  produced({
    id: 'P24',
    reason: 'Evicted',
    subject: onPods,
    async produce({ apply }) {
      const message = 'The node was low on resource: ephemeral-storage. Threshold quantity: 2Gi, available: 1Gi. ';
      await apply(workload('Deployment', 'api', { script: { evicted: { afterSeconds: 10, message } } }));
    },
    settled: ({ some }) => some('Pod', 'status.reason', 'Evicted'),
    also: ['DeploymentUnavailable'],
  }),
  produced({
    id: 'P26',
    reason: 'PodAdmissionRejected',
    subject: onPods,
    async produce({ apply }) {
      const message = "Node didn't have enough resource: cpu, requested: 4000, used: 7900, capacity: 8000";
      await apply(workload('Deployment', 'api', { script: { rejected: { reason: 'OutOfcpu', message } } }));
    },
    settled: async ({ list }) => (await list('Pod')).length >= 3,
    also: ['DeploymentUnavailable'],
  }),
  produced({
    id: 'P30',
    reason: 'PodResizeInfeasible',
    subject: onPod,
    async produce({ api, apply, ns, until, some }) {
      await apply(pod('api'));
      await until('it is ready', () => some('Pod', 'status.conditions.Ready.status', 'True'));
      const body = condition(
        'PodResizePending',
        'Infeasible',
        "Node didn't have enough capacity: cpu, requested: 64000, capacity: 8000",
      );
      const contentType = 'application/strategic-merge-patch+json';
      await api.json({ method: 'PATCH', path: `/api/v1/namespaces/${ns}/pods/api/status`, body, contentType });
    },
    settled: ({ some }) => some('Pod', 'status.conditions.PodResizePending.reason', 'Infeasible'),
  }),
  produced({
    id: 'P39',
    reason: 'ProjectedReferenceMissing',
    subject: onPod,
    async produce({ apply, remove, until, some }) {
      await apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'app' }, data: { a: 'b' } });
      await apply(pod('api', { pod: { volumes: [{ name: 'c', configMap: { name: 'app' } }] } }));
      await until('it is ready', () => some('Pod', 'status.conditions.Ready.status', 'True'));
      await remove('ConfigMap', 'app');
    },
    settled: async ({ get }) => (await get('ConfigMap', 'app')) === undefined,
  }),
];
