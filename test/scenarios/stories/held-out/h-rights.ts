import { define, imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

const rbac = 'rbac.authorization.k8s.io';

/** What the API grants, refuses and serves no more. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/rancher/rancher/issues/17316, https://github.com/kubesphere/kubesphere/issues/5062: a limit for what runs already.
  'project-gets-a-limit-that-it-exceeds-already': reported(
    'A project gets a quota of processors when it uses more already; two workloads that are restarted there do not get all their Pods back',
    (cluster) => {
      const places = ['tender/bids', 'tender/archive'];
      const handles = places.map((place) =>
        cluster.deployment(place, {
          replicas: 3,
          image: imageOf(place),
          cpu: '500m',
          spec: {
            strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } },
            progressDeadlineSeconds: 300,
          },
        }),
      );
      cluster.at(after(-60), () => cluster.quota('tender/default-w4cvq', { 'requests.cpu': '2' }));
      cluster.at(after(0), () => {
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'ResourceQuota/tender/default-w4cvq',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 500,
        mustNotBlame: ['Deployment/tender/bids', 'Deployment/tender/archive'],
      });
    },
  ),

  // https://github.com/kubernetes-sigs/external-dns/issues/5572: the image was raised, the chart with its rights was not.
  'names-are-published-with-the-rights-of-before': reported(
    'The image of ExternalDNS is raised without its chart; it may not list EndpointSlices and ends after a minute, again and again',
    (cluster) => {
      cluster.object({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { namespace: 'edge', name: 'external-dns' },
      });
      cluster.object({
        ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: 'external-dns' } },
        rules: [
          { apiGroups: [''], resources: ['services', 'endpoints', 'pods', 'nodes'], verbs: ['get', 'watch', 'list'] },
        ],
      });
      const repository = 'registry.k8s.io/external-dns/external-dns';
      const dns = cluster.deployment('edge/external-dns', {
        ...{ image: `${repository}:v0.17.0`, pod: { serviceAccountName: 'external-dns' } },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.deployment('edge/landing', { replicas: 2, image: imageOf('edge/landing') });
      cluster.image(
        `${repository}:v0.18.0`,
        ends(
          [
            '{"level":"info","msg":"Created Kubernetes client https://10.96.0.1:443","time":"2026-11-23T09:01:07Z"}',
            'E1123 09:01:31.315775       1 reflector.go:200] "Failed to watch" err="failed to list *v1.EndpointSlice: endpointslices.discovery.k8s.io is forbidden: User \\"system:serviceaccount:edge:external-dns\\" cannot list resource \\"endpointslices\\" in API group \\"discovery.k8s.io\\" at the cluster scope"',
            '{"level":"fatal","msg":"failed to sync *v1.EndpointSlice: context deadline exceeded with timeout 1m0s","time":"2026-11-23T09:02:07Z"}',
          ],
          1,
          60,
        ),
      );
      cluster.at(after(0), () => dns.setImage(`${repository}:v0.18.0`));
      cluster.expectIncident({
        root: 'Deployment/edge/external-dns',
        accepts: ['ServiceAccount/edge/external-dns', `ClusterRole.${rbac}//external-dns`, 'ClusterRole//external-dns'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/edge/landing'],
      });
    },
  ),

  // https://github.com/konpyutaika/nifikop/issues/231, https://github.com/VictoriaMetrics/operator/issues/529
  'operator-looks-for-budgets-of-the-past': reported(
    'The operator of NiFi is moved for the upgrade of its machine, finds a version of budgets that is not served any more, and ends',
    (cluster) => {
      define(cluster, 'nifi.konpyutaika.com/v1', ['NifiCluster']);
      const image = 'ghcr.io/konpyutaika/docker-images/nifikop:v0.14.1-release';
      const pinned = { 'kubernetes.io/hostname': 'n1' };
      cluster.deployment('nifi/nifikop', { image });
      server(cluster, 'nifi/nifi', 'docker.io/apache/nifi:1.23.2', 8443, { nodeSelector: pinned });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              '2026-11-23T08:52:40.101Z\tINFO\tsetup\tstarting manager',
              '2026-11-23T08:52:41.796Z\tERROR\tsetup\tproblem running manager\t{"error": "no matches for kind \\"PodDisruptionBudget\\" in version \\"policy/v1beta1\\""}',
            ],
            1,
            3,
          ),
        );
        cluster.evict('nifi', 'nifikop');
      });
      cluster.expectIncident({
        root: 'Deployment/nifi/nifikop',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/nifi/nifi', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/kubernetes/kube-state-metrics/issues/1368: RBAC: clusterrole "kube-state-metrics" not found.
  'role-that-two-shared-is-uninstalled-with-one': reported(
    'A second installation of a chart is removed, and with it the role of the cluster that the first one used; it lists nothing any more',
    (cluster, firm) => {
      const name = 'kube-state-metrics';
      cluster.object({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'monitor', name } });
      const role = cluster.object({
        ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name } },
        rules: [{ apiGroups: ['', 'apps'], resources: ['*'], verbs: ['list', 'watch'] }],
      });
      cluster.object({
        ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name } },
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
        subjects: [{ kind: 'ServiceAccount', name, namespace: 'monitor' }],
      });
      const image = 'registry.k8s.io/kube-state-metrics/kube-state-metrics:v2.14.0';
      cluster.deployment(`monitor/${name}`, { image, pod: { serviceAccountName: name } });
      cluster.deployment('monitor/dashboards', { image: imageAt('dashboards', 2) });
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => role.delete());
      cluster.at(after(25), () =>
        cluster.befall(
          image,
          unready([
            'E1123 06:01:02.785927       1 reflector.go:158] "Unhandled Error" err="failed to list *v1.Deployment: deployments.apps is forbidden: User \\"system:serviceaccount:monitor:kube-state-metrics\\" cannot list resource \\"deployments\\" in API group \\"apps\\" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io \\"kube-state-metrics\\" not found"',
            'E1123 06:01:03.112004       1 reflector.go:158] "Unhandled Error" err="failed to list *v1.Pod: pods is forbidden: User \\"system:serviceaccount:monitor:kube-state-metrics\\" cannot list resource \\"pods\\" in API group \\"\\" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io \\"kube-state-metrics\\" not found"',
          ]),
        ),
      );
      cluster.expectIncident({
        root: `ClusterRole.${rbac}//${name}`,
        accepts: [`ClusterRole//${name}`, `ServiceAccount/monitor/${name}`, `Deployment/monitor/${name}`],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/monitor/dashboards', 'Deployment/logistics/tracking'],
      });
    },
  ),
};
