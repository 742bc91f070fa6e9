import { produced } from '../case.ts';
import { writeReadiness } from '../kubelet-status.ts';
import { workload } from '../manifests.ts';

const available = 'status.conditions.Available.status';
const probe = { readinessProbe: { httpGet: { path: '/ready', port: 8080 } } };

/** Workloads that served and now serve nothing. */
export const cases = [
  produced({
    id: 'W3',
    reason: 'DeploymentUnavailable',
    what: 'all Pods run on and fail their readiness probe',
    outage: true,
    subject: (ns) => `Deployment/${ns}/api`,
    async produce(hands) {
      const { addNode, apply, onOwnNodes, until, some } = hands;
      const node = await addNode('n1');
      await apply(workload('Deployment', 'api', { spec: { replicas: 2 }, pod: onOwnNodes, container: probe }));
      await until('it serves', () => some('Deployment', available, 'True'));
      await until('both are ready', () => some('Deployment', 'status.readyReplicas', 2));
      node.stop();
      await writeReadiness(hands, false);
    },
    settled: ({ some }) => some('Deployment', available, 'False'),
    also: ['PodNotReady'],
    withinSeconds: 60,
  }),
  produced({
    id: 'W3',
    reason: 'DeploymentUnavailable',
    what: 'all Pods fail their readiness probe after a network policy cut them off',
    outage: true,
    subject: (ns) => `Deployment/${ns}/api`,
    root: (ns) => `NetworkPolicy/${ns}/deny-all`,
    async produce(hands) {
      const { addNode, apply, onOwnNodes, until, some } = hands;
      const node = await addNode('n1');
      await apply(workload('Deployment', 'api', { spec: { replicas: 2 }, pod: onOwnNodes, container: probe }));
      await until('both are ready', () => some('Deployment', 'status.readyReplicas', 2));
      const [servingSince, serveMs] = [Date.now(), 7_000];
      await until('both have served for some seconds', async () => Date.now() - servingSince > serveMs);
      await apply({
        ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'deny-all' } },
        spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
      });
      node.stop();
      await writeReadiness(hands, false);
    },
    settled: ({ some }) => some('Deployment', available, 'False'),
    also: ['PodNotReady'],
    withinSeconds: 60,
  }),
  produced({
    id: 'P6',
    reason: 'ImageNotFound',
    what: 'all old Pods were stopped for an image that does not exist',
    outage: true,
    subject: (ns) => `Pod/${ns}/api-*`,
    async produce({ apply, until, some }) {
      const spec = { replicas: 2, strategy: { type: 'Recreate' } };
      await apply(workload('Deployment', 'api', { spec }));
      await until('it serves', () => some('Deployment', 'status.readyReplicas', 2));
      await apply(
        workload('Deployment', 'api', {
          spec,
          container: { image: 'registry.example/app:2.0' },
          script: { pullError: 'NotFound' },
        }),
      );
    },
    settled: ({ some }) => some('Pod', 'status.containerStatuses.app.state.waiting.reason', 'ImagePullBackOff'),
    also: ['DeploymentUnavailable'],
    withinSeconds: 60,
  }),
  produced({
    id: 'P8',
    reason: 'CreateContainerConfigError',
    what: 'the only Pod was replaced and lacks a ConfigMap key',
    outage: true,
    subject: (ns) => `Pod/${ns}/api-*`,
    async produce({ apply, until, some }) {
      const spec = { strategy: { type: 'Recreate' } };
      await apply(workload('Deployment', 'api', { spec }));
      await until('it serves', () => some('Deployment', 'status.readyReplicas', 1));
      await apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { other: 'x' } });
      const env = [{ name: 'LEVEL', valueFrom: { configMapKeyRef: { name: 'settings', key: 'level' } } }];
      await apply(workload('Deployment', 'api', { spec, container: { env } }));
    },
    settled: ({ some }) =>
      some('Pod', 'status.containerStatuses.app.state.waiting.reason', 'CreateContainerConfigError'),
    also: ['DeploymentUnavailable'],
    withinSeconds: 60,
  }),
];
