import { dependants } from '../../kit/dependants.ts';
import { field, image, tcp } from '../../kit/field.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Brokers, registries of services, stores of objects and of logs. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/sentry-kubernetes/charts/issues/1714
  'controllers-of-the-broker-lose-their-majority': field(
    'The controllers of a broker run out of memory; the brokers lose their controller and their clients the brokers',
    (cluster) => {
      const controllers = image('kafka-controller:4.0');
      cluster.statefulSet('kafka/controller', { replicas: 3, image: controllers, memory: '512Mi' });
      cluster.service('kafka/controller', tcp(9093, 'controller'));
      const brokers = image('kafka-broker:4.0');
      cluster.statefulSet('kafka/broker', { replicas: 3, image: brokers });
      cluster.service('kafka/broker', tcp(9092, 'clients'));
      cluster.at('6s', () =>
        cluster.befall(controllers, {
          exit: { afterSeconds: 3, code: 137, oom: true },
          readyAfterSeconds: 'never',
          log: [
            '[2026-11-22 09:00:07,800] INFO [RaftManager id=1] Election has timed out, backing off for 1000ms before becoming a candidate again (org.apache.kafka.raft.KafkaRaftClient)',
          ],
        }),
      );
      cluster.at('12s', () =>
        cluster.befall(
          brokers,
          unready([
            '[2026-11-22 09:00:14,702] WARN [NodeToControllerChannelManager id=1 name=heartbeat] Connection to node 0 (controller-0.controller.kafka.svc.cluster.local/10.244.4.14:9093) could not be established. Node may not be available. (org.apache.kafka.clients.NetworkClient)',
            '[2026-11-22 09:00:14,702] INFO [BrokerLifecycleManager id=1] Unable to send a heartbeat because the RPC got timed out before it could be sent. (kafka.server.BrokerLifecycleManager)',
          ]),
        ),
      );
      const names = dependants(cluster, '20s', {
        'shop/checkout': {
          does: ends([
            'org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment. Call: describeTopics',
            'WARN [AdminClient clientId=checkout] Connection to node -1 (broker.kafka.svc/10.96.3.3:9092) could not be established. Node may not be available.',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/kafka/controller',
        mustNotBlame: [...names, 'StatefulSet/kafka/broker'],
      });
    },
  ),
  // https://kafka.apache.org/documentation/#brokerconfigs_auto.create.topics.enable
  'topic-of-a-release-does-not-exist': field(
    'A release reads from a topic that nobody has made; others read from the same brokers without trouble',
    (cluster, { storefront }) => {
      cluster.statefulSet('kafka/broker', { replicas: 3, image: 'docker.io/apache/kafka:4.0' });
      cluster.service('kafka/broker', tcp(9092, 'clients'));
      const values = { KAFKA_BROKERS: 'broker.kafka.svc:9092' };
      cluster.deployment('shop/shipping', { replicas: 2, image: image('shipping:3'), values });
      const invoices = cluster.deployment('shop/invoices', {
        replicas: 2,
        image: image('invoices:7'),
        values,
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.image(
        image('invoices:8'),
        ends([
          '[Consumer clientId=invoices-1, groupId=invoices] Error while fetching metadata with correlation id 4 : {orders.v3=UNKNOWN_TOPIC_OR_PARTITION}',
          'Exception in thread "main" org.springframework.kafka.KafkaException: Topic(s) [orders.v3] is/are not present and missingTopicsFatal is true',
        ]),
      );
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('9s', () => invoices.setImage(image('invoices:8')));
      cluster.expectIncident({
        root: 'Deployment/shop/invoices',
        mustNotBlame: ['StatefulSet/kafka/broker', 'Service/kafka/broker', 'Deployment/web/storefront'],
      });
    },
  ),
  // https://docs.nats.io/nats-concepts/jetstream/streams: a stream that is full refuses what is published.
  'streams-of-the-broker-are-full': field(
    'The streams of a broker have reached their size; who publishes is refused and ends',
    (cluster) => {
      cluster.statefulSet('iot/nats', { replicas: 3, image: 'docker.io/library/nats:2.11' });
      cluster.service('iot/nats', tcp(4222, 'client'));
      const values = { NATS_URL: 'nats://nats.iot.svc:4222' };
      const names = dependants(cluster, '12s', {
        'iot/telemetry': {
          values,
          does: ends([
            '{"level":"FATAL","time":"2026-11-22T09:00:14Z","message":"publish telemetry: nats: API error: code=503 err_code=10077 description=maximum bytes exceeded"}',
          ]),
        },
        'iot/commands': {
          values,
          does: ends([
            'NatsError: insufficient storage resources available',
            "    code: '503'",
            'nats://nats.iot.svc:4222',
          ]),
        },
        'iot/alarms': {
          values,
          does: unready(['io.nats.client.JetStreamApiException: maximum bytes exceeded [10077]']),
        },
      });
      cluster.expectIncident({ root: 'StatefulSet/iot/nats', accepts: ['Service/iot/nats'], mustNotBlame: names });
    },
  ),
  // https://developer.hashicorp.com/consul/docs/troubleshoot/faq: without a majority there is no leader.
  'service-registry-without-a-leader': field(
    'Two of three servers of a service registry crash; the third answers that there is no leader',
    (cluster, { wiki }) => {
      const consul = 'docker.io/hashicorp/consul:1.21';
      cluster.statefulSet('consul/server', { replicas: 3, image: consul, spec: { podManagementPolicy: 'Parallel' } });
      cluster.service('consul/server', tcp(8500, 'http'));
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('7s', () =>
        cluster.befall(consul, (pod) =>
          pod.metadata.name === 'server-0'
            ? unready([
                '2026-11-22T09:00:08.001Z [ERROR] agent.server: failed to make requestVote RPC: target="{Voter 2 10.244.2.7:8300}" error="dial tcp 10.244.2.7:8300: connect: connection refused"',
                '2026-11-22T09:00:08.902Z [ERROR] agent.anti_entropy: failed to sync remote state: error="No cluster leader"',
              ])
            : ends(
                [
                  '2026-11-22T09:00:08.441Z [ERROR] agent: Error starting agent: error="Failed to start Consul server: Failed to start Raft: failed to load any existing snapshots"',
                ],
                1,
                2,
              ),
        ),
      );
      const values = { CONSUL_HTTP_ADDR: 'server.consul.svc:8500' };
      const names = dependants(cluster, '15s', {
        'shop/router': {
          values,
          does: ends(['level=fatal msg="watch services" error="Unexpected response code: 500 (No cluster leader)"']),
        },
        'shop/jobs': { values, does: unready(['consul.base.ConsulException: 500 No cluster leader']) },
      });
      cluster.expectIncident({ root: 'StatefulSet/consul/server', mustNotBlame: [...names, 'Deployment/office/wiki'] });
    },
  ),
  // https://opensearch.org/docs/latest/install-and-configure/install-opensearch/index/#important-settings
  'search-nodes-need-a-kernel-setting': field(
    'A new machine image lacks a kernel setting: the masters of a search cluster do not start after their restart',
    (cluster) => {
      const masters = 'docker.io/opensearchproject/opensearch:3.2';
      const workload = cluster.statefulSet('search/masters', {
        replicas: 3,
        image: masters,
        spec: { podManagementPolicy: 'Parallel' },
      });
      cluster.service('search/masters', tcp(9200, 'http'));
      cluster.at('6s', () => {
        cluster.image(
          masters,
          ends(
            [
              '[2026-11-22T09:00:09,118][ERROR][o.o.b.Bootstrap          ] [masters-0] node validation exception',
              '[1] bootstrap checks failed',
              '[1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
            ],
            78,
            2,
          ),
        );
        workload.scale(0);
      });
      cluster.at('10s', () => workload.scale(3));
      const names = dependants(cluster, '18s', {
        'shop/catalogue': {
          does: ends([
            'ConnectionError: connect ECONNREFUSED masters.search.svc:9200',
            '    at ClientRequest.onError (/app/node_modules/@opensearch-project/opensearch/lib/Connection.js:130:16)',
          ]),
        },
        'search/dashboards': {
          does: unready([
            '{"type":"log","tags":["error","opensearch","data"],"message":"[ConnectionError]: connect ECONNREFUSED masters.search.svc:9200"}',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/search/masters',
        mustNotBlame: [...names, 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
  // https://min.io/docs/minio/linux/administration/identity-access-management/minio-user-management.html
  'object-store-has-a-new-root-user': field(
    'The root user of an object store is replaced in its Secret, and the Secret of its clients forgotten',
    (cluster) => {
      const own = cluster.secret('storage/minio-root', { rootUser: 'a', rootPassword: 'b' });
      const minio = cluster.statefulSet('storage/minio', {
        image: 'quay.example/minio/minio:2025-09',
        env: { MINIO_ROOT_USER: 'secret/minio-root/rootUser', MINIO_ROOT_PASSWORD: 'secret/minio-root/rootPassword' },
      });
      cluster.service('storage/minio', tcp(9000, 's3'));
      cluster.secret('docs/s3', { key: 'a', secret: 'b' });
      cluster.at('6s', () => own.edit({ rootUser: 'c', rootPassword: 'd' }));
      cluster.at('9s', () => minio.restart());
      const client = {
        env: { AWS_ACCESS_KEY_ID: 'secret/s3/key', AWS_SECRET_ACCESS_KEY: 'secret/s3/secret' },
        values: { S3_ENDPOINT: 'http://minio.storage.svc:9000' },
      };
      const names = dependants(cluster, '22s', {
        'docs/uploads': {
          ...client,
          does: ends([
            'botocore.exceptions.ClientError: An error occurred (InvalidAccessKeyId) when calling the ListBuckets operation: The Access Key Id you provided does not exist in our records.',
          ]),
        },
        'docs/previews': {
          ...client,
          does: ends([
            'level=fatal msg="The Access Key Id you provided does not exist in our records." bucket=previews endpoint=minio.storage.svc:9000',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'Secret/storage/minio-root',
        accepts: ['Secret/docs/s3', 'StatefulSet/storage/minio'],
        mustNotBlame: names,
      });
    },
  ),
  // https://github.com/rackerlabs/genestack/pull/157
  'log-store-without-live-replicas': field(
    'The ingesters of a log store crash on a corrupt journal; distributors and agents find no live replicas',
    (cluster) => {
      const ingester = image('loki-ingester:3.5');
      cluster.statefulSet('loki/ingester', { replicas: 3, image: ingester, spec: { podManagementPolicy: 'Parallel' } });
      cluster.service('loki/ingester', tcp(9095, 'grpc'));
      cluster.deployment('loki/distributor', {
        replicas: 2,
        image: image('loki-distributor:3.5'),
        values: { INGESTERS: 'ingester.loki.svc:9095' },
      });
      cluster.service('loki/distributor', tcp(3100, 'http'));
      cluster.daemonSet('loki/alloy', {
        image: image('alloy:1.10'),
        values: { LOKI_URL: 'http://distributor.loki.svc:3100/loki/api/v1/push' },
      });
      cluster.at('6s', () =>
        cluster.befall(
          ingester,
          ends(
            [
              'level=error ts=2026-11-22T09:00:08.1Z caller=ingester.go:424 msg="recovering from WAL segment failed" error="corruption in segment /var/loki/wal/00000042 at 32768: unexpected checksum"',
              'level=error ts=2026-11-22T09:00:08.2Z caller=log.go:223 msg="error running loki" err="failed services\\ningester: wal corrupted"',
            ],
            1,
            2,
          ),
        ),
      );
      cluster.at('14s', () =>
        cluster.befall(
          image('loki-distributor:3.5'),
          unready([
            'level=warn ts=2026-11-22T09:00:15.1Z caller=pool.go:193 msg="removing ingester failing healthcheck" addr=10.244.1.9:9095 reason="failing healthcheck status: NOT_SERVING"',
            'level=error ts=2026-11-22T09:00:15.2Z caller=http.go:107 msg="push failed" err="rpc error: code = Code(500) desc = too many unhealthy instances in the ring"',
          ]),
        ),
      );
      cluster.at('20s', () =>
        cluster.befall(
          image('alloy:1.10'),
          unready([
            'ts=2026-11-22T09:00:22.3Z level=warn msg="error sending batch, will retry" component_id=loki.write.default host=distributor.loki.svc:3100 status=500 error="server returned HTTP status 500 Internal Server Error (500): at least 2 live replicas required, could only find 0 - unhealthy instances: 10.244.1.9:9095,10.244.2.9:9095"',
          ]),
        ),
      );
      cluster.expectIncident({
        root: 'StatefulSet/loki/ingester',
        mustNotBlame: ['Deployment/loki/distributor', 'DaemonSet/loki/alloy'],
      });
    },
  ),
  // https://prometheus.io/docs/prometheus/latest/storage/: a journal that cannot be read.
  'metrics-store-cannot-read-its-journal': field(
    'A Prometheus server cannot read its journal after a power cut; what asks it for figures has none',
    (cluster) => {
      const prometheus = 'quay.example/prometheus/prometheus:v3.6.0';
      cluster.statefulSet('monitoring/prometheus', { image: prometheus });
      cluster.service('monitoring/prometheus', tcp(9090, 'http'));
      cluster.at('6s', () =>
        cluster.befall(
          prometheus,
          ends(
            [
              'time=2026-11-22T09:00:08.291Z level=ERROR source=main.go:1316 msg="Opening storage failed" err="opening segments: segments are not sequential"',
            ],
            1,
            2,
          ),
        ),
      );
      const names = dependants(cluster, '14s', {
        'monitoring/adapter': {
          values: { PROMETHEUS: 'http://prometheus.monitoring.svc:9090' },
          does: unready([
            'E1122 09:00:15.101412       1 provider.go:229] unable to update list of all metrics: unable to fetch metrics for query "{namespace!=\\"\\"}": Get "http://prometheus.monitoring.svc:9090/api/v1/series": dial tcp 10.96.2.2:9090: connect: connection refused',
          ]),
        },
        'monitoring/thanos-query': {
          values: { STORE: 'prometheus.monitoring.svc:9090' },
          does: unready([
            'ts=2026-11-22T09:00:15.002Z caller=endpointset.go:363 level=warn component=endpointset msg="update of endpoint failed" err="dialing connection: context deadline exceeded" address=prometheus.monitoring.svc:9090',
          ]),
        },
      });
      cluster.expectIncident({ root: 'StatefulSet/monitoring/prometheus', mustNotBlame: names });
    },
  ),
};
