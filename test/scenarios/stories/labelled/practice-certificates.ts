import { company, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

const files = (secretName: string): object => ({ volumes: [{ name: 'tls', secret: { secretName } }] });
const pair = (name: string) => ({ 'tls.crt': `certificate ${name}`, 'tls.key': `key ${name}` });

/** Certificates, keys and what they are trusted for. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://pkg.go.dev/crypto/x509#HostnameError: the new certificate is for another host.
  'certificate-for-another-service': scenario(
    'The certificate of a server is replaced by that of another, and two clients refuse it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      const secret = cluster.secret('bank/accounts-tls', pair('accounts'));
      const server = cluster.deployment('bank/accounts', {
        replicas: 2,
        image: imageAt('accounts', 2),
        pod: files('accounts-tls'),
      });
      cluster.service('bank/accounts', port(8443, 'grpc'));
      innocentRelease(cluster, '2s', firm);
      cluster.at('5s', () => secret.edit(pair('billing')));
      cluster.at('8s', () => server.restart());
      const values = { ACCOUNTS: 'accounts.bank.svc:8443' };
      const clients = dependants(cluster, '22s', {
        'bank/teller': {
          does: unready([
            'rpc error: code = Unavailable desc = connection error: desc = "transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate is valid for billing.shop.svc, not accounts.bank.svc"',
          ]),
          values,
        },
        'apps/banking': {
          does: ends([
            "javax.net.ssl.SSLPeerUnverifiedException: Certificate for <accounts.bank.svc> doesn't match any of the subject alternative names: [billing.shop.svc]",
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Secret/bank/accounts-tls',
        accepts: ['Deployment/bank/accounts'],
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://www.rfc-editor.org/rfc/rfc8446#section-6.2: a server trusts other clients since its file of authorities was edited.
  'server-trusts-other-clients-now': scenario(
    'The authorities that a broker trusts are edited, and it refuses the certificates of two clients',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const trusted = cluster.configMap('mqtt/client-authorities', { 'ca.pem': 'old' });
      const broker = cluster.statefulSet('mqtt/emqx', {
        image: 'docker.io/emqx/emqx:5.8',
        pod: { volumes: [{ name: 'ca', configMap: { name: 'client-authorities' } }] },
      });
      cluster.service('mqtt/emqx', port(8883));
      cluster.at('5s', () => trusted.edit({ 'ca.pem': 'new' }));
      cluster.at('8s', () => broker.restart());
      const values = { BROKER: 'emqx.mqtt.svc:8883' };
      const clients = dependants(cluster, '22s', {
        'iot/thermostats': {
          does: ends([
            'MqttException (0) - javax.net.ssl.SSLHandshakeException: Received fatal alert: unknown_ca (emqx.mqtt.svc:8883)',
          ]),
          values,
        },
        'iot/meters': {
          does: unready(['network Error : remote error: tls: unknown certificate authority (emqx.mqtt.svc:8883)']),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ConfigMap/mqtt/client-authorities',
        accepts: ['StatefulSet/mqtt/emqx'],
        messages: { resolve: 0 },
        mustNotBlame: clients,
      });
    },
  ),

  // https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/security/KeyStore.html
  'password-of-a-shared-key-store': scenario(
    'The password of a key store that two services share is edited, and neither can open it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      const secret = cluster.secret('orders/keystore', { password: 'one' });
      const names = ['producer', 'auditor'];
      const handles = names.map((name) =>
        cluster.deployment(`orders/${name}`, {
          replicas: 2,
          image: imageAt(name, 2),
          env: { KEYSTORE_PASSWORD: 'secret/keystore/password' },
        }),
      );
      innocentRelease(cluster, '2s', firm);
      cluster.at('5s', () => secret.edit({ password: 'two' }));
      cluster.at('9s', () => {
        for (const name of names)
          cluster.image(
            imageAt(name, 2),
            ends([
              'org.apache.kafka.common.KafkaException: Failed to load SSL keystore /etc/keys/client.p12 of type PKCS12',
              'Caused by: java.io.IOException: keystore password was incorrect',
            ]),
          );
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Secret/orders/keystore',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/orders/producer', 'Deployment/orders/auditor', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://nginx.org/en/docs/http/configuring_https_servers.html: the key belongs to another certificate.
  'key-of-another-certificate': scenario(
    'Only half of a pair is renewed, and the proxy before a shop does not start with it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const secret = cluster.secret('front/proxy-tls', pair('front'));
      const image = 'docker.io/library/nginx:1.28';
      const proxy = cluster.deployment('front/proxy', {
        replicas: 2,
        image,
        pod: files('proxy-tls'),
        container: { volumeMounts: [{ name: 'tls', mountPath: '/etc/tls' }] },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('front/proxy');
      company(cluster);
      cluster.at('5s', () => secret.edit({ 'tls.crt': 'renewed' }));
      cluster.at('9s', () => {
        cluster.image(
          image,
          ends(
            [
              'nginx: [emerg] SSL_CTX_use_PrivateKey("/etc/tls/tls.key") failed (SSL: error:05800074:x509 certificate routines::key values mismatch)',
            ],
            1,
            1,
          ),
        );
        proxy.restart();
      });
      cluster.lasts('2m');
      cluster.expectIncident({ root: 'Secret/front/proxy-tls', messages: { resolve: 0 } });
    },
  ),
};
