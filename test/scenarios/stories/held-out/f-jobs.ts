import { imageAt, innocentRelease } from '../../kit/company.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Work that is done once before a release. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/gobii-ai/gobii-platform/pull/1470, https://github.com/PostHog/posthog/pull/4225
  'two-branches-meet-in-the-migrations': reported(
    'Two branches were merged that both carry a migration of the same number: the run before the release fails, and the website of before runs on',
    (cluster, firm) => {
      server(cluster, 'shelter/postgres', 'docker.io/library/postgres:16.4', 5432);
      cluster.deployment('shelter/site', { replicas: 2, image: imageAt('site', '2026.11.1') });
      cluster.service('shelter/site');
      innocentRelease(cluster, after(-20), firm);
      cluster.image(
        imageAt('site', '2026.11.2'),
        ends(
          [
            'CommandError: Conflicting migrations detected; multiple leaf nodes in the migration graph: (0442_discord_explicit_guild_authorization, 0442_retire_pretrained_worker_pages in api).',
            "To fix them run 'python manage.py makemigrations --merge'",
          ],
          1,
          6,
        ),
      );
      cluster.at(after(0), () =>
        cluster.job('shelter/site-migrate-2026-11-2', {
          image: imageAt('site', '2026.11.2'),
          spec: { backoffLimit: 2 },
        }),
      );
      cluster.expectIncident({
        root: 'Job/shelter/site-migrate-2026-11-2',
        messages: { resolve: 0 },
        firstMessageWithinSeconds: 400,
        mustNotBlame: ['Deployment/shelter/site', 'StatefulSet/shelter/postgres', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/airbytehq/airbyte/issues/31992, https://github.com/airbytehq/airbyte/issues/22976
  'bootloader-may-not-skip-a-version': reported(
    'An Airbyte is upgraded over a version that it would have had to stop at; what prepares the database fails, and server and workers wait for it in vain',
    (cluster) => {
      server(cluster, 'elt/airbyte-db', 'docker.io/airbyte/db:0.40.18', 5432);
      const boot = 'docker.io/airbyte/bootloader:0.50.33';
      cluster.image(
        boot,
        ends(
          [
            '2026-11-23 09:50:39 INFO i.a.b.Bootloader(load):103 - Initializing databases...',
            '2026-11-23 09:50:39 ERROR i.a.b.Bootloader(assertNonBreakingMigration):148 - Cannot upgrade from version 0.35.12-alpha to version 0.50.33 directly. First you must upgrade to version 0.37.0-alpha. After that upgrade is complete, you may upgrade to version 0.50.33.',
            '2026-11-23 09:50:39 ERROR i.a.b.Application(main):25 - Unable to bootstrap Airbyte environment.',
          ],
          255,
          11,
        ),
      );
      const names = ['airbyte-server', 'airbyte-worker'];
      const handles = names.map((name) =>
        cluster.deployment(`elt/${name}`, {
          ...{
            replicas: 2,
            image: `docker.io/airbyte/${name}:0.35.12-alpha`,
            spec: { strategy: { type: 'Recreate' } },
          },
        }),
      );
      for (const name of names)
        cluster.image(
          `docker.io/airbyte/${name}:0.50.33`,
          unready([
            'WARN i.a.d.c.DatabaseAvailabilityCheck(check):38 - Waiting for database to become available...',
            'ERROR i.a.d.c.DatabaseMigrationCheck(check):41 - Timeout while waiting for migrations: current database migration version 0.35.15.001, minimum flyway version required 0.50.21.001',
          ]),
        );
      cluster.at(after(0), () => {
        cluster.job('elt/airbyte-bootloader', { image: boot, spec: { backoffLimit: 2 } });
        for (const [index, handle] of handles.entries())
          handle.setImage(`docker.io/airbyte/${names[index] ?? ''}:0.50.33`);
      });
      cluster.expectIncident({
        root: 'Job/elt/airbyte-bootloader',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [...names.map((name) => `Deployment/elt/${name}` as const), 'StatefulSet/elt/airbyte-db'],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/hashicorp/consul-helm/issues/443: the authority of the cluster is one in the middle, and it gets that one alone.
  'run-knows-half-of-the-chain-of-trust': reported(
    'The run that prepares certificates for a Consul asks the API server and does not trust it, as it knows one half of its chain; nothing of the chart follows',
    (cluster, firm) => {
      cluster.secret('mesh/consul-ca-cert', { 'tls.crt': 'one' });
      const image = 'docker.io/library/consul:1.7.2';
      cluster.image(
        image,
        ends(
          [
            '==> Using /consul/tls/ca/cert/tls.crt and /consul/tls/ca/key/tls.key',
            '==> Saved aws-server-consul-0.pem',
            '*   Trying 100.64.0.1...',
            '* SSL certificate problem: unable to get issuer certificate',
            'curl: (60) SSL certificate problem: unable to get issuer certificate',
          ],
          60,
          5,
        ),
      );
      innocentRelease(cluster, after(-70), firm);
      cluster.at(after(0), () =>
        cluster.job('mesh/consul-tls-init', { image, pod: secretVolume('consul-ca-cert'), spec: { backoffLimit: 3 } }),
      );
      cluster.expectIncident({
        root: 'Job/mesh/consul-tls-init',
        accepts: ['Secret/mesh/consul-ca-cert'],
        messages: { resolve: 0 },
        firstMessageWithinSeconds: 500,
        mustNotBlame: ['Deployment/logistics/tracking', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
};
