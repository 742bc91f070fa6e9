import type { Scenario } from '../../kit/scenario.ts';
import { scenario } from '../../kit/scenario.ts';
import { networkPolicy } from '../../kit/things.ts';

/** A Service of one port, the same inside. */
const on = (port: number, more: object = {}): object => ({
  ports: [{ name: 'tcp', port, targetPort: port, protocol: 'TCP' }],
  ...more,
});

/** Databases, caches, queues, names and the way to them, as applications meet them. */
export const stories: Readonly<Record<string, Scenario>> = {
  'address-of-the-cache-leads-to-its-copy': scenario(
    'The Service of the writable cache is pointed at the copy; web and workers may not write any more',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('forum/redis-primary', { image: 'registry.example/library/redis:7.4', probe: false });
      cluster.statefulSet('forum/redis-replica', { image: 'registry.example/library/redis:7.4', probe: false });
      const redis = cluster.service('forum/redis', on(6379, { selector: { app: 'redis-primary' } }));
      const values = { REDIS_URL: 'redis://redis.forum.svc.cluster.local:6379/0' };
      cluster.deployment('forum/web', {
        ...{ replicas: 3, image: 'registry.example/forum/rails-web:9.1', values },
      });
      cluster.service('forum/web');
      cluster.deployment('forum/sidekiq', {
        ...{
          replicas: 2,
          image: 'registry.example/forum/rails-sidekiq:9.1',
          values,
          command: ['bundle', 'exec', 'sidekiq'],
        },
        container: { livenessProbe: { exec: { command: ['bin/sidekiq-alive'] }, periodSeconds: 10 } },
        probe: false,
      });
      cluster.at('10s', () => redis.patch({ spec: { selector: { app: 'redis-replica' } } }));
      cluster.at('16s', () => {
        cluster.befall('registry.example/forum/rails-web:9.1', {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 500',
          log: [
            '[4f0a1c22] Started GET "/ready" for 10.0.0.2 at 2026-11-24 13:20:41 +0000',
            "[4f0a1c22] Redis::CommandError (READONLY You can't write against a read only replica.):",
            "[4f0a1c22] app/controllers/health_controller.rb:9:in `ready'",
            '[8d11b0fe] Started GET "/ready" for 10.0.0.2 at 2026-11-24 13:20:51 +0000',
            "[8d11b0fe] Redis::CommandError (READONLY You can't write against a read only replica.):",
          ],
        });
        cluster.befall('registry.example/forum/rails-sidekiq:9.1', {
          livenessFails: { afterSeconds: 5, says: 'sidekiq-alive: no heartbeat for 60 seconds' },
          log: [
            '2026-11-24T13:20:44.285Z pid=1 tid=j7p INFO: Booted Rails 7.2.2 application in production environment',
            "2026-11-24T13:20:46.285Z pid=1 tid=j7p WARN: RedisClient::ReadOnlyError: READONLY You can't write against a read only replica. (redis://redis.forum.svc.cluster.local:6379)",
            "2026-11-24T13:20:48.771Z pid=1 tid=10y1 WARN: Unable to flush stats: READONLY You can't write against a read only replica. (redis://redis.forum.svc.cluster.local:6379)",
            "2026-11-24T13:20:48.790Z pid=1 tid=10y1 ERROR: heartbeat: READONLY You can't write against a read only replica. (redis://redis.forum.svc.cluster.local:6379)",
          ],
        });
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Service/forum/redis',
        mustNotBlame: ['StatefulSet/forum/redis-primary', 'Deployment/forum/web', 'Deployment/forum/sidekiq'],
      });
    },
  ),

  'password-of-a-broker-is-edited-for-its-users-alone': scenario(
    'The Secret with the password for the broker is edited and the .NET workers are restarted; the broker keeps the old one and is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const login = cluster.secret('fulfilment/rabbitmq-login', { username: 'fulfilment', password: 'old-one' });
      cluster.statefulSet('messaging/rabbitmq', {
        replicas: 3,
        image: 'registry.example/library/rabbitmq:3.13',
        memory: '512Mi',
      });
      cluster.service('messaging/rabbitmq', on(5672));
      const worker = cluster.deployment('fulfilment/picker', {
        ...{ replicas: 2, image: 'registry.example/fulfilment/picker:6.0.1', probe: false },
        env: {
          RabbitMq__Password: 'secret/rabbitmq-login/password',
          RabbitMq__Username: 'secret/rabbitmq-login/username',
        },
        values: { RabbitMq__Host: 'rabbitmq.messaging.svc.cluster.local' },
      });
      cluster.at('10s', () => login.edit({ password: 'new-one' }));
      cluster.at('25s', () => {
        cluster.image('registry.example/fulfilment/picker:6.0.1', {
          exit: { afterSeconds: 6, code: 134 },
          log: [
            'info: MassTransit[0]',
            '      Configured endpoint pick-order, Consumer: Fulfilment.Picker.PickOrderConsumer',
            'fail: MassTransit[0]',
            '      Connection Failed: rabbitmq://rabbitmq.messaging.svc.cluster.local/',
            'Unhandled exception. RabbitMQ.Client.Exceptions.BrokerUnreachableException: None of the specified endpoints were reachable',
            ' ---> RabbitMQ.Client.Exceptions.AuthenticationFailureException: ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.',
            '   at RabbitMQ.Client.Framing.Impl.Connection.StartAndTune()',
            '   at RabbitMQ.Client.Framing.Impl.Connection.Open(Boolean insist)',
          ],
        });
        worker.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Secret/fulfilment/rabbitmq-login',
        mustNotBlame: ['StatefulSet/messaging/rabbitmq', 'Service/messaging/rabbitmq'],
      });
    },
  ),

  'flags-cannot-reach-their-database-behind-a-new-policy': scenario(
    'A policy for backups shuts the database of the feature flags to the flags themselves; the flags were upgraded an hour of work earlier',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('flags/postgres', { image: 'registry.example/library/postgres:16.4', probe: false });
      cluster.service('flags/postgres', on(5432, { clusterIP: '10.96.14.7' }));
      const flags = cluster.deployment('flags/flagsmith', {
        ...{ replicas: 2, image: 'registry.example/flags/flagsmith:2.150.0' },
        values: { DATABASE_URL: 'postgresql://flagsmith@postgres.flags.svc.cluster.local:5432/flagsmith' },
      });
      cluster.service('flags/flagsmith');
      const policy = cluster.planned(
        networkPolicy('flags/postgres', {
          ingress: [
            {
              from: [{ podSelector: { matchLabels: { app: 'pg-backup' } } }],
              ports: [{ protocol: 'TCP', port: 5432 }],
            },
          ],
        }),
      );
      cluster.at('5s', () => flags.setImage('registry.example/flags/flagsmith:2.151.0'));
      cluster.at('130s', () => policy.create());
      cluster.at('140s', () =>
        cluster.befall('registry.example/flags/flagsmith:2.151.0', {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 55, code: 1 },
          log: [
            '[2026-11-24 14:03:22 +0000] [9] [ERROR] Internal Server Error: /health/readiness',
            'Traceback (most recent call last):',
            '  File "/usr/local/lib/python3.12/site-packages/django/db/backends/base/base.py", line 270, in connect',
            '    self.connection = self.get_new_connection(conn_params)',
            'django.db.utils.OperationalError: connection to server at "postgres.flags.svc.cluster.local" (10.96.14.7), port 5432 failed: Connection timed out',
            '\tIs the server running on that host and accepting TCP/IP connections?',
          ],
        }),
      );
      cluster.lasts('8m');
      cluster.expectIncident({
        root: 'NetworkPolicy/flags/postgres',
        mustNotBlame: ['Deployment/flags/flagsmith', 'StatefulSet/flags/postgres'],
      });
    },
  ),

  'cache-is-given-a-tenth-of-its-memory': scenario(
    'The configuration of the cache loses a zero; its users are told that there is no room, and a bot of a third team crashes of its own',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const conf = cluster.configMap('sessions/redis-conf', {
        'redis.conf': 'maxmemory 4000mb\nmaxmemory-policy noeviction\n',
      });
      const redis = cluster.statefulSet('sessions/redis', {
        ...{ image: 'registry.example/library/redis:7.2', probe: false, command: ['redis-server', '/conf/redis.conf'] },
        container: { volumeMounts: [{ name: 'conf', mountPath: '/conf' }] },
        pod: { volumes: [{ name: 'conf', configMap: { name: 'redis-conf' } }] },
      });
      cluster.service('sessions/redis', on(6379));
      cluster.deployment('portal/login', {
        ...{ replicas: 3, image: 'registry.example/portal/login:4.4' },
        values: { REDIS_HOST: 'redis.sessions.svc.cluster.local', REDIS_PORT: '6379' },
      });
      cluster.service('portal/login');
      const bot = cluster.deployment('chatops/standup-bot', {
        image: 'registry.example/chatops/standup-bot:0.9',
        probe: false,
      });
      cluster.at('10s', () => conf.edit({ 'redis.conf': 'maxmemory 400mb\nmaxmemory-policy noeviction\n' }));
      cluster.at('20s', () => redis.restart());
      cluster.at('40s', () =>
        cluster.befall('registry.example/portal/login:4.4', {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 503',
          exit: { afterSeconds: 65, code: 1 },
          log: [
            'ERROR:login.session:cannot write session',
            'Traceback (most recent call last):',
            '  File "/app/login/session.py", line 58, in save',
            '    self.redis.setex(key, self.ttl, payload)',
            "redis.exceptions.OutOfMemoryError: command not allowed when used memory > 'maxmemory'.",
            'CRITICAL:login.main:session store redis.sessions.svc.cluster.local:6379 unusable, giving up',
          ],
        }),
      );
      cluster.image('registry.example/chatops/standup-bot:0.10', {
        exit: { afterSeconds: 3, code: 1 },
        log: [
          'node:internal/modules/cjs/loader:1228',
          '  throw err;',
          "Error: Cannot find module '@slack/bolt'",
          'Require stack:',
          '- /app/index.js',
          "  code: 'MODULE_NOT_FOUND',",
        ],
      });
      cluster.at('60s', () => bot.setImage('registry.example/chatops/standup-bot:0.10'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'ConfigMap/sessions/redis-conf',
        accepts: ['StatefulSet/sessions/redis'],
        mustNotBlame: ['Deployment/portal/login'],
      });
      cluster.expectIncident({ root: 'Deployment/chatops/standup-bot' });
    },
  ),

  'documents-are-killed-for-their-memory-and-three-services-with-them': scenario(
    'A document database is killed again and again at its limit; three services of two languages cannot reach it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.example/library/mongo:7.0';
      cluster.statefulSet('travel/mongo', { image, memory: '512Mi' });
      cluster.service('travel/mongo', on(27017, { clusterIP: '10.96.30.9' }));
      const values = { MONGO_URL: 'mongodb://mongo.travel.svc.cluster.local:27017/travel' };
      cluster.deployment('travel/booking', { replicas: 2, image: 'registry.example/travel/booking:2.2', values });
      cluster.deployment('travel/offers', { replicas: 2, image: 'registry.example/travel/offers:2.0', values });
      cluster.deployment('travel/mail', { replicas: 1, image: 'registry.example/travel/mail:1.1', values });
      for (const name of ['booking', 'offers', 'mail']) cluster.service(`travel/${name}`);
      cluster.at('20s', () =>
        cluster.befall(image, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 8, code: 137, oom: true },
          log: [
            '{"t":{"$date":"2026-11-24T15:00:01.102+00:00"},"s":"I","c":"CONTROL","id":23285,"ctx":"main","msg":"Automatically disabling TLS 1.0"}',
            '{"t":{"$date":"2026-11-24T15:00:01.880+00:00"},"s":"I","c":"STORAGE","id":22315,"ctx":"initandlisten","msg":"Opening WiredTiger","attr":{"config":"create,cache_size=3474M,session_max=33000"}}',
            '{"t":{"$date":"2026-11-24T15:00:04.310+00:00"},"s":"I","c":"RECOVERY","id":23987,"ctx":"initandlisten","msg":"WiredTiger recoveryTimestamp","attr":{"recoveryTimestamp":{"$timestamp":{"t":0,"i":0}}}}',
          ],
        }),
      );
      const node = [
        'MongoServerSelectionError: connect ECONNREFUSED 10.96.30.9:27017',
        '    at Topology.selectServer (/app/node_modules/mongodb/lib/sdam/topology.js:303:38)',
        "  reason: TopologyDescription { type: 'Unknown', servers: Map(1) { 'mongo.travel.svc.cluster.local:27017' => [ServerDescription] } }",
      ];
      const python =
        'pymongo.errors.ServerSelectionTimeoutError: mongo.travel.svc.cluster.local:27017: [Errno 111] Connection refused (configured timeouts: socketTimeoutMS: 20000.0ms, connectTimeoutMS: 20000.0ms), Timeout: 30s';
      cluster.at('40s', () => {
        cluster.befall('registry.example/travel/booking:2.2', {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 31, code: 1 },
          log: node,
        });
        cluster.befall('registry.example/travel/offers:2.0', { readyAfterSeconds: 'never', log: [python] });
        cluster.befall('registry.example/travel/mail:1.1', {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 31, code: 1 },
          log: node,
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'StatefulSet/travel/mongo',
        reason: 'OOMKilled',
        mustNotBlame: ['Deployment/travel/booking', 'Deployment/travel/offers', 'Deployment/travel/mail'],
      });
    },
  ),

  'ledger-is-tidied-away-under-its-callers': scenario(
    'Somebody tidies up and deletes a Service that two services of another namespace still call; its Pods go on',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('billing/ledger', { replicas: 2, image: 'registry.example/billing/ledger:3.0' });
      const ledger = cluster.service('billing/ledger');
      const values = { LEDGER_URL: 'http://ledger.billing.svc.cluster.local' };
      cluster.deployment('shop/basket', { replicas: 2, image: 'registry.example/shop/basket:12.4', values });
      cluster.deployment('shop/refunds', { replicas: 1, image: 'registry.example/shop/refunds:5.5', values });
      cluster.service('shop/basket');
      cluster.service('shop/refunds');
      cluster.at('10s', () => ledger.delete());
      cluster.at('20s', () => {
        cluster.befall('registry.example/shop/basket:12.4', {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 503',
          log: [
            '{"level":"error","msg":"ledger check failed","err":"getaddrinfo ENOTFOUND ledger.billing.svc.cluster.local","code":"ENOTFOUND","syscall":"getaddrinfo"}',
            '{"level":"error","msg":"ledger check failed","err":"getaddrinfo ENOTFOUND ledger.billing.svc.cluster.local","code":"ENOTFOUND","syscall":"getaddrinfo"}',
          ],
        });
        cluster.befall('registry.example/shop/refunds:5.5', {
          exit: { afterSeconds: 12, code: 2 },
          log: [
            '2026/11/24 16:11:09 refunds: starting, 14 open refunds',
            '2026/11/24 16:11:20 fatal: post http://ledger.billing.svc.cluster.local/v1/entries: dial tcp: lookup ledger.billing.svc.cluster.local on 10.96.0.10:53: no such host',
          ],
        });
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Service/billing/ledger',
        mustNotBlame: ['Deployment/billing/ledger', 'Deployment/shop/basket', 'Deployment/shop/refunds'],
      });
    },
  ),

  'names-are-resolved-by-nobody-after-an-edit': scenario(
    'The Corefile gets a forwarder that is no address, the resolvers are restarted, and callers in two languages complain',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const corefile = (upstream: string): string =>
        `.:53 {\n    errors\n    health\n    ready\n    kubernetes cluster.local in-addr.arpa ip6.arpa\n    forward . ${upstream}\n    cache 30\n    reload\n}\n`;
      const conf = cluster.configMap('kube-system/coredns', { Corefile: corefile('10.1.0.2') });
      const image = 'registry.example/coredns/coredns:v1.11.3';
      const coredns = cluster.deployment('kube-system/coredns', {
        ...{ replicas: 2, image, labels: { 'k8s-app': 'kube-dns' } },
        spec: { strategy: { type: 'Recreate' } },
        container: {
          args: ['-conf', '/etc/coredns/Corefile'],
          volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }],
        },
        pod: { volumes: [{ name: 'config', configMap: { name: 'coredns' } }] },
      });
      cluster.object({
        ...{ apiVersion: 'v1', kind: 'Service' },
        metadata: { name: 'kube-dns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
        spec: {
          ...{ selector: { 'k8s-app': 'kube-dns' }, clusterIP: '10.96.0.10' },
          ports: [{ name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' }],
        },
      });
      cluster.deployment('news/feed', { replicas: 2, image: 'registry.example/news/feed:1.0' });
      cluster.service('news/feed');
      cluster.deployment('pay/gateway', { replicas: 2, image: 'registry.example/pay/gateway:2.0' });
      cluster.service('pay/gateway');
      cluster.at('5s', () => conf.edit({ Corefile: corefile('dns.corp.example') }));
      cluster.at('20s', () => {
        cluster.image(image, {
          exit: { afterSeconds: 0.4, code: 1 },
          log: ['plugin/forward: not an IP address or file: "dns.corp.example"'],
        });
        coredns.restart();
      });
      cluster.at('45s', () => {
        cluster.befall('registry.example/news/feed:1.0', {
          readyAfterSeconds: 'never',
          log: [
            "ERROR feed.fetch: HTTPSConnectionPool(host='api.agency.example', port=443): Max retries exceeded with url: /v2/items (Caused by NameResolutionError(\"<urllib3.connection.HTTPSConnection object at 0x7f1c>: Failed to resolve 'api.agency.example' ([Errno -3] Temporary failure in name resolution)\"))",
          ],
        });
        cluster.befall('registry.example/pay/gateway:2.0', {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 40, code: 1 },
          log: [
            '2026/11/24 08:00:51 ERROR acquirer unreachable err="Post \\"https://acquirer.example/auth\\": dial tcp: lookup acquirer.example on 10.96.0.10:53: read udp 10.244.2.9:41022->10.96.0.10:53: read: connection refused"',
          ],
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'ConfigMap/kube-system/coredns',
        mustNotBlame: ['Deployment/news/feed', 'Deployment/pay/gateway', 'Service/kube-system/kube-dns'],
      });
    },
  ),

  'nothing-may-go-out-not-even-a-question-for-a-name': scenario(
    'A team shuts the way out of its namespace and forgets the resolvers; these are well, and a mesh of another team restarts meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('kube-system/coredns', {
        ...{ replicas: 2, image: 'registry.example/coredns/coredns:v1.11.3', labels: { 'k8s-app': 'kube-dns' } },
      });
      cluster.deployment('claims/intake', { replicas: 2, image: 'registry.example/claims/intake:7.2' });
      cluster.service('claims/intake');
      cluster.deployment('claims/scanner', { replicas: 2, image: 'registry.example/claims/scanner:7.0', probe: false });
      const mesh = cluster.deployment('linkerd/linkerd-destination', {
        image: 'registry.example/linkerd/controller:2.16',
      });
      const policy = cluster.planned(
        networkPolicy('claims/default-deny-egress', { podSelector: {}, policyTypes: ['Egress'], egress: [] }),
      );
      cluster.at('5s', () => mesh.restart());
      cluster.at('20s', () => policy.create());
      cluster.at('30s', () => {
        cluster.befall('registry.example/claims/intake:7.2', {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 503',
          log: [
            'Error: getaddrinfo EAI_AGAIN documents.archive.svc.cluster.local',
            '    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26) {',
            "  errno: -3001, code: 'EAI_AGAIN', syscall: 'getaddrinfo', hostname: 'documents.archive.svc.cluster.local'",
          ],
        });
        cluster.befall('registry.example/claims/scanner:7.0', {
          exit: { afterSeconds: 20, code: 1 },
          log: [
            'java.net.UnknownHostException: documents.archive.svc.cluster.local: Temporary failure in name resolution',
            '\tat java.base/java.net.Inet6AddressImpl.lookupAllHostAddr(Native Method)',
            '\tat java.base/java.net.InetAddress$PlatformNameService.lookupAllHostAddr(InetAddress.java:934)',
          ],
        });
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'NetworkPolicy/claims/default-deny-egress',
        mustNotBlame: ['Deployment/kube-system/coredns', 'Deployment/linkerd/linkerd-destination'],
      });
    },
  ),

  'pooler-reads-a-list-of-users-that-was-edited': scenario(
    'The list of users of a connection pooler is edited with a plain hash; all that go through it are refused, the database is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('data/postgres', { image: 'registry.example/library/postgres:16.4', probe: false });
      cluster.service('data/postgres', on(5432));
      const users = cluster.secret('data/pgbouncer-userlist', {
        'userlist.txt': '"ticketing" "SCRAM-SHA-256$4096:aa$bb:cc"\n',
      });
      const pooler = cluster.deployment('data/pgbouncer', {
        ...{ replicas: 2, image: 'registry.example/data/pgbouncer:1.23', probe: false },
        values: { PGBOUNCER_DATABASE_HOST: 'postgres.data.svc.cluster.local' },
        container: { volumeMounts: [{ name: 'users', mountPath: '/etc/pgbouncer/users' }] },
        pod: { volumes: [{ name: 'users', secret: { secretName: 'pgbouncer-userlist' } }] },
      });
      cluster.service('data/pgbouncer', on(6432, { clusterIP: '10.96.55.32' }));
      const values = { DATABASE_URL: 'postgresql://ticketing@pgbouncer.data.svc.cluster.local:6432/ticketing' };
      cluster.deployment('tickets/web', { replicas: 3, image: 'registry.example/tickets/web:20.4', values });
      cluster.service('tickets/web');
      cluster.at('10s', () => users.edit({ 'userlist.txt': '"ticketing" "md5d41d8cd98f00b204e9800998ecf8427e"\n' }));
      cluster.at('22s', () => pooler.restart());
      cluster.at('45s', () =>
        cluster.befall('registry.example/tickets/web:20.4', {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 50, code: 1 },
          log: [
            'ActiveRecord::DatabaseConnectionError (There is an issue connecting to your database with your username/password, username: ticketing.',
            '',
            'Please check your database configuration to ensure the username/password are valid.',
            '):',
            'PG::ConnectionBad: connection to server at "pgbouncer.data.svc.cluster.local" (10.96.55.32), port 6432 failed: FATAL:  server login failed: wrong password type',
          ],
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Secret/data/pgbouncer-userlist',
        mustNotBlame: ['StatefulSet/data/postgres', 'Deployment/tickets/web'],
      });
    },
  ),

  'agents-of-a-builder-find-their-port-shut': scenario(
    'The Service of the build server loses the port for its agents in a clean-up; the server itself answers people as before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('ci/jenkins', { image: 'registry.example/ci/jenkins:2.479.1-lts', memory: '2Gi' });
      const both = [
        { name: 'http', port: 8080, targetPort: 8080, protocol: 'TCP' },
        { name: 'agent', port: 50000, targetPort: 50000, protocol: 'TCP' },
      ];
      const service = cluster.service('ci/jenkins', { ports: both });
      const agent = 'registry.example/ci/inbound-agent:3283';
      cluster.deployment('ci/agent-go', {
        ...{ replicas: 3, image: agent, probe: false },
        values: {
          JENKINS_URL: 'http://jenkins.ci.svc.cluster.local:8080/',
          JENKINS_TUNNEL: 'jenkins.ci.svc.cluster.local:50000',
        },
      });
      cluster.at('10s', () => service.patch({ spec: { ports: both.slice(0, 1) } }));
      cluster.at('20s', () =>
        cluster.befall(agent, {
          exit: { afterSeconds: 15, code: 255 },
          log: [
            'Nov 24, 2026 5:02:10 PM hudson.remoting.Launcher createEngine',
            'INFO: Setting up agent: agent-go',
            'Nov 24, 2026 5:02:11 PM hudson.remoting.Engine startEngine',
            'INFO: Using Remoting version: 3283.v92c105e0f819',
            'Nov 24, 2026 5:02:11 PM org.jenkinsci.remoting.engine.JnlpAgentEndpointResolver resolve',
            'INFO: Remoting server accepts the following protocols: [JNLP4-connect, Ping]',
            'Nov 24, 2026 5:02:26 PM hudson.remoting.Launcher$CuiListener error',
            'SEVERE: http://jenkins.ci.svc.cluster.local:8080/ provided port:50000 is not reachable on host jenkins.ci.svc.cluster.local',
            'java.io.IOException: http://jenkins.ci.svc.cluster.local:8080/ provided port:50000 is not reachable on host jenkins.ci.svc.cluster.local',
          ],
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Service/ci/jenkins',
        mustNotBlame: ['StatefulSet/ci/jenkins', 'Deployment/ci/agent-go'],
      });
    },
  ),

  'search-is-full-and-its-writers-are-turned-away': scenario(
    'A search cluster shuts its indices because its disk is nearly full; the shipper of logs waits for it, and a release of the shop is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const es = 'registry.example/elastic/elasticsearch:8.15.3';
      cluster.statefulSet('logging/elasticsearch', {
        ...{ image: es, memory: '2Gi' },
        container: { readinessProbe: { exec: { command: ['/usr/local/bin/ready.sh'] }, periodSeconds: 10 } },
      });
      cluster.service('logging/elasticsearch', on(9200, { publishNotReadyAddresses: true }));
      const logstash = 'registry.example/elastic/logstash:8.15.3';
      cluster.deployment('logging/logstash', {
        ...{ replicas: 2, image: logstash },
        values: { ELASTICSEARCH_HOSTS: 'http://elasticsearch.logging.svc.cluster.local:9200' },
      });
      cluster.service('logging/logstash', on(5044));
      const shop = cluster.deployment('shop/front', { replicas: 2, image: 'registry.example/shop/front:77' });
      cluster.at('5s', () => shop.setImage('registry.example/shop/front:78'));
      cluster.at('50s', () => {
        cluster.befall(es, {
          readyAfterSeconds: 'never',
          readinessSays: 'write index is blocked: cluster_block_exception',
          log: [
            '{"@timestamp":"2026-11-24T03:12:40.551Z","log.level":"WARN","message":"flood stage disk watermark [95%] exceeded on [Zq1x8nJlQ2a][elasticsearch-0][/usr/share/elasticsearch/data] free: 4.1gb[4.1%], all indices on this node will be marked read-only","service.name":"ES_ECS","log.logger":"org.elasticsearch.cluster.routing.allocation.DiskThresholdMonitor"}',
          ],
        });
        cluster.befall(logstash, {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 503',
          log: [
            '[2026-11-24T03:12:44,902][INFO ][logstash.outputs.elasticsearch][main] Retrying failed action {:status=>429, :action=>["create", {:_index=>"logs-app-default"}], :error=>{"type"=>"cluster_block_exception", "reason"=>"index [.ds-logs-app-default-000231] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];"}}',
            '[2026-11-24T03:12:44,910][INFO ][logstash.outputs.elasticsearch][main] Retrying individual bulk actions that failed or were rejected by the previous bulk request {:count=>125}',
          ],
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'StatefulSet/logging/elasticsearch',
        mustNotBlame: ['Deployment/logging/logstash', 'Deployment/shop/front'],
      });
    },
  ),

  'shares-of-files-are-gone-with-their-server': scenario(
    'The file server in the cluster crashes on a bad export; a site that mounts it cannot be started on its new Node',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const nfs = 'registry.example/storage/nfs-ganesha:5.9';
      const exports = cluster.configMap('storage/nfs-exports', {
        'ganesha.conf': 'EXPORT { Export_Id = 1; Path = /export; Pseudo = /export; }',
      });
      const server = cluster.deployment('storage/nfs-server', {
        ...{ image: nfs, probe: false, spec: { strategy: { type: 'Recreate' } } },
        container: { volumeMounts: [{ name: 'conf', mountPath: '/etc/ganesha' }] },
        pod: { volumes: [{ name: 'conf', configMap: { name: 'nfs-exports' } }] },
      });
      cluster.service('storage/nfs-server', on(2049, { clusterIP: '10.96.7.7' }));
      cluster.object({
        ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'site-files' } },
        spec: {
          ...{ capacity: { storage: '10Gi' }, accessModes: ['ReadWriteMany'], storageClassName: 'nfs' },
          ...{ persistentVolumeReclaimPolicy: 'Retain', nfs: { server: '10.96.7.7', path: '/export/site' } },
        },
      });
      cluster.object({
        ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'site-files', namespace: 'web' } },
        spec: {
          ...{ storageClassName: 'nfs', accessModes: ['ReadWriteMany'], volumeName: 'site-files' },
          resources: { requests: { storage: '10Gi' } },
        },
      });
      const site = cluster.deployment('web/site', {
        ...{ replicas: 2, image: 'registry.example/web/typo3:12.4' },
        pod: { volumes: [{ name: 'files', persistentVolumeClaim: { claimName: 'site-files' } }] },
      });
      cluster.service('web/site');
      cluster.at('5s', () =>
        exports.edit({
          'ganesha.conf': 'EXPORT { Export_Id = 1; Path = /exports; Pseudo = /export; FSAL { Name = VSF; } }',
        }),
      );
      cluster.at('15s', () => {
        cluster.image(nfs, {
          exit: { afterSeconds: 2, code: 2 },
          log: [
            '24/11/2026 09:00:14 : epoch 6743 : nfs-server : nfs-ganesha-1[main] main :MAIN :EVENT :nfs-ganesha Starting: Ganesha Version 5.9',
            '24/11/2026 09:00:14 : epoch 6743 : nfs-server : nfs-ganesha-1[main] load_fsal :NFS STARTUP :CRIT :Could not dlopen module:/usr/lib64/ganesha/libfsalvsf.so Error:/usr/lib64/ganesha/libfsalvsf.so: cannot open shared object file: No such file or directory. You may need to install the nfs-ganesha-vsf package',
            '24/11/2026 09:00:14 : epoch 6743 : nfs-server : nfs-ganesha-1[main] fsal_cfg_commit :CONFIG :CRIT :Failed to load FSAL (VSF) because of: No such file or directory',
            '24/11/2026 09:00:14 : epoch 6743 : nfs-server : nfs-ganesha-1[main] main :NFS STARTUP :FATAL :Fatal errors. Server exiting...',
          ],
        });
        server.restart();
      });
      cluster.at('50s', () => {
        cluster.image('registry.example/web/typo3:12.4', {
          heldUp: {
            reason: 'FailedMount',
            message:
              'MountVolume.SetUp failed for volume "site-files" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs 10.96.7.7:/export/site /var/lib/kubelet/pods/6f1/volumes/kubernetes.io~nfs/site-files\nOutput: mount.nfs: Connection refused',
          },
        });
        site.restart();
      });
      cluster.lasts('7m');
      cluster.expectIncident({
        root: 'ConfigMap/storage/nfs-exports',
        accepts: ['Deployment/storage/nfs-server'],
        mustNotBlame: ['Deployment/web/site', 'PersistentVolumeClaim/web/site-files'],
      });
    },
  ),
};
