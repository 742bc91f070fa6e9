import { innocentRelease } from '../../kit/company.ts';
import { after, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

/** Work that is done once, or by the clock. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/apache/airflow/issues/20803, https://github.com/open-metadata/openmetadata-helm-charts/issues/519
  'migration-cannot-find-its-revision': reported(
    'An upgrade of Airflow brings a migration that does not know the revision of the database; scheduler and website wait for it in vain',
    (cluster, firm) => {
      server(cluster, 'airflow/airflow-postgresql', 'docker.io/library/postgres:14.12', 5432);
      const repository = 'docker.io/apache/airflow';
      const names = ['airflow-scheduler', 'airflow-webserver'];
      const old = `${repository}:2.8.4`;
      const handles = names.map((name) =>
        cluster.deployment(`airflow/${name}`, { replicas: 2, image: old, init: old }),
      );
      cluster.service('airflow/airflow-webserver');
      innocentRelease(cluster, after(-45), firm);
      const image = `${repository}:2.9.2`;
      const migrates = ends(
        [
          'DB: postgresql+psycopg2://airflow:***@airflow-postgresql.airflow.svc.cluster.local:5432/airflow',
          'Performing upgrade to the metadata database postgresql+psycopg2://airflow:***@airflow-postgresql.airflow.svc.cluster.local:5432/airflow',
          "ERROR [alembic.util.messaging] Can't locate revision identified by '88344c1d9134'",
          "alembic.util.exc.CommandError: Can't locate revision identified by '88344c1d9134'",
        ],
        1,
        8,
      );
      const waits = ends(
        [
          '[2026-11-23T09:10:52.326+0000] {db.py:799} INFO - Waiting for migrations... 0 second(s)',
          '[2026-11-23T09:11:51.480+0000] {db.py:799} INFO - Waiting for migrations... 59 second(s)',
          "TimeoutError: There are still unapplied migrations after 60 seconds. MigrationHead(s) in DB: {'88344c1d9134'} | Migration Head(s) in Source Code: {'686269002441'}",
        ],
        1,
        62,
      );
      cluster.image(image, ({ metadata }) => (metadata.name.includes('migrations') ? migrates : waits));
      cluster.at(after(0), () => {
        cluster.job('airflow/airflow-run-airflow-migrations', { image, spec: { backoffLimit: 3 } });
        for (const handle of handles) handle.change({ image, init: image });
      });
      cluster.expectIncident({
        root: 'Job/airflow/airflow-run-airflow-migrations',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [
          'Deployment/airflow/airflow-scheduler',
          'Deployment/airflow/airflow-webserver',
          'StatefulSet/airflow/airflow-postgresql',
          'Deployment/logistics/tracking',
        ],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/k8up-io/k8up/issues/456, https://github.com/restic/restic/issues/1450: a run was killed and left its lock.
  'backup-finds-the-lock-of-a-killed-run': reported(
    'A backup was killed in the middle and left its lock behind; each backup since finds the repository locked',
    (cluster) => {
      server(cluster, 'photos/immich-postgres', 'docker.io/library/postgres:16.2', 5432);
      const image = 'docker.io/restic/restic:0.16.4';
      cluster.image(image, { exit: { afterSeconds: 15, code: 0 }, log: ['snapshot c2ce0d28 saved'] });
      const backup = cluster.cronJob('photos/immich-backup', { schedule: '*/5 * * * *', image });
      cluster.at(after(-20), () =>
        cluster.image(image, {
          exit: { afterSeconds: 6, code: 11 },
          log: [
            'repository d40db62f opened (version 2, compression level auto)',
            'Fatal: unable to create lock in backend: repository is already locked exclusively by PID 104 on immich-backup-29389431-tpspc by root (UID 0, GID 0)',
            'lock was created at 2026-11-23 04:04:01 (5h0m36.860846153s ago)',
            'storage ID 23024633',
            'the `unlock` command can be used to remove stale locks',
          ],
        }),
      );
      cluster.at(after(900), () => backup.patch({ spec: { suspend: true } }));
      cluster.expectIncident({
        root: 'CronJob/photos/immich-backup',
        messages: { update: '≤2', resolve: '≤1' },
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['StatefulSet/photos/immich-postgres', 'Service/photos/immich-postgres'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/mysticaltech/terraform-hcloud-kube-hetzner/issues/1634: it is tried again for ever.
  'chart-knows-one-of-its-values-no-more': reported(
    'The run that upgrades the proxy of the cluster fails for a value that its newer chart has dropped; the proxy of before runs on',
    (cluster) => {
      cluster.deployment('kube-system/traefik', { image: 'docker.io/rancher/mirrored-library-traefik:2.11.18' });
      cluster.service('kube-system/traefik');
      const image = 'docker.io/rancher/klipper-helm:v0.9.3-build20241008';
      cluster.image(
        image,
        ends(
          [
            'Upgrading traefik',
            '+ helm upgrade --namespace kube-system traefik traefik/traefik --values /config/values-01_HelmChart.yaml',
            'Error: UPGRADE FAILED: execution error at (traefik/templates/_podtemplate.tpl:601:18): ERROR: redirectTo syntax has been removed in v34 of this Chart. See Release notes or EXAMPLES.md for new syntax.',
          ],
          1,
          7,
        ),
      );
      cluster.at(after(0), () =>
        cluster.job('kube-system/helm-install-traefik', {
          ...{ image, pod: { restartPolicy: 'OnFailure' }, spec: { backoffLimit: 1000 } },
        }),
      );
      cluster.expectIncident({
        root: 'Job/kube-system/helm-install-traefik',
        messages: { resolve: 0 },
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/kube-system/traefik', 'Service/kube-system/traefik'],
      });
    },
  ),
};
