import { type Scenario, scenario } from '../../kit/scenario.ts';
import { surroundings } from '../../kit/surroundings.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tasks/configure-pod-container/pull-image-private-registry/
  'registry-token-expired': scenario(
    'The token for the private registry has expired, and no new Pod gets its image',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const pod = { imagePullSecrets: [{ name: 'regcred' }] };
      const places = ['shop/orders', 'shop/search', 'billing/ledger'];
      const handles = places.map((place) =>
        cluster.deployment(place, { replicas: 2, image: `private.acme.example/${place}:1`, pod }),
      );
      const says = (image: string): string =>
        `failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to authorize: failed to fetch oauth token: unexpected status from POST request to https://private.acme.example/oauth2/token: 401 Unauthorized`;
      for (const place of places)
        cluster.image(`private.acme.example/${place}:2`, { pullError: says(`private.acme.example/${place}:2`) });
      for (const [index, handle] of handles.entries())
        cluster.at(`${8 + 3 * index}s`, () => handle.setImage(`private.acme.example/${places[index]}:2`));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Registry//private.acme.example',
        reason: 'RegistryDenied',
        mustNotBlame: [
          'Deployment/shop/orders',
          'Deployment/shop/search',
          'Deployment/billing/ledger',
          'Deployment/office/wiki',
        ],
      });
    },
  ),

  // https://github.com/namespacelabs/foundation/issues/846 and https://docs.docker.com/docker-hub/usage/
  'docker-hub-rate-limit': scenario('Docker Hub limits the rate of pulls after a drain', (cluster) => {
    surroundings(cluster);
    const images = ['docker.io/library/redis:7.4', 'docker.io/library/nats:2.12', 'docker.io/grafana/grafana:12.1'];
    const places = ['cache/redis', 'messaging/nats', 'monitoring/grafana'];
    for (const [index, place] of places.entries())
      cluster.deployment(place, { replicas: 3, image: images[index] ?? '', container: { imagePullPolicy: 'Always' } });
    cluster.at('5s', () => {
      for (const image of images)
        cluster.image(image, {
          pullError: `failed to pull and unpack image "${image}": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/${image.replace('docker.io/', '').replace(':', '/manifests/')}: 429 Too Many Requests - Server message: toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit`,
        });
    });
    cluster.at('8s', () => cluster.node('n2').drain());
    cluster.lasts('2m30s');
    cluster.expectIncident({
      root: 'Registry//docker.io',
      accepts: ['Registry//registry-1.docker.io'],
      mustNotBlame: [
        'Node//n2',
        'Deployment/cache/redis',
        'Deployment/messaging/nats',
        'Deployment/monitoring/grafana',
      ],
    });
  }),

  // https://kubernetes.io/docs/concepts/containers/images/: a tag that a clean-up of the registry has removed is missed at the next pull.
  'tag-removed-from-the-registry': scenario(
    'A clean-up removed a tag that is still in use; a drain shows it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'registry.acme.example/legacy:2019-11';
      cluster.deployment('office/legacy', { replicas: 3, image, container: { imagePullPolicy: 'Always' } });
      cluster.deployment('shop/orders', { replicas: 3, image: 'registry.acme.example/orders:9' });
      cluster.at('4s', () => cluster.image(image, { pullError: 'NotFound' }));
      cluster.at('9s', () => cluster.node('n1').drain());
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/office/legacy',
        reason: 'ImageNotFound',
        mustNotBlame: ['Node//n1', 'Registry//registry.acme.example', 'Deployment/shop/orders'],
      });
    },
  ),
};
