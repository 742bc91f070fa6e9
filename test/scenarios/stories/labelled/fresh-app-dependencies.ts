import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, clients, disks, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Databases, brokers, caches, search engines and stores, and those that cannot do without them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/mongodb/helm-charts/issues/196
  'set-shrinks-and-has-no-primary': reported(
    'A MongoDB of three members is scaled to one, which cannot be elected; its clients may not write',
    (cluster) => {
      const mongo = server(cluster, 'wiki/mongodb', 'docker.io/library/mongo:5.0.14', 27017, {
        replicas: 3,
        clusterIP: '10.96.60.3',
      });
      cluster.at(after(0), () => mongo.scale(1));
      const values = { MONGO_URI: 'mongodb://mongodb.wiki.svc:27017/wiki' };
      const innocents = clients(cluster, 20, {
        'wiki/editor': {
          does: ends([
            "pymongo.errors.NotPrimaryError: not primary, full error: {'operationTime': Timestamp(1674072822, 1), 'ok': 0.0, 'errmsg': 'not primary', 'code': 10107, 'codeName': 'NotWritablePrimary'}",
          ]),
          values,
        },
        'wiki/comments': {
          does: unready([
            'MongoServerError: not primary',
            '    at Connection.onMessage (/app/node_modules/mongodb/lib/cmap/connection.js:201:30)',
            "  code: 10107, codeName: 'NotWritablePrimary'",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/wiki/mongodb',
        accepts: ['Service/wiki/mongodb'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/bitnami/charts/issues/15394: the server itself cannot be probed any more.
  'cache-has-no-room-for-another-client': reported(
    'A worker is scaled up and takes all connections of a Redis; its startup probe and two other clients are turned away',
    (cluster, firm) => {
      server(cluster, 'jobs/redis', 'docker.io/bitnamilegacy/redis:7.0.9', 6379, { clusterIP: '10.96.61.5' });
      const values = { REDIS_URL: 'redis://redis.jobs.svc:6379/1' };
      const crawler = cluster.deployment('jobs/crawler', { replicas: 2, image: imageAt('crawler', 9), values });
      innocentRelease(cluster, after(-90), firm);
      cluster.at(after(0), () => crawler.scale(24));
      const full = 'ERR max number of clients reached';
      const innocents = clients(cluster, 40, {
        'jobs/dispatcher': { does: ends([`redis.exceptions.ConnectionError: ${full}`]), values },
        'jobs/dashboard': {
          does: unready([
            `ReplyError: ${full}`,
            '    at parseError (/app/node_modules/redis-parser/lib/parser.js:179:12)',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/jobs/crawler',
        accepts: ['Service/jobs/redis', 'StatefulSet/jobs/redis'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/nats-io/nats-server/issues/4281, https://github.com/nats-io/k8s/issues/740
  'broker-has-no-storage-for-another-stream': reported(
    'JetStream has used up what it may store; it runs on, and two publishers cannot make their streams',
    (cluster) => {
      const spec = disks(cluster);
      server(cluster, 'events/nats', 'docker.io/library/nats:2.9.17-alpine', 4222, {
        ...{ replicas: 3, clusterIP: '10.96.62.1', spec },
      });
      const values = { NATS_SERVERS: 'nats://nats.events.svc:4222' };
      const innocents = clients(cluster, 0, {
        'events/recorder': {
          does: ends(['level=fatal msg="add stream RECORDINGS" err="nats: insufficient storage resources available"']),
          values,
        },
        'events/enricher': {
          does: unready([
            'NatsError: insufficient storage resources available',
            '    at JetStreamManagerImpl.parseJsResponse (/app/node_modules/nats/lib/jetstream/jsbaseclient_api.js:103:24)',
            '  api_error: { code: 500, err_code: 10047, description: "insufficient storage resources available" }',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/events/nats',
        accepts: [
          'Service/events/nats',
          ...([0, 1, 2] as const).map((n) => `PersistentVolumeClaim/events/data-nats-${n}` as const),
        ],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/grafana/loki/issues/9634: the store runs, and its buckets are not there.
  'store-comes-back-without-its-buckets': reported(
    'A MinIO is rolled out on a new, empty folder; three programs do not find their buckets',
    (cluster) => {
      const minio = server(cluster, 'observability/minio', 'quay.io/minio/minio:RELEASE.2024-05-10T01-41-38Z', 9000, {
        clusterIP: '10.96.63.8',
        command: ['minio', 'server', '/export'],
      });
      cluster.at(after(0), () => minio.change({ command: ['minio', 'server', '/data'] }));
      const values = { S3_ENDPOINT: 'http://minio.observability.svc:9000' };
      const gone = 'NoSuchBucket: The specified bucket does not exist';
      const innocents = clients(cluster, 25, {
        'observability/loki-write': {
          does: ends([
            `level=error ts=2026-11-22T09:16:20.320156891Z caller=log.go:171 msg="error running loki" err="${gone}\\n\\tstatus code: 404, request id: 1765CC38E9022C3E, host id: \\nfailed to get s3 object"`,
          ]),
          values,
        },
        'observability/mimir-ingester': {
          does: unready([
            'ts=2026-11-22T09:16:58.095869334Z caller=sanity_check.go:115 level=warn msg="Unable to successfully connect to configured object storage (will retry)" err="blocks storage: unable to successfully send a request to object storage: The specified bucket does not exist."',
          ]),
          values,
        },
        'observability/thanos-store': {
          does: ends([
            'level=error ts=2026-11-22T09:16:31.101Z caller=main.go:161 err="bucket store initial sync: sync block: BaseFetcher: iter bucket: The specified bucket does not exist\\nstore command failed"',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/observability/minio',
        accepts: ['Service/observability/minio'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/backstage/backstage/issues/29350, https://github.com/wazuh/wazuh-dashboard-plugins/issues/1994
  'search-engine-has-no-shard-left': reported(
    'An Elasticsearch holds as many shards as it may; what makes a new index each day fails from midnight on',
    (cluster, firm) => {
      server(cluster, 'search/elasticsearch', 'docker.elastic.co/elasticsearch/elasticsearch:8.11.1', 9200, {
        replicas: 3,
        clusterIP: '10.96.64.2',
      });
      innocentRelease(cluster, after(-45), firm);
      const values = { ELASTICSEARCH_URL: 'http://elasticsearch.search.svc:9200' };
      const full =
        'this action would add [2] total shards, but this cluster currently has [3000]/[3000] maximum shards open';
      const innocents = clients(cluster, 0, {
        'portal/backstage': {
          does: unready([
            `2026-11-22T00:00:11.198Z search error Failed to index documents for type techdocs illegal_argument_exception: [illegal_argument_exception] Reason: Validation Failed: 1: ${full}; documentType="techdocs"`,
          ]),
          values,
        },
        'security/wazuh-indexer-init': {
          does: ends([
            `{"error":{"root_cause":[{"type":"validation_exception","reason":"Validation Failed: 1: ${full};"}],"type":"validation_exception","reason":"Validation Failed: 1: ${full};"},"status":400}`,
          ]),
          values,
        },
        'audit/trail': {
          does: ends([
            `co.elastic.clients.elasticsearch._types.ElasticsearchException: [es/indices.create] failed: [validation_exception] Validation Failed: 1: ${full};`,
            '\tat co.elastic.clients.transport.ElasticsearchTransportBase.getApiResponse(ElasticsearchTransportBase.java:345)',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/search/elasticsearch',
        accepts: ['Service/search/elasticsearch'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/stackabletech/kafka-operator/issues/394: the cluster id in the folder is another one.
  'broker-reads-the-folder-of-another-cluster': reported(
    'The only broker of a Kafka ends for the cluster id in its folder after it was moved; its clients print no more than an address',
    (cluster) => {
      const spec = disks(cluster);
      const image = 'docker.io/apache/kafka:3.7.0';
      server(cluster, 'iot/kafka', image, 9092, { clusterIP: '10.96.65.9', spec });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              '[2026-11-22 09:40:11,120] INFO Log directory /var/lib/kafka/data/kraft-combined-logs is formatted (kafka.server.KafkaRaftServer)',
              '[2026-11-22 09:40:11,801] ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)',
              'java.lang.RuntimeException: Invalid cluster.id in: /var/lib/kafka/data/kraft-combined-logs/meta.properties. Expected 4L6g3nShT-eMCtK--X86sw, but read AQyzI7cNSZCBp37p6Z1uuA',
              '\tat kafka.server.KafkaRaftServer$.initializeLogDirs(KafkaRaftServer.scala:190)',
            ],
            1,
            4,
          ),
        );
        cluster.evict('iot', 'kafka');
      });
      const values = { KAFKA_BROKERS: 'kafka.iot.svc:9092' };
      const innocents = clients(cluster, 12, {
        'iot/ingest': {
          does: ends([
            '%3|1763804420.118|FAIL|rdkafka#producer-1| [thrd:10.96.65.9:9092/bootstrap]: 10.96.65.9:9092/bootstrap: Connect to ipv4#10.96.65.9:9092 failed: Connection refused (after 0ms in state CONNECT)',
            'Error: Local: Broker transport failure',
          ]),
          values,
        },
        'iot/alarms': {
          does: unready([
            'level=warn msg="client/metadata got error from broker while fetching metadata" err="dial tcp 10.96.65.9:9092: connect: connection refused"',
          ]),
          values,
        },
        'iot/archive': {
          does: ends([
            "aiokafka.errors.KafkaConnectionError: KafkaConnectionError: Unable to bootstrap from [('10.96.65.9', 9092, <AddressFamily.AF_INET: 2>)]",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/iot/kafka',
        accepts: ['PersistentVolumeClaim/iot/data-kafka-0'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Service/iot/kafka'],
      });
    },
  ),

  // https://github.com/rancher/opni/issues/102: it answers, and breaks its circuit for most questions.
  'search-engine-breaks-its-circuit': reported(
    'The heap of an OpenSearch is full; it answers and refuses most requests; three clients fail and are well after a restart',
    (cluster) => {
      const image = 'docker.io/opensearchproject/opensearch:1.3.2';
      server(cluster, 'opni/opensearch', image, 9200, { replicas: 1, clusterIP: '10.96.66.3' });
      const values = { ES_ENDPOINT: 'https://opensearch.opni.svc:9200' };
      const large =
        "'[parent] Data too large, data for [<http_request>] would be [516681156/492.7mb], which is larger than the limit of [510027366/486.3mb], real usage: [516680744/492.7mb], new bytes reserved: [412/412b], usages [request=0/0b, fielddata=0/0b, in_flight_requests=412/412b, accounting=0/0b]'";
      const python = `opensearchpy.exceptions.TransportError: TransportError(429, 'circuit_breaking_exception', ${large})`;
      const innocents = clients(cluster, 0, {
        'opni/drain-service': { does: ends([python]), values },
        'opni/preprocessing': { does: ends([python], 1, 9), values },
        'opni/metrics-api': {
          does: unready([`ERROR:    health: TransportError(429, 'circuit_breaking_exception', ${large})`]),
          values,
        },
      });
      recover(cluster, 600, 'opni/drain-service', 'opni/preprocessing', 'opni/metrics-api');
      cluster.expectIncident({
        root: 'StatefulSet/opni/opensearch',
        accepts: ['Service/opni/opensearch'],
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: innocents,
      });
    },
  ),
};
