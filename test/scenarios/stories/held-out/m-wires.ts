import { type ClusterBuilder, scenario } from '../../kit/scenario.ts';
import { dns, ingress, ingressClass, networkPolicy } from '../../kit/things.ts';

/** Logs are read at these times, too. */
const look = (cluster: ClusterBuilder, ...times: readonly string[]): void => {
  for (const time of times) cluster.at(time, () => undefined);
};

const unready = (...log: readonly string[]) => ({ readyAfterSeconds: 'never', log }) as const;
const crashes = (code: number, ...log: readonly string[]) => ({ exit: { afterSeconds: 3, code }, log });

export const stories = {
  'ledger-admits-a-label-that-no-caller-wears': scenario(
    'The policy of the ledger is edited to admit a label that its caller does not have; the log level edited before is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const settings = cluster.configMap('pay/billing-settings', {
        LOG_LEVEL: 'info',
        LEDGER_URL: 'http://ledger.pay.svc.cluster.local',
      });
      cluster.deployment('pay/ledger', { replicas: 2, image: 'registry.example/ledger:5.2' });
      cluster.service('pay/ledger');
      const policy = cluster.object(
        networkPolicy('pay/ledger', { ingress: [{ from: [{ podSelector: { matchLabels: { app: 'billing' } } }] }] }),
      );
      cluster.deployment('pay/billing', {
        replicas: 2,
        image: 'registry.example/billing:3.9',
        envFrom: ['billing-settings'],
        values: { LEDGER_URL: 'http://ledger.pay.svc.cluster.local' },
      });
      cluster.deployment('pay/statements', { image: 'registry.example/statements:1.4' });
      cluster.at('4s', () => settings.edit({ LOG_LEVEL: 'debug', LEDGER_URL: 'http://ledger.pay.svc.cluster.local' }));
      cluster.at('12s', () => {
        policy.patch({ spec: { ingress: [{ from: [{ podSelector: { matchLabels: { role: 'ledger-client' } } }] }] } });
        cluster.befall(
          'registry.example/billing:3.9',
          unready(
            '{"level":"error","ts":"2026-11-29T09:14:21.440Z","caller":"ledger/client.go:88","msg":"post entry failed","error":"Post \\"http://ledger.pay.svc.cluster.local/v1/entries\\": dial tcp 10.96.41.7:80: i/o timeout"}',
            '{"level":"error","ts":"2026-11-29T09:14:31.902Z","caller":"health/ready.go:41","msg":"not ready","dependency":"ledger","error":"Get \\"http://ledger.pay.svc.cluster.local/healthz\\": dial tcp 10.96.41.7:80: i/o timeout (Client.Timeout exceeded while awaiting headers)"}',
          ),
        );
      });
      look(cluster, '50s', '90s');
      cluster.expectIncident({
        root: 'NetworkPolicy/pay/ledger',
        mustNotBlame: ['ConfigMap/pay/billing-settings'],
      });
    },
  ),

  'way-out-names-the-old-range-of-a-mail-house-and-a-tag-is-mistyped': scenario(
    'A policy for traffic out is given a range that the mail provider does not use; a release of another team has a wrong tag',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const out = (cidr: string) => ({
        podSelector: { matchLabels: { app: 'notifier' } },
        policyTypes: ['Egress'],
        egress: [
          { to: [{ namespaceSelector: {} }], ports: [{ port: 53, protocol: 'UDP' }] },
          { to: [{ ipBlock: { cidr } }], ports: [{ port: 587, protocol: 'TCP' }] },
        ],
      });
      const policy = cluster.object({
        ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' },
        ...{ metadata: { name: 'notifier-egress', namespace: 'crm' }, spec: out('198.51.100.0/24') },
      });
      cluster.deployment('crm/notifier', {
        replicas: 2,
        image: 'registry.example/notifier:2.1',
        values: { SMTP_HOST: 'smtp.postwerk.example', SMTP_PORT: '587' },
      });
      const tiles = cluster.deployment('maps/tiles', { replicas: 3, image: 'registry.example/tiles:7.0' });
      cluster.image('registry.example/tiles:7.01', { pullError: 'NotFound' });
      cluster.at('8s', () => {
        policy.patch({ spec: out('192.0.2.0/25') });
        cluster.befall(
          'registry.example/notifier:2.1',
          unready(
            'Error: Connection timeout',
            '    at SMTPConnection._formatError (/app/node_modules/nodemailer/lib/smtp-connection/index.js:809:19)',
            "  code: 'ETIMEDOUT', command: 'CONN', host: 'smtp.postwerk.example', port: 587",
            'outbox: 214 messages queued, last attempt failed: connect ETIMEDOUT 198.51.100.25:587',
          ),
        );
      });
      cluster.at('40s', () => tiles.setImage('registry.example/tiles:7.01'));
      look(cluster, '55s', '100s');
      cluster.expectIncident({ root: 'NetworkPolicy/crm/notifier-egress', mustNotBlame: ['Deployment/maps/tiles'] });
      cluster.expectIncident({ root: 'Deployment/maps/tiles', mustNotBlame: ['NetworkPolicy/crm/notifier-egress'] });
    },
  ),

  'questions-for-outside-names-go-to-a-resolver-that-is-off': scenario(
    'The forwarder of the cluster DNS is edited to an address where nobody answers; a rollout just before is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const corefile = (upstream: string) =>
        `.:53 {\n    errors\n    health\n    ready\n    kubernetes cluster.local in-addr.arpa ip6.arpa\n    forward . ${upstream}\n    cache 30\n    reload\n}\n`;
      const config = cluster.configMap('kube-system/coredns', { Corefile: corefile('/etc/resolv.conf') });
      cluster.deployment('kube-system/coredns', {
        ...dns.workload,
        pod: { volumes: [{ name: 'config-volume', configMap: { name: 'coredns' } }] },
        container: { volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns' }] },
        spec: { selector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
      });
      cluster.object(dns.service);
      const fares = cluster.deployment('travel/fares', { replicas: 2, image: 'registry.example/fares:1.8' });
      cluster.deployment('travel/booking', {
        replicas: 2,
        image: 'registry.example/booking:4.4',
        values: { GDS_URL: 'https://gds.sabine-air.example' },
      });
      cluster.deployment('crm/geocoder', {
        image: 'registry.example/geocoder:0.7',
        values: { API: 'https://geo.kartenhaus.example' },
      });
      cluster.at('3s', () => fares.setImage('registry.example/fares:1.9'));
      cluster.at('20s', () => {
        config.edit({ Corefile: corefile('10.66.0.10') });
        cluster.befall(
          'registry.example/booking:4.4',
          unready(
            'java.net.UnknownHostException: gds.sabine-air.example: Temporary failure in name resolution',
            '\tat java.base/java.net.Inet6AddressImpl.lookupAllHostAddr(Native Method)',
            'WARN  o.s.b.a.health - gds DOWN: java.net.UnknownHostException: gds.sabine-air.example: Temporary failure in name resolution',
          ),
        );
        cluster.befall(
          'registry.example/geocoder:0.7',
          unready(
            "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='geo.kartenhaus.example', port=443): Max retries exceeded with url: /v2/geocode (Caused by NameResolutionError(\"<urllib3.connection.HTTPSConnection object at 0x7f5d>: Failed to resolve 'geo.kartenhaus.example' ([Errno -3] Temporary failure in name resolution)\"))",
          ),
        );
      });
      look(cluster, '60s', '100s');
      cluster.expectIncident({
        root: 'ConfigMap/kube-system/coredns',
        accepts: ['Deployment/kube-system/coredns'],
        mustNotBlame: ['Deployment/travel/fares', 'ExternalEndpoint//gds.sabine-air.example'],
      });
    },
  ),

  'issuer-of-identities-is-exchanged-for-one-out-of-date': scenario(
    'The Secret of the mesh issuer is replaced by a certificate that has run out; identities are no longer issued',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const issuer = cluster.secret('linkerd/linkerd-identity-issuer', { 'tls.crt': 'valid', 'tls.key': 'valid' });
      const identity = cluster.deployment('linkerd/linkerd-identity', {
        image: 'registry.example/linkerd/controller:2.17',
        pod: { volumes: [{ name: 'identity-issuer', secret: { secretName: 'linkerd-identity-issuer' } }] },
        container: { volumeMounts: [{ name: 'identity-issuer', mountPath: '/var/run/linkerd/identity/issuer' }] },
      });
      cluster.service('linkerd/linkerd-identity', { ports: [{ name: 'grpc', port: 8080, targetPort: 8080 }] });
      cluster.deployment('shop/offers', { replicas: 2, image: 'registry.example/offers:6.3' });
      const basket = cluster.deployment('shop/basket', {
        replicas: 2,
        image: 'registry.example/basket-meshed:2.2',
        values: { LINKERD2_PROXY_IDENTITY_SVC_ADDR: 'linkerd-identity.linkerd.svc.cluster.local:8080' },
      });
      cluster.at('10s', () => {
        issuer.edit({ 'tls.crt': 'of last year', 'tls.key': 'of last year' });
        cluster.image(
          'registry.example/linkerd/controller:2.17',
          crashes(
            1,
            'time="2026-11-29T06:20:11Z" level=info msg="running version stable-2.17.1"',
            'time="2026-11-29T06:20:11Z" level=info msg="Using k8s client with QPS=100.00 Burst=200"',
            'time="2026-11-29T06:20:11Z" level=fatal msg="Failed to verify issuer credentials for \'identity.linkerd.cluster.local\' with trust anchors: x509: certificate has expired or is not yet valid: current time 2026-11-29T06:20:11Z is after 2026-11-01T00:00:00Z"',
          ),
        );
        identity.restart();
        identity.patch({ spec: { strategy: { type: 'Recreate', rollingUpdate: null } } });
      });
      cluster.at('30s', () => {
        cluster.image(
          'registry.example/basket-meshed:2.2',
          unready(
            '[     0.003811s]  INFO ThreadId(01) linkerd2_proxy: Identity name is default.shop.serviceaccount.identity.linkerd.cluster.local',
            '[     5.013377s]  WARN ThreadId(02) identity:identity{server.addr=linkerd-identity.linkerd.svc.cluster.local:8080}:controller{addr=linkerd-identity.linkerd.svc.cluster.local:8080}:endpoint{addr=10.244.1.9:8080}: linkerd_reconnect: Failed to connect error=Connection refused (os error 111)',
            '[    15.004112s]  WARN ThreadId(01) linkerd_app: Waiting for identity to be initialized...',
          ),
        );
        basket.restart();
      });
      look(cluster, '45s', '80s', '120s');
      cluster.expectIncident({
        root: 'Secret/linkerd/linkerd-identity-issuer',
        mustNotBlame: ['Deployment/shop/basket'],
      });
    },
  ),

  'door-asks-for-a-certificate-of-next-year-and-a-cache-bursts': scenario(
    'An Ingress is pointed at a TLS Secret that does not exist; far away a cache is given less memory than it needs',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(ingressClass);
      cluster.secret('portal/portal-tls', { 'tls.crt': 'x', 'tls.key': 'y' });
      cluster.deployment('portal/portal', { replicas: 2, image: 'registry.example/portal:9' });
      cluster.service('portal/portal');
      const { spec, ...rest } = ingress('portal/portal');
      const tls = (secretName: string) => [{ hosts: ['portal.example'], secretName }];
      const door = cluster.object({ ...rest, spec: { ...(spec as object), tls: tls('portal-tls') } });
      const cache = cluster.statefulSet('feed/feed-cache', {
        image: 'registry.example/dragonfly:1.21',
        memory: '512Mi',
      });
      cluster.service('feed/feed-cache', { ports: [{ name: 'redis', port: 6379, targetPort: 6379 }] });
      cluster.at('10s', () => door.patch({ spec: { tls: tls('portal-tls-2027') } }));
      cluster.at('30s', () => {
        cluster.image('registry.example/dragonfly:1.21', {
          exit: { afterSeconds: 6, code: 137, oom: true },
          log: [
            'I20261129 09:41:02.113001     1 dfly_main.cc:691] Starting dragonfly df-v1.21.0',
            'W20261129 09:41:02.120552     1 dfly_main.cc:723] Max memory limit is 102.40MiB, which is less than the recommended 256MiB per thread',
            'I20261129 09:41:02.409112     1 server_family.cc:788] Loading dump-summary.dfs',
          ],
        });
        cache.change({ memory: '128Mi' });
      });
      look(cluster, '60s', '100s');
      cluster.expectIncident({
        root: 'Ingress/portal/portal',
        beginsAfterSeconds: 10,
        mustNotBlame: ['StatefulSet/feed/feed-cache'],
      });
      cluster.expectIncident({ root: 'StatefulSet/feed/feed-cache', mustNotBlame: ['Ingress/portal/portal'] });
    },
  ),

  'mesh-head-does-not-parse-its-settings': scenario(
    'The settings of the mesh are edited into something that is no YAML; its head crashes and new proxies get no configuration',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const mesh = cluster.configMap('istio-system/istio', {
        mesh: 'accessLogFile: /dev/stdout\nenableTracing: true\n',
      });
      const istiod = cluster.deployment('istio-system/istiod', {
        image: 'registry.example/istio/pilot:1.24',
        pod: { volumes: [{ name: 'mesh', configMap: { name: 'istio' } }] },
        container: { volumeMounts: [{ name: 'mesh', mountPath: '/etc/istio/config' }] },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('istio-system/istiod', { ports: [{ name: 'grpc-xds', port: 15010, targetPort: 15010 }] });
      const parcels = cluster.deployment('ship/parcels', {
        replicas: 3,
        image: 'registry.example/parcels:11-proxied',
        values: { PROXY_XDS: 'istiod.istio-system.svc:15010' },
      });
      cluster.at('6s', () => {
        mesh.edit({ mesh: 'accessLogFile: /dev/stdout\n enableTracing: true\ndefaultConfig:\n  concurrency 2\n' });
        cluster.image(
          'registry.example/istio/pilot:1.24',
          crashes(
            255,
            '2026-11-29T10:02:44.810443Z\tinfo\tinitializing Kubernetes credential reader for cluster Kubernetes',
            '2026-11-29T10:02:44.829114Z\tinfo\tinitializing mesh configuration ./etc/istio/config/mesh',
            'Error: failed to create discovery service: failed to read mesh configuration: yaml: line 2: mapping values are not allowed in this context',
          ),
        );
        istiod.restart();
      });
      cluster.at('35s', () => {
        cluster.image(
          'registry.example/parcels:11-proxied',
          unready(
            '2026-11-29T10:03:15.004112Z\twarning\tenvoy config external/envoy/source/extensions/config_subscription/grpc/grpc_stream.h:191\tDeltaAggregatedResources gRPC config stream to xds-grpc closed since 31s ago: 14, upstream connect error or disconnect/reset before headers. reset reason: connection failure',
            '2026-11-29T10:03:17.230441Z\twarn\tEnvoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected',
          ),
        );
        parcels.restart();
      });
      look(cluster, '50s', '90s', '130s');
      cluster.expectIncident({ root: 'ConfigMap/istio-system/istio', mustNotBlame: ['Deployment/ship/parcels'] });
    },
  ),

  'service-of-the-first-version-is-removed-and-a-proxy-needs-its-name': scenario(
    'A Service is deleted as a leftover; the front proxy that names it does not start again after a drain, which is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('store/catalog', { replicas: 2, image: 'registry.example/catalog:2.0' });
      cluster.service('store/catalog');
      const leftover = cluster.service('store/catalog-v1', { selector: { app: 'catalog' } });
      cluster.configMap('store/edge-conf', {
        'default.conf':
          'upstream catalog { server catalog-v1.store.svc.cluster.local:80; }\nserver { listen 8080; location / { proxy_pass http://catalog; } }\n',
      });
      cluster.deployment('store/edge', {
        replicas: 3,
        image: 'registry.example/nginx:1.27',
        pod: { volumes: [{ name: 'conf', configMap: { name: 'edge-conf' } }] },
        container: { volumeMounts: [{ name: 'conf', mountPath: '/etc/nginx/conf.d' }] },
      });
      cluster.service('store/edge');
      cluster.at('10s', () => leftover.delete());
      cluster.at('45s', () => {
        cluster.image(
          'registry.example/nginx:1.27',
          crashes(
            1,
            '/docker-entrypoint.sh: Configuration complete; ready for start up',
            '2026/11/29 08:31:12 [emerg] 1#1: host not found in upstream "catalog-v1.store.svc.cluster.local:80" in /etc/nginx/conf.d/default.conf:1',
            'nginx: [emerg] host not found in upstream "catalog-v1.store.svc.cluster.local:80" in /etc/nginx/conf.d/default.conf:1',
          ),
        );
        cluster.node('n2').drain();
      });
      cluster.at('100s', () => cluster.node('n2').uncordon());
      look(cluster, '80s', '120s');
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'Service/store/catalog-v1',
        accepts: ['ConfigMap/store/edge-conf'],
        mustNotBlame: ['Node//n2', 'Deployment/store/catalog'],
      });
    },
  ),

  'port-of-a-shared-database-moves-without-its-clients': scenario(
    'The Service of a database is edited to another port; its clients knock at the old one, and one of them was just released',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('data/orders-db', { image: 'registry.example/postgres:16' });
      const service = cluster.service('data/orders-db', {
        ports: [{ name: 'postgres', port: 5432, targetPort: 5432 }],
      });
      const url = { DATABASE_URL: 'postgres://orders@orders-db.data.svc.cluster.local:5432/orders' };
      const intake = cluster.deployment('sales/intake', {
        replicas: 2,
        image: 'registry.example/intake:8.0',
        values: url,
      });
      cluster.deployment('sales/invoices', { image: 'registry.example/invoices:3.3', values: url });
      cluster.deployment('sales/returns', { image: 'registry.example/returns:1.2', values: url });
      cluster.at('2s', () => intake.setImage('registry.example/intake:8.1'));
      cluster.at('30s', () => {
        service.patch({ spec: { ports: [{ name: 'postgres', port: 6432, targetPort: 5432, protocol: 'TCP' }] } });
        for (const image of ['intake:8.1', 'invoices:3.3', 'returns:1.2'])
          cluster.befall(
            `registry.example/${image}`,
            crashes(
              1,
              'psycopg.OperationalError: connection failed: connection to server at "10.96.88.12", port 5432 failed: Connection refused',
              '\tIs the server running on that host and accepting TCP/IP connections?',
              'could not connect to orders-db.data.svc.cluster.local:5432, giving up',
            ),
          );
      });
      look(cluster, '50s', '90s');
      cluster.expectIncident({
        root: 'Service/data/orders-db',
        mustNotBlame: ['Deployment/sales/intake', 'StatefulSet/data/orders-db'],
      });
    },
  ),

  'role-of-the-shared-door-keeper-loses-its-classes': scenario(
    'The role of the Ingress controller is edited and may no longer read classes; its restarted copies die',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(ingressClass);
      const rules = (withClasses: boolean) => [
        {
          apiGroups: [''],
          resources: ['services', 'endpoints', 'secrets', 'configmaps'],
          verbs: ['get', 'list', 'watch'],
        },
        {
          ...{ apiGroups: ['networking.k8s.io'], verbs: ['get', 'list', 'watch'] },
          resources: withClasses ? ['ingresses', 'ingressclasses'] : ['ingresses'],
        },
      ];
      const role = cluster.object({
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'ingress-nginx' } },
        rules: rules(true),
      });
      cluster.object({
        ...{
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: 'ingress-nginx' },
        },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'ingress-nginx' },
        subjects: [{ kind: 'ServiceAccount', name: 'ingress-nginx', namespace: 'ingress-nginx' }],
      });
      cluster.object({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'ingress-nginx', namespace: 'ingress-nginx' },
      });
      const keeper = cluster.deployment('ingress-nginx/ingress-nginx-controller', {
        replicas: 2,
        image: 'registry.example/ingress-nginx/controller:v1.12.1',
        pod: { serviceAccountName: 'ingress-nginx' },
      });
      cluster.service('ingress-nginx/ingress-nginx-controller');
      cluster.deployment('shop/shopfront', { replicas: 2, image: 'registry.example/shopfront:3' });
      cluster.service('shop/shopfront');
      cluster.object(ingress('shop/shopfront'));
      cluster.at('10s', () => role.patch({ rules: rules(false) }));
      cluster.at('25s', () => {
        cluster.image(
          'registry.example/ingress-nginx/controller:v1.12.1',
          crashes(
            255,
            'NGINX Ingress controller',
            '  Release:       v1.12.1',
            'I1129 11:20:02.004410       7 main.go:248] "Running in Kubernetes cluster" major="1" minor="32" git="v1.32.3" state="clean"',
            'F1129 11:20:02.233112       7 main.go:103] Error searching IngressClass: ingressclasses.networking.k8s.io is forbidden: User "system:serviceaccount:ingress-nginx:ingress-nginx" cannot list resource "ingressclasses" in API group "networking.k8s.io" at the cluster scope',
          ),
        );
        keeper.restart();
      });
      look(cluster, '50s', '90s');
      cluster.expectIncident({
        root: 'ClusterRole//ingress-nginx',
        accepts: ['ServiceAccount/ingress-nginx/ingress-nginx'],
        mustNotBlame: ['Deployment/shop/shopfront'],
      });
    },
  ),
};
