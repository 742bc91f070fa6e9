import { company, imageAt, port } from '../../kit/company.ts';
import { dependants, imageOf } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { networkPolicy } from '../../kit/things.ts';

/** Two causes that have nothing to do with each other, and what happens around a restart of Tocsin. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://www.rfc-editor.org/rfc/rfc9110#name-500-internal-server-error
  'stamps-fail-outside-and-a-tag-is-missing': scenario(
    'A provider of postage fails for two services; within seconds another team releases a tag that nobody pushed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const values = { POSTAGE: 'https://api.postage.example' };
      const lines = ['POST https://api.postage.example/v1/labels: 500 Internal Server Error'];
      const clients = dependants(cluster, '8s', {
        'parcels/labels': { does: unready(lines), values },
        'returns/labels': { does: ends(lines), values },
      });
      const intranet = cluster.deployment('office/canteen', { replicas: 2, image: imageAt('canteen', 3) });
      cluster.image(imageAt('canteen', 4), { pullError: 'NotFound' });
      cluster.at('12s', () => intranet.setImage(imageAt('canteen', 4)));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ExternalEndpoint//api.postage.example:443',
        accepts: ['ExternalEndpoint//api.postage.example'],
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'Deployment/office/canteen'],
      });
      cluster.expectIncident({ root: 'Deployment/office/canteen', messages: { resolve: 0 }, mustNotBlame: clients });
    },
  ),

  // https://kubernetes.io/docs/concepts/policy/resource-quotas/: both in one namespace, and neither is the cause of the other.
  'quota-and-a-crash-in-one-namespace': scenario(
    'In one namespace a release crashes, and another workload grows beyond the quota',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.quota('studio/pods', { pods: '8' });
      const editor = cluster.deployment('studio/editor', {
        replicas: 2,
        image: imageAt('editor', 1),
        spec: { strategy: { type: 'Recreate' } },
      });
      const encoder = cluster.deployment('studio/encoder', { replicas: 3, image: imageAt('encoder', 1) });
      cluster.image(
        imageAt('editor', 2),
        ends(["thread 'main' panicked at src/main.rs:31:10:", 'called `Option::unwrap()` on a `None` value'], 101, 2),
      );
      cluster.at('6s', () => editor.setImage(imageAt('editor', 2)));
      cluster.at('20s', () => encoder.scale(9));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/studio/editor',
        messages: { resolve: 0 },
        mustNotBlame: ['ResourceQuota/studio/pods'],
      });
      cluster.expectIncident({
        root: 'ResourceQuota/studio/pods',
        accepts: ['Deployment/studio/encoder'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/studio/editor'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/architecture/nodes/#condition
  'machine-lost-and-a-secret-edited': scenario(
    'A machine is lost; half a minute later another team edits a Secret that two of its workloads cannot use',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['n1', 'n2', { name: 'n3', labels: { pool: 'render' } }]);
      const others = {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'DoesNotExist' }] }],
            },
          },
        },
      };
      cluster.deployment('film/preview', {
        replicas: 2,
        image: imageAt('preview', 1),
        nodeSelector: { pool: 'render' },
      });
      const secret = cluster.secret('pharmacy/erx', { token: 'one' });
      const pinnedTo = ['n1', 'n2'];
      const names = ['prescriptions', 'refills'];
      const handles = names.map((name, index) =>
        cluster.deployment(`pharmacy/${name}`, {
          replicas: 2,
          image: imageAt(name, 1),
          env: { ERX_TOKEN: 'secret/erx/token' },
          pod: others,
          nodeSelector: { 'kubernetes.io/hostname': pinnedTo[index] ?? 'n1' },
        }),
      );
      cluster.at('8s', () => cluster.node('n3').losePower());
      cluster.at('38s', () => secret.edit({ token: 'two' }));
      cluster.at('42s', () => {
        for (const name of names)
          cluster.image(
            imageAt(name, 1),
            ends(['Error: ERX_TOKEN is not a valid JWT: token contains an invalid number of segments']),
          );
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/film/preview', 'Secret/pharmacy/erx'],
      });
      cluster.expectIncident({
        root: 'Secret/pharmacy/erx',
        messages: { resolve: 0 },
        mustNotBlame: ['Node//n3', 'Deployment/pharmacy/prescriptions', 'Deployment/pharmacy/refills'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/storage/storage-classes/
  'claim-without-a-class-and-a-silent-release': scenario(
    'One team makes a database of a class that does not exist, another releases what never gets ready',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const shop = cluster.deployment('shop/gift-cards', {
        replicas: 2,
        image: imageAt('gift-cards', 1),
        spec: { progressDeadlineSeconds: 60 },
      });
      cluster.service('shop/gift-cards');
      cluster.image(
        imageAt('gift-cards', 2),
        unready(
          ['warming up: 0 of 140 templates compiled'],
          'Get "http://10.244.2.7:8080/ready": context deadline exceeded',
        ),
      );
      cluster.at('6s', () =>
        cluster.statefulSet('museum/archive', {
          image: 'docker.io/library/postgres:17',
          spec: {
            volumeClaimTemplates: [
              {
                metadata: { name: 'data' },
                spec: {
                  storageClassName: 'archive-hdd',
                  accessModes: ['ReadWriteOnce'],
                  resources: { requests: { storage: '1Gi' } },
                },
              },
            ],
          },
          broken: true,
        }),
      );
      cluster.at('9s', () => shop.setImage(imageAt('gift-cards', 2)));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/museum/data-archive-0',
        accepts: ['StorageClass//archive-hdd', 'StatefulSet/museum/archive'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/gift-cards'],
      });
      cluster.expectIncident({
        root: 'Deployment/shop/gift-cards',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/museum/archive'],
      });
    },
  ),

  // https://redis.io/docs/latest/operate/oss_and_stack/management/: the same words, two different servers.
  'same-words-of-two-servers': scenario(
    'Two pairs of services find their connections refused: one pair by a crashed database, the other by a cache that was scaled to nothing',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = 'docker.io/library/mariadb:11.4';
      cluster.statefulSet('club/mariadb', { image });
      cluster.service('club/mariadb', port(3306));
      const cache = cluster.deployment('club/dragonfly', { image: 'docker.io/dragonflydb/dragonfly:v1.30' });
      cluster.service('club/dragonfly', port(6379));
      cluster.at('6s', () =>
        cluster.befall(image, ends(['[ERROR] InnoDB: Unable to lock ./ibdata1 error: 11', '[ERROR] Aborting'], 1, 2)),
      );
      cluster.at('9s', () => cache.scale(0));
      const first = dependants(cluster, '13s', {
        'club/members': {
          does: ends(['dial tcp: connect to mariadb.club.svc:3306: connect: connection refused']),
          values: { DB: 'mariadb.club.svc:3306' },
        },
        'club/fees': {
          does: ends(['dial tcp: connect to mariadb.club.svc:3306: connect: connection refused']),
          values: { DB: 'mariadb.club.svc:3306' },
        },
      });
      const second = dependants(cluster, '15s', {
        'club/tickets': {
          does: ends(['dial tcp: connect to dragonfly.club.svc:6379: connect: connection refused']),
          values: { CACHE: 'dragonfly.club.svc:6379' },
        },
        'club/turnstile': {
          does: unready(['dial tcp: connect to dragonfly.club.svc:6379: connect: connection refused']),
          values: { CACHE: 'dragonfly.club.svc:6379' },
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/club/mariadb',
        messages: { resolve: 0 },
        mustNotBlame: [...first, ...second, 'Deployment/club/dragonfly'],
      });
      cluster.expectIncident({
        root: 'Deployment/club/dragonfly',
        accepts: ['Service/club/dragonfly'],
        messages: { resolve: 0 },
        mustNotBlame: [...first, ...second, 'StatefulSet/club/mariadb'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/network-policies/
  'three-teams-three-causes': scenario(
    'Within a minute a policy shuts a database off, a run fails, and a workload is killed for its memory',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.statefulSet('fleet/timescale', { image: 'docker.io/timescale/timescaledb:2.21-pg17' });
      cluster.service('fleet/timescale', port(5432));
      const policy = cluster.planned(
        networkPolicy('fleet/timescale', {
          ingress: [{ from: [{ podSelector: { matchLabels: { app: 'backup' } } }] }],
        }),
      );
      cluster.at('5s', () => policy.create());
      const clients = dependants(cluster, '14s', {
        'fleet/positions': {
          does: unready([
            'psycopg.errors.ConnectionTimeout: connection to server at "timescale.fleet.svc", port 5432 failed: Connection timed out',
          ]),
          values: { PGHOST: 'timescale.fleet.svc' },
        },
        'fleet/reports': {
          does: unready([
            'PG::ConnectionBad: connection to server at "timescale.fleet.svc", port 5432 failed: Connection timed out',
          ]),
          values: { PGHOST: 'timescale.fleet.svc' },
        },
      });
      cluster.image(imageAt('closing', 1), {
        exit: { afterSeconds: 3, code: 1 },
        log: ["decimal.InvalidOperation: [<class 'decimal.ConversionSyntax'>]"],
      });
      cluster.at('25s', () =>
        cluster.job('books/closing', { image: imageAt('closing', 1), spec: { backoffLimit: 0 } }),
      );
      cluster.deployment('photos/resize', { image: imageOf('photos/resize'), memory: '128Mi' });
      cluster.service('photos/resize');
      cluster.at('45s', () =>
        cluster.befall(imageOf('photos/resize'), {
          exit: { afterSeconds: 3, code: 137, oom: true },
          readyAfterSeconds: 'never',
        }),
      );
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'NetworkPolicy/fleet/timescale',
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'StatefulSet/fleet/timescale'],
      });
      cluster.expectIncident({ root: 'Job/books/closing', messages: { resolve: 0 } });
      cluster.expectIncident({ root: 'Deployment/photos/resize', messages: { resolve: 0 } });
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/pods/disruptions/: Tocsin itself is moved while an object store is away.
  'restart-while-an-object-store-is-away': scenario(
    'Tocsin restarts while an object store crashes under two services, and tells of it once',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = 'docker.io/chrislusf/seaweedfs:3.95';
      cluster.statefulSet('blob/seaweedfs', { image });
      cluster.service('blob/seaweedfs', port(8333));
      cluster.at('6s', () =>
        cluster.befall(
          image,
          ends(
            ['F1122 volume_loading.go:91 cannot load volume 7: index file is corrupted', 'goroutine 1 [running]:'],
            255,
            2,
          ),
        ),
      );
      const values = { S3: 'seaweedfs.blob.svc:8333' };
      const clients = dependants(cluster, '12s', {
        'media/albums': {
          does: ends([
            'botocore.exceptions.EndpointConnectionError: Could not connect to the endpoint URL: "http://seaweedfs.blob.svc:8333/albums"',
          ]),
          values,
        },
        'docs/attachments': { does: unready(['connect ECONNREFUSED seaweedfs.blob.svc:8333']), values },
      });
      cluster.at('100s', () => cluster.restartTocsin());
      cluster.lasts('3m30s');
      cluster.expectIncident({
        root: 'StatefulSet/blob/seaweedfs',
        messages: { open: 1, update: '≤1', resolve: 0, reopen: 0 },
        mustNotBlame: clients,
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#failed-deployment
  'restart-in-the-middle-of-a-bad-release': scenario(
    'Tocsin restarts five seconds after a release begins, which then crashes',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const pos = cluster.deployment('retail/till', { replicas: 3, image: imageAt('till', 70) });
      cluster.service('retail/till');
      cluster.image(
        imageAt('till', 71),
        ends(
          [
            "Unhandled exception. System.TypeLoadException: Could not load type 'Till.Discounts.Rule' from assembly 'Till.Core, Version=7.1.0.0'.",
          ],
          134,
          14,
        ),
      );
      cluster.at('10s', () => pos.setImage(imageAt('till', 71)));
      cluster.at('15s', () => cluster.restartTocsin());
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'Deployment/retail/till',
        messages: { open: 1, update: '≤1', resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking'],
      });
    },
  ),
};
