import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings, unready } from '../../kit/surroundings.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes/website/issues/54997: a default deny of egress blocks DNS as well.
  'default-deny-blocks-dns': scenario(
    'A default deny of egress takes name resolution from one namespace',
    (cluster) => {
      cluster.pro();
      const { storefront } = surroundings(cluster);
      const names = ['orders', 'search', 'accounts'];
      for (const name of names) {
        const container = plainEnv({ PGHOST: 'postgres.data.svc.cluster.local' });
        cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.acme.example/${name}:7`, container });
      }
      cluster.statefulSet('data/postgres', { image: 'docker.io/library/postgres:16' });
      cluster.service('data/postgres', { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
      cluster.at('3s', () => storefront.restart());
      cluster.at('8s', () =>
        cluster.object({
          apiVersion: 'networking.k8s.io/v1',
          kind: 'NetworkPolicy',
          metadata: { name: 'default-deny', namespace: 'shop' },
          spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
        }),
      );
      cluster.at('16s', () => {
        for (const name of names)
          cluster.befall(
            `registry.acme.example/${name}:7`,
            ends([
              'psycopg2.OperationalError: could not translate host name "postgres.data.svc.cluster.local" to address: Temporary failure in name resolution',
            ]),
          );
      });
      cluster.expectIncident({
        root: 'NetworkPolicy/shop/default-deny',
        mustNotBlame: [
          ...(['Service/kube-system/kube-dns', 'Deployment/kube-system/coredns', 'StatefulSet/data/postgres'] as const),
          ...(['Deployment/shop/orders', 'Deployment/shop/search', 'Deployment/web/storefront'] as const),
        ],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/declare-network-policy/: access is denied without a word, so clients time out.
  'policy-cuts-off-the-database': scenario('A policy lets only one of three clients reach the database', (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.pro();
    surroundings(cluster);
    cluster.statefulSet('data/postgres', { image: 'docker.io/library/postgres:16' });
    cluster.service('data/postgres', {
      clusterIP: '10.0.0.46',
      ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }],
    });
    for (const name of ['orders', 'worker', 'reports']) {
      const container = plainEnv({ DATABASE_URL: 'postgres://app@postgres.data:5432/app' });
      cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.acme.example/${name}:7`, container });
    }
    cluster.at('8s', () =>
      cluster.object({
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name: 'postgres-clients', namespace: 'data' },
        spec: {
          podSelector: { matchLabels: { app: 'postgres' } },
          policyTypes: ['Ingress'],
          ingress: [
            {
              from: [
                {
                  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } },
                  podSelector: { matchLabels: { app: 'orders' } },
                },
              ],
              ports: [{ port: 5432, protocol: 'TCP' }],
            },
          ],
        },
      }),
    );
    cluster.at('14s', () => {
      for (const name of ['worker', 'reports'])
        cluster.befall(
          `registry.acme.example/${name}:7`,
          unready([
            'failed to connect to `host=postgres.data user=app database=app`: dial error (dial tcp 10.0.0.46:5432: i/o timeout)',
          ]),
        );
    });
    cluster.lasts('4m');
    cluster.expectIncident({
      root: 'NetworkPolicy/data/postgres-clients',
      mustNotBlame: [
        'StatefulSet/data/postgres',
        'Service/data/postgres',
        'Deployment/shop/worker',
        'Deployment/shop/reports',
      ],
    });
  }),
};
