import { definition } from '../../../e2e/produced/definition.ts';
import { dependants } from '../../kit/dependants.ts';
import { at, field, image, secretVolume, settingsVolume, tcp } from '../../kit/field.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Services of the house that answer, and answer what nobody can use; meshes, proxies and sign-on. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/linkerd/linkerd2/issues/15109
  'issuer-of-the-mesh-expired': field(
    'The issuer of the mesh is over: its identity service signs nothing, and no proxy that starts gets ready',
    (cluster) => {
      cluster.secret('linkerd/linkerd-identity-issuer', { 'tls.crt': 'x', 'tls.key': 'x' });
      const identity = image('linkerd-identity:2.18');
      cluster.deployment('linkerd/linkerd-identity', {
        replicas: 2,
        image: identity,
        pod: secretVolume('linkerd-identity-issuer'),
      });
      cluster.service('linkerd/linkerd-identity', tcp(8080, 'grpc'));
      cluster.at('6s', () =>
        cluster.befall(
          identity,
          ends(
            [
              'time="2026-11-22T09:00:07Z" level=info msg="running version stable-2.18.0"',
              'time="2026-11-22T09:00:07Z" level=fatal msg="Failed to verify issuer credentials for \'identity.linkerd.cluster.local\' with trust anchors: x509: certificate has expired or is not yet valid: current time 2026-11-22T09:00:07Z is after 2026-11-22T09:00:00Z"',
            ],
            1,
            1,
          ),
        ),
      );
      const proxy = (name: string): readonly string[] => [
        '[     0.004213s]  INFO ThreadId(01) linkerd2_proxy: release 2.300.0',
        `[    12.118031s]  WARN ThreadId(02) identity:identity{server.addr=linkerd-identity.linkerd.svc.cluster.local:8080}:controller: linkerd_reconnect: Failed to connect error=endpoint 10.96.6.6:8080: Connection refused (os error 111) error.sources=[Connection refused (os error 111)]`,
        `[    22.2s] ERROR ThreadId(02) identity: linkerd_proxy_identity_client::certify: Failed to obtain identity error=status: Unavailable, message: "controller linkerd-identity.linkerd.svc.cluster.local:8080: service in fail-fast" client=${name}`,
      ];
      const names = dependants(cluster, '16s', {
        'shop/orders': { does: unready(proxy('orders')) },
        'shop/stock': { does: unready(proxy('stock')) },
        'office/crm': { does: unready(proxy('crm')) },
      });
      cluster.expectIncident({
        root: 'Deployment/linkerd/linkerd-identity',
        accepts: ['Secret/linkerd/linkerd-identity-issuer'],
        mustNotBlame: names,
      });
    },
  ),
  // https://nginx.org/en/docs/http/ngx_http_upstream_module.html: a name that does not resolve stops it.
  'proxy-names-a-deleted-service': field(
    'A Service is deleted; the proxy that names it cannot start after its restart, and another program neither',
    (cluster) => {
      cluster.deployment('web/blog', { replicas: 2, image: image('blog:2') });
      const blog = cluster.service('web/blog');
      cluster.configMap('edge/nginx', { 'default.conf': 'location /blog { proxy_pass http://blog.web.svc; }' });
      const nginx = cluster.deployment('edge/nginx', {
        replicas: 2,
        image: 'docker.io/library/nginx:1.29',
        pod: settingsVolume('nginx'),
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('edge/nginx');
      cluster.deployment('web/feeds', {
        replicas: 1,
        image: image('feeds:1'),
        values: { BLOG: 'http://blog.web.svc' },
      });
      cluster.at('6s', () => blog.delete());
      cluster.at('12s', () => {
        cluster.image(
          'docker.io/library/nginx:1.29',
          ends(
            [
              '/docker-entrypoint.sh: Configuration complete; ready for start up',
              '2026/11/22 09:00:13 [emerg] 1#1: host not found in upstream "blog.web.svc" in /etc/nginx/conf.d/default.conf:12',
              'nginx: [emerg] host not found in upstream "blog.web.svc" in /etc/nginx/conf.d/default.conf:12',
            ],
            1,
            1,
          ),
        );
        nginx.restart();
        cluster.befall(image('feeds:1'), ends(['getaddrinfo ENOTFOUND blog.web.svc']));
      });
      cluster.expectIncident({
        root: 'Service/web/blog',
        beginsAfterSeconds: 12,
        mustNotBlame: [
          'Deployment/edge/nginx',
          'ConfigMap/edge/nginx',
          'Deployment/web/feeds',
          'Deployment/web/blog',
          'Deployment/kube-system/coredns',
        ],
      });
    },
  ),
  // https://istio.io/latest/docs/reference/config/security/authorization-policy/
  'mesh-policy-lets-nobody-in': field(
    'A policy of the mesh lets nobody ask a service: two clients are told that their access is denied',
    (cluster, { storefront }) => {
      cluster.object(definition('security.istio.io', 'AuthorizationPolicy'));
      cluster.deployment('finance/billing', { replicas: 2, image: image('billing:4') });
      cluster.service('finance/billing');
      const policy = cluster.planned({
        apiVersion: 'security.istio.io/v1',
        kind: 'AuthorizationPolicy',
        metadata: { name: 'billing', namespace: 'finance' },
        spec: { selector: { matchLabels: { app: 'billing' } } },
      });
      cluster.at('4s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('8s', () => policy.create());
      const values = { BILLING_URL: 'http://billing.finance.svc' };
      const names = dependants(cluster, '14s', {
        'shop/checkout': {
          values,
          does: ends([
            'level=fatal msg="get tariff" url=http://billing.finance.svc/v1/tariffs status=403 body="RBAC: access denied"',
          ]),
        },
        'shop/subscriptions': {
          values,
          does: unready([
            'org.springframework.web.client.HttpClientErrorException$Forbidden: 403 Forbidden on GET request for "http://billing.finance.svc/v1/plans": "RBAC: access denied"',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'Deployment/finance/billing',
        accepts: ['Service/finance/billing', 'AuthorizationPolicy.security.istio.io/finance/billing'],
        mustNotBlame: [...names, 'Deployment/web/storefront'],
      });
    },
  ),
  // https://sre.google/sre-book/monitoring-distributed-systems/: it is up, and answers with errors.
  'release-answers-with-errors': field(
    'A release of a service passes its own probe and answers every request with 500: those who ask end on it',
    (cluster) => {
      const flags = cluster.deployment('platform/flags', { replicas: 2, image: image('flags:3') });
      cluster.service('platform/flags');
      cluster.at('6s', () => flags.setImage(image('flags:4')));
      const values = { FLAGS_URL: 'http://flags.platform.svc' };
      const names = dependants(cluster, '18s', {
        'shop/home': {
          values,
          does: ends([
            '{"level":50,"time":1795424418220,"pid":1,"hostname":"home-6d","err":{"type":"AxiosError","message":"Request failed with status code 500","config":{"url":"http://flags.platform.svc/api/client/features","method":"get"}},"msg":"cannot load flags"}',
          ]),
        },
        'shop/offers': {
          values,
          does: unready([
            'requests.exceptions.HTTPError: 500 Server Error: Internal Server Error for url: http://flags.platform.svc/api/client/features',
          ]),
        },
        'office/intranet': {
          values,
          does: ends([
            'level=fatal msg="flags" err="unexpected status 500 from http://flags.platform.svc/api/client/features"',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'Deployment/platform/flags',
        accepts: ['Service/platform/flags'],
        mustNotBlame: names,
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/: with less CPU it no longer answers in time.
  'service-with-less-cpu-is-too-slow': field(
    'The CPU of a service is cut: its probe times out, and two callers wait for it in vain',
    (cluster) => {
      const prices = cluster.deployment('shop/prices', {
        replicas: 2,
        image: image('prices:2'),
        cpu: '500m',
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('shop/prices');
      cluster.at('6s', () => {
        cluster.image(
          image('prices:2'),
          unready(
            [
              '2026-11-22 09:00:09.221  INFO 1 --- [main] o.s.b.w.embedded.tomcat.TomcatWebServer : Tomcat started on port 8080 (http)',
            ],
            'Get "http://10.244.1.4:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
          ),
        );
        prices.change({ cpu: '20m' });
      });
      const names = dependants(cluster, '20s', {
        'shop/cart': {
          does: unready([
            'java.net.http.HttpTimeoutException: request timed out',
            'while calling http://prices.shop.svc/v1/price/7',
          ]),
        },
        'web/catalogue': {
          does: ends([
            'TypeError: fetch failed',
            '  [cause]: ConnectTimeoutError: Connect Timeout Error (attempted address: prices.shop.svc:80, timeout: 10000ms)',
            "    code: 'UND_ERR_CONNECT_TIMEOUT'",
          ]),
        },
      });
      cluster.expectIncident({ root: 'Deployment/shop/prices', mustNotBlame: names });
    },
  ),
  // https://www.keycloak.org/server/importExport: it came back with an empty database.
  'sign-on-lost-its-realm': field(
    'A sign-on server was moved to an empty database: it runs, and says that the realm of everybody does not exist',
    (cluster, { wiki }) => {
      const keycloak = cluster.deployment('auth/keycloak', {
        replicas: 2,
        image: 'quay.example/keycloak/keycloak:26.3',
        values: { KC_DB_URL: 'jdbc:postgresql://pg-old.auth.svc/keycloak' },
      });
      cluster.service('auth/keycloak');
      cluster.at('4s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('7s', () => keycloak.change({ values: { KC_DB_URL: 'jdbc:postgresql://pg-new.auth.svc/keycloak' } }));
      const values = { OIDC_ISSUER: 'http://keycloak.auth.svc/realms/staff' };
      const names = dependants(cluster, '22s', {
        'hr/leave': {
          values,
          does: ends([
            'oidc: 404 Not Found: {"error":"Realm does not exist"}',
            'main.go:44: cannot set up provider http://keycloak.auth.svc/realms/staff',
          ]),
        },
        'hr/travel': {
          values,
          does: ends([
            'Caused by: org.springframework.web.client.HttpClientErrorException$NotFound: 404 Not Found on GET request for "http://keycloak.auth.svc/realms/staff/.well-known/openid-configuration": "{"error":"Realm does not exist"}"',
            'java.lang.IllegalArgumentException: Unable to resolve the Configuration with the provided Issuer of "http://keycloak.auth.svc/realms/staff"',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'Deployment/auth/keycloak',
        accepts: ['Service/auth/keycloak'],
        mustNotBlame: [...names, 'Deployment/office/wiki'],
      });
    },
  ),
  // https://developer.hashicorp.com/vault/docs/auth/kubernetes: a role was taken away in Vault.
  'vault-knows-the-role-no-more': field(
    'A role was deleted in Vault: three workloads that log in before their start are refused',
    (cluster) => {
      cluster.statefulSet('vault/vault', { replicas: 3, image: 'docker.io/hashicorp/vault:1.20' });
      cluster.service('vault/vault', tcp(8200, 'http'));
      const init = image('vault-agent:1.20');
      const places = ['cards/issuing', 'cards/clearing', 'cards/disputes'];
      const all = places.map((place) =>
        cluster.deployment(place, {
          replicas: 1,
          image: image(`${place.split('/')[1]}:1`),
          init,
          values: { VAULT_ADDR: 'http://vault.vault.svc:8200' },
          spec: { strategy: { type: 'Recreate' } },
        }),
      );
      cluster.at('10s', () => {
        cluster.image(init, {
          exit: { afterSeconds: 2, code: 1 },
          log: [
            '2026-11-22T09:00:11.202Z [ERROR] agent.auth.handler: error authenticating:',
            '  error=',
            '  | Error making API request.',
            '  | ',
            '  | URL: PUT http://vault.vault.svc:8200/v1/auth/kubernetes/login',
            '  | Code: 400. Errors:',
            '  | ',
            '  | * invalid role name "cards"',
          ],
        });
        for (const workload of all) workload.restart();
      });
      cluster.expectIncident({
        root: 'StatefulSet/vault/vault',
        accepts: ['Service/vault/vault'],
        mustNotBlame: places.map((place) => at(place)),
      });
    },
  ),
};
