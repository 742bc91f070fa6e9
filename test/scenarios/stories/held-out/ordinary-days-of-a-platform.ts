import { scenario } from '../../kit/scenario.ts';
import { budget, claim, storageClass, volume } from '../../kit/things.ts';
import { app, claims, cron, edited, floor, job, plain, service } from './parts/shop-floor.ts';

const restart = {
  spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-28T10:00:00Z' } } } },
};

export const stories = {
  'quiet-release-warms-its-caches-for-a-minute': scenario(
    'A release takes half a minute per replica to be ready and says so in warnings',
    (c) => {
      floor(c, '6m');
      const parts = {
        replicas: 4,
        port: 8080,
        container: { readinessProbe: { httpGet: { path: '/ready', port: 8080 } } },
      };
      const web = c.object(app('Deployment', 'shop/pricing', 'registry.example/shop/pricing:60', parts));
      c.object(service('shop/pricing', 8080));
      c.image('registry.example/shop/pricing:61', {
        readyAfterSeconds: 30,
        log: ['WARN  cache cold, warming 120000 entries', 'WARN  slow start: 28.4 s', 'INFO  ready'],
      });
      c.at('10s', () =>
        web.patch(edited(app('Deployment', 'shop/pricing', 'registry.example/shop/pricing:61', parts))),
      );
    },
  ),

  'quiet-machine-is-emptied-for-a-new-kernel-under-a-budget': scenario(
    'A machine is drained under a disruption budget, rebooted, and used again',
    (c) => {
      floor(c, '7m');
      c.object(app('Deployment', 'pay/ledger', 'registry.example/pay/ledger:2', { replicas: 3, port: 8080 }));
      c.object(service('pay/ledger', 8080));
      c.object(budget('pay/ledger', { maxUnavailable: 1 }));
      c.object(app('DaemonSet', 'kube-system/node-local-dns', 'registry.example/node-cache:1.23', {}));
      c.at('10s', () => c.node('n2').cordon());
      c.at('15s', () => c.node('n2').drain());
      c.at('90s', () => c.node('n2').reboot('40s'));
      c.at('150s', () => c.node('n2').uncordon());
    },
  ),

  'quiet-afternoon-sale-is-scaled-up-and-down-again': scenario(
    'A sale takes a service from three replicas to nine and back',
    (c) => {
      floor(c, '8m');
      const web = c.object(
        app('Deployment', 'sale/front', 'registry.example/sale/front:9', { replicas: 3, port: 8080 }),
      );
      c.object(service('sale/front', 8080));
      c.at('20s', () => web.patch({ spec: { replicas: 6 } }));
      c.at('60s', () => web.patch({ spec: { replicas: 9 } }));
      c.at('4m', () => web.patch({ spec: { replicas: 5 } }));
      c.at('5m', () => web.patch({ spec: { replicas: 3 } }));
    },
  ),

  'quiet-reindex-loses-its-first-attempt': scenario(
    'A Job loses its first attempt to a lost connection and succeeds with the second',
    (c) => {
      floor(c, '5m');
      const image = 'registry.example/search/reindex:4';
      c.image(image, {
        exit: { afterSeconds: 20, code: 1 },
        exits: 1,
        log: ['reindexing products', 'ConnectionResetError: [Errno 104] Connection reset by peer'],
      });
      c.at('10s', () => c.object(job('search/reindex', image, { more: { backoffLimit: 4 } })));
      c.at('32s', () =>
        c.image(image, { exit: { afterSeconds: 30, code: 0 }, log: ['reindexing products', 'done: 91200 documents'] }),
      );
    },
  ),

  'quiet-service-starts-before-its-database-and-tries-again': scenario(
    'A new stack comes up: a service ends once because its database is not there yet, and stays up then',
    (c) => {
      floor(c, '5m');
      const image = 'registry.example/new/api:1';
      c.image('registry.example/postgres:17.2', {
        readyAfterSeconds: 9,
        log: ['LOG:  database system is ready to accept connections'],
      });
      c.image(image, {
        exit: { afterSeconds: 3, code: 1 },
        exits: 1,
        log: ['connection to server at "postgres.new.svc" port 5432 failed: Connection refused'],
      });
      c.at('10s', () => {
        c.object(app('StatefulSet', 'new/postgres', 'registry.example/postgres:17.2', { replicas: 1, port: 5432 }));
        c.object(service('new/postgres', 5432));
        c.object(app('Deployment', 'new/api', image, { replicas: 1, port: 8080, env: { PGHOST: 'postgres.new.svc' } }));
        c.object(service('new/api', 8080));
      });
    },
  ),

  'quiet-certificate-of-the-shop-is-renewed-and-its-proxies-follow': scenario(
    'A certificate is renewed in its Secret and the proxies are restarted one after the other',
    (c) => {
      floor(c, '5m');
      const tls = c.secret('edge/shop-tls', { 'tls.crt': 'b2xk', 'tls.key': 'b2xk' });
      const proxy = c.object(
        app('Deployment', 'edge/haproxy', 'registry.example/haproxy:3.0', {
          replicas: 3,
          port: 443,
          mounts: { 'Secret/shop-tls': '/etc/tls' },
        }),
      );
      c.object(service('edge/haproxy', 443));
      c.image('registry.example/haproxy:3.0', {
        log: [
          '[WARNING]  (8) : Reexecuting Master process',
          '[NOTICE]   (1) : New worker (9) forked',
          '[NOTICE]   (1) : Loading success.',
        ],
      });
      c.at('15s', () => tls.edit({ 'tls.crt': 'bmV3', 'tls.key': 'bmV3' }));
      c.at('40s', () => proxy.patch(restart));
    },
  ),

  'quiet-old-machine-leaves-when-its-successor-is-here': scenario(
    'A machine joins, another is drained and removed',
    (c) => {
      floor(c, '7m');
      c.object(app('Deployment', 'docs/search', 'registry.example/docs/search:3', { replicas: 3, port: 8080 }));
      c.object(service('docs/search', 8080));
      c.object(
        app('DaemonSet', 'monitoring/node-exporter', 'registry.example/prom/node-exporter:v1.8.2', { port: 9100 }),
      );
      c.at('15s', () => c.addNode({ name: 'n4' }));
      c.at('60s', () => c.node('n1').cordon());
      c.at('65s', () => c.node('n1').drain());
      c.at('150s', () => c.node('n1').remove());
    },
  ),

  'quiet-antechamber-waits-for-a-schema': scenario(
    'A release waits half a minute in its init container until a migration is through',
    (c) => {
      floor(c, '5m');
      const wait = 'registry.example/tools/wait-for:2';
      c.image(wait, {
        exit: { afterSeconds: 30, code: 0 },
        log: ['waiting for schema version 41 (is 40)', 'waiting for schema version 41 (is 40)', 'schema version 41'],
      });
      c.image('registry.example/lib/migrate:41', {
        exit: { afterSeconds: 25, code: 0 },
        log: ['applied 0041_add_shelf.sql'],
      });
      const api = c.object(app('Deployment', 'lib/api', 'registry.example/lib/api:40', { port: 8080 }));
      c.object(service('lib/api', 8080));
      c.at('10s', () => c.object(job('lib/migrate-41', 'registry.example/lib/migrate:41')));
      c.at('12s', () =>
        api.patch(
          edited(
            app('Deployment', 'lib/api', 'registry.example/lib/api:41', {
              port: 8080,
              pod: { initContainers: [{ name: 'wait', image: wait }] },
            }),
          ),
        ),
      );
    },
  ),

  'quiet-logs-full-of-errors-that-nobody-minds': scenario(
    'Services log errors of visitors and retries, as on every day, while one of them is restarted',
    (c) => {
      floor(c, '5m');
      c.image('registry.example/web/gateway:7', {
        log: [
          '2026/11/28 10:00:01 [error] 31#31: *811 connect() failed (111: Connection refused) while connecting to upstream, client: 10.244.0.9, server: _, request: "GET /beta HTTP/1.1", upstream: "http://127.0.0.1:9999/beta"',
          '2026/11/28 10:00:04 [error] 31#31: *902 access forbidden by rule, client: 10.244.0.9, server: _, request: "GET /.env HTTP/1.1"',
        ],
      });
      c.image('registry.example/web/login:7', {
        log: [
          'ERROR AuthenticationError: invalid password for user "alice"',
          'WARN  retry 1/3: read tcp 10.244.1.4:51002->10.96.0.40:6379: i/o timeout',
          'INFO  retry succeeded',
        ],
      });
      const gateway = c.object(app('Deployment', 'web/gateway', 'registry.example/web/gateway:7', { port: 80 }));
      c.object(service('web/gateway', 80));
      c.object(app('Deployment', 'web/login', 'registry.example/web/login:7', { port: 8080 }));
      c.at('30s', () => gateway.patch(restart));
    },
  ),

  'quiet-settings-are-edited-three-times-and-read-again': scenario(
    'Settings are edited three times in five minutes, each time followed by a restart',
    (c) => {
      floor(c, '7m');
      const settings = c.configMap('ads/bidder', { 'bidder.toml': 'floor = 0.1\n' });
      const bidder = c.object(
        app('Deployment', 'ads/bidder', 'registry.example/ads/bidder:3', {
          replicas: 3,
          port: 8080,
          mounts: { 'ConfigMap/bidder': '/etc/bidder' },
        }),
      );
      c.object(service('ads/bidder', 8080));
      for (const [i, at] of [20, 120, 220].entries()) {
        c.at(`${at}s`, () => settings.edit({ 'bidder.toml': `floor = 0.${i + 2}\n` }));
        c.at(`${at + 10}s`, () =>
          bidder.patch({ spec: { template: { metadata: { annotations: { 'checksum/config': `c${i}` } } } } }),
        );
      }
    },
  ),

  'quiet-report-of-every-minute-needs-more-tries-once': scenario(
    'A run by the clock fails twice within one of its turns and succeeds with the third attempt',
    (c) => {
      floor(c, '6m');
      const image = 'registry.example/bi/report:8';
      const good = { exit: { afterSeconds: 8, code: 0 }, log: ['report written'] };
      c.image(image, good);
      const run = c.object(cron('bi/report', '* * * * *', image, { more: { backoffLimit: 3 } }));
      c.at('100s', () =>
        c.image(image, {
          exit: { afterSeconds: 4, code: 1 },
          log: [
            "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='rates.example', port=443): Read timed out. (read timeout=4)",
          ],
        }),
      );
      c.at('163s', () => c.image(image, good));
      c.at('5m30s', () => run.patch({ spec: { suspend: true } }));
    },
  ),

  'quiet-members-of-a-queue-are-raised-while-clients-reconnect': scenario(
    'A queue is upgraded member by member; its clients log that they reconnect',
    (c) => {
      floor(c, '8m');
      c.image('registry.example/rabbitmq:3.13.7', {
        readyAfterSeconds: 12,
        log: ['Server startup complete; 5 plugins started.'],
      });
      const queue = c.object(
        app('StatefulSet', 'mq/rabbitmq', 'registry.example/rabbitmq:3.13.6', { replicas: 3, port: 5672 }),
      );
      c.object(service('mq/rabbitmq', 5672));
      c.image('registry.example/mq/worker:5', {
        log: [
          '[WARNING] consumer: Connection to broker lost. Trying to re-establish the connection...',
          'ConnectionResetError: [Errno 104] Connection reset by peer',
          '[INFO] Connected to amqp://app:**@rabbitmq.mq.svc:5672//',
        ],
      });
      c.object(
        app('Deployment', 'mq/worker', 'registry.example/mq/worker:5', {
          replicas: 3,
          env: { CELERY_BROKER_URL: 'amqp://rabbitmq.mq.svc:5672//' },
        }),
      );
      c.at('15s', () =>
        queue.patch(
          edited(app('StatefulSet', 'mq/rabbitmq', 'registry.example/rabbitmq:3.13.7', { replicas: 3, port: 5672 })),
        ),
      );
    },
  ),

  'quiet-registry-answers-at-the-second-pull': scenario(
    'A pull meets a restarting registry twice and succeeds with the third attempt',
    (c) => {
      floor(c, '5m');
      const api = c.object(app('Deployment', 'tax/api', 'registry.example/tax/api:1', { replicas: 3, port: 8080 }));
      c.object(service('tax/api', 8080));
      c.image('registry.example/tax/api:2', { pullError: 'RegistryUnreachable', failedPulls: 1, pullSeconds: 6 });
      c.at('10s', () =>
        api.patch(edited(app('Deployment', 'tax/api', 'registry.example/tax/api:2', { replicas: 3, port: 8080 }))),
      );
    },
  ),

  'quiet-agents-of-all-machines-are-renewed-with-a-right-more': scenario(
    'An agent gets a new version and a larger role, machine by machine',
    (c) => {
      floor(c, '6m');
      const rules = (resources: readonly string[]) => ({
        rules: [{ apiGroups: [''], resources, verbs: ['get', 'list', 'watch'] }],
      });
      const role = c.object(plain('rbac.authorization.k8s.io/v1', 'ClusterRole', '/log-agent', rules(['pods'])));
      c.object(plain('v1', 'ServiceAccount', 'logging/log-agent'));
      const agent = c.object(
        app('DaemonSet', 'logging/log-agent', 'registry.example/log-agent:5', { account: 'log-agent' }),
      );
      c.image('registry.example/log-agent:6', {
        readyAfterSeconds: 8,
        log: ['level=warn msg="position file not found, starting at the end"', 'level=info msg="tailing 41 files"'],
      });
      c.at('10s', () => role.patch(rules(['pods', 'namespaces'])));
      c.at('20s', () =>
        agent.patch(
          edited(app('DaemonSet', 'logging/log-agent', 'registry.example/log-agent:6', { account: 'log-agent' })),
        ),
      );
    },
  ),

  'quiet-archive-gets-a-volume-and-a-member-more': scenario(
    'A volume is made for a claim within seconds, and a store gets its next member on it',
    (c) => {
      floor(c, '6m');
      c.object(storageClass('standard'));
      const at = (i: number) =>
        volume(`pvc-minio-${i}`, 'standard', { claimRef: { namespace: 'archive', name: `data-minio-${i}` } });
      for (const i of [0, 1]) c.object(at(i));
      c.object(volume('pvc-inbox', 'standard', { claimRef: { namespace: 'archive', name: 'inbox' } }));
      const store = c.object(
        app('StatefulSet', 'archive/minio', 'registry.example/minio:2024-11', {
          replicas: 2,
          port: 9000,
          mounts: { 'own/data': '/data' },
          more: claims('data', 'standard', '1Gi'),
        }),
      );
      c.object(service('archive/minio', 9000));
      c.object(claim('archive/inbox', 'standard'));
      c.at('20s', () => store.patch({ spec: { replicas: 3 } }));
      c.at('28s', () => c.object(at(2)));
    },
  ),
};
