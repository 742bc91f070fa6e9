/** Days of a hospital, a bank, a studio and an operator of trains on which nobody has to be woken. */

import { type Scenario, scenario } from '../../kit/scenario.ts';
import { budget, storageClass } from '../../kit/things.ts';
import { definition, onPort, serves } from './parts/houses.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  'calm-login-servers-are-restarted-one-by-one': scenario(
    'Login servers that start slowly are restarted one by one, and those who use them carry on',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/keycloak:26.1', {
        readyAfterSeconds: 28,
        readinessSays:
          'Get "http://10.244.1.7:9000/health/ready": dial tcp 10.244.1.7:9000: connect: connection refused',
        log: [
          '2026-11-29 10:01:10,331 WARN  [org.infinispan.CONFIG] (main) ISPN000569: Unable to persist Infinispan internal caches as no global state enabled',
          '2026-11-29 10:01:24,870 WARN  [org.jgroups.protocols.pbcast.GMS] (main) keycloak-1-4411: JOIN(keycloak-1-4411) sent to keycloak-0-1120 timed out (after 2000 ms), on try 0 of 10',
          '2026-11-29 10:01:37,002 INFO  [io.quarkus] (main) Keycloak 26.1.0 on JVM (powered by Quarkus 3.15.1) started in 26.811s. Listening on: http://0.0.0.0:8080',
        ],
      });
      const keycloak = cluster.statefulSet('identity/keycloak', {
        replicas: 3,
        image: 'registry.example/keycloak:26.1',
      });
      cluster.service('identity/keycloak');
      cluster.object(budget('identity/keycloak', { maxUnavailable: 1 }));
      cluster.deployment('rx/prescriptions', {
        ...{
          replicas: 2,
          image: 'registry.example/prescriptions:12.3',
          values: { OIDC_HOST: 'keycloak.identity.svc' },
        },
      });
      cluster.service('rx/prescriptions');
      cluster.at('10s', () => keycloak.restart());
      for (const [when, name] of [
        ['25s', 'keycloak-2'],
        ['56s', 'keycloak-1'],
        ['86s', 'keycloak-0'],
      ] as const)
        cluster.at(when, () =>
          cluster.event({
            ...{ about: `Pod/identity/${name}`, reason: 'Unhealthy', by: 'kubelet', count: 2 },
            message:
              'Readiness probe failed: Get "http://10.244.1.7:9000/health/ready": dial tcp 10.244.1.7:9000: connect: connection refused',
          }),
        );
      cluster.lasts('160s');
    },
  ),

  'calm-half-empty-machine-is-given-back': scenario(
    'A machine that is half empty is emptied with the budgets kept and taken away; what ran there runs elsewhere',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const names = ['lobby', 'friends', 'chat'];
      for (const name of names) {
        cluster.deployment(`game/${name}`, { replicas: 3, image: `registry.studio.example/${name}:8` });
        cluster.service(`game/${name}`);
        cluster.object(budget(`game/${name}`, { maxUnavailable: 1 }));
        cluster.image(`registry.studio.example/${name}:8`, { readyAfterSeconds: 6 });
      }
      cluster.daemonSet('logging/fluent-bit', { image: 'registry.example/fluent-bit:3.2' });
      cluster.deployment('karpenter/karpenter', { image: 'registry.example/karpenter:1.1' });
      cluster.at('15s', () => {
        cluster.event({
          ...{ about: 'Node//n3', type: 'Normal', reason: 'DisruptionTerminating', by: 'karpenter' },
          message: 'Disrupting Node: Underutilized',
        });
        cluster.node('n3').drain();
      });
      cluster.at('75s', () => cluster.node('n3').remove());
      cluster.lasts('130s');
    },
  ),

  'calm-migration-loses-a-lock-and-wins-it-later': scenario(
    'A migration finds a lock taken at its first attempt and goes through at its second',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('ledger/ledger-db', { image: 'registry.example/postgres:16.4', container: serves(5432) });
      cluster.service('ledger/ledger-db', onPort(5432, 'postgres'));
      let first: string | undefined;
      cluster.image('registry.example/ledger-migrate:88', ({ metadata }) => {
        first ??= metadata.name;
        return metadata.name === first
          ? {
              exit: { afterSeconds: 6, code: 1 },
              log: [
                'Flyway Community Edition 10.20.1 by Redgate',
                'Database: jdbc:postgresql://ledger-db.ledger.svc:5432/ledger (PostgreSQL 16.4)',
                'ERROR: Unable to obtain PostgreSQL advisory lock',
              ],
            }
          : {
              exit: { afterSeconds: 8, code: 0 },
              log: ['Successfully applied 2 migrations to schema "public", now at version v88'],
            };
      });
      cluster.at('10s', () => {
        cluster.job('ledger/ledger-migrate-88', {
          image: 'registry.example/ledger-migrate:88',
          spec: { backoffLimit: 4 },
        });
      });
      cluster.lasts('120s');
    },
  ),

  'calm-consumer-stumbles-once-before-its-queue': scenario(
    'A consumer is released while its queue hands over to another member: it falls over once, starts again and stays',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const queue = cluster.statefulSet('lab/rabbitmq', {
        replicas: 3,
        image: 'registry.example/rabbitmq:4.0',
        container: serves(5672),
      });
      cluster.service('lab/rabbitmq', onPort(5672, 'amqp'));
      const consumer = cluster.deployment('lab/results', {
        ...{
          replicas: 2,
          image: 'registry.example/results:14',
          values: { AMQP_URL: 'amqp://rabbitmq.lab.svc:5672/lab' },
        },
      });
      cluster.service('lab/results');
      cluster.image('registry.example/results:15', {
        ...{ exit: { afterSeconds: 3, code: 1 }, exits: 1, readyAfterSeconds: 4 },
        log: [
          'pika.exceptions.AMQPConnectionError: ConnectionClosedByBroker: (320) "CONNECTION_FORCED - broker forced connection closure with reason \'shutdown\'"',
        ],
      });
      cluster.at('10s', () => queue.restart());
      cluster.at('16s', () => consumer.setImage('registry.example/results:15'));
      cluster.lasts('120s');
    },
  ),

  'calm-certificate-is-renewed-by-its-controller': scenario(
    'A certificate is issued anew in time: its challenge is solved, its Secret exchanged and its door restarted',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const group = 'cert-manager.io';
      cluster.object(definition('Certificate', 'certificates', group));
      cluster.object(definition('CertificateRequest', 'certificaterequests', group));
      cluster.deployment('cert-manager/cert-manager', { image: 'registry.example/cert-manager-controller:1.16.2' });
      const secret = cluster.secret('sales/tickets-tls', { 'tls.crt': 'old', 'tls.key': 'old' });
      const apiVersion = `${group}/v1`;
      const issuerRef = { kind: 'ClusterIssuer', name: 'letsencrypt' };
      const condition = (type: string, status: string, reason: string, message: string): object => ({
        ...{ type, status, reason, message, lastTransitionTime: 'now' },
      });
      const certificate = cluster.object({
        ...{ apiVersion, kind: 'Certificate', metadata: { namespace: 'sales', name: 'tickets' } },
        spec: { secretName: 'tickets-tls', dnsNames: ['tickets.example'], issuerRef },
      });
      const ready = condition('Ready', 'True', 'Ready', 'Certificate is up to date and has not expired');
      certificate.status({ conditions: [ready], revision: 7 });
      const door = cluster.deployment('ingress-nginx/ingress-nginx-controller', {
        ...{ replicas: 2, image: 'registry.example/ingress-nginx-controller:1.12' },
      });
      const request = cluster.planned({
        ...{ apiVersion, kind: 'CertificateRequest', metadata: { namespace: 'sales', name: 'tickets-8' } },
        spec: { issuerRef, request: 'LS0t' },
      });
      cluster.at('15s', () =>
        certificate.status({
          ...{ revision: 7 },
          conditions: [
            ready,
            condition(
              'Issuing',
              'True',
              'Renewing',
              'Renewing certificate as renewal was scheduled at 2026-11-29 10:00:00 +0000 UTC',
            ),
          ],
        }),
      );
      cluster.at('17s', () => request.create());
      cluster.at('18s', () =>
        request.status({
          conditions: [
            condition(
              'Ready',
              'False',
              'Pending',
              'Waiting on certificate issuance from order sales/tickets-8-1840172212: "pending"',
            ),
          ],
        }),
      );
      cluster.at('45s', () => {
        request.status({
          conditions: [condition('Ready', 'True', 'Issued', 'Certificate fetched from issuer successfully')],
        });
        secret.edit({ 'tls.crt': 'new', 'tls.key': 'new' });
        certificate.status({ conditions: [ready], revision: 8 });
      });
      cluster.at('60s', () => door.restart());
      cluster.lasts('120s');
    },
  ),

  'calm-departure-boards-follow-the-rush': scenario(
    'The boards are scaled up for the rush and down after it; new ones need a while and say so',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.transit.example/departures:40', { readyAfterSeconds: 16 });
      const boards = cluster.deployment('info/departures', {
        replicas: 3,
        image: 'registry.transit.example/departures:40',
        cpu: '200m',
      });
      cluster.service('info/departures');
      const scaler = cluster.object({
        ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
        metadata: { namespace: 'info', name: 'departures' },
        spec: {
          ...{ minReplicas: 3, maxReplicas: 14 },
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'departures' },
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 65 } } },
          ],
        },
      });
      const says = (currentReplicas: number, desiredReplicas: number, limited = false): void =>
        scaler.status({
          ...{ currentReplicas, desiredReplicas },
          conditions: [
            {
              type: 'AbleToScale',
              status: 'True',
              reason: 'ReadyForNewScale',
              message: 'recommended size matches current size',
              lastTransitionTime: 'now',
            },
            {
              type: 'ScalingActive',
              status: 'True',
              reason: 'ValidMetricFound',
              message:
                'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
              lastTransitionTime: 'now',
            },
            {
              type: 'ScalingLimited',
              status: limited ? 'True' : 'False',
              reason: limited ? 'ScaleUpLimit' : 'DesiredWithinRange',
              message: limited
                ? 'the desired replica count is increasing faster than the maximum scale rate'
                : 'the desired count is within the acceptable range',
              lastTransitionTime: 'now',
            },
          ],
        });
      says(3, 3);
      cluster.at('10s', () => {
        says(3, 6, true);
        boards.scale(6);
      });
      cluster.at('40s', () => {
        says(6, 11);
        boards.scale(11);
      });
      cluster.at('150s', () => {
        says(11, 5);
        boards.scale(5);
      });
      cluster.at('165s', () => says(5, 5));
      cluster.lasts('210s');
    },
  ),

  'calm-workers-wake-for-a-queue-and-sleep-again': scenario(
    'Workers that sleep at zero wake for a batch of pictures, work and are sent to sleep',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('pacs/rabbitmq', { image: 'registry.example/rabbitmq:4.0', container: serves(5672) });
      cluster.service('pacs/rabbitmq', onPort(5672, 'amqp'));
      const workers = cluster.deployment('pacs/thumbnails', { replicas: 0, image: 'registry.example/thumbnails:3' });
      cluster.image('registry.example/thumbnails:3', { readyAfterSeconds: 5, pullSeconds: 9 });
      cluster.at('15s', () => {
        cluster.event({
          ...{
            about: 'Deployment/pacs/thumbnails',
            type: 'Normal',
            reason: 'KEDAScaleTargetActivated',
            by: 'keda-operator',
          },
          message: 'Scaled apps/v1.Deployment pacs/thumbnails from 0 to 1, triggered by rabbitmqScaler',
        });
        workers.scale(1);
      });
      cluster.at('35s', () => workers.scale(8));
      cluster.at('150s', () => {
        cluster.event({
          ...{
            about: 'Deployment/pacs/thumbnails',
            type: 'Normal',
            reason: 'KEDAScaleTargetDeactivated',
            by: 'keda-operator',
          },
          message: 'Deactivated apps/v1.Deployment pacs/thumbnails from 8 to 0',
        });
        workers.scale(0);
      });
      cluster.lasts('190s');
    },
  ),

  'calm-release-waits-for-its-schema': scenario(
    'The new Pods of a release wait in front of their door until the migration beside them is through',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('cards/cards-db', { image: 'registry.example/postgres:16.4', container: serves(5432) });
      cluster.service('cards/cards-db', onPort(5432, 'postgres'));
      cluster.image('registry.example/cards-wait:19', {
        exit: { afterSeconds: 38, code: 0 },
        log: ['schema is at 18, waiting for 19', 'schema is at 18, waiting for 19', 'schema is at 19'],
      });
      cluster.image('registry.example/cards-wait:18', { exit: { afterSeconds: 1, code: 0 } });
      const cards = cluster.deployment('cards/cards-api', {
        ...{ replicas: 3, image: 'registry.example/cards-api:18', init: 'registry.example/cards-wait:18' },
      });
      cluster.service('cards/cards-api');
      cluster.image('registry.example/cards-migrate:19', {
        exit: { afterSeconds: 30, code: 0 },
        log: ['INFO  [alembic.runtime.migration] Running upgrade 18 -> 19'],
      });
      cluster.at('10s', () => {
        cluster.job('cards/cards-migrate-19', { image: 'registry.example/cards-migrate:19' });
        cards.patch({
          spec: {
            template: {
              spec: {
                initContainers: [{ name: 'init', image: 'registry.example/cards-wait:19' }],
                containers: [{ name: 'cards-api', image: 'registry.example/cards-api:19' }],
              },
            },
          },
        });
      });
      cluster.lasts('220s');
    },
  ),

  'calm-closing-of-the-day-complains-and-ends-well': scenario(
    'The runs that close a day write frightening lines about branches they try again, and all of them succeed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/close-day:7', {
        exit: { afterSeconds: 22, code: 0 },
        log: [
          'ERROR branch 0412: read timed out after 5000 ms, will be tried again',
          'WARN  branch 0412: attempt 2 of 5',
          'ERROR branch 0977: java.net.ConnectException: Connection refused (archive in maintenance window)',
          'FATAL level is not configured for logger audit, falling back to ERROR',
          'INFO  214 branches closed, 0 open, 2 retried',
        ],
      });
      const runs = cluster.cronJob('ledger/close-day', {
        schedule: '* * * * *',
        image: 'registry.example/close-day:7',
      });
      cluster.at('170s', () => runs.patch({ spec: { suspend: true } }));
      cluster.lasts('210s');
    },
  ),

  'calm-quorum-lets-a-machine-go': scenario(
    'A machine is emptied for its firmware: the budget of a quorum holds the drain up for a while, then all is done',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/kafka:3.9', { readyAfterSeconds: 12 });
      cluster.statefulSet('stream/kafka', {
        ...{ replicas: 5, image: 'registry.example/kafka:3.9', container: serves(9092) },
        spec: { podManagementPolicy: 'Parallel' },
      });
      cluster.service('stream/kafka', onPort(9092, 'kafka'));
      cluster.object(budget('stream/kafka', { maxUnavailable: 1 }));
      cluster.deployment('vehicles/positions', { replicas: 2, image: 'registry.transit.example/positions:22' });
      cluster.service('vehicles/positions');
      cluster.at('15s', () => cluster.node('n1').drain());
      cluster.at('110s', () => cluster.node('n1').uncordon());
      cluster.lasts('150s');
    },
  ),

  'calm-archive-grows-by-two-members-with-disks': scenario(
    'An archive gets two members more, and each gets its disk when it has its place',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object({
        ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'rook-ceph.rbd.csi.ceph.com' } },
        spec: { attachRequired: true },
      });
      cluster.object(
        storageClass('ceph-block', {
          provisioner: 'rook-ceph.rbd.csi.ceph.com',
          volumeBindingMode: 'WaitForFirstConsumer',
        }),
      );
      cluster.image('registry.example/minio:2026', { readyAfterSeconds: 9, pullSeconds: 4 });
      const archive = cluster.statefulSet('pacs/archive', {
        ...{ replicas: 2, image: 'registry.example/minio:2026', container: serves(9000) },
        spec: {
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: {
                ...{ storageClassName: 'ceph-block', accessModes: ['ReadWriteOnce'] },
                resources: { requests: { storage: '500Gi' } },
              },
            },
          ],
        },
      });
      cluster.service('pacs/archive', onPort(9000, 's3'));
      cluster.at('15s', () => archive.scale(4));
      cluster.lasts('120s');
    },
  ),

  'calm-agents-of-the-logs-are-renewed-machine-by-machine': scenario(
    'The agents of the logs are exchanged machine by machine; each needs a moment and writes of chunks it could not send yet',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['n1', 'n2', 'n3', 'n4', 'n5']);
      const agents = cluster.daemonSet('logging/fluent-bit', { image: 'registry.example/fluent-bit:3.1' });
      cluster.deployment('logging/loki', { image: 'registry.example/loki:3.3' });
      cluster.service('logging/loki', onPort(3100, 'http'));
      cluster.image('registry.example/fluent-bit:3.2', {
        ...{ readyAfterSeconds: 11, pullSeconds: 3 },
        log: [
          "[2026/11/29 10:31:02] [ warn] [engine] failed to flush chunk '1-1795950662.120733.flb', retry in 9 seconds: task_id=3, input=tail.0 > output=loki.0 (out_id=0)",
          "[2026/11/29 10:31:11] [ info] [engine] flush chunk '1-1795950662.120733.flb' succeeded at retry 1: task_id=3, input=tail.0 > output=loki.0 (out_id=0)",
        ],
      });
      cluster.at('15s', () => agents.setImage('registry.example/fluent-bit:3.2'));
      cluster.lasts('150s');
    },
  ),

  'calm-builds-come-and-go-and-one-is-cancelled': scenario(
    'Pods of builds come and go in the namespace of the runners, and one is cancelled in the middle',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('ci/gitlab-runner', { image: 'registry.example/gitlab-runner:17.6' });
      const build = (n: number) =>
        cluster.pod(`ci/runner-t1abc-project-91-concurrent-${n}`, {
          ...{ image: `registry.example/build:${n}`, probe: false, pod: { restartPolicy: 'Never' } },
          labels: { 'job.runner.gitlab.com/name': 'compile' },
        });
      const done = { log: ['ninja: build stopped: 0 failed, 1211 done', 'Job succeeded'] };
      cluster.image('registry.example/build:0', { exit: { afterSeconds: 25, code: 0 }, pullSeconds: 6, ...done });
      cluster.image('registry.example/build:1', { exit: { afterSeconds: 90, code: 0 }, pullSeconds: 6 });
      cluster.image('registry.example/build:2', { exit: { afterSeconds: 35, code: 0 }, pullSeconds: 2, ...done });
      const running: { delete(): void }[] = [];
      cluster.at('10s', () => running.push(build(0), build(1)));
      cluster.at('20s', () => running.push(build(2)));
      cluster.at('48s', () => running[0]?.delete());
      cluster.at('50s', () => running[1]?.delete());
      cluster.at('70s', () => running[2]?.delete());
      cluster.lasts('110s');
    },
  ),

  'calm-leader-of-a-database-is-handed-over': scenario(
    'The leader of a database is handed over on purpose, its old Pod is made anew, and its callers connect again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/spilo-16:3.3', { readyAfterSeconds: 10 });
      cluster.statefulSet('accounts/acid-accounts', {
        replicas: 3,
        image: 'registry.example/spilo-16:3.3',
        container: serves(5432),
      });
      cluster.service('accounts/acid-accounts', onPort(5432, 'postgres'));
      cluster.object(budget('accounts/acid-accounts', { maxUnavailable: 1 }));
      cluster.deployment('accounts/balance-api', {
        ...{ replicas: 3, image: 'registry.example/balance-api:14', values: { DB_HOST: 'acid-accounts.accounts.svc' } },
      });
      cluster.service('accounts/balance-api');
      const leader = cluster.planned({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace: 'accounts', name: 'acid-accounts-0' },
      });
      cluster.at('20s', () => leader.delete());
      cluster.at('28s', () =>
        cluster.event({
          ...{ about: 'Pod/accounts/acid-accounts-0', reason: 'Unhealthy', by: 'kubelet' },
          message: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
        }),
      );
      cluster.at('60s', () =>
        cluster
          .planned({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'accounts', name: 'acid-accounts-1' } })
          .delete(),
      );
      cluster.lasts('120s');
    },
  ),

  'calm-external-secret-misses-one-refresh': scenario(
    'One refresh of a secret that is kept elsewhere times out, and the next one is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const group = 'external-secrets.io';
      cluster.object(definition('ExternalSecret', 'externalsecrets', group));
      cluster.deployment('external-secrets/external-secrets', { image: 'registry.example/external-secrets:0.14' });
      cluster.secret('cards/issuer-key', { key: 'x' });
      cluster.deployment('cards/issuer', {
        replicas: 2,
        image: 'registry.example/issuer:7',
        env: { KEY: 'secret/issuer-key/key' },
      });
      const one = cluster.object({
        ...{ apiVersion: `${group}/v1`, kind: 'ExternalSecret', metadata: { namespace: 'cards', name: 'issuer-key' } },
        spec: {
          refreshInterval: '30s',
          secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault' },
          target: { name: 'issuer-key' },
        },
      });
      const says = (status: string, reason: string, message: string): void =>
        one.status({ conditions: [{ type: 'Ready', status, reason, message, lastTransitionTime: 'now' }] });
      says('True', 'SecretSynced', 'secret synced');
      cluster.at('20s', () => says('False', 'SecretSyncedError', 'could not get secret data from provider'));
      cluster.at('38s', () => says('True', 'SecretSynced', 'secret synced'));
      cluster.lasts('80s');
    },
  ),
};
