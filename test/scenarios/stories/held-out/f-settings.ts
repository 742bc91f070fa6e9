import { innocentRelease } from '../../kit/company.ts';
import { settingsVolume } from '../../kit/field.ts';
import { after, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

/** Settings and secrets, and those that read them as they start. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/n8n-io/n8n/pull/8332, https://github.com/n8n-io/n8n/issues/8287
  'workflows-are-sealed-with-another-key': reported(
    'The key of an n8n is made anew in its Secret; its files know the old one, so that neither the main part nor the workers start again',
    (cluster, firm) => {
      const secret = cluster.secret('flowteam/n8n-encryption', { key: 'one' });
      server(cluster, 'flowteam/n8n-postgresql', 'docker.io/library/postgres:16.3', 5432);
      const image = 'docker.io/n8nio/n8n:1.62.5';
      const env = { N8N_ENCRYPTION_KEY: 'secret/n8n-encryption/key' };
      const main = cluster.deployment('flowteam/n8n', { image, env });
      const worker = cluster.deployment('flowteam/n8n-worker', { replicas: 3, image, env });
      cluster.service('flowteam/n8n');
      innocentRelease(cluster, after(-15), firm);
      cluster.at(after(0), () => secret.edit({ key: 'two' }));
      cluster.at(after(35), () => {
        cluster.image(
          image,
          ends(
            [
              'User settings loaded from: /home/node/.n8n/config',
              'Error: Mismatching encryption keys. The encryption key in the settings file /home/node/.n8n/config does not match the N8N_ENCRYPTION_KEY env var. Please make sure both keys match. More information: https://docs.n8n.io/hosting/environment-variables/configuration-methods/#encryption-key',
            ],
            1,
            3,
          ),
        );
        main.restart();
        worker.restart();
      });
      cluster.expectIncident({
        root: 'Secret/flowteam/n8n-encryption',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          'Deployment/flowteam/n8n',
          'Deployment/flowteam/n8n-worker',
          'StatefulSet/flowteam/n8n-postgresql',
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),

  // https://github.com/apache/nifi/pull/2077, https://github.com/cetic/helm-nifi/pull/183
  'sensitive-key-of-the-flows-is-another': reported(
    'The sensitive key of a NiFi is changed in its Secret; its flow was sealed with the one before, and it shuts down as it starts; put back after a quarter of an hour',
    (cluster) => {
      const secret = cluster.secret('ingest/nifi-sensitive-props', { 'sensitive-props-key': 'one' });
      const image = 'docker.io/apache/nifi:1.23.2';
      const env = { NIFI_SENSITIVE_PROPS_KEY: 'secret/nifi-sensitive-props/sensitive-props-key' };
      const nifi = server(cluster, 'ingest/nifi', image, 8443, { spec: disks(cluster), env });
      cluster.at(after(0), () => secret.edit({ 'sensitive-props-key': 'two' }));
      cluster.at(after(20), () => {
        cluster.image(
          image,
          ends(
            [
              '2026-11-23 09:02:13,817 INFO [main] org.eclipse.jetty.server.Server Started @17574ms',
              '2026-11-23 09:02:13,817 WARN [main] org.apache.nifi.web.server.JettyServer Failed to start web server... shutting down.',
              'org.apache.nifi.encrypt.EncryptionException: There was a problem decrypting a sensitive flow configuration value. Check that the nifi.sensitive.props.key value in nifi.properties matches the value used to encrypt the flow.xml.gz file',
              '\tat org.apache.nifi.controller.serialization.FlowFromDOMFactory.decrypt(FlowFromDOMFactory.java:505)',
            ],
            1,
            19,
          ),
        );
        nifi.restart();
      });
      cluster.at(after(900), () => {
        secret.edit({ 'sensitive-props-key': 'one' });
        cluster.befall(image, {});
        nifi.restart();
      });
      cluster.expectIncident({
        root: 'Secret/ingest/nifi-sensitive-props',
        messages: { resolve: 1 },
        mustNotBlame: ['Service/ingest/nifi', 'StorageClass//gp3'],
      });
    },
    { minutes: 26 },
  ),

  // https://github.com/trinodb/charts/issues/302, https://github.com/rustyrazorblade/easy-db-lab/pull/851
  'setting-for-the-coordinator-reaches-all-workers': reported(
    'A property of the coordinator of a Trino is written into the settings of its workers too, and a worker ends for a property that it does not use',
    (cluster, firm) => {
      const old = 'coordinator=false\nhttp-server.http.port=8080\n';
      const settings = cluster.configMap('lake/trino-worker', { 'config.properties': old });
      cluster.configMap('lake/trino-coordinator', { 'config.properties': 'coordinator=true\n' });
      const coordinator = 'docker.io/trinodb/trino:474';
      cluster.deployment('lake/trino-coordinator', { image: coordinator, pod: settingsVolume('trino-coordinator') });
      cluster.service('lake/trino-coordinator');
      const image = 'docker.io/trinodb/trino:474-worker';
      const workers = cluster.deployment('lake/trino-worker', {
        ...{ replicas: 3, image, pod: settingsVolume('trino-worker') },
      });
      innocentRelease(cluster, after(-50), firm);
      cluster.at(after(0), () =>
        settings.edit({
          'config.properties': `${old}web-ui.authentication.type=oauth2\nweb-ui.preview.enabled=true\n`,
        }),
      );
      cluster.at(after(18), () => {
        cluster.image(
          image,
          ends(
            [
              '2026-11-23T09:02:20.044Z\tERROR\tmain\tio.trino.server.Server\tConfiguration is invalid',
              '==========',
              'Errors:',
              "1) Configuration property 'web-ui.authentication.type' was not used",
              "2) Configuration property 'web-ui.preview.enabled' was not used",
            ],
            100,
            7,
          ),
        );
        workers.restart();
      });
      cluster.expectIncident({
        root: 'ConfigMap/lake/trino-worker',
        messages: { resolve: 0 },
        mustNotBlame: [
          'Deployment/lake/trino-coordinator',
          'ConfigMap/lake/trino-coordinator',
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),

  // https://github.com/elastic/logstash/issues/12495, https://github.com/elastic/logstash/issues/11209
  'pipeline-does-not-parse': reported(
    'Somebody edits the pipeline of a Logstash and leaves a brace open; it is read at the next restart, minutes later',
    (cluster) => {
      const old = 'input { beats { port => 5044 } } output { elasticsearch { hosts => ["http://search:9200"] } }';
      const settings = cluster.configMap('logs/logstash-pipeline', { 'main.conf': old });
      const image = 'docker.elastic.co/logstash/logstash:7.17.18';
      const logstash = server(cluster, 'logs/logstash', image, 5044, { pod: settingsVolume('logstash-pipeline') });
      cluster.at('120s', () => settings.edit({ 'main.conf': old.replace('} }', '}') }));
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              '[2026-11-23T09:26:42,602][ERROR][logstash.agent           ] Failed to execute action {:action=>LogStash::PipelineAction::Create/pipeline_id:main, :exception=>"LogStash::ConfigurationError", :message=>"Expected one of [ \\\\t\\\\r\\\\n], \\"#\\", \\"=>\\" at line 1, column 39 (byte 39) after input { beats { port => 5044 } output ", :backtrace=>["/usr/share/logstash/logstash-core/lib/logstash/compiler.rb:32:in `compile_imperative\'"]}',
              '[2026-11-23T09:26:42,771][INFO ][logstash.runner          ] Logstash shut down.',
              '[2026-11-23T09:26:42,780][FATAL][org.logstash.Logstash    ] Logstash stopped processing because of an error: (SystemExit) exit',
            ],
            1,
            21,
          ),
        );
        logstash.restart();
      });
      cluster.expectIncident({
        root: 'ConfigMap/logs/logstash-pipeline',
        messages: { resolve: 0 },
        mustNotBlame: ['Service/logs/logstash', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/actions/actions-runner-controller/issues/1295, https://github.com/unraid/ci-runner-farm/pull/22
  'runners-register-with-a-token-of-yesterday': reported(
    'The runners of two teams are moved to other machines and register again, with a registration token that was good for an hour only',
    (cluster, firm) => {
      cluster.secret('build/runner-registration', { token: 'one' });
      const image = 'docker.io/summerwind/actions-runner:v2.319.1-ubuntu-22.04';
      const env = { RUNNER_TOKEN: 'secret/runner-registration/token' };
      const names = ['runners-web', 'runners-mobile'];
      const handles = names.map((name) =>
        cluster.deployment(`build/${name}`, { replicas: 2, image, env, probe: false }),
      );
      innocentRelease(cluster, after(-35), firm);
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              '# Authentication',
              "Http response code: NotFound from 'POST https://api.github.com/actions/runner-registration' (Request Id: 8B02:1A4F:13C1B0)",
              '{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}',
              'Response status code does not indicate success: 404 (Not Found).',
              'Configuration failed. Retrying',
              'An error occurred: Not configured. Run config.(sh/cmd) to configure the runner.',
            ],
            1,
            8,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Secret/build/runner-registration',
        accepts: ['ExternalEndpoint//api.github.com:443', 'ExternalEndpoint//api.github.com'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...names.map((name) => `Deployment/build/${name}` as const), 'Deployment/logistics/tracking'],
      });
    },
  ),
};
