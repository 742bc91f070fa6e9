import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';

/** Jobs, CronJobs, DaemonSets and ordinals of StatefulSets. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/workloads/controllers/job/: the claim for its result was never made.
  'job-without-its-claim': scenario('A Job waits for a claim that nobody has made', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const pod = { volumes: [{ name: 'out', persistentVolumeClaim: { claimName: 'year-end' } }] };
    cluster.at('6s', () => cluster.job('finance/year-end', { image: 'registry.acme.example/year-end:1', pod }));
    cluster.lasts('2m30s');
    cluster.expectIncident({
      root: 'PersistentVolumeClaim/finance/year-end',
      accepts: ['Job/finance/year-end'],
      beginsAfterSeconds: 6,
      firstMessageWithinSeconds: 300,
      messages: { resolve: 0 },
    });
  }),

  // https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy: built on an ARM notebook.
  'job-for-another-processor': scenario('A Job was built for another processor', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const image = 'registry.acme.example/reindex:2';
    cluster.image(image, ends(['exec /usr/local/bin/reindex: exec format error'], 1, 0));
    cluster.at('6s', () => cluster.job('shop/reindex', { image, spec: { backoffLimit: 2 } }));
    cluster.lasts('3m');
    cluster.expectIncident({ root: 'Job/shop/reindex', firstMessageWithinSeconds: 240, messages: { resolve: 0 } });
  }),

  // Two runs need what crashes: https://kubernetes.io/docs/tasks/job/automated-tasks-with-cron-jobs/
  'runs-meet-a-dead-database': scenario('A database crashes; two Jobs that need it fail beside an API', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const image = 'docker.io/library/postgres:16.3';
    cluster.statefulSet('shop/postgres', { image });
    cluster.service('shop/postgres', { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
    cluster.deployment('shop/orders', { replicas: 2, image: 'registry.acme.example/orders:7' });
    cluster.at('6s', () =>
      cluster.befall(
        image,
        ends(
          [
            'PANIC:  could not locate a valid checkpoint record',
            'LOG:  startup process (PID 29) was terminated by signal 6: Aborted',
          ],
          1,
          2,
        ),
      ),
    );
    const says = [
      'psql: error: connection to server at "postgres.shop.svc" (10.96.3.3), port 5432 failed: Connection refused',
    ];
    cluster.at('12s', () => cluster.befall('registry.acme.example/orders:7', ends(says)));
    for (const [index, name] of ['nightly-report', 'stock-sync'].entries()) {
      cluster.image(`registry.acme.example/${name}:1`, ends(says, 2, 2));
      cluster.at(`${14 + 4 * index}s`, () =>
        cluster.job(`shop/${name}`, { image: `registry.acme.example/${name}:1`, spec: { backoffLimit: 1 } }),
      );
    }
    cluster.lasts('3m');
    cluster.expectIncident({
      root: 'StatefulSet/shop/postgres',
      messages: { resolve: 0 },
      mustNotBlame: ['Job/shop/nightly-report', 'Job/shop/stock-sync', 'Deployment/shop/orders'],
    });
  }),

  // https://docs.fluentbit.io/manual/administration/configuring-fluent-bit: one wrong word, and no machine ships its logs.
  'agents-with-a-wrong-word': scenario(
    'An edit of its settings keeps the log shipper from starting on every machine',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const settings = cluster.configMap('logging/fluent-bit', { 'fluent-bit.conf': '[OUTPUT]\n  Name es' });
      const image = 'docker.io/fluent/fluent-bit:4.0';
      const agent = cluster.daemonSet('logging/fluent-bit', {
        ...{ image, probe: false, pod: { volumes: [{ name: 'settings', configMap: { name: 'fluent-bit' } }] } },
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } },
      });
      cluster.at('5s', () => settings.edit({ 'fluent-bit.conf': '[OUTPUTS]\n  Name es' }));
      cluster.at('9s', () => {
        cluster.image(
          image,
          ends(
            [
              "[error] [config] section 'outputs' is not recognized",
              '[error] [config] error in /fluent-bit/etc/fluent-bit.conf:1: configuration file contains errors',
            ],
            1,
            1,
          ),
        );
        agent.restart();
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'DaemonSet/logging/fluent-bit',
        accepts: ['ConfigMap/logging/fluent-bit'],
        messages: { resolve: 0 },
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'DaemonSet/monitoring/node-exporter'],
      });
    },
  ),

  // https://zookeeper.apache.org/doc/current/zookeeperAdmin.html: one member cannot read its own disk, the others have a quorum.
  'one-member-of-three': scenario('One member of three cannot load its data; the others serve', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const image = 'docker.io/library/zookeeper:3.9';
    cluster.statefulSet('data/zookeeper', { replicas: 3, image });
    cluster.at('6s', () =>
      cluster.befall(image, (pod) =>
        pod.metadata.name === 'zookeeper-1'
          ? ends(
              ['ERROR [main:QuorumPeer] - Unable to load database on disk', 'java.io.IOException: CRC check failed'],
              1,
              2,
            )
          : {},
      ),
    );
    cluster.lasts('2m30s');
    cluster.expectIncident({
      root: 'StatefulSet/data/zookeeper',
      accepts: ['Pod/data/zookeeper-1'],
      messages: { resolve: 0 },
      mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
    });
  }),

  // https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#forced-rollback: the rollout stops at its first Pod.
  'rollout-stops-at-the-last-ordinal': scenario(
    'The last member of a StatefulSet does not start after an update; the others still serve',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'docker.io/library/cassandra';
      const ring = cluster.statefulSet('data/cassandra', { replicas: 3, image: `${image}:4.1` });
      cluster.service('data/cassandra', { ports: [{ name: 'cql', port: 9042, targetPort: 9042, protocol: 'TCP' }] });
      cluster.deployment('shop/events', {
        replicas: 2,
        image: 'registry.acme.example/events:2',
        values: { CASSANDRA: 'cassandra.data.svc' },
      });
      cluster.image(
        `${image}:5.0`,
        ends(
          [
            'Exception (org.apache.cassandra.exceptions.ConfigurationException) encountered during startup: Invalid yaml. Please remove properties [thrift_prepared_statements_cache_size_mb] from your cassandra.yaml',
          ],
          3,
          2,
        ),
      );
      cluster.at('8s', () => ring.setImage(`${image}:5.0`));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/data/cassandra',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/events', 'Service/data/cassandra'],
      });
    },
  ),
};
