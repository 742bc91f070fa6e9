import { scenario } from '../../kit/scenario.ts';
import { claim, mounts, storageClass, volume } from '../../kit/things.ts';

const port = (number: number): object => ({
  ports: [{ name: 'tcp', port: number, targetPort: number, protocol: 'TCP' }],
});

const importersUseUpConnections = scenario(
  'Importers of a reservoir’s readings are scaled from one to ten and take all connections of the database',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.statefulSet('reservoir/mysql', { image: 'mysql:8.4.3', probe: false });
    cluster.service('reservoir/mysql', port(3306));
    const values = { MYSQL_HOST: 'mysql.reservoir.svc', POOL_SIZE: '20' };
    const importer = cluster.deployment('reservoir/importer', { image: 'registry.example/importer:4', values });
    const web = 'registry.example/levels:12';
    cluster.deployment('reservoir/levels', { replicas: 2, image: web, values: { MYSQL_HOST: 'mysql.reservoir.svc' } });
    cluster.at('30s', () => importer.scale(10));
    cluster.at('50s', () =>
      cluster.befall(web, {
        exit: { afterSeconds: 5, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          'connecting to mysql.reservoir.svc:3306 as levels',
          '[mysql] 2026/11/29 10:31:40 Error 1040 (08004): Too many connections',
          'fatal: cannot ping database: Error 1040 (08004): Too many connections',
        ],
      }),
    );
    cluster.lasts('4m');
    cluster.expectIncident({
      root: 'Deployment/reservoir/importer',
      accepts: ['StatefulSet/reservoir/mysql'],
      mustNotBlame: ['Deployment/reservoir/levels'],
    });
  },
);

const strongroomSealedAfterRestart = scenario(
  'A vault that was restarted comes back sealed, and everybody who asks it for secrets gets 503',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const image = 'hashicorp/vault:1.18.2';
    const vault = cluster.statefulSet('strongroom/vault', { image });
    cluster.service('strongroom/vault', port(8200));
    const client = 'registry.example/minter:3';
    cluster.deployment('mint/minter', {
      ...{ replicas: 2, image: client, values: { VAULT_ADDR: 'http://vault.strongroom.svc:8200' } },
    });
    cluster.at('20s', () => {
      cluster.image(image, {
        readyAfterSeconds: 'never',
        readinessSays: 'HTTP probe failed with statuscode: 503',
        log: [
          '==> Vault server started! Log data will stream in below:',
          '2026-11-29T10:33:01.207Z [INFO]  core: security barrier not initialized: sealed=true',
          '2026-11-29T10:33:02.114Z [INFO]  core: vault is sealed',
          '2026-11-29T10:33:12.553Z [ERROR] core: no seal available to unseal automatically, waiting for unseal keys',
        ],
      });
      vault.restart();
    });
    cluster.at('35s', () =>
      cluster.befall(client, {
        exit: { afterSeconds: 4, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          'Error making API request.',
          'URL: PUT http://vault.strongroom.svc:8200/v1/auth/kubernetes/login',
          'Code: 503. Errors:',
          '* Vault is sealed',
        ],
      }),
    );
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'StatefulSet/strongroom/vault',
      beginsAfterSeconds: 20,
      mustNotBlame: ['Deployment/mint/minter'],
    });
  },
);

const runnerMemoryHalved = scenario(
  'The memory of build runners is halved and they are killed; a Node elsewhere reports memory pressure of its own',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes([{ name: 'n1', labels: { use: 'ci' } }, 'n2', { name: 'batch-1', labels: { use: 'batch' } }]);
    cluster.deployment('genome/aligner', {
      ...{ replicas: 2, image: 'registry.example/aligner:2', nodeSelector: { use: 'batch' }, probe: false },
    });
    const image = 'registry.example/forge-runner:6.1';
    const runner = cluster.deployment('forge/runner', {
      ...{ replicas: 2, image, memory: '2Gi', nodeSelector: { use: 'ci' } },
    });
    cluster.at('15s', () => cluster.node('batch-1').press('MemoryPressure'));
    cluster.at('40s', () => {
      cluster.image(image, {
        exit: { afterSeconds: 20, code: 137, oom: true },
        log: [
          'time="2026-11-29T10:40:02Z" level=info msg="runner: forge-runner-1, declared successfully"',
          'time="2026-11-29T10:40:09Z" level=info msg="task 8112 repo is shipyard/hull https://forge.example"',
        ],
      });
      runner.change({ memory: '1Gi' });
    });
    cluster.lasts('6m');
    cluster.expectIncident({ root: 'Deployment/forge/runner', mustNotBlame: ['Node//batch-1', 'Node//n1'] });
    cluster.expectIncident({ root: 'Node//batch-1', mustNotBlame: ['Deployment/forge/runner'] });
  },
);

