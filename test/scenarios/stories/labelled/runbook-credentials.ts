import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';

const sql = { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] };

/** Passwords, keys, certificates and rights that no longer fit. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://www.postgresql.org/docs/16/auth-password.html: rotated in the Secret, not in the database.
  'password-rotated-on-one-side': scenario(
    'A password is changed in its Secret and not in the database; three workloads are restarted with it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.statefulSet('shop/orders-db', { image: 'docker.io/library/postgres:16.3' });
      cluster.service('shop/orders-db', sql);
      const secret = cluster.secret('shop/orders-db-login', { password: 'one' });
      const says = {
        orders: [
          'psycopg2.OperationalError: connection to server at "orders-db.shop.svc" (10.96.8.8), port 5432 failed: FATAL:  password authentication failed for user "orders"',
        ],
        refunds: [
          'panic: failed to connect to `user=orders database=orders`: 10.96.8.8:5432 (orders-db.shop.svc): failed SASL auth: FATAL: password authentication failed for user "orders" (SQLSTATE 28P01)',
        ],
        reports: ['org.postgresql.util.PSQLException: FATAL: password authentication failed for user "orders"'],
      };
      const handles = Object.entries(says).map(([name, lines]) => ({
        handle: cluster.deployment(`shop/${name}`, {
          ...{ replicas: 2, image: `registry.acme.example/${name}:7`, values: { PGHOST: 'orders-db.shop.svc' } },
          env: { PGPASSWORD: 'secret/orders-db-login/password' },
        }),
        spoil: () => cluster.image(`registry.acme.example/${name}:7`, ends(lines)),
      }));
      cluster.at('6s', () => secret.edit({ password: 'two' }));
      cluster.at('10s', () => {
        for (const { handle, spoil } of handles) {
          spoil();
          handle.restart();
        }
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'Secret/shop/orders-db-login',
        accepts: ['StatefulSet/shop/orders-db', 'Service/shop/orders-db'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/refunds', 'Deployment/shop/reports'],
      });
    },
  ),

  // https://www.rabbitmq.com/docs/access-control: a definitions import took a user away.
  'broker-forgot-a-user': scenario('A broker no longer knows the user of two workloads', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    cluster.statefulSet('shop/rabbitmq', { replicas: 3, image: 'docker.io/library/rabbitmq:4.1' });
    cluster.service('shop/rabbitmq', { ports: [{ name: 'amqp', port: 5672, targetPort: 5672, protocol: 'TCP' }] });
    cluster.secret('shop/broker-login', { password: 'x' });
    const env = { AMQP_PASSWORD: 'secret/broker-login/password' };
    const values = { AMQP_HOST: 'rabbitmq.shop.svc' };
    const names = dependants(cluster, '8s', {
      'shop/mailer': {
        ...{ env, values },
        does: ends([
          'Error: Handshake terminated by server: 403 (ACCESS-REFUSED) with message "ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile."',
        ]),
      },
      'shop/indexer': {
        ...{ env, values },
        does: ends([
          'com.rabbitmq.client.AuthenticationFailureException: ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.',
        ]),
      },
    });
    cluster.lasts('2m10s');
    cluster.expectIncident({
      root: 'Secret/shop/broker-login',
      accepts: ['StatefulSet/shop/rabbitmq', 'Service/shop/rabbitmq'],
      messages: { resolve: 0 },
      mustNotBlame: names,
    });
  }),

  // https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html: a key that somebody deleted.
  'cloud-key-deleted': scenario('The access key of three workloads is deleted in the cloud', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    cluster.secret('media/bucket', { key: 'x' });
    const env = { AWS_SECRET_ACCESS_KEY: 'secret/bucket/key' };
    const names = dependants(cluster, '8s', {
      'media/uploads': {
        env,
        does: ends([
          'operation error S3: HeadBucket, https response error StatusCode: 403, RequestID: 4Z1, api error InvalidAccessKeyId: The AWS Access Key Id you provided does not exist in our records.',
        ]),
      },
      'media/transcoder': {
        env,
        does: ends([
          'botocore.exceptions.ClientError: An error occurred (InvalidAccessKeyId) when calling the ListObjectsV2 operation: The AWS Access Key Id you provided does not exist in our records.',
        ]),
      },
      'media/archive': {
        env,
        does: unready([
          'software.amazon.awssdk.services.s3.model.S3Exception: The AWS Access Key Id you provided does not exist in our records. (Service: S3, Status Code: 403)',
        ]),
      },
    });
    cluster.lasts('2m10s');
    cluster.expectIncident({ root: 'Secret/media/bucket', messages: { resolve: 0 }, mustNotBlame: names });
  }),

  // https://kubernetes.io/docs/reference/access-authn-authz/rbac/: a release reads what its role does not name.
  'release-without-the-rights': scenario(
    'A release of a controller reads a kind that its role does not name',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'registry.acme.example/reloader';
      const reloader = cluster.deployment('ops/reloader', {
        image: `${image}:1`,
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.image(
        `${image}:2`,
        ends([
          'W1122 reflector.go:561] failed to list *v1.StatefulSet: statefulsets.apps is forbidden: User "system:serviceaccount:ops:default" cannot list resource "statefulsets" in API group "apps" at the cluster scope',
          'F1122 main.go:88] timed out waiting for caches to sync',
        ]),
      );
      cluster.at('8s', () => reloader.setImage(`${image}:2`));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/ops/reloader',
        accepts: ['ServiceAccount/ops/default'],
        messages: { resolve: 0 },
      });
    },
  ),

  // https://pkg.go.dev/crypto/x509#CertificateInvalidError: an internal certificate runs out; the server itself does not notice.
  'internal-certificate-runs-out': scenario(
    'The certificate of an internal service runs out, and its clients refuse it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.deployment('auth/tokens', { replicas: 2, image: 'registry.acme.example/tokens:2' });
      cluster.service('auth/tokens', { ports: [{ name: 'https', port: 443, targetPort: 8443, protocol: 'TCP' }] });
      const names = dependants(cluster, '8s', {
        'shop/checkout': {
          does: ends([
            'fatal: fetch keys: Get "https://tokens.auth.svc/keys": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-22T09:00:07Z is after 2026-11-22T09:00:00Z',
          ]),
        },
        'office/intranet': {
          does: ends([
            "requests.exceptions.SSLError: HTTPSConnectionPool(host='tokens.auth.svc', port=443): Max retries exceeded with url: /keys (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1000)')))",
          ]),
        },
      });
      cluster.lasts('2m10s');
      cluster.expectIncident({
        root: 'Service/auth/tokens',
        accepts: ['Deployment/auth/tokens'],
        messages: { resolve: 0 },
        mustNotBlame: names,
      });
    },
  ),

  // https://developer.hashicorp.com/vault/docs/concepts/seal: started anew, it is sealed until somebody unseals it.
  'vault-is-sealed': scenario('Vault is sealed after its restart, and nobody gets secrets from it', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const image = 'docker.io/hashicorp/vault:1.20';
    const vault = cluster.statefulSet('vault/vault', { image });
    cluster.service('vault/vault', { ports: [{ name: 'http', port: 8200, targetPort: 8200, protocol: 'TCP' }] });
    const says = (role: string): readonly string[] => [
      `error authenticating: error="Error making API request. URL: PUT http://vault.vault.svc:8200/v1/auth/kubernetes/login Code: 503. Errors: * Vault is sealed" role=${role}`,
    ];
    cluster.at('8s', () => {
      cluster.image(
        image,
        unready(['core: security barrier not initialized', 'core: vault is sealed'], 'Key  Value\nSealed  true'),
      );
      vault.restart();
    });
    const names = dependants(cluster, '14s', {
      'shop/payments': { does: ends(says('payments')) },
      'office/payroll': { does: ends(says('payroll')) },
    });
    cluster.lasts('2m30s');
    cluster.expectIncident({
      root: 'StatefulSet/vault/vault',
      accepts: ['Service/vault/vault'],
      // That nothing of it serves, and then why: each is news.
      messages: { update: '≤2', resolve: 0 },
      mustNotBlame: names,
    });
  }),
};
