import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings, unready } from '../../kit/surroundings.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  // https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/CHAP_Troubleshooting.html#CHAP_Troubleshooting.Connecting
  'managed-database-unreachable': scenario(
    'A database outside the cluster no longer answers four workloads',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const { wiki } = surroundings(cluster);
      const host = 'shop.cluster-c3xample.eu-west-1.rds.amazonaws.com';
      const places = ['shop/orders', 'shop/accounts', 'billing/ledger', 'billing/invoices'];
      const imageOf = (place: string): string => `registry.acme.example/${place}:3.0`;
      for (const place of places)
        cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          container: plainEnv({ PGHOST: host, PGPORT: '5432' }),
        });
      cluster.deployment('shop/assets', { replicas: 2, image: 'registry.acme.example/assets:1' });
      cluster.at('3s', () => wiki.restart());
      cluster.at('10s', () => {
        for (const place of places)
          cluster.befall(
            imageOf(place),
            ends(
              [
                `psql: error: connection to server at "${host}" (10.0.3.7), port 5432 failed: Connection timed out`,
                '\tIs the server running on that host and accepting TCP/IP connections?',
              ],
              2,
            ),
          );
      });
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:5432`,
        accepts: [`ExternalEndpoint//${host}`],
        mustNotBlame: [
          'Deployment/shop/orders',
          'Deployment/shop/accounts',
          'Deployment/billing/ledger',
          'Deployment/office/wiki',
        ],
      });
    },
  ),

  // https://status.stripe.com/: one client, and nobody else says whether it is the client or the provider.
  'payment-provider-times-out': scenario('A payment provider does not answer its one client', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const image = 'registry.acme.example/checkout:12';
    const container = plainEnv({ PROVIDER_URL: 'https://api.payments.example' });
    cluster.deployment('shop/checkout', { replicas: 3, image, container });
    cluster.service('shop/checkout');
    cluster.deployment('shop/basket', { replicas: 2, image: 'registry.acme.example/basket:12' });
    cluster.at('10s', () =>
      cluster.befall(
        image,
        ends([
          'java.net.SocketTimeoutException: Connect timed out',
          'Caused by: io.netty.channel.ConnectTimeoutException: connection timed out after 30000 ms: api.payments.example/203.0.113.80:443',
          'FATAL payment gateway self-test failed, shutting down',
        ]),
      ),
    );
    cluster.expectIncident({
      root: 'Deployment/shop/checkout',
      accepts: ['ExternalEndpoint//api.payments.example:443', 'ExternalEndpoint//api.payments.example'],
      // Its one client waits for another to say the same of the provider.
      firstMessageWithinSeconds: 90,
      mustNotBlame: ['Deployment/shop/basket'],
    });
  }),

  // https://github.com/kubernetes/kubernetes/issues/125130 and many like it: the other side's certificate has expired.
  'partner-certificate-expired': scenario(
    'The certificate of a partner has expired; two clients refuse to talk to it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const container = plainEnv({ OIDC_ISSUER: 'https://login.partner.example' });
      const places = ['shop/portal', 'office/intranet'];
      for (const place of places)
        cluster.deployment(place, { replicas: 2, image: `registry.acme.example/${place}:2`, container });
      cluster.at('12s', () => {
        for (const place of places)
          cluster.befall(
            `registry.acme.example/${place}:2`,
            ends([
              'level=fatal msg="failed to query provider \\"https://login.partner.example\\": Get \\"https://login.partner.example/.well-known/openid-configuration\\": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-03-01T12:00:00Z is after 2026-03-01T11:59:59Z"',
            ]),
          );
      });
      cluster.lasts('3m15s');
      cluster.expectIncident({
        root: 'ExternalEndpoint//login.partner.example:443',
        accepts: ['ExternalEndpoint//login.partner.example'],
        mustNotBlame: ['Deployment/shop/portal', 'Deployment/office/intranet'],
      });
    },
  ),

  // https://ldap.com/ldap-result-code-reference/: a directory that refuses connections; its clients stay up and say that they are not ready.
  'directory-refuses-connections': scenario(
    'The company directory is down: three workloads run and are not ready',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const container = plainEnv({ LDAP_URL: 'ldaps://ldap.corp.example:636' });
      const places = ['office/mail', 'office/chat', 'office/files'];
      for (const place of places) {
        cluster.deployment(place, { replicas: 2, image: `registry.acme.example/${place}:1`, container });
        cluster.service(place);
      }
      cluster.at('8s', () => {
        for (const place of places)
          cluster.befall(
            `registry.acme.example/${place}:1`,
            unready([
              'javax.naming.CommunicationException: ldap.corp.example:636 [Root exception is java.net.ConnectException: Connection refused]',
            ]),
          );
      });
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'ExternalEndpoint//ldap.corp.example:636',
        accepts: ['ExternalEndpoint//ldap.corp.example'],
        mustNotBlame: ['Deployment/office/mail', 'Deployment/office/chat', 'Deployment/office/files'],
      });
    },
  ),
};
