import { imageAt, innocentRelease } from '../../kit/company.ts';
import { secretVolume, settingsVolume } from '../../kit/field.ts';
import { after, clients, disks, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** ConfigMaps and Secrets: changed for the worse, made anew, or gone. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/trinodb/charts/issues/302, https://github.com/rustyrazorblade/easy-db-lab/issues/827
  'settings-of-the-coordinator-given-to-the-workers': reported(
    'Settings of the web interface go into the ConfigMap of the workers of a query engine too, and they refuse them; those that query fail',
    (cluster, firm) => {
      const image = 'docker.io/trinodb/trino:468';
      const config = cluster.configMap('lake/trino-worker', { 'config.properties': 'coordinator=false' });
      cluster.deployment('lake/trino-coordinator', { image });
      cluster.service('lake/trino-coordinator', { clusterIP: '10.96.12.60' });
      const worker = cluster.deployment('lake/trino-worker', {
        ...{ replicas: 3, image: `${image}-worker`, pod: settingsVolume('trino-worker') },
      });
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () =>
        config.edit({ 'config.properties': 'coordinator=false\nweb-ui.authentication.type=oauth2' }),
      );
      cluster.at(after(20), () => {
        cluster.befall(
          `${image}-worker`,
          ends(
            [
              '2026-11-23T09:02:20.044Z\tERROR\tmain\tio.trino.server.Server\tConfiguration is invalid',
              '==========',
              'Errors:',
              "1) Configuration property 'web-ui.authentication.type' was not used",
              "2) Configuration property 'web-ui.preview.enabled' was not used",
            ],
            100,
            6,
          ),
        );
        worker.restart();
      });
      const values = { TRINO_HOST: 'trino-coordinator.lake.svc.cluster.local' };
      const innocents = clients(cluster, 45, {
        'lake/dashboards': {
          does: unready([
            'trino.exceptions.TrinoQueryError: TrinoQueryError(type=INSUFFICIENT_RESOURCES, name=NO_NODES_AVAILABLE, message="No nodes available to run query", query_id=20261123_090301_00041_x2k8f)',
          ]),
          values,
        },
        'lake/nightly-models': {
          does: ends([
            'dbt.exceptions.DbtDatabaseError: Database Error: TrinoQueryError(type=INSUFFICIENT_RESOURCES, name=NO_NODES_AVAILABLE, message="No nodes available to run query")',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/lake/trino-worker',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/lake/trino-coordinator', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/n8n-io/n8n/pull/8332: since then it refuses to start where the keys differ.
  'encryption-key-made-anew': reported(
    'The Secret with the key of a workflow tool is made anew; its main part and its workers refuse to start with another key than they know',
    (cluster) => {
      const secret = cluster.secret('flows/n8n', { N8N_ENCRYPTION_KEY: 'one' });
      const env = { N8N_ENCRYPTION_KEY: 'secret/n8n/N8N_ENCRYPTION_KEY' };
      const image = 'docker.io/n8nio/n8n:1.62.1';
      const handles = ['n8n-main', 'n8n-worker'].map((name) =>
        cluster.deployment(`flows/${name}`, { image, env, replicas: name === 'n8n-worker' ? 2 : 1 }),
      );
      cluster.service('flows/n8n-main');
      cluster.at(after(0), () => secret.edit({ N8N_ENCRYPTION_KEY: 'two' }));
      cluster.at(after(15), () => {
        cluster.image(
          image,
          ends(
            [
              'Error: Mismatching encryption keys. The encryption key in the settings file /home/node/.n8n/config does not match the N8N_ENCRYPTION_KEY env var. Please make sure both keys match. More information: https://docs.n8n.io/hosting/environment-variables/configuration-methods/#encryption-key',
              '    at InstanceSettings.loadOrCreate (/usr/local/lib/node_modules/n8n/node_modules/n8n-core/dist/InstanceSettings.js:97:23)',
            ],
            1,
            2,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Secret/flows/n8n',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/flows/n8n-main', 'Deployment/flows/n8n-worker'],
      });
    },
  ),

  // https://oneuptime.com/blog/post/2026-02-09-crashloopbackoff-missing-config/view: a property is taken out that two read.
  'placeholder-without-its-property': reported(
    'A property is taken out of the ConfigMap of two Spring services that still have a placeholder for it; both end when they are restarted',
    (cluster, firm) => {
      const settings = cluster.configMap('parcel/application-yaml', {
        'application.yaml': 'carrier:\n  base-url: https://carrier.example\n  timeout: 5s',
      });
      const places = ['labels', 'returns'];
      const handles = places.map((name) => {
        cluster.service(`parcel/${name}`);
        return cluster.deployment(`parcel/${name}`, {
          ...{ replicas: 2, image: imageAt(name, 21), pod: settingsVolume('application-yaml') },
        });
      });
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => settings.edit({ 'application.yaml': 'carrier:\n  timeout: 5s' }));
      cluster.at(after(30), () => {
        for (const [index, name] of places.entries()) {
          cluster.image(
            imageAt(name, 21),
            ends(
              [
                "2026-11-23T09:07:11.302Z  WARN 1 --- [main] ConfigServletWebServerApplicationContext : Exception encountered during context initialization - cancelling refresh attempt: org.springframework.beans.factory.BeanCreationException: Error creating bean with name 'carrierClient': Injection of autowired dependencies failed",
                `Caused by: java.lang.IllegalArgumentException: Could not resolve placeholder 'carrier.base-url' in value "\${carrier.base-url}"`,
              ],
              1,
              11,
            ),
          );
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: 'ConfigMap/parcel/application-yaml',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/parcel/labels', 'Deployment/parcel/returns', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://grokdatum.github.io/grokdevops-wiki/library/postmortems/sev-2/missing-runbook-crashloop: 58 minutes; here fourteen.
  'unquoted-colon-in-a-strategy': reported(
    'A value with a colon goes into a ConfigMap without quotes; the sign-in service cannot read its settings, and two that sign people in fail',
    (cluster) => {
      const good = { 'config.yaml': 'rate_limit_strategy: fixed' };
      const settings = cluster.configMap('identity/auth-service', good);
      const image = imageAt('auth-service', '2.11.3');
      const auth = cluster.deployment('identity/auth-service', {
        ...{ replicas: 2, image, pod: settingsVolume('auth-service'), spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('identity/auth-service', { clusterIP: '10.96.77.3' });
      cluster.at(after(0), () => settings.edit({ 'config.yaml': 'rate_limit_strategy: adaptive: true' }));
      cluster.at(after(10), () => {
        cluster.image(
          image,
          ends([
            'level=info msg="auth-service starting" version=2.11.3 config=/etc/auth/config.yaml',
            'level=fatal msg="cannot load configuration" file=/etc/auth/config.yaml error="yaml: line 1: mapping values are not allowed in this context"',
          ]),
        );
        auth.restart();
      });
      const values = { AUTH_URL: 'http://auth-service.identity.svc.cluster.local' };
      const does = unready([
        'level=error msg="login failed" error="Post \\"http://auth-service.identity.svc.cluster.local/v1/session\\": dial tcp 10.96.77.3:80: connect: connection refused"',
      ]);
      const places = { 'portal/login': { does, values }, 'partners/single-sign-on': { does, values } };
      const innocents = clients(cluster, 22, places);
      cluster.at(after(840), () => {
        settings.edit(good);
        cluster.befall(image, {});
      });
      recover(cluster, 850, ...Object.keys(places));
      cluster.expectIncident({
        root: 'ConfigMap/identity/auth-service',
        accepts: ['Deployment/identity/auth-service'],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
    { minutes: 26 },
  ),

  // https://github.com/bitnami/charts/issues/13993, https://github.com/thanos-io/thanos/issues/6314
  'object-store-does-not-know-the-access-key': reported(
    'The access key in the Secret of long-term metrics is changed to one that the store does not know; three parts that read it fail',
    (cluster, firm) => {
      const secret = cluster.secret('metrics/thanos-objstore', { 'objstore.yml': 'access_key: one' });
      const image = 'quay.io/thanos/thanos:v0.36.1';
      const pod = secretVolume('thanos-objstore');
      const names = ['thanos-storegateway', 'thanos-compactor', 'thanos-ruler'];
      const handles = names.map((name) => {
        cluster.service(`metrics/${name}`);
        return cluster.statefulSet(`metrics/${name}`, { image, pod });
      });
      cluster.deployment('metrics/thanos-query', { replicas: 2, image: `${image}-query` });
      innocentRelease(cluster, after(-35), firm);
      cluster.at(after(0), () => secret.edit({ 'objstore.yml': 'access_key: two' }));
      cluster.at(after(20), () => {
        cluster.image(
          image,
          ends(
            [
              'ts=2026-11-23T09:30:25.378Z caller=factory.go:54 level=info msg="loading bucket configuration"',
              'ts=2026-11-23T09:30:29.114Z caller=main.go:161 level=error err="The Access Key Id you provided does not exist in our records.\\nBaseFetcher: iter bucket\\nsync block\\nbucket store initial sync\\nmain.runStore.func3"',
            ],
            1,
            8,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Secret/metrics/thanos-objstore',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          ...names.map((name) => `StatefulSet/metrics/${name}` as const),
          'Deployment/metrics/thanos-query',
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),

  // https://github.com/bitnami/charts/issues/32273: the chart mounts a Secret that was never made, as there was no password.
  'cache-mounts-a-password-that-was-never-set': reported(
    'An upgrade of a chart makes the Redis of a social network mount a Secret that nobody ever made; web and background work lose it',
    (cluster) => {
      const image = 'docker.io/bitnamilegacy/redis:7.4.2-debian-12-r4';
      const spec = disks(cluster);
      const cache = server(cluster, 'social/mastodon-redis-master', image, 6379, {
        ...{ clusterIP: '10.96.21.9', spec },
      });
      cluster.at(after(0), () => cache.change({ pod: secretVolume('mastodon-redis'), spec }));
      const values = { REDIS_HOST: 'mastodon-redis-master.social.svc.cluster.local' };
      const innocents = clients(cluster, 15, {
        'social/mastodon-web': {
          does: unready(
            [
              'Redis::CannotConnectError: connect(2) for 10.96.21.9:6379 (redis://mastodon-redis-master.social.svc.cluster.local:6379)',
            ],
            'HTTP probe failed with statuscode: 500',
          ),
          values,
        },
        'social/mastodon-sidekiq': {
          does: ends([
            'Error connecting to Redis on mastodon-redis-master.social.svc.cluster.local:6379 (Errno::ECONNREFUSED)',
            "/usr/local/bundle/gems/redis-4.8.1/lib/redis/client.rb:398:in `rescue in establish_connection'",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Secret/social/mastodon-redis',
        accepts: ['StatefulSet/social/mastodon-redis-master'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StorageClass//gp3', 'Node//n1'],
      });
    },
  ),

  // https://github.com/validatedpatterns/industrial-edge/issues/75: the settings of the edge, on another cluster.
  'sensors-know-the-broker-of-another-cluster': reported(
    'A ConfigMap of sensors is applied with the address of another cluster; both sensors and the dashboard of the line cannot find their broker',
    (cluster) => {
      const good = 'broker-amq-mqtt.apps.cluster-7.example';
      const settings = cluster.configMap('plant/line-settings', { MQTT_HOSTNAME: good });
      const names = ['machine-sensor-1', 'machine-sensor-2', 'line-dashboard'];
      const handles = names.map((name) =>
        cluster.deployment(`plant/${name}`, { image: imageAt(name, 3), envFrom: ['line-settings'] }),
      );
      cluster.at(after(0), () => settings.edit({ MQTT_HOSTNAME: 'broker-amq-mqtt.apps.edge-kfsmk.example' }));
      cluster.at(after(15), () => {
        for (const [index, name] of names.entries()) {
          cluster.image(
            imageAt(name, 3),
            ends([
              'ERROR [io.smallrye.reactive.messaging.mqtt] SRMSG17105: Unable to connect to MQTT broker',
              'java.net.UnknownHostException: broker-amq-mqtt.apps.edge-kfsmk.example: Name or service not known',
            ]),
          );
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: 'ConfigMap/plant/line-settings',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...names.map((name) => `Deployment/plant/${name}` as const), 'Deployment/kube-system/coredns'],
      });
    },
  ),

  // https://github.com/sentry-kubernetes/charts/issues/154: the newer chart does not bring it any more.
  'server-block-is-not-in-the-chart-any-more': reported(
    'An upgrade deletes the ConfigMap that the proxy of an error tracker mounts, and the proxy is rolled out by it; those that send errors fail',
    (cluster) => {
      const block = cluster.configMap('tracker/nginx-server-block', { 'server-block.conf': 'server { listen 8080; }' });
      const repository = 'docker.io/bitnamilegacy/nginx';
      const proxy = cluster.deployment('tracker/tracker-nginx', {
        ...{ replicas: 2, image: `${repository}:1.18.0`, pod: settingsVolume('nginx-server-block') },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('tracker/tracker-nginx', { clusterIP: '10.96.64.5' });
      cluster.at(after(0), () => {
        block.delete();
        proxy.setImage(`${repository}:1.19.2`);
      });
      const values = { ERRORS_DSN: 'http://public@tracker-nginx.tracker.svc.cluster.local/4' };
      const innocents = clients(cluster, 20, {
        'orders/error-relay': {
          does: unready([
            'ERROR relay::actors::upstream: authentication encountered error error="could not send request to upstream: error sending request for url (http://tracker-nginx.tracker.svc.cluster.local/api/0/relays/register/challenge/): tcp connect error: Connection refused (os error 111)"',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/tracker/nginx-server-block',
        accepts: ['Deployment/tracker/tracker-nginx'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/actions/actions-runner-controller/issues/3269, https://github.com/actions/actions-runner-controller/issues/2807
  'access-token-of-the-runners-is-bad': reported(
    'The token in the Secret of the runners of a code host is exchanged for a wrong one; the controller and both listeners end for it',
    (cluster) => {
      const secret = cluster.secret('arc/github-app', { github_token: 'one' });
      const env = { GITHUB_TOKEN: 'secret/github-app/github_token' };
      const image = 'ghcr.io/actions/gha-runner-scale-set-controller:0.7.0';
      const names = ['arc-controller', 'linux-listener', 'build-listener'];
      const handles = names.map((name) => cluster.deployment(`arc/${name}`, { image, env, probe: false }));
      cluster.at(after(0), () => secret.edit({ github_token: 'two' }));
      cluster.at(after(25), () => {
        cluster.image(
          image,
          ends(
            [
              '2026-11-23T09:09:31Z INFO refreshing token githubConfigUrl=https://github.com/acme-robots',
              '2026-11-23T09:09:32Z ERROR Application returned an error {"error": "failed to create message session: get runner registration token failed: github api error: StatusCode 401, RequestID \\"C0DE:2F1B\\": {\\"message\\":\\"Bad credentials\\",\\"documentation_url\\":\\"https://docs.github.com/rest\\"}"}',
            ],
            1,
            3,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Secret/arc/github-app',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: names.map((name) => `Deployment/arc/${name}` as const),
      });
    },
  ),
};
