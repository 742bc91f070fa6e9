import { scenario } from '../../kit/scenario.ts';
import { budget, claim, mounts, storageClass, volume } from '../../kit/things.ts';

const listens = (port: number) => ({ container: { ports: [{ containerPort: port }] } });
const serves = (name: string, port: number) => ({ ports: [{ name, port, targetPort: port }] });

export const stories = {
  'machines-of-the-library-are-swapped-before-lunch': scenario(
    'Two new machines join, two old ones are drained one after the other and taken away; a budget holds all the while',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('library/catalogue', { replicas: 4, image: 'registry.library.example/catalogue:3.2' });
      cluster.service('library/catalogue');
      cluster.object(budget('library/catalogue', { minAvailable: 2 }));
      cluster.daemonSet('library-node/log-agent', { image: 'registry.library.example/log-agent:1.9' });
      cluster.at('5s', () => cluster.addNode({ name: 'n4' }));
      cluster.at('8s', () => cluster.addNode({ name: 'n5' }));
      cluster.at('30s', () => cluster.node('n1').drain());
      cluster.at('60s', () => cluster.node('n1').remove());
      cluster.at('90s', () => cluster.node('n2').drain());
      cluster.at('120s', () => cluster.node('n2').remove());
      cluster.lasts('180s');
    },
  ),

  'museum-export-fails-once-and-then-goes-through': scenario(
    'An export Job meets a connection that is reset, is tried again and completes',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      let first: string | undefined;
      cluster.image('registry.museum.example/export:5.1', ({ metadata }) => {
        first ??= metadata.name;
        return metadata.name === first
          ? {
              log: ['exporting 18211 objects', 'curl: (56) OpenSSL SSL_read: Connection reset by peer, errno 104'],
              exit: { afterSeconds: 9, code: 56 },
            }
          : { log: ['exporting 18211 objects', 'done: 18211 of 18211'], exit: { afterSeconds: 15, code: 0 } };
      });
      cluster.deployment('museum/inventory', { replicas: 2, image: 'registry.museum.example/inventory:2.0' });
      cluster.at('10s', () =>
        cluster.job('museum/export-1129', { image: 'registry.museum.example/export:5.1', spec: { backoffLimit: 4 } }),
      );
      cluster.lasts('120s');
    },
  ),

  'swimming-pool-booking-waits-for-its-new-database': scenario(
    'A new service and its database are made together; the service waits in its init container until the database has pulled its image and started',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('mariadb:11.4.2', { pullSeconds: 18, readyAfterSeconds: 8 });
      cluster.image('busybox:1.36-wait-db', {
        log: [
          'nc: pool-db.pools.svc (10.96.9.14:3306): Connection refused',
          'waiting for pool-db:3306',
          'pool-db:3306 is open',
        ],
        exit: { afterSeconds: 30, code: 0 },
      });
      cluster.at('10s', () => {
        cluster.statefulSet('pools/pool-db', { image: 'mariadb:11.4.2', ...listens(3306) });
        cluster.service('pools/pool-db', serves('mysql', 3306));
        cluster.deployment('pools/booking', {
          replicas: 2,
          image: 'registry.city.example/pools/booking:1.0',
          init: 'busybox:1.36-wait-db',
        });
        cluster.service('pools/booking');
      });
      cluster.lasts('120s');
    },
  ),

  'bicycle-counters-stumble-once-over-a-cold-start': scenario(
    'A new version starts before its settings server has loaded them, ends once, and stays up at the second try',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const next = 'registry.city.example/bicycles/counter:4.1';
      const counter = cluster.deployment('bicycles/counter', {
        replicas: 3,
        image: 'registry.city.example/bicycles/counter:4.0',
      });
      cluster.image(next, {
        log: [
          'Fetching config from server at : http://settings.bicycles.svc:8888',
          'start {run}: settings.bicycles.svc:8888 answers 503 until it has cloned its repository, a start without settings ends',
        ],
        readyAfterSeconds: 4,
        exit: { afterSeconds: 3, code: 1 },
        exits: 1,
      });
      cluster.at('10s', () => counter.setImage(next));
      cluster.lasts('120s');
    },
  ),

  'theatre-certificate-is-renewed-a-month-ahead': scenario(
    'A certificate is renewed in time: it is issued anew while the old one is still good, and its users are restarted',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object({
        ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
        metadata: { name: 'certificates.cert-manager.io' },
        spec: {
          ...{ group: 'cert-manager.io', scope: 'Namespaced' },
          names: { kind: 'Certificate', plural: 'certificates', singular: 'certificate', listKind: 'CertificateList' },
          versions: [
            {
              ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      });
      const certificate = cluster.object({
        ...{ apiVersion: 'cert-manager.io/v1', kind: 'Certificate' },
        metadata: { name: 'stage-door', namespace: 'theatre' },
        spec: { secretName: 'stage-door-tls', dnsNames: ['door.theatre.example'], issuerRef: { name: 'letsencrypt' } },
      });
      const ready = {
        ...{ type: 'Ready', status: 'True', reason: 'Ready', lastTransitionTime: '2026-09-30T10:00:00Z' },
        message: 'Certificate is up to date and has not expired',
      };
      certificate.status({ conditions: [ready], notAfter: '2026-12-29T10:00:00Z', revision: 3 });
      const secret = cluster.secret('theatre/stage-door-tls', { 'tls.crt': 'old', 'tls.key': 'old' });
      const door = cluster.deployment('theatre/stage-door', {
        replicas: 2,
        image: 'registry.theatre.example/stage-door:2.2',
        pod: { volumes: [{ name: 'tls', secret: { secretName: 'stage-door-tls' } }] },
      });
      cluster.service('theatre/stage-door', serves('https', 8443));
      cluster.at('10s', () =>
        certificate.status({
          conditions: [
            ready,
            {
              ...{ type: 'Issuing', status: 'True', reason: 'Renewing', lastTransitionTime: 'now' },
              message: 'Renewing certificate as renewal was scheduled at 2026-11-29 10:00:00 +0000 UTC',
            },
          ],
          notAfter: '2026-12-29T10:00:00Z',
        }),
      );
      cluster.at('35s', () => {
        secret.edit({ 'tls.crt': 'new', 'tls.key': 'new' });
        certificate.status({ conditions: [ready], notAfter: '2027-02-27T09:00:00Z', revision: 4 });
      });
      cluster.at('50s', () => door.restart());
      cluster.lasts('120s');
    },
  ),

  'matinee-rush-is-met-and-passes': scenario(
    'A service is scaled up for the rush before a matinee and down again after it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const lobby = cluster.deployment('cinema/lobby', {
        replicas: 3,
        image: 'registry.cinema.example/lobby:7.7',
        cpu: '200m',
      });
      cluster.service('cinema/lobby');
      cluster.object({
        ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
        metadata: { name: 'lobby', namespace: 'cinema' },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'lobby' },
          ...{ minReplicas: 3, maxReplicas: 12 },
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
          ],
        },
      });
      const rescaled = (size: number, why: string) => {
        lobby.scale(size);
        cluster.event({
          ...{ about: 'HorizontalPodAutoscaler/cinema/lobby', type: 'Normal', reason: 'SuccessfulRescale' },
          ...{ message: `New size: ${size}; reason: ${why}`, by: 'horizontal-pod-autoscaler' },
        });
      };
      cluster.at('10s', () => rescaled(6, 'cpu resource utilization (percentage of request) above target'));
      cluster.at('40s', () => rescaled(9, 'cpu resource utilization (percentage of request) above target'));
      cluster.at('120s', () => rescaled(5, 'All metrics below target'));
      cluster.at('150s', () => rescaled(3, 'All metrics below target'));
      cluster.lasts('200s');
    },
  ),

  'chess-server-grumbles-and-plays-on': scenario(
    'A service that prints errors for every visitor with a broken browser is rolled out as on every other Tuesday',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const next = 'registry.chess.example/rooms:88';
      const rooms = cluster.deployment('chess/rooms', { replicas: 3, image: 'registry.chess.example/rooms:87' });
      cluster.service('chess/rooms');
      cluster.image(next, {
        log: [
          'ERROR ws: read tcp 10.244.1.9:8080->10.244.0.1:51122: read: connection reset by peer',
          'WARN  engine depth 18 timed out for game 81231, using depth 14',
          'ERROR http: TLS handshake error from 10.244.0.1:40012: EOF',
          'ERROR invalid move e2e5 from user 4412: rejected',
        ],
      });
      cluster.at('10s', () => rooms.setImage(next));
      cluster.lasts('120s');
    },
  ),

  'map-engine-takes-its-time-to-load-the-continent': scenario(
    'A rollout of a service that needs most of a minute to be ready; its probes fail until then, and the old Pods serve',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const next = 'registry.maps.example/router:2026.11';
      const router = cluster.deployment('mapping/router', {
        replicas: 2,
        image: 'registry.maps.example/router:2026.10',
      });
      cluster.service('mapping/router');
      cluster.image(next, {
        readyAfterSeconds: 50,
        readinessSays: 'Get "http://10.244.1.22:8080/ready": dial tcp 10.244.1.22:8080: connect: connection refused',
        log: ['loading europe-latest.osrm (31 GiB)', 'mapped 31 GiB in 47.2s', 'listening on 0.0.0.0:8080'],
      });
      cluster.at('10s', () => router.setImage(next));
      cluster.lasts('200s');
    },
  ),

  'tide-tables-are-printed-every-few-minutes': scenario(
    'A CronJob runs and completes, run after run, with warnings that mean nothing',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const tides = cluster.cronJob('harbour/tide-table', {
        image: 'registry.harbour.example/tide-table:1.4',
        schedule: '*/2 * * * *',
      });
      cluster.image('registry.harbour.example/tide-table:1.4', {
        log: [
          'DeprecationWarning: datetime.datetime.utcnow() is deprecated and scheduled for removal in a future version',
          'WARNING gauge 14 reported twice, kept the later value',
          'printed 31 tables',
        ],
        exit: { afterSeconds: 12, code: 0 },
      });
      cluster.at('400s', () => tides.patch({ spec: { suspend: true } }));
      cluster.lasts('420s');
    },
  ),

  'parliament-log-brokers-are-restarted-one-by-one': scenario(
    'Three brokers are restarted in turn; their client notices each and goes on',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('apache/kafka:3.8.0', { readyAfterSeconds: 12 });
      cluster.image('registry.parliament.example/transcripts:2.0', {
        log: [
          '[Producer clientId=transcripts-1] Got error produce response with correlation id 4412 on topic-partition debates-3, retrying (2147483646 attempts left). Error: NOT_LEADER_OR_FOLLOWER',
          '[Producer clientId=transcripts-1] Node 1 disconnected.',
          '[Producer clientId=transcripts-1] Resetting the last seen epoch of partition debates-3 to 18 since the associated topicId changed',
        ],
      });
      const brokers = cluster.statefulSet('parliament/log-broker', {
        replicas: 3,
        image: 'apache/kafka:3.8.0',
        ...listens(9092),
      });
      cluster.service('parliament/log-broker', serves('kafka', 9092));
      cluster.object(budget('parliament/log-broker', { maxUnavailable: 1 }));
      cluster.deployment('parliament/transcripts', {
        replicas: 2,
        image: 'registry.parliament.example/transcripts:2.0',
      });
      cluster.at('10s', () => brokers.restart());
      cluster.lasts('180s');
    },
  ),

  'herbarium-disk-waits-for-its-first-reader': scenario(
    'A claim of a class that binds late is made a minute before the first Pod that needs it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(storageClass('late-ssd', { volumeBindingMode: 'WaitForFirstConsumer' }));
      cluster.object(volume('pv-herbarium', 'late-ssd'));
      cluster.at('5s', () => cluster.object(claim('herbarium/sheets', 'late-ssd')));
      cluster.at('70s', () =>
        cluster.deployment('herbarium/viewer', {
          image: 'registry.museum.example/herbarium/viewer:1.1',
          pod: mounts('sheets'),
          container: { volumeMounts: [{ name: 'data', mountPath: '/sheets' }] },
        }),
      );
      cluster.lasts('150s');
    },
  ),

  'kernel-update-takes-one-machine-of-the-observatory-away-and-back': scenario(
    'A machine is drained, rebooted with a new kernel and opened again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('observatory/sky-archive', { replicas: 4, image: 'registry.sky.example/archive:6.0' });
      cluster.service('observatory/sky-archive');
      cluster.object(budget('observatory/sky-archive', { maxUnavailable: 2 }));
      cluster.at('10s', () => cluster.node('n2').drain());
      cluster.at('40s', () => cluster.node('n2').reboot('30s'));
      cluster.at('85s', () => cluster.node('n2').uncordon());
      cluster.lasts('150s');
    },
  ),

  'recipe-images-are-pulled-at-the-second-try': scenario(
    'The registry is busy for a moment during a rollout; the pull is tried again and succeeds',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const next = 'registry.kitchen.example/recipes:12.1';
      const recipes = cluster.deployment('kitchen/recipes', {
        replicas: 3,
        image: 'registry.kitchen.example/recipes:12.0',
      });
      cluster.service('kitchen/recipes');
      cluster.image(next, {
        pullError:
          'failed to pull and unpack image "registry.kitchen.example/recipes:12.1": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry.kitchen.example/v2/recipes/blobs/sha256:1f0c: 503 Service Unavailable',
        failedPulls: 1,
      });
      cluster.at('10s', () => recipes.setImage(next));
      cluster.lasts('150s');
    },
  ),

  'preview-of-a-merged-change-is-swept-away': scenario(
    'A preview environment is made for a change, and is taken away with its namespace once the change is merged',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const space = cluster.object({
        ...{ apiVersion: 'v1', kind: 'Namespace' },
        metadata: { name: 'preview-mr-4711', labels: { purpose: 'preview' } },
      });
      cluster.deployment('preview-mr-4711/website', { replicas: 2, image: 'registry.city.example/website:mr-4711' });
      cluster.service('preview-mr-4711/website');
      cluster.statefulSet('preview-mr-4711/website-db', { image: 'postgres:16.4', ...listens(5432) });
      cluster.service('preview-mr-4711/website-db', serves('postgres', 5432));
      cluster.at('20s', () => space.delete());
      cluster.lasts('120s');
    },
  ),

  'lottery-draws-move-from-blue-to-green': scenario(
    'A second set of Pods is made beside the first, the Service is turned to it, and the first is scaled to nothing',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const label = (colour: string) => ({ part: 'draws', colour });
      const blue = cluster.deployment('lottery/draws-blue', {
        replicas: 3,
        image: 'registry.lottery.example/draws:30',
        labels: label('blue'),
      });
      const draws = cluster.service('lottery/draws', { selector: label('blue') });
      cluster.at('10s', () =>
        cluster.deployment('lottery/draws-green', {
          replicas: 3,
          image: 'registry.lottery.example/draws:31',
          labels: label('green'),
        }),
      );
      cluster.at('50s', () => draws.patch({ spec: { selector: label('green') } }));
      cluster.at('90s', () => blue.scale(0));
      cluster.lasts('150s');
    },
  ),
};
