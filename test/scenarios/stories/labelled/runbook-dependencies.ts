import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';

const ports = (port: number, name = 'main'): object => ({
  ports: [{ name, port, targetPort: port, protocol: 'TCP' }],
});

/** Databases, brokers, caches and what stands between them and who needs them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kafka.apache.org/documentation/#basic_ops: a broker whose log directory has no room shuts down.
  'brokers-without-disk': scenario(
    'The disks of all brokers are full; producers and consumers get no answer',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'docker.io/apache/kafka:4.0';
      cluster.statefulSet('data/kafka', { replicas: 3, image });
      cluster.service('data/kafka', ports(9092, 'broker'));
      cluster.at('6s', () =>
        cluster.befall(
          image,
          ends(
            [
              'ERROR Error while appending records to orders-3 in dir /var/lib/kafka/data (org.apache.kafka.storage.internals.log.LogDirFailureChannel)',
              'java.io.IOException: No space left on device',
              'ERROR Shutdown broker because all log dirs in /var/lib/kafka/data have failed (kafka.log.LogManager)',
            ],
            1,
            2,
          ),
        ),
      );
      const names = dependants(cluster, '14s', {
        'shop/orders': {
          does: unready([
            'WARN [Producer clientId=orders-1] Connection to node -1 (kafka.data.svc/10.96.4.4:9092) could not be established. Node may not be available. (org.apache.kafka.clients.NetworkClient)',
          ]),
          values: { KAFKA_BROKERS: 'kafka.data.svc:9092' },
        },
        'shop/shipping': {
          does: ends([
            '%3|FAIL|rdkafka#consumer-1| [thrd:kafka.data.svc:9092/bootstrap]: kafka.data.svc:9092/bootstrap: Connect to ipv4#10.96.4.4:9092 failed: Connection refused (after 1ms in state CONNECT)',
            'cimpl.KafkaException: KafkaError{code=_ALL_BROKERS_DOWN,val=-187,str="1/1 brokers are down"}',
          ]),
          values: { KAFKA_BROKERS: 'kafka.data.svc:9092' },
        },
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({ root: 'StatefulSet/data/kafka', messages: { resolve: 0 }, mustNotBlame: names });
    },
  ),

  // https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/#what-should-i-do-if-my-aof-gets-truncated
  'cache-with-a-broken-file': scenario(
    'A cache cannot read its own file after its machine was restarted',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'docker.io/library/redis:7.4';
      cluster.statefulSet('shop/sessions', { image });
      cluster.service('shop/sessions', ports(6379, 'redis'));
      cluster.at('6s', () =>
        cluster.befall(
          image,
          ends(
            [
              '1:M 22 Nov 2026 09:00:04.112 * Reading RDB base file on AOF loading...',
              '1:M 22 Nov 2026 09:00:04.118 # Bad file format reading the append only file appendonly.aof.4.incr.aof: make a backup of your AOF file, then use ./redis-check-aof --fix <filename.manifest>',
            ],
            1,
            1,
          ),
        ),
      );
      const names = dependants(cluster, '12s', {
        'shop/storefront-api': {
          does: unready([
            'redis.exceptions.ConnectionError: Error 111 connecting to sessions:6379. Connection refused.',
          ]),
        },
        'shop/basket': {
          does: ends(
            [
              'Error: connect ECONNREFUSED 10.96.9.2:6379',
              'MaxRetriesPerRequestError: Reached the max retries per request limit (which is 20).',
            ],
            1,
          ),
          values: { REDIS_URL: 'redis://sessions.shop.svc:6379/0' },
        },
        'shop/login': {
          does: unready(['dial tcp: connect to sessions.shop.svc.cluster.local:6379: connect: connection refused']),
        },
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({ root: 'StatefulSet/shop/sessions', messages: { resolve: 0 }, mustNotBlame: names });
    },
  ),

  // https://www.elastic.co/docs/deploy-manage/deploy/cloud-on-k8s: somebody saves money over the weekend.
  'search-scaled-to-nothing': scenario(
    'The search cluster is scaled to nothing, and two teams still need it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const search = cluster.statefulSet('logging/elasticsearch', {
        replicas: 3,
        image: 'docker.io/elastic/elasticsearch:9.1',
      });
      cluster.service('logging/elasticsearch', ports(9200, 'http'));
      cluster.at('6s', () => search.scale(0));
      const names = dependants(cluster, '16s', {
        'logging/kibana': {
          does: unready([
            '[ERROR][elasticsearch-service] Unable to retrieve version information from Elasticsearch nodes. connect ECONNREFUSED elasticsearch.logging.svc:9200',
          ]),
        },
        'shop/catalogue': {
          does: ends([
            'java.net.ConnectException: Connection refused: elasticsearch.logging.svc/10.96.11.3:9200',
            '\tat org.elasticsearch.client.RestClient.extractAndWrapCause(RestClient.java:934)',
          ]),
        },
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'StatefulSet/logging/elasticsearch',
        accepts: ['Service/logging/elasticsearch'],
        messages: { resolve: 0 },
        mustNotBlame: names,
      });
    },
  ),

  // https://dev.mysql.com/doc/refman/8.4/en/too-many-connections.html: one workload takes them all.
  'connections-taken-by-a-worker': scenario(
    'A worker is scaled out and takes every connection of the database',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.statefulSet('shop/mysql', { image: 'docker.io/library/mysql:8.4' });
      cluster.service('shop/mysql', ports(3306, 'mysql'));
      const values = { MYSQL_HOST: 'mysql.shop.svc' };
      const worker = cluster.deployment('shop/worker', {
        replicas: 2,
        image: 'registry.acme.example/worker:7',
        values,
      });
      cluster.at('6s', () => worker.scale(16));
      const names = dependants(cluster, '14s', {
        'shop/orders': {
          values,
          does: unready([
            "pymysql.err.OperationalError: (1040, 'Too many connections')",
            'could not connect to mysql.shop.svc:3306',
          ]),
        },
        'shop/accounts': {
          values,
          does: unready(['Error 1040 (08004): Too many connections', 'ping mysql.shop.svc:3306 failed']),
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/shop/mysql',
        accepts: ['Deployment/shop/worker', 'Service/shop/mysql'],
        messages: { resolve: 0 },
        mustNotBlame: names,
      });
    },
  ),

  // https://www.keycloak.org/server/containers: 2 GB are advised, it was given 512 MB.
  'identity-provider-runs-out-of-memory': scenario(
    'The identity provider runs out of memory, and three teams cannot log in',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'quay.example/keycloak:26';
      cluster.deployment('auth/keycloak', { replicas: 2, image, memory: '512Mi' });
      cluster.service('auth/keycloak');
      cluster.at('6s', () =>
        cluster.befall(image, {
          exit: { afterSeconds: 4, code: 137, oom: true },
          readyAfterSeconds: 'never',
          log: ['INFO  [org.infinispan.CLUSTER] (main) ISPN000079: Channel `ISPN` local address is keycloak-0'],
        }),
      );
      const names = dependants(cluster, '16s', {
        'shop/orders': {
          does: ends([
            'oidc: failed to get provider: Get "http://keycloak.auth.svc/realms/shop/.well-known/openid-configuration": dial tcp 10.96.7.9:80: connect: connection refused',
          ]),
        },
        'office/crm': {
          does: ends([
            'Caused by: java.net.ConnectException: Connection refused',
            'java.lang.IllegalArgumentException: Unable to resolve the Configuration with the provided Issuer of "http://keycloak.auth.svc/realms/office"',
          ]),
        },
        'web/portal': {
          does: unready(['TypeError: fetch failed', '[cause]: Error: connect ECONNREFUSED keycloak.auth.svc:80']),
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({ root: 'Deployment/auth/keycloak', messages: { resolve: 0 }, mustNotBlame: names });
    },
  ),

  // https://www.pgbouncer.org/config.html: what stands between the programs and the database is edited.
  'pooler-with-a-broken-configuration': scenario(
    'The pooler in front of a healthy database does not start after an edit of its settings',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.statefulSet('shop/postgres', { image: 'docker.io/library/postgres:16.3' });
      cluster.service('shop/postgres', ports(5432, 'sql'));
      const settings = cluster.configMap('shop/pgbouncer', { 'pgbouncer.ini': '[databases]\norders = host=postgres' });
      const image = 'docker.io/bitnami/pgbouncer:1.24';
      const pooler = cluster.deployment('shop/pgbouncer', {
        ...{ replicas: 2, image, pod: { volumes: [{ name: 'settings', configMap: { name: 'pgbouncer' } }] } },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('shop/pgbouncer', ports(6432, 'pgbouncer'));
      cluster.at('5s', () => settings.edit({ 'pgbouncer.ini': '[database]\norders = host=postgres' }));
      cluster.at('8s', () => {
        cluster.image(image, ends(['ERROR invalid section: [database]', 'FATAL cannot load config file'], 1, 1));
        pooler.restart();
      });
      const names = dependants(cluster, '14s', {
        'shop/orders': {
          does: unready([
            'psycopg2.OperationalError: connection to server at "pgbouncer.shop.svc" (10.96.1.2), port 6432 failed: Connection refused',
          ]),
        },
        'shop/accounts': {
          does: ends(['panic: dial tcp: connect to pgbouncer.shop.svc:6432: connect: connection refused']),
        },
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'Deployment/shop/pgbouncer',
        accepts: ['ConfigMap/shop/pgbouncer'],
        messages: { resolve: 0 },
        mustNotBlame: [...names, 'StatefulSet/shop/postgres'],
      });
    },
  ),

  // A chain as microservices have it: https://sre.google/sre-book/addressing-cascading-failures/
  'chain-behind-a-database': scenario(
    'A database crashes, the API behind it is not ready, the site behind that neither',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'docker.io/library/mongo:8.0';
      cluster.statefulSet('shop/mongo', { image });
      cluster.service('shop/mongo', ports(27017, 'mongo'));
      cluster.service('shop/catalogue');
      cluster.at('6s', () =>
        cluster.befall(
          image,
          ends(
            [
              '{"t":{"$date":"2026-11-22T09:00:05Z"},"s":"F","c":"STORAGE","id":28595,"msg":"Terminating.","attr":{"reason":"95: Operation not supported"}}',
            ],
            14,
            2,
          ),
        ),
      );
      const first = dependants(cluster, '12s', {
        'shop/catalogue': { does: unready(['MongoServerSelectionError: connect ECONNREFUSED mongo.shop.svc:27017']) },
      });
      const second = dependants(cluster, '20s', {
        'web/site': {
          does: unready([
            '[error] upstream prematurely closed connection, upstream: "http://catalogue.shop.svc:80/api", connect() failed (111: Connection refused)',
          ]),
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/shop/mongo',
        messages: { resolve: 0 },
        mustNotBlame: [...first, ...second],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/: a name goes with its Service.
  'service-was-renamed': scenario(
    'A Service is deleted as its successor has another name; two clients use the old one',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.deployment('shop/inventory', { replicas: 2, image: 'registry.acme.example/inventory:4' });
      const old = cluster.service('shop/inventory');
      cluster.at('6s', () => {
        cluster.service('shop/inventory-v2', { selector: { app: 'inventory' } });
        old.delete();
      });
      const names = dependants(cluster, '11s', {
        'shop/orders': {
          does: ends([
            'Error: getaddrinfo ENOTFOUND inventory.shop.svc.cluster.local',
            '    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26)',
          ]),
        },
        'shop/picking': {
          does: ends(['dial tcp: lookup inventory.shop.svc.cluster.local on 10.96.0.10:53: no such host']),
        },
      });
      cluster.lasts('2m10s');
      cluster.expectIncident({
        root: 'Service/shop/inventory',
        beginsAfterSeconds: 11,
        messages: { resolve: 0 },
        mustNotBlame: [
          ...names,
          'Deployment/shop/inventory',
          'Service/kube-system/kube-dns',
          'Deployment/kube-system/coredns',
        ],
      });
    },
  ),
};
