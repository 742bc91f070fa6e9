import { scenario } from '../../kit/scenario.ts';
import { claim, dns, ingress, ingressClass, mounts, storageClass, volume } from '../../kit/things.ts';

const refusedBy = (address: string): readonly string[] => [
  `time="2026-11-29T09:12:04Z" level=error msg="startup check failed" error="dial tcp ${address}: connect: connection refused"`,
];

const turnstileReadsWrongCachePort = scenario(
  'Ski gates cannot reach their cache after the port in their settings was edited; a Node was cordoned in between',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.statefulSet('lift-pass/valkey', { image: 'valkey/valkey:8.1', probe: false });
    cluster.service('lift-pass/valkey', {
      clusterIP: '10.96.41.7',
      ports: [{ name: 'resp', port: 6379, targetPort: 6379, protocol: 'TCP' }],
    });
    const settings = cluster.configMap('lift-pass/gate-settings', {
      ...{ CACHE_HOST: 'valkey.lift-pass.svc', CACHE_PORT: '6379' },
    });
    const image = 'registry.alpin.example/gate:2026.48';
    const gate = cluster.deployment('lift-pass/gate', { replicas: 3, image, envFrom: ['gate-settings'] });
    cluster.service('lift-pass/gate');
    cluster.at('20s', () => cluster.node('n3').cordon());
    cluster.at('40s', () => settings.edit({ CACHE_HOST: 'valkey.lift-pass.svc', CACHE_PORT: '6739' }));
    cluster.at('50s', () => {
      const log = [
        'INFO  gate 2026.48 starting, 14 lifts configured',
        'redis: 2026/11/29 09:12:03 pool.go:363: redis: connection pool: failed to dial after 5 attempts: dial tcp 10.96.41.7:6739: connect: connection refused',
        'FATAL cannot load pass cache from valkey.lift-pass.svc:6739: dial tcp 10.96.41.7:6739: connect: connection refused',
      ];
      cluster.image(image, { exit: { afterSeconds: 3, code: 1 }, readyAfterSeconds: 'never', log });
      gate.restart();
    });
    cluster.lasts('4m');
    cluster.expectIncident({
      root: 'ConfigMap/lift-pass/gate-settings',
      mustNotBlame: ['Node//n3', 'StatefulSet/lift-pass/valkey'],
    });
  },
);

const donorPasswordRotatedAndPrinterOom = scenario(
  'A blood bank rotates a password that its database does not know; elsewhere a label printer bridge runs out of memory',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.statefulSet('blood-bank/postgres', { image: 'postgres:17.2', probe: false });
    cluster.service('blood-bank/postgres', {
      clusterIP: '10.96.8.31',
      ports: [{ name: 'pg', port: 5432, targetPort: 5432, protocol: 'TCP' }],
    });
    const password = cluster.secret('blood-bank/donor-db', { password: 'one' });
    const image = 'registry.example/donor-intake:7.3.1';
    const intake = cluster.deployment('blood-bank/donor-intake', {
      ...{ replicas: 2, image },
      env: { PGPASSWORD: 'secret/donor-db/password' },
      values: { PGHOST: 'postgres.blood-bank.svc', PGUSER: 'donor' },
    });
    const printer = cluster.deployment('label-room/zebra-bridge', {
      ...{ replicas: 2, image: 'registry.example/zebra-bridge:3.8', memory: '96Mi' },
    });
    cluster.at('15s', () => {
      cluster.image('registry.example/zebra-bridge:3.9', {
        exit: { afterSeconds: 12, code: 137, oom: true },
        log: ['zebra-bridge 3.9 listening on :8080', 'loading 2140 label templates into memory'],
      });
      printer.setImage('registry.example/zebra-bridge:3.9');
    });
    cluster.at('30s', () => password.edit({ password: 'two' }));
    cluster.at('45s', () => {
      const log = [
        'psycopg2.OperationalError: connection to server at "postgres.blood-bank.svc" (10.96.8.31), port 5432 failed: FATAL:  password authentication failed for user "donor"',
      ];
      cluster.image(image, { exit: { afterSeconds: 2, code: 1 }, readyAfterSeconds: 'never', log });
      intake.restart();
    });
    cluster.lasts('4m');
    cluster.expectIncident({
      root: 'Secret/blood-bank/donor-db',
      mustNotBlame: ['StatefulSet/blood-bank/postgres', 'Deployment/label-room/zebra-bridge'],
    });
    cluster.expectIncident({
      root: 'Deployment/label-room/zebra-bridge',
      mustNotBlame: ['Secret/blood-bank/donor-db'],
    });
  },
);

