import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings } from '../../kit/surroundings.ts';

const image = (name: string): string => `registry.example/${name}:1.0`;
const sql = { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] };
const refused = (host: string, port: number): readonly string[] => [
  'starting',
  `dial tcp: connect to ${host}:${port}: dial tcp 10.96.3.7:${port}: connect: connection refused`,
];
const rejected = (user: string): readonly string[] => [`FATAL: password authentication failed for user "${user}"`];

/** What several workloads have in common, or one has wrong by itself. */
export const stories: Readonly<Record<string, Scenario>> = {
  'secret-rejected-for-two': scenario(
    'A password is changed in the database alone, and two workloads that have it from one Secret cannot log in',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.statefulSet('shop/postgres', { image: image('postgres') });
      cluster.service('shop/postgres', sql);
      cluster.secret('shop/login', { password: 'old' });
      cluster.secret('shop/bundle', { 'ca.crt': 'x' });
      const env = { PASSWORD: 'secret/login/password', CA: 'secret/bundle/ca.crt' };
      for (const name of ['api', 'web']) cluster.deployment(`shop/${name}`, { replicas: 2, image: image(name), env });
      cluster.deployment('shop/cart', { replicas: 2, image: image('cart'), env: { CA: 'secret/bundle/ca.crt' } });
      cluster.at('10s', () => {
        for (const name of ['api', 'web']) cluster.befall(image(name), ends(rejected('shop')));
      });
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Secret/shop/login',
        reason: 'SecretRejected',
        messages: { resolve: 0 },
        mustNotBlame: ['Secret/shop/bundle', 'Deployment/shop/api', 'Deployment/shop/web', 'StatefulSet/shop/postgres'],
      });
    },
  ),
  'two-passwords-of-their-own': scenario(
    'Two workloads with a Secret each have a wrong password, one of them for mail',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      for (const name of ['api', 'mail']) {
        cluster.secret(`shop/${name}-login`, { password: 'x' });
        const env = { PASSWORD: `secret/${name}-login/password` };
        cluster.deployment(`shop/${name}`, { replicas: 2, image: image(name), env });
        cluster.at('10s', () => cluster.befall(image(name), ends(rejected(name))));
      }
      cluster.lasts('2m');
      for (const root of ['Deployment/shop/api', 'Deployment/shop/mail'] as const)
        cluster.expectIncident({ root, messages: { resolve: 0 } });
    },
  ),
  'service-leads-to-a-closed-port': scenario(
    'A Service leads to a port that its Pods do not open, and its one client is refused',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const container = { ports: [{ name: 'http', containerPort: 8080 }] };
      cluster.deployment('shop/api', { replicas: 2, image: image('api'), container });
      const service = cluster.service('shop/api');
      cluster.deployment('shop/web', { replicas: 2, image: image('web'), container: plainEnv({ API: 'http://api' }) });
      cluster.at('5s', () =>
        service.patch({ spec: { ports: [{ name: 'http', port: 80, targetPort: 8081, protocol: 'TCP' }] } }),
      );
      cluster.at('8s', () => cluster.befall(image('web'), ends(refused('api', 80))));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Service/shop/api',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/web', 'Deployment/shop/api'],
      });
    },
  ),
  'client-calls-a-wrong-port': scenario(
    'A release names a port of the database that it does not have; the others reach it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.statefulSet('shop/postgres', { image: image('postgres') });
      cluster.service('shop/postgres', sql);
      const at = (port: string) => plainEnv({ DATABASE_URL: `postgres://postgres:${port}/shop` });
      cluster.deployment('shop/web', { replicas: 2, image: image('web'), container: at('5432') });
      const api = cluster.deployment('shop/api', { replicas: 2, image: image('api'), container: at('5432') });
      cluster.image('registry.example/api:1.1', ends(refused('postgres', 5433)));
      cluster.at('8s', () => api.change({ image: 'registry.example/api:1.1', container: at('5433') }));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/shop/api',
        messages: { resolve: 0 },
        mustNotBlame: ['Service/shop/postgres', 'StatefulSet/shop/postgres'],
      });
    },
  ),
  'no-room-after-a-scale-up': scenario(
    'A batch workload is scaled up and takes the room; two others that grow a moment later find none',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const grows = ['batch', 'api', 'web'].map((name) =>
        cluster.deployment(`shop/${name}`, { replicas: 1, image: image(name), cpu: '900m' }),
      );
      cluster.at('5s', () => grows[0]?.scale(16));
      cluster.at('14s', () => {
        for (const workload of grows.slice(1)) workload.scale(3);
      });
      cluster.lasts('3m30s');
      cluster.expectIncident({
        root: 'Cluster//nodes',
        reason: 'InsufficientCapacity',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web'],
      });
    },
  ),
  'one-too-large-beside-one-without-a-machine': scenario(
    'A workload asks for more than any machine has, and another for a label that none has',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const api = cluster.deployment('shop/api', { replicas: 1, image: image('api'), cpu: '100m' });
      const web = cluster.deployment('shop/web', { replicas: 1, image: image('web'), cpu: '100m' });
      cluster.at('5s', () => api.change({ cpu: '64' }));
      cluster.at('6s', () => web.patch({ spec: { template: { spec: { nodeSelector: { disk: 'fast' } } } } }));
      cluster.lasts('2m30s');
      for (const root of ['Deployment/shop/api', 'Deployment/shop/web'] as const)
        cluster.expectIncident({ root, messages: { resolve: 0 }, mustNotBlame: ['Cluster//nodes'] });
    },
  ),
  'dns-silent-while-it-looks-healthy': scenario(
    'Cluster DNS answers nobody any more although its Pods are ready; three workloads of three namespaces crash',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const places = ['shop/api', 'lab/model', 'mail/inbox'];
      for (const place of places) cluster.deployment(place, { replicas: 2, image: image(place) });
      cluster.at('8s', () => {
        for (const [index, place] of places.entries()) {
          const says = 'read udp 10.244.1.7:41022->10.96.0.10:53: i/o timeout';
          const words = `dial tcp: lookup partner-${index}.example.com on 10.96.0.10:53: ${says}`;
          cluster.befall(image(place), ends([words]));
        }
      });
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Service/kube-system/kube-dns',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/api', 'Deployment/lab/model', 'Deployment/mail/inbox'],
      });
    },
  ),
};
