import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings } from '../../kit/surroundings.ts';

const redisClient = plainEnv({ REDIS_HOST: 'redis.cache.svc.cluster.local' });
const redisPort = { clusterIP: '10.0.0.45', ports: [{ name: 'redis', port: 6379, targetPort: 6379, protocol: 'TCP' }] };

export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubeforge.kartikeytripathi.in/lesson/b10: incidents rarely come one at a time.
  'release-and-machine': scenario('A release crashes, and a machine is lost a moment later', (cluster) => {
    surroundings(cluster);
    const image = 'registry.acme.example/basket';
    const basket = cluster.deployment('shop/basket', { replicas: 3, image: `${image}:1` });
    cluster.deployment('shop/search', { replicas: 4, image: 'registry.acme.example/search:1' });
    cluster.image(
      `${image}:2`,
      ends(["TypeError: Cannot read properties of undefined (reading 'items')", '    at /app/dist/basket.js:88:14']),
    );
    cluster.at('8s', () => basket.setImage(`${image}:2`));
    cluster.at('14s', () => cluster.node('n3').losePower());
    cluster.lasts('2m40s');
    cluster.expectIncident({ root: 'Deployment/shop/basket', reason: 'CrashLoopBackOff', mustNotBlame: ['Node//n3'] });
    cluster.expectIncident({
      root: 'Node//n3',
      reason: 'NodeUnreachable',
      mustNotBlame: ['Deployment/shop/basket', 'Deployment/shop/search'],
    });
  }),

  // Two teams, two mistakes, the same five minutes.
  'two-teams-two-mistakes': scenario('One team forgets a Secret while another misspells a tag', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const env = { SIGNING_KEY: 'secret/signing/key' };
    cluster.deployment('shop/orders', { replicas: 2, image: 'registry.acme.example/orders:1' });
    const wiki = cluster.deployment('docs/handbook', { replicas: 2, image: 'registry.acme.example/handbook:1.0' });
    cluster.image('registry.acme.example/handbook:1.O', { pullError: 'NotFound' });
    cluster.at('8s', () =>
      cluster.deployment('shop/signer', { replicas: 2, image: 'registry.acme.example/signer:1', env }),
    );
    cluster.at('12s', () => wiki.setImage('registry.acme.example/handbook:1.O'));
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Secret/shop/signing',
      accepts: ['Deployment/shop/signer'],
      reason: 'SecretMissing',
      mustNotBlame: ['Deployment/docs/handbook', 'Deployment/shop/orders'],
    });
    cluster.expectIncident({
      root: 'Deployment/docs/handbook',
      reason: 'ImageNotFound',
      mustNotBlame: ['Deployment/shop/signer', 'Registry//registry.acme.example'],
    });
  }),

  // https://sre.google/sre-book/effective-troubleshooting/: correlation is not causation; the release just happened to run.
  'cache-down-during-a-release': scenario('The cache goes down in the middle of a release that is fine', (cluster) => {
    surroundings(cluster);
    const redis = 'docker.io/library/redis:7.4';
    cluster.deployment('cache/redis', { image: redis });
    cluster.service('cache/redis', redisPort);
    const image = 'registry.acme.example/orders';
    const orders = cluster.deployment('shop/orders', { replicas: 4, image: `${image}:1`, container: redisClient });
    const names = ['search', 'basket'];
    for (const name of names)
      cluster.deployment(`shop/${name}`, {
        replicas: 2,
        image: `registry.acme.example/${name}:1`,
        container: redisClient,
      });
    const refused = ends([
      'redis: connection pool: failed to dial after 5 attempts: dial tcp 10.0.0.45:6379: connect: connection refused',
    ]);
    cluster.at('8s', () => {
      orders.setImage(`${image}:2`);
      cluster.befall(
        redis,
        ends(
          [
            '*** FATAL CONFIG FILE ERROR (Redis 7.4.1) ***',
            "Can't open the append-only file appendonly.aof.1.incr.aof: Permission denied",
          ],
          1,
          1,
        ),
      );
    });
    cluster.at('10s', () => {
      for (const each of [`${image}:1`, `${image}:2`, ...names.map((name) => `registry.acme.example/${name}:1`)])
        cluster.befall(each, refused);
    });
    cluster.lasts('3m15s');
    cluster.expectIncident({
      root: 'Deployment/cache/redis',
      mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/search', 'Deployment/shop/basket'],
    });
  }),
};