const caseFilesKeyRenamed = scenario(
  'A law firm renames a key of a ConfigMap that a Deployment reads by its old name; a Secret is edited shortly before',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const ledger = cluster.configMap('chambers/case-files', { LEDGER_URL: 'http://ledger.chambers.svc', REGION: 'eu' });
    const smtp = cluster.secret('chambers/smtp', { password: 'a' });
    const files = cluster.deployment('chambers/case-files', {
      ...{ replicas: 2, image: 'registry.example/case-files:5.0' },
      env: { LEDGER_URL: 'configmap/case-files/LEDGER_URL', SMTP_PASSWORD: 'secret/smtp/password' },
    });
    cluster.at('10s', () => smtp.edit({ password: 'b' }));
    cluster.at('30s', () =>
      ledger.edit({ LEDGER_URL: null, LEDGER_BASE_URL: 'http://ledger.chambers.svc', REGION: 'eu' }),
    );
    cluster.at('60s', () => files.restart());
    cluster.lasts('4m');
    cluster.expectIncident({
      root: 'ConfigMap/chambers/case-files',
      accepts: ['Deployment/chambers/case-files'],
      mustNotBlame: ['Secret/chambers/smtp'],
    });
  },
);

const glossaryProbeAsksWrongPath = scenario(
  'A translation memory is given a liveness probe that asks a path it does not serve',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const image = 'registry.example/glossary:1.19';
    const live = (path: string): object => ({
      livenessProbe: { httpGet: { path, port: 8080 }, periodSeconds: 5, failureThreshold: 3 },
    });
    const glossary = cluster.deployment('lingua/glossary', { replicas: 2, image, container: live('/health') });
    cluster.at('20s', () => {
      cluster.image(image, {
        livenessFails: { afterSeconds: 5, says: 'HTTP probe failed with statuscode: 404' },
        log: [
          'INFO:     Uvicorn running on http://0.0.0.0:8080 (Press CTRL+C to quit)',
          'INFO:     10.244.1.1:51522 - "GET /healtz HTTP/1.1" 404 Not Found',
        ],
      });
      glossary.change({ container: live('/healtz') });
    });
    cluster.lasts('5m');
    cluster.expectIncident({ root: 'Deployment/lingua/glossary' });
  },
);

const droneTilesVolumeFull = scenario(
  'The volume of a map database is full; the tile server that was released a minute before only suffers from it',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(storageClass('ortho-ssd'));
    cluster.object(volume('pv-ortho', 'ortho-ssd'));
    cluster.object(claim('orthophoto/postgis-data', 'ortho-ssd'));
    const database = 'postgis/postgis:17-3.5';
    cluster.statefulSet('orthophoto/postgis', {
      ...{ image: database, pod: mounts('postgis-data') },
      container: { volumeMounts: [{ name: 'data', mountPath: '/var/lib/postgresql/data' }] },
    });
    cluster.service('orthophoto/postgis', { ports: [{ name: 'pg', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
    cluster.image('registry.example/tiles:0.9.1', {});
    const tiles = cluster.deployment('orthophoto/tiles', {
      ...{ replicas: 2, image: 'registry.example/tiles:0.9.0' },
      values: { DATABASE_URL: 'postgresql://tiles@postgis.orthophoto.svc:5432/ortho' },
    });
    cluster.at('10s', () => tiles.setImage('registry.example/tiles:0.9.1'));
    cluster.at('70s', () =>
      cluster.befall(database, {
        exit: { afterSeconds: 4, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          '2026-11-29 11:03:20.118 UTC [1] LOG:  starting PostgreSQL 17.2 (Debian 17.2-1.pgdg110+1) on x86_64-pc-linux-gnu',
          '2026-11-29 11:03:21.402 UTC [29] LOG:  redo starts at 6/9A0012F8',
          '2026-11-29 11:03:22.730 UTC [29] FATAL:  could not write to file "pg_wal/xlogtemp.29": No space left on device',
          '2026-11-29 11:03:22.741 UTC [1] LOG:  startup process (PID 29) exited with exit code 1',
          '2026-11-29 11:03:22.741 UTC [1] LOG:  aborting startup due to startup process failure',
        ],
      }),
    );
    cluster.at('85s', () =>
      cluster.befall('registry.example/tiles:0.9.1', {
        readyAfterSeconds: 'never',
        log: [
          'ERROR martin::pg::pool: Unable to get a PostgreSQL connection: error connecting to server: Connection refused (os error 111) postgis.orthophoto.svc:5432',
        ],
      }),
    );
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'PersistentVolumeClaim/orthophoto/postgis-data',
      accepts: ['PersistentVolume//pv-ortho'],
      mustNotBlame: ['Deployment/orthophoto/tiles'],
    });
  },
);

const pressRoomBeyondItsQuota = scenario(
  'On election night a newsroom is scaled beyond the quota of its namespace',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.quota('election-night/press', { pods: '6' });
    const results = cluster.deployment('election-night/results', { replicas: 4, image: 'registry.example/results:44' });
    cluster.service('election-night/results');
    cluster.at('20s', () => results.scale(12));
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'ResourceQuota/election-night/press',
      accepts: ['Deployment/election-night/results'],
    });
  },
);

