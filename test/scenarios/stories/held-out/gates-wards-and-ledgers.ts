/** An airport, a hospital and a bank. */
import { scenario } from '../../kit/scenario.ts';
import { budget, claim, mounts, networkPolicy, storageClass, volume } from '../../kit/things.ts';

const env = (values: Readonly<Record<string, string>>): object => ({
  env: Object.entries(values).map(([name, value]) => ({ name, value })),
});

export const stories = {
  'boarding-queue-broker-outgrows-its-cut-memory': scenario(
    'The memory of a message broker is cut, it is killed again and again, and the gates cannot publish',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('gate-ops/bunny', { ports: [{ name: 'amqp', port: 5672, targetPort: 5672 }] });
      const broker = cluster.statefulSet('gate-ops/bunny', {
        image: 'registry.skyhub.example/rabbitmq:3.13.7',
        memory: '2Gi',
        cpu: '500m',
      });
      cluster.configMap('gate-ops/boarding-flags', { 'show-seat-map': 'true', 'paper-fallback': 'false' });
      cluster.service('gate-ops/boarding-api');
      cluster.deployment('gate-ops/boarding-api', {
        image: 'registry.skyhub.example/boarding-api:7.4.1',
        replicas: 2,
        probe: true,
        container: {
          ...env({ AMQP_URL: 'amqp://bunny.gate-ops.svc.cluster.local:5672' }),
          envFrom: [{ configMapRef: { name: 'boarding-flags' } }],
        },
      });
      cluster.at('20s', () =>
        cluster.configMap('gate-ops/announcements', { 'gate-b12': 'Boarding of zone 2 starts in ten minutes' }),
      );
      cluster.at('40s', () => {
        cluster.image('registry.skyhub.example/rabbitmq:3.13.7', {
          exit: { afterSeconds: 14, code: 137, oom: true },
          readyAfterSeconds: 8,
          log: [
            '2026-05-14 06:12:44.108131+00:00 [info] <0.230.0> Memory high watermark set to 819 MiB (858993459 bytes) of 2048 MiB (2147483648 bytes) total',
            '2026-05-14 06:12:49.874402+00:00 [info] <0.9.0>  * rabbitmq_management',
            '2026-05-14 06:12:52.310945+00:00 [info] <0.611.0> Recovering 48211 messages of queue boarding.events in vhost /',
          ],
        });
        broker.change({ memory: '512Mi' });
      });
      cluster.at('52s', () =>
        cluster.befall('registry.skyhub.example/boarding-api:7.4.1', {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 503',
          log: [
            'Error: connect ECONNREFUSED 10.96.41.7:5672',
            "    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16) { errno: -111, code: 'ECONNREFUSED', syscall: 'connect', address: '10.96.41.7', port: 5672 }",
            'amqp: lost the channel to amqp://bunny.gate-ops.svc.cluster.local:5672, trying again in 5000 ms',
          ],
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'StatefulSet/gate-ops/bunny',
        mustNotBlame: [
          'ConfigMap/gate-ops/announcements',
          'ConfigMap/gate-ops/boarding-flags',
          'Deployment/gate-ops/boarding-api',
        ],
      });
    },
  ),

  'baggage-tracker-bound-to-a-dead-machine': scenario(
    'The only machine that a workload may run on loses its power',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['belt-1', { name: 'belt-2', labels: { disk: 'local-zone' } }, 'belt-3']);
      cluster.object(storageClass('belt-ssd'));
      cluster.object(volume('pv-baggage-0', 'belt-ssd'));
      cluster.object(claim('baggage/tracker-data', 'belt-ssd'));
      cluster.service('baggage/tracker');
      cluster.deployment('baggage/tracker', {
        image: 'registry.skyhub.example/tracker:2.9',
        pod: mounts('tracker-data'),
        spec: { strategy: { type: 'Recreate' } },
        nodeSelector: { disk: 'local-zone' },
      });
      cluster.at('30s', () => cluster.node('belt-2').losePower());
      cluster.lasts('8m');
      cluster.expectIncident({
        root: 'Node//belt-2',
        mustNotBlame: ['PersistentVolumeClaim/baggage/tracker-data', 'Deployment/baggage/tracker'],
      });
    },
  ),

  'departure-board-key-renamed-and-crew-portal-typo': scenario(
    'A key of the settings of one workload is renamed, and another workload gets a tag that does not exist',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const settings = cluster.configMap('fids/board-settings', {
        REFRESH_SECONDS: '15',
        FEED_URL: 'http://aodb.fids.svc',
      });
      const board = cluster.deployment('fids/board', {
        image: 'registry.skyhub.example/board:12.0',
        replicas: 2,
        container: {
          env: [{ name: 'FEED_URL', valueFrom: { configMapKeyRef: { name: 'board-settings', key: 'FEED_URL' } } }],
        },
      });
      const portal = cluster.deployment('crew/portal', {
        image: 'registry.skyhub.example/crew-portal:5.1.0',
        replicas: 2,
      });
      cluster.image('registry.skyhub.example/crew-portal:5.l.1', { pullError: 'NotFound' });
      cluster.at('20s', () => settings.edit({ FEED_URL: null, FEED_ENDPOINT: 'http://aodb.fids.svc' }));
      cluster.at('50s', () => board.restart());
      cluster.at('70s', () => portal.setImage('registry.skyhub.example/crew-portal:5.l.1'));
      cluster.lasts('5m');
      cluster.expectIncident({ root: 'ConfigMap/fids/board-settings', mustNotBlame: ['Deployment/crew/portal'] });
      cluster.expectIncident({
        root: 'Deployment/crew/portal',
        reason: 'ImageNotFound',
        mustNotBlame: ['ConfigMap/fids/board-settings', 'Registry//registry.skyhub.example'],
      });
    },
  ),

  'check-in-kiosks-roll-out-with-slow-starts': scenario(
    'A roll-out whose Pods need most of a minute to be ready goes through',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('kiosk/checkin');
      const kiosk = cluster.deployment('kiosk/checkin', {
        image: 'registry.skyhub.example/checkin:31',
        replicas: 3,
        probe: true,
      });
      cluster.image('registry.skyhub.example/checkin:32', {
        readyAfterSeconds: 42,
        log: [
          'WARN  o.h.e.jdbc.spi.SqlExceptionHelper - SQL Warning Code: 0, SQLState: 00000',
          'ERROR c.s.checkin.PrinterPool - printer bagtag-07 did not answer in 2000 ms, marked offline (3 of 41)',
          'INFO  o.s.b.w.e.tomcat.TomcatWebServer - Tomcat started on port 8080 (http)',
        ],
      });
      cluster.at('20s', () => kiosk.setImage('registry.skyhub.example/checkin:32'));
      cluster.lasts('5m');
    },
  ),

  'imaging-archive-runs-out-of-room': scenario('The volume of an archive is full and it stops with that', (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(storageClass('pacs-bulk'));
    cluster.object(volume('pv-pacs', 'pacs-bulk'));
    cluster.object(claim('radiology/archive', 'pacs-bulk'));
    cluster.service('radiology/pacs');
    cluster.statefulSet('radiology/pacs', {
      image: 'registry.clinic.example/orthanc:24.10.3',
      pod: mounts('archive'),
      container: { volumeMounts: [{ name: 'data', mountPath: '/var/lib/orthanc/db' }] },
    });
    cluster.at('30s', () =>
      cluster.befall('registry.clinic.example/orthanc:24.10.3', {
        exit: { afterSeconds: 6, code: 255 },
        log: [
          'W0611 07:31:02.443210 main.cpp:1966] Orthanc version: 1.12.4',
          'W0611 07:31:03.018441 FilesystemStorage.cpp:123] Storage directory: "/var/lib/orthanc/db"',
          'E0611 07:31:03.771120 OrthancException.cpp:61] Cannot write to file: No space left on device: /var/lib/orthanc/db/c3/1f/c31f0a5e-8a25-4a6c-b0f0-6a2f5c7f3b1d',
          'E0611 07:31:03.771391 main.cpp:2069] Uncaught exception, stopping now: [The file storage area is full]',
        ],
      }),
    );
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'PersistentVolumeClaim/radiology/archive',
      accepts: ['StatefulSet/radiology/pacs'],
    });
  }),

  'ward-tablets-cut-off-by-a-new-deny-policy': scenario(
    'A policy that lets nobody in is applied, and clients in another namespace run into timeouts',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('mpi/patient-index');
      cluster.deployment('mpi/patient-index', {
        image: 'registry.clinic.example/patient-index:3.3',
        replicas: 2,
        probe: true,
      });
      const rounds = cluster.deployment('wards/rounds', {
        image: 'registry.clinic.example/rounds:1.20',
        replicas: 2,
        probe: true,
        container: env({ PATIENT_INDEX: 'http://patient-index.mpi.svc.cluster.local', LOG_LEVEL: 'info' }),
      });
      cluster.service('wards/rounds');
      cluster.deployment('wards/handover', {
        image: 'registry.clinic.example/handover:0.9.2',
        container: env({ MPI_BASE_URL: 'http://patient-index.mpi.svc.cluster.local/v1' }),
      });
      const timeouts = [
        '{"level":"error","ts":1781160311.4,"msg":"lookup failed","error":"Get \\"http://patient-index.mpi.svc.cluster.local/v1/patients/88213\\": dial tcp 10.96.70.12:80: i/o timeout"}',
        '{"level":"error","ts":1781160316.4,"msg":"not ready: patient index unreachable","error":"Get \\"http://patient-index.mpi.svc.cluster.local/healthz\\": context deadline exceeded (Client.Timeout exceeded while awaiting headers)"}',
      ];
      cluster.at('15s', () =>
        rounds.change({
          container: env({ PATIENT_INDEX: 'http://patient-index.mpi.svc.cluster.local', LOG_LEVEL: 'debug' }),
        }),
      );
      cluster.at('50s', () => cluster.object(networkPolicy('mpi/patient-index')));
      cluster.at('56s', () => {
        cluster.befall('registry.clinic.example/rounds:1.20', { readyAfterSeconds: 'never', log: timeouts });
        cluster.befall('registry.clinic.example/handover:0.9.2', {
          exit: { afterSeconds: 12, code: 1 },
          log: timeouts,
        });
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'NetworkPolicy/mpi/patient-index',
        mustNotBlame: ['Deployment/wards/rounds', 'Deployment/wards/handover', 'Deployment/mpi/patient-index'],
      });
    },
  ),

  'pharmacy-release-waits-for-a-failed-migration': scenario(
    'A migration fails, and the new Pods wait for it in their init container',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const wait = 'registry.clinic.example/k8s-wait-for:2.0';
      const app = cluster.deployment('pharmacy/formulary', {
        image: 'registry.clinic.example/formulary:41',
        replicas: 2,
        probe: true,
      });
      cluster.service('pharmacy/formulary');
      cluster.image('registry.clinic.example/formulary-migrate:42', {
        exit: { afterSeconds: 5, code: 1 },
        log: [
          'Flyway Community Edition 10.17.3 by Redgate',
          'Database: jdbc:postgresql://pg.pharmacy.svc:5432/formulary (PostgreSQL 16.4)',
          'Current version of schema "public": 41',
          'Migrating schema "public" to version "42 - unique dose code"',
          'ERROR: Migration of schema "public" to version "42 - unique dose code" failed! Changes successfully rolled back.',
          'SQL State  : 23505',
          'Message    : ERROR: could not create unique index "dose_code_key"',
          '  Detail: Key (code)=(N02BE01) is duplicated.',
        ],
      });
      cluster.image(wait, {
        exit: { afterSeconds: 3600, code: 0 },
        log: ['[2026-06-11 08:00:12] Waiting for job formulary-migrate-42...'],
      });
      cluster.at('30s', () => {
        cluster.job('pharmacy/formulary-migrate-42', {
          image: 'registry.clinic.example/formulary-migrate:42',
          spec: { backoffLimit: 1 },
        });
        app.change({ image: 'registry.clinic.example/formulary:42', init: wait });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Job/pharmacy/formulary-migrate-42',
        mustNotBlame: ['Deployment/pharmacy/formulary'],
      });
    },
  ),

  'end-of-day-run-finds-the-quota-spent': scenario(
    'A backfill takes all of a namespace, so that the run of the evening gets no Pod; a machine is cordoned meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['core-1', 'core-2', 'core-3']);
      cluster.quota('eod/compute', { pods: '6', 'requests.cpu': '3' });
      cluster.deployment('eod/gl-api', {
        image: 'registry.bank.example/gl-api:8',
        replicas: 2,
        cpu: '250m',
        memory: '128Mi',
      });
      cluster.at('20s', () =>
        cluster.deployment('eod/backfill-2019', {
          image: 'registry.bank.example/backfill:2019',
          replicas: 4,
          cpu: '600m',
          memory: '256Mi',
        }),
      );
      cluster.at('40s', () => cluster.node('core-3').cordon());
      cluster.at('60s', () =>
        cluster.job('eod/close-of-business', {
          image: 'registry.bank.example/cob:5.2',
          cpu: '500m',
          memory: '256Mi',
        }),
      );
      cluster.at('4m', () => cluster.node('core-3').uncordon());
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'ResourceQuota/eod/compute',
        reason: 'QuotaExceeded',
        accepts: ['Deployment/eod/backfill-2019'],
        mustNotBlame: ['Node//core-3', 'Deployment/eod/gl-api'],
      });
    },
  ),

  'posting-engine-scaled-past-the-connection-limit': scenario(
    'A workload is scaled to twelve and takes all connections of a database that others need, too',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('ledger/ledger-pg', { ports: [{ port: 5432, targetPort: 5432 }] });
      cluster.statefulSet('ledger/ledger-pg', {
        image: 'registry.bank.example/postgres:16.4',
        container: { args: ['-c', 'max_connections=100'] },
      });
      const url = { DATABASE_URL: 'postgresql://ledger@ledger-pg.ledger.svc:5432/ledger', POOL_SIZE: '20' };
      const full = [
        'org.postgresql.util.PSQLException: FATAL: sorry, too many clients already',
        '\tat org.postgresql.core.v3.ConnectionFactoryImpl.doAuthentication(ConnectionFactoryImpl.java:698)',
        'com.zaxxer.hikari.pool.HikariPool$PoolInitializationException: Failed to initialize pool: FATAL: sorry, too many clients already',
      ];
      const posting = cluster.deployment('ledger/posting', {
        image: 'registry.bank.example/posting:77',
        replicas: 4,
        container: env(url),
      });
      cluster.deployment('ledger/statements', {
        image: 'registry.bank.example/statements:19',
        container: env({ ...url, POOL_SIZE: '5' }),
      });
      cluster.at('30s', () => {
        cluster.image('registry.bank.example/posting:77', { exit: { afterSeconds: 9, code: 1 }, log: full });
        posting.scale(12);
      });
      cluster.at('45s', () =>
        cluster.befall('registry.bank.example/statements:19', { exit: { afterSeconds: 15, code: 1 }, log: full }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Deployment/ledger/posting',
        accepts: ['StatefulSet/ledger/ledger-pg'],
        mustNotBlame: ['Deployment/ledger/statements'],
      });
    },
  ),

  'screening-controller-loses-its-rights-in-a-clean-up': scenario(
    'A role binding is deleted and a controller may no longer list what it watches; a sibling is rolled out well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const metadata = { namespace: 'aml', name: 'screening' };
      cluster.object({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
      cluster.object({
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata },
        rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list', 'watch', 'create'] }],
      });
      const binding = cluster.object({
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'screening' },
        subjects: [{ kind: 'ServiceAccount', ...metadata }],
      });
      cluster.deployment('aml/screening', {
        image: 'registry.bank.example/screening:6.0',
        pod: { serviceAccountName: 'screening' },
      });
      const cases = cluster.deployment('aml/case-desk', {
        image: 'registry.bank.example/case-desk:2.2',
        replicas: 2,
      });
      cluster.at('20s', () => binding.delete());
      cluster.at('30s', () => cases.setImage('registry.bank.example/case-desk:2.3'));
      cluster.at('45s', () =>
        cluster.befall('registry.bank.example/screening:6.0', {
          exit: { afterSeconds: 10, code: 1 },
          log: [
            'I0611 21:14:02.118201       1 main.go:88] "starting screening dispatcher" version="6.0"',
            'E0611 21:14:02.401277       1 reflector.go:200] "Failed to watch" err="failed to list *v1.Job: jobs.batch is forbidden: User \\"system:serviceaccount:aml:screening\\" cannot list resource \\"jobs\\" in API group \\"batch\\" in the namespace \\"aml\\"" reflector="k8s.io/client-go/informers/factory.go:160" type="*v1.Job"',
            'F0611 21:14:12.102244       1 main.go:131] failed to wait for caches to sync: timed out',
          ],
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'RoleBinding/aml/screening',
        accepts: ['ServiceAccount/aml/screening'],
        mustNotBlame: ['Deployment/aml/case-desk'],
      });
    },
  ),

  'month-end-interest-fails-once-and-succeeds': scenario(
    'A Job meets a lock, is tried again and completes',
    (cluster) => {
      cluster.recordedFrom('sandbox');

      let first: string | undefined;
      cluster.image('registry.bank.example/interest:3', ({ metadata }) => {
        first ??= metadata.name;
        return metadata.name !== first
          ? { exit: { afterSeconds: 25, code: 0 }, log: ['interest accrued for 1204411 accounts'] }
          : {
              exit: { afterSeconds: 8, code: 1 },
              log: [
                'ORA-00054: resource busy and acquire with NOWAIT specified or timeout expired',
                'gave up, the scheduler may try again',
              ],
            };
      });
      cluster.at('20s', () =>
        cluster.job('interest/month-end-2026-05', {
          image: 'registry.bank.example/interest:3',
          spec: { backoffLimit: 4 },
        }),
      );
      cluster.lasts('4m');
    },
  ),

  'exam-week-drain-with-room-to-spare': scenario(
    'A machine is drained for a kernel, Pods move one after the other under their budget, and it comes back',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['hall-a', 'hall-b', 'hall-c']);
      cluster.service('exams/portal');
      cluster.deployment('exams/portal', { image: 'registry.uni.example/portal:88', replicas: 3, probe: true });
      cluster.object(budget('exams/portal', { minAvailable: 2 }));
      cluster.daemonSet('exams/node-agent', { image: 'registry.uni.example/agent:1' });
      cluster.at('20s', () => cluster.node('hall-b').drain());
      cluster.at('70s', () => cluster.node('hall-b').reboot('40s'));
      cluster.at('2m20s', () => cluster.node('hall-b').uncordon());
      cluster.lasts('5m');
    },
  ),
};
