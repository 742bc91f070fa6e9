import type { Scenario } from '../../kit/scenario.ts';
import { scenario } from '../../kit/scenario.ts';

/** A Service of one port, the same inside. */
const on = (port: number, more: object = {}): object => ({
  ports: [{ name: 'tcp', port, targetPort: port, protocol: 'TCP' }],
  ...more,
});

const postgres = 'registry.example/library/postgres:16.4';

/** Releases and what goes out with them. */
export const stories: Readonly<Record<string, Scenario>> = {
  'migration-file-was-edited-after-it-had-run': scenario(
    'A release brings a migration whose text was changed after it had been applied; a flag was flipped two minutes before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.secret('orders/checkout-db', { username: 'checkout', password: 'p-7319' });
      const flags = cluster.configMap('orders/checkout-flags', {
        'flags.json': '{"newBasket":false,"expressCheckout":true}',
      });
      cluster.statefulSet('orders/postgres', { image: postgres, memory: '1Gi', probe: false });
      cluster.service('orders/postgres', on(5432, { clusterIP: '10.96.41.7' }));
      const checkout = cluster.deployment('orders/checkout', {
        ...{ replicas: 3, image: 'registry.example/orders/checkout:2.17.3', memory: '768Mi' },
        env: { SPRING_DATASOURCE_PASSWORD: 'secret/checkout-db/password' },
        values: { SPRING_DATASOURCE_URL: 'jdbc:postgresql://postgres.orders.svc.cluster.local:5432/checkout' },
        container: { volumeMounts: [{ name: 'flags', mountPath: '/etc/flags', readOnly: true }] },
        pod: { volumes: [{ name: 'flags', configMap: { name: 'checkout-flags' } }] },
      });
      cluster.service('orders/checkout');
      cluster.image('registry.example/orders/checkout:2.18.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 9, code: 1 },
        log: [
          '  .   ____          _            __ _ _',
          ' :: Spring Boot ::                (v3.3.4)',
          '2026-11-24T09:14:02.118Z  INFO 1 --- [checkout] [           main] c.e.orders.CheckoutApplication           : Starting CheckoutApplication v2.18.0 using Java 21.0.4 with PID 1',
          '2026-11-24T09:14:05.902Z  INFO 1 --- [checkout] [           main] com.zaxxer.hikari.HikariDataSource       : HikariPool-1 - Starting...',
          '2026-11-24T09:14:06.244Z  INFO 1 --- [checkout] [           main] com.zaxxer.hikari.pool.HikariPool        : HikariPool-1 - Added connection org.postgresql.jdbc.PgConnection@1f9e9475',
          '2026-11-24T09:14:06.247Z  INFO 1 --- [checkout] [           main] com.zaxxer.hikari.HikariDataSource       : HikariPool-1 - Start completed.',
          '2026-11-24T09:14:07.330Z ERROR 1 --- [checkout] [           main] o.s.boot.SpringApplication               : Application run failed',
          "org.springframework.beans.factory.BeanCreationException: Error creating bean with name 'flywayInitializer' defined in class path resource [org/springframework/boot/autoconfigure/flyway/FlywayAutoConfiguration$FlywayConfiguration.class]: Validate failed: Migrations have failed validation",
          'Migration checksum mismatch for migration version 42',
          '-> Applied to database : 715094934',
          '-> Resolved locally    : 1869507521',
          'Either revert the changes to the migration, or run repair to update the schema history.',
        ],
      });
      cluster.at('5s', () => flags.edit({ 'flags.json': '{"newBasket":true,"expressCheckout":true}' }));
      cluster.at('125s', () => checkout.setImage('registry.example/orders/checkout:2.18.0'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/orders/checkout',
        mustNotBlame: [
          'ConfigMap/orders/checkout-flags',
          'StatefulSet/orders/postgres',
          'Secret/orders/checkout-db',
          'Service/orders/postgres',
        ],
      });
    },
  ),

  'binary-is-built-for-another-processor': scenario(
    'A release is built on a laptop with another processor; a Node was cordoned for its upgrade at the same time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(
        ['n1', 'n2', 'n3'].map((name) => ({
          name,
          labels: { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux' },
        })),
      );
      const rates = cluster.deployment('fx/rates', {
        ...{ replicas: 2, image: 'registry.example/fx/rates:0.44.1', command: ['/app/rates'], memory: '128Mi' },
      });
      cluster.service('fx/rates');
      cluster.image('registry.example/fx/rates:0.45.0', {
        exit: { afterSeconds: 0.1, code: 255 },
        log: ['exec /app/rates: exec format error'],
      });
      cluster.at('3s', () => cluster.node('n3').cordon());
      cluster.at('10s', () => rates.setImage('registry.example/fx/rates:0.45.0'));
      cluster.at('2m', () => cluster.node('n3').uncordon());
      cluster.lasts('4m');
      cluster.expectIncident({ root: 'Deployment/fx/rates', mustNotBlame: ['Node//n3'] });
    },
  ),

  'limit-is-halved-here-and-a-tag-is-missing-there': scenario(
    'Somebody saves memory on a Node.js service, and an hour of releases elsewhere names an image that was never pushed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const search = cluster.deployment('catalog/search-api', {
        ...{ replicas: 3, image: 'registry.example/catalog/search-api:5.2.0', memory: '512Mi' },
        values: { NODE_ENV: 'production', ELASTIC_URL: 'http://elastic.catalog.svc:9200' },
      });
      cluster.service('catalog/search-api');
      const invoices = cluster.deployment('billing/invoice-pdf', {
        replicas: 2,
        image: 'registry.example/billing/invoice-pdf:1.9.8',
      });
      cluster.service('billing/invoice-pdf');
      cluster.at('10s', () => {
        cluster.image('registry.example/catalog/search-api:5.2.0', {
          exit: { afterSeconds: 14, code: 137, oom: true },
          log: [
            '{"level":30,"time":1795860202331,"pid":1,"hostname":"search-api","msg":"loading synonyms (184213 entries)"}',
            '{"level":30,"time":1795860206102,"pid":1,"hostname":"search-api","msg":"Server listening at http://0.0.0.0:8080"}',
            '{"level":30,"time":1795860213870,"pid":1,"hostname":"search-api","reqId":"req-31","msg":"incoming request"}',
          ],
        });
        search.change({ memory: '160Mi' });
      });
      cluster.image('registry.example/billing/invoice-pdf:1.9.9', { pullError: 'NotFound' });
      cluster.at('45s', () => invoices.setImage('registry.example/billing/invoice-pdf:1.9.9'));
      cluster.lasts('5m');
      cluster.expectIncident({ root: 'Deployment/catalog/search-api', reason: 'OOMKilled' });
      cluster.expectIncident({
        root: 'Deployment/billing/invoice-pdf',
        reason: 'ImageNotFound',
        mustNotBlame: ['Registry//registry.example'],
      });
    },
  ),

  'health-path-is-renamed-and-the-probe-is-not': scenario(
    'A Python service moves its health path in a release; its probe asks the old one',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const profile = cluster.deployment('users/profile', {
        ...{ replicas: 3, image: 'registry.example/users/profile:3.3.0', spec: { progressDeadlineSeconds: 120 } },
        container: { readinessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 10 } },
      });
      cluster.service('users/profile');
      cluster.image('registry.example/users/profile:3.4.0', {
        readyAfterSeconds: 'never',
        readinessSays: 'HTTP probe failed with statuscode: 404',
        log: [
          '[2026-11-24 10:02:11 +0000] [1] [INFO] Starting gunicorn 22.0.0',
          '[2026-11-24 10:02:11 +0000] [1] [INFO] Listening at: http://0.0.0.0:8080 (1)',
          '[2026-11-24 10:02:11 +0000] [1] [INFO] Using worker: uvicorn.workers.UvicornWorker',
          '[2026-11-24 10:02:12 +0000] [7] [INFO] Application startup complete.',
          '10.0.0.4:51422 - "GET /healthz HTTP/1.1" 404',
          '10.0.0.4:51424 - "GET /healthz HTTP/1.1" 404',
          '10.0.0.4:51430 - "GET /healthz HTTP/1.1" 404',
        ],
      });
      cluster.at('10s', () => profile.setImage('registry.example/users/profile:3.4.0'));
      cluster.lasts('5m');
      cluster.expectIncident({ root: 'Deployment/users/profile' });
    },
  ),

  'virtual-machine-gets-an-option-it-no-longer-knows': scenario(
    'Two Java services share their options; an edit of those names a collector that has been taken out, and both are restarted',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const options = cluster.configMap('pay/jvm-options', {
        JAVA_TOOL_OPTIONS: '-XX:MaxRAMPercentage=70 -XX:+UseG1GC',
      });
      const ledger = cluster.deployment('pay/ledger', {
        ...{ replicas: 2, image: 'registry.example/pay/ledger:8.1.2', memory: '1Gi', envFrom: ['jvm-options'] },
      });
      const fees = cluster.deployment('pay/fees', {
        ...{ replicas: 2, image: 'registry.example/pay/fees:8.0.9', memory: '1Gi', envFrom: ['jvm-options'] },
      });
      cluster.service('pay/ledger');
      cluster.service('pay/fees');
      const dead = {
        exit: { afterSeconds: 0.3, code: 1 },
        log: [
          'Picked up JAVA_TOOL_OPTIONS: -XX:MaxRAMPercentage=70 -XX:+UseConcMarkSweepGC',
          "Unrecognized VM option 'UseConcMarkSweepGC'",
          'Error: Could not create the Java Virtual Machine.',
          'Error: A fatal exception has occurred. Program will exit.',
        ],
      };
      cluster.at('10s', () => options.edit({ JAVA_TOOL_OPTIONS: '-XX:MaxRAMPercentage=70 -XX:+UseConcMarkSweepGC' }));
      cluster.at('20s', () => {
        cluster.image('registry.example/pay/ledger:8.1.2', dead);
        cluster.image('registry.example/pay/fees:8.0.9', dead);
        ledger.restart();
        fees.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({ root: 'ConfigMap/pay/jvm-options' });
    },
  ),

  'front-proxy-is-told-a-name-with-a-typing-error': scenario(
    'The nginx beside a PHP process gets an edited configuration with a wrong upstream; the database of the shop is slow and well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const conf = (upstream: string): string =>
        `upstream php { server ${upstream}:9000; }\nserver {\n  listen 8080;\n  root /var/www/html/public;\n  location ~ \\.php$ { fastcgi_pass php; include fastcgi_params; }\n}\n`;
      const settings = cluster.configMap('store/web-nginx', { 'default.conf': conf('127.0.0.1') });
      cluster.statefulSet('store/mariadb', { image: 'registry.example/library/mariadb:11.4', memory: '1Gi' });
      cluster.service('store/mariadb', on(3306, { clusterIP: '10.96.60.3' }));
      const web = cluster.deployment('store/web', {
        ...{ replicas: 2, image: 'registry.example/store/web:7.30' },
        pod: {
          containers: [
            {
              ...{ name: 'web', image: 'registry.example/store/web:7.30' },
              env: [{ name: 'DATABASE_URL', value: 'mysql://store@mariadb.store.svc.cluster.local:3306/store' }],
            },
            {
              ...{ name: 'nginx', image: 'registry.example/library/nginx:1.27' },
              readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
              volumeMounts: [{ name: 'conf', mountPath: '/etc/nginx/conf.d' }],
            },
          ],
          volumes: [{ name: 'conf', configMap: { name: 'web-nginx' } }],
        },
      });
      cluster.service('store/web');
      cluster.at('8s', () => settings.edit({ 'default.conf': conf('php-fmp') }));
      cluster.at('15s', () => {
        cluster.image('registry.example/library/nginx:1.27', {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 0.6, code: 1 },
          log: [
            '/docker-entrypoint.sh: Configuration complete; ready for start up',
            '2026/11/24 11:31:07 [emerg] 1#1: host not found in upstream "php-fmp:9000" in /etc/nginx/conf.d/default.conf:1',
            'nginx: [emerg] host not found in upstream "php-fmp:9000" in /etc/nginx/conf.d/default.conf:1',
          ],
        });
        web.restart();
      });
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'ConfigMap/store/web-nginx',
        mustNotBlame: ['StatefulSet/store/mariadb', 'Service/store/mariadb'],
      });
    },
  ),

  'collector-loses-an-exporter-with-its-upgrade': scenario(
    'The collector of traces is upgraded to a version that no longer knows an exporter of its configuration',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.configMap('telemetry/otel-collector', {
        'relay.yaml':
          'receivers:\n  otlp:\n    protocols:\n      grpc: {}\nexporters:\n  logging: {}\n  otlphttp:\n    endpoint: http://tempo.telemetry.svc:4318\nservice:\n  pipelines:\n    traces:\n      receivers: [otlp]\n      exporters: [logging, otlphttp]\n',
      });
      const collector = cluster.deployment('telemetry/otel-collector', {
        ...{ replicas: 2, image: 'registry.example/otel/opentelemetry-collector-contrib:0.109.0', memory: '512Mi' },
        container: {
          args: ['--config=/conf/relay.yaml'],
          volumeMounts: [{ name: 'conf', mountPath: '/conf' }],
        },
        pod: { volumes: [{ name: 'conf', configMap: { name: 'otel-collector' } }] },
      });
      cluster.service('telemetry/otel-collector', on(4317));
      cluster.image('registry.example/otel/opentelemetry-collector-contrib:0.114.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 0.8, code: 1 },
        log: [
          'Error: failed to get config: cannot unmarshal the configuration: decoding failed due to the following error(s):',
          '',
          'error decoding \'exporters\': unknown type: "logging" for id: "logging" (valid values: [alertmanager kafka loki debug nop otlp otlphttp prometheus prometheusremotewrite zipkin])',
          '2026/11/24 07:40:19 collector server run finished with error: failed to get config: cannot unmarshal the configuration: decoding failed due to the following error(s):',
        ],
      });
      cluster.at('10s', () => collector.setImage('registry.example/otel/opentelemetry-collector-contrib:0.114.0'));
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Deployment/telemetry/otel-collector',
        accepts: ['ConfigMap/telemetry/otel-collector'],
      });
    },
  ),

  'schema-change-waits-for-a-lock-and-a-neighbour-has-no-key': scenario(
    'The Job that migrates a Rails database gives up on a lock three times; elsewhere a service lost a key of its Secret',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('crm/postgres', { image: postgres, memory: '1Gi', probe: false });
      cluster.service('crm/postgres', on(5432, { clusterIP: '10.96.88.10' }));
      cluster.deployment('crm/rails', {
        ...{ replicas: 3, image: 'registry.example/crm/rails:2026.46', memory: '768Mi' },
        values: { DATABASE_URL: 'postgresql://crm@postgres.crm.svc.cluster.local:5432/crm' },
      });
      cluster.service('crm/rails');
      const smtp = {
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'smtp', namespace: 'mailing' } },
        type: 'Opaque',
      };
      const tokens = cluster.object({ ...smtp, data: { user: 'YXBpa2V5', password: 'U0cueDE=' } });
      const mailer = cluster.deployment('mailing/mailer', {
        ...{ replicas: 2, image: 'registry.example/mailing/mailer:1.12.0', probe: false },
        env: { SMTP_USER: 'secret/smtp/user', SMTP_PASSWORD: 'secret/smtp/password' },
      });
      cluster.image('registry.example/crm/rails-migrate:2026.47', {
        exit: { afterSeconds: 22, code: 1 },
        log: [
          '== 20261123101500 AddIndexToContactsOnAccountId: migrating ====================',
          '-- add_column(:contacts, :account_ref, :bigint)',
          'bin/rails aborted!',
          'StandardError: An error has occurred, this and all later migrations canceled: (StandardError)',
          '',
          'PG::LockNotAvailable: ERROR:  canceling statement due to lock timeout',
          'Caused by:',
          'ActiveRecord::LockWaitTimeout: PG::LockNotAvailable: ERROR:  canceling statement due to lock timeout (ActiveRecord::LockWaitTimeout)',
          'Tasks: TOP => db:migrate',
          '(See full trace by running task with --trace)',
        ],
      });
      cluster.at('10s', () =>
        cluster.job('crm/rails-migrate-2026-47', {
          ...{ image: 'registry.example/crm/rails-migrate:2026.47', command: ['bin/rails', 'db:migrate'] },
          values: { DATABASE_URL: 'postgresql://crm@postgres.crm.svc.cluster.local:5432/crm' },
          spec: { backoffLimit: 2 },
        }),
      );
      cluster.at('40s', () => tokens.patch({ data: { password: null, pass: 'U0cueDI=' } }));
      cluster.at('55s', () => mailer.restart());
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Job/crm/rails-migrate-2026-47',
        mustNotBlame: ['StatefulSet/crm/postgres', 'Deployment/crm/rails'],
      });
      cluster.expectIncident({ root: 'Secret/mailing/smtp', reason: 'CreateContainerConfigError' });
    },
  ),

  'slow-start-meets-an-impatient-probe': scenario(
    'The liveness probe of a Java service is tightened below the time that it needs to start; a batch of heavy Jobs runs beside it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.example/risk/scoring:11.0.4';
      cluster.image(image, { readyAfterSeconds: 48 });
      const liveness = (initialDelaySeconds: number): object => ({
        livenessProbe: {
          httpGet: { path: '/actuator/health/liveness', port: 8080 },
          initialDelaySeconds,
          periodSeconds: 10,
        },
        readinessProbe: { httpGet: { path: '/actuator/health/readiness', port: 8080 }, periodSeconds: 10 },
      });
      const scoring = cluster.deployment('risk/scoring', {
        ...{ replicas: 2, image, memory: '1Gi', cpu: '500m', container: liveness(90) },
      });
      cluster.service('risk/scoring');
      cluster.image('registry.example/risk/backtest:3.1', { exit: { afterSeconds: 150, code: 0 } });
      cluster.at('5s', () =>
        cluster.job('risk/backtest-q4', {
          ...{ image: 'registry.example/risk/backtest:3.1', cpu: '1', spec: { parallelism: 2, completions: 2 } },
        }),
      );
      cluster.at('20s', () => {
        cluster.image(image, {
          readyAfterSeconds: 'never',
          livenessFails: {
            afterSeconds: 5,
            says: 'Get "http://10.244.1.17:8080/actuator/health/liveness": dial tcp 10.244.1.17:8080: connect: connection refused',
          },
          readinessSays:
            'Get "http://10.244.1.17:8080/actuator/health/readiness": dial tcp 10.244.1.17:8080: connect: connection refused',
          log: [
            ' :: Spring Boot ::                (v3.2.9)',
            '2026-11-24T06:30:12.771Z  INFO 1 --- [           main] c.e.risk.ScoringApplication              : Starting ScoringApplication v11.0.4 using Java 17.0.12 with PID 1',
            '2026-11-24T06:30:20.106Z  INFO 1 --- [           main] o.s.b.w.embedded.tomcat.TomcatWebServer  : Tomcat initialized with port 8080 (http)',
            '2026-11-24T06:30:31.640Z  INFO 1 --- [           main] c.e.risk.model.ModelLoader               : Loading model pd-v9 (412 MB)',
          ],
        });
        scoring.change({ container: liveness(5) });
      });
      cluster.lasts('6m');
      cluster.expectIncident({ root: 'Deployment/risk/scoring', mustNotBlame: ['Job/risk/backtest-q4'] });
    },
  ),

  'entry-server-waits-for-a-database-of-another-name': scenario(
    'A new service waits in its init container for a host that no Service has; the database is there under its real name',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('loyalty/points-db', { image: postgres, memory: '512Mi', probe: false });
      cluster.service('loyalty/points-db', on(5432));
      cluster.image('registry.example/tools/wait-for:1.4', {
        exit: { afterSeconds: 3600, code: 1 },
        log: [
          'waiting for postgres-primary.loyalty.svc.cluster.local:5432',
          "nc: bad address 'postgres-primary.loyalty.svc.cluster.local'",
          "nc: bad address 'postgres-primary.loyalty.svc.cluster.local'",
          "nc: bad address 'postgres-primary.loyalty.svc.cluster.local'",
          "nc: bad address 'postgres-primary.loyalty.svc.cluster.local'",
        ],
      });
      cluster.at('10s', () =>
        cluster.deployment('loyalty/points', {
          ...{ replicas: 2, image: 'registry.example/loyalty/points:0.1.0' },
          values: { DB_HOST: 'postgres-primary.loyalty.svc.cluster.local', DB_PORT: '5432' },
          pod: {
            initContainers: [
              {
                ...{ name: 'wait-for-db', image: 'registry.example/tools/wait-for:1.4' },
                env: [{ name: 'TARGET', value: 'postgres-primary.loyalty.svc.cluster.local:5432' }],
              },
            ],
          },
          spec: { progressDeadlineSeconds: 300 },
        }),
      );
      cluster.lasts('8m');
      cluster.expectIncident({
        root: 'Deployment/loyalty/points',
        accepts: ['Service/loyalty/postgres-primary'],
        mustNotBlame: ['StatefulSet/loyalty/points-db'],
      });
    },
  ),

  'request-is-bigger-than-any-machine': scenario(
    'A release asks for six processors where every Node has four; one Node has been cordoned since the morning',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const render = cluster.deployment('media/render', {
        ...{
          replicas: 2,
          image: 'registry.example/media/render:4.0',
          cpu: '1',
          spec: { progressDeadlineSeconds: 180 },
        },
      });
      cluster.service('media/render');
      cluster.at('2s', () => cluster.node('n3').cordon());
      cluster.at('60s', () => render.change({ cpu: '6' }));
      cluster.lasts('5m');
      cluster.expectIncident({ root: 'Deployment/media/render', mustNotBlame: ['Node//n3'] });
    },
  ),

  'shared-library-asks-for-a-newer-system': scenario(
    'A Python release is built on a newer base and finds an older C library; the rest of the namespace is scaled up meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const ocr = cluster.deployment('documents/ocr', {
        ...{ replicas: 2, image: 'registry.example/documents/ocr:1.20.0', memory: '512Mi' },
      });
      cluster.service('documents/ocr');
      const upload = cluster.deployment('documents/upload', {
        ...{ replicas: 2, image: 'registry.example/documents/upload:3.8.1' },
        values: { OCR_URL: 'http://ocr.documents.svc.cluster.local' },
      });
      cluster.service('documents/upload');
      cluster.image('registry.example/documents/ocr:1.21.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 2, code: 1 },
        log: [
          'Traceback (most recent call last):',
          '  File "/srv/app/main.py", line 7, in <module>',
          '    import onnxruntime as ort',
          '  File "/usr/local/lib/python3.12/site-packages/onnxruntime/__init__.py", line 61, in <module>',
          '    raise import_capi_exception',
          "ImportError: /lib/x86_64-linux-gnu/libm.so.6: version `GLIBC_2.38' not found (required by /usr/local/lib/python3.12/site-packages/onnxruntime/capi/onnxruntime_pybind11_state.cpython-312-x86_64-linux-gnu.so)",
        ],
      });
      cluster.at('8s', () => upload.scale(5));
      cluster.at('12s', () => ocr.setImage('registry.example/documents/ocr:1.21.0'));
      cluster.lasts('4m');
      cluster.expectIncident({ root: 'Deployment/documents/ocr', mustNotBlame: ['Deployment/documents/upload'] });
    },
  ),
};
