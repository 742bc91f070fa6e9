import { innocentRelease } from '../../kit/company.ts';
import { after, killed, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

/** Images that cannot be pulled. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/chatwoot/chatwoot/issues/12735: the tag was there when the Pod was first started.
  'tag-withdrawn-by-its-maker': reported(
    'The maker of an image has withdrawn its old tags; a Redis that moves to another machine finds its own no more, and a worker loses it',
    (cluster) => {
      const image = 'docker.io/bitnami/redis:6.2.7-debian-11-r3';
      server(cluster, 'support/chatwoot-redis', image, 6379, {
        clusterIP: '10.96.61.4',
      });
      cluster.deployment('support/chatwoot-web', {
        replicas: 2,
        image: 'docker.io/chatwoot/chatwoot:v4.6.0',
        values: { REDIS_URL: 'redis://chatwoot-redis.support.svc.cluster.local:6379' },
      });
      cluster.service('support/chatwoot-web');
      cluster.at(after(0), () => {
        cluster.image(image, { pullError: 'NotFound' });
        cluster.evict('support', 'chatwoot-redis');
      });
      cluster.at(after(25), () =>
        cluster.befall(
          'docker.io/chatwoot/chatwoot:v4.6.0',
          unready([
            'Redis::CannotConnectError (Error connecting to Redis on chatwoot-redis.support.svc.cluster.local:6379 (Errno::ECONNREFUSED)):',
            "redis (4.8.1) lib/redis/client.rb:398:in `rescue in establish_connection'",
          ]),
        ),
      );
      cluster.expectIncident({
        root: 'StatefulSet/support/chatwoot-redis',
        accepts: ['Registry//docker.io'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/support/chatwoot-web', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/fluxcd/flux2/issues/643, https://github.com/kubernetes/community/issues/4003: a token for twelve hours in a pull Secret.
  'pull-token-runs-out-after-twelve-hours': reported(
    'The token in the pull Secret of a namespace has run out; two workloads that scale up cannot pull, another namespace can',
    (cluster, firm) => {
      const host = '123456789012.dkr.ecr.eu-central-1.amazonaws.com';
      cluster.secret('prod/ecr-registry', { '.dockerconfigjson': '{}' });
      const pod = { imagePullSecrets: [{ name: 'ecr-registry' }] };
      const names = ['booking', 'fares'];
      const handles = names.map((name) =>
        cluster.deployment(`prod/${name}`, { replicas: 2, image: `${host}/${name}:2026.11.3`, pod }),
      );
      cluster.deployment('staging/booking', { replicas: 1, image: `${host}/booking:2026.11.4` });
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => {
        for (const [index, name] of names.entries()) {
          cluster.image(`${host}/${name}:2026.11.3`, {
            pullError: `failed to pull and unpack image "${host}/${name}:2026.11.3": failed to resolve reference "${host}/${name}:2026.11.3": unexpected status from HEAD request to https://${host}/v2/${name}/manifests/2026.11.3: 403 Forbidden`,
          });
          handles[index]?.scale(6);
        }
      });
      cluster.expectIncident({
        root: 'Secret/prod/ecr-registry',
        accepts: [`Registry//${host}`],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/prod/booking', 'Deployment/prod/fares', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/kubernetes/autoscaler/issues/3710, https://github.com/democratic-csi/democratic-csi/issues/90
  'pull-rate-limit-on-a-new-machine': reported(
    'A new machine pulls everything at once and Docker Hub counts too many requests; three teams wait for their Pods there',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      const images = {
        'blog/wordpress': 'docker.io/library/wordpress:6.6-apache',
        'data/adminer': 'docker.io/library/adminer:4.8.1',
        'proxy/nginx': 'docker.io/library/nginx:1.27.1',
      };
      const handles = Object.entries(images).map(([place, image]) => cluster.deployment(place, { replicas: 2, image }));
      cluster.at(after(0), () => {
        cluster.addNode({ name: 'n3' });
        for (const image of Object.values(images)) {
          const name = image.replace('docker.io/', '').replace(/:.*/, '');
          const limited = {
            pullError: `failed to pull and unpack image "${image}": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/${name}/manifests/sha256:8d0bff43db3ce5c528cb6f957520511d263d7cceee012696e4afdc9087919bb9: 429 Too Many Requests - Server message: toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit`,
          };
          cluster.image(image, ({ spec }) => (spec.nodeName === 'n3' ? limited : {}));
        }
      });
      cluster.at(after(15), () => {
        cluster.node('n2').cordon();
        for (const handle of handles) handle.scale(5);
      });
      cluster.at(after(1080), () => {
        for (const image of Object.values(images)) cluster.image(image, {});
      });
      cluster.expectIncident({
        root: 'Registry//docker.io',
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: ['Deployment/blog/wordpress', 'Deployment/data/adminer', 'Deployment/proxy/nginx', 'Node//n3'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/goharbor/harbor/issues/20823: without its Redis the core of the registry ends, and nothing can be pulled.
  'registry-of-the-house-loses-its-cache': reported(
    'The Redis of a Harbor in the cluster is killed for its memory, the core of the registry ends, and a workload that moves cannot pull',
    (cluster) => {
      const redis = 'docker.io/goharbor/redis-photon:v2.11.1';
      server(cluster, 'harbor/harbor-redis', redis, 6379, { clusterIP: '10.96.80.12', memory: '128Mi' });
      const core = 'docker.io/goharbor/harbor-core:v2.11.1';
      cluster.deployment('harbor/harbor-core', {
        replicas: 2,
        image: core,
        values: { _REDIS_URL_CORE: 'redis://harbor-redis.harbor.svc.cluster.local:6379/0' },
      });
      cluster.service('harbor/harbor-core');
      cluster.object(ingressClass);
      const own = ingress('harbor/harbor-core');
      cluster.object({
        ...own,
        spec: {
          ingressClassName: 'nginx',
          rules: [
            {
              host: 'harbor.borealis.example',
              http: {
                paths: [
                  {
                    path: '/',
                    pathType: 'Prefix',
                    backend: { service: { name: 'harbor-core', port: { number: 80 } } },
                  },
                ],
              },
            },
          ],
        },
      });
      const image = 'harbor.borealis.example/shop/storefront:118';
      const storefront = cluster.deployment('shop/storefront', { replicas: 3, image });
      cluster.service('shop/storefront');
      cluster.at(after(0), () =>
        cluster.befall(redis, killed(['1:M 22 Nov 2026 09:01:53.120 * Ready to accept connections'])),
      );
      cluster.at(after(25), () => {
        cluster.befall(
          core,
          ends(
            [
              '2026-11-22T09:02:05Z [ERROR] [/lib/cache/cache.go:124]: failed to ping redis://harbor-redis.harbor.svc.cluster.local:6379/0?idle_timeout_seconds=30, retry after 10s : dial tcp 10.96.80.12:6379: connect: connection refused',
              '2026-11-22T09:02:53Z [FATAL] [/core/main.go:156]: failed to initialize cache: retry timeout: dial tcp 10.96.80.12:6379: connect: connection refused',
            ],
            1,
            20,
          ),
        );
      });
      cluster.at(after(120), () => {
        cluster.image(image, {
          pullError: `failed to pull and unpack image "${image}": failed to resolve reference "${image}": unexpected status from HEAD request to https://harbor.borealis.example/v2/shop/storefront/manifests/118: 503 Service Temporarily Unavailable`,
        });
        storefront.scale(5);
      });
      cluster.expectIncident({
        root: 'StatefulSet/harbor/harbor-redis',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/shop/storefront', 'Deployment/harbor/harbor-core', 'Service/harbor/harbor-core'],
      });
    },
  ),
};
