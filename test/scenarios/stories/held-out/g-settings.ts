import { imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { settingsVolume } from '../../kit/field.ts';
import { after, clients, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Secrets and ConfigMaps that are changed, out of date or gone. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kplcloud/cloud-website/issues/34, https://github.com/elastic/logstash/issues/16793
  'pipeline-of-logs-with-a-missing-quote': reported(
    'The pipeline of a Logstash is edited and lacks a quotation mark; it ends as it starts, and two senders of logs are refused',
    (cluster, firm) => {
      const settings = cluster.configMap('logging/logstash-pipeline', {
        'logstash.conf': 'output { elasticsearch { index => "kpl-%{+YYYY.MM.dd}" } }',
      });
      const image = 'docker.elastic.co/logstash/logstash:8.15.3';
      const logstash = server(cluster, 'logging/logstash', image, 5044, {
        ...{ clusterIP: '10.96.83.4', pod: settingsVolume('logstash-pipeline') },
      });
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () =>
        settings.edit({ 'logstash.conf': 'output { elasticsearch { index => kpl-%{+YYYY.MM.dd}" } }' }),
      );
      cluster.at(after(3), () => {
        cluster.image(
          image,
          ends(
            [
              '[2026-11-23T09:54:22,165][INFO ][logstash.agent           ] Successfully started Logstash API endpoint {:port=>9600, :ssl_enabled=>false}',
              '[2026-11-23T09:54:22,171][ERROR][logstash.agent           ] Failed to execute action {:action=>LogStash::PipelineAction::Create/pipeline_id:main, :exception=>"LogStash::ConfigurationError", :message=>"Expected one of [ \\\\t\\\\r\\\\n], \\"#\\", \\"{\\", \\"}\\" at line 23, column 56 (byte 544) after output{\\n  elasticsearch {\\n    index => kpl-", :backtrace=>["/usr/share/logstash/logstash-core/lib/logstash/compiler.rb:32:in `compile_imperative\'"]}',
              '[2026-11-23T09:54:22,201][INFO ][logstash.runner          ] Logstash shut down.',
            ],
            1,
            12,
          ),
        );
        logstash.restart();
      });
      const values = { LOGSTASH_HOST: 'logstash.logging.svc.cluster.local:5044' };
      const innocents = clients(cluster, 20, {
        'logging/audit-forwarder': {
          does: ends([
            'ERROR pipeline/output.go:154 Failed to connect to backoff(async(tcp://logstash.logging.svc.cluster.local:5044)): dial tcp 10.96.83.4:5044: connect: connection refused',
          ]),
          values,
        },
        'shop/clickstream': {
          does: unready([
            'WARN  n.l.l.appender.LogstashTcpSocketAppender - Log destination logstash.logging.svc.cluster.local/10.96.83.4:5044: connection failed. java.net.ConnectException: Connection refused',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/logging/logstash-pipeline',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/logging/logstash', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/epinio/epinio/issues/2085: the new console reads a key that the Secret of the release before does not hold.
  'console-reads-a-key-of-the-next-release': reported(
    'An upgrade of a chart brings a console that reads a key which the Secret of the release before does not hold',
    (cluster) => {
      cluster.secret('epinio/dex-config', {
        issuer: 'https://auth.platform.example',
        endpoint: 'https://auth.platform.example',
      });
      const first = {
        image: 'ghcr.io/epinio/epinio-ui:v1.6.2-0.0.1',
        env: { EPINIO_DEX_ISSUER: 'secret/dex-config/issuer' },
      };
      const console = cluster.deployment('epinio/epinio-ui', first);
      cluster.service('epinio/epinio-ui');
      cluster.deployment('epinio/epinio-server', { image: 'ghcr.io/epinio/epinio-server:v1.6.2' });
      cluster.service('epinio/epinio-server');
      cluster.at(after(0), () =>
        console.change({
          image: 'ghcr.io/epinio/epinio-ui:v1.7.0-0.0.1',
          env: { ...first.env, EPINIO_DEX_SECRET: 'secret/dex-config/uiClientSecret' },
        }),
      );
      cluster.expectIncident({
        root: 'Deployment/epinio/epinio-ui',
        accepts: ['Secret/epinio/dex-config'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/epinio/epinio-server', 'Service/epinio/epinio-ui'],
      });
    },
  ),

  // https://github.com/kgateway-dev/kgateway/pull/5379: "License is invalid or expired, crashing - license expired"
  'licence-of-a-gateway-has-run-out': reported(
    'The licence in the Secret of an API gateway has run out; nothing happens until its add-ons are restarted, and then two of them end',
    (cluster) => {
      cluster.secret('gloo-system/license', { 'license-key': 'eyJhbGciOiJIUzI1NiJ9.e30.x' });
      const env = { GLOO_LICENSE_KEY: 'secret/license/license-key' };
      cluster.deployment('gloo-system/gateway-proxy', {
        replicas: 2,
        image: 'quay.io/solo-io/gloo-envoy-wrapper:1.8.0',
      });
      cluster.service('gloo-system/gateway-proxy');
      const places = ['gloo-system/observability', 'gloo-system/rate-limit'];
      const handles = places.map((place) =>
        cluster.deployment(place, { image: imageOf(place), env, spec: { strategy: { type: 'Recreate' } } }),
      );
      cluster.at(after(0), () => {
        for (const place of places)
          cluster.image(
            imageOf(place),
            ends(
              [
                '{"level":"fatal","ts":1795425586.1552186,"logger":"' +
                  place.replace(/.*\//, '') +
                  '","caller":"cmd/main.go:24","msg":"License is invalid or expired, crashing - license expired","version":"1.8.0","stacktrace":"main.main\\n\\t/workspace/solo-projects/projects/observability/cmd/main.go:24"}',
              ],
              1,
              1,
            ),
          );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Secret/gloo-system/license',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          ...['Deployment/gloo-system/observability', 'Deployment/gloo-system/rate-limit'],
          'Deployment/gloo-system/gateway-proxy',
        ] as const,
      });
    },
  ),

  // https://github.com/world-federation-of-advertisers/cross-media-measurement/issues/1648: the password is rotated outside, the Secret is not.
  'password-is-rotated-behind-the-back-of-its-secret': reported(
    'A cloud rotates the password of its database every month; the Secret in the cluster keeps the old one, and three services are turned away',
    (cluster, firm) => {
      cluster.secret('measure/postgres-auth', { username: 'postgres', password: 'october' });
      const env = { POSTGRES_PASSWORD: 'secret/postgres-auth/password' };
      const values = { POSTGRES_HOST: 'duchy.c3xample.eu-west-1.rds.amazonaws.com' };
      innocentRelease(cluster, after(-55), firm);
      const innocents = clients(cluster, 0, {
        'measure/internal-server': {
          does: unready([
            'io.r2dbc.postgresql.ExceptionFactory$PostgresqlAuthenticationFailure: [28P01] password authentication failed for user "postgres"',
            '\tat io.r2dbc.postgresql.ExceptionFactory.createException(ExceptionFactory.java:78)',
          ]),
          ...{ env, values },
        },
        'measure/herald': {
          does: ends([
            'Exception in thread "main" org.postgresql.util.PSQLException: FATAL: password authentication failed for user "postgres"',
            '\tat org.postgresql.core.v3.ConnectionFactoryImpl.doAuthentication(ConnectionFactoryImpl.java:698)',
          ]),
          ...{ env, values },
        },
        'measure/requisitions': {
          does: ends([
            'failed to connect to `user=postgres database=duchy`: 10.60.4.11:5432 (duchy.c3xample.eu-west-1.rds.amazonaws.com): failed SASL auth: FATAL: password authentication failed for user "postgres" (SQLSTATE 28P01)',
          ]),
          ...{ env, values },
        },
      });
      cluster.expectIncident({
        root: 'Secret/measure/postgres-auth',
        accepts: ['ExternalEndpoint//duchy.c3xample.eu-west-1.rds.amazonaws.com:5432'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/jkroepke/helm-secrets/issues/278: the release comes without the Secret it was to bring.
  'release-comes-without-its-enciphered-secret': reported(
    'A release moves its passwords into an enciphered Secret that is never made; an API and its worker cannot start',
    (cluster) => {
      const names = ['orders-api', 'orders-worker'];
      const handles = names.map((name) =>
        cluster.deployment(`sales/${name}`, { replicas: 2, image: imageAt(name, '4.1') }),
      );
      cluster.service('sales/orders-api');
      cluster.at(after(0), () => {
        for (const [index, name] of names.entries())
          handles[index]?.change({ image: imageAt(name, '4.2'), env: { DB_PASSWORD: 'secret/mysecret/password' } });
      });
      cluster.expectIncident({
        root: 'Secret/sales/mysecret',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/sales/orders-api', 'Deployment/sales/orders-worker'],
      });
    },
  ),
};
