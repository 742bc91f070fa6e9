import { imageAt, innocentRelease } from '../../kit/company.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { networkPolicy } from '../../kit/things.ts';

/** Ways in, policies, rights and what a namespace may have. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/projectcontour/contour/issues/5556, https://github.com/projectcontour/contour/issues/7309: a year after the last upgrade.
  'certificates-behind-the-way-in-are-a-year-old': reported(
    'The certificates between a way in and its controller are a year old; its proxies are told nothing any more, on every machine',
    (cluster) => {
      for (const name of ['contourcert', 'envoycert'])
        cluster.secret(`projectcontour/${name}`, { 'tls.crt': 'one', 'tls.key': 'one', 'ca.crt': 'one' });
      cluster.deployment('projectcontour/contour', {
        ...{ replicas: 2, image: 'ghcr.io/projectcontour/contour:v1.30.1', pod: secretVolume('contourcert') },
      });
      cluster.service('projectcontour/contour');
      const image = 'docker.io/envoyproxy/envoy:v1.31.3';
      cluster.daemonSet('projectcontour/envoy', {
        ...{ image, pod: secretVolume('envoycert') },
        values: { XDS_ADDRESS: 'contour.projectcontour.svc.cluster.local:80' },
      });
      cluster.service('projectcontour/envoy');
      cluster.at(after(0), () => {
        cluster.befall(
          image,
          unready([
            '[2026-11-23 09:05:32.118][1][warning][config] [./source/extensions/config_subscription/grpc/grpc_stream.h:190] StreamClusters gRPC config stream to contour closed since 40s ago: 14, upstream connect error or disconnect/reset before headers. reset reason: remote connection failure, transport failure reason: TLS_error:|268435581:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED:verify cert failed: X509_verify_cert: certificate verification error at depth 0: certificate has expired:TLS_error_end',
          ]),
        );
      });
      cluster.expectIncident({
        root: 'Secret/projectcontour/contourcert',
        accepts: [
          'Secret/projectcontour/envoycert',
          'Deployment/projectcontour/contour',
          'DaemonSet/projectcontour/envoy',
        ],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/bitnami/charts/pull/23054, https://github.com/eftechcombr/glpi/pull/173: it is on by default since; taken back after eleven minutes.
  'chart-brings-a-policy-for-its-database': reported(
    'An upgrade of a chart brings a policy that lets only labelled Pods to its database; tickets, inventory and a mailer are shut out for eleven minutes',
    (cluster, firm) => {
      server(cluster, 'glpi/glpi-mariadb', 'docker.io/bitnamilegacy/mariadb:11.2.2', 3306, {
        clusterIP: '10.96.33.60',
      });
      const policy = cluster.planned(
        networkPolicy('glpi/glpi-mariadb', {
          ingress: [
            {
              from: [{ podSelector: { matchLabels: { 'glpi-mariadb-client': 'true' } } }],
              ports: [{ protocol: 'TCP', port: 3306 }],
            },
          ],
        }),
      );
      innocentRelease(cluster, after(-45), firm);
      cluster.at(after(0), () => policy.create());
      const values = { MARIADB_HOST: 'glpi-mariadb.glpi.svc.cluster.local' };
      const places = {
        'glpi/glpi-tickets': {
          does: unready([
            'PHP Fatal error:  Uncaught mysqli_sql_exception: Connection timed out (glpi-mariadb.glpi.svc.cluster.local:3306)',
          ]),
          values,
        },
        'glpi/glpi-inventory': {
          does: ends(
            [
              `ERROR 2002 (HY000): Can't connect to server on 'glpi-mariadb.glpi.svc.cluster.local' (110)`,
              'dial tcp 10.96.33.60:3306: i/o timeout',
            ],
            1,
            31,
          ),
          values,
        },
        'glpi/glpi-mailer': { does: ends(['dial tcp 10.96.33.60:3306: i/o timeout'], 1, 31), values },
      };
      const innocents = clients(cluster, 20, places);
      cluster.at(after(660), () => policy.delete());
      recover(cluster, 670, ...Object.keys(places));
      cluster.expectIncident({
        root: 'NetworkPolicy/glpi/glpi-mariadb',
        messages: { resolve: 1, update: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'StatefulSet/glpi/glpi-mariadb', 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/apecloud/kubeblocks/issues/10059: what it lists since it was upgraded, its role does not know.
  'upgraded-operator-may-not-list-roles': reported(
    'An operator of databases is upgraded and lists roles that it may not list; it ends whenever it has waited for them, and its databases go on',
    (cluster) => {
      const rbac = 'rbac.authorization.k8s.io';
      const name = 'kubeblocks';
      cluster.object({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'kb-system' } });
      cluster.object({
        ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name } },
        rules: [{ apiGroups: ['apps.kubeblocks.io'], resources: ['clusters'], verbs: ['get', 'list', 'watch'] }],
      });
      cluster.object({
        ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name } },
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
        subjects: [{ kind: 'ServiceAccount', name, namespace: 'kb-system' }],
      });
      const operator = cluster.deployment('kb-system/kubeblocks', {
        ...{ image: 'docker.io/apecloud/kubeblocks:0.9.3', pod: { serviceAccountName: name } },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.statefulSet('orders/mycluster-mysql', { replicas: 2, image: imageAt('mysql', '8.0.33') });
      cluster.image(
        'docker.io/apecloud/kubeblocks:1.0.2',
        ends(
          [
            'E1123 09:39:35.201148       1 reflector.go:147] pkg/mod/k8s.io/client-go@v0.29.14/tools/cache/reflector.go:229: Failed to watch *v1.ClusterRole: failed to list *v1.ClusterRole: clusterroles.rbac.authorization.k8s.io is forbidden: User "system:serviceaccount:kb-system:kubeblocks" cannot list resource "clusterroles" in API group "rbac.authorization.k8s.io" at the cluster scope',
            '2026-11-23T09:39:40.702Z\tERROR\tCould not wait for Cache to sync\t{"controller": "opsdefinition", "error": "failed to wait for opsdefinition caches to sync: timed out waiting for cache to be synced for Kind *v1alpha1.OpsDefinition"}',
          ],
          1,
          45,
        ),
      );
      cluster.at(after(0), () => operator.setImage('docker.io/apecloud/kubeblocks:1.0.2'));
      cluster.expectIncident({
        root: 'Deployment/kb-system/kubeblocks',
        accepts: [
          'ServiceAccount/kb-system/kubeblocks',
          'ClusterRole//kubeblocks',
          `ClusterRole.${rbac}//kubeblocks`,
          `ClusterRoleBinding.${rbac}//kubeblocks`,
        ],
        messages: { resolve: 0 },
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['StatefulSet/orders/mycluster-mysql', 'Node//n1'],
      });
    },
  ),

  // https://github.com/ministryofjustice/cloud-platform-environments/pull/1437: thought to be no hard limit.
  'quota-cut-from-three-thousand-to-fifty': reported(
    'The quota of a namespace is cut to almost nothing; what runs goes on, and two services that are released afterwards get no Pod of the new version',
    (cluster, firm) => {
      const quota = cluster.quota('book-a-move/namespace-quota', { 'requests.cpu': '3' });
      const names = ['api', 'frontend'];
      const handles = names.map((name) => {
        cluster.service(`book-a-move/${name}`);
        return cluster.deployment(`book-a-move/${name}`, { replicas: 2, image: imageAt(name, 14), cpu: '20m' });
      });
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () => quota.edit({ 'requests.cpu': '50m' }));
      for (const [index, name] of names.entries())
        cluster.at(after(40 + 50 * index), () => handles[index]?.setImage(imageAt(name, 15)));
      cluster.expectIncident({
        root: 'ResourceQuota/book-a-move/namespace-quota',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 900,
        mustNotBlame: [
          ...names.map((name) => `Deployment/book-a-move/${name}` as const),
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),
};
