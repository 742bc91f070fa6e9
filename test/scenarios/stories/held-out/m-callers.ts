import { type ClusterBuilder, scenario } from '../../kit/scenario.ts';

/** Logs are read at these times, too. */
const look = (cluster: ClusterBuilder, ...times: readonly string[]): void => {
  for (const time of times) cluster.at(time, () => undefined);
};

const unready = (...log: readonly string[]) => ({ readyAfterSeconds: 'never', log }) as const;
const crashes = (code: number, ...log: readonly string[]) => ({ exit: { afterSeconds: 4, code }, log });

/** Port of a Service that is not HTTP. */
const port = (name: string, number: number) => ({
  ports: [{ name, port: number, targetPort: number, protocol: 'TCP' }],
});

export const stories = {
  'house-of-payments-answers-unavailable-to-two': scenario(
    'The payment provider answers 503 to two services; the settings of one were edited a moment before and are innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const values = { PAYLINE_URL: 'https://api.payline.example' };
      const settings = cluster.configMap('till/checkout-settings', { CURRENCY: 'EUR', RETRIES: '3' });
      cluster.deployment('till/checkout', {
        replicas: 3,
        image: 'registry.example/checkout:14',
        envFrom: ['checkout-settings'],
        values,
      });
      cluster.deployment('refunds/refunds', { replicas: 2, image: 'registry.example/refunds:6', values });
      cluster.deployment('till/vouchers', { image: 'registry.example/vouchers:2' });
      cluster.at('5s', () => settings.edit({ CURRENCY: 'EUR', RETRIES: '5' }));
      cluster.at('25s', () => {
        cluster.befall(
          'registry.example/checkout:14',
          unready(
            'StripeLikeError [ApiError]: POST https://api.payline.example/v1/charges returned 503 Service Unavailable',
            '    at PaylineClient.request (/srv/node_modules/@payline/sdk/lib/client.js:212:13)',
            'circuit breaker payline opened after 20 failures in 10s: 503 Service Unavailable from https://api.payline.example/v1/charges',
          ),
        );
        cluster.befall(
          'registry.example/refunds:6',
          unready(
            'level=error msg="refund batch stopped" err="POST https://api.payline.example/v1/refunds: unexpected status 503 Service Unavailable" attempts=8',
          ),
        );
      });
      look(cluster, '65s', '100s');
      cluster.expectIncident({
        root: 'ExternalEndpoint//api.payline.example',
        accepts: ['ExternalEndpoint//api.payline.example:443'],
        mustNotBlame: ['ConfigMap/till/checkout-settings', 'Deployment/till/checkout', 'Deployment/refunds/refunds'],
      });
    },
  ),

  'certificate-of-a-mail-house-has-run-out': scenario(
    'The certificate of an outside mail provider has run out; two senders do not start a session with it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const values = { SMTP_ADDR: 'smtp.briefwerk.example:587' };
      cluster.deployment('news/newsletter', { replicas: 2, image: 'registry.example/newsletter:3', values });
      cluster.deployment('accounts/passwords', { replicas: 2, image: 'registry.example/password-mails:1', values });
      cluster.at('15s', () => {
        const why =
          'tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-29T00:00:21Z is after 2026-11-28T23:59:59Z';
        cluster.befall(
          'registry.example/newsletter:3',
          unready(
            `{"level":"error","component":"smtp","server":"smtp.briefwerk.example:587","msg":"STARTTLS failed","error":"${why}"}`,
          ),
        );
        cluster.befall(
          'registry.example/password-mails:1',
          unready(`2026/11/29 00:00:21 send reset mail: dial smtp.briefwerk.example:587: ${why}`),
        );
      });
      look(cluster, '55s', '100s');
      cluster.expectIncident({
        root: 'ExternalEndpoint//smtp.briefwerk.example',
        accepts: ['ExternalEndpoint//smtp.briefwerk.example:587'],
        mustNotBlame: ['Deployment/news/newsletter', 'Deployment/accounts/passwords'],
      });
    },
  ),

  'key-for-pictures-is-cut-short-and-a-queue-worker-recurses': scenario(
    'The key of one client of the object store is edited and cut short; of its own a worker of another team overflows its stack after a release',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('store/minio', { image: 'registry.example/minio:2026' });
      cluster.service('store/minio', port('s3', 9000));
      const key = cluster.secret('media/thumbs-s3', { ACCESS: 'thumbs', SECRET: 'a-long-key' });
      const env = { AWS_ACCESS_KEY_ID: 'secret/thumbs-s3/ACCESS', AWS_SECRET_ACCESS_KEY: 'secret/thumbs-s3/SECRET' };
      const values = { S3_ENDPOINT: 'http://minio.store.svc.cluster.local:9000', BUCKET: 'pictures' };
      const thumbs = cluster.deployment('media/thumbs', {
        replicas: 2,
        image: 'registry.example/thumbs:5',
        env,
        values,
      });
      cluster.deployment('media/originals', { image: 'registry.example/originals:5', values });
      const worker = cluster.deployment('rules/evaluator', { replicas: 2, image: 'registry.example/evaluator:31' });
      cluster.image(
        'registry.example/evaluator:32',
        crashes(
          1,
          'Exception in thread "rule-7" java.lang.StackOverflowError',
          '\tat com.kontor.rules.Expander.expand(Expander.java:88)',
          '\tat com.kontor.rules.Expander.expand(Expander.java:91)',
          '\tat com.kontor.rules.Expander.expand(Expander.java:91)',
        ),
      );
      cluster.at('10s', () => {
        key.edit({ ACCESS: 'thumbs', SECRET: 'a-long-k' });
        cluster.image(
          'registry.example/thumbs:5',
          crashes(
            1,
            'botocore.exceptions.ClientError: An error occurred (SignatureDoesNotMatch) when calling the HeadBucket operation: The request signature we calculated does not match the signature you provided. Check your key and signing method.',
            'bucket pictures at http://minio.store.svc.cluster.local:9000 is not usable, exiting',
          ),
        );
        thumbs.restart();
      });
      cluster.at('50s', () => worker.setImage('registry.example/evaluator:32'));
      look(cluster, '45s', '80s', '110s');
      cluster.expectIncident({
        root: 'Secret/media/thumbs-s3',
        mustNotBlame: ['StatefulSet/store/minio', 'Deployment/rules/evaluator'],
      });
      cluster.expectIncident({ root: 'Deployment/rules/evaluator', mustNotBlame: ['Secret/media/thumbs-s3'] });
    },
  ),

  'prices-come-as-words-since-a-release-of-their-service': scenario(
    'A release of the price service answers amounts as text; its callers die of it, an autoscaler that was edited is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const pricing = cluster.deployment('shop/pricing', { replicas: 2, image: 'registry.example/pricing:1.9' });
      cluster.service('shop/pricing');
      const values = { PRICING_URL: 'http://pricing.shop.svc.cluster.local' };
      cluster.deployment('shop/cart', { replicas: 2, image: 'registry.example/cart:7', values });
      cluster.deployment('shop/wishlist', { image: 'registry.example/wishlist:2', values });
      const scaler = cluster.object({
        ...{
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'cart', namespace: 'shop' },
        },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' },
          minReplicas: 2,
          maxReplicas: 6,
        },
      });
      cluster.at('6s', () => scaler.patch({ spec: { maxReplicas: 8 } }));
      cluster.at('15s', () => pricing.setImage('registry.example/pricing:2.0'));
      cluster.at('30s', () => {
        const why =
          'GET http://pricing.shop.svc.cluster.local/v1/quotes: decode response: json: cannot unmarshal string into Go struct field Quote.amount of type int64';
        cluster.befall(
          'registry.example/cart:7',
          crashes(
            2,
            `{"level":"error","msg":"${why}"}`,
            `panic: quote for basket: ${why}`,
            '',
            'goroutine 1 [running]:',
            'main.main()',
            '\t/src/cmd/cart/main.go:71 +0x3b8',
          ),
        );
        cluster.befall(
          'registry.example/wishlist:2',
          crashes(1, `time=2026-11-29T08:00:31Z level=ERROR msg="refresh prices" err="${why}"`, 'exit: refresh failed'),
        );
      });
      look(cluster, '50s', '90s');
      cluster.expectIncident({
        root: 'Deployment/shop/pricing',
        mustNotBlame: ['HorizontalPodAutoscaler/shop/cart', 'Deployment/shop/cart', 'Deployment/shop/wishlist'],
      });
    },
  ),

  'tokens-are-written-for-another-audience': scenario(
    'The settings of the identity service name another audience; two interfaces reject or lack tokens, a cordoned machine is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const settings = cluster.configMap('id/identity-settings', {
        TOKEN_AUDIENCE: 'kontor-internal',
        TOKEN_TTL: '15m',
      });
      const identity = cluster.deployment('id/identity', {
        replicas: 2,
        image: 'registry.example/identity:9',
        envFrom: ['identity-settings'],
      });
      cluster.service('id/identity');
      const values = { IDENTITY_URL: 'http://identity.id.svc.cluster.local' };
      cluster.deployment('api/orders-api', { replicas: 2, image: 'registry.example/orders-api:5', values });
      cluster.deployment('api/stock-api', { replicas: 2, image: 'registry.example/stock-api:5', values });
      cluster.at('5s', () => cluster.node('n3').cordon());
      cluster.at('15s', () => {
        settings.edit({ TOKEN_AUDIENCE: 'kontor-external', TOKEN_TTL: '15m' });
        identity.restart();
      });
      cluster.at('35s', () => {
        cluster.befall(
          'registry.example/orders-api:5',
          unready(
            '401 Unauthorized from http://identity.id.svc.cluster.local/introspect: {"error":"invalid_token","error_description":"aud claim kontor-external is not accepted"}',
            'org.springframework.security.oauth2.jwt.JwtValidationException: An error occurred while attempting to decode the Jwt: The required audience is missing (expected kontor-internal, token issued by http://identity.id.svc.cluster.local has [kontor-external])',
          ),
        );
        cluster.befall(
          'registry.example/stock-api:5',
          unready(
            'WARN  auth: token from http://identity.id.svc.cluster.local rejected: invalid audience. Token audiences are "kontor-external", expected "kontor-internal"',
          ),
        );
      });
      cluster.at('120s', () => cluster.node('n3').uncordon());
      look(cluster, '75s', '110s');
      cluster.expectIncident({
        root: 'ConfigMap/id/identity-settings',
        mustNotBlame: ['Node//n3', 'Deployment/api/orders-api', 'Deployment/api/stock-api'],
      });
    },
  ),

  'messages-may-be-small-only-since-an-edit-of-the-bus': scenario(
    'The bus is told a tenth of the size that messages may have; those who publish larger ones stop',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const config = cluster.configMap('bus/nats-config', { 'nats.conf': 'port: 4222\nmax_payload: 8MB\n' });
      const bus = cluster.statefulSet('bus/nats', {
        image: 'registry.example/nats:2.11',
        pod: { volumes: [{ name: 'config', configMap: { name: 'nats-config' } }] },
        container: { volumeMounts: [{ name: 'config', mountPath: '/etc/nats-config' }] },
      });
      cluster.service('bus/nats', port('client', 4222));
      const values = { NATS_URL: 'nats://nats.bus.svc.cluster.local:4222' };
      cluster.deployment('docs/renderer', { replicas: 2, image: 'registry.example/renderer:3', values });
      cluster.deployment('docs/scanner-intake', { image: 'registry.example/scanner-intake:3', values });
      cluster.deployment('docs/index', { image: 'registry.example/index:3', values });
      cluster.at('8s', () => {
        config.edit({ 'nats.conf': 'port: 4222\nmax_payload: 64KB\n' });
        bus.restart();
      });
      cluster.at('25s', () => {
        cluster.befall(
          'registry.example/renderer:3',
          unready(
            '{"time":"2026-11-29T13:08:41Z","level":"ERROR","msg":"publish docs.rendered failed","url":"nats://nats.bus.svc.cluster.local:4222","err":"nats: maximum payload exceeded","size":412044,"max_payload":65536}',
          ),
        );
        cluster.befall(
          'registry.example/scanner-intake:3',
          unready(
            'nats.errors.MaxPayloadError: nats: maximum payload exceeded',
            'publish to nats.bus.svc.cluster.local:4222 subject docs.scanned: 1048123 bytes, server allows 65536',
          ),
        );
      });
      look(cluster, '65s', '100s');
      cluster.expectIncident({
        root: 'ConfigMap/bus/nats-config',
        mustNotBlame: ['Deployment/docs/renderer', 'Deployment/docs/index'],
      });
    },
  ),

  'part-of-the-broker-is-dropped-from-its-definitions': scenario(
    'The definitions of a broker are edited without the virtual host of one team; its workers are not let in',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const definitions = cluster.configMap('mq/rabbitmq-definitions', {
        'definitions.json': '{"vhosts":[{"name":"/"},{"name":"freight"},{"name":"customs"}]}',
      });
      const broker = cluster.statefulSet('mq/rabbitmq', {
        image: 'registry.example/rabbitmq:4.1',
        pod: { volumes: [{ name: 'definitions', configMap: { name: 'rabbitmq-definitions' } }] },
        container: { volumeMounts: [{ name: 'definitions', mountPath: '/etc/rabbitmq/definitions' }] },
      });
      cluster.service('mq/rabbitmq', port('amqp', 5672));
      cluster.deployment('freight/loader', {
        replicas: 2,
        image: 'registry.example/loader:2',
        values: { AMQP: 'amqp://rabbitmq.mq.svc:5672/freight' },
      });
      cluster.deployment('customs/declarer', {
        replicas: 2,
        image: 'registry.example/declarer:2',
        values: { AMQP: 'amqp://rabbitmq.mq.svc:5672/customs' },
      });
      cluster.deployment('customs/archiver', {
        image: 'registry.example/archiver:1',
        values: { AMQP: 'amqp://rabbitmq.mq.svc:5672/customs' },
      });
      cluster.at('10s', () => {
        definitions.edit({ 'definitions.json': '{"vhosts":[{"name":"/"},{"name":"freight"}]}' });
        broker.restart();
      });
      cluster.at('30s', () => {
        cluster.befall(
          'registry.example/declarer:2',
          crashes(
            1,
            'pika.exceptions.ProbableAccessDeniedError: ConnectionClosedByBroker: (530) "NOT_ALLOWED - vhost customs not found"',
            'cannot open amqp://rabbitmq.mq.svc:5672/customs',
          ),
        );
        cluster.befall(
          'registry.example/archiver:1',
          crashes(
            1,
            'Exception (530) Reason: "NOT_ALLOWED - vhost customs not found" (amqp://rabbitmq.mq.svc:5672/customs)',
          ),
        );
      });
      look(cluster, '55s', '90s');
      cluster.expectIncident({
        root: 'ConfigMap/mq/rabbitmq-definitions',
        mustNotBlame: ['Deployment/customs/declarer', 'Deployment/freight/loader'],
      });
    },
  ),

  'worker-asks-for-a-realm-that-nobody-registered': scenario(
    'A worker is released with the name of a realm that its flow server does not know; the server was restarted before and is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const server = cluster.deployment('flows/temporal-frontend', {
        replicas: 2,
        image: 'registry.example/temporal:1.27',
      });
      cluster.service('flows/temporal-frontend', port('grpc', 7233));
      const values = (realm: string) => ({
        TEMPORAL_ADDRESS: 'temporal-frontend.flows.svc:7233',
        TEMPORAL_NAMESPACE: realm,
      });
      const worker = cluster.deployment('wages/payroll-worker', {
        replicas: 2,
        image: 'registry.example/payroll:18',
        values: values('payroll'),
      });
      cluster.deployment('wages/expenses-worker', { image: 'registry.example/expenses:4', values: values('expenses') });
      cluster.at('3s', () => server.restart());
      cluster.at('30s', () => {
        cluster.image('registry.example/payroll:18', (pod) =>
          JSON.stringify(pod.spec).includes('payroll-eu')
            ? crashes(
                1,
                '2026/11/29 05:10:31 INFO  No logger configured for temporal client. Created default one.',
                '2026/11/29 05:10:31 Unable to start worker: Namespace payroll-eu is not found.',
              )
            : {},
        );
        worker.change({ values: values('payroll-eu') });
      });
      look(cluster, '60s', '90s');
      cluster.expectIncident({
        root: 'Deployment/wages/payroll-worker',
        mustNotBlame: ['Deployment/flows/temporal-frontend', 'Service/flows/temporal-frontend'],
      });
    },
  ),

  'keeper-of-schemas-does-not-start-again-and-a-gate-forgets-its-port': scenario(
    'The keeper of schemas dies at its start since a release, and readers with it; of its own a gate has the same port twice',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const keeper = cluster.deployment('streams/schema-registry', {
        ...{ image: 'registry.example/cp-schema-registry:7.8', spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('streams/schema-registry', port('http', 8081));
      const values = { SCHEMA_REGISTRY_URL: 'http://schema-registry.streams.svc:8081' };
      cluster.deployment('bi/orders-reader', { replicas: 2, image: 'registry.example/orders-reader:3', values });
      cluster.deployment('bi/clicks-reader', { image: 'registry.example/clicks-reader:3', values });
      const gate = cluster.deployment('iot/mqtt-gate', { replicas: 2, image: 'registry.example/mqtt-gate:1.6' });
      cluster.image(
        'registry.example/mqtt-gate:1.7',
        crashes(
          1,
          '1764400871: mosquitto version 2.0.22 starting',
          '1764400871: Opening ipv4 listen socket on port 1883.',
          '1764400871: Opening ipv4 listen socket on port 1883.',
          '1764400871: Error: Address in use',
        ),
      );
      cluster.image(
        'registry.example/cp-schema-registry:7.9',
        crashes(
          1,
          '[2026-11-29 14:21:07,101] INFO Initializing KafkaStore with broker endpoints: PLAINTEXT://kafka.streams.svc:9092 (io.confluent.kafka.schemaregistry.storage.KafkaStore)',
          '[2026-11-29 14:21:08,311] ERROR Error starting the schema registry (io.confluent.kafka.schemaregistry.rest.SchemaRegistryRestApplication)',
          'io.confluent.kafka.schemaregistry.exceptions.SchemaRegistryInitializationException: Error initializing schema registry: invalid value for configuration schema.registry.group.id',
        ),
      );
      cluster.at('10s', () => keeper.setImage('registry.example/cp-schema-registry:7.9'));
      cluster.at('20s', () => {
        cluster.befall(
          'registry.example/orders-reader:3',
          crashes(
            1,
            'org.apache.kafka.common.errors.SerializationException: Error retrieving Avro value schema for id 41',
            'Caused by: java.net.ConnectException: Connection refused: schema-registry.streams.svc/10.96.70.2:8081',
          ),
        );
        cluster.befall(
          'registry.example/clicks-reader:3',
          crashes(
            1,
            "requests.exceptions.ConnectionError: HTTPConnectionPool(host='schema-registry.streams.svc', port=8081): Max retries exceeded with url: /schemas/ids/17 (Caused by NewConnectionError('Failed to establish a new connection: [Errno 111] Connection refused'))",
          ),
        );
      });
      cluster.at('60s', () => gate.setImage('registry.example/mqtt-gate:1.7'));
      look(cluster, '50s', '90s', '120s');
      cluster.expectIncident({
        root: 'Deployment/streams/schema-registry',
        mustNotBlame: ['Deployment/bi/orders-reader', 'Deployment/iot/mqtt-gate'],
      });
      cluster.expectIncident({
        root: 'Deployment/iot/mqtt-gate',
        mustNotBlame: ['Deployment/streams/schema-registry'],
      });
    },
  ),

  'flag-sends-callers-to-an-engine-that-sleeps': scenario(
    'A flag is turned on that sends two services to a tax engine which is scaled to nothing',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const flags = cluster.configMap('shop/flags', { 'new-tax-engine': 'false', 'express-lane': 'true' });
      cluster.deployment('shop/tax-engine', { replicas: 0, image: 'registry.example/tax-engine:0.9' });
      cluster.service('shop/tax-engine');
      const values = { TAX_ENGINE_URL: 'http://tax-engine.shop.svc.cluster.local' };
      const more = { envFrom: ['flags'], values, pod: { volumes: [{ name: 'flags', configMap: { name: 'flags' } }] } };
      cluster.deployment('shop/basket-totals', { replicas: 2, image: 'registry.example/basket-totals:4', ...more });
      cluster.deployment('shop/invoicing', { replicas: 2, image: 'registry.example/invoicing:4', ...more });
      cluster.at('10s', () => flags.edit({ 'new-tax-engine': 'true', 'express-lane': 'true' }));
      cluster.at('20s', () => {
        const why =
          'Post "http://tax-engine.shop.svc.cluster.local/v2/assess": dial tcp 10.96.17.80:80: connect: connection refused';
        cluster.befall(
          'registry.example/basket-totals:4',
          unready('flag new-tax-engine is now true, using tax-engine', `level=error msg="assess basket" err="${why}"`),
        );
        cluster.befall(
          'registry.example/invoicing:4',
          unready('feature new-tax-engine=true', `ERROR assess invoice: ${why}`),
        );
      });
      look(cluster, '60s', '100s');
      cluster.expectIncident({
        root: 'ConfigMap/shop/flags',
        accepts: ['Deployment/shop/tax-engine'],
        mustNotBlame: ['Deployment/shop/basket-totals', 'Deployment/shop/invoicing'],
      });
    },
  ),

  'identity-server-answers-for-its-health-elsewhere-since-its-upgrade': scenario(
    'An upgraded identity server answers health questions on another port and is killed for it; the proxies before it fail, a quota edit is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const quota = cluster.quota('id/compute', { pods: '20' });
      const server = cluster.statefulSet('id/keycloak', {
        image: 'registry.example/keycloak:24.0',
        container: {
          livenessProbe: { httpGet: { path: '/health/live', port: 8080 } },
          ports: [{ containerPort: 8080 }],
        },
      });
      cluster.service('id/keycloak');
      const values = { OAUTH2_PROXY_OIDC_ISSUER_URL: 'http://keycloak.id.svc.cluster.local/realms/staff' };
      cluster.deployment('wiki/oauth2-proxy', { replicas: 2, image: 'registry.example/oauth2-proxy:v7.8', values });
      cluster.image('registry.example/keycloak:26.2', {
        readyAfterSeconds: 'never',
        readinessSays: 'HTTP probe failed with statuscode: 404',
        livenessFails: { afterSeconds: 15, says: 'HTTP probe failed with statuscode: 404' },
        log: [
          '2026-11-29 10:40:12,377 INFO  [io.quarkus] (main) Keycloak 26.2.0 on JVM (powered by Quarkus 3.20.0) started in 9.811s. Listening on: http://0.0.0.0:8080. Management interface listening on http://0.0.0.0:9000.',
        ],
      });
      cluster.at('4s', () => quota.edit({ pods: '30' }));
      cluster.at('12s', () => server.setImage('registry.example/keycloak:26.2'));
      cluster.at('25s', () =>
        cluster.befall(
          'registry.example/oauth2-proxy:v7.8',
          crashes(
            1,
            '[2026/11/29 10:40:30] [main.go:60] ERROR: Failed to initialise OAuth2 Proxy: error initialising provider: could not create provider data: error building OIDC ProviderVerifier: could not get verifier builder: error while discovery OIDC configuration: failed to discover OIDC configuration: error performing request: Get "http://keycloak.id.svc.cluster.local/realms/staff/.well-known/openid-configuration": dial tcp 10.96.5.14:80: connect: connection refused',
          ),
        ),
      );
      look(cluster, '60s', '100s', '140s');
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'StatefulSet/id/keycloak',
        mustNotBlame: ['ResourceQuota/id/compute', 'Deployment/wiki/oauth2-proxy'],
      });
    },
  ),

  'release-of-the-feed-outgrows-its-memory-beside-an-edited-greeting': scenario(
    'A release needs more memory than its limit; a text edited in its settings just before is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const texts = cluster.configMap('social/feed-texts', { GREETING: 'hello' });
      const feed = cluster.deployment('social/feed', {
        ...{ replicas: 3, image: 'registry.example/feed:20', memory: '256Mi', envFrom: ['feed-texts'] },
      });
      cluster.service('social/feed');
      cluster.image('registry.example/feed:21', {
        exit: { afterSeconds: 22, code: 137, oom: true },
        log: [
          'INFO feed 21.0.0 listening on :8080',
          'INFO ranking model loaded (184 MB)',
          'INFO warming 40000 timelines',
        ],
      });
      cluster.at('10s', () => texts.edit({ GREETING: 'hello there' }));
      cluster.at('25s', () => feed.setImage('registry.example/feed:21'));
      look(cluster, '80s', '120s');
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'Deployment/social/feed',
        reason: 'OOMKilled',
        mustNotBlame: ['ConfigMap/social/feed-texts'],
      });
    },
  ),

  'search-of-two-shops-is-refused-by-a-house-that-changed-its-key': scenario(
    'An outside search provider answers 403 since its key was edited in one Secret; the other shop with its own key is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const key = cluster.secret('shop-de/search-key', { API_KEY: 'live-1' });
      cluster.secret('shop-fr/search-key', { API_KEY: 'live-2' });
      const more = {
        env: { SEARCH_API_KEY: 'secret/search-key/API_KEY' },
        values: { SEARCH_HOST: 'https://kontor-dsn.suchwerk.example' },
      };
      const german = cluster.deployment('shop-de/finder', {
        replicas: 2,
        image: 'registry.example/finder-de:3',
        ...more,
      });
      cluster.deployment('shop-fr/finder', { replicas: 2, image: 'registry.example/finder-fr:3', ...more });
      cluster.deployment('shop-de/teasers', { image: 'registry.example/teasers:1' });
      cluster.at('15s', () => {
        key.edit({ API_KEY: 'test-1' });
        cluster.image(
          'registry.example/finder-de:3',
          unready(
            'ApiError: Invalid Application-ID or API key',
            "    at createApiError (/app/node_modules/suchwerk/dist/node.cjs:141:10) { status: 403, url: 'https://kontor-dsn.suchwerk.example/1/indexes/products/query' }",
          ),
        );
        german.restart();
      });
      look(cluster, '60s', '100s');
      cluster.expectIncident({
        root: 'Secret/shop-de/search-key',
        mustNotBlame: [
          'Deployment/shop-fr/finder',
          'Deployment/shop-de/teasers',
          'ExternalEndpoint//kontor-dsn.suchwerk.example',
        ],
      });
    },
  ),
};
