import { condition, custom, define, imageAt, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { budget } from '../../kit/things.ts';

/** Normal days: nobody may hear of anything. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#updating-a-deployment: three releases of an afternoon.
  'quiet-three-releases-of-an-afternoon': reported(
    'Three teams release slow starters, one after the other',
    (cluster) => {
      const handles = ['orders', 'basket', 'ratings'].map((name) => {
        const handle = cluster.deployment(`market/${name}`, { replicas: 4, image: imageAt(name, 1) });
        cluster.service(`market/${name}`);
        cluster.image(imageAt(name, 2), { readyAfterSeconds: 25, log: ['Started Application in 24.118 seconds'] });
        return { name, handle };
      });
      for (const [index, { name, handle }] of handles.entries())
        cluster.at(after(180 * index), () => handle.setImage(imageAt(name, 2)));
    },
  ),

  // https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/: the evening comes.
  'quiet-evening-scales-down': reported('The load goes down, and two workloads and a database shrink', (cluster) => {
    const web = cluster.deployment('news/web', { replicas: 10, image: imageAt('web', 7) });
    cluster.service('news/web');
    const worker = cluster.deployment('news/worker', { replicas: 6, image: imageAt('worker', 7), probe: false });
    const cache = server(cluster, 'news/memcached', 'docker.io/library/memcached:1.6', 11211, { replicas: 4 });
    for (const [index, replicas] of [7, 5, 3].entries()) cluster.at(after(120 * index), () => web.scale(replicas));
    cluster.at(after(60), () => worker.scale(0));
    cluster.at(after(200), () => cache.scale(2));
  }),

  // https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/: all machines get their patches, within the budgets.
  'quiet-machines-are-patched': reported(
    'All machines are drained, restarted for their patches and taken back, one after the other, within the budgets',
    (cluster) => {
      const spec = disks(cluster);
      for (const place of ['bank/cards', 'bank/loans']) {
        cluster.deployment(place, { replicas: 3, image: imageOf(place) });
        cluster.service(place);
        cluster.object(budget(place, { maxUnavailable: 1 }));
      }
      server(cluster, 'bank/cockroach', 'docker.io/cockroachdb/cockroach:v24.2.4', 26257, { replicas: 3, spec });
      cluster.object(budget('bank/cockroach', { maxUnavailable: 1 }));
      for (const [index, name] of ['n1', 'n2', 'n3'].entries()) {
        const begins = 360 * index;
        cluster.at(after(begins), () => cluster.node(name).drain());
        cluster.at(after(begins + 60), () => cluster.node(name).reboot('35s'));
        cluster.at(after(begins + 150), () => cluster.node(name).uncordon());
      }
    },
  ),

  // https://karpenter.sh/docs/concepts/disruption/#interruption: a spot machine is announced to go; another comes first.
  'quiet-spot-machine-is-replaced': reported(
    'A spot machine is announced to be taken: another joins, the old one is drained and goes',
    (cluster) => {
      const spot = { 'karpenter.sh/capacity-type': 'spot' };
      cluster.nodes(['n1', { name: 's1', labels: spot }, { name: 's2', labels: spot }]);
      for (const place of ['render/frames', 'render/encode'])
        cluster.deployment(place, { replicas: 4, image: imageOf(place), nodeSelector: spot, probe: false });
      cluster.deployment('render/queue', { replicas: 2, image: imageOf('render/queue') });
      cluster.service('render/queue');
      cluster.at(after(0), () => cluster.addNode({ name: 's3', labels: spot }));
      cluster.at(after(40), () => cluster.node('s1').drain());
      cluster.at(after(120), () => cluster.node('s1').remove());
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy: the third try succeeds.
  'quiet-run-succeeds-at-its-third-try': reported(
    'A Job meets a restarting database twice and succeeds at its third try',
    (cluster) => {
      const set = server(cluster, 'ledger/postgres', 'docker.io/library/postgres:16.3', 5432);
      const tries: string[] = [];
      cluster.image(imageAt('reconcile', 3), ({ metadata }) => {
        if (!tries.includes(metadata.name)) tries.push(metadata.name);
        return tries.indexOf(metadata.name) < 2
          ? {
              exit: { afterSeconds: 5, code: 1 },
              log: ['FATAL: could not connect to server: Connection refused (postgres.ledger.svc.cluster.local:5432)'],
            }
          : { exit: { afterSeconds: 30, code: 0 }, log: ['reconciled 4410 accounts'] };
      });
      cluster.at(after(0), () => set.restart());
      cluster.at(after(2), () =>
        cluster.job('ledger/reconcile', { image: imageAt('reconcile', 3), spec: { backoffLimit: 6 } }),
      );
    },
  ),

  // https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/: a pause of the collector, and all is well.
  'quiet-probe-fails-for-a-moment': reported(
    'A long pause of the garbage collector makes a readiness probe fail for a moment, twice in a quarter of an hour',
    (cluster) => {
      const place = 'quotes/engine';
      cluster.deployment(place, { replicas: 3, image: imageOf(place) });
      cluster.service(place);
      let paused = '';
      const pause = (seconds: number): void => {
        cluster.at(after(seconds), () =>
          cluster.befall(imageOf(place), ({ metadata }) => {
            paused ||= metadata.name;
            return metadata.name === paused
              ? {
                  readyAfterSeconds: 'never',
                  readinessSays:
                    'Get "http://10.244.1.44:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
                  log: ['[gc] GC(812) Pause Full (Allocation Failure) 7810M->2214M(8192M) 11021.114ms'],
                }
              : {};
          }),
        );
        cluster.at(after(seconds + 38), () => cluster.befall(imageOf(place), {}));
      };
      pause(0);
      pause(600);
    },
  ),

  // https://cert-manager.io/docs/reference/cmctl/#renew: renewed in time, and those that read it are restarted.
  'quiet-certificate-is-rotated': reported(
    'A certificate is renewed in time, and its two servers are restarted for it one after the other',
    (cluster) => {
      cluster.pro();
      define(cluster, 'cert-manager.io/v1', ['Certificate']);
      const secret = cluster.secret('pay/gateway-tls', { 'tls.crt': 'one', 'tls.key': 'one' });
      const certificate = custom(cluster, 'cert-manager.io/v1', 'Certificate', 'pay/gateway', {
        secretName: 'gateway-tls',
        issuerRef: { name: 'internal', kind: 'ClusterIssuer' },
      });
      certificate.status(condition('Ready', 'True', 'Ready', 'Certificate is up to date and has not expired'));
      const handles = ['gateway', 'refunds'].map((name) => {
        const handle = cluster.deployment(`pay/${name}`, {
          replicas: 2,
          image: imageAt(name, 4),
          pod: secretVolume('gateway-tls'),
        });
        cluster.service(`pay/${name}`, port(8443, 'https'));
        return handle;
      });
      cluster.at(after(0), () =>
        certificate.status({
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: 'Ready',
              message: 'Certificate is up to date and has not expired',
            },
            {
              ...{ type: 'Issuing', status: 'True', reason: 'Renewing', lastTransitionTime: 'now' },
              message: 'Renewing certificate as renewal was scheduled at 2026-11-22 09:00:00',
            },
          ],
        }),
      );
      cluster.at(after(8), () => {
        secret.edit({ 'tls.crt': 'two', 'tls.key': 'two' });
        certificate.status(condition('Ready', 'True', 'Ready', 'Certificate is up to date and has not expired'));
      });
      for (const [index, handle] of handles.entries()) cluster.at(after(30 + 90 * index), () => handle.restart());
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#jobs-history-limits
  'quiet-clockwork': reported('Two CronJobs do their work by the clock for twenty minutes', (cluster) => {
    cluster.image(imageAt('heartbeat', 2), { exit: { afterSeconds: 12, code: 0 }, log: ['ok'] });
    cluster.image(imageAt('expire-carts', 5), { exit: { afterSeconds: 70, code: 0 }, log: ['expired 118 carts'] });
    const jobs = [
      cluster.cronJob('ops/heartbeat', { schedule: '* * * * *', image: imageAt('heartbeat', 2) }),
      cluster.cronJob('shop/expire-carts', { schedule: '*/5 * * * *', image: imageAt('expire-carts', 5) }),
    ];
    cluster.at(after(1020), () => {
      for (const job of jobs) job.patch({ spec: { suspend: true } });
    });
  }),
};
