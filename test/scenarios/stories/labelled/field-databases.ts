import { dependants } from '../../kit/dependants.ts';
import { field, image, secretVolume, tcp } from '../../kit/field.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Databases that refuse in words of their own, most of them while their Pods look healthy. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://www.postgresql.org/docs/current/routine-vacuuming.html#VACUUM-FOR-WRAPAROUND
  'database-stops-before-a-wraparound': field(
    'A database takes no commands any more, to keep its transaction numbers apart; three workloads end on that',
    (cluster, { storefront }) => {
      cluster.statefulSet('erp/postgres', { image: 'docker.io/library/postgres:17' });
      cluster.service('erp/postgres', tcp(5432, 'postgres'));
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      const values = { PGHOST: 'postgres.erp.svc' };
      const names = dependants(cluster, '15s', {
        'erp/ledger': {
          values,
          does: ends([
            '{"level":"fatal","ts":1795424410.2,"caller":"ledger/main.go:71","msg":"insert entry","error":"ERROR: database is not accepting commands that assign new XIDs to avoid wraparound data loss in database \\"erp\\" (SQLSTATE 54000)"}',
          ]),
        },
        'erp/purchasing': {
          values,
          does: ends([
            'Traceback (most recent call last):',
            '  File "/app/.venv/lib/python3.12/site-packages/django/db/backends/utils.py", line 105, in _execute',
            '    return self.cursor.execute(sql, params)',
            'psycopg2.errors.ProgramLimitExceeded: database is not accepting commands that assign new XIDs to avoid wraparound data loss in database "erp"',
            'HINT:  Execute a database-wide VACUUM in that database.',
          ]),
        },
        'erp/assets': {
          values,
          does: unready([
            'org.postgresql.util.PSQLException: ERROR: database is not accepting commands that assign new XIDs to avoid wraparound data loss in database "erp"',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/erp/postgres',
        accepts: ['Service/erp/postgres'],
        mustNotBlame: [...names, 'Deployment/web/storefront'],
      });
    },
  ),
  // https://www.postgresql.org/docs/current/hot-standby.html: the Service for writing is made to select a replica.
  'writes-are-sent-to-a-replica': field(
    'The Service for writing is edited to select the replicas; who writes is told that the transaction is read-only',
    (cluster, { wiki }) => {
      for (const role of ['primary', 'replica'])
        cluster.statefulSet(`crm/pg-${role}`, { image: 'docker.io/library/postgres:17', labels: { role } });
      const service = cluster.service('crm/pg-rw', { selector: { role: 'primary' }, ...tcp(5432, 'postgres') });
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('10s', () => service.patch({ spec: { selector: { role: 'replica' } } }));
      const values = { DATABASE_HOST: 'pg-rw.crm.svc' };
      const names = dependants(cluster, '20s', {
        'crm/contacts': {
          values,
          does: ends([
            'ActiveRecord::StatementInvalid: PG::ReadOnlySqlTransaction: ERROR:  cannot execute INSERT in a read-only transaction',
            "from /usr/local/bundle/gems/activerecord-7.2.1/lib/active_record/connection_adapters/postgresql/database_statements.rb:55:in `exec'",
          ]),
        },
        'crm/campaigns': {
          values,
          does: unready([
            'sqlalchemy.exc.InternalError: (psycopg2.errors.ReadOnlySqlTransaction) cannot execute UPDATE in a read-only transaction',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'Service/crm/pg-rw',
        accepts: ['StatefulSet/crm/pg-replica'],
        mustNotBlame: [...names, 'StatefulSet/crm/pg-primary', 'Deployment/office/wiki'],
      });
    },
  ),
  // https://dev.mysql.com/doc/refman/8.4/en/blocked-host.html
  'database-blocks-a-host': field(
    'A MySQL server has blocked the address of its clients after a port scan and lets none of them in',
    (cluster) => {
      cluster.statefulSet('tickets/mysql', { image: 'docker.io/library/mysql:8.4' });
      cluster.service('tickets/mysql', tcp(3306, 'mysql'));
      const values = { MYSQL_HOST: 'mysql.tickets.svc.cluster.local' };
      const says =
        "Host '10.244.1.17' is blocked because of many connection errors; unblock with 'mysqladmin flush-hosts'";
      const names = dependants(cluster, '12s', {
        'tickets/seats': {
          values,
          does: ends([
            'PHP Fatal error:  Uncaught PDOException: SQLSTATE[HY000] [1129] ' +
              says +
              ' in /var/www/html/src/Db.php:31',
            'Stack trace:',
            '#0 /var/www/html/src/Db.php(31): PDO->__construct()',
          ]),
        },
        'tickets/prices': { values, does: ends([`panic: Error 1129 (HY000): ${says}`, 'goroutine 1 [running]:']) },
      });
      cluster.expectIncident({
        root: 'StatefulSet/tickets/mysql',
        accepts: ['Service/tickets/mysql'],
        mustNotBlame: names,
      });
    },
  ),
  // https://www.cockroachlabs.com/docs/stable/rotate-certificates
  'certificate-of-the-database-expired': field(
    'The certificate of every node of a database is over: no node is ready, and its clients refuse to speak with it',
    (cluster, { storefront }) => {
      const crdb = 'docker.io/cockroachdb/cockroach:v25.2';
      cluster.secret('data/cockroachdb-node', { 'node.crt': 'x', 'node.key': 'x' });
      cluster.statefulSet('data/cockroachdb', { replicas: 3, image: crdb, pod: secretVolume('cockroachdb-node') });
      cluster.service('data/cockroachdb', tcp(26257, 'sql'));
      cluster.at('4s', () => storefront.setImage(image('storefront:5.2')));
      const expired =
        'x509: certificate has expired or is not yet valid: current time 2026-11-22T09:00:12Z is after 2026-11-22T09:00:00Z';
      cluster.at('8s', () =>
        cluster.befall(
          crdb,
          unready([
            `W261122 09:00:12.104291 241 2@rpc/nodedialer/nodedialer.go:193 ⋮ [T1,Vsystem,n1] 118  unable to connect to n2: failed to connect to n2 at ‹cockroachdb-1.cockroachdb.data.svc:26257›: initial connection heartbeat failed: grpc: ‹connection error: desc = "transport: authentication handshake failed: tls: failed to verify certificate: ${expired}"› [code 14/Unavailable]`,
          ]),
        ),
      );
      const names = dependants(cluster, '14s', {
        'shop/orders': {
          does: ends([
            `failed to connect to \`user=orders database=orders\`: 10.96.4.4:26257 (cockroachdb.data.svc): tls error: tls: failed to verify certificate: ${expired}`,
          ]),
        },
        'shop/stock': {
          does: unready([
            'org.postgresql.util.PSQLException: SSL error: PKIX path validation failed: java.security.cert.CertPathValidatorException: validity check failed',
            'Caused by: java.security.cert.CertificateExpiredException: NotAfter: Sun Nov 22 09:00:00 UTC 2026',
            'Could not open connection to cockroachdb.data.svc:26257',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/data/cockroachdb',
        accepts: ['Secret/data/cockroachdb-node'],
        mustNotBlame: [...names, 'Deployment/web/storefront'],
      });
    },
  ),
  // https://clickhouse.com/docs/knowledgebase/exception-too-many-parts
  'database-has-too-many-parts': field(
    'A ClickHouse server merges slower than three workloads insert, and refuses their inserts',
    (cluster) => {
      cluster.statefulSet('events/clickhouse', { replicas: 2, image: 'docker.io/clickhouse/clickhouse-server:25.8' });
      cluster.service('events/clickhouse', tcp(8123, 'http'));
      const values = { CLICKHOUSE_URL: 'http://clickhouse.events.svc:8123' };
      const says =
        "DB::Exception: Too many parts (3001 with average size of 21.34 KiB) in table 'events.clicks'. Merges are processing significantly slower than inserts. (TOO_MANY_PARTS)";
      const names = dependants(cluster, '12s', {
        'events/ingest-web': { values, does: ends([`fatal: code: 252, message: ${says}`]) },
        'events/ingest-mobile': {
          values,
          does: ends([
            'Traceback (most recent call last):',
            `clickhouse_connect.driver.exceptions.DatabaseError: HTTPDriver for http://clickhouse.events.svc:8123 received ClickHouse error code 252\n Code: 252. ${says}`,
          ]),
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/events/clickhouse',
        accepts: ['Service/events/clickhouse'],
        mustNotBlame: names,
      });
    },
  ),
  // https://www.postgresql.org/docs/current/wal-intro.html: after a kill it replays for minutes.
  'database-replays-for-minutes': field(
    'A database was killed for its memory and replays its journal for minutes; who needs it is turned away meanwhile',
    (cluster) => {
      const postgres = 'docker.io/library/postgres:17';
      cluster.statefulSet('bank/postgres', { image: postgres, memory: '2Gi' });
      cluster.service('bank/postgres', tcp(5432, 'postgres'));
      cluster.at('6s', () =>
        cluster.befall(postgres, {
          exit: { afterSeconds: 1, code: 137, oom: true },
          exits: 1,
          readyAfterSeconds: 'never',
          log: [
            'LOG:  database system was interrupted; last known up at 2026-11-22 09:00:02 UTC',
            'LOG:  redo starts at 41/9C000028',
            'FATAL:  the database system is starting up',
          ],
        }),
      );
      const names = dependants(cluster, '12s', {
        'bank/transfers': {
          does: ends([
            'psycopg.OperationalError: connection failed: connection to server at "10.96.4.5", port 5432 failed: FATAL:  the database system is starting up',
          ]),
          values: { DB_HOST: 'postgres.bank.svc' },
        },
        'bank/cards': {
          does: unready([
            '{"@timestamp":"2026-11-22T09:00:21.114Z","log.level":"ERROR","message":"HikariPool-1 - Exception during pool initialization.","error.type":"org.postgresql.util.PSQLException","error.message":"FATAL: the database system is starting up"}',
          ]),
          values: { SPRING_DATASOURCE_URL: 'jdbc:postgresql://postgres.bank.svc:5432/cards' },
        },
      });
      cluster.expectIncident({ root: 'StatefulSet/bank/postgres', mustNotBlame: names });
    },
  ),
  // https://etcd.io/docs/v3.5/op-guide/maintenance/#space-quota
  'key-store-is-over-its-space': field(
    'A key store for programs is over its space quota and takes reads only',
    (cluster, { wiki }) => {
      cluster.statefulSet('platform/etcd', { replicas: 3, image: 'quay.example/coreos/etcd:v3.6' });
      cluster.service('platform/etcd', tcp(2379, 'client'));
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      const values = { ETCD_ENDPOINTS: 'http://etcd.platform.svc:2379' };
      const names = dependants(cluster, '14s', {
        'platform/locks': {
          values,
          does: ends([
            '{"level":"warn","ts":"2026-11-22T09:00:15.802Z","logger":"etcd-client","caller":"v3@v3.6.1/retry_interceptor.go:65","msg":"retrying of unary invoker failed","target":"etcd-endpoints://0xc00012e000/etcd.platform.svc:2379","attempt":0,"error":"rpc error: code = ResourceExhausted desc = etcdserver: mvcc: database space exceeded"}',
            'panic: etcdserver: mvcc: database space exceeded',
          ]),
        },
        'platform/flags': {
          values,
          does: unready(['Error: 8 RESOURCE_EXHAUSTED: etcdserver: mvcc: database space exceeded']),
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/platform/etcd',
        accepts: ['Service/platform/etcd'],
        mustNotBlame: [...names, 'Deployment/office/wiki'],
      });
    },
  ),
  // https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
  'cache-cluster-lost-a-shard': field(
    'One of the shards of a Redis cluster crashes on its file; the others refuse every command, as slots are not served',
    (cluster) => {
      const redis = 'docker.io/library/redis:8.0';
      cluster.statefulSet('cache/redis-cluster', { replicas: 3, image: redis });
      cluster.service('cache/redis-cluster', tcp(6379, 'redis'));
      cluster.at('6s', () =>
        cluster.befall(redis, (pod) =>
          pod.metadata.name === 'redis-cluster-1'
            ? ends(
                [
                  '1:M 22 Nov 2026 09:00:07.118 # Internal error in RDB reading offset 84412, function at rdb.c:2107 -> Unexpected EOF reading RDB file',
                  '1:M 22 Nov 2026 09:00:07.118 # Fatal error loading the DB, check server logs. Exiting.',
                ],
                1,
                1,
              )
            : {},
        ),
      );
      const values = { REDIS_URL: 'redis://redis-cluster.cache.svc:6379' };
      const names = dependants(cluster, '14s', {
        'shop/sessions': {
          values,
          does: ends([
            'ReplyError: CLUSTERDOWN Hash slot not served',
            '    at parseError (/app/node_modules/redis-parser/lib/parser.js:179:12)',
          ]),
        },
        'shop/basket': {
          values,
          does: unready(['redis.exceptions.ClusterDownError: CLUSTERDOWN The cluster is down']),
        },
      });
      cluster.expectIncident({ root: 'StatefulSet/cache/redis-cluster', mustNotBlame: names });
    },
  ),
};
