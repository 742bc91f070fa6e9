import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, clients, disks, killed, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Two things at once that have nothing to do with each other. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/dgraph-io/dgraph/issues/5400 and https://github.com/zitadel/zitadel-charts/issues/56
  'graph-has-no-memory-while-a-sign-in-has-another-password': reported(
    'A graph database is killed for its memory, and its queries fail; half a minute later another team edits the password of its sign-in',
    (cluster, firm) => {
      const dgraph = 'docker.io/dgraph/dgraph:v20.03.1';
      server(cluster, 'social/dgraph-alpha', dgraph, 9080, {
        ...{ replicas: 2, clusterIP: '10.96.90.80', memory: '8Gi' },
        spec: { ...disks(cluster), podManagementPolicy: 'Parallel' },
      });
      const secret = cluster.secret('login/zitadel-db', { password: 'one' });
      server(cluster, 'login/login-db', 'docker.io/library/postgres:16.4', 5432);
      const image = 'ghcr.io/zitadel/zitadel:v2.62.1';
      const zitadel = cluster.deployment('login/zitadel', {
        ...{ replicas: 2, image, env: { ZITADEL_DATABASE_POSTGRES_USER_PASSWORD: 'secret/zitadel-db/password' } },
        values: { ZITADEL_DATABASE_POSTGRES_HOST: 'login-db.login.svc.cluster.local' },
      });
      cluster.service('login/zitadel');
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          dgraph,
          killed(
            [
              'I1123 09:02:11.482210      16 log.go:34] Running for level: 0',
              'I1123 09:02:31.019942      16 draft.go:523] Creating snapshot at index: 418222',
            ],
            20,
          ),
        ),
      );
      const innocents = clients(cluster, 12, {
        'social/suggestions': {
          does: unready([
            'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing dial tcp 10.96.90.80:9080: connect: connection refused"',
          ]),
          values: { DGRAPH_ADDRESS: 'dgraph-alpha.social.svc.cluster.local:9080' },
        },
      });
      cluster.at(after(30), () => secret.edit({ password: 'two' }));
      cluster.at(after(45), () => {
        cluster.befall(
          image,
          ends(
            [
              'time="2026-11-23T09:04:40Z" level=info msg="verify zitadel" caller="/go/src/zitadel/cmd/initialise/verify_zitadel.go:69" database=zitadel',
              'time="2026-11-23T09:04:40Z" level=fatal msg="unable to initialize ZITADEL" error="ID=DATAB-0pIWD Message=Errors.Database.Connection.Failed Parent=(failed to connect to `host=login-db.login.svc.cluster.local user=zitadel database=zitadel`: failed SASL auth (FATAL: password authentication failed for user \\"zitadel\\" (SQLSTATE 28P01)))"',
            ],
            1,
            4,
          ),
        );
        zitadel.restart();
      });
      cluster.expectIncident({
        root: 'StatefulSet/social/dgraph-alpha',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          ...innocents,
          'Secret/login/zitadel-db',
          'Deployment/login/zitadel',
          'Deployment/logistics/tracking',
        ],
      });
      cluster.expectIncident({
        root: 'Secret/login/zitadel-db',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['StatefulSet/social/dgraph-alpha', 'StatefulSet/login/login-db'],
      });
    },
  ),

  // https://github.com/hazelcast/hazelcast/issues/15454 and https://github.com/jetstack/kube-lego/issues/185
  'sessions-need-a-larger-heap-while-an-authority-is-out': reported(
    'A release keeps its sessions in a grid and runs out of heap; meanwhile a public authority answers 504, and two that ask it for certificates end',
    (cluster) => {
      const desk = cluster.deployment('insurance/policy-desk', {
        ...{ image: imageAt('policy-desk', '19.7'), replicas: 2, memory: '768Mi' },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('insurance/policy-desk');
      cluster.image(
        imageAt('policy-desk', '19.8'),
        ends(
          [
            '[AUDIT   ] CWWKF0011I: The defaultServer server is ready to run a smarter planet. The defaultServer server started in 9.157 seconds.',
            '[INFO    ] file:/opt/ibm/wlp/usr/shared/config//hazelcast/hazelcast.xml [dev] [3.12.2] Trying to connect to cluster with name: dev',
            'JVMDUMP039I Processing dump event "systhrow", detail "java/lang/OutOfMemoryError" at 2026/11/23 09:02:14 - please wait.',
            'Exception in thread "hz.client_0.internal-1" java.lang.OutOfMemoryError: Java heap space',
          ],
          1,
          16,
        ),
      );
      cluster.at(after(0), () => desk.setImage(imageAt('policy-desk', '19.8')));
      const host = 'acme-v01.api.letsencrypt.org';
      const values = { LEGO_URL: `https://${host}/directory` };
      const does = ends(
        [
          `level=fatal msg="fatal error verifying existing user: failed to retrieve ACME account for URI 'https://${host}/acme/reg/8656258': 504 : 504 Gateway Time-out" context=acme`,
        ],
        1,
        7,
      );
      const innocents = clients(cluster, 35, {
        'edge/kube-lego': { does, values },
        'edge/wildcard-renewer': { does, values },
      });
      cluster.expectIncident({
        root: 'Deployment/insurance/policy-desk',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, `ExternalEndpoint//${host}:443`],
      });
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:443`,
        accepts: [`ExternalEndpoint//${host}`],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/insurance/policy-desk'],
      });
    },
  ),

  // https://github.com/arangodb/arangodb/issues/12318 and https://github.com/ministryofjustice/cloud-platform/issues/590
  'graph-is-killed-while-a-quota-stops-a-release': reported(
    'A database of documents is killed for its memory at each start, and its catalogue fails; another team has no quota left for the surge of its release',
    (cluster) => {
      const image = 'docker.io/library/arangodb:3.11.8';
      server(cluster, 'museum/arangodb', image, 8529, {
        clusterIP: '10.96.85.29',
        memory: '4Gi',
        spec: disks(cluster),
      });
      cluster.quota('offenders/namespace-quota', { 'requests.memory': '6Gi' });
      const manager = cluster.deployment('offenders/allocation-manager', {
        ...{ replicas: 3, image: imageAt('allocation-manager', 31), memory: '2Gi' },
        spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      });
      cluster.service('offenders/allocation-manager');
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          killed(
            [
              '2026-11-23T09:02:18Z [1] INFO [b387d] {general} found existing lock file with process id 1, which is not the running process, so I start',
              '2026-11-23T09:02:31Z [1] WARNING {queries} slow query, took: 18.644045 s',
            ],
            25,
          ),
        ),
      );
      const innocents = clients(cluster, 15, {
        'museum/catalogue': {
          does: unready([
            'ArangoError: connect ECONNREFUSED 10.96.85.29:8529 http://arangodb.museum.svc.cluster.local:8529/_db/museum/_api/cursor',
          ]),
          values: { ARANGO_URL: 'http://arangodb.museum.svc.cluster.local:8529' },
        },
        'museum/labels': {
          does: ends([
            "arango.exceptions.ServerConnectionError: Can't connect to host(s) within limit (3): http://arangodb.museum.svc.cluster.local:8529",
          ]),
          values: { ARANGO_URL: 'http://arangodb.museum.svc.cluster.local:8529' },
        },
      });
      cluster.at(after(50), () => manager.setImage(imageAt('allocation-manager', 32)));
      cluster.expectIncident({
        root: 'StatefulSet/museum/arangodb',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'ResourceQuota/offenders/namespace-quota', 'StorageClass//gp3'],
      });
      cluster.expectIncident({
        root: 'ResourceQuota/offenders/namespace-quota',
        accepts: ['Deployment/offenders/allocation-manager'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['StatefulSet/museum/arangodb'],
      });
    },
  ),
};