const meshControlImageGone = scenario(
  'The control plane of a mesh is rolled to a tag that does not exist; proxies that start get no configuration',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const pilot = 'registry.example/istio/pilot';
    const istiod = cluster.deployment('istio-system/istiod', {
      ...{ image: `${pilot}:1.24.1`, spec: { strategy: { type: 'Recreate' } } },
    });
    cluster.service('istio-system/istiod', { ...port(15012), clusterIP: '10.96.13.2' });
    const image = 'registry.example/cider:7';
    const cider = cluster.deployment('orchard/cider', {
      ...{ replicas: 2, image, values: { PROXY_CONFIG_ADDRESS: 'istiod.istio-system.svc:15012' } },
    });
    cluster.at('20s', () => {
      cluster.image(`${pilot}:1.24.11`, { pullError: 'NotFound' });
      istiod.setImage(`${pilot}:1.24.11`);
    });
    cluster.at('50s', () => {
      cluster.image(image, {
        readyAfterSeconds: 'never',
        log: [
          '2026-11-29T10:44:31.902781Z	warning	envoy config external/envoy/source/extensions/config_subscription/grpc/grpc_stream.h:193	StreamAggregatedResources gRPC config stream to xds-grpc closed: 14, connection error: desc = "transport: Error while dialing: dial tcp 10.96.13.2:15012: connect: connection refused"',
          '2026-11-29T10:44:33.118411Z	warn	Envoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected',
        ],
      });
      cider.restart();
    });
    cluster.lasts('5m');
    cluster.expectIncident({ root: 'Deployment/istio-system/istiod', mustNotBlame: ['Deployment/orchard/cider'] });
  },
);

const logShippersUnknownPlugin = scenario(
  'The settings of all log shippers name a plugin that does not exist; the store they ship to was scaled just before',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const store = cluster.statefulSet('log-lake/ingester', { replicas: 2, image: 'grafana/loki:3.3.1' });
    cluster.service('log-lake/ingester', port(3100));
    const conf = cluster.configMap('log-lake/shipper', { 'fluent-bit.conf': '[OUTPUT]\n    Name loki\n    Match *\n' });
    const image = 'fluent/fluent-bit:3.2.2';
    const shipper = cluster.daemonSet('log-lake/shipper', {
      image,
      container: { volumeMounts: [{ name: 'conf', mountPath: '/fluent-bit/etc' }] },
      pod: { volumes: [{ name: 'conf', configMap: { name: 'shipper' } }] },
    });
    cluster.at('10s', () => store.scale(3));
    cluster.at('40s', () => conf.edit({ 'fluent-bit.conf': '[OUTPUT]\n    Name lokki\n    Match *\n' }));
    cluster.at('55s', () => {
      cluster.image(image, {
        exit: { afterSeconds: 1, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          'Fluent Bit v3.2.2',
          "[2026/11/29 10:47:12] [error] [config] section 'lokki' tried to instance a plugin name that doesn't exist: lokki",
          '[2026/11/29 10:47:12] [error] configuration file contains errors, aborting.',
        ],
      });
      shipper.restart();
    });
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'ConfigMap/log-lake/shipper',
      mustNotBlame: ['StatefulSet/log-lake/ingester'],
    });
  },
);

