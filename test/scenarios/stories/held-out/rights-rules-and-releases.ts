import { scenario } from '../../kit/scenario.ts';
import { networkPolicy, webhook } from '../../kit/things.ts';
import { app, edited, floor, plain, service } from './parts/shop-floor.ts';

const restart = {
  spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-28T10:00:00Z' } } } },
};

export const stories = {
  'judge-of-all-writes-runs-out-of-memory': scenario(
    'What answers a webhook is killed for its memory since its limit was cut; an operator that writes through it gives up',
    (c) => {
      floor(c, '7m');
      const image = 'registry.example/kyverno:v1.12.6';
      const sizes = (memory: string) => ({
        replicas: 1,
        port: 9443,
        resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory } },
      });
      const judge = c.object(app('Deployment', 'kyverno/kyverno-admission-controller', image, sizes('384Mi')));
      c.object(service('kyverno/kyverno-admission-controller', 9443));
      c.object(
        webhook(
          'kyverno-resource-validating-webhook-cfg',
          { namespace: 'kyverno', name: 'kyverno-admission-controller' },
          { about: 'configmaps', namespace: 'grafana' },
        ),
      );
      const operator = 'registry.example/grafana-operator:v5.15.1';
      c.object(app('Deployment', 'grafana/grafana-operator', operator, { replicas: 1, account: 'grafana-operator' }));
      c.object(plain('v1', 'ServiceAccount', 'grafana/grafana-operator'));
      c.at('20s', () => {
        c.image(image, {
          exit: { afterSeconds: 9, code: 137, oom: true },
          log: [
            'I1128 10:00:01.440102       1 informer.go:18] setup/informers/clusterinformer "msg"="starting informers..."',
          ],
        });
        judge.patch(
          edited(
            app('Deployment', 'kyverno/kyverno-admission-controller', image, {
              ...sizes('96Mi'),
              more: { strategy: { type: 'Recreate' } },
            }),
          ),
        );
      });
      c.at('50s', () =>
        c.befall(operator, {
          exit: { afterSeconds: 20, code: 1 },
          log: [
            'ERROR GrafanaReconciler failed to reconcile {"error": "Internal error occurred: failed calling webhook \\"configmaps.kyverno-resource-validating-webhook-cfg\\": failed to call webhook: Post \\"https://kyverno-admission-controller.kyverno.svc:443/validate?timeout=2s\\": no endpoints available for service \\"kyverno-admission-controller\\""}',
            'ERROR setup problem running manager {"error": "too many consecutive failures"}',
          ],
        }),
      );
      c.expectIncident({
        root: 'Deployment/kyverno/kyverno-admission-controller',
        mustNotBlame: ['Deployment/grafana/grafana-operator'],
      });
    },
  ),

  'rights-of-an-operator-are-trimmed-too-far': scenario(
    'A role of an operator is trimmed after an audit; at its next start it may not watch what it must',
    (c) => {
      floor(c, '7m');
      const rule = (verbs: readonly string[]) => ({
        rules: [{ apiGroups: [''], resources: ['services', 'secrets'], verbs }],
      });
      const role = c.object(
        plain(
          'rbac.authorization.k8s.io/v1',
          'ClusterRole',
          '/valkey-operator',
          rule(['get', 'list', 'watch', 'create']),
        ),
      );
      c.object(
        plain('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', '/valkey-operator', {
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'valkey-operator' },
          subjects: [{ kind: 'ServiceAccount', name: 'valkey-operator', namespace: 'valkey-system' }],
        }),
      );
      c.object(plain('v1', 'ServiceAccount', 'valkey-system/valkey-operator'));
      const image = 'registry.example/valkey-operator:0.3';
      const operator = c.object(
        app('Deployment', 'valkey-system/valkey-operator', image, { replicas: 1, account: 'valkey-operator' }),
      );
      c.at('10s', () => role.patch({ rules: rule(['get', 'create']).rules }));
      c.at('60s', () => {
        c.image(image, {
          exit: { afterSeconds: 12, code: 1 },
          log: [
            'W1128 10:05:01.003911       1 reflector.go:561] pkg/mod/k8s.io/client-go@v0.31.1/tools/cache/reflector.go:243: failed to list *v1.Secret: secrets is forbidden: User "system:serviceaccount:valkey-system:valkey-operator" cannot list resource "secrets" in API group "" at the cluster scope',
            '2026-11-28T10:05:12Z ERROR setup problem running manager {"error": "failed to wait for valkey caches to sync: timed out waiting for cache to be synced"}',
          ],
        });
        operator.patch(restart);
      });
      c.expectIncident({
        root: 'ClusterRole//valkey-operator',
        accepts: ['ServiceAccount/valkey-system/valkey-operator'],
      });
    },
  ),

  'policy-for-outgoing-traffic-forgets-the-cache': scenario(
    'A policy lets a service out to its database and to names only; it needs its cache too, whose settings were edited before',
    (c) => {
      floor(c, '7m');
      const settings = c.configMap('game/valkey', { 'valkey.conf': 'maxmemory 200mb\n' });
      c.object(
        app('StatefulSet', 'game/valkey', 'registry.example/valkey:8.0', {
          replicas: 1,
          port: 6379,
          mounts: { 'ConfigMap/valkey': '/etc/valkey' },
        }),
      );
      c.object(service('game/valkey', 6379));
      c.object(app('StatefulSet', 'game/postgres', 'registry.example/postgres:16.4', { replicas: 1, port: 5432 }));
      c.object(service('game/postgres', 5432));
      const image = 'registry.example/game/lobby:33';
      c.object(
        app('Deployment', 'game/lobby', image, {
          port: 8080,
          env: { REDIS_ADDR: 'valkey.game.svc:6379', PGHOST: 'postgres.game.svc' },
        }),
      );
      c.object(service('game/lobby', 8080));
      c.at('10s', () => settings.edit({ 'valkey.conf': 'maxmemory 300mb\n' }));
      c.at('60s', () => {
        c.object(
          networkPolicy('game/lobby', {
            policyTypes: ['Egress'],
            egress: [
              { to: [{ podSelector: { matchLabels: { app: 'postgres' } } }], ports: [{ port: 5432 }] },
              { ports: [{ port: 53, protocol: 'UDP' }] },
            ],
          }),
        );
        c.befall(image, {
          exit: { afterSeconds: 8, code: 1 },
          log: [
            '{"level":"info","msg":"postgres connected","host":"postgres.game.svc"}',
            '{"level":"fatal","msg":"session store","error":"dial tcp 10.96.70.3:6379: i/o timeout","addr":"valkey.game.svc:6379"}',
          ],
        });
      });
      c.expectIncident({
        root: 'NetworkPolicy/game/lobby',
        mustNotBlame: ['ConfigMap/game/valkey', 'StatefulSet/game/valkey'],
      });
    },
  ),

  'two-releases-within-a-minute-and-one-lacks-a-variable': scenario(
    'Two services of a team are released within a minute; one of them asks for a variable that nobody sets',
    (c) => {
      floor(c, '6m');
      const cart = c.object(app('Deployment', 'store/cart', 'registry.example/store/cart:4', { port: 8080 }));
      const payments = c.object(
        app('Deployment', 'store/payments', 'registry.example/store/payments:4', { port: 8080 }),
      );
      for (const name of ['cart', 'payments']) c.object(service(`store/${name}`, 8080));
      c.image('registry.example/store/payments:5', {
        exit: { afterSeconds: 2, code: 1 },
        log: [
          'Traceback (most recent call last):',
          '  File "/srv/payments/settings.py", line 61, in <module>',
          "    STRIPE_API_KEY = os.environ['STRIPE_API_KEY']",
          "KeyError: 'STRIPE_API_KEY'",
        ],
      });
      c.at('10s', () =>
        payments.patch(
          edited(app('Deployment', 'store/payments', 'registry.example/store/payments:5', { port: 8080 })),
        ),
      );
      c.at('40s', () =>
        cart.patch(edited(app('Deployment', 'store/cart', 'registry.example/store/cart:5', { port: 8080 }))),
      );
      c.expectIncident({ root: 'Deployment/store/payments', mustNotBlame: ['Deployment/store/cart'] });
    },
  ),

  'price-service-is-renumbered-under-its-callers': scenario(
    'The port of a Service is changed; its callers still ask the one of before and are turned away',
    (c) => {
      floor(c, '7m');
      c.object(app('Deployment', 'deal/prices', 'registry.example/deal/prices:9', { port: 8080 }));
      const prices = c.object(service('deal/prices', 8080));
      const env = { port: 3000, env: { PRICES_URL: 'http://prices.deal.svc.cluster.local:8080' } };
      for (const name of ['offers', 'quotes'])
        c.object(app('Deployment', `deal/${name}`, `registry.example/deal/${name}:9`, env));
      c.at('15s', () => {
        prices.patch({ spec: { ports: [{ name: 'main', port: 80, targetPort: 8080 }] } });
        for (const name of ['offers', 'quotes'])
          c.befall(`registry.example/deal/${name}:9`, {
            exit: { afterSeconds: 10, code: 1 },
            log: [
              'starting on :3000',
              'Error: connect ECONNREFUSED 10.96.55.20:8080',
              '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1607:16) { url: "http://prices.deal.svc.cluster.local:8080/v1/list" }',
            ],
          });
      });
      c.expectIncident({
        root: 'Service/deal/prices',
        mustNotBlame: ['Deployment/deal/offers', 'Deployment/deal/quotes', 'Deployment/deal/prices'],
      });
    },
  ),

  'selector-of-the-flags-loses-its-pods-and-a-nightly-report-its-image': scenario(
    'A Service is given a label that its Pods do not carry and its callers fail; elsewhere an image was never pushed',
    (c) => {
      floor(c, '7m');
      c.object(app('Deployment', 'flags/unleash', 'registry.example/unleash:6.4', { port: 4242 }));
      const flags = c.object(service('flags/unleash', 4242));
      c.object(
        app('Deployment', 'bank/accounts', 'registry.example/bank/accounts:2', {
          port: 8080,
          env: { UNLEASH_URL: 'http://unleash.flags.svc:4242/api' },
        }),
      );
      const report = c.object(app('Deployment', 'risk/report', 'registry.example/risk/report:3', {}));
      c.image('registry.example/risk/report:4', { pullError: 'NotFound' });
      c.at('15s', () => {
        flags.patch({ spec: { selector: { app: 'unleash', tier: 'edge' } } });
        c.befall('registry.example/bank/accounts:2', {
          exit: { afterSeconds: 12, code: 1 },
          log: [
            '[Unleash] FetchError: request to http://unleash.flags.svc:4242/api/client/features failed, reason: connect ECONNREFUSED 10.96.9.9:4242',
            'fatal: feature flags not available, refusing to start',
          ],
        });
      });
      c.at('45s', () => report.patch(edited(app('Deployment', 'risk/report', 'registry.example/risk/report:4', {}))));
      c.expectIncident({
        root: 'Service/flags/unleash',
        mustNotBlame: ['Deployment/flags/unleash', 'Deployment/bank/accounts'],
      });
      c.expectIncident({ root: 'Deployment/risk/report', reason: 'ImageNotFound' });
    },
  ),

  'feature-file-is-no-json-and-a-proxy-gets-half-a-certificate': scenario(
    'One team edits a JSON file and leaves a comma, another stores a certificate without its last line',
    (c) => {
      floor(c, '7m');
      const file = c.configMap('app/features', { 'features.json': '{"dark": true}' });
      const node = c.object(
        app('Deployment', 'app/web', 'registry.example/app/web:50', {
          port: 3000,
          mounts: { 'ConfigMap/features': '/srv/config' },
        }),
      );
      const tls = c.secret('edge/www-tls', { 'tls.crt': 'Y2VydA==', 'tls.key': 'a2V5' });
      const proxy = c.object(
        app('Deployment', 'edge/www', 'registry.example/nginx:1.27.2', {
          port: 443,
          mounts: { 'Secret/www-tls': '/etc/tls' },
        }),
      );
      c.object(service('edge/www', 443));
      c.at('10s', () => file.edit({ 'features.json': '{"dark": true,}' }));
      c.at('20s', () => {
        c.image('registry.example/app/web:50', {
          exit: { afterSeconds: 1, code: 1 },
          log: [
            'SyntaxError: /srv/config/features.json: Expected double-quoted property name in JSON at position 14 (line 1 column 15)',
            '    at JSON.parse (<anonymous>)',
          ],
        });
        node.patch(restart);
      });
      c.at('45s', () => tls.edit({ 'tls.crt': 'Y2Vy', 'tls.key': 'a2V5' }));
      c.at('55s', () => {
        c.image('registry.example/nginx:1.27.2', {
          exit: { afterSeconds: 1, code: 1 },
          log: [
            '2026/11/28 10:30:11 [emerg] 1#1: cannot load certificate "/etc/tls/tls.crt": PEM_read_bio_X509_AUX() failed (SSL: error:0480006C:PEM routines::no start line:Expecting: TRUSTED CERTIFICATE)',
            'nginx: [emerg] cannot load certificate "/etc/tls/tls.crt": PEM_read_bio_X509_AUX() failed (SSL: error:0480006C:PEM routines::no start line:Expecting: TRUSTED CERTIFICATE)',
          ],
        });
        proxy.patch(restart);
      });
      c.expectIncident({ root: 'ConfigMap/app/features', accepts: ['Deployment/app/web'] });
      c.expectIncident({ root: 'Secret/edge/www-tls', accepts: ['Deployment/edge/www'] });
    },
  ),

  'rule-of-the-alerts-has-an-open-bracket': scenario(
    'A rule file is edited and does not parse; the server of metrics does not start again. What draws from it stays well',
    (c) => {
      floor(c, '6m');
      const rules = c.configMap('monitoring/prometheus-rules', { 'latency.yml': 'groups: []\n' });
      const image = 'registry.example/prom/prometheus:v2.55.1';
      const server = c.object(
        app('StatefulSet', 'monitoring/prometheus', image, {
          replicas: 1,
          port: 9090,
          mounts: { 'ConfigMap/prometheus-rules': '/etc/prometheus/rules' },
        }),
      );
      c.object(service('monitoring/prometheus', 9090));
      c.object(
        app('Deployment', 'monitoring/grafana', 'registry.example/grafana:11.3', {
          replicas: 1,
          port: 3000,
          env: { GF_DATASOURCE: 'http://prometheus.monitoring.svc:9090' },
        }),
      );
      c.at('10s', () =>
        rules.edit({
          'latency.yml': 'groups:\n- name: latency\n  rules:\n  - alert: Slow\n    expr: rate(x[5m] > 1\n',
        }),
      );
      c.at('40s', () => {
        c.image(image, {
          exit: { afterSeconds: 2, code: 1 },
          log: [
            'ts=2026-11-28T10:40:01.114Z caller=main.go:627 level=info msg="Starting Prometheus Server" mode=server version="(version=2.55.1)"',
            'ts=2026-11-28T10:40:02.201Z caller=main.go:1345 level=error msg="Failed to apply configuration" err="/etc/prometheus/rules/latency.yml: 5:11: group \\"latency\\", rule 1, \\"Slow\\": could not parse expression: 1:15: parse error: unclosed left parenthesis"',
            'ts=2026-11-28T10:40:02.202Z caller=main.go:1246 level=error err="error loading config from \\"/etc/prometheus/prometheus.yml\\": one or more errors occurred while applying the new configuration (--config.file=\\"/etc/prometheus/prometheus.yml\\")"',
          ],
        });
        server.patch(restart);
      });
      c.expectIncident({
        root: 'ConfigMap/monitoring/prometheus-rules',
        accepts: ['StatefulSet/monitoring/prometheus'],
        mustNotBlame: ['Deployment/monitoring/grafana'],
      });
    },
  ),
};
