import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';

const image = (name: string): string => `registry.acme.example/${name}`;
const settingsVolume = (configMap: string): object => ({
  volumes: [{ name: 'settings', configMap: { name: configMap } }],
});
const secretVolume = (secretName: string): object => ({ volumes: [{ name: 'secret', secret: { secretName } }] });
const mounted = (name: string, mountPath: string): object => ({ volumeMounts: [{ name, mountPath }] });

/** Somebody edits, empties or deletes what workloads are configured with. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://grokdatum.github.io/grokdevops-wiki/library/postmortems/sev-2/missing-runbook-crashloop
  'settings-are-no-yaml': scenario(
    'An edit of shared settings is not YAML any more, and both workloads that read them crash once restarted',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const settings = cluster.configMap('identity/auth-config', { 'config.yaml': 'rate_limit:\n  strategy: fixed\n' });
      const names = ['auth', 'sessions'];
      const all = names.map((name) =>
        cluster.deployment(`identity/${name}`, {
          replicas: 2,
          image: image(`${name}:2.11`),
          pod: settingsVolume('auth-config'),
          container: mounted('settings', '/etc/auth'),
        }),
      );
      for (const name of names) cluster.service(`identity/${name}`);
      cluster.at('4s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('12s', () => settings.edit({ 'config.yaml': 'rate_limit:\n  strategy: adaptive: true\n' }));
      cluster.at('20s', () => {
        for (const [index, name] of names.entries()) {
          cluster.image(
            image(`${name}:2.11`),
            ends([
              `time="2026-11-02T09:41:20Z" level=fatal msg="cannot load configuration" file=/etc/auth/config.yaml error="yaml: line 2: mapping values are not allowed in this context"`,
            ]),
          );
          all[index]?.restart();
        }
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'ConfigMap/identity/auth-config',
        mustNotBlame: ['Deployment/identity/auth', 'Deployment/identity/sessions', 'Deployment/web/storefront'],
      });
    },
  ),
  // https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/
  'cache-wants-a-password-now': scenario(
    'The cache gets a password by its settings; those who use it have none',
    (cluster) => {
      surroundings(cluster);
      const settings = cluster.configMap('shop/redis-conf', { 'redis.conf': 'maxmemory 200mb\n' });
      const redis = cluster.statefulSet('shop/redis', {
        image: image('redis:7.2'),
        pod: settingsVolume('redis-conf'),
        container: mounted('settings', '/etc/redis'),
      });
      cluster.service('shop/redis', {
        ports: [{ name: 'redis', port: 6379, targetPort: 6379, protocol: 'TCP' }],
      });
      const clients = { catalogue: 'go', sessions: 'node' } as const;
      for (const name of Object.keys(clients))
        cluster.deployment(`shop/${name}`, {
          replicas: 2,
          image: image(`${name}:5`),
          values: { REDIS_URL: 'redis://redis.shop.svc:6379/0' },
        });
      cluster.at('10s', () => settings.edit({ 'redis.conf': 'maxmemory 200mb\nrequirepass s3cr3t\n' }));
      cluster.at('14s', () => redis.restart());
      cluster.at('26s', () => {
        cluster.befall(
          image('catalogue:5'),
          unready([
            'level=error msg="cache ping failed" addr=redis.shop.svc:6379 err="NOAUTH Authentication required."',
          ]),
        );
        cluster.befall(
          image('sessions:5'),
          ends([
            'Error connecting to redis://redis.shop.svc:6379/0',
            'ReplyError: NOAUTH Authentication required.',
            '    at parseError (/app/node_modules/redis-parser/lib/parser.js:179:12)',
          ]),
        );
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'ConfigMap/shop/redis-conf',
        accepts: ['StatefulSet/shop/redis', 'Service/shop/redis'],
        mustNotBlame: ['Deployment/shop/catalogue', 'Deployment/shop/sessions'],
      });
    },
  ),
  // https://kubernetes.io/docs/tutorials/configuration/updating-configuration-via-a-configmap/
  'settings-read-while-running': scenario(
    'Three workloads read their settings again when these change, and end on a value that none of them knows',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      const flags = cluster.configMap('mobile/flags', { 'flags.json': '{"pricing":"v1"}' });
      const names = ['feed', 'offers', 'push'];
      for (const name of names)
        cluster.deployment(`mobile/${name}`, {
          replicas: 2,
          image: image(`${name}:1.4`),
          pod: settingsVolume('flags'),
          container: mounted('settings', '/flags'),
        });
      cluster.at('5s', () => wiki.restart());
      cluster.at('15s', () => flags.edit({ 'flags.json': '{"pricing":"v3"}' }));
      cluster.at('27s', () => {
        for (const name of names)
          cluster.befall(
            image(`${name}:1.4`),
            ends(
              [
                '{"level":"info","message":"/flags/flags.json changed, reloading"}',
                '{"level":"fatal","message":"invalid flag value: pricing=\\"v3\\" (allowed: v1, v2)"}',
              ],
              1,
              2,
            ),
          );
      });
      cluster.lasts('2m10s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'ConfigMap/mobile/flags',
        mustNotBlame: [...names.map((name) => `Deployment/mobile/${name}` as const), 'Deployment/office/wiki'],
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/configure-pod-container/configure-pod-configmap/
  'variable-taken-out-of-the-settings': scenario(
    'A variable is taken out of the settings of three workloads, which crash when they are restarted overnight',
    (cluster) => {
      surroundings(cluster);
      const settings = cluster.planned({
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'common-env', namespace: 'claims' } },
        data: { QUEUE_URL: 'amqp://mq.claims.svc:5672', REGION: 'eu' },
      });
      settings.create();
      const names = ['intake', 'scoring', 'payout'];
      const all = names.map((name) =>
        cluster.deployment(`claims/${name}`, { replicas: 2, image: image(`${name}:9`), envFrom: ['common-env'] }),
      );
      cluster.at('6s', () => settings.patch({ data: { QUEUE_URL: null } }));
      cluster.at('14s', () => {
        for (const [index, name] of names.entries()) {
          cluster.image(
            image(`${name}:9`),
            ends([
              'Traceback (most recent call last):',
              '  File "/app/settings.py", line 9, in <module>',
              `    QUEUE_URL = os.environ["QUEUE_URL"]`,
              "KeyError: 'QUEUE_URL'",
            ]),
          );
          all[index]?.restart();
        }
      });
      cluster.lasts('2m20s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'ConfigMap/claims/common-env',
        mustNotBlame: names.map((name) => `Deployment/claims/${name}` as const),
      });
    },
  ),
  // https://cert-manager.io/docs/trust/trust-manager/
  'trusted-authorities-replaced': scenario(
    'The bundle of trusted authorities is replaced, and two workloads trust their own services no more',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const bundle = cluster.secret('trade/ca-bundle', { 'ca.crt': 'first authority' });
      cluster.deployment('trade/orders', { replicas: 2, image: image('orders:6') });
      cluster.service('trade/orders', { ports: [{ name: 'https', port: 8443, targetPort: 8443, protocol: 'TCP' }] });
      const names = ['desk', 'risk'];
      const all = names.map((name) =>
        cluster.deployment(`trade/${name}`, {
          replicas: 2,
          image: image(`${name}:6`),
          pod: secretVolume('ca-bundle'),
          container: mounted('secret', '/etc/ssl/acme'),
          values: { ORDERS_URL: 'https://orders.trade.svc:8443' },
        }),
      );
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('12s', () => bundle.edit({ 'ca.crt': 'second authority' }));
      cluster.at('22s', () => {
        for (const [index, name] of names.entries()) {
          cluster.image(
            image(`${name}:6`),
            ends([
              'level=info msg="loaded authorities" file=/etc/ssl/acme/ca.crt',
              'level=fatal msg="cannot reach orders" err="Get \\"https://orders.trade.svc:8443/v1/ping\\": tls: failed to verify certificate: x509: certificate signed by unknown authority"',
            ]),
          );
          all[index]?.restart();
        }
      });
      cluster.lasts('2m20s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Secret/trade/ca-bundle',
        mustNotBlame: ['Deployment/trade/desk', 'Deployment/trade/risk', 'Deployment/web/storefront'],
      });
    },
  ),
  // https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/#automatic-pruning
  'secret-pruned-before-the-evening': scenario(
    'A Secret is pruned; nobody notices until two workloads that mount it are scaled up for the evening',
    (cluster) => {
      surroundings(cluster);
      const secret = cluster.secret('media/drm-keys', { key: 'guess' });
      const names = ['player', 'licences'];
      const all = names.map((name) =>
        cluster.deployment(`media/${name}`, {
          replicas: 2,
          image: image(`${name}:4`),
          pod: secretVolume('drm-keys'),
          container: mounted('secret', '/keys'),
        }),
      );
      for (const name of names) cluster.service(`media/${name}`);
      cluster.at('5s', () => secret.delete());
      cluster.at('20s', () => {
        for (const workload of all) workload.scale(5);
      });
      cluster.lasts('2m20s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Secret/media/drm-keys',
        mustNotBlame: ['Deployment/media/player', 'Deployment/media/licences'],
      });
    },
  ),
  // https://kubernetes.io/docs/reference/kubectl/generated/kubectl_set/kubectl_set_env/
  'variable-set-by-hand': scenario(
    'Somebody sets a variable of one workload by hand, and it does not start with it',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const worker = cluster.deployment('reports/worker', {
        replicas: 2,
        image: image('report-worker:3'),
        values: { CONCURRENCY: '8' },
        probe: false,
      });
      cluster.image(image('report-worker:3'), (pod) =>
        JSON.stringify(pod.spec.containers).includes('8x')
          ? {
              exit: { afterSeconds: 2, code: 1 },
              log: [
                'java.lang.NumberFormatException: For input string: "8x"',
                '\tat java.base/java.lang.Integer.parseInt(Integer.java:661)',
                '\tat example.acme.reports.Worker.main(Worker.java:31)',
              ],
            }
          : {},
      );
      cluster.at('5s', () => storefront.scale(3));
      cluster.at('15s', () => worker.change({ values: { CONCURRENCY: '8x' } }));
      cluster.lasts('2m');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({ root: 'Deployment/reports/worker', mustNotBlame: ['Deployment/web/storefront'] });
    },
  ),
};
