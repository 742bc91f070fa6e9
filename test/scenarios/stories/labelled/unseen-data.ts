import { innocentRelease } from '../../kit/company.ts';
import { after, clients, disks, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Databases and search engines, and those that cannot do without them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/karakeep-app/karakeep/issues/1076, https://github.com/uberswe/createmod.com/pull/1479: a bot raised the version.
  'search-index-of-an-older-engine': reported(
    'A search engine is raised by one version and refuses its own files of yesterday; a website and its workers lose it',
    (cluster, firm) => {
      const repository = 'docker.io/getmeili/meilisearch';
      const spec = disks(cluster);
      const meilisearch = server(cluster, 'bookmarks/meilisearch', `${repository}:v1.13.3`, 7700, {
        ...{ clusterIP: '10.96.61.77', spec },
      });
      innocentRelease(cluster, after(-35), firm);
      cluster.image(
        `${repository}:v1.14.0`,
        ends(
          [
            '2026-11-23T09:27:39.090800Z ERROR meilisearch: error=Your database version (1.13.3) is incompatible with your current engine version (1.14.0).',
            'To migrate data between Meilisearch versions, please follow our guide on https://www.meilisearch.com/docs/learn/update_and_migration/updating.',
            'Error: Your database version (1.13.3) is incompatible with your current engine version (1.14.0).',
          ],
          1,
          1,
        ),
      );
      cluster.at(after(0), () => meilisearch.setImage(`${repository}:v1.14.0`));
      const values = { MEILI_ADDR: 'http://meilisearch.bookmarks.svc.cluster.local:7700' };
      const innocents = clients(cluster, 10, {
        'bookmarks/karakeep-web': {
          does: unready([
            'MeiliSearchRequestError: Request to http://meilisearch.bookmarks.svc.cluster.local:7700/indexes/bookmarks/search has failed',
            "  [cause]: TypeError: fetch failed { [cause]: Error: connect ECONNREFUSED 10.96.61.77:7700 { errno: -111, code: 'ECONNREFUSED', syscall: 'connect' } }",
          ]),
          values,
        },
        'bookmarks/karakeep-workers': {
          does: ends([
            '2026-11-23T09:28:04.511Z error: [search] Search indexing job failed: MeiliSearchRequestError: Request to http://meilisearch.bookmarks.svc.cluster.local:7700/indexes has failed',
            'Error: connect ECONNREFUSED 10.96.61.77:7700',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/bookmarks/meilisearch',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          ...innocents,
          'Deployment/logistics/tracking',
          'PersistentVolumeClaim/bookmarks/data-meilisearch-0',
        ],
      });
    },
  ),

  // https://github.com/patroni/patroni/issues/510, https://github.com/patroni/patroni/issues/2338: restored from another cluster's backup.
  'restored-database-belongs-to-another-cluster': reported(
    'A database is restored from the backup of another cluster; its keeper ends for the identifier, and monitoring loses it',
    (cluster) => {
      const image = 'ghcr.io/zalando/spilo-15:3.0-p1';
      server(cluster, 'zabbix/zabbix-db', image, 5432, { clusterIP: '10.96.29.4', spec: disks(cluster) });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              '2026-11-23 09:15:55,110 INFO: No PostgreSQL configuration items changed, nothing to reload.',
              '2026-11-23 09:15:55,598 CRITICAL: system ID mismatch, node zabbix-db-0 belongs to a different cluster: 6459238215155531824 != 6414232139510366258',
              '2026-11-23 09:15:56,063 INFO exited: patroni (exit status 1; not expected)',
            ],
            1,
            4,
          ),
        );
        cluster.evict('zabbix', 'zabbix-db');
      });
      const values = { DB_SERVER_HOST: 'zabbix-db.zabbix.svc.cluster.local' };
      const innocents = clients(cluster, 8, {
        'zabbix/zabbix-server': {
          does: ends(
            [
              '**** PostgreSQL server is not available. Waiting 5 seconds...',
              '     7:20261123:091631.402 [Z3001] connection to database \'zabbix\' failed: [0] connection to server at "zabbix-db.zabbix.svc.cluster.local" (10.96.29.4), port 5432 failed: Connection refused',
            ],
            1,
            20,
          ),
          values,
        },
        'zabbix/zabbix-web': {
          does: unready(
            [
              'PHP Warning:  pg_connect(): Unable to connect to PostgreSQL server: connection to server at "zabbix-db.zabbix.svc.cluster.local" (10.96.29.4), port 5432 failed: Connection refused in /usr/share/zabbix/include/classes/db/PostgresqlDbBackend.php on line 152',
            ],
            'HTTP probe failed with statuscode: 500',
          ),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/zabbix/zabbix-db',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/zabbix/zabbix-db'],
      });
    },
  ),

  // https://github.com/sapcc/helm-charts/pull/5147, https://github.com/CrunchyData/postgres-operator/issues/1358: 64 MB are all there is.
  'shared-memory-of-the-database-is-too-small': reported(
    'A PostgreSQL runs on and has no shared memory left for large queries; a registry and its two helpers fail',
    (cluster) => {
      server(cluster, 'keppel/keppel-postgresql', 'docker.io/library/postgres:12.15', 5432, {
        clusterIP: '10.96.83.2',
      });
      const values = { KEPPEL_DB_HOSTNAME: 'keppel-postgresql.keppel.svc.cluster.local' };
      const short =
        'could not resize shared memory segment "/PostgreSQL.710526079" to 4194304 bytes: No space left on device';
      const innocents = clients(cluster, 0, {
        'keppel/keppel-api': {
          does: unready(
            [`2026/11/23 09:21:44 ERROR: during "GET /keppel/v1/accounts/staging/repositories": pq: ${short}`],
            'HTTP probe failed with statuscode: 500',
          ),
          values,
        },
        'keppel/keppel-janitor': { does: ends([`2026/11/23 09:22:10 FATAL: pq: ${short}`]), values },
        'keppel/keppel-anycast': {
          does: unready([`2026/11/23 09:22:31 ERROR: cannot list accounts: pq: ${short}`]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/keppel/keppel-postgresql',
        accepts: ['Service/keppel/keppel-postgresql'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/Altinity/clickhouse-operator/issues/1331, https://github.com/SigNoz/signoz/issues/2558
  'parts-of-a-table-are-broken-after-a-hard-stop': reported(
    'A ClickHouse was stopped hard and refuses to drop so many broken parts by itself; tracing loses it',
    (cluster, firm) => {
      const image = 'docker.io/clickhouse/clickhouse-server:24.1.2-alpine';
      server(cluster, 'signoz/signoz-clickhouse', image, 9000, { clusterIP: '10.96.17.90', spec: disks(cluster) });
      innocentRelease(cluster, after(-15), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              "2026.11.23 09:37:20.473163 [ 1 ] {} <Error> Application: DB::Exception: Suspiciously many (14 parts, 0.00 B in total) broken parts to remove while maximum allowed broken parts count is 10. You can change the maximum value with merge tree setting 'max_suspicious_broken_parts' in <merge_tree> configuration section or in table settings in .sql file (don't forget to return setting back to default value): Cannot attach table `signoz_traces`.`top_level_operations` from metadata file /var/lib/clickhouse/store/b8f/b8fde4fc-bb6f-4b0e-8917-49c7a90bc6f4/top_level_operations.sql",
              '2026.11.23 09:37:20.510222 [ 1 ] {} <Information> Application: shutting down',
            ],
            231,
            5,
          ),
        ),
      );
      const values = { CLICKHOUSE_ADDR: 'tcp://signoz-clickhouse.signoz.svc.cluster.local:9000' };
      const innocents = clients(cluster, 7, {
        'signoz/query-service': {
          does: ends([
            '{"level":"FATAL","timestamp":"2026-11-23T09:37:41.018Z","caller":"query-service/main.go:118","msg":"Failed to create server","error":"dial tcp 10.96.17.90:9000: connect: connection refused"}',
          ]),
          values,
        },
        'signoz/otel-collector': {
          does: unready([
            '2026-11-23T09:37:44.207Z\terror\texporterhelper/queued_retry.go:391\tExporting failed. Will retry the request after interval.\t{"kind": "exporter", "data_type": "traces", "name": "clickhousetraces", "error": "dial tcp 10.96.17.90:9000: connect: connection refused", "interval": "12.1s"}',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/signoz/signoz-clickhouse',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking', 'StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/wazuh/wazuh-dashboard-plugins/issues/2113, https://github.com/wazuh/wazuh/issues/9830
  'no-more-shards-may-be-opened': reported(
    'An Elasticsearch has as many shards open as it may; a new day has no index, and those that write fail; mended after eleven minutes',
    (cluster) => {
      const image = 'docker.elastic.co/elasticsearch/elasticsearch:7.17.9';
      server(cluster, 'wazuh/elasticsearch', image, 9200, { clusterIP: '10.96.44.71', spec: disks(cluster) });
      const values = { ELASTICSEARCH_URL: 'http://elasticsearch.wazuh.svc.cluster.local:9200' };
      const full =
        'Validation Failed: 1: this action would add [2] total shards, but this cluster currently has [1000]/[1000] maximum shards open;';
      const places = {
        'wazuh/filebeat': {
          does: unready([
            `2026-11-23T09:00:04.512Z\tWARN\t[elasticsearch]\telasticsearch/client.go:408\tCannot index event publisher.Event (status=400): {"type":"validation_exception","reason":"${full}"}, dropping event! elasticsearch.wazuh.svc.cluster.local:9200`,
          ]),
          values,
        },
        'wazuh/kibana': {
          does: unready([
            `{"type":"log","tags":["fatal","root"],"pid":8,"message":"ResponseError: validation_exception: [validation_exception] Reason: ${full}","url":"http://elasticsearch.wazuh.svc.cluster.local:9200/.kibana_task_manager_7.17.9_001"}`,
          ]),
          values,
        },
        'audit/writer': {
          does: ends([
            `elasticsearch.exceptions.RequestError: RequestError(400, 'validation_exception', '${full}')`,
            'CRITICAL audit.writer: giving up on http://elasticsearch.wazuh.svc.cluster.local:9200',
          ]),
          values,
        },
      };
      const innocents = clients(cluster, 0, places);
      recover(cluster, 660, ...Object.keys(places));
      cluster.expectIncident({
        root: 'StatefulSet/wazuh/elasticsearch',
        accepts: ['Service/wazuh/elasticsearch'],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
    { minutes: 24 },
  ),
};