const scrapeFieldMisspeltAndPagerToken = scenario(
  'A misspelt field ends a metrics server; elsewhere a pager bridge is changed to read a key that its Secret does not have',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const conf = cluster.configMap('gauges/prometheus', { 'prometheus.yml': 'global:\n  scrape_interval: 30s\n' });
    const image = 'quay.io/prometheus/prometheus:v3.0.1';
    const server = cluster.statefulSet('gauges/prometheus', {
      image,
      container: { volumeMounts: [{ name: 'conf', mountPath: '/etc/prometheus' }] },
      pod: { volumes: [{ name: 'conf', configMap: { name: 'prometheus' } }] },
    });
    cluster.secret('pagers/bridge', { token: 'a' });
    const bridge = cluster.deployment('pagers/bridge', {
      ...{ replicas: 2, image: 'registry.example/pager-bridge:2', env: { TOKEN: 'secret/bridge/token' } },
    });
    cluster.at('15s', () => conf.edit({ 'prometheus.yml': 'global:\n  scrape_intervall: 30s\n' }));
    cluster.at('30s', () => {
      cluster.image(image, {
        exit: { afterSeconds: 2, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          'time=2026-11-29T10:50:20.530Z level=INFO source=main.go:640 msg="Starting Prometheus Server" mode=server version="(version=3.0.1, branch=HEAD)"',
          'time=2026-11-29T10:50:20.531Z level=ERROR source=main.go:601 msg="Error loading config (--config.file=/etc/prometheus/prometheus.yml)" file=/etc/prometheus/prometheus.yml err="parsing YAML file /etc/prometheus/prometheus.yml: yaml: unmarshal errors:\\n  line 2: field scrape_intervall not found in type config.plain"',
        ],
      });
      server.restart();
    });
    cluster.at('60s', () => bridge.change({ env: { TOKEN: 'secret/bridge/api-token' } }));
    cluster.lasts('5m');
    cluster.expectIncident({ root: 'ConfigMap/gauges/prometheus', mustNotBlame: ['Deployment/pagers/bridge'] });
    cluster.expectIncident({
      root: 'Deployment/pagers/bridge',
      accepts: ['Secret/pagers/bridge'],
      mustNotBlame: ['ConfigMap/gauges/prometheus'],
    });
  },
);

const nightlyCopyUnknownKey = scenario(
  'The nightly copies of a notary’s deeds fail: the store does not know the access key that was edited in',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const image = 'restic/restic:0.17.3';
    const keys = cluster.secret('notary/s3-copy', { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
    cluster.image(image, { exit: { afterSeconds: 5, code: 0 }, log: ['snapshot 41c2ee09 saved'] });
    const copy = cluster.cronJob('notary/deeds-copy', {
      ...{ schedule: '* * * * *', image },
      job: {
        backoffLimit: 0,
        template: {
          metadata: { labels: { app: 'deeds-copy' } },
          spec: {
            restartPolicy: 'Never',
            containers: [
              {
                ...{ name: 'deeds-copy', image, args: ['backup', '/deeds'] },
                env: [{ name: 'RESTIC_REPOSITORY', value: 's3:https://s3.store.example/deeds' }],
                envFrom: [{ secretRef: { name: 's3-copy' } }],
              },
            ],
          },
        },
      },
    });
    cluster.at('65s', () => {
      keys.edit({ AWS_ACCESS_KEY_ID: 'c', AWS_SECRET_ACCESS_KEY: 'd' });
      cluster.image(image, {
        exit: { afterSeconds: 4, code: 1 },
        log: [
          'Fatal: unable to open config file: Stat: The Access Key Id you provided does not exist in our records.',
          'Is there a repository at the following location?',
          's3:https://s3.store.example/deeds',
        ],
      });
    });
    cluster.at('5m', () => copy.patch({ spec: { suspend: true } }));
    cluster.lasts('5m30s');
    cluster.expectIncident({ root: 'Secret/notary/s3-copy', accepts: ['CronJob/notary/deeds-copy'] });
  },
);

const chessEngineNeedsLonger = scenario(
  'A chess engine takes a minute to load; its new liveness probe gives it ten seconds, while the board’s colours are edited',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const image = 'registry.example/engine:17';
    cluster.image(image, { readyAfterSeconds: 20 });
    const live = (initialDelaySeconds: number): object => ({
      livenessProbe: { httpGet: { path: '/live', port: 8080 }, initialDelaySeconds, periodSeconds: 3 },
    });
    const colours = cluster.configMap('chess/board', { LIGHT: '#eed' });
    cluster.deployment('chess/board', { replicas: 2, image: 'registry.example/board:2', envFrom: ['board'] });
    const engine = cluster.deployment('chess/engine', { replicas: 2, image, container: live(120) });
    cluster.at('10s', () => colours.edit({ LIGHT: '#ffe' }));
    cluster.at('25s', () => {
      cluster.image(image, {
        readyAfterSeconds: 'never',
        livenessFails: {
          afterSeconds: 10,
          says: 'Get "http://10.244.1.14:8080/live": dial tcp 10.244.1.14:8080: connect: connection refused',
        },
        log: ['info string NNUE evaluation using nn-1c0000000000.nnue', 'loading endgame tables 1/6 ...'],
      });
      engine.change({ container: live(1) });
    });
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'Deployment/chess/engine',
      mustNotBlame: ['ConfigMap/chess/board', 'Deployment/chess/board'],
    });
  },
);

