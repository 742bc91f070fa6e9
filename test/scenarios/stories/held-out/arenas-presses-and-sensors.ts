/** Games, a newspaper and a fleet of sensors. */
import { scenario } from '../../kit/scenario.ts';
import { budget, claim, dns, ingress, ingressClass, mounts, storageClass, volume } from '../../kit/things.ts';

const env = (values: Readonly<Record<string, string>>): object => ({
  env: Object.entries(values).map(([name, value]) => ({ name, value })),
});

export const stories = {
  'session-cache-told-to-hold-too-little': scenario(
    'The memory a cache may use is cut in its settings, and everybody who writes to it is refused; a client was rolled out just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const conf = cluster.configMap('arena/session-cache-conf', {
        'redis.conf': 'maxmemory 2gb\nmaxmemory-policy noeviction\n',
      });
      cluster.service('arena/session-cache', { ports: [{ port: 6379, targetPort: 6379 }] });
      const cache = cluster.statefulSet('arena/session-cache', {
        image: 'registry.arena.example/redis:7.4',
        probe: true,
        container: { args: ['/etc/redis/redis.conf'], volumeMounts: [{ name: 'conf', mountPath: '/etc/redis' }] },
        pod: { volumes: [{ name: 'conf', configMap: { name: 'session-cache-conf' } }] },
      });
      const redis = env({ REDIS_ADDR: 'session-cache.arena.svc:6379' });
      const lobby = cluster.deployment('arena/lobby', {
        image: 'registry.arena.example/lobby:210',
        replicas: 2,
        probe: true,
        container: redis,
      });
      cluster.service('arena/lobby');
      cluster.deployment('arena/matchmaker', {
        image: 'registry.arena.example/matchmaker:58',
        replicas: 2,
        container: redis,
      });
      const refused = (who: string): string[] => [
        `time=2026-06-19T18:30:41.220Z level=INFO msg="${who} starting" redis=session-cache.arena.svc:6379`,
        `time=2026-06-19T18:30:41.904Z level=ERROR msg="cannot store session" err="OOM command not allowed when used memory > 'maxmemory'." addr=session-cache.arena.svc:6379 cmd=SETEX`,
      ];
      cluster.at('10s', () => lobby.setImage('registry.arena.example/lobby:211'));
      cluster.at('40s', () => {
        conf.edit({ 'redis.conf': 'maxmemory 64mb\nmaxmemory-policy noeviction\n' });
        cache.restart();
      });
      cluster.at('60s', () => {
        cluster.befall('registry.arena.example/lobby:211', { readyAfterSeconds: 'never', log: refused('lobby') });
        cluster.befall('registry.arena.example/matchmaker:58', {
          exit: { afterSeconds: 8, code: 1 },
          log: refused('matchmaker'),
        });
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'ConfigMap/arena/session-cache-conf',
        accepts: ['StatefulSet/arena/session-cache'],
        mustNotBlame: ['Deployment/arena/lobby', 'Deployment/arena/matchmaker'],
      });
    },
  ),

  'physics-servers-ask-for-more-than-any-machine-has': scenario(
    'New game servers ask for more cores than any machine has, while an anti-cheat sidecar fails elsewhere',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const physics = cluster.deployment('arena-eu/physics', {
        image: 'registry.arena.example/physics:9',
        replicas: 2,
        cpu: '1',
        memory: '512Mi',
      });
      const sidecar = cluster.deployment('anticheat/attest', {
        image: 'registry.arena.example/attest:4.0',
        replicas: 2,
      });
      cluster.image('registry.arena.example/attest:4.1', {
        exit: { afterSeconds: 2, code: 139 },
        log: ['attestd 4.1.0 (musl)', 'loading rules from /opt/rules/current.bin', 'Segmentation fault (core dumped)'],
      });
      cluster.at('30s', () => physics.change({ cpu: '6' }));
      cluster.at('45s', () => sidecar.setImage('registry.arena.example/attest:4.1'));
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Deployment/arena-eu/physics',
        mustNotBlame: ['Deployment/anticheat/attest', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
      cluster.expectIncident({ root: 'Deployment/anticheat/attest', mustNotBlame: ['Deployment/arena-eu/physics'] });
    },
  ),

  'tournament-evening-scales-up-and-down-again': scenario(
    'A workload is scaled from two to eight for an evening and back',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('cups/spectate');
      const spectate = cluster.deployment('cups/spectate', {
        image: 'registry.arena.example/spectate:3',
        replicas: 2,
        probe: true,
        cpu: '200m',
        memory: '128Mi',
      });
      const scaler = cluster.object({
        ...{
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { namespace: 'cups', name: 'spectate' },
        },
        spec: {
          ...{
            minReplicas: 2,
            maxReplicas: 10,
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'spectate' },
          },
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
          ],
        },
      });
      const told = (type: string, status: string, reason: string, message: string): object => ({
        ...{ type, status, reason, message, lastTransitionTime: 'now' },
      });
      const sees = (replicas: number): void =>
        scaler.status({
          ...{ currentReplicas: replicas, desiredReplicas: replicas },
          conditions: [
            told('AbleToScale', 'True', 'ReadyForNewScale', 'recommended size matches current size'),
            told(
              'ScalingActive',
              'True',
              'ValidMetricFound',
              'the HPA was able to successfully calculate a replica count',
            ),
            told('ScalingLimited', 'False', 'DesiredWithinRange', 'the desired count is within the acceptable range'),
          ],
        });
      sees(2);
      cluster.image('registry.arena.example/spectate:3', {
        readyAfterSeconds: 9,
        log: [
          'warn: relay eu-3 answered 503, using eu-1',
          'error: viewer 88121 closed the socket unexpectedly (1006)',
          'listening on :8080',
        ],
      });
      const hpa = (size: number): void =>
        cluster.event({
          about: 'HorizontalPodAutoscaler/cups/spectate',
          type: 'Normal',
          reason: 'SuccessfulRescale',
          message: `New size: ${size}; reason: cpu resource utilization (percentage of request) ${size > 4 ? 'above' : 'below'} target`,
          by: 'horizontal-pod-autoscaler',
        });
      cluster.at('20s', () => {
        spectate.scale(5);
        hpa(5);
        sees(5);
      });
      cluster.at('60s', () => {
        spectate.scale(8);
        hpa(8);
        sees(8);
      });
      cluster.at('4m', () => {
        spectate.scale(3);
        hpa(3);
        sees(3);
      });
      cluster.lasts('6m');
    },
  ),

  'leaderboard-run-times-out-once-and-is-done-the-second-time': scenario(
    'The run of a leaderboard meets a timeout and is done the second time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      let first: string | undefined;
      cluster.image('registry.arena.example/leaderboard:12', ({ metadata }) => {
        first ??= metadata.name;
        return metadata.name === first
          ? {
              exit: { afterSeconds: 12, code: 1 },
              log: [
                'redis.exceptions.TimeoutError: Timeout reading from leaderboard-cache:6379',
                'season 14 not written',
              ],
            }
          : { exit: { afterSeconds: 18, code: 0 }, log: ['season 14 written: 1,882,410 rows'] };
      });
      const nightly = cluster.cronJob('seasons/leaderboard', {
        image: 'registry.arena.example/leaderboard:12',
        schedule: '0 6 1 1 *',
        job: { backoffLimit: 3 },
      });
      cluster.at('5s', () => nightly.patch({ spec: { schedule: '* * * * *' } }));
      cluster.at('65s', () => nightly.patch({ spec: { schedule: '0 6 1 1 *' } }));
      cluster.lasts('5m');
    },
  ),

  'archive-search-loses-its-sysctl-step': scenario(
    'A change of a search cluster drops the step that raises a kernel limit, and its nodes refuse to start; a feed of another team is slow but well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('morgue/archive-es');
      const search = cluster.statefulSet('morgue/archive-es', {
        image: 'registry.press.example/elasticsearch:8.14.3',
        replicas: 3,
        probe: true,
        init: 'registry.press.example/sysctl:1',
      });
      cluster.deployment('wire/feed-import', { image: 'registry.press.example/feed-import:6', probe: true });
      cluster.image('registry.press.example/feed-import:6', {
        log: [
          'WARN feed.reuters: 1200 items behind, last poll took 4811 ms',
          'WARN feed.afp: poll took 5120 ms (limit 6000 ms)',
        ],
      });
      cluster.image('registry.press.example/elasticsearch:8.14.4', {
        exit: { afterSeconds: 11, code: 78 },
        log: [
          '{"@timestamp":"2026-04-02T03:11:09.118Z", "log.level": "INFO", "message":"bound or publishing to a non-loopback address, enforcing bootstrap checks", "ecs.version": "1.2.0","service.name":"ES_ECS","process.thread.name":"main","log.logger":"org.elasticsearch.bootstrap.BootstrapChecks","elasticsearch.node.name":"archive-es-2","elasticsearch.cluster.name":"morgue"}',
          '{"@timestamp":"2026-04-02T03:11:09.132Z", "log.level":"ERROR", "message":"node validation exception\\n[1] bootstrap checks failed. You must address the points described in the following [1] lines before starting Elasticsearch.\\nbootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]", "ecs.version": "1.2.0","service.name":"ES_ECS","process.thread.name":"main","log.logger":"org.elasticsearch.bootstrap.Elasticsearch"}',
          'ERROR: Elasticsearch exited unexpectedly, with exit code 78',
        ],
      });
      cluster.at('40s', () =>
        search.patch({
          spec: {
            template: {
              spec: {
                initContainers: null,
                containers: [{ name: 'archive-es', image: 'registry.press.example/elasticsearch:8.14.4' }],
              },
            },
          },
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'StatefulSet/morgue/archive-es',
        mustNotBlame: ['Deployment/wire/feed-import', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  'editors-cannot-pull-from-a-registry-that-is-gone': scenario(
    'A registry does not answer, and the roll-outs of two teams wait for it; a pull secret was renewed shortly before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const pull = cluster.secret('cms/regcred', {
        '.dockerconfigjson': '{"auths":{"hub.press.example":{"auth":"b2xk"}}}',
      });
      const cms = cluster.deployment('cms/editor', {
        image: 'hub.press.example/editor:200',
        replicas: 2,
        pod: { imagePullSecrets: [{ name: 'regcred' }] },
      });
      const ads = cluster.deployment('adsales/booking', { image: 'hub.press.example/booking:31', replicas: 2 });
      for (const image of ['editor:201', 'booking:32'])
        cluster.image(`hub.press.example/${image}`, { pullError: 'RegistryUnreachable' });
      cluster.at('15s', () => pull.edit({ '.dockerconfigjson': '{"auths":{"hub.press.example":{"auth":"bmV3"}}}' }));
      cluster.at('40s', () => cms.setImage('hub.press.example/editor:201'));
      cluster.at('55s', () => ads.setImage('hub.press.example/booking:32'));
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Registry//hub.press.example',
        mustNotBlame: ['Secret/cms/regcred', 'Deployment/cms/editor', 'Deployment/adsales/booking'],
      });
    },
  ),

  'comments-store-password-changed-in-one-place-only': scenario(
    'A password is changed in a Secret but not in the database, and clients fail with their next start; a banner text changes at the same time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const secret = cluster.secret('talk/comments-db', { username: 'comments', password: 'lead-1931' });
      const banner = cluster.configMap('talk/banner', { text: 'Be kind' });
      cluster.service('talk/comments-pg', { ports: [{ port: 5432, targetPort: 5432 }] });
      cluster.statefulSet('talk/comments-pg', { image: 'registry.press.example/postgres:15.8', probe: true });
      const comments = cluster.deployment('talk/comments', {
        image: 'registry.press.example/comments:17',
        replicas: 2,
        container: {
          env: [
            { name: 'PGHOST', value: 'comments-pg.talk.svc' },
            { name: 'PGUSER', valueFrom: { secretKeyRef: { name: 'comments-db', key: 'username' } } },
            { name: 'PGPASSWORD', valueFrom: { secretKeyRef: { name: 'comments-db', key: 'password' } } },
          ],
          envFrom: [{ configMapRef: { name: 'banner' } }],
        },
      });
      cluster.at('20s', () => secret.edit({ username: 'comments', password: 'zinc-1932' }));
      cluster.at('25s', () => banner.edit({ text: 'Be kind, be brief' }));
      cluster.at('50s', () => {
        cluster.image('registry.press.example/comments:17', {
          exit: { afterSeconds: 3, code: 1 },
          log: [
            'psycopg2.OperationalError: connection to server at "comments-pg.talk.svc" (10.96.12.90), port 5432 failed: FATAL:  password authentication failed for user "comments"',
            'ERROR:    Application startup failed. Exiting.',
          ],
        });
        comments.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Secret/talk/comments-db',
        mustNotBlame: ['ConfigMap/talk/banner', 'StatefulSet/talk/comments-pg', 'Deployment/talk/comments'],
      });
    },
  ),

  'front-page-purge-logs-errors-that-harm-nobody': scenario(
    'A cache logs many errors about origins that it works around, and its settings change',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const vcl = cluster.configMap('edge-www/vcl', { 'default.vcl': 'sub vcl_recv { return (hash); }' });
      cluster.service('edge-www/cache');
      cluster.deployment('edge-www/cache', {
        ...{ image: 'registry.press.example/varnish:7.5', replicas: 2, probe: true },
        container: { volumeMounts: [{ name: 'vcl', mountPath: '/etc/varnish' }] },
        pod: { volumes: [{ name: 'vcl', configMap: { name: 'vcl' } }] },
      });
      cluster.at('20s', () =>
        vcl.edit({ 'default.vcl': 'sub vcl_recv { if (req.method == "PURGE") { return (purge); } return (hash); }' }),
      );
      cluster.at('40s', () =>
        cluster.befall('registry.press.example/varnish:7.5', {
          log: [
            '-   FetchError     http first read error: EOF',
            '-   BackendClose   31 origin_b close Backend/VCL requested',
            '-   FetchError     Could not get storage (no matter, pass)',
            'Error: failed to purge /sport/live.json: 404 (ignored)',
          ],
        }),
      );
      cluster.lasts('4m');
    },
  ),

  'print-hall-machine-cannot-be-emptied-under-a-raised-budget': scenario(
    'A budget is raised to all replicas, and a machine that is to be replaced is never empty; another workload restarts once on its own',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['press-1', 'press-2', 'press-3']);
      cluster.deployment('prepress/proofs', { image: 'registry.press.example/proofs:5.9', replicas: 3, probe: true });
      cluster.deployment('prepress/fonts', { image: 'registry.press.example/fonts:2', replicas: 1 });
      const allowed = cluster.object(budget('prepress/proofs', { minAvailable: 2 }));
      cluster.at('15s', () => allowed.patch({ spec: { minAvailable: 3 } }));
      cluster.at('25s', () =>
        cluster.befall('registry.press.example/fonts:2', {
          ...{ exit: { afterSeconds: 2, code: 1 }, exits: 1 },
          log: ['cache index is older than the fonts, starting anew'],
        }),
      );
      cluster.at('40s', () => cluster.node('press-2').drain());
      for (const when of ['70s', '3m', '6m', '10m', '15m'])
        cluster.at(when, () =>
          cluster.event({
            ...{ about: 'Node//press-2', reason: 'FailedDraining', by: 'karpenter' },
            message:
              'Failed to drain node, 1 pods are waiting to be evicted: PDB "prepress/proofs" prevents pod evictions',
          }),
        );
      cluster.lasts('16m');
      cluster.expectIncident({
        root: 'PodDisruptionBudget/prepress/proofs',
        reason: 'PDBBlocksDrain',
        mustNotBlame: ['Deployment/prepress/proofs', 'Deployment/prepress/fonts'],
        beginsAfterSeconds: 40,
        firstMessageWithinSeconds: 2400,
      });
    },
  ),

  'meter-bridge-distrusts-the-broker-after-a-bundle-edit': scenario(
    'A bundle of authorities is edited and the bridge of the meters no longer trusts its broker',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const bundle = cluster.configMap('meters/trust-bundle', {
        'ca.crt': '-----BEGIN CERTIFICATE-----\nMIIB-old\n-----END CERTIFICATE-----\n',
      });
      cluster.service('meters/mqtt', { ports: [{ name: 'mqtts', port: 8883, targetPort: 8883 }] });
      cluster.statefulSet('meters/mqtt', { image: 'registry.grid.example/mosquitto:2.0.20', probe: true });
      const bridge = cluster.deployment('meters/bridge', {
        ...{ image: 'registry.grid.example/bridge:1.14', replicas: 2 },
        container: {
          ...env({ BROKER: 'ssl://mqtt.meters.svc:8883', CA_FILE: '/trust/ca.crt' }),
          volumeMounts: [{ name: 'trust', mountPath: '/trust' }],
        },
        pod: { volumes: [{ name: 'trust', configMap: { name: 'trust-bundle' } }] },
      });
      cluster.at('25s', () =>
        bundle.edit({ 'ca.crt': '-----BEGIN CERTIFICATE-----\nMIIB-other\n-----END CERTIFICATE-----\n' }),
      );
      cluster.at('60s', () => {
        cluster.image('registry.grid.example/bridge:1.14', {
          exit: { afterSeconds: 5, code: 1 },
          log: [
            '2026/06/20 10:02:14 loading CA bundle from /trust/ca.crt',
            '2026/06/20 10:02:15 connect ssl://mqtt.meters.svc:8883: network Error : tls: failed to verify certificate: x509: certificate signed by unknown authority',
            '2026/06/20 10:02:15 giving up',
          ],
        });
        bridge.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'ConfigMap/meters/trust-bundle',
        mustNotBlame: ['StatefulSet/meters/mqtt'],
      });
    },
  ),

  'substation-pods-get-no-network-after-a-plugin-roll-out': scenario(
    'A roll-out of the network plugin crashes on its machines, and new Pods get no sandbox',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['sub-1', 'sub-2', 'sub-3']);
      const plugin = cluster.daemonSet('kube-system/calico-node', {
        image: 'registry.grid.example/calico-node:v3.28.1',
        pod: { hostNetwork: true },
        labels: { 'k8s-app': 'calico-node' },
      });
      const scada = cluster.deployment('scada/poller', { image: 'registry.grid.example/poller:50', replicas: 3 });
      const noNode =
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "4be1c7a0a1b0": plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running and has mounted /var/lib/calico/';
      cluster.image('registry.grid.example/calico-node:v3.29.0', {
        exit: { afterSeconds: 4, code: 1 },
        log: [
          '2026-06-20 11:40:02.114 [INFO][9] startup/startup.go 445: Early log level set to info',
          '2026-06-20 11:40:02.139 [INFO][9] startup/utils.go 126: Using NODENAME environment for node name sub-2',
          "2026-06-20 11:40:05.201 [ERROR][9] startup/startup.go 158: failed to query kubeadm's config map error=Unauthorized",
          '2026-06-20 11:40:05.202 [WARNING][9] startup/utils.go 48: Terminating',
          'Calico node failed to start',
        ],
      });
      cluster.image('registry.grid.example/poller:51', {
        heldUp: { reason: 'FailedCreatePodSandBox', message: noNode },
      });
      cluster.at('30s', () => plugin.setImage('registry.grid.example/calico-node:v3.29.0'));
      cluster.at('70s', () => scada.setImage('registry.grid.example/poller:51'));
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/calico-node',
        mustNotBlame: ['Deployment/scada/poller', 'Node//sub-1', 'Node//sub-2', 'Node//sub-3'],
      });
    },
  ),

  'telemetry-node-short-of-disk-while-a-client-is-rolled-out': scenario(
    'A machine runs out of disk and evicts; a workload with Pods on it is rolled out at that time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['pole-1', 'pole-2', 'pole-3']);
      const ingest = cluster.deployment('telemetry/ingest', {
        image: 'registry.grid.example/ingest:7.0',
        replicas: 3,
        probe: true,
      });
      cluster.service('telemetry/ingest');
      cluster.deployment('telemetry/rollup', { image: 'registry.grid.example/rollup:3', replicas: 3 });
      cluster.at('20s', () => ingest.setImage('registry.grid.example/ingest:7.1'));
      cluster.at('45s', () => {
        cluster.node('pole-2').warn('EvictionThresholdMet', 'Attempting to reclaim ephemeral-storage');
        cluster.node('pole-2').press('DiskPressure');
        cluster
          .node('pole-2')
          .evict(
            'The node was low on resource: ephemeral-storage. Threshold quantity: 10737418240, available: 9012348Ki. ',
          );
      });
      cluster.at('65s', () =>
        cluster
          .node('pole-2')
          .evict(
            'The node was low on resource: ephemeral-storage. Threshold quantity: 10737418240, available: 8112348Ki. ',
          ),
      );
      cluster.at('70s', () =>
        cluster
          .node('pole-2')
          .warn(
            'FreeDiskSpaceFailed',
            'Failed to garbage collect required amount of images. Attempted to free 6442450944 bytes, but only found 211812352 bytes eligible to free.',
          ),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Node//pole-2',
        mustNotBlame: ['Deployment/telemetry/ingest', 'Deployment/telemetry/rollup'],
      });
    },
  ),

  'gateway-machines-are-replaced-one-by-one': scenario(
    'Machines are replaced by newer ones, each drained before it goes',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['gw-old-1', 'gw-old-2', 'gw-old-3']);
      cluster.service('firmware/agent-api');
      cluster.deployment('firmware/agent-api', {
        image: 'registry.grid.example/agent-api:20',
        replicas: 3,
        probe: true,
      });
      cluster.daemonSet('firmware/flasher', { image: 'registry.grid.example/flasher:4' });
      cluster.at('15s', () => cluster.addNode({ name: 'gw-new-1' }));
      cluster.at('40s', () => cluster.node('gw-old-1').drain());
      cluster.at('70s', () => cluster.node('gw-old-1').remove());
      cluster.at('85s', () => cluster.addNode({ name: 'gw-new-2' }));
      cluster.at('110s', () => cluster.node('gw-old-2').drain());
      cluster.at('140s', () => cluster.node('gw-old-2').remove());
      cluster.lasts('5m');
    },
  ),

  'series-store-claim-cannot-grow': scenario(
    'A claim is to grow and its class does not allow what the driver is asked; a collector nearby is restarted by hand',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(storageClass('grid-disk', { allowVolumeExpansion: true }));
      cluster.object(volume('pv-series', 'grid-disk'));
      const held = cluster.object(claim('series/store-data', 'grid-disk'));
      cluster.statefulSet('series/store', { image: 'registry.grid.example/victoria:1.101', pod: mounts('store-data') });
      const collector = cluster.deployment('series/collector', {
        image: 'registry.grid.example/otelcol:0.104',
        replicas: 2,
      });
      cluster.at('20s', () => held.patch({ spec: { resources: { requests: { storage: '4Ti' } } } }));
      const failed = (): void =>
        cluster.event({
          ...{
            about: 'PersistentVolumeClaim/series/store-data',
            reason: 'VolumeResizeFailed',
            by: 'external-resizer disk.csi.example',
          },
          message:
            'resize volume "pv-series" by resizer "disk.csi.example" failed: rpc error: code = OutOfRange desc = requested size 4398046511104 exceeds the maximum of 2199023255552 for disks of this type',
        });
      for (const when of ['25s', '50s', '100s', '3m']) cluster.at(when, failed);
      cluster.at('35s', () => collector.restart());
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/series/store-data',
        reason: 'VolumeResizeFailed',
        mustNotBlame: ['Deployment/series/collector', 'StatefulSet/series/store'],
        beginsAfterSeconds: 25,
      });
    },
  ),

  'names-resolve-no-more-after-an-edit-of-the-zone-file': scenario(
    'The settings of the cluster DNS get a directive it does not know; it does not come back, and clients of two namespaces cannot resolve',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const zone =
        '.:53 {\n    errors\n    health\n    ready\n    kubernetes cluster.local in-addr.arpa ip6.arpa\n    forward . /etc/resolv.conf\n    cache 30\n}\n';
      const corefile = cluster.configMap('kube-system/coredns', { Corefile: zone });
      cluster.object(dns.service);
      const coredns = cluster.deployment('kube-system/coredns', {
        ...dns.workload,
        probe: true,
        container: {
          args: ['-conf', '/etc/coredns/Corefile'],
          volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns' }],
        },
        pod: { volumes: [{ name: 'config-volume', configMap: { name: 'coredns' } }] },
      });
      cluster.deployment('tariffs/quotes', {
        image: 'registry.grid.example/quotes:8',
        replicas: 2,
        container: env({ PRICES_URL: 'http://spot.market.svc.cluster.local' }),
      });
      cluster.deployment('outages/map', {
        image: 'registry.grid.example/map:61',
        replicas: 2,
        probe: true,
        container: env({ METER_API: 'http://agent-api.firmware.svc.cluster.local' }),
      });
      cluster.at('20s', () =>
        corefile.edit({ Corefile: zone.replace('cache 30', 'cache 30\n    rewrite_all old.example new.example') }),
      );
      cluster.at('45s', () => {
        cluster.befall('registry.example/coredns:1.12', {
          exit: { afterSeconds: 1, code: 1 },
          log: [
            'plugin/kubernetes: loading',
            "/etc/coredns/Corefile:8 - Error during parsing: Unknown directive 'rewrite_all'",
          ],
        });
        coredns.restart();
      });
      cluster.at('55s', () => {
        cluster.befall('registry.grid.example/quotes:8', {
          exit: { afterSeconds: 12, code: 1 },
          log: [
            "requests.exceptions.ConnectionError: HTTPConnectionPool(host='spot.market.svc.cluster.local', port=80): Max retries exceeded with url: /day-ahead (Caused by NameResolutionError(\"<urllib3.connection.HTTPConnection object at 0x7f10>: Failed to resolve 'spot.market.svc.cluster.local' ([Errno -3] Temporary failure in name resolution)\"))",
          ],
        });
        cluster.befall('registry.grid.example/map:61', {
          readyAfterSeconds: 'never',
          log: [
            'Error: getaddrinfo EAI_AGAIN agent-api.firmware.svc.cluster.local',
            "    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26) { errno: -3001, code: 'EAI_AGAIN', syscall: 'getaddrinfo' }",
          ],
        });
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'ConfigMap/kube-system/coredns',
        mustNotBlame: ['Deployment/tariffs/quotes', 'Deployment/outages/map'],
      });
    },
  ),

  'reader-paywall-route-names-a-service-that-was-renamed': scenario(
    'A Service is renamed and the Ingress still names the old one; the workload behind was rolled out before, and well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(ingressClass);
      const old = cluster.service('paywall/meter', { selector: { app: 'paywall' } });
      const paywall = cluster.deployment('paywall/paywall', {
        image: 'registry.press.example/paywall:4',
        replicas: 2,
        probe: true,
      });
      cluster.object(ingress('paywall/subscribe', 'meter'));
      cluster.at('15s', () => paywall.setImage('registry.press.example/paywall:5'));
      cluster.at('50s', () => {
        cluster.service('paywall/paywall');
        old.delete();
      });
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Ingress/paywall/subscribe',
        reason: 'IngressBackendNotFound',
        accepts: ['Service/paywall/meter'],
        mustNotBlame: ['Deployment/paywall/paywall'],
        beginsAfterSeconds: 50,
      });
    },
  ),
};
