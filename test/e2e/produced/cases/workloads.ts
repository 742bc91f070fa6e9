import { produced } from '../case.ts';
import { job, pod, workload } from '../manifests.ts';

const waiting = 'status.containerStatuses.app.state.waiting.reason';

/** Containers, Pods and the workloads that own them: what the first detectors find. */
export const cases = [
  produced({
    id: 'P1',
    reason: 'CrashLoopBackOff',
    what: 'a release of a workload that served',
    subject: (ns) => `Pod/${ns}/api-*`,
    async produce({ apply, until, some }) {
      await apply(workload('Deployment', 'api'));
      await until('it serves', () => some('Deployment', 'status.readyReplicas', 1));
      const container = { image: 'registry.example/app:2.0' };
      await apply(workload('Deployment', 'api', { container, script: { exit: { afterSeconds: 1, code: 1 } } }));
    },
    // On the first start of a workload the fourth failure counts.
    settled: ({ some }) => some('Pod', 'status.containerStatuses.app.state.waiting.message', /back-off 1m20s/),
    also: ['DeploymentUnavailable'],
  }),
  produced({
    id: 'P1',
    reason: 'CrashLoopBackOff',
    what: 'it never came up',
    subject: (ns) => `Pod/${ns}/api-*`,
    async produce({ apply }) {
      const script = { exit: { afterSeconds: 1, code: 1 }, readyAfterSeconds: 'never' } as const;
      await apply(workload('Deployment', 'api', { script }));
    },
    settled: ({ some }) => some('Pod', 'status.containerStatuses.app.state.waiting.message', /back-off 1m20s/),
    settleSeconds: 90,
    also: ['DeploymentUnavailable'],
  }),
  produced({
    id: 'P2',
    reason: 'OOMKilled',
    subject: (ns) => `Pod/${ns}/api-*`,
    async produce({ apply }) {
      const exit = { afterSeconds: 1, code: 137, oom: true };
      await apply(workload('Deployment', 'api', { script: { exit, exits: 1 } }));
    },
    settled: async ({ some }) =>
      (await some('Pod', 'status.containerStatuses.app.lastState.terminated.reason', 'OOMKilled')) &&
      some('Pod', 'status.conditions.Ready.status', 'True'),
  }),
  produced({
    id: 'P6',
    reason: 'ImageNotFound',
    subject: (ns) => `Pod/${ns}/api`,
    produce: ({ apply }) => apply(pod('api', { script: { pullError: 'NotFound' } })),
    settled: ({ some }) => some('Pod', waiting, 'ImagePullBackOff'),
    withinSeconds: 30,
  }),
  produced({
    id: 'P8',
    reason: 'CreateContainerConfigError',
    what: 'a Secret that does not exist',
    subject: (ns) => `Pod/${ns}/api`,
    async produce({ apply }) {
      const env = [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'token', key: 'token' } } }];
      await apply(pod('api', { container: { env } }));
    },
    settled: ({ some }) => some('Pod', waiting, 'CreateContainerConfigError'),
    also: ['SecretMissing'],
    withinSeconds: 60,
  }),
  produced({
    id: 'P15',
    reason: 'Unschedulable',
    what: 'a node selector that no Node has',
    subject: (ns) => `Pod/${ns}/api`,
    produce: ({ apply }) => apply(pod('api', { pod: { nodeSelector: { disk: 'nvme' } } })),
    settled: ({ some }) => some('Pod', 'status.conditions.PodScheduled.reason', 'Unschedulable'),
    withinSeconds: 300,
  }),
  produced({
    id: 'P18',
    reason: 'PodNotReady',
    subject: (ns) => `Pod/${ns}/api`,
    produce: ({ apply }) => apply(pod('api', { script: { readyAfterSeconds: 'never' } })),
    settled: async ({ read }) => Boolean(await read('Pod', 'api', 'status.containerStatuses.app.state.running')),
    withinSeconds: 1_000,
    quietBeforeSeconds: 600,
  }),
  produced({
    id: 'W1',
    reason: 'ProgressDeadlineExceeded',
    subject: (ns) => `Deployment/${ns}/api`,
    async produce({ apply }) {
      const spec = { progressDeadlineSeconds: 3 };
      await apply(workload('Deployment', 'api', { spec, script: { readyAfterSeconds: 'never' } }));
    },
    settled: ({ some }) => some('Deployment', 'status.conditions.Progressing.reason', 'ProgressDeadlineExceeded'),
    also: ['DeploymentUnavailable'],
  }),
  produced({
    id: 'W4',
    reason: 'ReplicaFailure',
    what: 'a quota that is used up',
    subject: (ns) => `ReplicaSet/${ns}/api-*`,
    async produce({ apply }) {
      const hard = { pods: '0' };
      await apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'compute' }, spec: { hard } });
      await apply(workload('Deployment', 'api'));
    },
    settled: ({ some }) => some('ReplicaSet', 'status.conditions.ReplicaFailure.status', 'True'),
    also: ['DeploymentUnavailable', 'QuotaExceeded'],
    withinSeconds: 60,
  }),
  produced({
    id: 'W4',
    reason: 'AdmissionDenied',
    what: 'a ValidatingAdmissionPolicy refuses all new Pods of a workload that served',
    outage: true,
    subject: (ns) => `ReplicaSet/${ns}/api-*`,
    async produce({ apply, until, some, ns, afterwards, remove }) {
      const spec = { strategy: { type: 'Recreate' } };
      await apply(workload('Deployment', 'api', { spec }));
      await until('it serves', () => some('Deployment', 'status.readyReplicas', 1));
      const resources = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
      const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': ns } };
      const [apiVersion, metadata] = ['admissionregistration.k8s.io/v1', { name: ns }];
      await apply(
        {
          ...{ apiVersion, metadata, kind: 'ValidatingAdmissionPolicy' },
          spec: {
            matchConstraints: { resourceRules: [resources], namespaceSelector },
            validations: [
              { expression: "object.metadata.labels.?team.orValue('') != ''", message: 'say which team it is of' },
            ],
          },
        },
        {
          ...{ apiVersion, metadata, kind: 'ValidatingAdmissionPolicyBinding' },
          spec: { policyName: ns, validationActions: ['Deny'] },
        },
      );
      afterwards(() => remove('ValidatingAdmissionPolicyBinding', ns));
      await until('the policy is in force', async () => {
        await apply(
          workload('Deployment', 'api', { spec, container: { image: `registry.example/app:${Date.now()}` } }),
        );
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        return some('ReplicaSet', 'status.conditions.ReplicaFailure.status', 'True');
      });
    },
    settled: ({ some }) => some('ReplicaSet', 'status.conditions.ReplicaFailure.status', 'True'),
    also: ['DeploymentUnavailable'],
    withinSeconds: 60,
  }),
  produced({
    id: 'W7',
    reason: 'StatefulSetUnavailable',
    subject: (ns) => `StatefulSet/${ns}/db`,
    async produce({ apply }) {
      await apply(workload('StatefulSet', 'db', { spec: { replicas: 2 }, script: { readyAfterSeconds: 'never' } }));
    },
    settled: ({ some }) => some('Pod', 'status.phase', 'Running'),
    withinSeconds: 700,
  }),
  produced({
    id: 'W10',
    reason: 'DaemonSetUnavailable',
    subject: (ns) => `DaemonSet/${ns}/agent`,
    async produce({ apply, addNode, onOwnNodes }) {
      await addNode('n1');
      await apply(workload('DaemonSet', 'agent', { pod: onOwnNodes, script: { readyAfterSeconds: 'never' } }));
    },
    settled: ({ some }) => some('Pod', 'status.phase', 'Running'),
    withinSeconds: 700,
  }),
  produced({
    id: 'W14',
    reason: 'JobFailed',
    subject: (ns) => `Job/${ns}/migrate`,
    async produce({ apply }) {
      await apply(job('migrate', { spec: { backoffLimit: 0 }, script: { exit: { afterSeconds: 1, code: 2 } } }));
    },
    settled: ({ some }) => some('Job', 'status.conditions.Failed.status', 'True'),
    withinSeconds: 30,
  }),
];