const beehiveImageForOtherProcessor = scenario(
  'A new image was built for another processor; a Node joined at the same time and has nothing to do with it',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const hive = cluster.deployment('apiary/hive-scale', { replicas: 3, image: 'registry.example/hive-scale:2.0' });
    cluster.image('registry.example/hive-scale:2.1', {
      exit: { afterSeconds: 1, code: 255 },
      readyAfterSeconds: 'never',
      log: ['exec /usr/local/bin/hive-scale: exec format error'],
    });
    cluster.at('15s', () => cluster.addNode({ name: 'n4', labels: { 'kubernetes.io/arch': 'amd64' } }));
    cluster.at('30s', () => hive.setImage('registry.example/hive-scale:2.1'));
    cluster.lasts('4m');
    cluster.expectIncident({ root: 'Deployment/apiary/hive-scale', mustNotBlame: ['Node//n4'] });
  },
);

const simulationAsksForTooMuch = scenario(
  'A flight simulator asks for more memory than any Node has; its lesson plan was edited a moment before',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const plan = cluster.configMap('simulator/lessons', { FIRST: 'take-off' });
    const cockpit = cluster.deployment('simulator/cockpit', {
      ...{ replicas: 2, image: 'registry.example/cockpit:5', memory: '2Gi', envFrom: ['lessons'] },
    });
    cluster.at('15s', () => plan.edit({ FIRST: 'landing' }));
    cluster.at('30s', () => cockpit.change({ memory: '20Gi' }));
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'Deployment/simulator/cockpit',
      mustNotBlame: ['ConfigMap/simulator/lessons', 'Node//n1', 'Node//n2', 'Node//n3'],
    });
  },
);

const planetariumReleaseWantsMissingConfig = scenario(
  'A release of a planetarium mounts a ConfigMap that nobody has made; a volume of another team was just bound',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(storageClass('dome-disk'));
    cluster.object(volume('pv-dome', 'dome-disk'));
    cluster.object(claim('star-charts/plates', 'dome-disk'));
    cluster.statefulSet('star-charts/plates', { image: 'registry.example/plates:1', pod: mounts('plates') });
    const show = cluster.deployment('planetarium/show', { replicas: 2, image: 'registry.example/show:10' });
    cluster.at('30s', () =>
      show.change({
        image: 'registry.example/show:11',
        container: { volumeMounts: [{ name: 'scenes', mountPath: '/etc/scenes' }] },
        pod: { volumes: [{ name: 'scenes', configMap: { name: 'show-scenes' } }] },
      }),
    );
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'ConfigMap/planetarium/show-scenes',
      accepts: ['Deployment/planetarium/show'],
      mustNotBlame: ['PersistentVolumeClaim/star-charts/plates'],
    });
  },
);

