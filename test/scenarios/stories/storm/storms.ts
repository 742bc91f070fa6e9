import type { Ref } from '../../../../src/model/ref.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { claim, dns, mounts, storageClass, webhook } from '../../kit/things.ts';

const teams = ['shop', 'search', 'office', 'maps'];
/** Twenty workloads of four teams. */
const places = teams.flatMap((team) => ['api', 'web', 'cart', 'users', 'mail'].map((name) => `${team}/${name}`));
const imageOf = (place: string, tag = '1.0'): string => `registry.example/${place.replace('/', '-')}:${tag}`;
const refs = places.map((place) => `Deployment/${place}` as Ref);

/** Twenty workloads with five Pods each, of which `fail` breaks what they share. */
function storm(
  description: string,
  {
    root,
    accepts,
    lasts = '70s',
    nodes,
    more = {},
    pro = false,
    begins,
  }: {
    readonly root: Ref;
    readonly accepts?: readonly Ref[];
    readonly lasts?: string;
    readonly nodes?: Parameters<ClusterBuilder['nodes']>[0];
    readonly more?: object;
    readonly pro?: boolean;
    readonly begins?: number;
  },
  fail: (cluster: ClusterBuilder, workloads: ReadonlyMap<string, ReturnType<ClusterBuilder['deployment']>>) => void,
): Scenario {
  return scenario(description, (cluster) => {
    if (pro) cluster.pro();
    cluster.nodes(nodes ?? ['n1', 'n2', 'n3', 'n4', 'n5', 'n6']);
    const workloads = new Map(
      places.map(
        (place) => [place, cluster.deployment(place, { replicas: 5, image: imageOf(place), ...more })] as const,
      ),
    );
    fail(cluster, workloads);
    cluster.lasts(lasts);
    cluster.recordedFrom('sandbox');
    cluster.expectIncident({
      root,
      ...(accepts && { accepts }),
      messages: { open: 1, update: '≤1', resolve: 0 },
      mustNotBlame: refs.filter((ref) => ref !== root),
      ...(begins !== undefined && { beginsAfterSeconds: begins }),
    });
  });
}

const zone = (name: string, of: string, pool = 'general') => ({
  name,
  labels: { 'topology.kubernetes.io/zone': of, 'karpenter.sh/nodepool': pool },
});
/** Two pools that share three zones. */
const sharedZones = ['a', 'b', 'c'].flatMap((letter) =>
  ['spot', 'base'].flatMap((pool) =>
    [1, 2, 3].map((index) => zone(`${pool}-${letter}${index}`, `eu-1${letter}`, pool)),
  ),
);
/** Of the pool `spot` those that are lost after two of one zone. */
const mixedSpot = ['spot-c1', 'spot-b1', 'spot-b2', 'spot-c2', 'spot-a3', 'spot-b3', 'spot-c3'];
const refused = (at: string): readonly string[] => [
  `dial tcp: connect to ${at}: connect: connection refused`,
  'fatal: cannot start without it',
];
const noNames = ['dial tcp: lookup db.shop.svc.cluster.local on 10.96.0.10:53: read udp: i/o timeout'];

/** All workloads end with these words, from a moment on. */
function allEnd(cluster: ClusterBuilder, when: string, log: readonly string[]): void {
  for (const [index, place] of places.entries())
    cluster.at(`${Number.parseInt(when, 10) + (index % 7)}s`, () =>
      cluster.befall(imageOf(place), { exit: { afterSeconds: 3, code: 1 }, log }),
    );
}