const recipeIndexerRefusesOldMapping = scenario(
  'A new indexer does not fit the index that is there; the settings of a neighbour were edited just before',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.statefulSet('cookbook/opensearch', { image: 'opensearchproject/opensearch:2.18.0', probe: false });
    cluster.service('cookbook/opensearch', {
      ports: [{ name: 'rest', port: 9200, targetPort: 9200, protocol: 'TCP' }],
    });
    const banner = cluster.configMap('cookbook/banner', { TEXT: 'Advent' });
    cluster.deployment('cookbook/web', { replicas: 2, image: 'registry.example/cookweb:8', envFrom: ['banner'] });
    const indexer = cluster.deployment('cookbook/indexer', {
      ...{ replicas: 2, image: 'registry.example/indexer:3.1' },
      values: { OPENSEARCH_URL: 'http://opensearch.cookbook.svc:9200' },
    });
    cluster.image('registry.example/indexer:3.2', {
      exit: { afterSeconds: 4, code: 1 },
      readyAfterSeconds: 'never',
      log: [
        'checking index template recipes-v7',
        "opensearchpy.exceptions.RequestError: RequestError(400, 'illegal_argument_exception', 'mapper [cook_time] cannot be changed from type [integer] to [keyword]')",
      ],
    });
    cluster.at('15s', () => banner.edit({ TEXT: 'Black Week' }));
    cluster.at('35s', () => indexer.setImage('registry.example/indexer:3.2'));
    cluster.lasts('4m');
    cluster.expectIncident({
      root: 'Deployment/cookbook/indexer',
      mustNotBlame: ['ConfigMap/cookbook/banner', 'StatefulSet/cookbook/opensearch'],
    });
  },
);

const lotteryDrawMayNotRead = scenario(
  'The Job that draws the numbers may no longer read its state: its role binding was deleted',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const [namespace, account] = ['lottery', 'draw-bot'];
    cluster.object({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: account } });
    cluster.object({
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { namespace, name: account } },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'update'] }],
    });
    const binding = cluster.object({
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { namespace, name: account } },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: account },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
    });
    cluster.configMap('lottery/draw-state', { round: '811' });
    const image = 'registry.example/draw:12';
    const draw = cluster.cronJob('lottery/draw', {
      ...{ schedule: '* * * * *', image },
      job: {
        backoffLimit: 0,
        template: {
          metadata: { labels: { app: 'draw' } },
          spec: { serviceAccountName: account, restartPolicy: 'Never', containers: [{ name: 'draw', image }] },
        },
      },
    });
    cluster.image(image, { exit: { afterSeconds: 3, code: 0 }, log: ['round 811 sealed'] });
    cluster.at('70s', () => {
      binding.delete();
      cluster.image(image, {
        exit: { afterSeconds: 2, code: 1 },
        log: [
          'Error from server (Forbidden): configmaps "draw-state" is forbidden: User "system:serviceaccount:lottery:draw-bot" cannot get resource "configmaps" in API group "" in the namespace "lottery"',
        ],
      });
    });
    cluster.at('5m', () => draw.patch({ spec: { suspend: true } }));
    cluster.lasts('5m20s');
    cluster.expectIncident({
      root: 'ServiceAccount/lottery/draw-bot',
      accepts: ['RoleBinding/lottery/draw-bot', 'CronJob/lottery/draw'],
    });
  },
);