const poolerNamesWrongDatabase = scenario(
  'The pooler of a pharmacy is told of a database host that does not exist; a label printer’s Job fails of its own',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.statefulSet('pharmacy/stock-db', { image: 'postgres:16.6', probe: false });
    cluster.service('pharmacy/stock-db', port(5432));
    const settings = cluster.configMap('pharmacy/pooler', { DB_HOST: 'stock-db.pharmacy.svc', DB_PORT: '5432' });
    const image = 'registry.example/pgbouncer:1.23';
    const pooler = cluster.deployment('pharmacy/pooler', { replicas: 2, image, envFrom: ['pooler'] });
    cluster.service('pharmacy/pooler', port(6432));
    cluster.at('15s', () => {
      cluster.image('registry.example/leaflets:3', {
        exit: { afterSeconds: 3, code: 1 },
        log: ['lp: Error - The printer or class does not exist.', 'leaflets: 0 of 212 printed'],
      });
      cluster.job('leaflets/print-run', { image: 'registry.example/leaflets:3', spec: { backoffLimit: 0 } });
    });
    cluster.at('40s', () => settings.edit({ DB_HOST: 'stockdb.pharmacy.svc', DB_PORT: '5432' }));
    cluster.at('55s', () => {
      cluster.image(image, {
        readyAfterSeconds: 'never',
        log: [
          '2026-11-29 11:02:10.101 UTC [1] LOG listening on 0.0.0.0:6432',
          '2026-11-29 11:02:14.771 UTC [1] WARNING DNS lookup failed: stockdb.pharmacy.svc: result=0',
          '2026-11-29 11:02:14.771 UTC [1] LOG S-0x7f2a: stock/app@(bad-af):0 closing because: server DNS lookup failed (age=0s)',
        ],
      });
      pooler.restart();
    });
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'ConfigMap/pharmacy/pooler',
      beginsAfterSeconds: 55,
      mustNotBlame: ['StatefulSet/pharmacy/stock-db', 'Job/leaflets/print-run'],
    });
    cluster.expectIncident({ root: 'Job/leaflets/print-run', mustNotBlame: ['ConfigMap/pharmacy/pooler'] });
  },
);

const newMachineLacksMapCount = scenario(
  'A search store grows onto a new machine whose kernel setting was not raised; the rest of it is well',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes(['n1', { name: 'n2', labels: { search: 'yes' }, memory: '3Gi' }]);
    const image = 'docker.elastic.co/elasticsearch/elasticsearch:8.16.1';
    cluster.image(image, ({ spec }) =>
      spec.nodeName === 'n9'
        ? {
            exit: { afterSeconds: 8, code: 78 },
            readyAfterSeconds: 'never',
            log: [
              '{"@timestamp":"2026-11-29T11:06:41.220Z","log.level":"ERROR","message":"node validation exception\\n[1] bootstrap checks failed. You must address the points described in the following [1] lines before starting Elasticsearch.","log.logger":"org.elasticsearch.bootstrap.Elasticsearch"}',
              'bootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]; for more information see [https://www.elastic.co/guide/en/elasticsearch/reference/8.16/_maximum_map_count_check.html]',
              'ERROR: Elasticsearch did not exit normally - check the logs at /usr/share/elasticsearch/logs/folklore.log',
            ],
          }
        : {},
    );
    const store = cluster.statefulSet('folklore/search', {
      ...{ replicas: 2, image, memory: '1Gi', nodeSelector: { search: 'yes' } },
    });
    cluster.at('20s', () => cluster.addNode({ name: 'n9', labels: { search: 'yes' } }));
    cluster.at('40s', () => {
      cluster.node('n2').cordon();
      store.scale(3);
    });
    cluster.at('60s', () => cluster.node('n2').uncordon());
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'StatefulSet/folklore/search',
      accepts: ['Node//n9'],
      mustNotBlame: ['Node//n2'],
    });
  },
);

const kilnCommandMisspelt = scenario(
  'A kiln’s controller is given a command that is not in its image; the Secret of its neighbour was rotated just before',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const image = 'registry.example/kiln:3';
    const kiln = cluster.deployment('kiln-house/kiln', { replicas: 2, image, command: ['/app/kiln', '--zone=1'] });
    const glaze = cluster.secret('kiln-house/glaze', { key: 'a' });
    cluster.deployment('kiln-house/glaze', {
      ...{ replicas: 2, image: 'registry.example/glaze:1', env: { KEY: 'secret/glaze/key' } },
    });
    cluster.at('10s', () => glaze.edit({ key: 'b' }));
    cluster.at('30s', () => {
      cluster.image(image, {
        exit: { afterSeconds: 1, code: 127 },
        readyAfterSeconds: 'never',
        log: ['/bin/sh: 1: exec: /app/klin: not found'],
      });
      kiln.change({ command: ['/bin/sh', '-c', 'exec /app/klin --zone=1'] });
    });
    cluster.lasts('4m');
    cluster.expectIncident({
      root: 'Deployment/kiln-house/kiln',
      mustNotBlame: ['Secret/kiln-house/glaze', 'Deployment/kiln-house/glaze'],
    });
  },
);

