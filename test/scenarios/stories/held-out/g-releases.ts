import { innocentRelease } from '../../kit/company.ts';
import { settingsVolume } from '../../kit/field.ts';
import { after, clients, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Releases and settings that do not go together with what they meet. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/dani-garcia/vaultwarden/issues/3392: an earlier try had added the column already.
  'password-store-adds-a-column-twice': reported(
    'A new version of Vaultwarden adds a column that its MariaDB has already, and ends each time it starts',
    (cluster, firm) => {
      server(cluster, 'vault/mariadb', 'docker.io/library/mariadb:10.6.12', 3306, { clusterIP: '10.96.81.4' });
      const repository = 'docker.io/vaultwarden/server';
      const vaultwarden = cluster.deployment('vault/vaultwarden', {
        image: `${repository}:1.27.0`,
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('vault/vaultwarden');
      cluster.image(
        `${repository}:1.28.0`,
        ends(
          [
            '[2026-11-23 09:19:07.551][panic][ERROR] thread \'main\' panicked at \'Error running migrations: QueryError(DieselMigrationName { name: "2023-01-06-151600_add_reset_password_support", version: MigrationVersion("20230106151600") }, DatabaseError(Unknown, "Duplicate column name \'reset_password_key\'"))\': src/db/mod.rs:471',
            '   0: vaultwarden::init_logging::{{closure}}',
            '   1: std::panicking::rust_panic_with_hook',
          ],
          101,
          2,
        ),
      );
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () => vaultwarden.setImage(`${repository}:1.28.0`));
      cluster.expectIncident({
        root: 'Deployment/vault/vaultwarden',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/vault/mariadb', 'Service/vault/mariadb', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/stackabletech/nifi-operator/issues/82: 1.14 makes the key mandatory.
  'data-flows-want-a-key-since-their-upgrade': reported(
    'Apache NiFi is upgraded to a version that wants a key nobody set; the last of its members ends each time, and the rollout stops there',
    (cluster) => {
      const repository = 'docker.io/apache/nifi';
      const nifi = server(cluster, 'ingest/nifi', `${repository}:1.13.2`, 8443, { replicas: 3, spec: disks(cluster) });
      cluster.image(
        `${repository}:1.14.0`,
        ends(
          [
            '2026-11-23 09:20:20,146 ERROR [main] org.apache.nifi.NiFi Failure to launch NiFi due to java.lang.IllegalArgumentException: There was an issue decrypting protected properties',
            'java.lang.IllegalArgumentException: There was an issue decrypting protected properties',
            '\tat org.apache.nifi.NiFi.initializeProperties(NiFi.java:346)',
            'Caused by: org.apache.nifi.properties.SensitivePropertyProtectionException: Sensitive Properties Key [nifi.sensitive.props.key] not found: See Admin Guide section [Updating the Sensitive Properties Key]',
            '\tat org.apache.nifi.properties.NiFiPropertiesLoader.getDefaultProperties(NiFiPropertiesLoader.java:220)',
          ],
          1,
          9,
        ),
      );
      cluster.at(after(0), () => nifi.setImage(`${repository}:1.14.0`));
      cluster.expectIncident({
        root: 'StatefulSet/ingest/nifi',
        messages: { resolve: 0 },
        mustNotBlame: ['Service/ingest/nifi', 'StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/directus-labs/helm-chart/issues/9, https://github.com/directus/directus/issues/12202
  'content-server-misses-a-variable-and-two-sites-miss-it': reported(
    'A new version of Directus wants a variable that nobody gives it and ends as it starts; two websites find no content',
    (cluster) => {
      const repository = 'docker.io/directus/directus';
      const first = {
        ...{ image: `${repository}:9.0.1`, values: { DB_CLIENT: 'pg' } },
        spec: { strategy: { type: 'Recreate' } },
      };
      const directus = cluster.deployment('content/directus', first);
      cluster.service('content/directus', {
        ...{ clusterIP: '10.96.81.20', ports: [{ name: 'http', port: 8055, targetPort: 8055, protocol: 'TCP' }] },
      });
      cluster.image(
        `${repository}:9.21.2`,
        ends(
          [
            '✨ Initializing bootstrap...',
            '✨ Database already initialized, skipping install',
            '"KEY" Environment Variable is missing.',
          ],
          1,
          4,
        ),
      );
      cluster.at(after(0), () => directus.setImage(`${repository}:9.21.2`));
      const values = { DIRECTUS_URL: 'http://directus.content.svc.cluster.local:8055' };
      const innocents = clients(cluster, 12, {
        'web/campaigns': {
          does: ends([
            'FetchError: request to http://directus.content.svc.cluster.local:8055/items/pages failed, reason: connect ECONNREFUSED 10.96.81.20:8055',
            '    at ClientRequest.<anonymous> (/app/node_modules/node-fetch/lib/index.js:1491:11)',
          ]),
          values,
        },
        'web/press': {
          does: unready([
            'GuzzleHttp\\Exception\\ConnectException: cURL error 7: Failed to connect to directus.content.svc.cluster.local port 8055 after 3 ms: Connection refused',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/content/directus',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/content/directus'],
      });
    },
  ),

  // https://github.com/metabase/metabase/issues/28140, https://github.com/metabase/metabase/issues/44577
  'questions-tool-finds-a-column-it-wants-to-add': reported(
    'Metabase is upgraded over many versions at once and ends in the middle of its changes; the old Pods stay',
    (cluster, firm) => {
      server(cluster, 'insight/metabase-db', 'docker.io/library/postgres:15.8', 5432);
      const repository = 'docker.io/metabase/metabase';
      const metabase = cluster.deployment('insight/metabase', {
        ...{ replicas: 2, image: `${repository}:v0.41.7` },
        spec: { progressDeadlineSeconds: 300 },
      });
      cluster.service('insight/metabase');
      cluster.image(
        `${repository}:v0.50.6`,
        ends(
          [
            '2026-11-23 09:05:01,112 INFO db.setup :: Verifying postgres Database Connection ...',
            '2026-11-23 09:05:02,377 INFO db.setup :: Successfully verified PostgreSQL 15.8 application database connection. ✅',
            '2026-11-23 09:05:11,823 ERROR metabase.core :: Metabase Initialization FAILED',
            'liquibase.exception.DatabaseException: ERROR: column "is_datasetnewb" of relation "core_user" already exists [Failed SQL: (0) ALTER TABLE "public"."core_user" ADD "is_datasetnewb" BOOLEAN DEFAULT TRUE NOT NULL]',
            '\tat liquibase.executor.jvm.JdbcExecutor$ExecuteStatementCallback.doInStatement(JdbcExecutor.java:470)',
          ],
          1,
          22,
        ),
      );
      innocentRelease(cluster, after(-15), firm);
      cluster.at(after(0), () => metabase.setImage(`${repository}:v0.50.6`));
      cluster.expectIncident({
        root: 'Deployment/insight/metabase',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/insight/metabase-db', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/apache/doris-kafka-connector/pull/46, https://github.com/apache/kafka/pull/8828
  'connect-workers-check-their-topics-since-their-upgrade': reported(
    'Workers of Kafka Connect are upgraded; the new version wants its own topics compacted, which they never were, and ends',
    (cluster) => {
      server(cluster, 'stream/kafka', 'docker.io/apache/kafka:3.7.1', 9092, { replicas: 3 });
      const repository = 'registry.borealis.example/kafka-connect';
      const connect = cluster.deployment('stream/connect', {
        ...{ replicas: 3, image: `${repository}:2.5.0` },
        values: { CONNECT_BOOTSTRAP_SERVERS: 'kafka.stream.svc.cluster.local:9092' },
        spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 3 } } },
      });
      cluster.service('stream/connect');
      cluster.image(
        `${repository}:3.7.1`,
        ends(
          [
            '[2026-11-23 09:10:11,850] INFO Kafka Connect distributed worker initialization took 9211ms (org.apache.kafka.connect.cli.ConnectDistributed:98)',
            '[2026-11-23 09:10:14,006] ERROR [Worker clientId=connect-1, groupId=connect-cluster] Uncaught exception in herder work thread, exiting:  (org.apache.kafka.connect.runtime.distributed.DistributedHerder:366)',
            "org.apache.kafka.common.config.ConfigException: Topic 'connect-status' supplied via the 'status.storage.topic' property is required to have 'cleanup.policy=compact' to guarantee consistency and durability of connector and task statuses, but found the topic currently has 'cleanup.policy=delete'.",
            '\tat org.apache.kafka.connect.util.TopicAdmin.verifyTopicCleanupPolicyOnlyCompact(TopicAdmin.java:581)',
          ],
          3,
          14,
        ),
      );
      cluster.at(after(0), () => connect.setImage(`${repository}:3.7.1`));
      cluster.expectIncident({
        root: 'Deployment/stream/connect',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['StatefulSet/stream/kafka', 'Service/stream/kafka'],
      });
    },
  ),

  // https://github.com/zammad/zammad-helm/issues/98: more threads than its pool has connections.
  'scheduler-has-more-threads-than-connections': reported(
    'A Zammad gets more threads in its release; its scheduler finds no connection in its own pool and ends, the web server goes on',
    (cluster) => {
      server(cluster, 'helpdesk/postgresql', 'docker.io/library/postgres:14.13', 5432);
      const repository = 'docker.io/zammad/zammad';
      cluster.deployment('helpdesk/zammad-nginx', { replicas: 2, image: `${repository}:6.3.1-nginx` });
      cluster.service('helpdesk/zammad-nginx');
      const scheduler = cluster.deployment('helpdesk/zammad-scheduler', { image: `${repository}:6.3.1`, probe: false });
      cluster.image(
        `${repository}:6.4.0`,
        ends(
          [
            'I, [2026-11-23T09:11:10.334190#1-5580]  INFO -- : Scheduler started.',
            'E, [2026-11-23T09:11:21.402177#1-5580] ERROR -- : could not obtain a connection from the pool within 5.000 seconds (waited 5.023 seconds); all pooled connections were in use (ActiveRecord::ConnectionTimeoutError)',
            "/opt/zammad/vendor/bundle/ruby/3.2.0/gems/activerecord-7.0.8/lib/active_record/connection_adapters/abstract/connection_pool/queue.rb:125:in `block in wait_poll'",
          ],
          1,
          16,
        ),
      );
      cluster.at(after(0), () => scheduler.setImage(`${repository}:6.4.0`));
      cluster.expectIncident({
        root: 'Deployment/helpdesk/zammad-scheduler',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/helpdesk/postgresql', 'Deployment/helpdesk/zammad-nginx'],
      });
    },
  ),

  // https://github.com/netbox-community/netbox-chart/issues/581: the name of the cluster's domain in the values.
  'inventory-is-told-another-domain-of-its-cluster': reported(
    'The settings of a NetBox are given another domain of the cluster; its web server and its worker find no Redis of that name',
    (cluster, firm) => {
      server(cluster, 'netbox/netbox-redis-master', 'docker.io/library/redis:7.4.2', 6379);
      const good = { 'netbox.yaml': 'REDIS: {tasks: {HOST: netbox-redis-master.netbox.svc.cluster.local}}' };
      const settings = cluster.configMap('netbox/netbox', good);
      const image = 'ghcr.io/netbox-community/netbox:v4.2.5';
      const names = ['netbox', 'netbox-worker'];
      const handles = names.map((name) =>
        cluster.deployment(`netbox/${name}`, {
          ...{ image, pod: settingsVolume('netbox'), spec: { strategy: { type: 'Recreate' } } },
        }),
      );
      cluster.service('netbox/netbox');
      innocentRelease(cluster, after(-25), firm);
      cluster.at(after(0), () =>
        settings.edit({ 'netbox.yaml': 'REDIS: {tasks: {HOST: netbox-redis-master.netbox.svc.k8s.example.com}}' }),
      );
      cluster.at(after(4), () => {
        cluster.image(
          image,
          ends(
            [
              "🧬 loaded config '/etc/netbox/config/configuration.py'",
              'Traceback (most recent call last):',
              '  File "/opt/netbox/venv/lib/python3.12/site-packages/redis/connection.py", line 363, in connect_check_health',
              'redis.exceptions.ConnectionError: Error -2 connecting to netbox-redis-master.netbox.svc.k8s.example.com:6379. Name or service not known.',
            ],
            1,
            6,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'ConfigMap/netbox/netbox',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          ...['Deployment/netbox/netbox', 'Deployment/netbox/netbox-worker', 'StatefulSet/netbox/netbox-redis-master'],
          ...['Deployment/kube-system/coredns', 'Deployment/logistics/tracking'],
        ] as const,
      });
    },
  ),

  // https://github.com/k8s-at-home/charts/issues/1303 for the settings file, https://github.com/elixir-cloud-aai/cwl-WES/issues/214: an upgrade empties what is mounted.
  'upgrade-empties-the-settings-of-a-workflow-service': reported(
    'An upgrade of a chart empties the ConfigMap that a workflow service and its worker mount; both end as they start',
    (cluster) => {
      const settings = cluster.configMap('wes/app-config', { 'app_config.yaml': 'database: {host: mongodb}' });
      const images = {
        'wes/wes': 'docker.io/elixircloud/cwl-wes:v0.15.0',
        'wes/celery-worker': 'docker.io/elixircloud/cwl-wes-worker:v0.15.0',
      };
      const handles = Object.entries(images).map(([place, image]) =>
        cluster.deployment(place, {
          image,
          pod: settingsVolume('app-config'),
          spec: { strategy: { type: 'Recreate' } },
        }),
      );
      cluster.service('wes/wes');
      cluster.at(after(0), () => settings.edit({ 'app_config.yaml': '' }));
      cluster.at(after(2), () => {
        for (const image of Object.values(images))
          cluster.image(
            image,
            ends([
              'Traceback (most recent call last):',
              '  File "/app/cwl_wes/app.py", line 35, in main',
              "KeyError: 'database'",
              'CRITICAL: Could not read config file /etc/app_config/app_config.yaml',
            ]),
          );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'ConfigMap/wes/app-config',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/wes/wes', 'Deployment/wes/celery-worker'],
      });
    },
  ),
};