const transcribersFindNoLabelledNode = scenario(
  'The pool for speech models was replaced by one without its label: new Pods find no Node',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes(['n1', 'n2', { name: 'acc-a', labels: { 'pool.example/accelerated': 'yes' } }]);
    cluster.deployment('dictation/transcriber', {
      ...{ replicas: 2, image: 'registry.example/whisper-live:4', nodeSelector: { 'pool.example/accelerated': 'yes' } },
    });
    cluster.service('dictation/transcriber');
    cluster.at('20s', () => cluster.addNode({ name: 'acc-b', labels: { 'pool.example/accel': 'yes' } }));
    cluster.at('60s', () => cluster.node('acc-a').drain());
    cluster.at('2m', () => cluster.node('acc-a').remove());
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'Deployment/dictation/transcriber',
      accepts: ['Node//acc-b', 'Node//acc-a'],
      mustNotBlame: ['Node//n1', 'Node//n2'],
    });
  },
);

const bidsServiceSelectsNobody = scenario(
  'The selector of an auction house’s Service is patched and fits nobody; its callers lose it',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.deployment('auction-house/bids', { replicas: 3, image: 'registry.example/bids:21' });
    const service = cluster.service('auction-house/bids', { clusterIP: '10.96.77.12' });
    const image = 'registry.example/salesroom:9';
    cluster.deployment('auction-house/salesroom', {
      ...{ replicas: 2, image, values: { BIDS_URL: 'http://bids.auction-house.svc' } },
    });
    cluster.at('30s', () => service.patch({ spec: { selector: { app: 'bids', tier: 'backend' } } }));
    cluster.at('38s', () =>
      cluster.befall(image, {
        readyAfterSeconds: 'never',
        log: [
          'Error: connect ECONNREFUSED 10.96.77.12:80',
          '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1637:16) {',
          "  errno: -111, code: 'ECONNREFUSED', syscall: 'connect', address: '10.96.77.12', port: 80 }",
          'readiness: bids.auction-house.svc unreachable',
        ],
      }),
    );
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'Service/auction-house/bids',
      beginsAfterSeconds: 30,
      mustNotBlame: ['Deployment/auction-house/bids', 'Deployment/auction-house/salesroom'],
    });
  },
);

const barrierTargetPortAndTariffCrash = scenario(
  'The Service of a garage’s barriers leads to a port nobody listens on; the tariff engine next to it crashes over its own rules file',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.deployment('garage/barrier', {
      ...{ replicas: 2, image: 'registry.example/barrier:6' },
      container: { ports: [{ name: 'http', containerPort: 8080 }] },
    });
    const service = cluster.service('garage/barrier', { clusterIP: '10.96.20.5' });
    const caller = 'registry.example/plate-reader:2';
    cluster.deployment('garage/plate-reader', {
      ...{ replicas: 2, image: caller, values: { BARRIER: 'http://barrier.garage.svc:80' } },
    });
    const rules = cluster.configMap('tariffs/rules', { 'rules.yaml': 'night: 2.50\n' });
    const engine = cluster.deployment('tariffs/engine', {
      ...{ replicas: 2, image: 'registry.example/tariff-engine:11' },
      container: { volumeMounts: [{ name: 'rules', mountPath: '/etc/tariffs' }] },
      pod: { volumes: [{ name: 'rules', configMap: { name: 'rules' } }] },
    });
    cluster.at('25s', () => rules.edit({ 'rules.yaml': 'night: 2.50\n weekend: 3\n' }));
    cluster.at('40s', () =>
      service.patch({ spec: { ports: [{ name: 'http', port: 80, targetPort: 8088, protocol: 'TCP' }] } }),
    );
    cluster.at('45s', () => {
      cluster.befall(caller, { readyAfterSeconds: 'never', log: refusedBy('10.96.20.5:80') });
      cluster.image('registry.example/tariff-engine:11', {
        exit: { afterSeconds: 2, code: 1 },
        readyAfterSeconds: 'never',
        log: ['panic: /etc/tariffs/rules.yaml: yaml: line 2: mapping values are not allowed in this context'],
      });
      engine.restart();
    });
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'Service/garage/barrier',
      beginsAfterSeconds: 40,
      mustNotBlame: ['ConfigMap/tariffs/rules', 'Deployment/garage/barrier'],
    });
    cluster.expectIncident({ root: 'ConfigMap/tariffs/rules', mustNotBlame: ['Service/garage/barrier'] });
  },
);

