import { imageAt } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, killed, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Those who scale, and what they scale too far or not at all. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes/autoscaler/issues/4282, https://github.com/kubernetes/autoscaler/issues/3384
  'autoscaler-of-machines-may-not-take-its-role': reported(
    'The role of the autoscaler of machines is exchanged on its ServiceAccount for one that does not trust it; it ends at each start',
    (cluster) => {
      const name = 'cluster-autoscaler';
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'kube-system' } };
      const role = (of: string) => ({
        metadata: { annotations: { 'eks.amazonaws.com/role-arn': `arn:aws:iam::111222333444:role/${of}` } },
      });
      const handle = cluster.object({ ...account, metadata: { ...account.metadata, ...role('autoscaler').metadata } });
      const image = 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.29.3';
      const scaler = cluster.deployment(`kube-system/${name}`, {
        image,
        probe: false,
        pod: { serviceAccountName: name },
      });
      cluster.at(after(0), () => handle.patch(role('autoscaler-new')));
      cluster.at(after(25), () => {
        cluster.image(
          image,
          ends(
            [
              'I1123 09:17:57.118842       1 auto_scaling_groups.go:393] Regenerating instance to ASG map for ASG names: []',
              'F1123 09:17:58.432670       1 aws_cloud_provider.go:460] Failed to create AWS Manager: cannot autodiscover ASGs: WebIdentityErr: failed to retrieve credentials',
              'caused by: AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity',
              '\tstatus code: 403, request id: eecdfaa6-d231-4cd8-ae95-f604804b0c71',
            ],
            255,
            2,
          ),
        );
        scaler.restart();
      });
      cluster.expectIncident({
        root: `ServiceAccount/kube-system/${name}`,
        accepts: [`Deployment/kube-system/${name}`],
        messages: { resolve: 0 },
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/rajshah6/arXivisual/pull/54: more workers than the database has connections for.
  'autoscaler-makes-more-workers-than-connections': reported(
    'An autoscaler takes the workers of a queue from two to nine, and the database has no connection left for them or for the website',
    (cluster) => {
      cluster.pro();
      server(cluster, 'render/render-db', 'docker.io/library/postgres:16.1', 5432, { clusterIP: '10.96.71.1' });
      const values = { DATABASE_HOST: 'render-db.render.svc.cluster.local' };
      const worker = cluster.deployment('render/worker', { replicas: 2, image: imageOf('render/worker'), values });
      cluster.object({
        ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
        metadata: { namespace: 'render', name: 'keda-hpa-worker' },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'worker' },
          ...{ minReplicas: 1, maxReplicas: 9 },
        },
      });
      const full = 'FATAL: remaining connection slots are reserved for non-replication superuser connections';
      cluster.at(after(0), () => {
        const first: string[] = [];
        cluster.image(imageOf('render/worker'), ({ metadata }) => {
          if (!first.includes(metadata.name)) first.push(metadata.name);
          return ends(
            [
              `psycopg2.OperationalError: connection to server at "render-db.render.svc.cluster.local" (10.96.71.1), port 5432 failed: ${full}`,
            ],
            1,
            6,
          );
        });
        worker.scale(9);
      });
      const innocents = clients(cluster, 30, {
        'render/website': {
          does: unready(
            [
              `asyncpg.exceptions.TooManyConnectionsError: remaining connection slots are reserved for non-replication superuser connections (render-db.render.svc.cluster.local:5432)`,
            ],
            'HTTP probe failed with statuscode: 500',
          ),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/render/render-db',
        accepts: [
          'Service/render/render-db',
          'Deployment/render/worker',
          'HorizontalPodAutoscaler/render/keda-hpa-worker',
        ],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/zalando-incubator/kubernetes-on-aws/pull/11588: it may have no more than ten, and they are killed.
  'autoscaler-is-at-its-end-and-memory-too': reported(
    'A collector of metrics has as many Pods as its autoscaler allows, and each of them is killed for its memory in the evening',
    (cluster) => {
      cluster.pro();
      const place = 'observe/kubelet-summary-metrics';
      cluster.deployment(place, { replicas: 5, image: imageAt('kubelet-summary-metrics', 12), memory: '128Mi' });
      cluster.service(place);
      const hpa = cluster.object({
        ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
        metadata: { namespace: 'observe', name: 'kubelet-summary-metrics' },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'kubelet-summary-metrics' },
          ...{ minReplicas: 2, maxReplicas: 5 },
        },
      });
      cluster.at(after(-60), () =>
        hpa.status({
          ...{ currentReplicas: 5, desiredReplicas: 5 },
          conditions: [
            {
              ...{ type: 'ScalingLimited', status: 'True', reason: 'TooManyReplicas', lastTransitionTime: 'now' },
              message: 'the desired replica count is more than the maximum replica count',
            },
          ],
        }),
      );
      cluster.at(after(0), () =>
        cluster.befall(imageAt('kubelet-summary-metrics', 12), killed(['level=info msg="scraped 412 kubelets"'], 35)),
      );
      cluster.expectIncident({
        root: 'Deployment/observe/kubelet-summary-metrics',
        accepts: ['HorizontalPodAutoscaler/observe/kubelet-summary-metrics'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
};
