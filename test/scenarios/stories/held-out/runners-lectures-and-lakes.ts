/** Builds, a university, a data platform and what keeps a cluster going. */
import { scenario } from '../../kit/scenario.ts';
import { claim, mounts, storageClass, volume } from '../../kit/things.ts';

const env = (values: Readonly<Record<string, string>>): object => ({
  env: Object.entries(values).map(([name, value]) => ({ name, value })),
});

/** The definition of a kind that its controllers brought along. */
const definition = (group: string, kind: string, plural: string, version: string) => ({
  ...{
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
  },
  spec: {
    ...{ group, scope: 'Namespaced', names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` } },
    versions: [
      {
        ...{ name: version, served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

/** A condition as controllers write it. */
const condition = (type: string, status: 'True' | 'False', reason: string, message: string): object => ({
  ...{ type, status, reason, message, lastTransitionTime: 'now' },
});

export const stories = {
  'build-runners-denied-with-a-new-pull-token': scenario(
    'The token in a pull secret is replaced by one that may not pull; the cache next to it is rolled out well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const token = cluster.secret('forge/pull-token', {
        '.dockerconfigjson': '{"auths":{"oci.forge.example":{"auth":"Z29vZA=="}}}',
      });
      const pullable = { imagePullSecrets: [{ name: 'pull-token' }] };
      const runner = cluster.deployment('forge/runner', {
        image: 'oci.forge.example/ci/runner:17.2',
        replicas: 3,
        pod: pullable,
      });
      const cache = cluster.deployment('forge/module-cache', {
        image: 'public.mirror.example/athens:0.14',
        replicas: 2,
        probe: true,
      });
      cluster.image('oci.forge.example/ci/runner:17.3', { pullError: 'Unauthorized' });
      cluster.at('20s', () => token.edit({ '.dockerconfigjson': '{"auths":{"oci.forge.example":{"auth":"YmFk"}}}' }));
      cluster.at('40s', () => cache.setImage('public.mirror.example/athens:0.15'));
      cluster.at('60s', () => runner.setImage('oci.forge.example/ci/runner:17.3'));
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Secret/forge/pull-token',
        mustNotBlame: ['Deployment/forge/module-cache', 'Registry//public.mirror.example'],
      });
    },
  ),

  'build-cache-volume-is-deleted-under-its-claim': scenario(
    'Somebody deletes the volume of a claim, and the next Pod that mounts it cannot start',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(storageClass('forge-nvme'));
      const disk = cluster.object(volume('pv-sccache', 'forge-nvme'));
      const held = cluster.object(claim('forge-cache/sccache-data', 'forge-nvme'));
      const cache = cluster.deployment('forge-cache/sccache', {
        ...{ image: 'registry.forge.example/sccache:0.8', pod: mounts('sccache-data') },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.at('25s', () => {
        disk.delete();
        held.status({ phase: 'Lost' });
        cluster.event({
          about: 'PersistentVolumeClaim/forge-cache/sccache-data',
          reason: 'ClaimLost',
          message: 'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
          by: 'persistentvolume-controller',
        });
      });
      cluster.at('60s', () => {
        cluster.image('registry.forge.example/sccache:0.8', {
          heldUp: {
            reason: 'FailedMount',
            message:
              'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: error processing PVC forge-cache/sccache-data: failed to fetch PVC from API server: PVC is not bound',
          },
        });
        cache.restart();
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/forge-cache/sccache-data',
        reason: 'PVCLost',
        accepts: ['PersistentVolume//pv-sccache'],
        mustNotBlame: ['Deployment/forge-cache/sccache'],
      });
    },
  ),

  'scanner-built-for-the-wrong-processor-as-new-machines-join': scenario(
    'An image that was built for another processor is rolled out; a machine joins and one is drained at the same time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['bld-1', 'bld-2', 'bld-3']);
      const scan = cluster.deployment('forge-sec/scan', { image: 'registry.forge.example/scan:2.7', replicas: 2 });
      cluster.deployment('forge-sec/report', { image: 'registry.forge.example/report:1', replicas: 2 });
      cluster.image('registry.forge.example/scan:2.8', {
        exit: { afterSeconds: 1, code: 255 },
        log: ['exec /usr/local/bin/scan: exec format error'],
      });
      cluster.at('10s', () => cluster.addNode({ name: 'bld-4', labels: { 'kubernetes.io/arch': 'amd64' } }));
      cluster.at('30s', () => cluster.node('bld-1').drain());
      cluster.at('45s', () => scan.setImage('registry.forge.example/scan:2.8'));
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Deployment/forge-sec/scan',
        mustNotBlame: ['Node//bld-1', 'Node//bld-4', 'Deployment/forge-sec/report'],
      });
    },
  ),

  'workflow-scheduler-reads-an-option-twice': scenario(
    'The settings of a scheduler of workflows are edited and hold an option twice; its queue restarts once on its own',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const cfg = cluster.configMap('lake/airflow-config', { 'airflow.cfg': '[core]\nparallelism = 32\n' });
      cluster.service('lake/broker', { ports: [{ port: 6379, targetPort: 6379 }] });
      cluster.deployment('lake/broker', { image: 'registry.lake.example/valkey:8.0' });
      const file = {
        container: {
          ...env({ AIRFLOW__CELERY__BROKER_URL: 'redis://broker.lake.svc:6379/0' }),
          volumeMounts: [{ name: 'cfg', mountPath: '/opt/airflow/airflow.cfg', subPath: 'airflow.cfg' }],
        },
        pod: { volumes: [{ name: 'cfg', configMap: { name: 'airflow-config' } }] },
      };
      const scheduler = cluster.deployment('lake/scheduler', { image: 'registry.lake.example/airflow:2.9.2', ...file });
      cluster.at('15s', () =>
        cluster.befall('registry.lake.example/valkey:8.0', {
          exit: { afterSeconds: 2, code: 1 },
          exits: 1,
          log: [
            '1:M 03 Jul 2026 02:00:00.101 # Server initialized',
            '1:M 03 Jul 2026 02:00:00.104 * Ready to accept connections tcp',
          ],
        }),
      );
      cluster.at('40s', () =>
        cfg.edit({ 'airflow.cfg': '[core]\nparallelism = 32\ndefault_pool = lake\nparallelism = 64\n' }),
      );
      cluster.at('60s', () => {
        cluster.image('registry.lake.example/airflow:2.9.2', {
          exit: { afterSeconds: 4, code: 1 },
          log: [
            'Traceback (most recent call last):',
            '  File "/home/airflow/.local/bin/airflow", line 5, in <module>',
            '    from airflow.__main__ import main',
            '  File "/usr/local/lib/python3.12/configparser.py", line 1091, in _read',
            '    raise DuplicateOptionError(sectname, optname,',
            "configparser.DuplicateOptionError: While reading from '/opt/airflow/airflow.cfg' [line  4]: option 'parallelism' in section 'core' already exists",
          ],
        });
        scheduler.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({ root: 'ConfigMap/lake/airflow-config', mustNotBlame: ['Deployment/lake/broker'] });
    },
  ),

  'change-capture-connector-asks-for-a-slot-that-is-taken': scenario(
    'A connector is edited to a replication slot that another one holds, and its task fails; the workers are well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(definition('kafka.strimzi.io', 'KafkaConnector', 'kafkaconnectors', 'v1beta2'));
      cluster.deployment('cdc/connect', { image: 'registry.lake.example/connect:0.42', replicas: 2, probe: true });
      const config = (slot: string): object => ({
        ...{ class: 'io.debezium.connector.postgresql.PostgresConnector', tasksMax: 1 },
        config: { 'database.hostname': 'orders-pg.cdc.svc', 'slot.name': slot, 'topic.prefix': 'orders' },
      });
      const connector = (name: string, slot: string) => {
        const handle = cluster.object({
          ...{ apiVersion: 'kafka.strimzi.io/v1beta2', kind: 'KafkaConnector' },
          metadata: { namespace: 'cdc', name, labels: { 'strimzi.io/cluster': 'connect' } },
          spec: config(slot),
        });
        handle.status({
          observedGeneration: 1,
          conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: 'now' }],
          connectorStatus: {
            name,
            connector: { state: 'RUNNING', worker_id: '10.244.1.7:8083' },
            tasks: [{ id: 0, state: 'RUNNING', worker_id: '10.244.1.7:8083' }],
          },
        });
        return handle;
      };
      const orders = connector('orders-source', 'orders_a');
      connector('refunds-source', 'orders_b');
      cluster.at('30s', () => orders.patch({ spec: config('orders_b') }));
      cluster.at('45s', () =>
        orders.status({
          observedGeneration: 2,
          conditions: [
            condition(
              'NotReady',
              'True',
              'Throwable',
              'The following tasks have failed: 0, see connectorStatus for more details.',
            ),
            {
              type: 'Ready',
              status: 'False',
              reason: 'Throwable',
              message: 'The following tasks have failed: 0, see connectorStatus for more details.',
              lastTransitionTime: 'now',
            },
          ],
          connectorStatus: {
            name: 'orders-source',
            connector: { state: 'RUNNING', worker_id: '10.244.1.7:8083' },
            tasks: [
              {
                id: 0,
                state: 'FAILED',
                worker_id: '10.244.1.7:8083',
                trace:
                  'io.debezium.DebeziumException: Failed to start replication stream at LSN{0/5D3A2C8}; when setting up multiple connectors for the same database host, please make sure to use a distinct replication slot name for each.\nCaused by: org.postgresql.util.PSQLException: ERROR: replication slot "orders_b" is active for PID 1204',
              },
            ],
          },
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'KafkaConnector.kafka.strimzi.io/cdc/orders-source',
        mustNotBlame: ['Deployment/cdc/connect', 'KafkaConnector.kafka.strimzi.io/cdc/refunds-source'],
        beginsAfterSeconds: 45,
      });
    },
  ),

  'sync-of-a-repository-fails-with-a-revoked-key': scenario(
    'The deploy key of a repository is revoked, and what is applied from it says that its source is not there; a workload it made is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(definition('source.toolkit.fluxcd.io', 'GitRepository', 'gitrepositories', 'v1'));
      cluster.object(definition('kustomize.toolkit.fluxcd.io', 'Kustomization', 'kustomizations', 'v1'));
      cluster.deployment('flux-system/source-controller', {
        image: 'registry.forge.example/source-controller:v1.3.0',
        probe: true,
      });
      cluster.secret('flux-system/platform-key', { identity: 'k1' });
      const repository = cluster.object({
        ...{
          apiVersion: 'source.toolkit.fluxcd.io/v1',
          kind: 'GitRepository',
          metadata: { namespace: 'flux-system', name: 'platform' },
        },
        spec: {
          interval: '1m',
          url: 'ssh://git@git.forge.example/ops/platform',
          ref: { branch: 'main' },
          secretRef: { name: 'platform-key' },
        },
      });
      repository.status({
        observedGeneration: 1,
        conditions: [condition('Ready', 'True', 'Succeeded', "stored artifact for revision 'main@sha1:77aa01'")],
      });
      const apply = cluster.object({
        ...{
          apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
          kind: 'Kustomization',
          metadata: { namespace: 'flux-system', name: 'tenants' },
        },
        spec: {
          interval: '10m',
          path: './tenants',
          prune: true,
          sourceRef: { kind: 'GitRepository', name: 'platform' },
        },
      });
      apply.status({
        observedGeneration: 1,
        conditions: [condition('Ready', 'True', 'ReconciliationSucceeded', 'Applied revision: main@sha1:77aa01')],
      });
      const quota = cluster.deployment('tenant-a/api', { image: 'registry.forge.example/tenant-api:3', replicas: 2 });
      cluster.at('15s', () => quota.setImage('registry.forge.example/tenant-api:4'));
      const failure =
        "failed to checkout and determine revision: unable to clone 'ssh://git@git.forge.example/ops/platform': ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey], no supported methods remain";
      cluster.at('40s', () => {
        repository.status({
          observedGeneration: 1,
          conditions: [
            condition('Ready', 'False', 'GitOperationFailed', failure),
            condition('FetchFailed', 'True', 'GitOperationFailed', failure),
          ],
        });
        cluster.befall('registry.forge.example/source-controller:v1.3.0', {
          log: [
            `{"level":"error","ts":"2026-07-03T09:10:11.020Z","msg":"Reconciler error","controller":"gitrepository","GitRepository":{"name":"platform","namespace":"flux-system"},"error":"${failure}"}`,
          ],
        });
      });
      cluster.at('70s', () =>
        apply.status({
          observedGeneration: 1,
          conditions: [
            condition(
              'Ready',
              'False',
              'ArtifactFailed',
              "Source artifact not found, retrying in 30s: GitRepository 'flux-system/platform' is not ready",
            ),
          ],
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'GitRepository.source.toolkit.fluxcd.io/flux-system/platform',
        accepts: ['Secret/flux-system/platform-key'],
        mustNotBlame: ['Deployment/flux-system/source-controller', 'Deployment/tenant-a/api'],
        beginsAfterSeconds: 40,
      });
    },
  ),

  'nightly-dump-refused-by-the-bucket-after-a-key-was-swapped': scenario(
    'The keys for a bucket are replaced, and the nightly dump is denied; the database it reads is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const keys = cluster.secret('lake-backup/bucket-keys', {
        AWS_ACCESS_KEY_ID: 'AKIAOLD',
        AWS_SECRET_ACCESS_KEY: 'old',
      });
      cluster.service('lake-backup/warehouse-pg', { ports: [{ port: 5432, targetPort: 5432 }] });
      cluster.statefulSet('lake-backup/warehouse-pg', { image: 'registry.lake.example/postgres:16.2', probe: true });
      cluster.image('registry.lake.example/dump:4', {
        exit: { afterSeconds: 10, code: 0 },
        log: ['dump of warehouse uploaded'],
      });
      cluster.at('10s', () => keys.edit({ AWS_ACCESS_KEY_ID: 'AKIANEW', AWS_SECRET_ACCESS_KEY: 'new' }));
      cluster.at('30s', () => {
        cluster.image('registry.lake.example/dump:4', {
          exit: { afterSeconds: 15, code: 1 },
          log: [
            'pg_dump: dumping contents of table "public.facts_2026"',
            'upload failed: - to s3://lake-dumps/warehouse/2026-07-03.dump An error occurred (AccessDenied) when calling the CreateMultipartUpload operation: Access Denied',
          ],
        });
        cluster.job('lake-backup/warehouse-dump-0703', {
          ...{ image: 'registry.lake.example/dump:4', spec: { backoffLimit: 2 } },
          container: {
            ...env({ PGHOST: 'warehouse-pg.lake-backup.svc' }),
            envFrom: [{ secretRef: { name: 'bucket-keys' } }],
          },
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Secret/lake-backup/bucket-keys',
        mustNotBlame: ['StatefulSet/lake-backup/warehouse-pg', 'Service/lake-backup/warehouse-pg'],
      });
    },
  ),

  'log-shippers-reject-their-settings-while-a-machine-dies': scenario(
    'An edit breaks the settings of the shippers of logs, and a machine without any of their fault loses its power',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['dc-1', 'dc-2', 'dc-3', 'dc-4']);
      const conf = cluster.configMap('observability/shipper-conf', {
        'fluent-bit.conf': '[OUTPUT]\n    Name loki\n    Match *\n',
      });
      const shipper = cluster.daemonSet('observability/shipper', {
        image: 'registry.dc.example/fluent-bit:3.1.2',
        container: { volumeMounts: [{ name: 'conf', mountPath: '/fluent-bit/etc' }] },
        pod: { volumes: [{ name: 'conf', configMap: { name: 'shipper-conf' } }] },
      });
      cluster.deployment('observability/ui', { image: 'registry.dc.example/grafana:11.1', replicas: 1 });
      cluster.at('20s', () => conf.edit({ 'fluent-bit.conf': '[OUTPUT]\n    Name lokki\n    Match *\n' }));
      cluster.at('35s', () => {
        cluster.image('registry.dc.example/fluent-bit:3.1.2', {
          exit: { afterSeconds: 2, code: 255 },
          log: [
            '[2026/07/03 10:00:01] [ info] [fluent bit] version=3.1.2, commit=a6feacd6e9, pid=1',
            "[2026/07/03 10:00:01] [error] [output] could not initialize output plugin 'lokki'",
            "[2026/07/03 10:00:01] [error] [config] output: plugin name 'lokki' is invalid",
            '[2026/07/03 10:00:01] [error] [engine] output initialization failed',
          ],
        });
        shipper.restart();
      });
      cluster.at('50s', () => cluster.node('dc-4').losePower());
      cluster.lasts('8m');
      cluster.expectIncident({ root: 'ConfigMap/observability/shipper-conf', mustNotBlame: ['Node//dc-4'] });
      cluster.expectIncident({ root: 'Node//dc-4', mustNotBlame: ['ConfigMap/observability/shipper-conf'] });
    },
  ),

  'event-log-brokers-told-an-address-nobody-can-reach': scenario(
    'An edit gives the brokers an address that they refuse, and those who write and read lose them; one of the readers got new settings before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const listeners = (advertised: string): object =>
        env({ KAFKA_CFG_LISTENERS: 'PLAINTEXT://:9092', KAFKA_CFG_ADVERTISED_LISTENERS: advertised });
      cluster.service('eventlog/kafka', { clusterIP: 'None', ports: [{ port: 9092, targetPort: 9092 }] });
      const brokers = cluster.statefulSet('eventlog/kafka', {
        image: 'registry.lake.example/kafka:3.7.1',
        replicas: 3,
        probe: true,
        container: listeners('PLAINTEXT://$(POD_NAME).kafka.eventlog.svc:9092'),
      });
      const options = cluster.configMap('eventlog/sink-options', { BATCH: '500' });
      cluster.deployment('eventlog/sink', {
        image: 'registry.lake.example/sink:22',
        replicas: 2,
        container: {
          ...env({ BOOTSTRAP_SERVERS: 'kafka.eventlog.svc.cluster.local:9092' }),
          envFrom: [{ configMapRef: { name: 'sink-options' } }],
        },
      });
      cluster.deployment('clicks/collector', {
        image: 'registry.lake.example/collector:9',
        replicas: 2,
        probe: true,
        container: env({ KAFKA_BOOTSTRAP: 'kafka.eventlog.svc.cluster.local:9092' }),
      });
      cluster.at('20s', () => options.edit({ BATCH: '1000' }));
      cluster.at('45s', () => {
        cluster.befall('registry.lake.example/kafka:3.7.1', {
          exit: { afterSeconds: 4, code: 1 },
          log: [
            '[2026-07-03 11:00:02,881] INFO Registered kafka:type=kafka.Log4jController MBean (kafka.utils.Log4jControllerRegistration$)',
            '[2026-07-03 11:00:03,410] ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)',
            'java.lang.IllegalArgumentException: requirement failed: advertised.listeners cannot use the nonroutable meta-address 0.0.0.0. Use a routable IP address.',
            '\tat scala.Predef$.require(Predef.scala:337)',
            '\tat kafka.server.KafkaConfig.validateValues(KafkaConfig.scala:1038)',
          ],
        });
        brokers.patch({
          spec: {
            podManagementPolicy: 'OrderedReady',
            template: {
              spec: {
                containers: [
                  {
                    name: 'kafka',
                    image: 'registry.lake.example/kafka:3.7.1',
                    ...listeners('PLAINTEXT://0.0.0.0:9092'),
                  },
                ],
              },
            },
          },
        });
      });
      cluster.at('60s', () => {
        cluster.befall('registry.lake.example/sink:22', {
          exit: { afterSeconds: 20, code: 1 },
          log: [
            '[main] WARN org.apache.kafka.clients.NetworkClient - [Consumer clientId=sink-1, groupId=sink] Bootstrap broker kafka.eventlog.svc.cluster.local:9092 (id: -1 rack: null) disconnected',
            'org.apache.kafka.common.errors.TimeoutException: Timeout of 60000ms expired before the position for partition clicks-3 could be determined',
          ],
        });
        cluster.befall('registry.lake.example/collector:9', {
          readyAfterSeconds: 'never',
          log: [
            '%3|1783076462.120|FAIL|rdkafka#producer-1| [thrd:kafka.eventlog.svc.cluster.local:9092/bootstrap]: kafka.eventlog.svc.cluster.local:9092/bootstrap: Connect to ipv4#10.244.2.11:9092 failed: Connection refused (after 0ms in state CONNECT, 30 identical error(s) suppressed)',
            '%3|1783076463.120|ERROR|rdkafka#producer-1| [thrd:app]: rdkafka#producer-1: 1/1 brokers are down',
          ],
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'StatefulSet/eventlog/kafka',
        mustNotBlame: ['ConfigMap/eventlog/sink-options', 'Deployment/eventlog/sink', 'Deployment/clicks/collector'],
      });
    },
  ),

  'timetable-probe-asks-a-path-that-is-gone': scenario(
    'The path of a liveness probe is edited to one that the program does not know, and it is ended again and again; term dates are edited, too',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const dates = cluster.configMap('timetable/term-dates', { summer: '2026-04-13' });
      const probe = (path: string): object => ({
        livenessProbe: { httpGet: { path, port: 8080 }, periodSeconds: 5, timeoutSeconds: 1, failureThreshold: 3 },
        envFrom: [{ configMapRef: { name: 'term-dates' } }],
      });
      const timetable = cluster.deployment('timetable/timetable', {
        image: 'registry.uni.example/timetable:5',
        replicas: 2,
        container: probe('/healthz'),
      });
      cluster.at('20s', () => dates.edit({ summer: '2026-04-20' }));
      cluster.at('45s', () => {
        cluster.image('registry.uni.example/timetable:5', {
          livenessFails: { afterSeconds: 5, says: 'HTTP probe failed with statuscode: 404' },
          log: ['GET /health/alive 404 0.4 ms - 19', 'GET /health/alive 404 0.3 ms - 19', 'SIGTERM received, closing'],
        });
        timetable.change({ container: probe('/health/alive') });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/timetable/timetable',
        mustNotBlame: ['ConfigMap/timetable/term-dates'],
      });
    },
  ),

  'campus-directory-scaled-to-nothing': scenario(
    'A directory is scaled to none by mistake, and two programs that ask it to log in fail; the mail relay has trouble of its own',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('campus-id/directory', { ports: [{ name: 'ldap', port: 389, targetPort: 389 }] });
      const directory = cluster.deployment('campus-id/directory', {
        image: 'registry.uni.example/openldap:2.6',
        replicas: 2,
        probe: true,
      });
      cluster.deployment('lms/moodle', {
        image: 'registry.uni.example/moodle:4.4',
        replicas: 2,
        probe: true,
        container: env({ LDAP_HOST: 'ldap://directory.campus-id.svc.cluster.local:389' }),
      });
      cluster.service('lms/moodle');
      cluster.deployment('library/opac', {
        image: 'registry.uni.example/opac:23',
        container: env({ LDAP_URI: 'ldap://directory.campus-id.svc.cluster.local' }),
      });
      const relay = cluster.deployment('post/relay', { image: 'registry.uni.example/postfix:3.8', replicas: 1 });
      cluster.image('registry.uni.example/postfix:3.9', {
        exit: { afterSeconds: 2, code: 1 },
        log: [
          'postfix/postfix-script[71]: fatal: the Postfix mail system is not running',
          'postfix: fatal: /etc/postfix/main.cf, line 42: missing \'=\' after attribute name: "smtpd_relay_restrictions"',
        ],
      });
      cluster.at('30s', () => directory.scale(0));
      cluster.at('38s', () => {
        cluster.befall('registry.uni.example/moodle:4.4', {
          readyAfterSeconds: 'never',
          log: [
            "PHP Warning:  ldap_bind(): Unable to bind to server: Can't contact LDAP server in /var/www/html/lib/ldaplib.php on line 147",
            'auth_ldap: could not connect to ldap://directory.campus-id.svc.cluster.local:389 - connect: Connection refused',
          ],
        });
        cluster.befall('registry.uni.example/opac:23', {
          exit: { afterSeconds: 6, code: 1 },
          log: [
            "ldap.SERVER_DOWN: {'result': -1, 'desc': \"Can't contact LDAP server\", 'errno': 111, 'ctrls': [], 'info': 'Connection refused'}",
            'directory.campus-id.svc.cluster.local:389 is needed to start',
          ],
        });
      });
      cluster.at('60s', () => relay.setImage('registry.uni.example/postfix:3.9'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/campus-id/directory',
        mustNotBlame: ['Deployment/lms/moodle', 'Deployment/library/opac', 'Deployment/post/relay'],
      });
      cluster.expectIncident({ root: 'Deployment/post/relay', mustNotBlame: ['Deployment/campus-id/directory'] });
    },
  ),

  'vault-role-removed-under-a-secret-store-and-a-grader-crashes': scenario(
    'A store of secrets may not log in any more, so that a secret is not renewed, and a grader crashes with a new version: two things',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(definition('external-secrets.io', 'SecretStore', 'secretstores', 'v1'));
      cluster.object(definition('external-secrets.io', 'ExternalSecret', 'externalsecrets', 'v1'));
      cluster.deployment('external-secrets/external-secrets', {
        image: 'registry.uni.example/external-secrets:v0.9.20',
      });
      const store = cluster.object({
        ...{
          apiVersion: 'external-secrets.io/v1',
          kind: 'SecretStore',
          metadata: { namespace: 'registrar', name: 'vault' },
        },
        spec: {
          provider: {
            vault: {
              server: 'https://vault.uni.example',
              auth: { kubernetes: { mountPath: 'kubernetes', role: 'registrar' } },
            },
          },
        },
      });
      store.status({ capabilities: 'ReadWrite', conditions: [condition('Ready', 'True', 'Valid', 'store validated')] });
      const wanted = cluster.object({
        ...{ apiVersion: 'external-secrets.io/v1', kind: 'ExternalSecret' },
        metadata: { namespace: 'registrar', name: 'transcripts-db' },
        spec: {
          ...{ refreshInterval: '1m', secretStoreRef: { kind: 'SecretStore', name: 'vault' } },
          target: { name: 'transcripts-db' },
          dataFrom: [{ extract: { key: 'registrar/transcripts-db' } }],
        },
      });
      wanted.status({ conditions: [condition('Ready', 'True', 'SecretSynced', 'secret synced')] });
      cluster.secret('registrar/transcripts-db', { password: 'p' });
      const grader = cluster.deployment('grading/autograder', {
        image: 'registry.uni.example/autograder:8',
        replicas: 2,
      });
      cluster.image('registry.uni.example/autograder:9', {
        exit: { afterSeconds: 3, code: 1 },
        log: [
          'Traceback (most recent call last):',
          '  File "/srv/autograder/__main__.py", line 3, in <module>',
          '    from .sandbox import Jail',
          "ModuleNotFoundError: No module named 'nsjail'",
        ],
      });
      const denied =
        'unable to create client: unable to log in to auth method: unable to log in with Kubernetes auth: Error making API request. URL: PUT https://vault.uni.example/v1/auth/kubernetes/login Code: 400. Errors: * invalid role name "registrar"';
      cluster.at('25s', () => {
        store.status({ conditions: [condition('Ready', 'False', 'InvalidProviderConfig', denied)] });
        wanted.status({
          conditions: [
            condition(
              'Ready',
              'False',
              'SecretSyncedError',
              'could not get secret data from provider: SecretStore "vault" is not ready',
            ),
          ],
        });
      });
      cluster.at('50s', () => grader.setImage('registry.uni.example/autograder:9'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'SecretStore.external-secrets.io/registrar/vault',
        mustNotBlame: ['Deployment/external-secrets/external-secrets', 'Deployment/grading/autograder'],
        beginsAfterSeconds: 25,
      });
      cluster.expectIncident({
        root: 'Deployment/grading/autograder',
        mustNotBlame: ['SecretStore.external-secrets.io/registrar/vault'],
      });
    },
  ),

  'node-agents-updated-across-the-lecture-halls': scenario(
    'An agent is updated on every machine, one after the other, each logging that its peer is gone',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['aud-1', 'aud-2', 'aud-3']);
      const agent = cluster.daemonSet('av/recorder', { image: 'registry.uni.example/recorder:1.8', probe: true });
      cluster.image('registry.uni.example/recorder:1.9', {
        readyAfterSeconds: 12,
        log: [
          'ERROR peer aud-2 unreachable, electing anew',
          'WARN  dropped 12 frames while switching',
          'INFO  recording',
        ],
      });
      cluster.at('20s', () => agent.setImage('registry.uni.example/recorder:1.9'));
      cluster.lasts('4m');
    },
  ),

  'coursework-closed-for-the-night-as-planned': scenario(
    'A workload that nobody routes to is scaled to none for the night and its CronJob suspended',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const marker = cluster.deployment('coursework/plagiarism', {
        image: 'registry.uni.example/plagiarism:3',
        replicas: 2,
      });
      const digest = cluster.cronJob('coursework/digest', {
        image: 'registry.uni.example/digest:1',
        schedule: '0 6 1 1 *',
      });
      cluster.at('20s', () => {
        marker.scale(0);
        digest.patch({ spec: { suspend: true } });
      });
      cluster.at('3m', () => {
        marker.scale(2);
        digest.patch({ spec: { suspend: false } });
      });
      cluster.lasts('5m');
    },
  ),

  'builder-machine-restarts-for-a-kernel-in-half-a-minute': scenario(
    'A machine is cordoned, rebooted within half a minute and taken into use again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['mk-1', 'mk-2', 'mk-3']);
      cluster.service('artefacts/store');
      cluster.deployment('artefacts/store', { image: 'registry.forge.example/store:6', replicas: 3, probe: true });
      cluster.at('15s', () => cluster.node('mk-2').drain());
      cluster.at('60s', () => cluster.node('mk-2').reboot('28s'));
      cluster.at('110s', () => cluster.node('mk-2').uncordon());
      cluster.lasts('4m');
    },
  ),

  'database-operator-takes-its-time-and-a-worker-stumbles-once': scenario(
    'A custom resource is not ready for most of a minute while its operator works, and a worker starts at its second attempt',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(definition('postgresql.cnpg.io', 'Cluster', 'clusters', 'v1'));
      const docs = cluster.object({
        apiVersion: 'postgresql.cnpg.io/v1',
        kind: 'Cluster',
        metadata: { namespace: 'lake-search', name: 'docs' },
        spec: { instances: 3, imageName: 'registry.lake.example/postgresql:16.3' },
      });
      docs.status({
        observedGeneration: 1,
        conditions: [condition('Ready', 'True', 'ClusterIsReady', 'Cluster is Ready')],
      });
      const worker = cluster.deployment('lake-search/feeder', {
        image: 'registry.lake.example/feeder:12',
        replicas: 2,
      });
      cluster.image('registry.lake.example/feeder:13', {
        exit: { afterSeconds: 3, code: 1 },
        exits: 1,
        log: [
          'psycopg.OperationalError: connection failed: connection to server at "10.96.55.2", port 5432 failed: FATAL:  the database system is starting up',
        ],
      });
      cluster.at('20s', () => {
        docs.patch({ spec: { imageName: 'registry.lake.example/postgresql:16.4' } });
        docs.status({
          observedGeneration: 2,
          conditions: [condition('Ready', 'False', 'ClusterIsNotReady', 'Cluster Is Not Ready')],
        });
      });
      cluster.at('30s', () => worker.setImage('registry.lake.example/feeder:13'));
      cluster.at('65s', () =>
        docs.status({
          observedGeneration: 2,
          conditions: [condition('Ready', 'True', 'ClusterIsReady', 'Cluster is Ready')],
        }),
      );
      cluster.lasts('4m');
    },
  ),
};
