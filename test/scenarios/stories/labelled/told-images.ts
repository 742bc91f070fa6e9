import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';

/** Images that were there, and registries that are not what they were. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/opensearch-project/opensearch-k8s-operator/issues/1372, https://github.com/mercari/spanner-autoscaler/issues/212
  'companion-of-two-operators-is-not-published-any-more': reported(
    'The registry of a companion image was closed; two operators that are drained to other machines cannot fetch it again',
    (cluster, firm) => {
      const proxy = 'gcr.io/kubebuilder/kube-rbac-proxy:v0.15.0';
      for (const [place, image] of [
        ['search-system/opensearch-operator', 'docker.io/opensearchproject/opensearch-operator:2.8.0'],
        ['spanner-system/spanner-autoscaler', 'ghcr.io/mercari/spanner-autoscaler:v0.4.1'],
      ] as const) {
        const pod = {
          containers: [
            { name: 'manager', image },
            { name: 'kube-rbac-proxy', image: proxy },
          ],
        };
        cluster.deployment(place, { image, pod });
      }
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => {
        cluster.image(proxy, {
          pullError: `failed to pull and unpack image "${proxy}": failed to resolve reference "${proxy}": ${proxy}: not found`,
        });
        cluster.evict('search-system', 'opensearch-operator');
        cluster.evict('spanner-system', 'spanner-autoscaler');
      });
      cluster.expectIncident({
        root: 'Registry//gcr.io',
        accepts: ['Deployment/search-system/opensearch-operator', 'Deployment/spanner-system/spanner-autoscaler'],
        messages: { resolve: 0, update: '≤2', open: '≤2' },
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/kubernetes/kubernetes/issues/43924, https://github.com/goharbor/harbor/issues/5066
  'registry-is-signed-by-an-authority-that-nobody-knows': reported(
    'The registry of the house has a new certificate of an authority that no machine trusts; three teams that roll out cannot pull',
    (cluster) => {
      const host = 'nexus3.brewery.example:8888';
      const places = { 'brew/recipes': 'recipes', 'brew/tanks': 'tanks', 'sales/orders': 'orders' };
      const handles = Object.entries(places).map(([place, name]) =>
        cluster.deployment(place, { replicas: 2, image: `${host}/${name}:1` }),
      );
      cluster.at(after(0), () => {
        for (const [index, name] of Object.values(places).entries()) {
          const image = `${host}/${name}:2`;
          cluster.image(image, {
            pullError: `failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to do request: Head "https://${host}/v2/${name}/manifests/2": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
          });
          handles[index]?.setImage(image);
        }
      });
      cluster.expectIncident({
        root: `Registry//${host}`,
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          ...Object.keys(places).map((place) => `Deployment/${place}` as `Deployment/${string}/${string}`),
          ...(['Node//n1', 'Node//n2', 'Node//n3'] as const),
        ],
      });
    },
  ),

  // https://github.com/sentry-kubernetes/charts/issues/2038, https://github.com/zammad/zammad-helm/issues/365
  'tags-of-before-are-gone-on-new-machines': reported(
    'New machines replace the old ones, and two databases of one chart find their old tags no more where the old machines still had them',
    (cluster, firm) => {
      cluster.nodes(['n1', 'n2']);
      const images = {
        'zammad/zammad-postgresql': 'docker.io/bitnami/postgresql:17.4.0-debian-12-r4',
        'zammad/zammad-memcached': 'docker.io/bitnami/memcached:1.6.38-debian-12-r3',
      };
      for (const [place, image] of Object.entries(images)) {
        cluster.statefulSet(place, { image });
        cluster.service(place);
      }
      cluster.deployment('zammad/zammad-nginx', { replicas: 2, image: imageAt('zammad-nginx', '6.5') });
      innocentRelease(cluster, after(-90), firm);
      cluster.at('200s', () => {
        for (const name of ['m1', 'm2']) cluster.addNode({ name });
      });
      cluster.at(after(0), () => {
        for (const image of Object.values(images))
          cluster.image(image, {
            pullError: `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
          });
        cluster.node('n1').drain();
      });
      cluster.at(after(60), () => cluster.node('n2').drain());
      cluster.at(after(150), () => {
        for (const name of ['n1', 'n2']) cluster.node(name).remove();
      });
      cluster.expectIncident({
        root: 'Registry//docker.io',
        accepts: ['StatefulSet/zammad/zammad-postgresql', 'StatefulSet/zammad/zammad-memcached'],
        messages: { resolve: 0, update: '≤2', open: '≤2' },
        mustNotBlame: ['Deployment/zammad/zammad-nginx', 'Node//m1', 'Node//m2', 'Deployment/logistics/tracking'],
      });
    },
  ),
};
