import type { Ref } from '../../../../src/model/ref.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { dns, networkPolicy } from '../../kit/things.ts';

/** How programs say in their own words that they cannot reach somebody at `host:port`. */
const says = {
  go: (at: string) => [
    `{"level":"info","msg":"connecting to ${at}"}`,
    `panic: failed to connect: dial tcp: connect to ${at}: dial tcp 10.96.3.7:${at.split(':')[1]}: connect: connection refused`,
  ],
  java: (at: string) => [
    'INFO  o.s.b.w.e.tomcat.TomcatWebServer - Tomcat initialized with port 8080 (http)',
    `org.postgresql.util.PSQLException: Connection to ${at} refused. Check that the hostname and port are correct and that the postmaster is accepting TCP/IP connections.`,
    '\tat org.postgresql.core.v3.ConnectionFactoryImpl.openConnectionImpl(ConnectionFactoryImpl.java:346)',
    'Caused by: java.net.ConnectException: Connection refused',
  ],
  python: (at: string) => [
    'Traceback (most recent call last):',
    '  File "/app/main.py", line 12, in <module>',
    `psycopg.OperationalError: connection failed: connection to server at "${at.split(':')[0]}", port ${at.split(':')[1]} failed: Connection refused`,
  ],
  node: (at: string) => [
    'node:internal/process/promises:394',
    `Error: connect ECONNREFUSED ${at}`,
    '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1637:16)',
  ],
  dotnet: (at: string) => [
    `Unhandled exception. Npgsql.NpgsqlException (0x80004005): Failed to connect to ${at}`,
    ' ---> System.Net.Sockets.SocketException (111): Connection refused',
  ],
} as const;
type Language = keyof typeof says;

/** Three clients, in these languages, that end when they cannot reach `host:port`, from a moment on. */
function clients(
  cluster: ClusterBuilder,
  when: string,
  at: string,
  languages: readonly Language[] = ['go', 'java', 'python'],
): readonly Ref[] {
  const names = ['api', 'web', 'cart'].slice(0, languages.length);
  for (const [index, name] of names.entries()) {
    const image = `registry.example/${name}:1.0`;
    cluster.deployment(`shop/${name}`, { replicas: 2, image, values: { DATABASE_HOST: at.split(':')[0] ?? '' } });
    const log = says[languages[index] ?? 'go'](at);
    cluster.at(when, () => cluster.befall(image, { exit: { afterSeconds: 3, code: 1 }, log }));
  }
  return names.map((name): Ref => `Deployment/shop/${name}`);
}

const database = { replicas: 1, image: 'registry.example/postgres:16.1' } as const;
const postgres = {
  selector: { app: 'db' },
  ports: [{ name: 'postgres', port: 5432, targetPort: 5432, protocol: 'TCP' }],
};
/** What the clients reach. */
const at = 'db.shop.svc.cluster.local:5432';

/** A database on which three workloads depend, and what happens to it. */
const databaseFails = (
  description: string,
  fail: (cluster: ClusterBuilder, db: ReturnType<ClusterBuilder['statefulSet']>) => void,
  more: { readonly languages?: readonly Language[]; readonly clientsAt?: string; readonly lasts?: string } = {},
): Scenario =>
  scenario(description, (cluster) => {
    const db = cluster.statefulSet('shop/db', database);
    cluster.service('shop/db', postgres);
    const names = clients(cluster, more.clientsAt ?? '9s', at, more.languages);
    cluster.at('5s', () => fail(cluster, db));
    cluster.lasts(more.lasts ?? '1m50s');
    cluster.expectIncident({
      root: 'StatefulSet/shop/db',
      messages: { open: 1, update: '≤1', resolve: 0 },
      mustNotBlame: names,
    });
  });

