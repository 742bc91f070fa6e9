import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings } from '../../kit/surroundings.ts';

const lacks = (variable: string): readonly string[] => [
  '> orders@8.1.0 start',
  '> node dist/main.js',
  `Error: Missing required environment variable ${variable}`,
  '    at required (/app/dist/config.js:18:11)',
];

/** Two workloads that read the same settings. */
const held = { data: { CURRENCY: 'EUR', LOG_LEVEL: 'info', RATES_URL: 'https://rates.example.com' } };
const image = 'registry.acme.example/orders';

/** What programs lack, and the edits that took it away or did not. */
export const stories: Readonly<Record<string, Scenario>> = {
  'key-taken-away-before-a-release': scenario(
    'A ConfigMap loses a key, and the release after it lacks the variable',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const settings = cluster.object({
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'orders-settings', namespace: 'shop' }, ...held },
      });
      const orders = cluster.deployment('shop/orders', {
        ...{ replicas: 3, image: `${image}:8.0`, envFrom: ['orders-settings'] },
      });
      cluster.image(`${image}:8.1`, ends(lacks('RATES_URL')));
      cluster.at('5s', () => settings.patch({ data: { RATES_URL: null } }));
      cluster.at('20s', () => orders.setImage(`${image}:8.1`));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ConfigMap/shop/orders-settings',
        reason: 'CrashLoopBackOff',
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/web/storefront'],
      });
    },
  ),
  'release-wants-more-than-its-settings': scenario(
    'A ConfigMap loses a key, and the release after it lacks another variable',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const settings = cluster.object({
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'orders-settings', namespace: 'shop' }, ...held },
      });
      const orders = cluster.deployment('shop/orders', {
        ...{ replicas: 3, image: `${image}:8.0`, envFrom: ['orders-settings'] },
      });
      cluster.image(`${image}:8.1`, ends(lacks('VAT_SERVICE_URL')));
      cluster.at('5s', () => settings.patch({ data: { LOG_LEVEL: null } }));
      cluster.at('20s', () => orders.setImage(`${image}:8.1`));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/shop/orders',
        reason: 'CrashLoopBackOff',
        mustNotBlame: ['ConfigMap/shop/orders-settings'],
      });
    },
  ),
  'release-drops-a-variable': scenario(
    'A release brings a new image and drops a variable that the program needs',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const { wiki } = surroundings(cluster);
      const orders = cluster.deployment('shop/orders', {
        ...{ replicas: 3, image: `${image}:8.0` },
        container: plainEnv({ CURRENCY: 'EUR', RATES_URL: 'https://rates.example.com' }),
      });
      cluster.image(`${image}:8.1`, ends(lacks('RATES_URL')));
      const container = { name: 'orders', image: `${image}:8.1`, env: [{ name: 'RATES_URL', $patch: 'delete' }] };
      const release = { spec: { template: { spec: { containers: [container] } } } };
      cluster.at('3s', () => wiki.setImage('registry.acme.example/wiki:4.0'));
      cluster.at('10s', () => orders.patch(release));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/shop/orders',
        reason: 'CrashLoopBackOff',
        mustNotBlame: ['Deployment/office/wiki'],
      });
    },
  ),
};
