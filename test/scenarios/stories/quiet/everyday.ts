import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings, unready } from '../../kit/surroundings.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/OpenHands/OpenHands-Cloud/issues/472: "the pods eventually recover after a few restart cycles".
  'release-waits-for-its-migration': scenario(
    'A release crashes twice until the migration beside it is done',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'registry.acme.example/orders';
      const orders = cluster.deployment('shop/orders', { replicas: 2, image: `${image}:1` });
      cluster.image(`${image}-migrate:2`, { exit: { afterSeconds: 12, code: 0 }, log: ['applied 3 migrations'] });
      cluster.image(`${image}:2`, {
        ...{ exit: { afterSeconds: 2, code: 1 }, exits: 2, readyAfterSeconds: 3 },
        log: ['sqlalchemy.exc.ProgrammingError: (psycopg2.errors.UndefinedTable) relation "refunds" does not exist'],
      });
      cluster.at('8s', () => {
        cluster.job('shop/migrate-2', { image: `${image}-migrate:2` });
        orders.setImage(`${image}:2`);
      });
      cluster.lasts('2m');
    },
  ),

  // https://kubernetes.io/docs/tutorials/stateful-application/basic-stateful-set/#rolling-update: what asks the database is not ready for a moment.
  'database-restarts': scenario(
    'A database is restarted for a minor version, and its clients wait for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'docker.io/library/postgres';
      const database = cluster.statefulSet('shop/postgres', { image: `${image}:16.3` });
      cluster.service('shop/postgres', { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
      const container = plainEnv({ PGHOST: 'postgres.shop.svc' });
      cluster.deployment('shop/orders', { replicas: 2, image: 'registry.acme.example/orders:3', container });
      cluster.image(`${image}:16.4`, { readyAfterSeconds: 8 });
      cluster.at('8s', () => database.setImage(`${image}:16.4`));
      cluster.at('10s', () =>
        cluster.befall(
          'registry.acme.example/orders:3',
          unready(['connection to server at "postgres.shop.svc" failed: Connection refused']),
        ),
      );
      cluster.at('45s', () => cluster.befall('registry.acme.example/orders:3', {}));
      cluster.lasts('2m');
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy: the third attempt succeeds.
  'job-needs-three-attempts': scenario('An import succeeds at its third attempt', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const image = 'registry.acme.example/import:1';
    cluster.image(image, { exit: { afterSeconds: 4, code: 1 }, log: ['upstream answered 502, try again later'] });
    cluster.at('5s', () => cluster.job('shop/import', { image, spec: { backoffLimit: 6 } }));
    cluster.at('30s', () => cluster.image(image, { exit: { afterSeconds: 4, code: 0 }, log: ['imported 812 rows'] }));
    cluster.lasts('3m');
  }),

  // https://kubernetes.io/blog/2018/04/30/zero-downtime-deployment-kubernetes-jenkins/: blue and green.
  'traffic-switched': scenario('Traffic is switched from blue to green, and blue is taken away', (cluster) => {
    surroundings(cluster);
    const blue = cluster.deployment('shop/web-blue', {
      replicas: 3,
      image: 'registry.acme.example/web:1',
      labels: { slot: 'blue', site: 'web' },
    });
    const service = cluster.service('shop/web', { selector: { site: 'web', slot: 'blue' } });
    cluster.at('8s', () =>
      cluster.deployment('shop/web-green', {
        replicas: 3,
        image: 'registry.acme.example/web:2',
        labels: { slot: 'green', site: 'web' },
      }),
    );
    cluster.at('30s', () => service.patch({ spec: { selector: { site: 'web', slot: 'green' } } }));
    cluster.at('60s', () => blue.scale(0));
    cluster.at('80s', () => blue.delete());
    cluster.lasts('2m');
  }),

  // https://karpenter.sh/docs/concepts/disruption/: a machine is emptied, switched off and deleted because it is not needed.
  'machine-consolidated': scenario('An autoscaler empties a machine and deletes it', (cluster) => {
    cluster.nodes(['n1', 'n2', 'n3', 'n4']);
    surroundings(cluster);
    for (const name of ['orders', 'search'])
      cluster.deployment(`shop/${name}`, { replicas: 4, image: `registry.acme.example/${name}:7` });
    const node = cluster.planned({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n4' } });
    cluster.at('8s', () => cluster.node('n4').drain());
    cluster.at('25s', () => {
      cluster.node('n4').losePower();
      node.delete();
    });
    cluster.lasts('2m');
  }),

  // https://kubernetes.io/docs/concepts/configuration/configmap/: an edit that nobody reads, and a canary that is taken back.
  'canary-taken-back': scenario('A canary of one Pod crashes and is taken back within half a minute', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const settings = cluster.configMap('shop/settings', { LEVEL: 'info' });
    cluster.deployment('shop/orders', {
      replicas: 4,
      image: 'registry.acme.example/orders:7',
      envFrom: ['settings'],
    });
    const image = 'registry.acme.example/orders:8';
    cluster.image(image, ends(['panic: runtime error: index out of range [3] with length 3']));
    let canary: { delete(): void } | undefined;
    cluster.at('3s', () => settings.edit({ LEVEL: 'debug' }));
    cluster.at('8s', () => {
      canary = cluster.deployment('shop/orders-canary', { image, envFrom: ['settings'] });
    });
    cluster.at('22s', () => canary?.delete());
    cluster.lasts('2m');
  }),
};
