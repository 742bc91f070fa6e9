import { condition, custom, define, imageAt, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { budget } from '../../kit/things.ts';

/** Normal days: nobody may hear of anything. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment: an umbrella chart, all parts at once.
  'quiet-umbrella-is-upgraded': reported(
    'An umbrella chart is upgraded: settings, three Deployments that take forty seconds each to come up, and the agent on all machines',
    (cluster) => {
      const settings = cluster.configMap('hall/common', { LEVEL: 'info' });
      const names = ['booking', 'seating', 'invoice'];
      for (const name of names)
        cluster.image(imageAt(name, '4.1'), { readyAfterSeconds: 40, log: ['Started in 38.914 seconds'] });
      const handles = names.map((name) => {
        cluster.service(`hall/${name}`);
        return cluster.deployment(`hall/${name}`, { replicas: 4, image: imageAt(name, '4.0'), envFrom: ['common'] });
      });
      const agent = cluster.daemonSet('hall/agent', { image: imageAt('hall-agent', '4.0') });
      cluster.at(after(0), () => {
        settings.edit({ LEVEL: 'info', REGION: 'south' });
        for (const [index, handle] of handles.entries()) handle.setImage(imageAt(names[index] ?? '', '4.1'));
        agent.setImage(imageAt('hall-agent', '4.1'));
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/: one machine after the other gets its kernel.
  'quiet-kernels-are-patched-in-a-row': reported(
    'All machines get their kernel one after the other: drained within the budgets, restarted for a minute, and back again',
    (cluster) => {
      const places = ['toll/gates', 'toll/cards'];
      for (const place of places) {
        cluster.deployment(place, { replicas: 3, image: imageOf(place) });
        cluster.service(place);
        cluster.object(budget(place, { maxUnavailable: 1 }));
      }
      for (const [index, name] of ['n1', 'n2', 'n3'].entries()) {
        const begin = 340 * index;
        cluster.at(after(begin), () => cluster.node(name).drain());
        cluster.at(after(begin + 70), () => cluster.node(name).reboot('60s'));
        cluster.at(after(begin + 190), () => cluster.node(name).uncordon());
      }
    },
    { minutes: 25 },
  ),

  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-interruptions.html: two minutes' notice, and a rebalance before it.
  'quiet-spot-machine-is-announced-and-replaced': reported(
    'A spot machine is announced to go within two minutes: another joins, its Pods are moved there, and it goes',
    (cluster) => {
      const spot = { 'karpenter.sh/capacity-type': 'spot' };
      cluster.nodes(['n1', { name: 's1', labels: spot }]);
      cluster.deployment('paint/render', { replicas: 5, image: imageAt('render', 8), nodeSelector: spot });
      cluster.service('paint/render');
      cluster.deployment('paint/queue', {
        ...{ replicas: 1, image: imageAt('queue', 3), nodeSelector: { 'kubernetes.io/hostname': 'n1' } },
      });
      cluster.at(after(0), () => cluster.addNode({ name: 's2', labels: spot }));
      cluster.at(after(30), () => cluster.node('s1').drain());
      cluster.at(after(118), () => cluster.node('s1').remove());
    },
  ),

  // https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#default-behavior: up at once, down after five minutes.
  'quiet-rush-hour-and-the-night-after': reported(
    'Two autoscalers follow the rush hour up in two steps and down in three; in the evening a test system is put to sleep',
    (cluster) => {
      cluster.pro();
      const names = ['trips', 'fares'];
      const handles = names.map((name) => {
        cluster.service(`metro/${name}`);
        cluster.object({
          ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { namespace: 'metro', name } },
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
            ...{ minReplicas: 2, maxReplicas: 10 },
          },
        });
        return cluster.deployment(`metro/${name}`, { replicas: 2, image: imageAt(name, 12), cpu: '200m' });
      });
      const test = cluster.deployment('metro-test/trips', { replicas: 2, image: imageAt('trips', 13) });
      cluster.service('metro-test/trips');
      for (const [seconds, replicas] of [
        [0, 4],
        [60, 8],
        [480, 5],
        [620, 3],
        [780, 2],
      ] as const)
        cluster.at(after(seconds), () => {
          for (const handle of handles) handle.scale(replicas);
        });
      cluster.at(after(840), () => test.scale(0));
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy: tried again, and done.
  'quiet-settlement-is-tried-a-third-time': reported(
    'A nightly settlement is refused twice by a lock that is held, and is done at its third try; the reports behind it are done at once',
    (cluster) => {
      server(cluster, 'bourse/postgres', 'docker.io/library/postgres:16.4', 5432, { spec: disks(cluster) });
      const begun: string[] = [];
      cluster.image(imageAt('settle', 5), ({ metadata }) => {
        if (!begun.includes(metadata.name)) begun.push(metadata.name);
        return begun.indexOf(metadata.name) < 2
          ? {
              exit: { afterSeconds: 9, code: 1 },
              log: ['ERROR: canceling statement due to lock timeout (SQLSTATE 55P03)'],
            }
          : { exit: { afterSeconds: 75, code: 0 }, log: ['settled 4104 trades'] };
      });
      cluster.image(imageAt('reports', 2), { exit: { afterSeconds: 25, code: 0 }, log: ['wrote 12 reports'] });
      cluster.at(after(0), () =>
        cluster.job('bourse/settle-2026-11-23', { image: imageAt('settle', 5), spec: { backoffLimit: 6 } }),
      );
      cluster.at(after(420), () =>
        cluster.job('bourse/reports-2026-11-23', {
          ...{ image: imageAt('reports', 2), spec: { backoffLimit: 6, completions: 4, parallelism: 2 } },
        }),
      );
    },
  ),

  // https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/: a pause of its memory.
  'quiet-probe-misses-one-of-four-for-a-moment': reported(
    'One of four Pods misses its probes for three quarters of a minute while it tidies its memory; ten minutes later another one does',
    (cluster) => {
      const image = imageAt('quotes', '9.2');
      cluster.deployment('broker/quotes', { replicas: 4, image });
      cluster.service('broker/quotes');
      const names: string[] = [];
      const pause = (seconds: number, index: number): void => {
        cluster.at(after(seconds), () =>
          cluster.befall(image, ({ metadata }) => {
            if (!names.includes(metadata.name)) names.push(metadata.name);
            return names.indexOf(metadata.name) === index
              ? {
                  readyAfterSeconds: 'never',
                  log: ['[gc] Pause Full (Allocation Failure) 3911M->1204M(4096M) 17412.114ms'],
                }
              : {};
          }),
        );
        cluster.at(after(seconds + 44), () => cluster.befall(image, {}));
      };
      pause(0, 0);
      pause(600, 1);
    },
  ),

  // https://cert-manager.io/docs/usage/certificate/#issuance-triggers: renewed by night, and those that read it are restarted.
  'quiet-certificates-are-renewed-and-read-again': reported(
    'Two certificates are renewed, and what serves them is restarted by a reloader, while a CronJob does its work every three minutes',
    (cluster) => {
      cluster.pro();
      define(cluster, 'cert-manager.io/v1', ['Certificate']);
      cluster.deployment('tools/reloader', { image: 'ghcr.io/stakater/reloader:v1.0.121' });
      const upToDate = condition('Ready', 'True', 'Ready', 'Certificate is up to date and has not expired');
      const renewals = ['gate', 'cellar'].map((name) => {
        const secret = cluster.secret(`winery/${name}-tls`, { 'tls.crt': 'one', 'tls.key': 'one' });
        const certificate = custom(cluster, 'cert-manager.io/v1', 'Certificate', `winery/${name}`, {
          secretName: `${name}-tls`,
          issuerRef: { name: 'letsencrypt', kind: 'ClusterIssuer' },
        });
        certificate.status(upToDate);
        const server = cluster.deployment(`winery/${name}`, {
          ...{ replicas: 2, image: imageAt(name, 4), pod: secretVolume(`${name}-tls`) },
        });
        cluster.service(`winery/${name}`, port(8443, 'https'));
        return { secret, certificate, server };
      });
      cluster.image(imageAt('stock-count', 1), { exit: { afterSeconds: 14, code: 0 }, log: ['counted'] });
      const job = cluster.cronJob('winery/stock-count', { schedule: '*/3 * * * *', image: imageAt('stock-count', 1) });
      for (const [index, { secret, certificate, server }] of renewals.entries()) {
        cluster.at(after(300 * index), () => {
          secret.edit({ 'tls.crt': 'two', 'tls.key': 'two' });
          certificate.status(upToDate);
        });
        cluster.at(after(300 * index + 12), () => server.restart());
      }
      cluster.at(after(1000), () => job.patch({ spec: { suspend: true } }));
    },
  ),
};
