import { innocentRelease } from '../../kit/company.ts';
import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Servers that nobody touched: they are Ready and answer wrongly, or it is a place outside that does. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/sidekiq/sidekiq/issues/5558, https://github.com/rhesis-ai/rhesis/issues/1769, https://github.com/getsentry/self-hosted/issues/3888
  'queue-in-memory-takes-nothing-more': reported(
    'A Redis has used all the memory that it may and evicts nothing; workers in Ruby, Python and Node cannot write',
    (cluster, firm) => {
      server(cluster, 'jobs/redis-queue', 'docker.io/library/redis:7.2.5', 6379);
      innocentRelease(cluster, after(-40), firm);
      const innocents = clients(cluster, 0, {
        'jobs/sidekiq': {
          does: ends([
            "Redis::CommandError: OOM command not allowed when used memory > 'maxmemory'.",
            '/app/vendor/bundle/ruby/2.7.0/gems/redis-4.5.1/lib/redis/client.rb:163 call',
          ]),
          values: { REDIS_URL: 'redis://redis-queue:6379/0' },
        },
        'telemetry/ingest': {
          does: unready([
            'kombu.exceptions.OperationalError:',
            'Command # 1 (LLEN telemetry) of pipeline caused error:',
            "command not allowed when used memory > 'maxmemory'",
          ]),
          values: { CELERY_BROKER: 'redis://redis-queue.jobs.svc.cluster.local:6379/1' },
        },
        'telemetry/alerts': {
          does: unready(["ReplyError: OOM command not allowed when used memory > 'maxmemory'."]),
          values: { QUEUE_HOST: 'redis-queue.jobs' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/jobs/redis-queue',
        accepts: ['Service/jobs/redis-queue'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/thanos-io/thanos/issues/6170, https://github.com/bitnami/charts/issues/20598: a policy was taken from the user in MinIO itself.
  'object-store-denies-its-users': reported(
    'The policy of a user is taken away in a MinIO; a Thanos, a Loki and a backup service are denied, in their own words',
    (cluster, firm) => {
      server(cluster, 'storage/minio', 'quay.io/minio/minio:RELEASE.2024-05-10T01-41-38Z', 9000);
      innocentRelease(cluster, after(-90), firm);
      const innocents = clients(cluster, 0, {
        'monitoring/thanos-store': {
          does: ends([
            'level=error ts=2026-11-22T21:16:24.365661978Z caller=main.go:158 err="Access Denied.\\nget file: 01FH2F7JDEQ6VM3JK6GCWKFS1M/deletion-mark.json\\nfilter blocks marked for deletion"',
          ]),
          values: { OBJSTORE_ENDPOINT: 'minio.storage.svc.cluster.local:9000' },
        },
        'logging/loki-compactor': {
          does: unready([
            'level=error ts=2026-11-22T21:16:30.120Z caller=compactor.go:569 msg="failed to run compaction" err="AccessDenied: Access Denied.\\n\\tstatus code: 403, request id: 17AEE4329FDE2964, host id: "',
          ]),
          values: { LOKI_S3_ENDPOINT: 'http://minio.storage:9000' },
        },
        'archive/uploads': {
          does: ends([
            'S3Error: S3 operation failed; code: AccessDenied, message: Access Denied., resource: /uploads/, request_id: 17AEE43512, bucket_name: uploads',
          ]),
          values: { MINIO_ENDPOINT: 'minio.storage:9000' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/storage/minio',
        accepts: ['Service/storage/minio'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/velero-io/velero/issues/3135, https://github.com/vmware-tanzu/helm-charts/issues/234
  'keys-of-a-bucket-outside-were-withdrawn': reported(
    'The access key that three teams use for an object store outside is deleted there; one log names the store, the others do not',
    (cluster, firm) => {
      const host = 's3.eu-central-3.ionoscloud.example';
      innocentRelease(cluster, after(-15), firm);
      const innocents = clients(cluster, 0, {
        'ops/snapshots': {
          does: unready([
            'time="2026-11-22T15:00:11Z" level=error msg="Error listing backups in backup store" backupLocation=default controller=backup-sync error="rpc error: code = Unknown desc = InvalidAccessKeyId: The Access Key Id you provided does not exist in our records.\\n\\tstatus code: 403, request id: 164E773ADC1F5CDD, host id: "',
          ]),
          values: { S3_URL: `https://${host}` },
        },
        'media/pictures': {
          does: ends([
            'botocore.exceptions.ClientError: An error occurred (InvalidAccessKeyId) when calling the ListObjectsV2 operation: The AWS Access Key Id you provided does not exist in our records.',
          ]),
          values: { AWS_ENDPOINT_URL: `https://${host}` },
        },
        'press/downloads': {
          does: ends([`panic: GET https://${host}/press-kit/?location=: 403 Forbidden: InvalidAccessKeyId`]),
          values: { BUCKET_HOST: host },
        },
      });
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:443`,
        accepts: [`ExternalEndpoint//${host}`],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/oracle/docker-images/issues/1715, https://github.com/oracle/node-oracledb/issues/1334: the listener is moved without a word.
  'listener-of-the-house-database-is-gone': reported(
    'The listener of an Oracle outside the cluster stops for eleven minutes; one client names its address, one its name, one nothing',
    (cluster) => {
      const host = 'oracle-erp.corp.example';
      const innocents = clients(cluster, 0, {
        'erp/stock': {
          does: ends([
            'Caused by: oracle.net.ns.NetException: ORA-12541: Cannot connect. No listener at host oracle-erp.corp.example port 1521.',
          ]),
          values: { DB_URL: `jdbc:oracle:thin:@//${host}:1521/ERP` },
        },
        'erp/prices': {
          does: ends(['dial tcp 10.20.4.15:1521: connect: connection refused']),
          values: { ORACLE_DSN: `oracle://prices@${host}:1521/ERP` },
        },
        'erp/suppliers': {
          does: unready([
            'DPY-6005: cannot connect to database (CONNECTION_ID=a0GRJVgNQjShbrNAOcjyGA==). [Errno 111] Connection refused',
          ]),
          values: { ORACLE_HOST: host, ORACLE_PORT: '1521' },
        },
      });
      recover(cluster, 660, 'erp/stock', 'erp/prices', 'erp/suppliers');
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:1521`,
        accepts: [`ExternalEndpoint//${host}`],
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/goharbor/harbor/issues/17643, https://github.com/goharbor/harbor/issues/14588
  'cache-of-images-breaks-off': reported(
    'The cache of images that two namespaces pull through answers with errors, of one image in the middle of a layer, of the other at once',
    (cluster, firm) => {
      const host = 'harbor.house.example';
      const first = cluster.deployment('studio/render', { replicas: 2, image: `${host}/quay/render:4.1` });
      const second = cluster.deployment('finance/closing', { replicas: 2, image: `${host}/hub/closing:7.0` });
      cluster.image(`${host}/quay/render:4.2`, {
        pullError: `failed to pull and unpack image "${host}/quay/render:4.2": failed to copy: httpReadSeeker: failed open: unexpected status code https://${host}/v2/quay/render/blobs/sha256:50cde5656eb6: 500 Internal Server Error`,
      });
      cluster.image(`${host}/hub/closing:7.1`, {
        pullError: `failed to pull and unpack image "${host}/hub/closing:7.1": failed to copy: unexpected EOF`,
      });
      innocentRelease(cluster, after(-60), firm);
      cluster.at(after(0), () => first.setImage(`${host}/quay/render:4.2`));
      cluster.at(after(35), () => second.setImage(`${host}/hub/closing:7.1`));
      cluster.expectIncident({
        root: `Registry//${host}`,
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking'],
      });
    },
  ),
};
