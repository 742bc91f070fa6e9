import { innocentRelease } from '../../kit/company.ts';
import { after, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

/** Rights and quotas. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes/kube-state-metrics/issues/1368, https://github.com/prometheus-operator/prometheus-operator/issues/1908
  'reader-of-all-states-lost-its-role': reported(
    'The role by which the cluster’s state is read is pruned with an older release; its reader is restarted and reads nothing, and ends',
    (cluster, firm) => {
      const rbac = 'rbac.authorization.k8s.io';
      const account = { name: 'kube-state-metrics', namespace: 'monitor' };
      cluster.object({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
      const role = cluster.object({
        ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: 'kube-state-metrics' } },
        rules: [{ apiGroups: ['', 'apps'], resources: ['pods', 'endpoints', 'deployments'], verbs: ['list', 'watch'] }],
      });
      cluster.object({
        ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'kube-state-metrics' } },
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'kube-state-metrics' },
        subjects: [{ kind: 'ServiceAccount', ...account }],
      });
      const image = 'registry.k8s.io/kube-state-metrics/kube-state-metrics:v2.13.0';
      const reader = cluster.deployment('monitor/kube-state-metrics', {
        ...{ image, pod: { serviceAccountName: 'kube-state-metrics' } },
      });
      cluster.service('monitor/kube-state-metrics');
      innocentRelease(cluster, after(-45), firm);
      cluster.at(after(0), () => role.delete());
      cluster.at(after(30), () => {
        const forbidden = (kind: string, resource: string): string =>
          `E1123 09:01:02.787670       1 reflector.go:147] k8s.io/client-go@v0.29.6/tools/cache/reflector.go:229: Failed to watch *v1.${kind}: failed to list *v1.${kind}: ${resource} is forbidden: User "system:serviceaccount:monitor:kube-state-metrics" cannot list resource "${resource}" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "kube-state-metrics" not found`;
        cluster.image(
          image,
          ends(
            [
              forbidden('Endpoints', 'endpoints'),
              forbidden('Pod', 'pods'),
              'E1123 09:02:02.801204       1 main.go:63] "Failed to run kube-state-metrics" err="failed to wait for caches to sync"',
            ],
            1,
            40,
          ),
        );
        reader.restart();
      });
      cluster.expectIncident({
        root: 'ServiceAccount/monitor/kube-state-metrics',
        accepts: [
          `ClusterRole.${rbac}//kube-state-metrics`,
          'ClusterRole//kube-state-metrics',
          `ClusterRoleBinding.${rbac}//kube-state-metrics`,
          'ClusterRoleBinding//kube-state-metrics',
        ],
        messages: { resolve: 0 },
        mustNotBlame: ['Service/monitor/kube-state-metrics', 'Deployment/logistics/tracking', 'Node//n1'],
      });
    },
  ),

  // https://github.com/okteto/okteto/issues/381, https://github.com/kubernetes/kubernetes/issues/119593
  'no-more-claims-in-the-quota': reported(
    'The members of a search engine are to be four instead of two, and the quota of the namespace has no volume left for the third',
    (cluster) => {
      const spec = disks(cluster);
      cluster.quota('archive/storage', { 'requests.storage': '50Gi', persistentvolumeclaims: '5' });
      const search = server(cluster, 'archive/manticore', 'docker.io/manticoresearch/manticore:6.3.6', 9308, {
        ...{ replicas: 2, spec },
      });
      cluster.at(after(0), () => search.scale(4));
      const refused =
        'create Pod manticore-2 in StatefulSet manticore failed error: failed to create PVC data-manticore-2: persistentvolumeclaims "data-manticore-2" is forbidden: exceeded quota: storage, requested: requests.storage=20Gi, used: requests.storage=40Gi, limited: requests.storage=50Gi';
      for (const [index, seconds] of [2, 12, 42, 122, 282, 602, 1082].entries())
        cluster.at(after(seconds), () =>
          cluster.event({
            ...{ about: 'StatefulSet/archive/manticore', reason: 'FailedCreate', message: refused },
            ...{ by: 'statefulset-controller', count: index + 12 },
          }),
        );
      cluster.expectIncident({
        root: 'ResourceQuota/archive/storage',
        accepts: ['StatefulSet/archive/manticore'],
        messages: { resolve: 0 },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['StorageClass//gp3', 'CSIDriver//ebs.csi.aws.com', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/percona/percona-helm-charts/issues/460: its newer operator adds companions, which say no sizes.
  'companions-without-sizes-meet-a-quota': reported(
    'An operator is upgraded and adds a companion without sizes to a database; the quota of its namespace wants them said, and the next member is not made',
    (cluster, firm) => {
      cluster.quota('ledger/compute-resources', { 'limits.memory': '32Gi', 'requests.memory': '32Gi' });
      const operator = cluster.deployment('db-operators/percona-server-operator', {
        image: 'docker.io/percona/percona-server-mysql-operator:0.8.0',
      });
      const image = 'docker.io/percona/percona-server:8.0.36';
      const mysql = cluster.statefulSet('ledger/app-db-mysql', { replicas: 3, image, memory: '2Gi' });
      cluster.service('ledger/app-db-mysql');
      innocentRelease(cluster, after(-90), firm);
      cluster.at('240s', () => operator.setImage('docker.io/percona/percona-server-mysql-operator:0.9.0'));
      cluster.at(after(0), () =>
        mysql.change({
          pod: {
            containers: [
              {
                ...{ name: 'app-db-mysql', image },
                resources: { requests: { memory: '2Gi' }, limits: { memory: '2Gi' } },
                readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
              },
              { name: 'pt-heartbeat', image: 'docker.io/percona/percona-toolkit:3.6.0' },
            ],
          },
        }),
      );
      cluster.expectIncident({
        root: 'StatefulSet/ledger/app-db-mysql',
        accepts: ['ResourceQuota/ledger/compute-resources', 'Deployment/db-operators/percona-server-operator'],
        messages: { resolve: 0 },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/logistics/tracking', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
};
