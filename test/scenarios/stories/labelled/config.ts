import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings } from '../../kit/surroundings.ts';

const rejected = (user: string): readonly string[] => [
  'Starting application',
  `org.postgresql.util.PSQLException: FATAL: password authentication failed for user "${user}"`,
  '\tat org.postgresql.core.v3.ConnectionFactoryImpl.doAuthentication(ConnectionFactoryImpl.java:693)',
  'Application run failed',
];

export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/bitnami/charts/issues/30516: an upgrade made a new password, the database keeps the old one.
  'secret-no-longer-fits-the-database': scenario(
    'A Secret gets a new password, the database keeps the old one, and what is restarted cannot log in',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const { storefront } = surroundings(cluster);
      cluster.statefulSet('shop/postgres', { image: 'docker.io/library/postgres:16' });
      cluster.service('shop/postgres', { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
      const credentials = cluster.secret('shop/db-credentials', { username: 'shop', password: 'old' });
      const env = { DB_USER: 'secret/db-credentials/username', DB_PASSWORD: 'secret/db-credentials/password' };
      const images = ['orders', 'accounts', 'invoices'].map((name) => `registry.acme.example/${name}:4.2`);
      const clients = images.map((image, index) =>
        cluster.deployment(`shop/${['orders', 'accounts', 'invoices'][index]}`, { replicas: 2, image, env }),
      );
      cluster.at('3s', () => storefront.setImage('registry.acme.example/storefront:5.2'));
      cluster.at('8s', () => credentials.edit({ username: 'shop', password: 'new' }));
      cluster.at('20s', () => {
        for (const image of images) cluster.image(image, ends(rejected('shop')));
        for (const client of clients) client.restart();
      });
      cluster.expectIncident({
        root: 'Secret/shop/db-credentials',
        mustNotBlame: [
          ...(['StatefulSet/shop/postgres', 'Deployment/shop/orders', 'Deployment/shop/accounts'] as const),
          ...(['Deployment/shop/invoices', 'Deployment/web/storefront'] as const),
        ],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/configuration/secret/: a Pod that refers to a key that is not there does not start.
  'secret-key-renamed': scenario('The key of a Secret is renamed, and new Pods do not find it', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const secret = cluster.object({
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'smtp', namespace: 'office' } },
      ...{ stringData: { password: 'x', user: 'mail' } },
    });
    const env = { SMTP_PASSWORD: 'secret/smtp/password' };
    const mailer = cluster.deployment('office/mailer', { replicas: 2, image: 'registry.acme.example/mailer:2.0', env });
    cluster.deployment('office/calendar', { replicas: 2, image: 'registry.acme.example/calendar:2.0' });
    cluster.at('5s', () => secret.patch({ data: { password: null }, stringData: { smtp_password: 'x' } }));
    cluster.at('20s', () => mailer.restart());
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Secret/office/smtp',
      accepts: ['Deployment/office/mailer'],
      mustNotBlame: ['Deployment/office/calendar'],
    });
  }),

  // https://nginx.org/en/docs/beginners_guide.html: nginx refuses to start with a configuration that it cannot read.
  'nginx-configuration-broken': scenario('An edited ConfigMap breaks the configuration of nginx', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const conf = cluster.configMap('edge/nginx-conf', { 'default.conf': 'server { listen 8080; }' });
    const other = cluster.configMap('edge/error-pages', { '404.html': '<h1>Not found</h1>' });
    const image = 'docker.io/library/nginx:1.29';
    const proxy = cluster.deployment('edge/proxy', {
      ...{ replicas: 3, image },
      pod: { volumes: [{ name: 'conf', configMap: { name: 'nginx-conf' } }] },
      container: { volumeMounts: [{ name: 'conf', mountPath: '/etc/nginx/conf.d' }] },
    });
    cluster.service('edge/proxy');
    cluster.at('3s', () => other.edit({ '404.html': '<h1>Nothing here</h1>' }));
    cluster.at('10s', () => conf.edit({ 'default.conf': 'server { listen 8080; proxy_passs http://app; }' }));
    cluster.at('25s', () => {
      cluster.image(
        image,
        ends([
          '/docker-entrypoint.sh: Configuration complete; ready for start up',
          'nginx: [emerg] unknown directive "proxy_passs" in /etc/nginx/conf.d/default.conf:7',
        ]),
      );
      proxy.restart();
    });
    cluster.expectIncident({ root: 'ConfigMap/edge/nginx-conf', mustNotBlame: ['ConfigMap/edge/error-pages'] });
  }),

  // https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/: what was deleted is missed only by the next start.
  'config-map-deleted-then-drain': scenario(
    'A ConfigMap was tidied away; what a drain moves does not start again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const flags = cluster.configMap('shop/feature-flags', { NEW_CHECKOUT: 'false' });
      cluster.deployment('shop/checkout', {
        ...{ replicas: 3, image: 'registry.acme.example/checkout:9.4', envFrom: ['feature-flags'] },
      });
      cluster.deployment('shop/search', { replicas: 3, image: 'registry.acme.example/search:3.3' });
      cluster.at('5s', () => flags.delete());
      cluster.at('30s', () => cluster.node('n2').drain());
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ConfigMap/shop/feature-flags',
        reason: 'ConfigMapMissing',
        accepts: ['Deployment/shop/checkout'],
        mustNotBlame: ['Node//n2', 'Deployment/shop/search'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/dns-debugging-resolution/: is the name right?
  'config-map-with-a-wrong-host': scenario(
    'A shared ConfigMap gets a host with a typing error, and three workloads that are restarted do not find it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.statefulSet('cache/redis-master', { image: 'docker.io/library/redis:7.4' });
      cluster.service('cache/redis-master', {
        ports: [{ name: 'redis', port: 6379, targetPort: 6379, protocol: 'TCP' }],
      });
      const common = cluster.configMap('shop/common', { REDIS_HOST: 'redis-master.cache.svc' });
      const images = ['orders', 'basket', 'search'].map((name) => `registry.acme.example/${name}:8`);
      const clients = ['orders', 'basket', 'search'].map((name) =>
        cluster.deployment(`shop/${name}`, {
          replicas: 2,
          image: `registry.acme.example/${name}:8`,
          envFrom: ['common'],
        }),
      );
      cluster.deployment('shop/reports', { image: 'registry.acme.example/reports:1', container: plainEnv({ A: 'b' }) });
      cluster.at('8s', () => common.edit({ REDIS_HOST: 'redis-master.cach.svc' }));
      cluster.at('15s', () => {
        for (const image of images)
          cluster.image(
            image,
            ends([
              '[ioredis] Unhandled error event: Error: getaddrinfo ENOTFOUND redis-master.cach.svc',
              '    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26)',
              'could not reach redis, giving up',
            ]),
          );
        for (const client of clients) client.restart();
      });
      cluster.expectIncident({
        root: 'ConfigMap/shop/common',
        mustNotBlame: [
          ...(['Service/kube-system/kube-dns', 'StatefulSet/cache/redis-master', 'Deployment/shop/orders'] as const),
          ...(['Deployment/shop/basket', 'Deployment/shop/search'] as const),
        ],
      });
    },
  ),
};
