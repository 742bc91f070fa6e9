import type { Scenario } from '../../kit/scenario.ts';
import { scenario } from '../../kit/scenario.ts';
import { budget } from '../../kit/things.ts';

/** A Service of one port, the same inside. */
const on = (port: number, more: object = {}): object => ({
  ports: [{ name: 'tcp', port, targetPort: port, protocol: 'TCP' }],
  ...more,
});

/** An autoscaler by the processor, and what its controller says of it at a size. */
const scaler = (place: string) => {
  const [namespace = '', name = ''] = place.split('/');
  return {
    manifest: {
      ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name, namespace } },
      spec: {
        ...{ minReplicas: 2, maxReplicas: 12, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name } },
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 65 } } },
        ],
      },
    },
    status: (current: number, desired = current): object => ({
      ...{ currentReplicas: current, desiredReplicas: desired },
      conditions: [
        {
          ...{ type: 'AbleToScale', status: 'True', lastTransitionTime: 'now' },
          ...(current === desired
            ? { reason: 'ReadyForNewScale', message: 'recommended size matches current size' }
            : {
                reason: 'SucceededRescale',
                message: `the HPA controller was able to update the target scale to ${desired}`,
              }),
        },
        {
          ...{ type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound', lastTransitionTime: 'now' },
          message:
            'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
        },
        {
          ...{ type: 'ScalingLimited', status: 'False', reason: 'DesiredWithinRange', lastTransitionTime: 'now' },
          message: 'the desired count is within the acceptable range',
        },
      ],
    }),
  };
};

