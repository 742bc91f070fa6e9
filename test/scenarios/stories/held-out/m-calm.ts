import { type ClusterBuilder, scenario } from '../../kit/scenario.ts';
import { budget, claim, storageClass } from '../../kit/things.ts';

/** Logs are read at these times, too. */
const look = (cluster: ClusterBuilder, ...times: readonly string[]): void => {
  for (const time of times) cluster.at(time, () => undefined);
};

const refused = (number: number) =>
  `Get "http://10.244.2.11:${number}/ready": dial tcp 10.244.2.11:${number}: connect: connection refused`;

export const stories = {
  'calm-release-of-a-slow-starter-with-frightening-words': scenario(
    'A slow service is released Pod by Pod and writes errors as it warms up',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const loans = cluster.deployment('bank/loans', { replicas: 3, image: 'registry.example/loans:8' });
      cluster.service('bank/loans');
      cluster.image('registry.example/loans:9', {
        ...{ pullSeconds: 6, readyAfterSeconds: 28, readinessSays: refused(8080) },
        log: [
          'ERROR StatusLogger Log4j2 could not find a logging implementation. Please add log4j-core to the classpath.',
          'WARN  HikariPool-1 - Thread starvation or clock leap detected (housekeeper delta=48s).',
          'ERROR o.f.c.i.s.c.SchemaHistory cache miss, rebuilding (harmless)',
          'INFO  Started LoansApplication in 26.4 seconds',
        ],
      });
      cluster.at('10s', () => loans.setImage('registry.example/loans:9'));
      look(cluster, '30s', '60s', '90s');
      cluster.lasts('240s');
    },
  ),

  'calm-machine-is-emptied-replaced-and-removed': scenario(
    'A machine is emptied under budgets, another joins and the old one is removed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('web/shopfront', { replicas: 3, image: 'registry.example/shopfront:2' });
      cluster.object(budget('web/shopfront', { maxUnavailable: 1 }));
      cluster.deployment('web/basket', { replicas: 2, image: 'registry.example/basket:2' });
      cluster.object(budget('web/basket', { minAvailable: 1 }));
      cluster.daemonSet('kube-system/node-exporter', { image: 'registry.example/node-exporter:1.9', probe: false });
      cluster.at('10s', () => cluster.addNode({ name: 'n4' }));
      cluster.at('25s', () => cluster.node('n1').drain());
      cluster.at('100s', () => cluster.node('n1').remove());
      cluster.lasts('220s');
    },
  ),

  'calm-burst-waits-for-the-machine-that-was-ordered': scenario(
    'A burst needs a machine more; Pods wait until it has joined, and it is given back',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([
        { name: 'n1', cpu: '2' },
        { name: 'n2', cpu: '2' },
      ]);
      const resize = cluster.deployment('media/resize', {
        replicas: 3,
        image: 'registry.example/resize:4',
        cpu: '900m',
      });
      cluster.at('10s', () => resize.scale(6));
      cluster.at('14s', () =>
        cluster.event({
          ...{ about: 'Deployment/media/resize', type: 'Normal', reason: 'TriggeredScaleUp', by: 'cluster-autoscaler' },
          message: 'pod triggered scale-up: [{pool-general 2->3 (max: 6)}]',
        }),
      );
      cluster.at('50s', () => cluster.addNode({ name: 'n3', cpu: '4' }));
      cluster.at('140s', () => resize.scale(3));
      cluster.at('170s', () => cluster.node('n3').drain());
      cluster.at('200s', () => cluster.node('n3').remove());
      cluster.lasts('260s');
    },
  ),

  'calm-import-fails-once-on-a-busy-lock-and-goes-through': scenario(
    'A run fails at a lock and succeeds at its second try',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const seen: (string | undefined)[] = [];
      cluster.image('registry.example/price-import:3', ({ metadata: { uid } }) => {
        if (!seen.includes(uid)) seen.push(uid);
        return seen.indexOf(uid) === 0
          ? {
              exit: { afterSeconds: 5, code: 1 },
              log: ['psycopg2.errors.LockNotAvailable: canceling statement due to lock timeout', 'import rolled back'],
            }
          : { exit: { afterSeconds: 8, code: 0 }, log: ['imported 48112 prices'] };
      });
      cluster.at('10s', () =>
        cluster.job('bi/price-import', { image: 'registry.example/price-import:3', spec: { backoffLimit: 3 } }),
      );
      look(cluster, '20s', '35s');
    },
  ),

  'calm-client-is-up-before-its-store-and-starts-again-once': scenario(
    'A whole product is installed; one part dies once because its store is not up yet',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/matrix-db:15', { readyAfterSeconds: 6 });
      cluster.image('registry.example/matrix:1.131', {
        ...{ exit: { afterSeconds: 2, code: 1 }, exits: 1, readyAfterSeconds: 4 },
        log: [
          'psycopg2.OperationalError: connection to server at "matrix-db" (10.96.2.8), port 5432 failed: Connection refused',
        ],
      });
      cluster.at('10s', () => {
        cluster.statefulSet('chat/matrix-db', { image: 'registry.example/matrix-db:15', broken: true });
        cluster.service('chat/matrix-db', { ports: [{ name: 'postgres', port: 5432, targetPort: 5432 }] });
        cluster.deployment('chat/matrix', { image: 'registry.example/matrix:1.131', broken: true });
        cluster.service('chat/matrix');
      });
      look(cluster, '14s', '20s');
    },
  ),

  'calm-antechamber-waits-for-a-migration': scenario(
    'New Pods wait half a minute in their init container for a migration that ends well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const ledger = cluster.deployment('fin/ledger', { replicas: 2, image: 'registry.example/ledger:3' });
      cluster.image('registry.example/wait-for-schema:1', {
        exit: { afterSeconds: 32, code: 0 },
        log: [
          'waiting for schema version 44 (is 43)',
          'waiting for schema version 44 (is 43)',
          'schema version 44 found',
        ],
      });
      cluster.image('registry.example/ledger-migrate:44', {
        exit: { afterSeconds: 25, code: 0 },
        log: ['Flyway: Successfully applied 1 migration to schema "ledger", now at version v44'],
      });
      cluster.at('10s', () => {
        cluster.job('fin/ledger-migrate-44', { image: 'registry.example/ledger-migrate:44' });
        ledger.change({ image: 'registry.example/ledger:4', init: 'registry.example/wait-for-schema:1' });
      });
      look(cluster, '25s', '60s');
      cluster.lasts('220s');
    },
  ),

  'calm-cheap-machine-is-announced-to-go-and-goes': scenario(
    'A cheap machine is announced to be taken back; its Pods move within the notice',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['n1', 'n2', { name: 'spot-7', labels: { 'node.kubernetes.io/lifecycle': 'spot' } }]);
      cluster.deployment('render/frames', { replicas: 6, image: 'registry.example/frames:2', probe: false });
      cluster.at('10s', () =>
        cluster
          .node('spot-7')
          .warn(
            'SpotInterruption',
            'Spot Interruption event received. Instance will be interrupted at 2026-11-29T10:22:11Z',
          ),
      );
      cluster.at('12s', () => cluster.node('spot-7').drain());
      cluster.at('70s', () => cluster.node('spot-7').remove());
      cluster.at('90s', () => cluster.addNode({ name: 'spot-8', labels: { 'node.kubernetes.io/lifecycle': 'spot' } }));
    },
  ),

  'calm-builders-come-and-go-by-the-dozen': scenario(
    'Many short builds run and end; one of them is cancelled',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('ci/runner-manager', { image: 'registry.example/gitlab-runner:v18' });
      cluster.image('registry.example/build:go', {
        pullSeconds: 3,
        exit: { afterSeconds: 20, code: 0 },
        log: [
          'go: downloading golang.org/x/net v0.40.0',
          'WARNING: failed to save cache: 404 (ignored)',
          'Job succeeded',
        ],
      });
      for (const n of [1, 2, 3, 4, 5, 6])
        cluster.at(`${n * 8}s`, () => cluster.job(`ci/build-${4100 + n}`, { image: 'registry.example/build:go' }));
      const cancelled = cluster.planned({
        ...{
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'runner-x7-project-12-concurrent-0', namespace: 'ci', labels: { app: 'build' } },
        },
        spec: { restartPolicy: 'Never', containers: [{ name: 'build', image: 'registry.example/build-long:go' }] },
      });
      cluster.at('30s', () => cancelled.create());
      cluster.at('60s', () => cancelled.delete());
      look(cluster, '40s', '75s');
    },
  ),

  'calm-traffic-is-turned-from-blue-to-green': scenario(
    'A second generation is set up beside the first, traffic is turned and the first removed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const blue = cluster.deployment('web/site-blue', { replicas: 3, image: 'registry.example/site:11' });
      const service = cluster.service('web/site', { selector: { app: 'site-blue' } });
      cluster.image('registry.example/site:12', { readyAfterSeconds: 12, readinessSays: refused(8080) });
      cluster.at('10s', () =>
        cluster.deployment('web/site-green', { replicas: 3, image: 'registry.example/site:12', broken: true }),
      );
      cluster.at('50s', () => service.patch({ spec: { selector: { app: 'site-green' } } }));
      cluster.at('90s', () => blue.scale(0));
      cluster.at('130s', () => blue.delete());
    },
  ),

  'calm-agents-of-all-machines-are-upgraded-in-turn': scenario(
    'The agents of all machines are upgraded, with slow pulls',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const agents = cluster.daemonSet('observe/agent', { image: 'registry.example/agent:7.60' });
      cluster.image('registry.example/agent:7.66', {
        ...{ pullSeconds: 12, readyAfterSeconds: 6 },
        log: [
          'WARN | (pkg/util/kubelet) | Cannot get container ID for pause container, retrying',
          'ERROR | (comp/forwarder) | Too many errors for endpoint: retrying later',
          'INFO | agent started',
        ],
      });
      cluster.at('10s', () => agents.setImage('registry.example/agent:7.66'));
      look(cluster, '30s', '50s');
      cluster.lasts('240s');
    },
  ),

  'calm-new-store-gets-its-disk-when-its-pod-is-placed': scenario(
    'A new store asks for a disk that is made when its Pod is placed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'disk.csi.example' },
        spec: {},
      });
      cluster.object(storageClass('fast', { volumeBindingMode: 'WaitForFirstConsumer' }));
      const disk = cluster.planned(claim('archive/papers-data', 'fast'));
      cluster.image('registry.example/papers:1', {
        pullSeconds: 4,
        readyAfterSeconds: 9,
        readinessSays: refused(8080),
      });
      cluster.at('10s', () => disk.create());
      cluster.at('35s', () =>
        cluster.statefulSet('archive/papers', {
          ...{ image: 'registry.example/papers:1', broken: true },
          pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'papers-data' } }] },
        }),
      );
    },
  ),

  'calm-password-is-changed-and-its-readers-restarted': scenario(
    'A password is changed for server and client together, and both are restarted in order',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const secret = cluster.secret('crm/contacts-db', { password: 'old' });
      const env = { PASSWORD: 'secret/contacts-db/password' };
      const store = cluster.statefulSet('crm/contacts-db', { image: 'registry.example/postgres:17', env });
      cluster.service('crm/contacts-db', { ports: [{ name: 'postgres', port: 5432, targetPort: 5432 }] });
      const contacts = cluster.deployment('crm/contacts', {
        replicas: 2,
        image: 'registry.example/contacts:4',
        env,
        values: { DB: 'contacts-db.crm.svc:5432' },
      });
      cluster.image('registry.example/contacts:4', {
        readyAfterSeconds: 7,
        log: [
          'FATAL: terminating connection due to administrator command',
          'pool: reconnecting to contacts-db.crm.svc:5432',
          'connected',
        ],
      });
      cluster.at('10s', () => {
        secret.edit({ password: 'new' });
        store.restart();
      });
      cluster.at('25s', () => contacts.restart());
      look(cluster, '30s', '40s');
    },
  ),
};