const canalSchemaAndStreamDisk = scenario(
  'A schema change of a canal lock’s journal fails in its Job; a stream store has its disk full at the same time',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(storageClass('barge-disk'));
    cluster.object(volume('pv-barge', 'barge-disk'));
    cluster.object(claim('canal-stream/log', 'barge-disk'));
    const broker = 'apache/kafka:3.9.0';
    cluster.statefulSet('canal-stream/kafka', {
      ...{ image: broker, pod: mounts('log') },
      container: { volumeMounts: [{ name: 'data', mountPath: '/var/lib/kafka' }] },
    });
    cluster.service('canal-stream/kafka', port(9092));
    cluster.statefulSet('canal-locks/journal-db', { image: 'postgres:17.2', probe: false });
    cluster.service('canal-locks/journal-db', port(5432));
    cluster.at('20s', () => {
      cluster.image('registry.example/journal-schema:88', {
        exit: { afterSeconds: 4, code: 1 },
        log: [
          'Flyway OSS Edition 11.0.1 by Redgate',
          'Database: jdbc:postgresql://journal-db.canal-locks.svc:5432/journal (PostgreSQL 17.2)',
          'ERROR: Validate failed: Migrations have failed validation',
          'Migration checksum mismatch for migration version 42',
          '-> Applied to database : -1480923119',
          '-> Resolved locally    : 771230441',
        ],
      });
      cluster.job('canal-locks/schema-88', {
        ...{ image: 'registry.example/journal-schema:88', spec: { backoffLimit: 1 } },
        values: { DB: 'journal-db.canal-locks.svc:5432' },
      });
    });
    cluster.at('35s', () =>
      cluster.befall(broker, {
        exit: { afterSeconds: 6, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          '[2026-11-29 11:10:11,402] ERROR Error while writing to checkpoint file /var/lib/kafka/recovery-point-offset-checkpoint (org.apache.kafka.storage.internals.log.LogDirFailureChannel)',
          'java.io.IOException: No space left on device',
          '[2026-11-29 11:10:11,427] ERROR Shutdown broker because all log dirs in /var/lib/kafka have failed (kafka.log.LogManager) [LogDirFailureHandler]',
        ],
      }),
    );
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'Job/canal-locks/schema-88',
      mustNotBlame: ['StatefulSet/canal-locks/journal-db', 'PersistentVolumeClaim/canal-stream/log'],
    });
    cluster.expectIncident({
      root: 'PersistentVolumeClaim/canal-stream/log',
      accepts: ['PersistentVolume//pv-barge'],
      mustNotBlame: ['Job/canal-locks/schema-88'],
    });
  },
);

export const stories = {
  'importers-use-up-connections': importersUseUpConnections,
  'strongroom-sealed-after-restart': strongroomSealedAfterRestart,
  'runner-memory-halved': runnerMemoryHalved,
  'mesh-control-image-gone': meshControlImageGone,
  'log-shippers-unknown-plugin': logShippersUnknownPlugin,
  'scrape-field-misspelt-and-pager-token': scrapeFieldMisspeltAndPagerToken,
  'nightly-copy-unknown-key': nightlyCopyUnknownKey,
  'chess-engine-needs-longer': chessEngineNeedsLonger,
  'beehive-image-for-other-processor': beehiveImageForOtherProcessor,
  'simulation-asks-for-too-much': simulationAsksForTooMuch,
  'planetarium-release-wants-missing-config': planetariumReleaseWantsMissingConfig,
  'pooler-names-wrong-database': poolerNamesWrongDatabase,
  'new-machine-lacks-map-count': newMachineLacksMapCount,
  'kiln-command-misspelt': kilnCommandMisspelt,
  'canal-schema-and-stream-disk': canalSchemaAndStreamDisk,
};