/** Who needs whom: databases, DNS, addresses outside, policies between, and what only looks like it. */
export const stories: Readonly<Record<string, Scenario>> = {
  'database-release-crashes': databaseFails(
    'A new version of the database does not start, and its clients go with it',
    (cluster, db) => {
      cluster.image('registry.example/postgres:17.0', {
        exit: { afterSeconds: 2, code: 1 },
        log: [
          'FATAL:  database files are incompatible with server',
          'DETAIL:  The data directory was initialized by PostgreSQL version 16',
        ],
      });
      db.setImage('registry.example/postgres:17.0');
    },
  ),
  'database-out-of-memory': databaseFails(
    'The database is killed for its memory again and again',
    (cluster) =>
      cluster.befall(database.image, {
        exit: { afterSeconds: 4, code: 137, oom: true },
        log: ['LOG:  database system is ready to accept connections'],
      }),
    { languages: ['java', 'node', 'dotnet'] },
  ),
  'database-image-missing': databaseFails(
    'The database is moved to an image that does not exist',
    (cluster, db) => {
      cluster.image('registry.example/postgres:16.99', { pullError: 'NotFound' });
      db.setImage('registry.example/postgres:16.99');
    },
    { languages: ['python', 'dotnet'] },
  ),
  'database-disk-full': databaseFails(
    'The disk of the database is full',
    (cluster) =>
      cluster.befall(database.image, {
        exit: { afterSeconds: 2, code: 1 },
        log: [
          'PANIC:  could not write to file "pg_wal/xlogtemp.29": No space left on device',
          'LOG:  database system is shut down',
        ],
      }),
    { languages: ['go', 'node', 'java'] },
  ),
  'database-does-not-fit': scenario(
    'The database asks for more than any machine has, and its clients wait for it in vain',
    (cluster) => {
      const db = cluster.statefulSet('shop/db', { ...database, cpu: '500m' });
      cluster.service('shop/db', postgres);
      const names = clients(cluster, '10s', at, ['go', 'python', 'node']);
      cluster.at('5s', () => db.change({ cpu: '16' }));
      cluster.lasts('2m');
      cluster.expectIncident({ root: 'StatefulSet/shop/db', messages: { resolve: 0 }, mustNotBlame: names });
    },
  ),
  'database-scaled-to-zero': scenario('Somebody scales the database to zero, and its clients crash', (cluster) => {
    const db = cluster.statefulSet('shop/db', database);
    cluster.service('shop/db', postgres);
    const names = clients(cluster, '9s', at, ['java', 'python', 'dotnet']);
    cluster.at('5s', () => db.scale(0));
    cluster.lasts('1m50s');
    cluster.expectIncident({
      root: 'StatefulSet/shop/db',
      accepts: ['Service/shop/db'],
      messages: { resolve: 0 },
      mustNotBlame: names,
    });
  }),
  'database-comes-back': scenario('The database fails for a minute, and all recovers with it', (cluster) => {
    cluster.statefulSet('shop/db', database);
    cluster.service('shop/db', postgres);
    for (const name of ['api', 'web']) {
      const image = `registry.example/${name}:1.0`;
      cluster.deployment(`shop/${name}`, { replicas: 2, image });
      cluster.at('8s', () => cluster.befall(image, { exit: { afterSeconds: 3, code: 1 }, log: says.go(at) }));
      cluster.at('75s', () => cluster.befall(image, {}));
    }
    cluster.at('5s', () =>
      cluster.befall(database.image, {
        exit: { afterSeconds: 3, code: 1 },
        log: ['FATAL:  could not map anonymous shared memory'],
      }),
    );
    cluster.at('70s', () => cluster.befall(database.image, {}));
    cluster.lasts('3m');
    cluster.expectIncident({
      root: 'StatefulSet/shop/db',
      messages: { open: 1, update: '≤1', resolve: 1 },
      mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web'],
    });
  }),
  'clients-unready-without-database': scenario(
    'Clients of a cache stay up and are not ready while it does not start',
    (cluster) => {
      const cache = cluster.deployment('shop/redis', {
        image: 'registry.example/redis:7.2',
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('shop/redis', { ports: [{ name: 'redis', port: 6379, targetPort: 6379, protocol: 'TCP' }] });
      for (const name of ['api', 'web']) {
        const image = `registry.example/${name}:1.0`;
        cluster.deployment(`shop/${name}`, { replicas: 2, image, values: { REDIS_URL: 'redis://redis:6379' } });
        const log = ['WARN health: redis: dial tcp: connect to redis:6379: connect: connection refused'];
        cluster.at('8s', () => cluster.befall(image, { readyAfterSeconds: 'never', log }));
      }
      cluster.image('registry.example/redis:8.0', {
        exit: { afterSeconds: 1, code: 1 },
        log: ['*** FATAL CONFIG FILE ERROR (Redis 8.0.0) ***', 'Bad directive or wrong number of arguments'],
      });
      cluster.at('5s', () => cache.setImage('registry.example/redis:8.0'));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/shop/redis',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web'],
      });
    },
  ),
  'one-client-wrong-password': scenario(
    'One client has a wrong password; the database and the other clients are healthy',
    (cluster) => {
      cluster.statefulSet('shop/db', database);
      cluster.service('shop/db', postgres);
      cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/web:1.0' });
      const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
      cluster.image('registry.example/api:1.1', {
        exit: { afterSeconds: 2, code: 1 },
        log: ['pq: password authentication failed for user "api"'],
      });
      cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
      cluster.lasts('90s');
      cluster.expectIncident({
        root: 'Deployment/shop/api',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/shop/db', 'Service/shop/db', 'Deployment/shop/web'],
      });
    },
  ),
  'client-release-beside-healthy-database': scenario(
    'A release looks for the database at a wrong port; it serves all others',
    (cluster) => {
      cluster.statefulSet('shop/db', database);
      cluster.service('shop/db', postgres);
      cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/web:1.0' });
      const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
      cluster.image('registry.example/api:1.1', {
        exit: { afterSeconds: 2, code: 1 },
        log: says.go('db.shop.svc.cluster.local:5433'),
      });
      cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
      cluster.lasts('90s');
      cluster.expectIncident({
        root: 'Deployment/shop/api',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/shop/db', 'Deployment/shop/web'],
      });
    },
  ),
  'database-and-another-release': scenario(
    'The database fails, and at the same time another team releases an image that does not exist',
    (cluster) => {
      cluster.statefulSet('shop/db', database);
      cluster.service('shop/db', postgres);
      const names = clients(cluster, '9s', at, ['go', 'java']);
      const index = cluster.deployment('search/index', { replicas: 2, image: 'registry.example/index:1' });
      cluster.image('registry.example/index:2', { pullError: 'NotFound' });
      cluster.at('5s', () =>
        cluster.befall(database.image, {
          exit: { afterSeconds: 3, code: 1 },
          log: ['FATAL:  lock file "postmaster.pid" already exists'],
        }),
      );
      cluster.at('6s', () => index.setImage('registry.example/index:2'));
      cluster.lasts('1m50s');
      cluster.expectIncident({ root: 'StatefulSet/shop/db', messages: { resolve: 0 }, mustNotBlame: names });
      cluster.expectIncident({ root: 'Deployment/search/index', reason: 'ImageNotFound', messages: { resolve: 0 } });
    },
  ),
  'database-on-lost-machine': scenario(
    'The only machine of the database is lost, and its clients crash elsewhere',
    (cluster) => {
      cluster.nodes(['n1', 'n2', { name: 'n3', labels: { disk: 'fast' } }]);
      cluster.statefulSet('shop/db', { ...database, nodeSelector: { disk: 'fast' } });
      cluster.service('shop/db', postgres);
      for (const name of ['api', 'web']) {
        const image = `registry.example/${name}:1.0`;
        // Not on the machine that is lost.
        const affinity = {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'DoesNotExist' }] }],
            },
          },
        };
        cluster.deployment(`shop/${name}`, { replicas: 2, image, pod: { affinity } });
        cluster.at('50s', () => cluster.befall(image, { exit: { afterSeconds: 2, code: 1 }, log: says.go(at) }));
      }
      cluster.at('5s', () => cluster.node('n3').losePower());
      cluster.lasts('2m40s');
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web'],
      });
    },
  ),
  'outside-address-unreachable': scenario(
    'Three workloads cannot reach a payment provider outside the cluster',
    (cluster) => {
      const log = {
        api: [
          'level=error msg="charge failed" error="Post \\"https://pay.example.com/v1/charges\\": dial tcp 203.0.113.9:443: i/o timeout"',
          'panic: cannot start without payments: dial tcp: pay.example.com:443: i/o timeout',
        ],
        web: [
          'Error: connect ETIMEDOUT pay.example.com:443',
          '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1637:16)',
        ],
        cart: [
          "requests.exceptions.ConnectTimeout: HTTPSConnectionPool(host='pay.example.com', port=443): Max retries exceeded with url: /v1 (Caused by ConnectTimeoutError: timed out)",
        ],
      };
      for (const [name, lines] of Object.entries(log)) {
        const image = `registry.example/${name}:1.0`;
        cluster.deployment(`shop/${name}`, { replicas: 2, image });
        cluster.at('5s', () => cluster.befall(image, { exit: { afterSeconds: 3, code: 1 }, log: lines }));
      }
      cluster.lasts('1m50s');
      cluster.expectIncident({
        root: 'ExternalEndpoint//pay.example.com:443',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web', 'Deployment/shop/cart'],
      });
    },
  ),
  'outside-address-wrong-in-one': scenario(
    'One release looks for a provider under a wrong name; nobody else has trouble',
    (cluster) => {
      cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/web:1.0' });
      const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
      cluster.image('registry.example/api:1.1', {
        exit: { afterSeconds: 2, code: 1 },
        log: ['dial tcp: lookup pay.exampel.com on 10.96.0.10:53: no such host'],
      });
      cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
      cluster.lasts('90s');
      cluster.expectIncident({
        root: 'Deployment/shop/api',
        messages: { resolve: 0 },
        mustNotBlame: ['ExternalEndpoint//pay.exampel.com:443', 'Service/kube-system/kube-dns'],
      });
    },
  ),
  'dns-config-broken': scenario(
    'Somebody breaks the settings of the cluster DNS, and it does not come up again',
    (cluster) => {
      const settings = cluster.configMap('kube-system/coredns', { Corefile: '.:53 { forward . 10.0.0.2 }' });
      const coredns = cluster.deployment('kube-system/coredns', {
        ...dns.workload,
        envFrom: ['coredns'],
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.object(dns.service);
      for (const name of ['shop/api', 'shop/web', 'office/mail']) {
        const image = `registry.example/${name.replace('/', '-')}:1.0`;
        cluster.deployment(name, { image });
        const log = [
          'dial tcp: lookup db.shop.svc.cluster.local on 10.96.0.10:53: read udp 10.244.1.4:40122->10.96.0.10:53: i/o timeout',
        ];
        cluster.at('12s', () => cluster.befall(image, { exit: { afterSeconds: 4, code: 1 }, log }));
      }
      cluster.at('5s', () => settings.edit({ Corefile: '.:53 { forward . 10.0.0.2' }));
      cluster.at('8s', () => {
        cluster.image(dns.workload.image, {
          exit: { afterSeconds: 1, code: 1 },
          log: ['Corefile:1 - Error during parsing: Unexpected EOF'],
        });
        coredns.restart();
      });
      cluster.lasts('2m10s');
      cluster.expectIncident({
        root: 'Service/kube-system/kube-dns',
        accepts: ['ConfigMap/kube-system/coredns', 'Deployment/kube-system/coredns'],
        messages: { update: '≤1', resolve: 0 },
        mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web', 'Deployment/office/mail'],
      });
    },
  ),
  'dns-scaled-to-zero': scenario('The cluster DNS is scaled to zero, and who looks up names crashes', (cluster) => {
    const coredns = cluster.deployment('kube-system/coredns', dns.workload);
    cluster.object(dns.service);
    for (const name of ['shop/api', 'shop/web']) {
      const image = `registry.example/${name.replace('/', '-')}:1.0`;
      cluster.deployment(name, { replicas: 2, image });
      const log = [
        'Error: getaddrinfo EAI_AGAIN db.shop.svc.cluster.local',
        '    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26)',
      ];
      cluster.at('10s', () => cluster.befall(image, { exit: { afterSeconds: 3, code: 1 }, log }));
    }
    cluster.at('5s', () => coredns.scale(0));
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Service/kube-system/kube-dns',
      accepts: ['Deployment/kube-system/coredns'],
      messages: { resolve: 0 },
      mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web'],
    });
  }),
  'policy-cuts-off-clients': scenario(
    'A network policy cuts a workload off from its clients, which time out',
    (cluster) => {
      cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
      cluster.service('shop/api');
      for (const name of ['web', 'cart']) {
        const image = `registry.example/${name}:1.0`;
        cluster.deployment(`shop/${name}`, { replicas: 2, image, values: { API: 'http://api.shop.svc' } });
        const log = [
          'Get "http://api.shop.svc:80/v1": dial tcp 10.96.12.4:80: connect: connection timed out',
          'fatal: api.shop.svc:80 is not reachable: i/o timeout',
        ];
        cluster.at('12s', () => cluster.befall(image, { exit: { afterSeconds: 4, code: 1 }, log }));
      }
      cluster.at('8s', () => cluster.object(networkPolicy('shop/api')));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'NetworkPolicy/shop/api',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/web', 'Deployment/shop/cart', 'Deployment/shop/api'],
      });
    },
  ),
  'policy-beside-a-crash': scenario(
    'A network policy is made a minute before a release that crashes for another reason',
    (cluster) => {
      const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
      cluster.image('registry.example/api:1.1', {
        exit: { afterSeconds: 1, code: 2 },
        log: ['panic: runtime error: index out of range [3] with length 3'],
      });
      cluster.at('5s', () => cluster.object(networkPolicy('shop/api')));
      cluster.at('30s', () => api.setImage('registry.example/api:1.1'));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/shop/api',
        reason: 'CrashLoopBackOff',
        messages: { resolve: 0 },
        mustNotBlame: ['NetworkPolicy/shop/api'],
      });
    },
  ),
  'service-port-changed': scenario('The port of a Service is edited, and its clients are refused', (cluster) => {
    const container = { ports: [{ name: 'http', containerPort: 8080 }] };
    cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0', container });
    const ports = (targetPort: string): object => ({
      ports: [{ name: 'http', port: 80, targetPort, protocol: 'TCP' }],
    });
    const service = cluster.service('shop/api', ports('http'));
    for (const name of ['web', 'cart']) {
      const image = `registry.example/${name}:1.0`;
      cluster.deployment(`shop/${name}`, { replicas: 2, image, values: { API: 'http://api.shop.svc' } });
      cluster.at('9s', () =>
        cluster.befall(image, { exit: { afterSeconds: 4, code: 1 }, log: says.go('api.shop.svc:80') }),
      );
    }
    cluster.at('5s', () => service.patch({ spec: ports('web') }));
    cluster.lasts('1m50s');
    cluster.expectIncident({
      root: 'Service/shop/api',
      messages: { resolve: 0 },
      beginsAfterSeconds: 5,
      mustNotBlame: ['Deployment/shop/web', 'Deployment/shop/cart', 'Deployment/shop/api'],
    });
  }),
  'service-selector-edited': scenario('The selector of a Service is edited, and its clients find nobody', (cluster) => {
    cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
    const service = cluster.service('shop/api');
    for (const name of ['web', 'cart']) {
      const image = `registry.example/${name}:1.0`;
      cluster.deployment(`shop/${name}`, { replicas: 2, image, values: { API: 'http://api.shop.svc' } });
      cluster.at('9s', () =>
        cluster.befall(image, { exit: { afterSeconds: 4, code: 1 }, log: says.node('api.shop.svc:80') }),
      );
    }
    cluster.at('5s', () => service.patch({ spec: { selector: { app: 'apis' } } }));
    cluster.lasts('1m50s');
    cluster.expectIncident({
      root: 'Service/shop/api',
      messages: { resolve: 0 },
      beginsAfterSeconds: 5,
      mustNotBlame: ['Deployment/shop/web', 'Deployment/shop/cart', 'Deployment/shop/api'],
    });
  }),
};
