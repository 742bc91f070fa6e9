import { after, clients, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Brokers and stores of several members, and those that cannot do without them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/rabbitmq/rabbitmq-server/issues/10199, https://github.com/docker-library/rabbitmq/issues/661
  'broker-upgrade-wants-its-feature-flags': reported(
    'A broker is upgraded before its feature flags were enabled and does not boot; two services find it no more',
    (cluster) => {
      const repository = 'docker.io/library/rabbitmq';
      const broker = server(cluster, 'tasks/rabbitmq', `${repository}:3.11.18-management`, 5672, {
        ...{ clusterIP: '10.96.19.5', spec: disks(cluster) },
      });
      cluster.image(
        `${repository}:3.12.10-management`,
        ends(
          [
            '2026-11-23 09:07:34.864 [error] <0.231.0> Feature flags: `direct_exchange_routing_v2`: required feature flag not enabled! It must be enabled before upgrading RabbitMQ.',
            '2026-11-23 09:07:34.871 [error] <0.231.0> Failed to initialize feature flags registry: {disabled_required_feature_flag, direct_exchange_routing_v2}',
            'BOOT FAILED',
            '===========',
            'Error during startup: {error,failed_to_initialize_feature_flags_registry}',
          ],
          1,
          6,
        ),
      );
      cluster.at(after(0), () => broker.setImage(`${repository}:3.12.10-management`));
      const values = { CELERY_BROKER_URL: 'amqp://tasks@rabbitmq.tasks.svc.cluster.local:5672//' };
      const innocents = clients(cluster, 14, {
        'tasks/beat': {
          does: ends([
            '[2026-11-23 09:08:02,300: ERROR/MainProcess] beat: Connection error: [Errno 111] Connection refused. Trying again in 2.0 seconds...',
            'kombu.exceptions.OperationalError: [Errno 111] Connection refused: amqp://tasks:**@rabbitmq.tasks.svc.cluster.local:5672//',
          ]),
          values,
        },
        'tasks/worker': {
          does: unready([
            '[2026-11-23 09:08:05,912: ERROR/MainProcess] consumer: Cannot connect to amqp://tasks:**@rabbitmq.tasks.svc.cluster.local:5672//: [Errno 111] Connection refused.',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/tasks/rabbitmq',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/tasks/rabbitmq'],
      });
    },
  ),

  // https://github.com/apecloud/kubeblocks/issues/4358, https://github.com/apache/pulsar/issues/10692: bookies first, then the brokers.
  'bookies-do-not-recognise-their-disks': reported(
    'The bookies of a Pulsar come back with empty directories and end; its brokers end for them, and two services find no broker',
    (cluster) => {
      const spec = disks(cluster);
      const bookie = 'docker.io/apachepulsar/pulsar:3.0.4';
      server(cluster, 'pulsar/pulsar-bookie', bookie, 3181, { replicas: 3, spec });
      const broker = 'docker.io/apachepulsar/pulsar-all:3.0.4';
      server(cluster, 'pulsar/pulsar-broker', broker, 6650, { replicas: 2, clusterIP: '10.96.70.4' });
      cluster.at(after(0), () =>
        cluster.befall(
          bookie,
          ends(
            [
              '2026-11-23T09:43:11,784+0000 [main] ERROR org.apache.bookkeeper.bookie.LegacyCookieValidation - There are directories without a cookie, and this is neither a new environment, nor is storage expansion enabled. Empty directories are [/pulsar/data/bookkeeper/journal/current, /pulsar/data/bookkeeper/ledgers/current]',
              '2026-11-23T09:43:11,785+0000 [main] ERROR org.apache.bookkeeper.server.Main - Failed to build bookie server',
              'org.apache.bookkeeper.bookie.BookieException$InvalidCookieException: ',
              '\tat org.apache.bookkeeper.bookie.LegacyCookieValidation.checkCookies(LegacyCookieValidation.java:116)',
            ],
            2,
            7,
          ),
        ),
      );
      cluster.at(after(20), () =>
        cluster.befall(
          broker,
          ends(
            [
              '2026-11-23T09:43:36,102+0000 [BookKeeperClientWorker-OrderedExecutor-0-0] ERROR org.apache.bookkeeper.client.LedgerCreateOp - Not enough bookies to create ledger',
              'java.util.concurrent.CompletionException: org.apache.bookkeeper.mledger.ManagedLedgerException: Not enough non-faulty bookies available: pulsar-bookie.pulsar.svc.cluster.local:3181',
              '2026-11-23T09:43:36,155+0000 [main] ERROR org.apache.pulsar.PulsarBrokerStarter - Failed to start pulsar service.',
            ],
            1,
            16,
          ),
        ),
      );
      const values = { PULSAR_SERVICE_URL: 'pulsar://pulsar-broker.pulsar.svc.cluster.local:6650' };
      const innocents = clients(cluster, 40, {
        'tickets/seat-events': {
          does: unready([
            'WARN  o.a.p.c.impl.ConnectionPool - [[id: 0x6d81b2b5]] Failed to open connection to pulsar-broker.pulsar.svc.cluster.local/10.96.70.4:6650 : java.net.ConnectException: Connection refused',
          ]),
          values,
        },
        'tickets/refund-worker': {
          does: ends([
            'time="2026-11-23T09:44:21Z" level=warning msg="Failed to connect to broker." error="dial tcp 10.96.70.4:6650: connect: connection refused" remote_addr="pulsar://pulsar-broker.pulsar.svc.cluster.local:6650"',
            'level=fatal msg="could not subscribe" error="connection error"',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/pulsar/pulsar-bookie',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/pulsar/pulsar-broker', 'StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/milvus-io/milvus/issues/40575, https://github.com/apache/apisix-helm-chart/issues/768
  'members-were-removed-as-they-went': reported(
    'All members of an etcd are ended at once, and each had itself removed as it went; a vector database and its search fail',
    (cluster) => {
      const image = 'docker.io/milvusdb/etcd:3.5.14-r1';
      server(cluster, 'milvus/milvus-etcd', image, 2379, {
        ...{ replicas: 3, clusterIP: '10.96.66.23' },
        spec: { ...disks(cluster), podManagementPolicy: 'Parallel' },
      });
      cluster.at(after(0), () => {
        cluster.image(image, ({ metadata }) =>
          metadata.name === 'milvus-etcd-0'
            ? unready(
                [
                  '{"level":"warn","ts":"2026-11-23T09:17:41.120Z","caller":"etcdserver/v3_server.go:920","msg":"waiting for ReadIndex response took too long, retrying"}',
                  '{"level":"warn","ts":"2026-11-23T09:17:44.402Z","caller":"etcdhttp/health.go:119","msg":"/health error","output":"{\\"health\\":\\"false\\",\\"reason\\":\\"RAFT NO LEADER\\"}"}',
                ],
                'HTTP probe failed with statuscode: 503',
              )
            : ends(
                [
                  '{"level":"warn","ts":"2026-11-23T09:17:39.664Z","caller":"etcdserver/server.go:1127","msg":"server error","error":"the member has been permanently removed from the cluster"}',
                  '{"level":"warn","ts":"2026-11-23T09:17:39.664Z","caller":"etcdserver/server.go:1128","msg":"data-dir used by this member must be removed"}',
                ],
                1,
                5,
              ),
        );
        cluster.evict('milvus', 'milvus-etcd');
      });
      const values = { ETCD_ENDPOINTS: 'milvus-etcd.milvus.svc.cluster.local:2379' };
      const innocents = clients(cluster, 12, {
        'milvus/milvus-rootcoord': {
          does: ends([
            '[2026/11/23 09:18:02.117 +00:00] [ERROR] [etcd/etcd_util.go:61] ["failed to connect etcd"] [endpoints="[milvus-etcd.milvus.svc.cluster.local:2379]"] [error="context deadline exceeded"]',
            'panic: etcdserver: no leader',
          ]),
          values,
        },
        'milvus/milvus-proxy': {
          does: unready([
            '[2026/11/23 09:18:05.820 +00:00] [WARN] [sessionutil/session_util.go:427] ["fail to retry keepAliveOnce"] [error="etcdserver: request timed out"] [endpoints="[milvus-etcd.milvus.svc.cluster.local:2379]"]',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/milvus/milvus-etcd',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/milvus/milvus-etcd', 'StorageClass//gp3'],
      });
    },
  ),
};
