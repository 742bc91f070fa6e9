import { port } from '../../kit/company.ts';
import { after, clients, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Brokers and stores of vectors. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/eclipse-mosquitto/mosquitto/issues/2323, https://github.com/striot/striot/issues/170
  'messages-are-taken-from-this-host-only': reported(
    'A Mosquitto is raised to its second version, which listens on its own host only as long as nobody says otherwise; three of its clients are refused',
    (cluster) => {
      const repository = 'docker.io/library/eclipse-mosquitto';
      const broker = cluster.deployment('home/mosquitto', {
        ...{ image: `${repository}:1.6.15`, probe: false, spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('home/mosquitto', { ...port(1883, 'mqtt'), clusterIP: '10.96.20.31' });
      cluster.image(`${repository}:2.0.15`, {
        log: [
          '1795425041: mosquitto version 2.0.15 starting',
          '1795425041: Config loaded from /mosquitto/config/mosquitto.conf.',
          '1795425041: Starting in local only mode. Connections will only be possible from clients running on this machine.',
          '1795425041: Create a configuration file which defines a listener to allow remote access.',
          '1795425041: Opening ipv4 listen socket on port 1883.',
          '1795425041: mosquitto version 2.0.15 running',
        ],
      });
      cluster.at(after(0), () => broker.setImage(`${repository}:2.0.15`));
      const values = { MQTT_SERVER: 'mqtt://mosquitto.home.svc.cluster.local:1883' };
      const innocents = clients(cluster, 10, {
        'home/zigbee2mqtt': {
          does: ends([
            'Zigbee2MQTT:info  2026-11-23 09:10:52: Connecting to MQTT server at mqtt://mosquitto.home.svc.cluster.local:1883',
            'Zigbee2MQTT:error 2026-11-23 09:10:52: MQTT failed to connect, exiting...',
            'Error: connect ECONNREFUSED 10.96.20.31:1883',
          ]),
          values,
        },
        'home/meters': {
          does: unready([
            'ConnectionRefusedError: [Errno 111] Connection refused (mosquitto.home.svc.cluster.local:1883)',
          ]),
          values,
        },
        'home/automations': {
          does: unready([
            'ERROR (MainThread) [homeassistant.components.mqtt.client] Failed to connect to MQTT server due to exception: [Errno 111] Connection refused',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/home/mosquitto',
        accepts: ['Service/home/mosquitto'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/eclipse-hono/hono/issues/2565, https://github.com/apache/camel-karavan/issues/336
  'broker-blocks-those-who-send-for-its-disk': reported(
    'The disk of an Artemis is full beyond its mark: it runs on and blocks whoever sends; three services wait in vain',
    (cluster) => {
      server(cluster, 'claims/artemis', 'docker.io/apache/activemq-artemis:2.31.2', 61616, {
        ...{ clusterIP: '10.96.66.4', spec: disks(cluster) },
      });
      const values = { ARTEMIS_URL: 'tcp://artemis.claims.svc.cluster.local:61616' };
      const timedOut =
        'ActiveMQConnectionTimedOutException[errorType=CONNECTION_TIMEDOUT message=AMQ219014: Timed out after waiting 30000 ms for response when sending packet 71]';
      const innocents = clients(cluster, 0, {
        'claims/intake': {
          does: unready([
            `jakarta.jms.JMSException: AMQ219014: Timed out after waiting 30000 ms for response when sending packet 71 (tcp://artemis.claims.svc.cluster.local:61616)`,
          ]),
          values,
        },
        'claims/scans': {
          does: ends(
            [
              `org.apache.activemq.artemis.api.core.${timedOut}`,
              'Caused by: producer to queue://scans at tcp://artemis.claims.svc.cluster.local:61616 is blocked, AMQ229119: Free storage space is at 2.1GB of 20.0GB total. Usage rate is 90.1% which is beyond the configured <max-disk-usage>. System will start blocking producers.',
            ],
            1,
            34,
          ),
          values,
        },
        'claims/letters': {
          does: unready([
            `WARN  o.a.camel.component.jms - ${timedOut} while sending to artemis.claims.svc.cluster.local:61616`,
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/claims/artemis',
        accepts: ['Service/claims/artemis', 'PersistentVolumeClaim/claims/data-artemis-0'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/weaviate/weaviate-helm/issues/179: each upgrade of the chart makes it anew, and the older members keep the old one.
  'vectors-have-another-password-between-them': reported(
    'An upgrade of a chart makes the password anew by which the members of a Weaviate talk; the first one that is rolled is let in by nobody',
    (cluster) => {
      const secret = cluster.secret('vectors/weaviate-cluster-api-basic-auth', { username: 'one', password: 'one' });
      const repository = 'cr.weaviate.io/semitechnologies/weaviate';
      const env = { CLUSTER_BASIC_AUTH_PASSWORD: 'secret/weaviate-cluster-api-basic-auth/password' };
      const weaviate = server(cluster, 'vectors/weaviate', `${repository}:1.21.7`, 8080, {
        ...{ replicas: 3, spec: disks(cluster), env },
      });
      cluster.image(
        `${repository}:1.21.8`,
        ends(
          [
            '{"action":"broadcast_abort_transaction","error":"host \\"10.244.1.31:7001\\": unexpected status code 401: ","id":"6575244d-445b-439d-a2a5-a78a56d9fada","level":"error","msg":"broadcast tx abort failed","time":"2026-11-23T09:58:49Z"}',
            '{"action":"startup","error":"could not load or initialize schema: sync schema with other nodes in the cluster: read schema: open transaction: broadcast open transaction: host \\"10.244.1.31:7001\\": unexpected status code 401 ()","level":"fatal","msg":"could not initialize schema manager","time":"2026-11-23T09:58:49Z"}',
          ],
          1,
          6,
        ),
      );
      cluster.at(after(0), () => {
        secret.edit({ username: 'one', password: 'two' });
        weaviate.setImage(`${repository}:1.21.8`);
      });
      cluster.expectIncident({
        root: 'Secret/vectors/weaviate-cluster-api-basic-auth',
        accepts: ['StatefulSet/vectors/weaviate'],
        messages: { resolve: 0 },
        mustNotBlame: ['Service/vectors/weaviate', 'StorageClass//gp3', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
};