const choirPullSecretWrong = scenario(
  'A pull secret is replaced by one that the registry does not take, and the next restart cannot pull',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const auth = (password: string): Record<string, string> => ({
      '.dockerconfigjson': JSON.stringify({ auths: { 'harbor.choir.example': { username: 'robot$score', password } } }),
    });
    const credentials = cluster.secret('choir/harbor-robot', auth('x'));
    const image = 'harbor.choir.example/score/viewer:3.4';
    const viewer = cluster.deployment('choir/viewer', {
      ...{ replicas: 2, image, pod: { imagePullSecrets: [{ name: 'harbor-robot' }] } },
    });
    cluster.at('20s', () => credentials.edit(auth('y')));
    cluster.at('50s', () => {
      cluster.image(image, { pullError: 'Unauthorized' });
      viewer.restart();
    });
    cluster.lasts('4m');
    cluster.expectIncident({
      root: 'Secret/choir/harbor-robot',
      accepts: ['Registry//harbor.choir.example', 'Deployment/choir/viewer'],
    });
  },
);

const brokerSettingNobodyKnows = scenario(
  'A brewery’s message broker does not start with an edited setting; its consumers only wait for it',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const conf = cluster.configMap('hop-yard/rabbitmq-conf', {
      '20-hops.conf': 'vm_memory_high_watermark.relative = 0.6\n',
    });
    const image = 'rabbitmq:4.0.4-management';
    const broker = cluster.statefulSet('hop-yard/rabbitmq', {
      image,
      container: { volumeMounts: [{ name: 'conf', mountPath: '/etc/rabbitmq/conf.d' }] },
      pod: { volumes: [{ name: 'conf', configMap: { name: 'rabbitmq-conf' } }] },
    });
    cluster.service('hop-yard/rabbitmq', { ports: [{ name: 'amqp', port: 5672, targetPort: 5672, protocol: 'TCP' }] });
    const consumer = 'registry.example/mash-log:2.2';
    cluster.deployment('hop-yard/mash-log', {
      ...{ replicas: 2, image: consumer, values: { AMQP_URL: 'amqp://mash@rabbitmq.hop-yard.svc:5672/' } },
    });
    cluster.at('20s', () => conf.edit({ '20-hops.conf': 'vm_memory_high_watermark.relativ = 0.6\n' }));
    cluster.at('40s', () => {
      cluster.image(image, {
        exit: { afterSeconds: 4, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          "2026-11-29 10:14:31.118201+00:00 [error] <0.158.0> You've tried to set vm_memory_high_watermark.relativ, but there is no setting with that name.",
          '2026-11-29 10:14:31.126840+00:00 [error] <0.158.0>   Did you mean one of these?',
          '2026-11-29 10:14:31.231092+00:00 [error] <0.158.0>     vm_memory_high_watermark.relative',
          '2026-11-29 10:14:31.231411+00:00 [error] <0.158.0> Error preparing configuration in phase transform_datatypes:',
          '2026-11-29 10:14:31.231455+00:00 [error] <0.158.0>   - Conf file attempted to set unknown variable: vm_memory_high_watermark.relativ',
          'BOOT FAILED',
          'Error during startup: {error,failed_to_prepare_configuration}',
        ],
      });
      broker.restart();
    });
    cluster.at('60s', () =>
      cluster.befall(consumer, {
        exit: { afterSeconds: 6, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          'pika.exceptions.AMQPConnectionError: ConnectionRefusedError(111, "Connection refused") rabbitmq.hop-yard.svc:5672',
        ],
      }),
    );
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'ConfigMap/hop-yard/rabbitmq-conf',
      mustNotBlame: ['Deployment/hop-yard/mash-log'],
    });
  },
);

