import { scenario } from '../../kit/scenario.ts';
import { crash, dns, listens, serves } from '../../kit/things.ts';

export const stories = {
  'departure-boards-are-asked-for-a-password-they-never-had': scenario(
    'Somebody hardens the cache with a password in its settings; the boards, rolled out a little earlier for another reason, know of none',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const board = 'registry.transit.example/boards/departure-board:7.2';
      const conf = cluster.configMap('transit-boards/board-cache-conf', {
        'redis.conf': 'maxmemory 200mb\nmaxmemory-policy allkeys-lru\nsave ""\n',
      });
      const cache = cluster.statefulSet('transit-boards/board-cache', {
        image: 'redis:7.2.5',
        container: {
          ports: [{ containerPort: 6379 }],
          command: ['redis-server', '/etc/redis/redis.conf'],
          volumeMounts: [{ name: 'conf', mountPath: '/etc/redis' }],
        },
        pod: { volumes: [{ name: 'conf', configMap: { name: 'board-cache-conf' } }] },
      });
      cluster.service('transit-boards/board-cache', serves('redis', 6379));
      const boards = cluster.deployment('transit-boards/departure-board', {
        replicas: 3,
        image: 'registry.transit.example/boards/departure-board:7.1',
        values: { REDIS_URL: 'redis://board-cache.transit-boards.svc:6379/0' },
      });
      cluster.service('transit-boards/departure-board');
      cluster.at('5s', () => boards.setImage(board));
      cluster.at('60s', () => {
        conf.edit({
          'redis.conf': 'maxmemory 200mb\nmaxmemory-policy allkeys-lru\nsave ""\nrequirepass 7hK2-platform-9\n',
        });
        cache.restart();
      });
      cluster.at('70s', () =>
        cluster.befall(
          board,
          crash([
            '{"level":"info","msg":"departure-board 7.2 starting","stop":"Hauptbahnhof"}',
            '{"level":"error","msg":"cannot read timetable","addr":"board-cache.transit-boards.svc:6379","error":"NOAUTH Authentication required."}',
            '{"level":"fatal","msg":"giving up after 5 attempts"}',
          ]),
        ),
      );
      cluster.lasts('180s');
      cluster.expectIncident({
        root: 'ConfigMap/transit-boards/board-cache-conf',
        accepts: ['StatefulSet/transit-boards/board-cache'],
        mustNotBlame: ['Deployment/transit-boards/departure-board'],
      });
    },
  ),

  'interlocking-feed-is-refused-by-the-broker-after-a-new-password': scenario(
    'The Secret with the login of the broker gets a password that the broker was never told; the kernel of a machine complains meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const feed = 'registry.rail.example/signalling/interlocking-feed:3.14';
      cluster.statefulSet('signalling/rabbit', { replicas: 3, image: 'rabbitmq:3.13.3-management', ...listens(5672) });
      cluster.service('signalling/rabbit', serves('amqp', 5672));
      const login = cluster.secret('signalling/amqp-login', { username: 'interlocking', password: 'old' });
      const feeds = cluster.deployment('signalling/interlocking-feed', {
        replicas: 2,
        image: feed,
        env: { AMQP_USER: 'secret/amqp-login/username', AMQP_PASSWORD: 'secret/amqp-login/password' },
        values: { AMQP_HOST: 'rabbit.signalling.svc', AMQP_PORT: '5672' },
      });
      cluster.image('rabbitmq:3.13.3-management', {
        log: [
          '2026-11-29 10:12:40.118 [info] <0.1240.0> accepting AMQP connection <0.1240.0> (10.244.2.31:51034 -> 10.244.1.8:5672)',
          "2026-11-29 10:12:40.133 [error] <0.1240.0> Error on AMQP connection <0.1240.0> (10.244.2.31:51034 -> 10.244.1.8:5672, state: starting): PLAIN login refused: user 'interlocking' - invalid credentials",
        ],
      });
      cluster.at('10s', () =>
        cluster
          .node('n3')
          .warn(
            'KernelOops',
            'kernel: perf: interrupt took too long (3142 > 3131), lowering kernel.perf_event_max_sample_rate',
          ),
      );
      cluster.at('30s', () => login.edit({ username: 'interlocking', password: 'new' }));
      cluster.at('45s', () => {
        cluster.image(
          feed,
          crash([
            'INFO  pika.adapters.utils.connection_workflow: Pika version 1.3.2 connecting to (rabbit.signalling.svc, 5672)',
            'ERROR pika.adapters.utils.connection_workflow: AMQPConnector - reporting failure: AMQPConnectorAMQPHandshakeError: ProbableAuthenticationError: Client was disconnected at a connection stage indicating a probable authentication error: ("ConnectionClosedByBroker: (403) \'ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.\'",)',
            'pika.exceptions.ProbableAuthenticationError: ConnectionClosedByBroker: (403)',
          ]),
        );
        feeds.restart();
      });
      cluster.lasts('170s');
      cluster.expectIncident({
        root: 'Secret/signalling/amqp-login',
        mustNotBlame: ['Node//n3', 'StatefulSet/signalling/rabbit'],
      });
    },
  ),

  'seat-search-is-scaled-beyond-the-connections-of-the-database': scenario(
    'Seat search is scaled from two to nine for the holidays; the database has no connection left for anybody else',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const pg = 'postgres:15.7';
      const booking = 'registry.rail.example/seats/booking:9.0.3';
      const search = 'registry.rail.example/seats/seat-search:4.4';
      cluster.statefulSet('reservation/seats-db', { image: pg, ...listens(5432) });
      cluster.service('reservation/seats-db', serves('postgres', 5432));
      const url = { JDBC_URL: 'jdbc:postgresql://seats-db.reservation.svc:5432/seats', HIKARI_MAX_POOL_SIZE: '20' };
      cluster.deployment('reservation/booking', { replicas: 2, image: booking, values: url });
      cluster.service('reservation/booking');
      const searches = cluster.deployment('reservation/seat-search', { replicas: 2, image: search, values: url });
      cluster.at('20s', () => searches.scale(9));
      const refused = (who: string) =>
        crash(
          [
            `INFO  [main] com.zaxxer.hikari.HikariDataSource : ${who}-pool - Starting...`,
            'ERROR [main] com.zaxxer.hikari.pool.HikariPool : Exception during pool initialization.',
            'org.postgresql.util.PSQLException: FATAL: sorry, too many clients already',
            '\tat org.postgresql.core.v3.QueryExecutorImpl.readStartupMessages(QueryExecutorImpl.java:2791)',
            'jdbc:postgresql://seats-db.reservation.svc:5432/seats is not available, shutting down',
          ],
          6,
        );
      cluster.at('24s', () => {
        cluster.befall(pg, {
          log: [
            '2026-11-29 16:00:31.554 UTC [1] LOG:  database system is ready to accept connections',
            '2026-11-29 16:21:05.009 UTC [8123] FATAL:  sorry, too many clients already',
            '2026-11-29 16:21:05.412 UTC [8127] FATAL:  sorry, too many clients already',
          ],
        });
      });
      cluster.at('26s', () => cluster.befall(booking, refused('booking')));
      cluster.lasts('170s');
      cluster.expectIncident({
        root: 'Deployment/reservation/seat-search',
        accepts: ['StatefulSet/reservation/seats-db'],
        mustNotBlame: ['Deployment/reservation/booking'],
      });
    },
  ),

  'yard-inventory-finds-no-machine-after-a-label-went': scenario(
    'A label is taken from the only machine at the yard; the next restart of what must run there finds no place',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([{ name: 'n1' }, { name: 'n2' }, { name: 'yard-1', labels: { 'rail.example/site': 'yard-east' } }]);
      const inventory = cluster.deployment('freight-yard/wagon-inventory', {
        replicas: 2,
        image: 'registry.rail.example/yard/wagon-inventory:1.12',
        nodeSelector: { 'rail.example/site': 'yard-east' },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('freight-yard/wagon-inventory');
      const yard = cluster.planned({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'yard-1' } });
      cluster.at('10s', () => yard.patch({ metadata: { labels: { 'rail.example/site': null } } }));
      cluster.at('40s', () => inventory.restart());
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'Node//yard-1',
        accepts: ['Deployment/freight-yard/wagon-inventory'],
      });
    },
  ),

  'delay-forecast-misses-a-key-and-a-drain-brings-it-to-light': scenario(
    'A key is dropped from the settings of the forecast; nobody notices until a machine is drained half a minute later',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const tuning = cluster.configMap('rail-ops/forecast-tuning', {
        horizon_minutes: '90',
        snow_penalty: '1.7',
        model: 'gbm-2026-10',
      });
      cluster.deployment('rail-ops/delay-forecast', {
        replicas: 3,
        image: 'registry.rail.example/ops/delay-forecast:2.2',
        env: {
          HORIZON_MINUTES: 'configMap/forecast-tuning/horizon_minutes',
          SNOW: 'configMap/forecast-tuning/snow_penalty',
        },
      });
      cluster.service('rail-ops/delay-forecast');
      cluster.at('15s', () => tuning.edit({ snow_penalty: null, model: 'gbm-2026-11' }));
      cluster.at('45s', () => cluster.node('n1').drain());
      cluster.at('110s', () => cluster.node('n1').uncordon());
      cluster.lasts('180s');
      cluster.expectIncident({
        root: 'ConfigMap/rail-ops/forecast-tuning',
        mustNotBlame: ['Node//n1', 'Deployment/rail-ops/delay-forecast'],
      });
    },
  ),

  'crew-rosters-lose-every-name-outside-after-a-resolver-was-changed': scenario(
    'The upstream resolver in the Corefile is replaced by one that does not answer; names inside go on, names outside do not',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const roster = 'registry.rail.example/crew/roster:5.0';
      const fares = 'registry.rail.example/fares/fare-sync:2.7';
      const corefile = (upstream: string) => ({
        Corefile: `.:53 {\n    errors\n    health\n    ready\n    kubernetes cluster.local in-addr.arpa ip6.arpa\n    forward . ${upstream}\n    cache 30\n    loop\n    reload\n}\n`,
      });
      const conf = cluster.configMap('kube-system/coredns', corefile('/etc/resolv.conf'));
      const coredns = cluster.deployment('kube-system/coredns', {
        ...dns.workload,
        pod: { volumes: [{ name: 'config-volume', configMap: { name: 'coredns' } }] },
      });
      cluster.object(dns.service);
      const crew = cluster.deployment('crew/roster', { replicas: 2, image: 'registry.rail.example/crew/roster:4.9' });
      cluster.deployment('fares/fare-sync', { replicas: 2, image: fares });
      cluster.at('10s', () => crew.setImage(roster));
      cluster.at('50s', () => {
        conf.edit(corefile('10.20.0.9'));
        cluster.image(dns.workload.image, {
          log: [
            '.:53',
            '[INFO] plugin/reload: Running configuration SHA512 = 6b2b6e4d6e0b1d4f',
            'CoreDNS-1.12.0',
            '[ERROR] plugin/errors: 2 sso.rail.example. A: read udp 10.244.0.5:41234->10.20.0.9:53: i/o timeout',
            '[ERROR] plugin/errors: 2 tariffs.uic.example. A: read udp 10.244.0.5:52117->10.20.0.9:53: i/o timeout',
          ],
        });
        coredns.restart();
      });
      cluster.at('62s', () => {
        cluster.befall(
          roster,
          crash([
            'INFO  roster 5.0 listening on :8080',
            'ERROR failed to fetch signing keys: Get "https://sso.rail.example/.well-known/jwks.json": dial tcp: lookup sso.rail.example on 10.96.0.10:53: server misbehaving',
            'FATAL no signing keys, exiting',
          ]),
        );
        cluster.befall(
          fares,
          crash([
            'time="2026-11-29T12:03:44Z" level=error msg="sync failed" err="Get \\"https://tariffs.uic.example/v3/fares\\": dial tcp: lookup tariffs.uic.example on 10.96.0.10:53: server misbehaving"',
            'time="2026-11-29T12:03:44Z" level=fatal msg="initial sync did not succeed"',
          ]),
        );
      });
      cluster.lasts('180s');
      cluster.expectIncident({
        root: 'ConfigMap/kube-system/coredns',
        accepts: ['Deployment/kube-system/coredns'],
        mustNotBlame: ['Deployment/crew/roster', 'Deployment/fares/fare-sync'],
      });
    },
  ),

  'ticket-gates-turn-away-a-broker-whose-certificate-ran-out': scenario(
    'A certificate could not be renewed because its order is refused; the gates do not talk to a broker whose certificate has expired',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const gate = 'registry.transit.example/gates/gate-controller:11.4';
      cluster.object({
        ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
        metadata: { name: 'certificates.cert-manager.io' },
        spec: {
          ...{ group: 'cert-manager.io', scope: 'Namespaced' },
          names: {
            kind: 'Certificate',
            plural: 'certificates',
            singular: 'certificate',
            listKind: 'CertificateList',
          },
          versions: [
            {
              ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      });
      const certificate = cluster.object({
        ...{ apiVersion: 'cert-manager.io/v1', kind: 'Certificate' },
        metadata: { name: 'gate-mqtt', namespace: 'ticket-gates' },
        spec: {
          secretName: 'gate-mqtt-tls',
          dnsNames: ['mqtt.gates.transit.example'],
          issuerRef: { name: 'letsencrypt', kind: 'ClusterIssuer' },
        },
      });
      certificate.status({
        conditions: [
          {
            ...{ type: 'Ready', status: 'True', reason: 'Ready', lastTransitionTime: '2026-08-31T10:00:00Z' },
            message: 'Certificate is up to date and has not expired',
          },
        ],
        notAfter: '2026-11-29T10:00:00Z',
      });
      cluster.secret('ticket-gates/gate-mqtt-tls', { 'tls.crt': 'crt', 'tls.key': 'key' });
      cluster.statefulSet('ticket-gates/mosquitto', {
        image: 'eclipse-mosquitto:2.0.18',
        ...listens(8883),
        pod: { volumes: [{ name: 'tls', secret: { secretName: 'gate-mqtt-tls' } }] },
      });
      cluster.service('ticket-gates/mosquitto', serves('mqtts', 8883));
      cluster.deployment('ticket-gates/gate-controller', {
        replicas: 2,
        image: gate,
        values: { MQTT_URL: 'mqtts://mosquitto.ticket-gates.svc:8883' },
      });
      cluster.at('10s', () =>
        certificate.status({
          conditions: [
            {
              ...{ type: 'Ready', status: 'False', reason: 'Expired', lastTransitionTime: 'now' },
              message: 'Certificate expired on Sun, 29 Nov 2026 10:00:00 UTC',
            },
            {
              ...{ type: 'Issuing', status: 'False', reason: 'Failed', lastTransitionTime: 'now' },
              message:
                'The certificate request has failed to complete and will be retried: Failed to wait for order resource "gate-mqtt-7-2797388668" to become ready: order is in "invalid" state: acme: authorization error for mqtt.gates.transit.example: 400 urn:ietf:params:acme:error:dns: DNS problem: SERVFAIL looking up CAA for mqtt.gates.transit.example',
            },
          ],
          notAfter: '2026-11-29T10:00:00Z',
          failedIssuanceAttempts: 6,
        }),
      );
      cluster.at('25s', () =>
        cluster.befall(
          gate,
          crash([
            'INFO:gate:connecting to mosquitto.ticket-gates.svc:8883',
            'Traceback (most recent call last):',
            '  File "/usr/lib/python3.12/site-packages/paho/mqtt/client.py", line 1016, in reconnect',
            'ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1006)',
          ]),
        ),
      );
      cluster.lasts('150s');
      cluster.expectIncident({
        root: 'Certificate.cert-manager.io/ticket-gates/gate-mqtt',
        accepts: ['Secret/ticket-gates/gate-mqtt-tls'],
        mustNotBlame: ['Deployment/ticket-gates/gate-controller'],
      });
    },
  ),
};
