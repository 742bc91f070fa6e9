/** Days of a web shop, a university, an energy supplier and a newspaper that look worse than they are. */

import { scenario } from '../../kit/scenario.ts';
import { budget, claim, storageClass } from '../../kit/things.ts';

/** What a database listens on instead of HTTP. */
const listens = (name: string, port: number) => ({
  probe: false,
  container: { ports: [{ name, containerPort: port }], readinessProbe: { tcpSocket: { port } } },
});

export const stories = {
  'usual-sale-weekend-is-scaled-up-in-three-steps-and-down-at-night': scenario(
    'An autoscaler takes a slow-starting shop front from three to nine and back; nothing fails',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.webshop.example/sale-front:9.1.0';
      cluster.image(image, { readyAfterSeconds: 25 });
      const front = cluster.deployment('webshop/sale-front', { replicas: 3, image, cpu: '250m' });
      cluster.service('webshop/sale-front');
      cluster.object(budget('webshop/sale-front', { minAvailable: '60%' }));
      const scaler = cluster.object({
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'sale-front', namespace: 'webshop' },
        spec: {
          minReplicas: 3,
          maxReplicas: 12,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'sale-front' },
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
          ],
        },
      });
      const sized = (currentReplicas: number, desiredReplicas: number) => ({
        currentReplicas,
        desiredReplicas,
        conditions: [
          {
            type: 'AbleToScale',
            status: 'True',
            reason: 'ReadyForNewScale',
            message: 'recommended size matches current size',
            lastTransitionTime: 'now',
          },
          {
            type: 'ScalingActive',
            status: 'True',
            reason: 'ValidMetricFound',
            message:
              'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
            lastTransitionTime: 'now',
          },
          {
            type: 'ScalingLimited',
            status: 'False',
            reason: 'DesiredWithinRange',
            message: 'the desired count is within the acceptable range',
            lastTransitionTime: 'now',
          },
        ],
      });
      scaler.status(sized(3, 3));
      let now = 3;
      for (const [when, size] of [
        ['30s', 5],
        ['90s', 7],
        ['3m', 9],
        ['8m', 6],
        ['13m', 3],
      ] as const)
        cluster.at(when, () => {
          scaler.status(sized(now, size));
          now = size;
          front.scale(size);
          cluster.event({
            about: 'HorizontalPodAutoscaler/webshop/sale-front',
            type: 'Normal',
            reason: 'SuccessfulRescale',
            message: `New size: ${size}; reason: cpu resource utilization (percentage of request) ${size > 4 ? 'above' : 'below'} target`,
            by: 'horizontal-pod-autoscaler',
          });
        });
      for (const [when, size] of [
        ['75s', 5],
        ['135s', 7],
        ['4m', 9],
        ['8m30s', 6],
        ['13m30s', 3],
      ] as const)
        cluster.at(when, () => scaler.status(sized(size, size)));
      cluster.lasts('16m');
    },
  ),

  'usual-first-week-of-term-a-platform-starts-slowly-after-its-release': scenario(
    'A learning platform needs most of a minute until it is ready; readiness fails a few times on each new Pod and the rollout ends well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const web = cluster.deployment('campus/lectures-web', {
        replicas: 3,
        image: 'registry.campus.example/lectures:2026.10',
        spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      });
      cluster.service('campus/lectures-web');
      cluster.object(budget('campus/lectures-web', { maxUnavailable: 1 }));
      cluster.image('registry.campus.example/lectures:2026.11', {
        readyAfterSeconds: 48,
        readinessSays: 'Get "http://10.244.1.31:8080/ready": dial tcp 10.244.1.31:8080: connect: connection refused',
        log: [
          '[2026-11-29 06:00:03 +0000] [1] [INFO] Starting gunicorn 22.0.0',
          'WARNING root: cache for timetable is cold, rebuilding (48211 rows)',
          'ERROR django.request: Internal Server Error: /ready (cache rebuilding, retry later)',
        ],
      });
      cluster.at('15s', () => web.setImage('registry.campus.example/lectures:2026.11'));
      cluster.lasts('7m');
    },
  ),

  'usual-month-end-an-import-meets-a-busy-market-and-comes-through-at-its-second-try': scenario(
    'A Job gets an answer of overload from a market outside, tries again as it is meant to, and succeeds',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.energy.example/market-import:3.7';
      cluster.image(image, {
        exit: { afterSeconds: 12, code: 1 },
        log: [
          '{"level":"info","msg":"loading day-ahead prices","day":"2026-11-30"}',
          '{"level":"error","msg":"GET https://market.exchange.example/v2/auctions: 503 Service Unavailable, retry-after 20"}',
        ],
      });
      cluster.deployment('trading/trading-desk', { replicas: 2, image: 'registry.energy.example/trading-desk:6.6' });
      cluster.service('trading/trading-desk');
      cluster.at('20s', () => {
        cluster.job('trading/market-import', { image, spec: { backoffLimit: 4 } });
      });
      cluster.at('36s', () =>
        cluster.image(image, {
          exit: { afterSeconds: 30, code: 0 },
          log: ['{"level":"info","msg":"96 quarters loaded"}'],
        }),
      );
      cluster.lasts('4m');
    },
  ),

  'usual-sunday-a-press-machine-is-emptied-and-another-takes-its-place': scenario(
    'A machine is drained under budgets, replaced by a new one and removed; everything finds a place',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      for (const name of ['print-queue', 'page-proofs', 'ad-server']) {
        cluster.deployment(`newsroom/${name}`, { replicas: 3, image: `registry.newspaper.example/${name}:12` });
        cluster.service(`newsroom/${name}`);
        cluster.object(budget(`newsroom/${name}`, { maxUnavailable: 1 }));
      }
      cluster.daemonSet('observability/log-agent', { image: 'registry.newspaper.example/log-agent:3.2' });
      cluster.at('20s', () => cluster.addNode({ name: 'n4' }));
      cluster.at('60s', () => cluster.node('n1').drain());
      cluster.at('3m', () => cluster.node('n1').remove());
      cluster.lasts('8m');
    },
  ),

  'usual-release-day-a-basket-comes-up-before-its-new-cache-and-starts-once-more': scenario(
    'A release brings a cache along; the service is up first, ends once because nobody answers, and stays after that',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const next = 'registry.webshop.example/mini-basket:2.0.0';
      const basket = cluster.deployment('webshop/mini-basket', {
        replicas: 2,
        image: 'registry.webshop.example/mini-basket:1.9.4',
      });
      cluster.service('webshop/mini-basket');
      cluster.image('docker.io/valkey/valkey:8.0.1', { pullSeconds: 9, readyAfterSeconds: 2 });
      cluster.image(next, {
        exit: { afterSeconds: 4, code: 1 },
        exits: 1,
        readyAfterSeconds: 6,
        log: [
          'mini-basket 2.0.0',
          'Error: connect ECONNREFUSED 10.96.77.12:6379 (mini-basket-cache.webshop.svc)',
          'giving up after 3 attempts',
        ],
      });
      cluster.at('20s', () => {
        cluster.deployment('webshop/mini-basket-cache', {
          image: 'docker.io/valkey/valkey:8.0.1',
          ...listens('redis', 6379),
        });
        cluster.service('webshop/mini-basket-cache', { ports: [{ name: 'redis', port: 6379, targetPort: 6379 }] });
        basket.change({ image: next, values: { CACHE: 'mini-basket-cache.webshop.svc:6379' } });
      });
      cluster.lasts('4m');
    },
  ),

  'usual-move-of-the-archive-an-antechamber-waits-until-the-database-is-there': scenario(
    'A new application waits in its init container for a database that needs a minute; both come up',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const database = 'docker.io/library/mariadb:11.4.4';
      cluster.image(database, { pullSeconds: 14, readyAfterSeconds: 40 });
      cluster.image('docker.io/library/busybox:1.37', {
        exit: { afterSeconds: 62, code: 0 },
        log: [
          'waiting for photo-db.archive.svc:3306',
          "nc: bad address 'photo-db.archive.svc'",
          'nc: photo-db.archive.svc (10.96.13.9:3306): Connection refused',
        ],
      });
      cluster.deployment('archive/photo-viewer', { replicas: 2, image: 'registry.newspaper.example/photo-viewer:1.8' });
      cluster.service('archive/photo-viewer');
      cluster.at('15s', () => {
        cluster.statefulSet('archive/photo-db', { image: database, ...listens('mysql', 3306) });
        cluster.service('archive/photo-db', {
          clusterIP: 'None',
          ports: [{ name: 'mysql', port: 3306, targetPort: 3306 }],
        });
        cluster.deployment('archive/photo-index', {
          replicas: 1,
          image: 'registry.newspaper.example/photo-index:2.0',
          init: 'docker.io/library/busybox:1.37',
          values: { DB_HOST: 'photo-db.archive.svc' },
        });
        cluster.service('archive/photo-index');
      });
      cluster.lasts('5m');
    },
  ),

  'usual-renewal-a-certificate-of-the-library-is-written-anew-and-its-proxy-restarted': scenario(
    'A TLS Secret is renewed in time and the proxy that shows it is restarted in turn; its callers notice nothing',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const secret = cluster.object({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'Opaque',
        metadata: { name: 'catalogue-cert', namespace: 'library' },
        stringData: { 'cert.pem': 'one', 'key.pem': 'one' },
      });
      const proxy = cluster.deployment('library/catalogue-proxy', {
        replicas: 3,
        image: 'docker.io/library/haproxy:3.1.0',
        container: { volumeMounts: [{ name: 'cert', mountPath: '/etc/haproxy/cert', readOnly: true }] },
        pod: { volumes: [{ name: 'cert', secret: { secretName: 'catalogue-cert' } }] },
      });
      cluster.service('library/catalogue-proxy');
      cluster.deployment('library/catalogue', { replicas: 2, image: 'registry.campus.example/catalogue:7.7' });
      cluster.service('library/catalogue');
      cluster.at('20s', () => secret.patch({ stringData: { 'cert.pem': 'two', 'key.pem': 'two' } }));
      cluster.at('40s', () => proxy.restart());
      cluster.lasts('5m');
    },
  ),

  'usual-readings-of-every-two-minutes-complain-loudly-and-succeed': scenario(
    'A CronJob prints errors about single meters and ends well each time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.energy.example/meter-poll:2.2';
      cluster.image(image, {
        exit: { afterSeconds: 35, code: 0 },
        log: [
          'ERROR meter 4711-22: timeout after 5s, skipped',
          'ERROR meter 4711-90: FATAL protocol error 0x1f, skipped',
          'Traceback (most recent call last):',
          '  File "/app/poll.py", line 77, in read',
          'ConnectionResetError: [Errno 104] Connection reset by peer',
          'INFO 41822 of 41831 meters read, 9 skipped, done',
        ],
      });
      const poll = cluster.cronJob('metering/meter-poll', {
        schedule: '*/2 * * * *',
        image,
        spec: { concurrencyPolicy: 'Forbid', successfulJobsHistoryLimit: 2 },
      });
      cluster.at('13m', () => poll.patch({ spec: { suspend: true } }));
      cluster.lasts('15m');
    },
  ),

  'usual-trial-a-second-version-of-the-price-page-is-watched-and-taken-away': scenario(
    'A trial version runs beside the old one for some minutes and is deleted with its Service, its settings and its Secret',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('webshop/price-page', { replicas: 4, image: 'registry.webshop.example/price-page:10.3' });
      cluster.service('webshop/price-page');
      const service = cluster.planned({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'price-page-trial', namespace: 'webshop' },
        spec: {
          selector: { app: 'price-page-trial' },
          ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
        },
      });
      const trial = cluster.planned({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'price-page-trial', namespace: 'webshop' },
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: 'price-page-trial' } },
          template: {
            metadata: { labels: { app: 'price-page-trial' } },
            spec: {
              containers: [
                {
                  name: 'price-page-trial',
                  image: 'registry.webshop.example/price-page:11.0-rc1',
                  envFrom: [{ configMapRef: { name: 'price-page-trial' } }],
                  readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
                },
              ],
            },
          },
        },
      });
      const settings = cluster.planned({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'price-page-trial', namespace: 'webshop' },
        data: { SHARE: '5' },
      });
      cluster.at('20s', () => settings.create());
      cluster.at('22s', () => {
        trial.create();
        service.create();
      });
      cluster.at('4m', () => service.delete());
      cluster.at('4m2s', () => trial.delete());
      cluster.at('4m10s', () => settings.delete());
      cluster.lasts('6m');
    },
  ),

  'usual-hiccup-the-registry-of-the-house-gives-an-image-at-the-second-asking': scenario(
    'A pull of a release fails once on each machine with an error of the registry and goes through ten seconds later',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const next = 'registry.energy.example/balance-groups:3.1';
      const groups = cluster.deployment('trading/balance-groups', {
        replicas: 2,
        image: 'registry.energy.example/balance-groups:3.0',
      });
      cluster.service('trading/balance-groups');
      cluster.image(next, {
        pullError: `failed to pull and unpack image "${next}": failed to resolve reference "${next}": unexpected status from HEAD request to https://registry.energy.example/v2/balance-groups/manifests/3.1: 503 Service Unavailable`,
        failedPulls: 1,
      });
      cluster.at('20s', () => groups.setImage(next));
      cluster.lasts('4m');
    },
  ),

  'usual-renewal-of-the-agents-on-all-press-machines-one-after-the-other': scenario(
    'A DaemonSet gets a new image and a larger size and is rolled machine by machine, while a Deployment beside it is restarted',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const agent = cluster.daemonSet('observability/press-agent', {
        image: 'registry.newspaper.example/press-agent:1.4',
        memory: '128Mi',
        probe: true,
      });
      cluster.image('registry.newspaper.example/press-agent:1.5', {
        readyAfterSeconds: 18,
        log: [
          'level=warn msg="position file is from an older version, converting"',
          'level=error msg="tail /var/log/pods/old: no such file or directory"',
        ],
      });
      const desk = cluster.deployment('newsroom/photo-desk', {
        replicas: 3,
        image: 'registry.newspaper.example/photo-desk:4.0',
      });
      cluster.service('newsroom/photo-desk');
      cluster.at('20s', () => agent.change({ image: 'registry.newspaper.example/press-agent:1.5', memory: '192Mi' }));
      cluster.at('50s', () => desk.restart());
      cluster.lasts('6m');
    },
  ),

  'usual-patch-of-a-queue-member-by-member-while-its-workers-reconnect': scenario(
    'A RabbitMQ of three is patched in turn; workers log that they reconnect, and never stop being ready',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const next = 'docker.io/library/rabbitmq:3.13.7';
      const workers = 'registry.campus.example/exam-workers:5.1';
      cluster.image(next, { readyAfterSeconds: 14 });
      const queue = cluster.statefulSet('campus/exam-queue', {
        replicas: 3,
        image: 'docker.io/library/rabbitmq:3.13.6',
        ...listens('amqp', 5672),
      });
      cluster.service('campus/exam-queue', {
        clusterIP: 'None',
        ports: [{ name: 'amqp', port: 5672, targetPort: 5672 }],
      });
      cluster.object(budget('campus/exam-queue', { maxUnavailable: 1 }));
      cluster.deployment('campus/exam-workers', {
        replicas: 4,
        image: workers,
        values: { CELERY_BROKER_URL: 'amqp://exams@exam-queue.campus.svc:5672//' },
      });
      cluster.at('20s', () => queue.setImage(next));
      for (const when of ['24s', '45s', '66s'])
        cluster.at(when, () =>
          cluster.befall(workers, {
            log: [
              '[2026-11-29 19:00:24,410: WARNING/MainProcess] consumer: Connection to broker lost. Trying to re-establish the connection...',
              '[2026-11-29 19:00:26,512: ERROR/MainProcess] consumer: Cannot connect to amqp://exams:**@exam-queue.campus.svc:5672//: [Errno 111] Connection refused. Trying again in 2.00 seconds... (1/100)',
              '[2026-11-29 19:00:28,530: INFO/MainProcess] Connected to amqp://exams:**@exam-queue.campus.svc:5672//',
            ],
          }),
        );
      cluster.lasts('6m');
    },
  ),

  'usual-deploy-of-subscriptions-one-of-two-finds-the-other-already-migrating': scenario(
    'Two Rails Pods want to migrate at the same time; one is told that the other does so, ends, and is well at its second start',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const next = 'registry.newspaper.example/subscribers:31';
      let first: string | undefined;
      cluster.image(next, (pod) => {
        first ??= pod.metadata.name;
        if (pod.metadata.name === first) return { readyAfterSeconds: 9 };
        return {
          exit: { afterSeconds: 3, code: 1 },
          exits: 1,
          readyAfterSeconds: 6,
          log: [
            'bin/rails aborted!',
            'ActiveRecord::ConcurrentMigrationError: Cannot run migrations because another migration process is currently running. (ActiveRecord::ConcurrentMigrationError)',
            'Tasks: TOP => db:migrate',
          ],
        };
      });
      const subscribers = cluster.deployment('readers/subscribers', {
        replicas: 2,
        image: 'registry.newspaper.example/subscribers:30',
        spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } } },
      });
      cluster.service('readers/subscribers');
      cluster.at('20s', () => subscribers.setImage(next));
      cluster.lasts('4m');
    },
  ),

  'usual-evening-a-claim-waits-for-the-first-who-needs-it': scenario(
    'A claim of a class that waits for its consumer stands unbound for minutes; when its Job starts it is bound and the Job succeeds',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(storageClass('scratch', { volumeBindingMode: 'WaitForFirstConsumer' }));
      cluster.object({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'physics' } });
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'disk.csi.example' },
        spec: {},
      });
      const image = 'registry.campus.example/lattice:1.2';
      cluster.image(image, {
        exit: { afterSeconds: 90, code: 0 },
        log: ['warning: GPU not found, using CPU', 'sweep 400/400 done'],
      });
      cluster.deployment('physics/portal', { replicas: 1, image: 'registry.campus.example/physics-portal:3' });
      cluster.service('physics/portal');
      const wanted = cluster.planned(claim('physics/lattice-scratch', 'scratch'));
      cluster.at('20s', () => wanted.create());
      cluster.at('4m', () => {
        cluster.job('physics/lattice', {
          image,
          container: { volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }] },
          pod: { volumes: [{ name: 'scratch', persistentVolumeClaim: { claimName: 'lattice-scratch' } }] },
        });
      });
      cluster.lasts('8m');
    },
  ),

  'usual-patch-day-the-kernel-of-two-machines-is-renewed-by-emptying-and-restarting-them': scenario(
    'Two machines are drained, restarted and taken back in turn; a budget holds and nothing is short for long',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      for (const name of ['forecast-view', 'outage-desk']) {
        cluster.deployment(`grid/${name}`, { replicas: 3, image: `registry.energy.example/${name}:4.2`, cpu: '100m' });
        cluster.service(`grid/${name}`);
        cluster.object(budget(`grid/${name}`, { minAvailable: 2 }));
      }
      for (const [node, minute] of [
        ['n1', 0],
        ['n2', 4],
      ] as const) {
        cluster.at(`${minute * 60 + 20}s`, () => cluster.node(node).drain());
        cluster.at(`${minute * 60 + 80}s`, () => cluster.node(node).reboot('30s'));
        cluster.at(`${minute * 60 + 150}s`, () => cluster.node(node).uncordon());
      }
      cluster.lasts('10m');
    },
  ),
};