const tremorsLoseNames = scenario(
  'An unknown directive in the Corefile ends the cluster’s DNS; seismographs can resolve nothing',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const good = '.:53 {\n  errors\n  kubernetes cluster.local\n  forward . /etc/resolv.conf\n}\n';
    const corefile = cluster.configMap('kube-system/coredns', { Corefile: good });
    const server = cluster.deployment('kube-system/coredns', {
      ...dns.workload,
      container: { volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns' }] },
      pod: { volumes: [{ name: 'config-volume', configMap: { name: 'coredns' } }] },
      spec: { strategy: { type: 'Recreate' } },
    });
    cluster.object({ ...dns.service, spec: { ...dns.service.spec, clusterIP: '10.96.0.10' } });
    const image = 'registry.example/seedlink:5';
    cluster.deployment('tremors/seedlink', {
      ...{ replicas: 2, image, values: { STORE: 'http://waveforms.tremors.svc:80' } },
    });
    cluster.deployment('tremors/waveforms', { replicas: 2, image: 'registry.example/waveforms:5' });
    cluster.service('tremors/waveforms');
    cluster.at('15s', () => corefile.edit({ Corefile: good.replace('forward', 'forwrd') }));
    cluster.at('30s', () => {
      cluster.image(dns.workload.image, {
        exit: { afterSeconds: 1, code: 1 },
        readyAfterSeconds: 'never',
        log: ["/etc/coredns/Corefile:4 - Error during parsing: Unknown directive 'forwrd'"],
      });
      server.restart();
    });
    cluster.at('45s', () =>
      cluster.befall(image, {
        readyAfterSeconds: 'never',
        log: [
          'level=error msg="flush failed" err="Post \\"http://waveforms.tremors.svc:80/packets\\": dial tcp: lookup waveforms.tremors.svc on 10.96.0.10:53: read udp 10.244.2.9:41172->10.96.0.10:53: read: connection refused"',
        ],
      }),
    );
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'ConfigMap/kube-system/coredns',
      mustNotBlame: ['Deployment/tremors/seedlink', 'Deployment/tremors/waveforms'],
    });
  },
);

const boxOfficeIngressNamesGoneService = scenario(
  'The Ingress of a box office is pointed to a Service that was never made; a stage plan service fails of its own',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(ingressClass);
    cluster.deployment('box-office/tickets', { replicas: 2, image: 'registry.example/tickets:80' });
    cluster.service('box-office/tickets');
    const route = cluster.object(ingress('box-office/tickets'));
    const plan = cluster.deployment('stage-plan/plan', { replicas: 2, image: 'registry.example/plan:1' });
    cluster.image('registry.example/plan:2', { pullError: 'NotFound' });
    cluster.at('10s', () => plan.setImage('registry.example/plan:2'));
    cluster.at('40s', () => {
      const { spec = {} } = ingress('box-office/tickets', 'tickets-v2');
      route.patch({ spec });
    });
    cluster.lasts('4m');
    cluster.expectIncident({
      root: 'Ingress/box-office/tickets',
      beginsAfterSeconds: 40,
      accepts: ['Service/box-office/tickets-v2'],
      mustNotBlame: ['Deployment/box-office/tickets', 'Deployment/stage-plan/plan'],
    });
    cluster.expectIncident({ root: 'Deployment/stage-plan/plan', mustNotBlame: ['Ingress/box-office/tickets'] });
  },
);

export const stories = {
  'turnstile-reads-wrong-cache-port': turnstileReadsWrongCachePort,
  'donor-password-rotated-and-printer-oom': donorPasswordRotatedAndPrinterOom,
  'case-files-key-renamed': caseFilesKeyRenamed,
  'glossary-probe-asks-wrong-path': glossaryProbeAsksWrongPath,
  'drone-tiles-volume-full': droneTilesVolumeFull,
  'press-room-beyond-its-quota': pressRoomBeyondItsQuota,
  'recipe-indexer-refuses-old-mapping': recipeIndexerRefusesOldMapping,
  'lottery-draw-may-not-read': lotteryDrawMayNotRead,
  'transcribers-find-no-labelled-node': transcribersFindNoLabelledNode,
  'bids-service-selects-nobody': bidsServiceSelectsNobody,
  'barrier-target-port-and-tariff-crash': barrierTargetPortAndTariffCrash,
  'choir-pull-secret-wrong': choirPullSecretWrong,
  'broker-setting-nobody-knows': brokerSettingNobodyKnows,
  'tremors-lose-names': tremorsLoseNames,
  'box-office-ingress-names-gone-service': boxOfficeIngressNamesGoneService,
};
