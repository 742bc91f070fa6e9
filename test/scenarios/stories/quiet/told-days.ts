import { imageAt } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { budget } from '../../kit/things.ts';

/** Days on which nobody may hear of anything. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment: three of one team in a quarter of an hour.
  'quiet-three-services-of-a-team-are-released': reported(
    'Three services of a team are released one after the other; each of their new Pods takes forty seconds to be ready',
    (cluster) => {
      const names = ['quotes', 'policies', 'claims'];
      const handles = names.map((name) => {
        cluster.image(imageAt(name, 2), { readyAfterSeconds: 40 });
        cluster.service(`insurance/${name}`);
        return cluster.deployment(`insurance/${name}`, { replicas: 3, image: imageAt(name, 1) });
      });
      for (const [index, name] of names.entries())
        cluster.at(after(200 * index), () => handles[index]?.setImage(imageAt(name, 2)));
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/: the machines are patched, each with its restart.
  'quiet-each-machine-is-drained-and-patched': reported(
    'Two machines are drained, patched, restarted and taken back, one after the other, within the budgets of what runs on them',
    (cluster) => {
      for (const place of ['tax/returns', 'tax/refunds']) {
        cluster.deployment(place, { replicas: 4, image: imageOf(place) });
        cluster.service(place);
        cluster.object(budget(place, { minAvailable: 2 }));
      }
      for (const [index, name] of ['n1', 'n2'].entries()) {
        const begin = 420 * index;
        cluster.at(after(begin), () => cluster.node(name).drain());
        cluster.at(after(begin + 80), () => cluster.node(name).reboot('45s'));
        cluster.at(after(begin + 180), () => cluster.node(name).uncordon());
      }
    },
  ),

  // https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html#managed-node-group-capacity-types-spot: another one first.
  'quiet-spot-machine-gets-its-successor-first': reported(
    'A spot machine is likely to be taken; another joins, the old one is drained, and two minutes later it is gone',
    (cluster) => {
      const spot = { 'eks.amazonaws.com/capacityType': 'SPOT' };
      cluster.nodes(['n1', 'n2', { name: 's1', labels: spot }]);
      cluster.deployment('games/matchmaker', { replicas: 3, image: imageOf('games/matchmaker'), nodeSelector: spot });
      cluster.service('games/matchmaker');
      cluster.at(after(0), () => cluster.addNode({ name: 's2', labels: spot }));
      cluster.at(after(40), () => cluster.node('s1').drain());
      cluster.at(after(160), () => cluster.node('s1').remove());
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy: the third try is well.
  'quiet-migration-waits-for-its-database-twice': reported(
    'A migration fails twice while its new database starts, and succeeds at the third try; then the application is installed',
    (cluster) => {
      const tries: string[] = [];
      cluster.image(imageAt('migrate', 5), ({ metadata }) => {
        if (!tries.includes(metadata.name)) tries.push(metadata.name);
        return tries.indexOf(metadata.name) < 2
          ? { exit: { afterSeconds: 3, code: 1 }, log: ['dial tcp 10.96.4.4:5432: connect: connection refused'] }
          : { exit: { afterSeconds: 12, code: 0 }, log: ['applied 14 migrations'] };
      });
      cluster.image('docker.io/library/postgres:17.2', { readyAfterSeconds: 25 });
      cluster.at(after(0), () => {
        server(cluster, 'choir/choir-db', 'docker.io/library/postgres:17.2', 5432, { spec: disks(cluster) });
        cluster.job('choir/migrate', { image: imageAt('migrate', 5), spec: { backoffLimit: 6 } });
      });
      cluster.at(after(120), () => {
        cluster.deployment('choir/website', { replicas: 2, image: imageAt('choir', 1) });
        cluster.service('choir/website');
      });
    },
  ),

  // https://cert-manager.io/docs/usage/certificate/#renewal-reading-a-certificate-from-the-secret: the server reads it at its restart.
  'quiet-certificate-of-a-broker-is-renewed': reported(
    'The certificate of a broker is renewed in its Secret, and its three members are restarted for it one by one',
    (cluster) => {
      const secret = cluster.secret('bus/nats-tls', { 'tls.crt': 'one', 'tls.key': 'one' });
      const image = 'docker.io/library/nats:2.10.24';
      cluster.image(image, { readyAfterSeconds: 12 });
      const nats = server(cluster, 'bus/nats', image, 4222, {
        ...{ replicas: 3, pod: secretVolume('nats-tls'), spec: disks(cluster) },
      });
      cluster.at(after(0), () => secret.edit({ 'tls.crt': 'two', 'tls.key': 'two' }));
      cluster.at(after(30), () => nats.restart());
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/: three of them beside a service that scales.
  'quiet-clockwork-beside-a-busy-evening': reported(
    'Three CronJobs do their work every few minutes, while a service goes from two Pods to eight and back',
    (cluster) => {
      for (const [name, schedule] of [
        ['sync-menus', '*/3 * * * *'],
        ['expire-carts', '*/5 * * * *'],
        ['send-digest', '*/10 * * * *'],
      ] as const) {
        cluster.image(imageAt(name, 1), { exit: { afterSeconds: 15, code: 0 }, log: ['done'] });
        const runs = cluster.cronJob(`diner/${name}`, { schedule, image: imageAt(name, 1) });
        cluster.at(after(1080), () => runs.patch({ spec: { suspend: true } }));
      }
      const orders = cluster.deployment('diner/orders', { replicas: 2, image: imageAt('orders', 12) });
      cluster.service('diner/orders');
      for (const [seconds, replicas] of [
        [0, 4],
        [90, 8],
        [700, 5],
        [900, 2],
      ] as const)
        cluster.at(after(seconds), () => orders.scale(replicas));
    },
  ),

  // https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/: a long collection of garbage.
  'quiet-probe-of-one-pod-blips-twice': reported(
    'One Pod of four does not answer its probe for twenty seconds, and another one ten minutes later',
    (cluster) => {
      const image = imageOf('ticketing/seats');
      cluster.deployment('ticketing/seats', { replicas: 4, image });
      cluster.service('ticketing/seats');
      for (const [seconds, machine] of [
        [0, 'n1'],
        [600, 'n2'],
      ] as const) {
        const chosen: string[] = [];
        cluster.at(after(seconds), () =>
          cluster.befall(image, ({ metadata, spec }) => {
            if (spec.nodeName === machine && chosen.length === 0) chosen.push(metadata.name);
            return chosen.includes(metadata.name) ? { readyAfterSeconds: 'never', log: ['GC pause 18211 ms'] } : {};
          }),
        );
        cluster.at(after(seconds + 20), () => cluster.befall(image, {}));
      }
    },
  ),
};
