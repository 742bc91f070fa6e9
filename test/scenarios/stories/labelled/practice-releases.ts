import { company, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Releases that fail, each in its own way, and releases that make others fail. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://sourceware.org/glibc/wiki/FAQ, https://github.com/nodejs/docker-node/issues: built on a newer base image.
  'binary-asks-for-a-newer-libc': scenario(
    'A release was built against a newer C library than its base image has',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      const ledger = cluster.deployment('bank/ledger', { replicas: 3, image: imageAt('ledger', 41) });
      cluster.service('bank/ledger');
      innocentRelease(cluster, '4s', firm);
      cluster.image(
        imageAt('ledger', 42),
        ends(
          ["/app/ledger: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /app/ledger)"],
          1,
          1,
        ),
      );
      cluster.at('10s', () => ledger.setImage(imageAt('ledger', 42)));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/bank/ledger',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking', 'Service/bank/ledger'],
      });
    },
  ),

  // https://docs.docker.com/reference/dockerfile/#entrypoint: a script with CRLF, whose interpreter "does not exist".
  'entrypoint-with-carriage-returns': scenario(
    'The entry point of a release has the line ends of Windows',
    (cluster) => {
      const wiki = cluster.deployment('office/forum', { replicas: 2, image: imageAt('forum', 3) });
      cluster.service('office/forum');
      const firm = company(cluster);
      innocentRelease(cluster, '3s', firm);
      cluster.image(
        imageAt('forum', 4),
        ends(['exec /usr/local/bin/docker-entrypoint.sh: no such file or directory'], 255, 1),
      );
      cluster.at('8s', () => wiki.setImage(imageAt('forum', 4)));
      cluster.lasts('2m');
      cluster.expectIncident({ root: 'Deployment/office/forum', messages: { resolve: 0 } });
    },
  ),

  // https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/
  'sign-in-before-the-health-page': scenario(
    'A release asks for a sign-in on every page, the health page too',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const portal = cluster.deployment('hr/portal', {
        replicas: 3,
        image: imageAt('portal', 11),
        spec: { progressDeadlineSeconds: 60 },
      });
      cluster.service('hr/portal');
      cluster.image(
        imageAt('portal', 12),
        unready(
          [
            'Started PortalApplication in 4.118 seconds (process running for 4.9)',
            'DEBUG o.s.s.w.a.AnonymousAuthenticationFilter : Set SecurityContextHolder to anonymous',
          ],
          'HTTP probe failed with statuscode: 401',
        ),
      );
      cluster.at('6s', () => portal.setImage(imageAt('portal', 12)));
      cluster.lasts('3m');
      cluster.expectIncident({ root: 'Deployment/hr/portal', messages: { resolve: 0 } });
    },
  ),

  // https://pkg.go.dev/net#Listen: listens on the loopback address only.
  'listens-on-loopback-only': scenario('A release listens on 127.0.0.1, where no probe comes', (cluster) => {
    cluster.recordedFrom('sandbox');
    company(cluster);
    const first = { replicas: 2, image: imageAt('quotes', 7), spec: { progressDeadlineSeconds: 60 } };
    const quotes = cluster.deployment('sales/quotes', first);
    cluster.service('sales/quotes');
    cluster.image(
      imageAt('quotes', 8),
      unready(
        [
          'INFO:     Started server process [1]',
          'INFO:     Uvicorn running on http://127.0.0.1:8080 (Press CTRL+C to quit)',
        ],
        'Get "http://10.244.1.23:8080/ready": dial tcp 10.244.1.23:8080: connect: connection refused',
      ),
    );
    cluster.at('5s', () => quotes.setImage(imageAt('quotes', 8)));
    cluster.lasts('3m');
    cluster.expectIncident({ root: 'Deployment/sales/quotes', messages: { resolve: 0 } });
  }),

  // https://grpc.io/docs/guides/status-codes/: a method that callers use is gone.
  'server-drops-a-method': scenario('A healthy release of a server lacks a method that three teams call', (cluster) => {
    cluster.recordedFrom('sandbox');
    company(cluster);
    const stock = cluster.deployment('warehouse/stock', { replicas: 3, image: imageAt('stock', 20) });
    cluster.service('warehouse/stock', port(9090, 'grpc'));
    const values = { STOCK_ADDR: 'stock.warehouse.svc:9090' };
    const lines = [
      'ERROR reserve failed target=stock.warehouse.svc:9090 err="rpc error: code = Unimplemented desc = unknown method ReserveItems for service stock.v1.Stock"',
    ];
    cluster.at('10s', () => stock.setImage(imageAt('stock', 21)));
    const clients = dependants(cluster, '22s', {
      'shop/basket': { does: unready(lines), values },
      'wholesale/orders': { does: unready(lines), values },
      'returns/desk': {
        does: ends(
          [
            'panic: ' +
              'rpc error: code = Unimplemented desc = unknown method ReserveItems for service stock.v1.Stock (stock.warehouse.svc:9090)',
          ],
          2,
        ),
        values,
      },
    });
    cluster.lasts('2m30s');
    cluster.expectIncident({
      root: 'Deployment/warehouse/stock',
      accepts: ['Service/warehouse/stock'],
      messages: { resolve: 0 },
      mustNotBlame: clients,
    });
  }),

  // https://docs.pydantic.dev/latest/errors/validation_errors/: the answer of a server has another shape since its release.
  'answer-changes-its-shape': scenario(
    'A release of a catalogue answers with other fields, and two readers crash',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      const catalogue = cluster.deployment('shop/catalogue', { replicas: 2, image: imageAt('catalogue', 5) });
      cluster.service('shop/catalogue');
      const values = { CATALOGUE_URL: 'http://catalogue.shop.svc/v1/items' };
      innocentRelease(cluster, '3s', firm);
      cluster.at('8s', () => catalogue.setImage(imageAt('catalogue', 6)));
      const clients = dependants(cluster, '20s', {
        'shop/recommend': {
          does: ends([
            'pydantic_core._pydantic_core.ValidationError: 1 validation error for Item',
            "price  Field required [type=missing, input_value={'id': 81, 'amount': 1290}, input_type=dict]",
            'while reading http://catalogue.shop.svc/v1/items',
          ]),
          values,
        },
        'marketing/feeds': {
          does: ends(['panic: decode http://catalogue.shop.svc/v1/items: json: unknown field "amount"'], 2),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/shop/catalogue',
        accepts: ['Service/shop/catalogue'],
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/temporalio/helm-charts/issues/407
  'workflow-engine-ahead-of-its-tables': scenario(
    'A workflow engine is released before its tables were changed, and its workers lose it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.statefulSet('flow/postgres', { image: 'docker.io/library/postgres:17' });
      cluster.service('flow/postgres', port(5432));
      const frontend = cluster.deployment('flow/temporal-frontend', {
        ...{ replicas: 2, image: 'docker.io/temporalio/server:1.27' },
        values: { POSTGRES_SEEDS: 'postgres.flow.svc' },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('flow/temporal-frontend', port(7233));
      cluster.image(
        'docker.io/temporalio/server:1.29',
        ends([
          'sql schema version compatibility check failed: version mismatch for keyspace/database: "temporal". Expected version: 1.18 cannot be greater than Actual version: 1.17',
        ]),
      );
      cluster.at('6s', () => frontend.setImage('docker.io/temporalio/server:1.29'));
      const values = { TEMPORAL_ADDRESS: 'temporal-frontend.flow.svc:7233' };
      const clients = dependants(cluster, '12s', {
        'billing/invoicer': {
          does: ends([
            'Unable to create client: failed reaching server: last connection error: connection error: desc = "transport: Error while dialing: dial tcp: connect to temporal-frontend.flow.svc:7233: connect: connection refused"',
          ]),
          values,
        },
        'shop/fulfilment': {
          does: ends([
            'io.grpc.StatusRuntimeException: UNAVAILABLE: io exception',
            'Caused by: java.net.ConnectException: Connection refused: temporal-frontend.flow.svc:7233',
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/flow/temporal-frontend',
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'StatefulSet/flow/postgres'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-back-a-deployment
  'back-to-an-image-that-was-cleaned-away': scenario(
    'A rollback asks for a tag that a clean-up of the registry has removed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const search = cluster.deployment('shop/suggest', { replicas: 2, image: imageAt('suggest', 'r118') });
      cluster.service('shop/suggest');
      cluster.at('4s', () => search.setImage(imageAt('suggest', 'r119')));
      cluster.at('25s', () => cluster.image(imageAt('suggest', 'r118'), { pullError: 'NotFound' }));
      cluster.at('26s', () => search.setImage(imageAt('suggest', 'r118')));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/shop/suggest',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/intranet/chat'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/pods/#pod-networking: the containers of a Pod share its ports.
  'sidecar-takes-the-same-port': scenario(
    'A second container is added that listens on the port of the first',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const pay = cluster.deployment('bank/payments', { replicas: 2, image: imageAt('payments', 9) });
      cluster.service('bank/payments');
      const sidecar = imageAt('audit-proxy', 1);
      cluster.image(sidecar, ends(['listen tcp :8080: bind: address already in use'], 1, 1));
      cluster.at('6s', () =>
        pay.patch({ spec: { template: { spec: { containers: [{ name: 'audit-proxy', image: sidecar }] } } } }),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({ root: 'Deployment/bank/payments', messages: { resolve: 0 } });
    },
  ),

  // https://kubernetes.io/docs/tasks/configure-pod-container/security-context/
  'no-longer-root-on-an-old-disk': scenario(
    'A release runs as an ordinary user, and its files belong to root',
    (cluster) => {
      company(cluster);
      const first = { replicas: 2, image: imageAt('uploads', 30) };
      const uploads = cluster.deployment('media/uploads', first);
      cluster.service('media/uploads');
      cluster.image(
        imageAt('uploads', 31),
        ends([
          "Error: EACCES: permission denied, open '/data/uploads/.lock'",
          '    at Object.openSync (node:fs:561:18)',
        ]),
      );
      cluster.at('6s', () =>
        uploads.change({
          image: imageAt('uploads', 31),
          pod: { securityContext: { runAsUser: 10001, runAsNonRoot: true } },
        }),
      );
      cluster.lasts('2m');
      cluster.expectIncident({ root: 'Deployment/media/uploads', messages: { resolve: 0 } });
    },
  ),

  // https://kubernetes.io/docs/reference/using-api/deprecation-guide/: asks for a version of a kind that is not served.
  'controller-wants-a-version-that-is-not-served': scenario(
    'A release of an operator watches a version of its kind that nobody installed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const tenants = cluster.deployment('platform/tenant-controller', {
        image: imageAt('tenant-controller', '0.9'),
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.image(
        imageAt('tenant-controller', '1.0'),
        ends(
          [
            'ERROR setup unable to create controller {"controller": "Tenant", "error": "failed to get informer: no matches for kind \\"Tenant\\" in version \\"platform.borealis.example/v1\\""}',
          ],
          1,
          4,
        ),
      );
      cluster.at('6s', () => tenants.setImage(imageAt('tenant-controller', '1.0')));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/platform/tenant-controller',
        accepts: ['CustomResourceDefinition//tenants.platform.borealis.example'],
        messages: { resolve: 0 },
      });
    },
  ),
};
