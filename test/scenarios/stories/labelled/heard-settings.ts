import { innocentRelease } from '../../kit/company.ts';
import { secretVolume, settingsVolume } from '../../kit/field.ts';
import { after, clients, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Settings and Secrets that say something else than before. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/langfuse/langfuse-k8s/issues/60: one server, and the settings speak of a cluster of them.
  'settings-make-a-cluster-of-one-server': reported(
    'The ConfigMap of a tracing tool says that its column store is a cluster, which it is not; its web part and its worker end at their migrations',
    (cluster, firm) => {
      const settings = cluster.configMap('traces/langfuse', { CLICKHOUSE_CLUSTER_ENABLED: 'false' });
      server(cluster, 'traces/langfuse-clickhouse', 'docker.io/clickhouse/clickhouse-server:24.12.3', 9000);
      const image = 'docker.io/langfuse/langfuse:3.10.0';
      const names = ['langfuse-web', 'langfuse-worker'];
      const handles = names.map((name) =>
        cluster.deployment(`traces/${name}`, { replicas: 2, image, envFrom: ['langfuse'] }),
      );
      cluster.service('traces/langfuse-web');
      innocentRelease(cluster, after(-25), firm);
      cluster.at(after(0), () => settings.edit({ CLICKHOUSE_CLUSTER_ENABLED: 'true' }));
      cluster.at(after(20), () => {
        cluster.befall(
          image,
          ends(
            [
              `error: failed to open database, "clickhouse://langfuse-clickhouse:9000?x-cluster-name=default&x-migrations-table-engine=ReplicatedMergeTree": code: 701, message: Requested cluster 'default' not found in line 0:`,
              '                        CREATE TABLE schema_migrations ON CLUSTER default (',
              'Applying clickhouse migrations failed. This is mostly caused by the database being unavailable.',
            ],
            1,
            7,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'ConfigMap/traces/langfuse',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          ...names.map((name) => `Deployment/traces/${name}` as const),
          ...(['StatefulSet/traces/langfuse-clickhouse', 'Deployment/logistics/tracking'] as const),
        ],
      });
    },
  ),

  // https://github.com/ory/k8s/issues/374, https://github.com/ory/kratos/issues/1452
  'identities-are-to-be-enciphered-without-a-key': reported(
    'A cipher goes into the ConfigMap of an identity server, and no key with it; the server and its courier find their settings invalid, and two that sign in fail',
    (cluster) => {
      const settings = cluster.configMap('people/kratos-config', { 'kratos.yaml': 'ciphers: {}' });
      const image = 'docker.io/oryd/kratos:v1.3.1';
      const pod = settingsVolume('kratos-config');
      const kratos = cluster.deployment('people/kratos', {
        ...{ replicas: 2, image, pod, spec: { strategy: { type: 'Recreate' } } },
      });
      const courier = cluster.statefulSet('people/kratos-courier', { image, pod });
      cluster.service('people/kratos', { clusterIP: '10.96.44.33' });
      cluster.at(after(0), () => settings.edit({ 'kratos.yaml': 'ciphers:\n  algorithm: xchacha20-poly1305' }));
      cluster.at(after(12), () => {
        cluster.image(
          image,
          ends(
            [
              'time=2026-11-23T09:30:25Z level=error msg=The provided configuration is invalid and could not be loaded. Check the output below to understand why. audience=application config_file=/etc/config/kratos.yaml service_name=kratos',
              'secrets: <nil>',
              '         ^-- one or more required properties are missing',
              'time=2026-11-23T09:30:25Z level=fatal msg=The services failed to start because the configuration is invalid. Check the output above for more details. audience=application service_name=kratos',
            ],
            1,
            2,
          ),
        );
        kratos.restart();
        courier.restart();
      });
      const values = { KRATOS_PUBLIC_URL: 'http://kratos.people.svc.cluster.local' };
      const innocents = clients(cluster, 40, {
        'members/account': {
          does: unready([
            'Error: connect ECONNREFUSED 10.96.44.33:80 http://kratos.people.svc.cluster.local/sessions/whoami',
          ]),
          values,
        },
        'members/forum': {
          does: unready([
            'level=error msg="whoami failed" error="Get \\"http://kratos.people.svc.cluster.local/sessions/whoami\\": dial tcp 10.96.44.33:80: connect: connection refused"',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/people/kratos-config',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/people/kratos-courier', 'Service/people/kratos'],
      });
    },
  ),

  // https://github.com/gravitl/netmaker/issues/1391: the broker cannot load what its settings name.
  'authority-is-left-out-of-the-brokers-secret': reported(
    'A renewed Secret of an MQTT broker comes without the authority; the broker ends at its next start, and meters and lamps lose it',
    (cluster, firm) => {
      const secret = cluster.secret('home/mosquitto-certs', {
        ...{ 'root.pem': 'one', 'server.pem': 'one', 'server.key': 'one' },
      });
      const image = 'docker.io/library/eclipse-mosquitto:2.0.11-openssl';
      const broker = server(cluster, 'home/mosquitto', image, 8883, {
        ...{ clusterIP: '10.96.88.83', pod: secretVolume('mosquitto-certs') },
      });
      innocentRelease(cluster, after(-50), firm);
      cluster.at(after(0), () => secret.delete());
      cluster.at(after(1), () => {
        cluster.secret('home/mosquitto-certs', { 'server.pem': 'two', 'server.key': 'two' });
      });
      cluster.at(after(25), () => {
        cluster.image(
          image,
          ends(
            [
              '1795428907: mosquitto version 2.0.11 starting',
              '1795428907: Opening ipv4 listen socket on port 8883.',
              '1795428907: Error: Unable to load CA certificates. Check cafile "/mosquitto/certs/root.pem".',
              '1795428907: OpenSSL Error[0]: error:02001002:system library:fopen:No such file or directory',
            ],
            1,
            2,
          ),
        );
        broker.restart();
      });
      const values = { MQTT_URL: 'mqtts://mosquitto.home.svc.cluster.local:8883' };
      const innocents = clients(cluster, 40, {
        'home/meters': {
          does: ends(['Error: connect ECONNREFUSED 10.96.88.83:8883', '    at TCPConnectWrap.afterConnect']),
          values,
        },
        'home/lamps': {
          does: unready([
            'paho.mqtt: Connection failed: [Errno 111] Connection refused (mosquitto.home.svc.cluster.local:8883)',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Secret/home/mosquitto-certs',
        accepts: ['StatefulSet/home/mosquitto'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/home/mosquitto', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/jitsi-contrib/jitsi-helm/issues/118, https://github.com/bitnami/charts/issues/2465: each upgrade makes another one.
  'upgrade-makes-new-passwords-for-a-meeting': reported(
    'An upgrade makes the passwords of a meeting server anew, which knows the old ones; the bridge, the focus and the recorder are not let in',
    (cluster) => {
      server(cluster, 'meet/prosody', 'docker.io/jitsi/prosody:stable-9457', 5222);
      const secret = cluster.secret('meet/prosody-components', {
        JVB_AUTH_PASSWORD: 'one',
        JICOFO_AUTH_PASSWORD: 'one',
      });
      const values = { XMPP_SERVER: 'prosody.meet.svc.cluster.local' };
      const parts = { jvb: 'JVB', jicofo: 'JICOFO', jibri: 'JVB' } as const;
      const handles = Object.entries(parts).map(([name, key]) =>
        cluster.deployment(`meet/${name}`, {
          ...{ image: `docker.io/jitsi/${name}:stable-9457`, values },
          env: { AUTH_PASSWORD: `secret/prosody-components/${key}_AUTH_PASSWORD` },
        }),
      );
      cluster.at(after(0), () => secret.edit({ JVB_AUTH_PASSWORD: 'two', JICOFO_AUTH_PASSWORD: 'two' }));
      cluster.at(after(14), () => {
        for (const [index, name] of Object.keys(parts).entries()) {
          cluster.befall(
            `docker.io/jitsi/${name}:stable-9457`,
            unready([
              `${name.toUpperCase()} 2026-11-23 09:05:33.031 WARNING: [33] [hostname=prosody.meet.svc.cluster.local id=shard0] MucClient.lambda$getConnectAndLoginCallable$9#640: Error connecting:`,
              'org.jivesoftware.smack.sasl.SASLErrorException: SASLError using SCRAM-SHA-1: not-authorized',
            ]),
          );
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: 'Secret/meet/prosody-components',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 900,
        mustNotBlame: [
          ...Object.keys(parts).map((name) => `Deployment/meet/${name}` as `Deployment/${string}/${string}`),
          'StatefulSet/meet/prosody',
        ],
      });
    },
  ),
};
