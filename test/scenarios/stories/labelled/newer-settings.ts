import { imageAt, innocentRelease } from '../../kit/company.ts';
import { settingsVolume } from '../../kit/field.ts';
import { after, clients, killed, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** ConfigMaps and Secrets that several read, each in its own language. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubevious/kubevious/issues/57, https://github.com/cruise-automation/k-rail/issues/31, https://github.com/alphagov/govuk-infrastructure/pull/716
  'word-for-how-much-is-logged': reported(
    'A word for the log level that not every library knows is written into settings that four services share; three of them end at their restart',
    (cluster) => {
      const settings = cluster.configMap('portal/common', { LOG_LEVEL: 'warning', REGION: 'eu' });
      const names = ['gateway', 'tenants', 'quotas', 'web'] as const;
      const handles = names.map((name) =>
        cluster.deployment(`portal/${name}`, { replicas: 2, image: imageAt(name, '11.2'), envFrom: ['common'] }),
      );
      cluster.at(after(0), () => settings.edit({ LOG_LEVEL: 'notice', REGION: 'eu' }));
      cluster.at(after(15), () => {
        cluster.image(
          imageAt('gateway', '11.2'),
          ends([
            '{"level":"fatal","msg":"invalid log level set: not a valid logrus Level: \\"notice\\"","time":"2026-11-22T03:45:45Z"}',
          ]),
        );
        cluster.image(
          imageAt('tenants', '11.2'),
          ends([
            'Error: default level:notice must be included in custom levels',
            '    at assertDefaultLevelFound (/app/node_modules/pino/lib/levels.js:182:11)',
          ]),
        );
        cluster.image(imageAt('quotas', '11.2'), ends(["ValueError: Unknown level: 'NOTICE'"]));
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'ConfigMap/portal/common',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: names.map((name) => `Deployment/portal/${name}` as const),
      });
    },
  ),

  // https://github.com/CatalogueOfLife/backend/issues/459, https://github.com/scheb/2fa/issues/157, https://github.com/sandbox-quantum/switch/pull/461
  'key-of-the-sessions-is-too-short': reported(
    'The key that signs sessions is replaced by a short one; a Java, a PHP and a Python service refuse it as they restart',
    (cluster) => {
      const secret = cluster.secret('login/session-key', { key: 'a-key-of-more-than-thirty-two-characters' });
      const names = ['accounts', 'consent', 'audit'] as const;
      const handles = names.map((name) =>
        cluster.deployment(`login/${name}`, {
          ...{ replicas: 2, image: imageAt(name, '2.6'), env: { JWT_KEY: 'secret/session-key/key' } },
        }),
      );
      cluster.at(after(0), () => secret.edit({ key: 'short' }));
      cluster.at(after(10), () => {
        cluster.image(
          imageAt('accounts', '2.6'),
          ends([
            'io.jsonwebtoken.security.WeakKeyException: The specified key byte array is 152 bits which is not secure enough for any JWT HMAC-SHA algorithm.',
            '        at io.jsonwebtoken.security.Keys.hmacShaKeyFor(Keys.java:81)',
          ]),
        );
        cluster.image(
          imageAt('consent', '2.6'),
          unready([
            'PHP Fatal error:  Uncaught Lcobucci\\JWT\\Signer\\InvalidKeyProvided: Key provided is shorter than 256 bits, only 152 bits provided in /app/vendor/lcobucci/jwt/src/Signer/InvalidKeyProvided.php:36',
          ]),
        );
        cluster.image(
          imageAt('audit', '2.6'),
          ends(['RuntimeError: the signing key has 19 characters; at least 32 are required']),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Secret/login/session-key',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: names.map((name) => `Deployment/login/${name}` as const),
      });
    },
  ),

  // https://github.com/avast/grpc-java-jwt/issues/2, https://github.com/istio-ecosystem/authservice/issues/110, https://github.com/mattmorg55/Owin.Security.Keycloak/issues/10
  'keys-of-the-realm-are-new': reported(
    'The realm of a Keycloak is imported anew with other signing keys; three services that keep the old ones refuse every token',
    (cluster) => {
      const realm = cluster.configMap('identity/realm', { 'realm.json': '{"realm":"main","keys":"a"}' });
      const image = 'quay.io/keycloak/keycloak:24.0.5';
      const keycloak = server(cluster, 'identity/keycloak', image, 8080, { pod: settingsVolume('realm') });
      cluster.at(after(0), () => {
        realm.edit({ 'realm.json': '{"realm":"main","keys":"b"}' });
        keycloak.restart();
      });
      const issuer = 'http://keycloak.identity.svc.cluster.local:8080/realms/main';
      const innocents = clients(cluster, 50, {
        'bank/transfers': {
          does: unready([
            "IDX10501: Signature validation failed. Unable to match 'kid': 'f70df3b4-ef47-409b-b910-a71879a72fb8', token: '[PII is hidden]'.",
          ]),
          values: { Oidc__Authority: issuer },
        },
        'bank/auth-proxy': {
          does: unready([
            "IsIDTokenInvalid: `id_token` verification failed: Jwks doesn't have key to match kid or alg from Jwt",
          ]),
          values: { ISSUER: issuer },
        },
        'bank/cards': {
          does: ends([
            'jwt.exceptions.PyJWKClientError: Unable to find a signing key that matches: "f70df3b4-ef47-409b-b910-a71879a72fb8"',
          ]),
          values: { OIDC_ISSUER: issuer },
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/identity/realm',
        accepts: ['StatefulSet/identity/keycloak'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/openshift/release/pull/75256, https://github.com/jwbron/egg/pull/3457: the lists of the proxy that leads outside.
  'way-out-is-allowed-no-more': reported(
    'The list of the hosts that a Squid lets pass is edited and it is restarted; what three teams call outside is forbidden, and put back after a quarter of an hour',
    (cluster, firm) => {
      const good = { 'squid.conf': 'http_access allow CONNECT allowed' };
      const lists = cluster.configMap('egress/squid', good);
      const squid = cluster.deployment('egress/squid', {
        ...{ replicas: 2, image: 'docker.io/ubuntu/squid:6.6-24.04_beta', pod: settingsVolume('squid') },
      });
      cluster.service('egress/squid', { ports: [{ name: 'main', port: 3128, targetPort: 3128, protocol: 'TCP' }] });
      innocentRelease(cluster, after(-70), firm);
      cluster.at(after(0), () => {
        lists.edit({ 'squid.conf': 'http_access deny CONNECT !SSL_ports' });
        squid.restart();
      });
      const values = { HTTPS_PROXY: 'http://squid.egress.svc.cluster.local:3128' };
      const innocents = clients(cluster, 35, {
        'payments/charges': {
          does: unready(['Post "https://api.payments.example/v1/charges": Forbidden']),
          values,
        },
        'maps/geocoder': {
          does: ends([
            "requests.exceptions.ProxyError: HTTPSConnectionPool(host='geo.maps.example', port=443): Max retries exceeded with url: /v1/search (Caused by ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 403 Forbidden')))",
          ]),
          values,
        },
        'news/feeds': {
          does: ends([
            'java.io.IOException: Unable to tunnel through proxy. Proxy returns "HTTP/1.1 403 Forbidden"',
            '\tat java.base/sun.net.www.protocol.http.HttpURLConnection.doTunneling0(HttpURLConnection.java:2271)',
          ]),
          values,
        },
      });
      cluster.at(after(900), () => {
        lists.edit(good);
        squid.restart();
      });
      recover(cluster, 925, 'payments/charges', 'maps/geocoder', 'news/feeds');
      cluster.expectIncident({
        root: 'ConfigMap/egress/squid',
        accepts: ['Deployment/egress/squid'],
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/mittwald/kube-httpcache/pull/140: read while it runs; here what is switched on needs more memory than there is.
  'switch-that-costs-memory': reported(
    'A switch in a ConfigMap turns a cache on, which the running programs read; their memory grows beyond the limit',
    (cluster) => {
      const switches = cluster.configMap('catalogue/switches', { 'switches.json': '{"warmCache":false}' });
      const image = imageAt('listing', '5.5');
      cluster.deployment('catalogue/listing', {
        ...{ replicas: 3, image, memory: '256Mi', pod: settingsVolume('switches') },
      });
      cluster.service('catalogue/listing');
      cluster.at(after(0), () => switches.edit({ 'switches.json': '{"warmCache":true}' }));
      cluster.at(after(75), () =>
        cluster.befall(
          image,
          killed(['INFO switches reloaded: warmCache=true', 'INFO warming cache: 1200000 entries'], 40),
        ),
      );
      cluster.expectIncident({
        root: 'ConfigMap/catalogue/switches',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Service/catalogue/listing', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
};
