import type { Ref } from '../../../../src/model/ref.ts';
import { at, field, image, secretVolume, settingsVolume, tcp } from '../../kit/field.ts';
import type { ImageScript } from '../../kit/hands.ts';
import type { Workload } from '../../kit/manifests.ts';
import type { ClusterBuilder, Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Workloads that are restarted with what was edited: each with what it says then. */
function restartedWith(
  cluster: ClusterBuilder,
  more: Partial<Workload>,
  says: Readonly<Record<string, ImageScript>>,
): { restart(): void; readonly refs: readonly Ref[] } {
  const all = Object.entries(says).map(([place, does]) => {
    const name = place.split('/')[1] ?? '';
    return {
      name,
      does,
      handle: cluster.deployment(place, {
        replicas: 2,
        image: image(`${name}:5`),
        spec: { strategy: { type: 'Recreate' } },
        ...more,
      }),
    };
  });
  return {
    refs: Object.keys(says).map((place) => at(place)),
    restart() {
      for (const { name, does, handle } of all) {
        cluster.image(image(`${name}:5`), does);
        handle.restart();
      }
    },
  };
}

/** Settings, keys and certificates that are edited, and what their readers say of it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://www.postgresql.org/docs/current/client-authentication-problems.html
  'settings-name-another-database': field(
    'The settings of two workloads are edited to a database that does not exist; the server is healthy',
    (cluster) => {
      cluster.statefulSet('sales/postgres', { image: 'docker.io/library/postgres:17' });
      cluster.service('sales/postgres', tcp(5432, 'postgres'));
      const settings = cluster.configMap('sales/database', { PGHOST: 'postgres.sales.svc', PGDATABASE: 'sales' });
      const readers = restartedWith(
        cluster,
        { envFrom: ['database'] },
        {
          'sales/quotes': ends([
            'psycopg.OperationalError: connection failed: connection to server at "10.96.8.1", port 5432 failed: FATAL:  database "salse" does not exist',
          ]),
          'sales/orders': ends([
            '{"severity":"FATAL","message":"PG::ConnectionBad: connection to server at \\"10.96.8.1\\", port 5432 failed: FATAL:  database \\"salse\\" does not exist"}',
          ]),
        },
      );
      cluster.at('6s', () => settings.edit({ PGHOST: 'postgres.sales.svc', PGDATABASE: 'salse' }));
      cluster.at('10s', () => readers.restart());
      cluster.expectIncident({
        root: 'ConfigMap/sales/database',
        mustNotBlame: [...readers.refs, 'StatefulSet/sales/postgres', 'Service/sales/postgres'],
      });
    },
  ),
  // https://nodejs.org/api/cli.html#--max-old-space-sizesize-in-mib
  'settings-halve-the-heap': field(
    'Shared settings give all Node.js programs a heap that is too small; two run out of it',
    (cluster) => {
      const settings = cluster.configMap('web/node-options', { NODE_OPTIONS: '--max-old-space-size=512' });
      const dies = (at: string): ImageScript =>
        ends(
          [
            `<--- Last few GCs --->`,
            `[1:0x6f2c8d0]    ${at} ms: Mark-Compact 63.1 (65.9) -> 62.8 (66.2) MB, pooled: 0 MB, 58.61 / 0.00 ms  (average mu = 0.091, current mu = 0.013) allocation failure; scavenge might not succeed`,
            'FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory',
          ],
          134,
          9,
        );
      const readers = restartedWith(
        cluster,
        { envFrom: ['node-options'], memory: '768Mi' },
        { 'web/render': dies('4187'), 'web/search-ui': dies('5120') },
      );
      cluster.at('6s', () => settings.edit({ NODE_OPTIONS: '--max-old-space-size=64' }));
      cluster.at('10s', () => readers.restart());
      cluster.expectIncident({ root: 'ConfigMap/web/node-options', mustNotBlame: readers.refs });
    },
  ),
  // https://docs.djangoproject.com/en/5.2/ref/settings/#allowed-hosts
  'settings-allow-no-host': field(
    'The hosts that a Django program answers are edited, and its probe is answered with 400 ever after',
    (cluster) => {
      const settings = cluster.configMap('forms/django', { ALLOWED_HOSTS: '*' });
      const readers = restartedWith(
        cluster,
        { envFrom: ['django'] },
        {
          'forms/intake': unready(
            [
              "Invalid HTTP_HOST header: '10.244.1.9:8080'. You may need to add '10.244.1.9' to ALLOWED_HOSTS.",
              'Bad Request: /ready',
            ],
            'HTTP probe failed with statuscode: 400',
          ),
          'forms/review': unready(
            [
              "django.core.exceptions.DisallowedHost: Invalid HTTP_HOST header: '10.244.2.4:8080'. You may need to add '10.244.2.4' to ALLOWED_HOSTS.",
            ],
            'HTTP probe failed with statuscode: 400',
          ),
        },
      );
      cluster.at('6s', () => settings.edit({ ALLOWED_HOSTS: 'forms.example' }));
      cluster.at('10s', () => readers.restart());
      cluster.expectIncident({ root: 'ConfigMap/forms/django', beginsAfterSeconds: 10, mustNotBlame: readers.refs });
    },
  ),
  // https://opentelemetry.io/docs/collector/configuration/: an exporter that a release of the collector no longer has.
  'collectors-know-an-exporter-no-more': field(
    'The settings of the collectors are edited to an exporter they do not have; gateway and agents are restarted',
    (cluster, { wiki }) => {
      const settings = cluster.configMap('observability/otel', { 'config.yaml': 'exporters: {otlp: {}}' });
      const pod = settingsVolume('otel');
      const says = ends(
        [
          'Error: failed to get config: cannot unmarshal the configuration: decoding failed due to the following error(s):',
          '',
          '\'exporters\' unknown type: "loki" for id: "loki" (valid values: [debug otlp otlphttp nop file prometheus])',
          '2026/11/22 09:00:13 collector server run finished with error: failed to get config',
        ],
        1,
        1,
      );
      const gateway = cluster.deployment('observability/gateway', {
        replicas: 2,
        image: image('otelcol:0.135'),
        pod,
        spec: { strategy: { type: 'Recreate' } },
      });
      const agents = cluster.daemonSet('observability/agent', {
        image: image('otelcol:0.135'),
        pod,
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } },
      });
      cluster.at('4s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('6s', () => settings.edit({ 'config.yaml': 'exporters: {loki: {}}' }));
      cluster.at('10s', () => {
        cluster.image(image('otelcol:0.135'), says);
        gateway.restart();
        agents.restart();
      });
      cluster.expectIncident({
        root: 'ConfigMap/observability/otel',
        mustNotBlame: ['Deployment/observability/gateway', 'DaemonSet/observability/agent', 'Deployment/office/wiki'],
      });
    },
  ),
  // https://guides.rubyonrails.org/security.html#custom-credentials
  'master-key-does-not-fit': field(
    'The master key of a Rails program is replaced by that of another; web and worker cannot read their credentials',
    (cluster) => {
      const secret = cluster.secret('desk/rails', { master_key: 'a' });
      const says = ends([
        "/usr/local/bundle/gems/activesupport-7.2.1/lib/active_support/message_encryptor.rb:242:in `rescue in _decrypt': ActiveSupport::MessageEncryptor::InvalidMessage (ActiveSupport::MessageEncryptor::InvalidMessage)",
        "\tfrom /usr/local/bundle/gems/activesupport-7.2.1/lib/active_support/encrypted_file.rb:119:in `decrypt'",
      ]);
      const readers = restartedWith(
        cluster,
        { env: { RAILS_MASTER_KEY: 'secret/rails/master_key' } },
        { 'desk/web': says, 'desk/sidekiq': says },
      );
      cluster.at('6s', () => secret.edit({ master_key: 'b' }));
      cluster.at('11s', () => readers.restart());
      cluster.expectIncident({ root: 'Secret/desk/rails', mustNotBlame: readers.refs });
    },
  ),
  // https://pkg.go.dev/net/url: a password with a # in a URL.
  'new-password-breaks-the-address': field(
    'The new password of a database has a character that ends an address: two workloads cannot read where they belong',
    (cluster) => {
      cluster.statefulSet('fleet/postgres', { image: 'docker.io/library/postgres:17' });
      cluster.service('fleet/postgres', tcp(5432, 'postgres'));
      const secret = cluster.secret('fleet/database', { url: 'a' });
      const readers = restartedWith(
        cluster,
        { env: { DATABASE_URL: 'secret/database/url' } },
        {
          'fleet/routes': ends([
            'panic: cannot parse `postgres://fleet:xxxxxx@postgres.fleet.svc:5432/fleet`: failed to parse as URL (parse "postgres://fleet:xxxxxx": invalid port ":xxxxxx" after host)',
          ]),
          'fleet/drivers': ends([
            'Error: P1013: The provided database string is invalid. invalid port number in database URL. Please refer to the documentation in https://www.prisma.io/docs/reference/database-reference/connection-urls for constructing a correct connection string.',
          ]),
        },
      );
      cluster.at('6s', () => secret.edit({ url: 'b' }));
      cluster.at('11s', () => readers.restart());
      cluster.expectIncident({
        root: 'Secret/fleet/database',
        mustNotBlame: [...readers.refs, 'StatefulSet/fleet/postgres', 'Service/fleet/postgres'],
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/configmap-secret/managing-secret-using-kubectl/: a trailing newline in a token.
  'token-with-a-line-end': field(
    'A token is made anew from a file and ends in a line feed: no header can hold it',
    (cluster, { storefront }) => {
      const secret = cluster.secret('pay/psp', { token: 'a' });
      const readers = restartedWith(
        cluster,
        { env: { PSP_TOKEN: 'secret/psp/token' } },
        {
          'pay/capture': ends([
            'level=fatal msg="authorise" err="Post \\"https://api.psp.example/v1/charges\\": net/http: invalid header field value for \\"Authorization\\""',
          ]),
          'pay/refunds': ends([
            "requests.exceptions.InvalidHeader: Invalid leading whitespace, reserved character(s), or return character(s) in header value: 'Bearer xxxx\\n'",
          ]),
        },
      );
      cluster.at('4s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('6s', () => secret.edit({ token: 'b' }));
      cluster.at('11s', () => readers.restart());
      cluster.expectIncident({
        root: 'Secret/pay/psp',
        mustNotBlame: [...readers.refs, 'Deployment/web/storefront', 'ExternalEndpoint//api.psp.example:443'],
      });
    },
  ),
  // https://pkg.go.dev/crypto/x509#HostnameError
  'certificate-for-another-name': field(
    'The certificate of a broker is made anew for another name: no client accepts it',
    (cluster) => {
      const secret = cluster.secret('mq/broker-tls', { 'tls.crt': 'x', 'tls.key': 'x' });
      const broker = cluster.statefulSet('mq/emqx', {
        image: 'docker.io/emqx/emqx:5.8',
        pod: secretVolume('broker-tls'),
      });
      cluster.service('mq/emqx', tcp(8883, 'mqtts'));
      cluster.at('5s', () => secret.edit({ 'tls.crt': 'y', 'tls.key': 'y' }));
      cluster.at('8s', () => broker.restart());
      const values = { MQTT_URL: 'mqtts://emqx.mq.svc:8883' };
      for (const name of ['meters', 'gateways'])
        cluster.deployment(`energy/${name}`, { replicas: 2, image: image(`${name}:1`), values });
      cluster.at('20s', () => {
        cluster.befall(
          image('meters:1'),
          ends([
            'level=fatal msg="connect to broker" err="network Error : tls: failed to verify certificate: x509: certificate is valid for mqtt.old.example, not emqx.mq.svc"',
          ]),
        );
        cluster.befall(
          image('gateways:1'),
          ends([
            "Error [ERR_TLS_CERT_ALTNAME_INVALID]: Hostname/IP does not match certificate's altnames: Host: emqx.mq.svc. is not in the cert's altnames: DNS:mqtt.old.example",
            '    at Object.checkServerIdentity (node:tls:337:12)',
          ]),
        );
      });
      cluster.expectIncident({
        root: 'Secret/mq/broker-tls',
        accepts: ['StatefulSet/mq/emqx'],
        mustNotBlame: ['Deployment/energy/meters', 'Deployment/energy/gateways'],
      });
    },
  ),
  // https://www.elastic.co/docs/deploy-manage/license: what a product does when its licence is over.
  'licence-is-over': field(
    'The licence that two programs of a product read from one Secret is over; nobody changed anything',
    (cluster, { wiki }) => {
      cluster.secret('bi/licence', { 'license.key': 'x' });
      const pod = secretVolume('licence');
      for (const name of ['reports', 'cubes'])
        cluster.deployment(`bi/${name}`, { replicas: 2, image: image(`${name}:9`), pod });
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('14s', () => {
        cluster.befall(
          image('reports:9'),
          ends([
            'FATAL [main] LicenseManager - License /etc/licence/license.key expired on 2026-11-22, shutting down. Contact sales@bi.example to renew.',
          ]),
        );
        cluster.befall(
          image('cubes:9'),
          ends([
            '{"level":"fatal","msg":"license check failed","error":"license expired","expires_at":"2026-11-22T00:00:00Z"}',
          ]),
        );
      });
      cluster.expectIncident({
        root: 'Secret/bi/licence',
        mustNotBlame: ['Deployment/bi/reports', 'Deployment/bi/cubes', 'Deployment/office/wiki'],
      });
    },
  ),
  // https://kubernetes.io/docs/reference/access-authn-authz/rbac/: the binding of a shared service account is deleted.
  'binding-of-an-account-deleted': field(
    'The binding of a service account that two controllers share is deleted; both may list nothing any more',
    (cluster) => {
      cluster.object({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'runner', namespace: 'ci' } });
      const pod = { serviceAccountName: 'runner' };
      for (const name of ['dispatcher', 'reaper'])
        cluster.deployment(`ci/${name}`, { replicas: 1, image: image(`${name}:2`), pod });
      const says = (resource: string): string =>
        `E1122 09:00:14.118203       1 reflector.go:205] "Failed to watch" err="failed to list *v1.${resource}: ${resource.toLowerCase()}s is forbidden: User \\"system:serviceaccount:ci:runner\\" cannot list resource \\"${resource.toLowerCase()}s\\" in API group \\"\\" in the namespace \\"ci\\"" logger="UnhandledError"`;
      cluster.at('12s', () => {
        cluster.befall(
          image('dispatcher:2'),
          ends([says('Pod'), 'F1122 09:00:44.2 main.go:88] timed out waiting for caches to sync']),
        );
        cluster.befall(
          image('reaper:2'),
          ends([
            says('Secret'),
            '{"level":"error","msg":"problem running manager","error":"failed to wait for reaper caches to sync: timed out waiting for cache to be synced"}',
          ]),
        );
      });
      cluster.expectIncident({
        root: 'ServiceAccount/ci/runner',
        mustNotBlame: ['Deployment/ci/dispatcher', 'Deployment/ci/reaper'],
      });
    },
  ),
  // https://cloud.google.com/sql/docs/postgres/connect-kubernetes-engine: the companion that opens the way to a managed database.
  'key-of-three-companions-replaced': field(
    'The key that the companions of three workloads open a managed database with is replaced by one without rights',
    (cluster) => {
      const secret = cluster.secret('app/cloudsql', { 'key.json': 'a' });
      const proxy = image('cloud-sql-proxy:2.18');
      const places = ['app/users', 'app/teams', 'app/audit'];
      const all = places.map((place) => {
        const name = place.split('/')[1] ?? '';
        const containers = [
          { name, image: image(`${name}:1`) },
          { name: 'cloud-sql-proxy', image: proxy, readinessProbe: { httpGet: { path: '/readiness', port: 9090 } } },
        ];
        return cluster.deployment(place, {
          replicas: 1,
          image: image(`${name}:1`),
          pod: { containers, ...secretVolume('cloudsql') },
          spec: { strategy: { type: 'Recreate' } },
        });
      });
      cluster.at('6s', () => secret.edit({ 'key.json': 'b' }));
      cluster.at('10s', () => {
        cluster.image(
          proxy,
          ends([
            '2026/11/22 09:00:12 The proxy has encountered a terminal error: unable to start: [acme:europe-west1:main] Unable to mount socket: failed to get instance metadata (connection name = "acme:europe-west1:main"): googleapi: Error 403: boss::NOT_AUTHORIZED: Not authorized to access resource. Possibly missing permission cloudsql.instances.get on resource instances/main., forbidden',
          ]),
        );
        for (const workload of all) workload.restart();
      });
      cluster.expectIncident({
        root: 'Secret/app/cloudsql',
        mustNotBlame: places.map((place) => at(place)),
      });
    },
  ),
};
