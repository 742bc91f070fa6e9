import { imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { secretVolume, settingsVolume } from '../../kit/field.ts';
import { after, clients, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** ConfigMaps, Secrets and accounts that are edited, and who fails for it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/nats-io/k8s/issues/219
  'settings-of-the-broker-do-not-parse': reported(
    'The settings of a NATS are edited and do not parse; it ends at its next start, and two clients find no server',
    (cluster, firm) => {
      const settings = cluster.configMap('bus/nats-config', { 'nats.conf': 'jetstream { max_file_store: 10Gi }' });
      const image = 'docker.io/library/nats:2.10.18-alpine';
      const nats = server(cluster, 'bus/nats', image, 4222, {
        ...{ replicas: 1, clusterIP: '10.96.50.2', pod: settingsVolume('nats-config') },
      });
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => settings.edit({ 'nats.conf': 'jetstream { max_file_store: 10 Gi }' }));
      cluster.at(after(15), () => {
        cluster.image(
          image,
          ends(
            [
              'nats-server: /etc/nats-config/nats.conf:17:2: Parse error on line 17: \'Expected a map value terminator "," or a map terminator "}", but got \'i\' instead.\'',
            ],
            1,
            1,
          ),
        );
        nats.restart();
      });
      const values = { NATS_URL: 'nats://nats.bus.svc:4222' };
      const innocents = clients(cluster, 24, {
        'fleet/positions': { does: ends(['panic: nats: no servers available for connection']), values },
        'fleet/geofence': {
          does: unready([
            'NatsError: CONNECTION_REFUSED',
            '  chainedError: Error: connect ECONNREFUSED 10.96.50.2:4222',
            "    code: 'ECONNREFUSED',",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/bus/nats-config',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking', 'Service/bus/nats'],
      });
    },
  ),

  // https://github.com/prometheus-community/helm-charts/issues/255: what is a Secret in this chart holds a route to nobody.
  'route-leads-to-a-receiver-that-is-not-there': reported(
    'The Secret with the settings of Alertmanager is edited: a route names a receiver that is not defined; its next start fails',
    (cluster) => {
      const image = 'quay.io/prometheus/alertmanager:v0.27.0';
      const secret = cluster.secret('monitoring/alertmanager-main', { 'alertmanager.yaml': 'route: {receiver: mail}' });
      const alertmanager = server(cluster, 'monitoring/alertmanager-main', image, 9093, {
        ...{ replicas: 2, pod: secretVolume('alertmanager-main') },
        container: { volumeMounts: [{ name: 'secret', mountPath: '/etc/alertmanager/config' }] },
      });
      cluster.at(after(0), () => secret.edit({ 'alertmanager.yaml': 'route: {receiver: pager}' }));
      cluster.at(after(60), () => {
        cluster.image(
          image,
          ends(
            [
              'ts=2026-11-22T09:20:12.001Z caller=main.go:181 level=info msg="Starting Alertmanager" version="(version=0.27.0, branch=HEAD, revision=0aa3c2aad14cff039931923ab16b26b7481783b5)"',
              'ts=2026-11-22T09:20:12.055Z caller=coordinator.go:118 level=error component=configuration msg="Loading configuration file failed" file=/etc/alertmanager/config/alertmanager.yaml err="undefined receiver \\"pager\\" used in route"',
              'ts=2026-11-22T09:20:12.055Z caller=cluster.go:692 level=info component=cluster msg="gossip not settled but continuing anyway" polls=0',
            ],
            1,
            1,
          ),
        );
        alertmanager.restart();
      });
      cluster.expectIncident({
        root: 'Secret/monitoring/alertmanager-main',
        messages: { resolve: 0 },
        mustNotBlame: ['Service/monitoring/alertmanager-main', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/openanalytics/shinyproxy-operator/issues/51: the overlay changes the password, its clients keep the one they have.
  'password-of-the-cache-changed-by-its-overlay': reported(
    'The password of a Redis is changed in its own Secret and it is started anew; clients in two namespaces have the old one in Secrets of their own',
    (cluster) => {
      const secret = cluster.secret('cache/redis', { 'redis-password': 'one' });
      const redis = server(cluster, 'cache/redis', 'docker.io/library/redis:7.2.5', 6379, {
        clusterIP: '10.96.52.6',
        env: { REDIS_PASSWORD: 'secret/redis/redis-password' },
      });
      cluster.secret('apps/redis-client', { password: 'one' });
      cluster.secret('reports/redis-client', { password: 'one' });
      cluster.at(after(0), () => secret.edit({ 'redis-password': 'two' }));
      cluster.at(after(4), () => redis.restart());
      const values = { REDIS_HOST: 'redis.cache.svc' };
      const env = { REDIS_PASSWORD: 'secret/redis-client/password' };
      const wrong = 'WRONGPASS invalid username-password pair or user is disabled.';
      const innocents = clients(cluster, 20, {
        'apps/shinyproxy': {
          does: unready([
            '2026-11-22T09:14:20.119Z WARN 1 --- [lettuce-eventExecutorLoop-1-3] o.s.b.a.d.r.RedisReactiveHealthIndicator : Redis health check failed',
            'org.springframework.data.redis.RedisConnectionFailureException: Unable to connect to Redis',
            `Caused by: io.lettuce.core.RedisCommandExecutionException: ${wrong}`,
          ]),
          ...{ values, env },
        },
        'apps/notebooks': { does: ends([`redis.exceptions.AuthenticationError: ${wrong}`]), values, env },
        'reports/scheduler': { does: ends([`panic: ${wrong}`, 'goroutine 1 [running]:']), values, env },
      });
      cluster.expectIncident({
        root: 'Secret/cache/redis',
        accepts: ['StatefulSet/cache/redis', 'Service/cache/redis'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/pydantic/pydantic-settings/issues/208, https://github.com/maxdorninger/MediaManager/issues/379 for the words
  'number-of-workers-is-a-word': reported(
    'A variable in a ConfigMap gets a word where a number belongs; both workloads that read it are started anew and end',
    (cluster, firm) => {
      const good = { LOG_LEVEL: 'info', MAX_WORKERS: '4' };
      const settings = cluster.configMap('claims/common-env', good);
      const places = ['claims/intake-api', 'claims/ocr'];
      const handles = places.map((place) =>
        cluster.deployment(place, { replicas: 2, image: imageOf(place), envFrom: ['common-env'] }),
      );
      innocentRelease(cluster, after(-15), firm);
      cluster.at(after(0), () => settings.edit({ LOG_LEVEL: 'info', MAX_WORKERS: 'auto' }));
      cluster.at(after(30), () => {
        for (const [index, place] of places.entries()) {
          cluster.image(
            imageOf(place),
            ends([
              'Traceback (most recent call last):',
              '  File "/app/core/settings.py", line 70, in <module>',
              '    settings = Settings()',
              'pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings',
              'MAX_WORKERS',
              "  Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='auto', input_type=str]",
            ]),
          );
          handles[index]?.restart();
        }
      });
      cluster.at(after(900), () => {
        settings.edit(good);
        for (const [index, place] of places.entries()) {
          cluster.image(imageOf(place), {});
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: 'ConfigMap/claims/common-env',
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: ['Deployment/logistics/tracking'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/aws-samples/aws-cdk-for-emr-on-eks/issues/2, https://github.com/humio/humio-operator/issues/114
  'role-of-an-account-is-another-one': reported(
    'The annotation of a ServiceAccount names another role of the cloud; what is started anew with it may not take that role',
    (cluster) => {
      const metadata = { namespace: 'data', name: 'exporter' };
      const key = 'eks.amazonaws.com/role-arn';
      const account = cluster.object({
        ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
        metadata: { ...metadata, annotations: { [key]: 'arn:aws:iam::123456789012:role/data-exporter' } },
      });
      const places = ['data/clickstream-export', 'data/orders-export'];
      const pod = { serviceAccountName: 'exporter' };
      const handles = places.map((place) => cluster.deployment(place, { replicas: 1, image: imageOf(place), pod }));
      const denied = 'Not authorized to perform sts:AssumeRoleWithWebIdentity';
      cluster.at(after(0), () =>
        account.patch({ metadata: { annotations: { [key]: 'arn:aws:iam::123456789012:role/data-exports' } } }),
      );
      cluster.at(after(20), () => {
        cluster.image(
          imageOf('data/clickstream-export'),
          ends([
            'Traceback (most recent call last):',
            `botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the AssumeRoleWithWebIdentity operation: ${denied}`,
          ]),
        );
        cluster.image(
          imageOf('data/orders-export'),
          ends([
            `ERROR c.e.OrdersExport$ - Got exception starting pid=1 com.amazonaws.services.securitytoken.model.AWSSecurityTokenServiceException: ${denied} (Service: AWSSecurityTokenService; Status Code: 403; Error Code: AccessDenied; Request ID: c59017b1-8ce2-4afe-8815-7d7c9bae0f86; Proxy: null)`,
          ]),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'ServiceAccount/data/exporter',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/data/clickstream-export', 'Deployment/data/orders-export'],
      });
    },
  ),

  // https://github.com/launchdarkly/node-server-sdk/issues/288, https://github.com/launchdarkly/ld-relay/issues/112: the SDK key of the environment was reset.
  'key-of-the-feature-switches-was-reset': reported(
    'The Secret with the key of the feature switches gets the key of another environment; two applications end as they start',
    (cluster, firm) => {
      const secret = cluster.secret('web/feature-switches', { 'sdk-key': 'sdk-one' });
      const env = { LD_SDK_KEY: 'secret/feature-switches/sdk-key' };
      const places = ['web/search-page', 'web/account-page'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place), env }));
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => secret.edit({ 'sdk-key': 'sdk-two' }));
      cluster.at(after(10), () => {
        cluster.image(
          imageOf('web/search-page'),
          ends([
            'error: [LaunchDarkly] Received error 401 (invalid SDK key) for streaming request - giving up permanently',
            'Error: Authentication failed. Double check your SDK key.',
            '    at /app/node_modules/@launchdarkly/node-server-sdk/dist/src/LDClientNode.js:61:20',
          ]),
        );
        cluster.image(
          imageOf('web/account-page'),
          ends([
            '[LaunchDarkly.Sdk.DataSource] ERROR: Error in stream connection: HTTP error 401 (invalid SDK key); giving up permanently',
            'Unhandled exception. System.InvalidOperationException: feature switches are not available',
          ]),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Secret/web/feature-switches',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/web/search-page', 'Deployment/web/account-page', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/mdn/mdn-http-observatory/pull/386 for the words; the limit of the server was lowered in its settings.
  'database-allows-fewer-connections-now': reported(
    'The settings of a PostgreSQL allow fewer connections than its three clients hold; it was started anew with them',
    (cluster) => {
      const settings = cluster.configMap('core/postgres-conf', { 'postgresql.conf': 'max_connections = 200' });
      const postgres = server(cluster, 'core/postgres', 'docker.io/library/postgres:15.6', 5432, {
        ...{ clusterIP: '10.96.54.4', pod: settingsVolume('postgres-conf') },
      });
      cluster.at(after(0), () => settings.edit({ 'postgresql.conf': 'max_connections = 20' }));
      cluster.at(after(30), () => postgres.restart());
      const values = { DATABASE_HOST: 'postgres.core.svc' };
      const full = 'FATAL:  remaining connection slots are reserved for non-replication superuser connections';
      const innocents = clients(cluster, 45, {
        'core/observatory': {
          does: unready([`error: connection to server at "postgres.core.svc" (10.96.54.4), port 5432 failed: ${full}`]),
          values,
        },
        'core/ranking': { does: ends([`psycopg2.OperationalError: ${full}`]), values },
        'core/robots': {
          does: ends([
            'Unhandled exception. Npgsql.PostgresException (0x80004005): 53300: remaining connection slots are reserved for non-replication superuser connections',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/core/postgres-conf',
        accepts: ['StatefulSet/core/postgres', 'Service/core/postgres'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/googleapis/google-cloud-python/issues/4117: the file that a Secret held is gone from it.
  'credentials-file-dropped-from-a-secret': reported(
    'A Secret is written anew without the file of credentials that an uploader reads; its next Pods do not find it',
    (cluster) => {
      const secret = cluster.secret('photos/gcs-account', { 'key.json': 'one', bucket: 'photos' });
      const uploader = cluster.deployment('photos/uploader', {
        ...{ replicas: 2, image: imageAt('uploader', 14), pod: secretVolume('gcs-account') },
        values: { GOOGLE_APPLICATION_CREDENTIALS: '/var/secrets/google/key.json' },
        container: { volumeMounts: [{ name: 'secret', mountPath: '/var/secrets/google' }] },
      });
      cluster.service('photos/uploader');
      cluster.at(after(0), () => secret.delete());
      cluster.at(after(2), () => cluster.secret('photos/gcs-account', { bucket: 'photos-eu' }));
      cluster.at(after(45), () => {
        cluster.image(
          imageAt('uploader', 14),
          ends([
            'Traceback (most recent call last):',
            '  File "/app/main.py", line 12, in <module>',
            '    client = storage.Client()',
            'google.auth.exceptions.DefaultCredentialsError: File /var/secrets/google/key.json was not found.',
          ]),
        );
        uploader.restart();
      });
      cluster.expectIncident({
        root: 'Secret/photos/gcs-account',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/photos/uploader', 'Service/photos/uploader'],
      });
    },
  ),
};
