import { imageAt } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { budget } from '../../kit/things.ts';

/** Days on which nobody may hear of anything. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/workloads/autoscaling/: up and down with the day, beside work by the clock.
  'quiet-evening-of-a-theatre': reported(
    'A box office goes from three Pods to nine and back, while three CronJobs do their work and one of their runs needs a second try',
    (cluster) => {
      for (const [name, schedule] of [
        ['print-tickets', '*/2 * * * *'],
        ['release-holds', '*/4 * * * *'],
        ['mail-reminders', '*/7 * * * *'],
      ] as const) {
        const tries: string[] = [];
        cluster.image(imageAt(name, 1), ({ metadata }) => {
          if (!tries.includes(metadata.name)) tries.push(metadata.name);
          return name === 'mail-reminders' && tries.indexOf(metadata.name) === 1
            ? { exit: { afterSeconds: 6, code: 1 }, log: ['452 4.3.1 try again later'] }
            : { exit: { afterSeconds: 11, code: 0 }, log: ['done'] };
        });
        const runs = cluster.cronJob(`theatre/${name}`, {
          ...{ schedule, image: imageAt(name, 1), job: { backoffLimit: 3 } },
        });
        cluster.at(after(1060), () => runs.patch({ spec: { suspend: true } }));
      }
      const office = cluster.deployment('theatre/box-office', { replicas: 3, image: imageAt('box-office', 8) });
      cluster.service('theatre/box-office');
      for (const [seconds, replicas] of [
        [0, 5],
        [60, 9],
        [600, 6],
        [840, 3],
      ] as const)
        cluster.at(after(seconds), () => office.scale(replicas));
    },
  ),

  // https://kubernetes.io/docs/tasks/run-application/configure-pdb/: a machine is replaced under a database and its clients.
  'quiet-machine-is-replaced-under-a-database': reported(
    'A new machine joins, an old one is drained within the budgets of a database of three and of its clients, and is taken away; a certificate is renewed meanwhile',
    (cluster) => {
      cluster.nodes(['n1', 'n2', 'n3', 'n4']);
      const secret = cluster.secret('wine/cellar-tls', { 'tls.crt': 'one', 'tls.key': 'one' });
      const image = 'docker.io/library/cassandra:5.0.2';
      cluster.image(image, { readyAfterSeconds: 18 });
      const cellar = server(cluster, 'wine/cellar', image, 9042, {
        ...{ replicas: 3, pod: secretVolume('cellar-tls'), spec: disks(cluster) },
      });
      cluster.object(budget('wine/cellar', { maxUnavailable: 1 }));
      cluster.deployment('wine/tastings', { replicas: 4, image: imageOf('wine/tastings') });
      cluster.object(budget('wine/tastings', { minAvailable: 3 }));
      cluster.service('wine/tastings');
      cluster.at(after(0), () => cluster.addNode({ name: 'm1' }));
      cluster.at(after(45), () => cluster.node('n3').drain());
      cluster.at(after(200), () => cluster.node('n3').remove());
      cluster.at(after(320), () => secret.edit({ 'tls.crt': 'two', 'tls.key': 'two' }));
      cluster.at(after(350), () => cellar.restart());
    },
  ),

  // https://kubernetes.io/docs/tasks/run-application/rolling-back/: a release that is taken back as planned, and one that stays.
  'quiet-canary-is-taken-back-and-an-agent-is-rolled-out': reported(
    'A release is tried and taken back while it is well; an agent is rolled out over all machines, and one Pod does not answer its probe for fifteen seconds',
    (cluster) => {
      const canary = cluster.deployment('press/articles', { replicas: 4, image: imageAt('articles', 40) });
      cluster.service('press/articles');
      cluster.image(imageAt('articles', 41), { readyAfterSeconds: 12 });
      const agent = cluster.daemonSet('press/cache-warmer', { image: imageAt('cache-warmer', 2) });
      cluster.image(imageAt('cache-warmer', 3), { readyAfterSeconds: 8 });
      cluster.at(after(0), () => canary.setImage(imageAt('articles', 41)));
      cluster.at(after(240), () => canary.setImage(imageAt('articles', 40)));
      cluster.at(after(420), () => agent.setImage(imageAt('cache-warmer', 3)));
      const chosen: string[] = [];
      cluster.at(after(700), () =>
        cluster.befall(imageAt('articles', 40), ({ metadata, spec }) => {
          if (spec.nodeName === 'n1' && chosen.length === 0) chosen.push(metadata.name);
          return chosen.includes(metadata.name) ? { readyAfterSeconds: 'never', log: ['GC pause 12807 ms'] } : {};
        }),
      );
      cluster.at(after(715), () => cluster.befall(imageAt('articles', 40), {}));
    },
  ),
};
