import { imageAt } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';

/** Normal days: nobody may hear of anything. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/configuration/secret/: a password is rotated as it should be, and all who read it are restarted.
  'quiet-password-is-rotated-in-good-order': reported(
    'A password is rotated: its Secret changes, and those who read it are restarted one after the other',
    (cluster) => {
      const secret = cluster.secret('archive/db', { password: 'one' });
      server(cluster, 'archive/postgres', 'docker.io/library/postgres:17.2', 5432, { spec: disks(cluster) });
      const handles = ['archive/scans', 'archive/search', 'archive/export'].map((place) => {
        cluster.service(place);
        return cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          env: { PASSWORD: 'secret/db/password' },
        });
      });
      cluster.at(after(0), () => secret.edit({ password: 'two' }));
      for (const [index, handle] of handles.entries()) cluster.at(after(20 + 60 * index), () => handle.restart());
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/: two runs every five minutes, and a Job that succeeds at its second try.
  'quiet-runs-of-a-long-evening': reported(
    'Two CronJobs run every five minutes and finish, and a Job succeeds at its second try',
    (cluster) => {
      const runs = ['books/thumbnails', 'books/sitemap'].map((place) => {
        cluster.image(imageOf(place), { exit: { afterSeconds: 35, code: 0 }, log: ['done'] });
        return cluster.cronJob(place, { schedule: '*/5 * * * *', image: imageOf(place) });
      });
      const tries: string[] = [];
      cluster.image(imageAt('import', 4), ({ metadata }) => {
        if (!tries.includes(metadata.name)) tries.push(metadata.name);
        return tries.indexOf(metadata.name) === 0
          ? { exit: { afterSeconds: 6, code: 1 }, log: ['import: feed is not there yet'] }
          : { exit: { afterSeconds: 50, code: 0 }, log: ['import: 812 titles'] };
      });
      cluster.at(after(60), () =>
        cluster.job('books/import', { image: imageAt('import', 4), spec: { backoffLimit: 4 } }),
      );
      cluster.at(after(1180), () => {
        for (const run of runs) run.patch({ spec: { suspend: true } });
      });
    },
  ),

  // https://kubernetes.io/docs/tutorials/kubernetes-basics/update/update-intro/: a release, taken back as people do not like it, and an agent after it.
  'quiet-release-is-taken-back-and-agents-follow': reported(
    'A release goes well and is taken back as people do not like it; the agents of all machines get a new version',
    (cluster) => {
      const search = cluster.deployment('books/search', { replicas: 5, image: imageAt('search', 21) });
      cluster.service('books/search');
      const agents = cluster.daemonSet('books/cache-warmer', { image: imageAt('cache-warmer', 3) });
      cluster.image(imageAt('search', 22), { readyAfterSeconds: 14 });
      cluster.at(after(0), () => search.setImage(imageAt('search', 22)));
      cluster.at(after(400), () => search.setImage(imageAt('search', 21)));
      cluster.at(after(500), () => agents.setImage(imageAt('cache-warmer', 4)));
    },
  ),
};