/** Days on which nothing is wrong, though it looks so for a moment. */
export const stories: Readonly<Record<string, Scenario>> = {
  'quiet-three-slow-services-go-out-on-one-afternoon': scenario(
    'Three Java services that need most of a minute to start are released one after the other',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const places = ['orders/checkout', 'orders/basket', 'orders/prices'];
      const apps = places.map((place) => {
        cluster.image(`registry.example/${place}:1`, { readyAfterSeconds: 6 });
        cluster.image(`registry.example/${place}:2`, {
          readyAfterSeconds: 52,
          readinessSays: 'Get "http://10.244.2.4:8080/ready": dial tcp 10.244.2.4:8080: connect: connection refused',
          log: [
            '2026-11-24T15:10:02.118Z  INFO 1 --- [           main] o.s.b.SpringApplication : Starting using Java 21.0.4 with PID 1',
          ],
        });
        cluster.service(place);
        return [
          place,
          cluster.deployment(place, { replicas: 3, image: `registry.example/${place}:1`, memory: '512Mi' }),
        ] as const;
      });
      for (const [i, [place, app]] of apps.entries())
        cluster.at(`${10 + i * 90}s`, () => app.setImage(`registry.example/${place}:2`));
      cluster.lasts('8m');
    },
  ),

  'quiet-machines-are-upgraded-by-a-controller-in-turn': scenario(
    'Every Node is drained, rebooted into a new system and let in again; budgets are kept',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      for (const name of ['web', 'api']) {
        cluster.deployment(`shop/${name}`, { replicas: 3, image: `registry.example/shop/${name}:9` });
        cluster.service(`shop/${name}`);
        cluster.object(budget(`shop/${name}`, { maxUnavailable: 1 }));
      }
      for (const [i, name] of ['n1', 'n2', 'n3'].entries()) {
        const from = 10 + i * 150;
        cluster.at(`${from}s`, () => cluster.node(name).drain());
        cluster.at(`${from + 60}s`, () => cluster.node(name).reboot('25s'));
        cluster.at(`${from + 110}s`, () => cluster.node(name).uncordon());
      }
      cluster.lasts('9m');
    },
  ),

  'quiet-noon-rush-is-scaled-up-and-down': scenario(
    'An autoscaler takes a web service from two to eight and back; the last Pods of the rush wait for a new Node',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([
        { name: 'n1', cpu: '2' },
        { name: 'n2', cpu: '2' },
      ]);
      const web = cluster.deployment('menu/web', { replicas: 2, image: 'registry.example/menu/web:5', cpu: '500m' });
      cluster.service('menu/web');
      const { manifest, status } = scaler('menu/web');
      const hpa = cluster.object(manifest);
      hpa.status(status(2));
      const sizes = [
        ['20s', 2, 5],
        ['70s', 5, 10],
        ['6m', 10, 6],
        ['8m', 6, 2],
      ] as const;
      for (const [when, from, to] of sizes)
        cluster.at(when, () => {
          web.scale(to);
          hpa.status(status(from, to));
          cluster.event({
            ...{ about: 'HorizontalPodAutoscaler/menu/web', type: 'Normal', reason: 'SuccessfulRescale' },
            ...{ by: 'horizontal-pod-autoscaler' },
            message: `New size: ${to}; reason: ${to > from ? 'cpu resource utilization (percentage of request) above target' : 'All metrics below target'}`,
          });
        });
      cluster.at('110s', () => cluster.addNode({ name: 'n3', cpu: '2' }));
      cluster.at('3m', () => hpa.status(status(10)));
      cluster.at('9m', () => hpa.status(status(2)));
      cluster.lasts('11m');
    },
  ),

  'quiet-import-loses-a-deadlock-and-wins-the-second-time': scenario(
    'An import in PHP is the victim of a deadlock, is tried again by its Job and ends well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('store/mariadb', { image: 'registry.example/library/mariadb:11.4' });
      cluster.service('store/mariadb', on(3306));
      const image = 'registry.example/store/import:7.30';
      cluster.image(image, {
        exit: { afterSeconds: 9, code: 1 },
        log: [
          'Importing 1204 products from supplier 17',
          'In ExceptionConverter.php line 44:',
          '  An exception occurred while executing a query: SQLSTATE[40001]: Serialization failure: 1213 Deadlock found when trying to get lock; try restarting transaction',
        ],
      });
      cluster.at('10s', () =>
        cluster.job('store/import-supplier-17', {
          ...{ image, values: { DATABASE_URL: 'mysql://store@mariadb.store.svc.cluster.local:3306/store' } },
          spec: { backoffLimit: 3 },
        }),
      );
      cluster.at('24s', () =>
        cluster.image(image, {
          exit: { afterSeconds: 20, code: 0 },
          log: ['Importing 1204 products from supplier 17', ' [OK] 1204 products imported.'],
        }),
      );
      cluster.lasts('4m');
    },
  ),

  'quiet-application-is-faster-than-its-proxy': scenario(
    'Applications in a mesh start before the proxy beside them is ready, end once and come up on the second try',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const proxy = 'registry.example/istio/proxyv2:1.23.2';
      cluster.image(proxy, {
        readyAfterSeconds: 4,
        log: [
          '2026-11-24T10:00:33.515672Z\twarn\tEnvoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected',
        ],
      });
      const image = 'registry.example/quotes/quotes:2';
      const pod = (own: string): object => ({
        containers: [
          { name: 'quotes', image: own, readinessProbe: { httpGet: { path: '/ready', port: 8080 } } },
          { name: 'istio-proxy', image: proxy, readinessProbe: { httpGet: { path: '/healthz/ready', port: 15021 } } },
        ],
      });
      const quotes = cluster.deployment('quotes/quotes', {
        replicas: 3,
        image: 'registry.example/quotes/quotes:1',
        pod: pod('registry.example/quotes/quotes:1'),
      });
      cluster.service('quotes/quotes');
      cluster.image(image, {
        ...{ exit: { afterSeconds: 2, code: 1 }, exits: 1, readyAfterSeconds: 3 },
        log: [
          'panic: dial tcp 10.96.8.21:5432: connect: connection refused',
          '',
          'goroutine 1 [running]:',
          'main.main()',
          '\t/src/main.go:41 +0x1d4',
        ],
      });
      cluster.at('10s', () => quotes.change({ image, pod: pod(image) }));
      cluster.lasts('5m');
    },
  ),

  'quiet-certificate-of-a-door-is-renewed-and-its-proxy-reloaded': scenario(
    'The Secret of a certificate gets the renewed one and a reloader restarts who mounts it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const pair = cluster.object({
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'edge-tls', namespace: 'edge' }, type: 'Opaque' },
        data: { 'tls.crt': 'b2xk', 'tls.key': 'b2xk' },
      });
      const edge = cluster.deployment('edge/haproxy', {
        ...{ replicas: 2, image: 'registry.example/library/haproxy:3.0' },
        container: { volumeMounts: [{ name: 'tls', mountPath: '/etc/haproxy/tls' }] },
        pod: { volumes: [{ name: 'tls', secret: { secretName: 'edge-tls' } }] },
      });
      cluster.service('edge/haproxy', on(8443));
      cluster.at('20s', () => pair.patch({ data: { 'tls.crt': 'bmV3', 'tls.key': 'bmV3' } }));
      cluster.at('35s', () => edge.restart());
      cluster.lasts('4m');
    },
  ),

  'quiet-old-machine-makes-room-for-a-new-one': scenario(
    'A new Node joins, an old one is drained and taken out; a set with memory moves along',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('ledger/nats', { replicas: 3, image: 'registry.example/library/nats:2.10' });
      cluster.service('ledger/nats', on(4222));
      cluster.object(budget('ledger/nats', { maxUnavailable: 1 }));
      cluster.deployment('ledger/api', { replicas: 2, image: 'registry.example/ledger/api:3' });
      cluster.service('ledger/api');
      cluster.daemonSet('monitoring/node-exporter', { image: 'registry.example/prom/node-exporter:v1.8.2' });
      cluster.at('10s', () => cluster.addNode({ name: 'n4' }));
      cluster.at('60s', () => cluster.node('n1').drain());
      cluster.at('150s', () => cluster.node('n1').remove());
      cluster.lasts('7m');
    },
  ),

  'quiet-application-waits-in-its-antechamber-for-its-database': scenario(
    'A whole environment is set up at once; the application waits in its init container until its database is up',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/library/mysql:8.4', { pullSeconds: 12, readyAfterSeconds: 35 });
      cluster.image('registry.example/tools/wait-for:1.4', {
        exit: { afterSeconds: 58, code: 0 },
        log: [
          'waiting for mysql.demo.svc.cluster.local:3306',
          'nc: mysql.demo.svc.cluster.local (10.96.4.4:3306): Connection refused',
          'nc: mysql.demo.svc.cluster.local (10.96.4.4:3306): Connection refused',
        ],
      });
      cluster.at('10s', () => {
        cluster.statefulSet('demo/mysql', { image: 'registry.example/library/mysql:8.4' });
        cluster.service('demo/mysql', on(3306, { clusterIP: '10.96.4.4' }));
        cluster.deployment('demo/wordpress', {
          ...{
            replicas: 2,
            image: 'registry.example/library/wordpress:6.6',
            init: 'registry.example/tools/wait-for:1.4',
          },
          values: { WORDPRESS_DB_HOST: 'mysql.demo.svc.cluster.local:3306' },
        });
        cluster.service('demo/wordpress');
      });
      cluster.lasts('6m');
    },
  ),

  'quiet-canary-is-watched-and-sent-home': scenario(
    'A canary runs beside the real one for a while, is found wanting by its owners and is scaled away; the real one stays',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('video/player', {
        replicas: 4,
        image: 'registry.example/video/player:70',
        labels: { role: 'player' },
      });
      cluster.service('video/player', { selector: { role: 'player' } });
      cluster.at('10s', () =>
        cluster.deployment('video/player-canary', {
          ...{ replicas: 1, image: 'registry.example/video/player:71', labels: { role: 'player' } },
        }),
      );
      const canary = cluster.planned({
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'player-canary', namespace: 'video' } },
      });
      cluster.at('3m', () => canary.patch({ spec: { replicas: 0 } }));
      cluster.at('4m', () => canary.delete());
      cluster.lasts('5m');
    },
  ),

  'quiet-run-by-the-clock-complains-and-succeeds': scenario(
    'A run every two minutes prints warnings and stack traces that it lives with, and succeeds each time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/crawl/sitemap:3', {
        exit: { afterSeconds: 21, code: 0 },
        log: [
          'WARN  DeprecationWarning: The `punycode` module is deprecated.',
          'ERROR fetch https://old.example/robots.txt failed: connect ETIMEDOUT 192.0.2.44:443 (attempt 1 of 3)',
          'ERROR fetch https://old.example/robots.txt failed: connect ETIMEDOUT 192.0.2.44:443 (attempt 2 of 3)',
          'INFO  fetched https://old.example/robots.txt',
          'INFO  sitemap written, 4120 addresses, 0 errors',
        ],
      });
      const run = cluster.cronJob('crawl/sitemap', {
        schedule: '*/2 * * * *',
        image: 'registry.example/crawl/sitemap:3',
      });
      cluster.at('11m', () => run.patch({ spec: { suspend: true } }));
      cluster.lasts('13m');
    },
  ),

  'quiet-cheap-machine-is-taken-back-in-time': scenario(
    'The cloud takes a cheap Node back with two minutes of notice; a handler drains it and another one comes',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.daemonSet('kube-system/termination-handler', {
        image: 'registry.example/aws/node-termination-handler:v1.22.1',
        probe: false,
      });
      cluster.deployment('thumbs/resizer', { replicas: 4, image: 'registry.example/thumbs/resizer:8' });
      cluster.service('thumbs/resizer');
      cluster.at('20s', () => {
        cluster.event({
          ...{ about: 'Node//n3', type: 'Normal', reason: 'SpotInterruption', by: 'aws-node-termination-handler' },
          message: 'Spot ITN received. Instance will be interrupted at 2026-11-24T18:32:00Z',
        });
        cluster.node('n3').drain();
      });
      cluster.at('50s', () => cluster.addNode({ name: 'n4' }));
      cluster.at('140s', () => cluster.node('n3').remove());
      cluster.lasts('6m');
    },
  ),

  'quiet-preview-of-a-branch-lives-and-is-thrown-away': scenario(
    'A preview environment is made for a branch, looked at and deleted with its whole namespace',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/shop/web:210' });
      cluster.service('shop/web');
      const home = cluster.planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'preview-1841' } });
      cluster.at('10s', () => {
        cluster.configMap('preview-1841/web-env', { STAGE: 'preview' });
        cluster.statefulSet('preview-1841/postgres', { image: 'registry.example/library/postgres:16.4', probe: false });
        cluster.service('preview-1841/postgres', on(5432));
      });
      cluster.at('14s', () => {
        cluster.deployment('preview-1841/web', { image: 'registry.example/shop/web:pr-1841', envFrom: ['web-env'] });
        cluster.service('preview-1841/web');
      });
      cluster.at('3m', () => home.delete());
      cluster.lasts('6m');
    },
  ),

  'quiet-cache-is-restarted-and-one-client-stumbles': scenario(
    'A cache is upgraded; one of its clients ends when its connection breaks, and is back within seconds',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const redis = cluster.statefulSet('sessions/valkey', {
        image: 'registry.example/library/valkey:7.2',
        probe: false,
      });
      cluster.service('sessions/valkey', on(6379));
      const image = 'registry.example/sessions/presence:4';
      const values = { REDIS_URL: 'redis://valkey.sessions.svc.cluster.local:6379' };
      cluster.deployment('sessions/presence', { replicas: 1, image, values });
      cluster.deployment('sessions/gateway', { replicas: 3, image: 'registry.example/sessions/gateway:4', values });
      cluster.service('sessions/gateway');
      cluster.at('10s', () => redis.setImage('registry.example/library/valkey:8.0'));
      cluster.at('12s', () =>
        cluster.befall(image, {
          ...{ exit: { afterSeconds: 1, code: 1 }, exits: 1 },
          log: [
            'Error: Socket closed unexpectedly',
            '    at Socket.<anonymous> (/app/node_modules/@redis/client/dist/lib/client/socket.js:194:118)',
          ],
        }),
      );
      cluster.lasts('5m');
    },
  ),

  'quiet-workers-of-a-batch-lose-one-of-theirs-to-a-drain': scenario(
    'A batch with four workers loses one of them to a drain, makes another one and ends well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/ml/embed:3', {
        exit: { afterSeconds: 100, code: 0 },
        log: ['embedding shard: 100%|##########| 20000/20000'],
      });
      cluster.deployment('ml/api', { replicas: 2, image: 'registry.example/ml/api:3' });
      cluster.service('ml/api');
      cluster.at('10s', () =>
        cluster.job('ml/embed-catalog', {
          ...{
            image: 'registry.example/ml/embed:3',
            cpu: '500m',
            spec: { parallelism: 4, completions: 8, backoffLimit: 4 },
          },
        }),
      );
      cluster.at('50s', () => cluster.node('n2').drain());
      cluster.at('110s', () => cluster.node('n2').uncordon());
      cluster.lasts('8m');
    },
  ),

  'quiet-stage-goes-to-sleep-and-wakes-again': scenario(
    'Everything of a stage is scaled to nothing for the night and back in the morning; its settings are edited meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const settings = cluster.configMap('stage/flags', { NEW_SEARCH: 'off' });
      const apps = ['web', 'api', 'worker'].map((name) =>
        cluster.deployment(`stage/${name}`, {
          ...{ replicas: 2, image: `registry.example/stage/${name}:44`, envFrom: ['flags'], probe: name !== 'worker' },
        }),
      );
      cluster.service('stage/web');
      cluster.at('10s', () => {
        for (const app of apps) app.scale(0);
      });
      cluster.at('60s', () => settings.edit({ NEW_SEARCH: 'on' }));
      cluster.at('90s', () => {
        for (const app of apps) app.scale(2);
      });
      cluster.lasts('5m');
    },
  ),
};
