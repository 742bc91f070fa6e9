import { condition, custom, define, imageAt, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { budget } from '../../kit/things.ts';

/** Normal days: nobody may hear of anything. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tutorials/stateful-application/basic-stateful-set/#rolling-update: each member takes a minute and a half.
  'quiet-members-are-raised-one-by-one': reported(
    'A Cassandra of three members gets its next version; each member takes a minute and a half, and the application is released behind it',
    (cluster) => {
      const repository = 'docker.io/library/cassandra';
      const slow = { readyAfterSeconds: 85, log: ['INFO  [main] CassandraDaemon.java:658 - Startup complete'] };
      cluster.image(`${repository}:4.1.5`, slow);
      const ring = server(cluster, 'meters/cassandra', `${repository}:4.1.4`, 9042, {
        ...{ replicas: 3, spec: disks(cluster) },
      });
      cluster.object(budget('meters/cassandra', { maxUnavailable: 1 }));
      const readings = cluster.deployment('meters/readings', { replicas: 3, image: imageAt('readings', 3) });
      cluster.service('meters/readings');
      cluster.at(after(0), () => ring.setImage(`${repository}:4.1.5`));
      cluster.at(after(600), () => readings.setImage(imageAt('readings', 4)));
    },
  ),

  // https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html: new machines first, then the old ones go.
  'quiet-pool-gets-a-new-image': reported(
    'The machines of a pool are replaced by ones of a newer image: two join, and the old ones are drained and go one after the other',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      for (const place of ['parking/gates', 'parking/tariffs']) {
        cluster.deployment(place, { replicas: 4, image: imageOf(place) });
        cluster.service(place);
        cluster.object(budget(place, { maxUnavailable: 1 }));
      }
      cluster.at(after(0), () => {
        for (const name of ['m1', 'm2']) cluster.addNode({ name });
      });
      for (const [index, name] of ['n1', 'n2'].entries()) {
        cluster.at(after(60 + 240 * index), () => cluster.node(name).drain());
        cluster.at(after(210 + 240 * index), () => cluster.node(name).remove());
      }
    },
  ),

  // https://cloud.google.com/kubernetes-engine/docs/concepts/spot-vms#termination: half a minute's notice for two at once.
  'quiet-two-spot-machines-go-at-once': reported(
    'Two spot machines are announced to go at the same time; others join, and their workers begin there',
    (cluster) => {
      const spot = { 'cloud.google.com/gke-spot': 'true' };
      const machine = (name: string) => ({ name, labels: spot });
      cluster.nodes(['n1', machine('s1'), machine('s2')]);
      cluster.deployment('video/transcode', {
        ...{ replicas: 6, image: imageOf('video/transcode'), nodeSelector: spot, probe: false },
      });
      server(cluster, 'video/nats', 'docker.io/library/nats:2.10.22', 4222, {
        nodeSelector: { 'kubernetes.io/hostname': 'n1' },
      });
      cluster.at(after(0), () => {
        for (const name of ['s3', 's4']) cluster.addNode(machine(name));
      });
      cluster.at(after(25), () => {
        for (const name of ['s1', 's2']) cluster.node(name).drain();
      });
      cluster.at(after(60), () => {
        for (const name of ['s1', 's2']) cluster.node(name).remove();
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale-walkthrough/: the load goes up, and down again.
  'quiet-load-brings-a-machine-and-sends-it-away': reported(
    'The load of a sale takes a workload from three Pods to twelve and brings a machine for them; a quarter of an hour later both go',
    (cluster) => {
      cluster.nodes(['n1', 'n2']);
      const sale = cluster.deployment('sale/checkout', { replicas: 3, image: imageAt('checkout', 31), cpu: '800m' });
      cluster.service('sale/checkout');
      cluster.at(after(0), () => sale.scale(6));
      cluster.at(after(45), () => sale.scale(12));
      cluster.at(after(85), () => cluster.addNode({ name: 'n3' }));
      cluster.at(after(700), () => sale.scale(6));
      cluster.at(after(820), () => sale.scale(3));
      cluster.at(after(900), () => cluster.node('n3').drain());
      cluster.at(after(990), () => cluster.node('n3').remove());
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/job/#parallel-jobs: two of its runs are tried again.
  'quiet-import-stumbles-twice': reported(
    'An import of six runs, three at a time: two of them lose their connection and are tried again, and all is done',
    (cluster) => {
      server(cluster, 'census/postgres', 'docker.io/library/postgres:16.4', 5432);
      const begun: string[] = [];
      cluster.image(imageAt('import', 9), ({ metadata }) => {
        if (!begun.includes(metadata.name)) begun.push(metadata.name);
        return begun.indexOf(metadata.name) === 1 || begun.indexOf(metadata.name) === 4
          ? {
              exit: { afterSeconds: 18, code: 1 },
              log: ['psycopg2.errors.SerializationFailure: could not serialize access due to concurrent update'],
            }
          : { exit: { afterSeconds: 40, code: 0 }, log: ['imported 81220 rows'] };
      });
      cluster.at(after(0), () =>
        cluster.job('census/import', {
          image: imageAt('import', 9),
          spec: { backoffLimit: 6, completions: 6, parallelism: 3 },
        }),
      );
    },
  ),

  // https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/: a replica is slow for a moment.
  'quiet-replica-catches-up-for-a-moment': reported(
    'A replica of a search engine is unready for half a minute while it catches up, and another one ten minutes later',
    (cluster) => {
      const image = 'docker.io/typesense/typesense:27.1';
      server(cluster, 'library/typesense', image, 8108, { replicas: 3 });
      const lags = (seconds: number, name: string): void => {
        cluster.at(after(seconds), () =>
          cluster.befall(image, ({ metadata }) =>
            metadata.name === name
              ? { readyAfterSeconds: 'never', log: ['Node is lagging behind: 1204 pending write batches'] }
              : {},
          ),
        );
        cluster.at(after(seconds + 32), () => cluster.befall(image, {}));
      };
      lags(0, 'typesense-1');
      lags(600, 'typesense-2');
    },
  ),

  // https://cert-manager.io/docs/usage/certificate/#issuance-triggers: renewed at night, while the clockwork goes on.
  'quiet-night-with-a-renewal-and-its-clockwork': reported(
    'At night a certificate is renewed and its server restarted for it, and two CronJobs do their work beside it',
    (cluster) => {
      cluster.pro();
      define(cluster, 'cert-manager.io/v1', ['Certificate']);
      const secret = cluster.secret('hotel/desk-tls', { 'tls.crt': 'one', 'tls.key': 'one' });
      const certificate = custom(cluster, 'cert-manager.io/v1', 'Certificate', 'hotel/desk', {
        secretName: 'desk-tls',
        issuerRef: { name: 'letsencrypt', kind: 'ClusterIssuer' },
      });
      const upToDate = condition('Ready', 'True', 'Ready', 'Certificate is up to date and has not expired');
      certificate.status(upToDate);
      const desk = cluster.deployment('hotel/desk', {
        ...{ replicas: 3, image: imageAt('desk', 17), pod: secretVolume('desk-tls') },
      });
      cluster.service('hotel/desk', port(8443, 'https'));
      cluster.image(imageAt('night-audit', 2), { exit: { afterSeconds: 50, code: 0 }, log: ['closed 212 folios'] });
      cluster.image(imageAt('room-status', 6), { exit: { afterSeconds: 8, code: 0 }, log: ['ok'] });
      const jobs = [
        cluster.cronJob('hotel/night-audit', { schedule: '*/6 * * * *', image: imageAt('night-audit', 2) }),
        cluster.cronJob('hotel/room-status', { schedule: '*/2 * * * *', image: imageAt('room-status', 6) }),
      ];
      cluster.at(after(0), () => {
        secret.edit({ 'tls.crt': 'two', 'tls.key': 'two' });
        certificate.status(upToDate);
      });
      cluster.at(after(40), () => desk.restart());
      cluster.at(after(1000), () => {
        for (const job of jobs) job.patch({ spec: { suspend: true } });
      });
    },
  ),
};
