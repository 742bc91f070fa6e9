import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

const image = (name: string): string => `registry.acme.example/${name}`;

/** Releases that go wrong by themselves, and one that breaks only those who call it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/
  'feature-toggle-panics': scenario(
    'A release of the cart panics when it reads a feature toggle; settings of another team were edited just before',
    (cluster) => {
      surroundings(cluster);
      const theme = cluster.configMap('web/theme', { colour: 'blue' });
      const cart = cluster.deployment('checkout/cart', { replicas: 3, image: image('cart:7.3.0') });
      cluster.service('checkout/cart');
      cluster.image(
        image('cart:7.4.0'),
        ends(
          [
            '{"level":"info","ts":"2026-11-02T09:14:07Z","msg":"starting cart","version":"7.4.0"}',
            'panic: runtime error: invalid memory address or nil pointer dereference',
            '[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x8a1f3c]',
            'goroutine 1 [running]:',
            'acme.example/cart/internal/toggles.(*Set).Enabled(0x0, {0xb0c1d2, 0xe})',
          ],
          2,
          2,
        ),
      );
      cluster.at('5s', () => theme.edit({ colour: 'green' }));
      cluster.at('12s', () => cart.setImage(image('cart:7.4.0')));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/checkout/cart',
        mustNotBlame: ['ConfigMap/web/theme', 'Deployment/web/storefront', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
  // https://doc.traefik.io/traefik/migrate/v2-to-v3/
  'proxy-release-knows-an-option-no-more': scenario(
    'A new version of the proxy refuses an option, and with it all routes are gone',
    (cluster) => {
      cluster.pro();
      const { storefront } = surroundings(cluster);
      cluster.object(ingressClass);
      const proxy = cluster.deployment('edge/traefik', {
        replicas: 2,
        image: image('traefik:2.11'),
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('edge/traefik');
      for (const name of ['storefront', 'blog']) {
        if (name === 'blog') {
          cluster.deployment('web/blog', { replicas: 2, image: image('blog:1.8') });
          cluster.service('web/blog');
        }
        cluster.object(ingress(`web/${name}`));
      }
      cluster.image(
        image('traefik:3.1'),
        ends(
          [
            '{"level":"error","error":"command traefik error: failed to decode configuration from flags: field not found, node: pilot","time":"2026-11-02T10:02:11Z","message":"Command error"}',
          ],
          1,
          1,
        ),
      );
      cluster.at('6s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('25s', () => proxy.setImage(image('traefik:3.1')));
      cluster.lasts('2m15s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Deployment/edge/traefik',
        mustNotBlame: ['Deployment/web/storefront', 'Deployment/web/blog', 'Ingress/web/blog', 'Service/web/blog'],
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/
  'slow-start-is-killed': scenario(
    'A release needs longer to start than its liveness probe waits, and is killed again and again',
    (cluster) => {
      surroundings(cluster);
      const container = {
        livenessProbe: { httpGet: { path: '/actuator/health/liveness', port: 8080 }, periodSeconds: 5 },
      };
      const tariff = cluster.deployment('billing/tariff', { replicas: 2, image: image('tariff:11'), container });
      cluster.service('billing/tariff');
      cluster.image(image('tariff:12'), {
        readyAfterSeconds: 'never',
        readinessSays: 'Get "http://10.244.1.17:8080/ready": dial tcp 10.244.1.17:8080: connect: connection refused',
        livenessFails: {
          afterSeconds: 5,
          says: 'Get "http://10.244.1.17:8080/actuator/health/liveness": dial tcp 10.244.1.17:8080: connect: connection refused',
        },
        log: [
          'INFO 1 --- [main] a.e.tariff.TariffApplication : Starting TariffApplication v12 using Java 21.0.4 with PID 1',
          'INFO 1 --- [main] liquibase.changelog : Reading resource: db/changelog/db.changelog-master.yaml',
        ],
      });
      cluster.at('8s', () => tariff.setImage(image('tariff:12')));
      cluster.lasts('3m10s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({ root: 'Deployment/billing/tariff', mustNotBlame: ['Deployment/web/storefront'] });
    },
  ),
  // https://grpc.io/docs/guides/status-codes/
  'server-renames-its-service': scenario(
    'A release of the ledger is ready and answers, but no longer knows the calls of those who use it',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const ledger = cluster.deployment('bank/ledger', { replicas: 2, image: image('ledger:3.9') });
      cluster.service('bank/ledger', { ports: [{ name: 'grpc', port: 9000, targetPort: 8080, protocol: 'TCP' }] });
      const callers = ['transfers', 'statements'];
      for (const name of callers) {
        cluster.deployment(`bank/${name}`, {
          replicas: 2,
          image: image(`${name}:2.0`),
          values: { LEDGER_ADDRESS: 'ledger.bank.svc.cluster.local:9000' },
        });
        cluster.service(`bank/${name}`);
      }
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('15s', () => ledger.setImage(image('ledger:4.0')));
      cluster.at('24s', () => {
        for (const name of callers)
          cluster.befall(
            image(`${name}:2.0`),
            unready([
              `level=error msg="health check failed" target=ledger.bank.svc.cluster.local:9000 err="rpc error: code = Unimplemented desc = unknown service acme.ledger.v1.Ledger"`,
            ]),
          );
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Deployment/bank/ledger',
        accepts: ['Service/bank/ledger'],
        mustNotBlame: ['Deployment/bank/transfers', 'Deployment/bank/statements', 'Deployment/web/storefront'],
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/
  'listens-on-another-port': scenario('A release listens on another port than the one that is probed', (cluster) => {
    surroundings(cluster);
    const quotes = cluster.deployment('sales/quotes', {
      replicas: 2,
      image: image('quotes:1.30'),
      spec: { progressDeadlineSeconds: 60 },
    });
    cluster.service('sales/quotes');
    cluster.image(
      image('quotes:1.31'),
      unready(
        ['Now listening on: http://[::]:5000', 'Application started. Press Ctrl+C to shut down.'],
        'Get "http://10.244.2.9:8080/ready": dial tcp 10.244.2.9:8080: connect: connection refused',
      ),
    );
    cluster.at('10s', () => quotes.setImage(image('quotes:1.31')));
    cluster.lasts('2m45s');
    cluster.recordedFrom('sandbox');
    cluster.expectIncident({ root: 'Deployment/sales/quotes', mustNotBlame: ['Service/sales/quotes'] });
  }),
  // https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/
  'added-companion-crashes': scenario(
    'Somebody adds a container for tracing to a workload, and only that container crashes',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      const search = cluster.deployment('search/frontend', { replicas: 2, image: image('search-frontend:8') });
      cluster.service('search/frontend');
      cluster.image(
        image('otel-collector:0.111'),
        ends(
          [
            'Error: failed to get config: cannot unmarshal the configuration: decoding failed due to the following error(s):',
            'error decoding \'exporters\': unknown type: "jaeger" for id: "jaeger"',
            'collector server run finished with error',
          ],
          1,
          1,
        ),
      );
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('18s', () =>
        search.patch({
          spec: { template: { spec: { containers: [{ name: 'otel', image: image('otel-collector:0.111') }] } } },
        }),
      );
      cluster.lasts('2m');
      cluster.expectIncident({ root: 'Deployment/search/frontend', mustNotBlame: ['Deployment/office/wiki'] });
    },
  ),
};
