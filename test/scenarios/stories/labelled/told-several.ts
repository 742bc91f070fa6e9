import { imageAt, innocentRelease } from '../../kit/company.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, clients, disks, killed, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Two things at once that have nothing to do with each other. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/opendevstack/ods-core/issues/269 and https://github.com/n8n-io/n8n/issues/17266
  'code-scanner-meets-an-old-limit-and-a-flow-tool-has-no-home': reported(
    'A code scanner is upgraded past what its machines allow; another team removes the user of a flow tool, which cannot write its home',
    (cluster, firm) => {
      const scanners = 'docker.io/library/sonarqube';
      const scanner = server(cluster, 'quality/sonarqube', `${scanners}:7.3`, 9000, { spec: disks(cluster) });
      cluster.image(
        `${scanners}:7.9-community`,
        ends(
          [
            '2026.11.23 09:48:06 INFO  app[][o.e.p.PluginsService] loaded plugin [org.elasticsearch.transport.Netty4Plugin]',
            'ERROR: [1] bootstrap checks failed',
            '[1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
            '2026.11.23 09:48:13 WARN  app[][o.s.a.p.AbstractManagedProcess] Process exited with exit value [es]: 78',
          ],
          0,
          16,
        ),
      );
      const image = 'docker.io/n8nio/n8n:1.103.0';
      const flows = cluster.deployment('hr/onboarding-flows', { image, spec: { strategy: { type: 'Recreate' } } });
      cluster.service('hr/onboarding-flows');
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () => scanner.setImage(`${scanners}:7.9-community`));
      cluster.at(after(25), () => {
        cluster.image(
          image,
          ends([
            'No encryption key found - Auto-generating and saving to: /.n8n/config',
            "Error: EACCES: permission denied, mkdir '/.n8n'",
            '    at mkdirSync (node:fs:1363:26)',
          ]),
        );
        flows.change({ container: { securityContext: { runAsUser: 4711 } } });
      });
      cluster.expectIncident({
        root: 'StatefulSet/quality/sonarqube',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/hr/onboarding-flows', 'Deployment/logistics/tracking', 'StorageClass//gp3'],
      });
      cluster.expectIncident({
        root: 'Deployment/hr/onboarding-flows',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['StatefulSet/quality/sonarqube'],
      });
    },
  ),

  // https://github.com/trinodb/charts/issues/332 and https://github.com/influxdata/influxdb/issues/26524
  'query-engine-knows-no-such-property-while-measurements-run-out-of-memory': reported(
    'A query engine is released with a property it does not know; elsewhere a store of measurements is killed at midnight and its board loses it',
    (cluster) => {
      const image = 'docker.io/trinodb/trino:474';
      const trino = cluster.deployment('explore/trino', { image, spec: { strategy: { type: 'Recreate' } } });
      cluster.service('explore/trino');
      const influx = 'docker.io/library/influxdb:2.7.11';
      server(cluster, 'ovens/influxdb', influx, 8086, { memory: '1Gi', clusterIP: '10.96.18.86' });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              'ERROR\tmain\tio.trino.server.Server\tConfiguration is invalid',
              'Errors:',
              "1) Configuration property 'catalog.config-dir' was not used",
            ],
            100,
            6,
          ),
        );
        trino.change({ container: { args: ['--etc-dir=/data/trino/etc'] } });
      });
      cluster.at(after(40), () =>
        cluster.befall(
          influx,
          killed(
            [
              'lvl=info msg="Cache snapshot (start)" service=storage-engine engine=tsm1 op_name=tsm1_cache_snapshot op_event=start',
            ],
            18,
          ),
        ),
      );
      const innocents = clients(cluster, 55, {
        'ovens/board': {
          does: unready([
            'error="Post \\"http://influxdb.ovens.svc.cluster.local:8086/api/v2/query?org=ovens\\": dial tcp 10.96.18.86:8086: connect: connection refused"',
          ]),
          values: { INFLUX_URL: 'http://influxdb.ovens.svc.cluster.local:8086' },
        },
      });
      cluster.expectIncident({
        root: 'Deployment/explore/trino',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['StatefulSet/ovens/influxdb', ...innocents],
      });
      cluster.expectIncident({
        root: 'StatefulSet/ovens/influxdb',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/explore/trino', ...innocents],
      });
    },
  ),

  // https://github.com/Kludex/uvicorn-worker/issues/35 and https://github.com/kubernetes/kubernetes/issues/61117
  'rebuild-breaks-an-interface-while-a-machine-falls-silent': reported(
    'A rebuild takes a newer server that its worker does not know; half a minute later a machine with two other workloads falls silent',
    (cluster) => {
      const catalogue = cluster.deployment('library/catalogue', {
        replicas: 3,
        image: imageAt('catalogue', '2026.9.19'),
      });
      cluster.service('library/catalogue');
      cluster.image(
        imageAt('catalogue', '2026.9.20'),
        ends([
          '[2026-11-23 09:02:11 +0000] [7] [ERROR] Exception in worker process',
          "AttributeError: 'Config' object has no attribute 'setup_event_loop'",
          '[2026-11-23 09:02:11 +0000] [1] [ERROR] Shutting down: Master',
          '[2026-11-23 09:02:11 +0000] [1] [ERROR] Reason: Worker failed to boot.',
        ]),
      );
      for (const place of ['museum/audio-guide', 'museum/shop']) {
        cluster.deployment(place, { replicas: 3, image: imageAt(place.split('/')[1] ?? '', 4) });
        cluster.service(place);
      }
      cluster.at(after(0), () => catalogue.setImage(imageAt('catalogue', '2026.9.20')));
      cluster.at(after(30), () => cluster.node('n3').losePower());
      cluster.expectIncident({
        root: 'Deployment/library/catalogue',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Node//n3', 'Node//n1'],
      });
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 500,
        mustNotBlame: ['Deployment/library/catalogue', 'Deployment/museum/audio-guide', 'Deployment/museum/shop'],
      });
    },
  ),

  // https://github.com/goauthentik/authentik/issues/25413 and https://github.com/8gears/n8n-helm-chart/issues/37
  'sign-on-reads-another-password-while-a-mount-is-misspelt': reported(
    'The Secret of a sign-on is edited to a password that its database does not know; another team mounts a Secret whose name is misspelt',
    (cluster, firm) => {
      server(cluster, 'sso/authentik-postgresql', 'docker.io/library/postgres:16.8', 5432, {
        clusterIP: '10.96.43.115',
      });
      const secret = cluster.secret('sso/authentik', { AUTHENTIK_POSTGRESQL__PASSWORD: 'one' });
      const env = { AUTHENTIK_POSTGRESQL__PASSWORD: 'secret/authentik/AUTHENTIK_POSTGRESQL__PASSWORD' };
      const values = { AUTHENTIK_POSTGRESQL__HOST: 'authentik-postgresql.sso.svc.cluster.local' };
      const image = 'ghcr.io/goauthentik/server:2026.5.1';
      const names = ['authentik-server', 'authentik-worker'];
      const handles = names.map((name) => cluster.deployment(`sso/${name}`, { image, env, values }));
      cluster.secret('plans/etcd-backup-key', { key: 'one' });
      const plans = cluster.deployment('plans/archiver', {
        ...{ image: imageAt('archiver', 8), pod: secretVolume('etcd-backup-key') },
        spec: { strategy: { type: 'Recreate' } },
      });
      innocentRelease(cluster, after(-60), firm);
      cluster.at(after(0), () => secret.edit({ AUTHENTIK_POSTGRESQL__PASSWORD: 'two' }));
      cluster.at(after(15), () => {
        cluster.image(
          image,
          ends(
            [
              '{"event": "PostgreSQL connection failed, retrying... (connection to server at \\"authentik-postgresql.sso.svc.cluster.local\\" (10.96.43.115), port 5432 failed: FATAL:  password authentication failed for user \\"authentik\\"\\n)", "level": "info", "logger": "__main__", "timestamp": 1795428978.8395732}',
              'Error:    0: error returned from database: password authentication failed for user "authentik"',
            ],
            1,
            9,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.at(after(50), () => plans.change({ image: imageAt('archiver', 9), pod: secretVolume('etcd-bakup-key') }));
      cluster.expectIncident({
        root: 'Secret/sso/authentik',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          'StatefulSet/sso/authentik-postgresql',
          'Deployment/plans/archiver',
          'Deployment/logistics/tracking',
        ],
      });
      cluster.expectIncident({
        root: 'Deployment/plans/archiver',
        accepts: ['Secret/plans/etcd-bakup-key'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Secret/sso/authentik'],
      });
    },
  ),
};