/** One cause, twenty workloads, a hundred Pods. */
export const stories: Readonly<Record<string, Scenario>> = {
  zone: storm(
    'A zone with a hundred Pods loses power',
    {
      root: 'Zone//eu-1a',
      lasts: '7m',
      nodes: [
        ...['a1', 'a2', 'a3'].map((name) => zone(name, 'eu-1a')),
        ...['b1', 'b2', 'b3'].map((name) => zone(name, 'eu-1b')),
      ],
    },
    (cluster) =>
      cluster.at('5s', () => {
        for (const name of ['a1', 'a2', 'a3']) cluster.node(name).losePower();
      }),
  ),
  'node-pool': storm(
    'A pool of machines over three zones falls silent',
    {
      root: 'NodePool//general',
      lasts: '7m',
      nodes: ['a', 'b', 'c'].flatMap((letter) => [
        zone(`g-${letter}`, `eu-1${letter}`),
        zone(`s-${letter}`, `eu-1${letter}`, 'system'),
      ]),
    },
    (cluster) =>
      cluster.at('5s', () => {
        for (const letter of ['a', 'b', 'c']) cluster.node(`g-${letter}`).losePower();
      }),
  ),
  'node-pool-shared-zones': storm(
    'A pool of nine machines over three zones, in which others run on, is given up machine by machine',
    { root: 'NodePool//spot', lasts: '7m', nodes: sharedZones },
    (cluster) => {
      for (const [index, name] of ['spot-a1', 'spot-a2', ...mixedSpot].entries())
        cluster.at(`${5 + index * 4}s`, () => cluster.node(name).losePower());
    },
  ),
  'zone-of-two-pools': storm(
    'A zone with machines of two pools, of which others run on, is given up machine by machine',
    { root: 'Zone//eu-1b', lasts: '7m', nodes: sharedZones },
    (cluster) => {
      const lost = ['spot-b1', 'spot-b2', 'base-b1', 'base-b2', 'base-b3', 'spot-b3'];
      for (const [index, name] of lost.entries()) cluster.at(`${5 + index * 4}s`, () => cluster.node(name).losePower());
    },
  ),
  node: storm(
    'A machine with many Pods of all teams is lost',
    { root: 'Node//n1', lasts: '7m', nodes: ['n1', 'n2'] },
    (cluster) => cluster.at('5s', () => cluster.node('n1').losePower()),
  ),
  registry: storm(
    'Twenty workloads are restarted while the registry cannot be reached',
    { root: 'Registry//registry.example' },
    (cluster, all) => {
      for (const place of places) cluster.image(imageOf(place, '1.1'), { pullError: 'RegistryUnreachable' });
      cluster.at('5s', () => {
        for (const [place, workload] of all)
          workload.change({ image: imageOf(place, '1.1'), spec: { strategy: { type: 'Recreate' } } });
      });
    },
  ),
  secret: storm(
    'A Secret of one team is deleted and all its workloads are restarted',
    { root: 'Secret/shop/token', more: {} },
    (cluster) => {
      const names = Array.from({ length: 20 }, (_, index) => `job-${index}`);
      const secret = cluster.secret('shop/token', { token: 'guess' });
      const own = names.map((name) =>
        cluster.deployment(`shop/${name}`, {
          replicas: 5,
          image: `registry.example/${name}:1`,
          env: { TOKEN: 'secret/token/token' },
        }),
      );
      cluster.at('5s', () => secret.delete());
      cluster.at('8s', () => {
        for (const workload of own) workload.restart();
      });
    },
  ),
  release: scenario('A release of one workload with a hundred Pods crashes everywhere', (cluster) => {
    cluster.nodes(['n1', 'n2', 'n3', 'n4']);
    const api = cluster.deployment('shop/api', {
      replicas: 100,
      image: 'registry.example/api:1.0',
      spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%', maxSurge: 0 } } },
    });
    cluster.service('shop/api');
    cluster.image('registry.example/api:1.1', { exit: { afterSeconds: 2, code: 1 }, log: ['panic: nil map'] });
    cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
    cluster.lasts('55s');
    cluster.recordedFrom('sandbox');
    cluster.expectIncident({
      root: 'Deployment/shop/api',
      reason: 'CrashLoopBackOff',
      messages: { update: 0, resolve: 0 },
      mustNotBlame: ['Service/shop/api', 'Node//n1'],
    });
  }),
  dns: storm(
    'The cluster DNS is gone, and twenty workloads crash for it',
    { root: 'Service/kube-system/kube-dns', accepts: ['Deployment/kube-system/coredns'] },
    (cluster) => {
      const coredns = cluster.deployment('kube-system/coredns', dns.workload);
      cluster.object(dns.service);
      cluster.at('5s', () => coredns.scale(0));
      allEnd(cluster, '9s', noNames);
    },
  ),
  'dns-crashes': storm(
    'The cluster DNS crashes, and twenty workloads crash for it',
    { root: 'Service/kube-system/kube-dns', accepts: ['Deployment/kube-system/coredns'], lasts: '3m' },
    (cluster) => {
      cluster.deployment('kube-system/coredns', { ...dns.workload, image: 'registry.example/coredns:1' });
      cluster.object(dns.service);
      cluster.at('5s', () =>
        cluster.befall('registry.example/coredns:1', {
          ...{ exit: { afterSeconds: 4, code: 1 }, readyAfterSeconds: 'never' },
          log: ["/etc/coredns/Corefile:5 - Error during parsing: Unknown directive 'frward'"],
        }),
      );
      for (const place of places)
        cluster.at('5s', () =>
          cluster.befall(imageOf(place), {
            ...{ exit: { afterSeconds: 4, code: 1 }, readyAfterSeconds: 'never' },
            log: ['Error: getaddrinfo EAI_AGAIN postgres.data.svc.cluster.local'],
          }),
        );
    },
  ),
  database: storm(
    'A database crashes, and twenty workloads in four namespaces crash for it',
    { root: 'StatefulSet/data/db' },
    (cluster) => {
      cluster.statefulSet('data/db', { image: 'registry.example/postgres:16' });
      cluster.service('data/db', { ports: [{ name: 'postgres', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
      cluster.at('5s', () =>
        cluster.befall('registry.example/postgres:16', {
          exit: { afterSeconds: 2, code: 1 },
          log: ['PANIC:  could not locate a valid checkpoint record'],
        }),
      );
      allEnd(cluster, '9s', refused('db.data.svc.cluster.local:5432'));
    },
  ),
  'database-after-dns': storm(
    'A minute and a half after cluster DNS is back, a database crashes, and twenty workloads for it',
    { root: 'StatefulSet/data/db', lasts: '4m' },
    (cluster) => {
      const coredns = cluster.deployment('kube-system/coredns', dns.workload);
      cluster.object(dns.service);
      cluster.statefulSet('data/db', { image: 'registry.example/postgres:16' });
      cluster.service('data/db', { ports: [{ name: 'postgres', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
      cluster.at('5s', () => coredns.scale(0));
      cluster.at('60s', () => coredns.scale(2));
      cluster.at('150s', () =>
        cluster.befall('registry.example/postgres:16', {
          exit: { afterSeconds: 2, code: 1 },
          log: ['PANIC:  could not locate a valid checkpoint record'],
        }),
      );
      allEnd(cluster, '154s', refused('db.data.svc.cluster.local:5432'));
      cluster.expectIncident({
        root: 'Service/kube-system/kube-dns',
        accepts: ['Deployment/kube-system/coredns'],
        messages: { update: 0, resolve: '≤1' },
        beginsAfterSeconds: 5,
      });
    },
  ),
  'outside-address': storm(
    'A provider outside the cluster cannot be reached by twenty workloads',
    { root: 'ExternalEndpoint//pay.example.com:443' },
    (cluster) =>
      allEnd(cluster, '5s', [
        'Post "https://pay.example.com/v1": dial tcp: connect to pay.example.com:443: i/o timeout',
        'fatal: pay.example.com:443: connection timed out',
      ]),
  ),
  webhook: scenario('A webhook without its Service refuses the new Pods of twenty workloads', (cluster) => {
    cluster.pro();
    cluster.nodes(['n1', 'n2', 'n3', 'n4']);
    const names = Array.from({ length: 20 }, (_, index) => `app-${index}`);
    const own = names.map((name) =>
      cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.example/${name}:1` }),
    );
    cluster.at('5s', () =>
      cluster.object(webhook('policy.example', { namespace: 'guard', name: 'policy' }, { namespace: 'shop' })),
    );
    cluster.at('9s', () => {
      for (const workload of own) workload.scale(7);
    });
    cluster.lasts('1m40s');
    cluster.expectIncident({
      root: 'ValidatingWebhookConfiguration//policy.example',
      messages: { update: '≤1', resolve: 0 },
      beginsAfterSeconds: 5,
      mustNotBlame: names.map((name): Ref => `Deployment/shop/${name}`),
    });
  }),
  quota: scenario('A quota is lowered while twenty workloads grow', (cluster) => {
    cluster.nodes(['n1', 'n2', 'n3', 'n4']);
    const names = Array.from({ length: 20 }, (_, index) => `app-${index}`);
    const quota = cluster.quota('shop/compute', { pods: '200' });
    const own = names.map((name) =>
      cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.example/${name}:1` }),
    );
    cluster.at('5s', () => quota.edit({ pods: '40' }));
    cluster.at('9s', () => {
      for (const workload of own) workload.scale(7);
    });
    cluster.lasts('1m40s');
    cluster.expectIncident({
      root: 'ResourceQuota/shop/compute',
      reason: 'QuotaExceeded',
      messages: { update: '≤1', resolve: 0 },
      mustNotBlame: names.map((name): Ref => `Deployment/shop/${name}`),
    });
  }),
  'storage-class': scenario('Forty databases ask for a storage class that somebody has deleted', (cluster) => {
    cluster.nodes(['n1', 'n2', 'n3', 'n4']);
    const gold = cluster.object(storageClass('gold'));
    cluster.at('4s', () => gold.delete());
    cluster.at('6s', () => {
      for (let index = 0; index < 40; index += 1) {
        cluster.object(claim(`data/db-${index}`, 'gold'));
        cluster.deployment(`data/db-${index}`, { image: 'registry.example/db:16', pod: mounts(`db-${index}`) });
      }
    });
    cluster.lasts('1m40s');
    cluster.recordedFrom('sandbox');
    cluster.expectIncident({
      root: 'StorageClass//gold',
      reason: 'StorageClassMissing',
      messages: { update: '≤1', resolve: 0 },
      mustNotBlame: ['Deployment/data/db-1'],
    });
  }),
  'two-causes': storm(
    'The registry cannot be reached by one half of the workloads, and a database of the other half crashes',
    { root: 'Registry//registry.example' },
    (cluster, all) => {
      cluster.statefulSet('data/db', { image: 'registry.example/postgres:16' });
      cluster.service('data/db', { ports: [{ name: 'postgres', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
      const half = places.slice(0, 10);
      for (const place of half) cluster.image(imageOf(place, '1.1'), { pullError: 'RegistryUnreachable' });
      cluster.at('5s', () => {
        for (const place of half) all.get(place)?.setImage(imageOf(place, '1.1'));
        cluster.befall('registry.example/postgres:16', {
          exit: { afterSeconds: 2, code: 1 },
          log: ['PANIC:  could not locate a valid checkpoint record'],
        });
      });
      for (const place of places.slice(10))
        cluster.at('9s', () =>
          cluster.befall(imageOf(place), {
            exit: { afterSeconds: 3, code: 1 },
            log: refused('db.data.svc.cluster.local:5432'),
          }),
        );
      cluster.expectIncident({ root: 'StatefulSet/data/db', messages: { open: 1, update: '≤1', resolve: 0 } });
    },
  ),
};
