import { company, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** ConfigMaps and Secrets that were edited, and what reads them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://docs.python-requests.org/en/latest/api/#exceptions: a key was pasted with a line break.
  'key-pasted-with-a-line-break': scenario(
    'A shared key ends with a line break since it was pasted anew; two services cannot send it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      const key = cluster.secret('sales/mailer-key', { token: 'one' });
      const names = ['newsletter', 'receipts'];
      const handles = names.map((name) =>
        cluster.deployment(`sales/${name}`, {
          replicas: 2,
          image: imageAt(name, 3),
          env: { MAILER_TOKEN: 'secret/mailer-key/token' },
        }),
      );
      innocentRelease(cluster, '2s', firm);
      cluster.at('6s', () => key.edit({ token: 'two' }));
      cluster.at('9s', () => {
        cluster.image(
          imageAt('newsletter', 3),
          ends([
            "requests.exceptions.InvalidHeader: Invalid leading whitespace, reserved character(s), or return character(s) in header value: 'Bearer ***\\n'",
          ]),
        );
        cluster.image(
          imageAt('receipts', 3),
          ends(['panic: net/http: invalid header field value for "Authorization"'], 2),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Secret/sales/mailer-key',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking', 'Deployment/sales/newsletter', 'Deployment/sales/receipts'],
      });
    },
  ),

  // https://www.postgresql.org/docs/current/errcodes-appendix.html, 3D000 invalid_catalog_name
  'settings-name-a-database-that-is-not-there': scenario(
    'Shared settings name a database that nobody created; three services crash and PostgreSQL is healthy',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.statefulSet('data/postgres', { image: 'docker.io/library/postgres:17' });
      cluster.service('data/postgres', port(5432));
      const settings = cluster.configMap('shop/database', { PGHOST: 'postgres.data.svc', PGDATABASE: 'shop' });
      const names = ['cart', 'pricing', 'vouchers'];
      const handles = names.map((name) =>
        cluster.deployment(`shop/${name}`, { replicas: 2, image: imageAt(name, 1), envFrom: ['database'] }),
      );
      cluster.at('5s', () => settings.edit({ PGDATABASE: 'shop_v2' }));
      cluster.at('8s', () => {
        for (const name of names)
          cluster.image(
            imageAt(name, 1),
            ends([
              'connection to server at "postgres.data.svc", port 5432 failed: FATAL:  database "shop_v2" does not exist',
            ]),
          );
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ConfigMap/shop/database',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/data/postgres', ...names.map((name) => `Deployment/shop/${name}` as const)],
      });
    },
  ),

  // https://www.postgresql.org/docs/current/runtime-config-connection.html#GUC-MAX-CONNECTIONS
  'pools-made-ten-times-larger': scenario(
    'Somebody makes the connection pools of a team ten times larger, and the database has no room for another team',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.statefulSet('data/postgres', { image: 'docker.io/library/postgres:17' });
      cluster.service('data/postgres', port(5432));
      const tuning = cluster.configMap('shop/tuning', { POOL_SIZE: '10' });
      const values = { DB_HOST: 'postgres.data.svc' };
      const handles = ['cart', 'pricing'].map((name) =>
        cluster.deployment(`shop/${name}`, { replicas: 3, image: imageAt(name, 1), envFrom: ['tuning'], values }),
      );
      cluster.at('5s', () => tuning.edit({ POOL_SIZE: '100' }));
      cluster.at('8s', () => {
        for (const name of ['cart', 'pricing'])
          cluster.image(
            imageAt(name, 1),
            unready([
              'HikariPool-1 - Exception during pool initialization. org.postgresql.util.PSQLException: FATAL: sorry, too many clients already (postgres.data.svc:5432)',
            ]),
          );
        for (const handle of handles) handle.restart();
      });
      dependants(cluster, '25s', {
        'crm/leads': {
          does: unready([
            'psycopg.OperationalError: connection failed: connection to server at "postgres.data.svc", port 5432 failed: FATAL:  sorry, too many clients already',
          ]),
          values,
        },
      });
      cluster.lasts('12m');
      cluster.expectIncident({
        root: 'ConfigMap/shop/tuning',
        accepts: ['StatefulSet/data/postgres'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/crm/leads'],
      });
    },
  ),

  // https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/zone/ZoneRulesException.html
  'time-zone-that-does-not-exist': scenario(
    'The settings of a planner name a time zone that does not exist',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const settings = cluster.configMap('plant/planner', { PLANT_ZONE: 'Europe/Brussels' });
      const planner = cluster.deployment('plant/planner', {
        replicas: 2,
        image: imageAt('planner', 14),
        envFrom: ['planner'],
      });
      cluster.service('plant/planner');
      const firm = company(cluster);
      innocentRelease(cluster, '2s', firm);
      cluster.at('5s', () => settings.edit({ PLANT_ZONE: 'Europe/Brussel' }));
      cluster.at('8s', () => {
        cluster.image(
          imageAt('planner', 14),
          ends(['Exception in thread "main" java.time.zone.ZoneRulesException: Unknown time-zone ID: Europe/Brussel']),
        );
        planner.restart();
      });
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'ConfigMap/plant/planner',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking'],
      });
    },
  ),

  // https://docs.haproxy.org/3.0/configuration.html: a server that cannot be resolved at the start is fatal.
  'proxy-file-names-no-host': scenario(
    'The file of an HAProxy names a host that does not exist; what is behind it is healthy',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const file = cluster.configMap('edge/haproxy', { 'haproxy.cfg': 'server checkout checkout.shop.svc:80' });
      const image = 'docker.io/library/haproxy:3.0';
      const proxy = cluster.deployment('edge/haproxy', {
        ...{ replicas: 2, image },
        container: { volumeMounts: [{ name: 'file', mountPath: '/usr/local/etc/haproxy' }] },
        pod: { volumes: [{ name: 'file', configMap: { name: 'haproxy' } }] },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('edge/haproxy');
      cluster.deployment('shop/checkout', { replicas: 2, image: imageAt('checkout', 3) });
      cluster.service('shop/checkout');
      cluster.at('5s', () => file.edit({ 'haproxy.cfg': 'server checkout chekout.shop.svc:80' }));
      cluster.at('8s', () => {
        cluster.image(
          image,
          ends([
            "[ALERT]    (1) : config : [/usr/local/etc/haproxy/haproxy.cfg:14] : 'server checkout/checkout' : could not resolve address 'chekout.shop.svc'.",
            '[ALERT]    (1) : config : Failed to initialize server(s) addr.',
          ]),
        );
        proxy.restart();
      });
      dependants(cluster, '14s', {
        'mobile/bff': {
          does: unready([
            'FetchError: request to http://haproxy.edge.svc/checkout failed, reason: connect ECONNREFUSED haproxy.edge.svc:80',
          ]),
          values: { UPSTREAM: 'http://haproxy.edge.svc' },
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ConfigMap/edge/haproxy',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/checkout', 'Deployment/mobile/bff', 'Service/shop/checkout'],
      });
    },
  ),

  // https://docs.python.org/3/library/exceptions.html#ZeroDivisionError
  'zero-in-the-settings': scenario(
    'A zero in shared settings makes one service crash and another unready',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const settings = cluster.configMap('rides/pricing', { SURGE_STEPS: '4' });
      const handles = ['fares', 'driver-pay'].map((name) =>
        cluster.deployment(`rides/${name}`, { replicas: 2, image: imageAt(name, 2), envFrom: ['pricing'] }),
      );
      cluster.at('5s', () => settings.edit({ SURGE_STEPS: '0' }));
      cluster.at('8s', () => {
        cluster.image(
          imageAt('fares', 2),
          ends([
            '  File "/app/fares/surge.py", line 18, in step',
            '    return span / settings.SURGE_STEPS',
            'ZeroDivisionError: division by zero',
          ]),
        );
        cluster.image(
          imageAt('driver-pay', 2),
          unready(['ERROR health: pricing table is empty: SURGE_STEPS must be at least 1']),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ConfigMap/rides/pricing',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/rides/fares', 'Deployment/rides/driver-pay'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/configure-pod-container/configure-pod-configmap/: `items` name a key that is gone.
  'theme-taken-out-of-the-files': scenario(
    'A key is taken out of a ConfigMap whose file two websites mount',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const themes = cluster.configMap('www/themes', { 'theme.json': '{}', 'dark.json': '{}' });
      const volumes = [
        { name: 'theme', configMap: { name: 'themes', items: [{ key: 'dark.json', path: 'theme.json' }] } },
      ];
      const handles = ['blog', 'careers'].map((name) =>
        cluster.deployment(`www/${name}`, { replicas: 2, image: imageAt(name, 5), pod: { volumes } }),
      );
      cluster.at('5s', () => themes.edit({ 'dark.json': null }));
      cluster.at('10s', () => {
        for (const name of ['blog', 'careers'])
          cluster.image(imageAt(name, 5), {
            heldUp: {
              reason: 'FailedMount',
              message: 'MountVolume.SetUp failed for volume "theme" : references non-existent config key: dark.json',
            },
          });
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'ConfigMap/www/themes',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/www/blog', 'Deployment/www/careers'],
      });
    },
  ),

  // https://hub.docker.com/_/mysql: a chart rendered an empty password into the Secret.
  'secret-rendered-empty': scenario(
    'A chart renders an empty password, and a restarted MySQL does not start without one',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const secret = cluster.secret('blog/mysql', { password: 'one' });
      const image = 'docker.io/library/mysql:8.4';
      const mysql = cluster.statefulSet('blog/mysql', { image, env: { MYSQL_ROOT_PASSWORD: 'secret/mysql/password' } });
      cluster.service('blog/mysql', port(3306));
      cluster.at('5s', () => secret.edit({ password: '' }));
      cluster.at('8s', () => {
        cluster.image(
          image,
          ends(
            [
              '[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified',
              '    You need to specify one of the following as an environment variable:',
              '    - MYSQL_ROOT_PASSWORD',
            ],
            1,
            2,
          ),
        );
        mysql.restart();
      });
      const clients = dependants(cluster, '14s', {
        'blog/wordpress': {
          does: unready([
            'PHP Warning:  mysqli_real_connect(): (HY000/2002): Connection refused in /var/www/html/wp-includes/class-wpdb.php on line 1987',
            'Error establishing a database connection to mysql.blog.svc:3306',
          ]),
          values: { WORDPRESS_DB_HOST: 'mysql.blog.svc:3306' },
        },
        'blog/comments': {
          does: ends(['Error: connect ECONNREFUSED mysql.blog.svc:3306']),
          values: { MYSQL_HOST: 'mysql.blog.svc' },
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Secret/blog/mysql',
        accepts: ['StatefulSet/blog/mysql'],
        messages: { resolve: 0 },
        mustNotBlame: clients,
      });
    },
  ),
};
