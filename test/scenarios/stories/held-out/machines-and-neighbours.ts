import { scenario } from '../../kit/scenario.ts';
import { budget, claim, mounts, volume, webhook } from '../../kit/things.ts';

/** A server that listens on a port of its own and is probed there. */
const serves = (port: number, more: object = {}): { readonly probe: false; readonly container: object } => ({
  probe: false,
  container: { ports: [{ containerPort: port }], readinessProbe: { tcpSocket: { port } }, ...more },
});
const onPort = (port: number): object => ({ ports: [{ name: 'main', port, targetPort: port, protocol: 'TCP' }] });

export const stories = {
  'kennel-disk-plugin-crashes-after-its-upgrade': scenario(
    'The node plugin of a disk driver is upgraded and crashes everywhere; whoever is started with a disk waits for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object({
        ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'disk.csi.example' } },
        spec: { attachRequired: true, podInfoOnMount: false },
      });
      const plugin = cluster.daemonSet('kube-system/csi-disk-node', {
        image: 'registry.example/csi/disk-plugin:2.8',
        probe: false,
      });
      cluster.object(volume('pv-kennel', 'csi-disk'));
      cluster.object(claim('kennel/pedigrees', 'csi-disk', { volumeName: 'pv-kennel' }));
      const image = 'registry.example/kennel/pedigrees:1.3';
      const pedigrees = cluster.deployment('kennel/pedigrees', {
        image,
        pod: mounts('pedigrees'),
        container: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.image('registry.example/csi/disk-plugin:2.9', {
        exit: { afterSeconds: 2, code: 255 },
        log: [
          'I0417 07:22:10.100931       1 driver.go:83] "Driver Information" Driver="disk.csi.example" Version="v2.9.0"',
          'E0417 07:22:11.318822       1 metadata.go:70] "could not get instance metadata" err="failed to list instance by providerId disk:///: rpc error: code = InvalidArgument desc = providerId is empty"',
          'F0417 07:22:11.318901       1 main.go:154] "Failed to create driver" err="node service cannot start without metadata"',
        ],
      });
      cluster.at('10s', () => plugin.setImage('registry.example/csi/disk-plugin:2.9'));
      cluster.at('50s', () => {
        cluster.image(image, {
          heldUp: {
            reason: 'FailedMount',
            message:
              'MountVolume.MountDevice failed for volume "pv-kennel" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name disk.csi.example not found in the list of registered CSI drivers',
          },
        });
        pedigrees.restart();
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/csi-disk-node',
        mustNotBlame: ['PersistentVolumeClaim/kennel/pedigrees', 'Deployment/kennel/pedigrees'],
      });
    },
  ),
  'tramway-machine-has-no-addresses-left-for-pods': scenario(
    'One machine has no addresses left for Pods: what lands there is never started, while the same workload starts elsewhere. It had been rolled out minutes before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.example/tramway/departures:6.2';
      const departures = cluster.deployment('tramway/departures', {
        replicas: 3,
        image: 'registry.example/tramway/departures:6.1',
      });
      const fares = cluster.deployment('tramway/fares', { replicas: 2, image: 'registry.example/tramway/fares:2.0' });
      cluster.service('tramway/departures');
      cluster.at('5s', () => departures.setImage(image));
      cluster.at('1m30s', () => {
        for (const each of [image, 'registry.example/tramway/fares:2.0'])
          cluster.image(each, (pod) =>
            pod.spec.nodeName === 'n2'
              ? {
                  heldUp: {
                    reason: 'FailedCreatePodSandBox',
                    message:
                      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "6f0c2e7d1b": plugin type="bridge" failed (add): failed to allocate for range 0: no IP addresses available in range set: 10.244.2.1-10.244.2.254',
                  },
                }
              : {},
          );
        departures.scale(9);
        fares.scale(6);
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Node//n2',
        mustNotBlame: ['Deployment/tramway/departures', 'Deployment/tramway/fares', 'Node//n1'],
      });
    },
  ),
  'brewery-model-eats-the-memory-of-its-machine': scenario(
    'A fermentation model without limits takes the memory of its machine until the kubelet evicts it, again and again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([{ name: 'vat-1', labels: { hall: 'vat' } }, { name: 'hall-1' }, { name: 'hall-2' }]);
      const model = cluster.deployment('brewery/mash-model', {
        ...{ image: 'registry.example/brewery/mash-model:1.0', nodeSelector: { hall: 'vat' } },
      });
      cluster.deployment('brewery/labels', { replicas: 2, image: 'registry.example/brewery/labels:3.3' });
      cluster.image('registry.example/brewery/mash-model:1.1', {
        evicted: {
          afterSeconds: 50,
          message:
            'The node was low on resource: memory. Threshold quantity: 100Mi, available: 61432Ki. Container mash-model was using 7003416Ki, request is 0, has larger consumption of memory. ',
        },
        log: ['INFO  loading tensor fermentation-2026 (6.4 GiB) into memory', 'INFO  step 400/12000 loss=0.0312'],
      });
      cluster.at('10s', () => model.setImage('registry.example/brewery/mash-model:1.1'));
      cluster.at('55s', () => cluster.node('vat-1').press('MemoryPressure'));
      cluster.at('56s', () => cluster.node('vat-1').warn('EvictionThresholdMet', 'Attempting to reclaim memory'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/brewery/mash-model',
        accepts: ['Node//vat-1'],
        mustNotBlame: ['Deployment/brewery/labels', 'Node//hall-1'],
      });
    },
  ),
  'lighthouse-budget-lets-nobody-go': scenario(
    'A budget that allows no Pod to go is set before maintenance; the eviction of a beacon is refused again and again. A neighbour moves without trouble',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('lighthouse/beacon', { replicas: 3, image: 'registry.example/lighthouse/beacon:2.0' });
      cluster.deployment('lighthouse/foghorn', { replicas: 2, image: 'registry.example/lighthouse/foghorn:1.0' });
      const kept = cluster.object(budget('lighthouse/beacon', { maxUnavailable: 1 }));
      cluster.at('10s', () => kept.patch({ spec: { maxUnavailable: 0 } }));
      cluster.at('30s', () => cluster.node('n1').cordon());
      for (const when of ['35s', '45s', '55s', '1m10s', '1m30s', '2m', '2m30s', '3m', '3m30s', '4m'])
        cluster.at(when, () => cluster.evict('lighthouse', 'beacon'));
      cluster.at('40s', () => cluster.evict('lighthouse', 'foghorn'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'PodDisruptionBudget/lighthouse/beacon',
        accepts: ['Node//n1'],
        beginsAfterSeconds: 30,
        mustNotBlame: ['Deployment/lighthouse/foghorn', 'Deployment/lighthouse/beacon'],
      });
    },
  ),
  'census-count-runs-out-of-time-while-a-poller-lacks-a-module': scenario(
    'A count takes longer than its deadline because it waits for a lock; at the same time a poller of another team is rolled out without a module',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('census/census-pg', { image: 'registry.example/postgres:16.6', ...serves(5432) });
      cluster.service('census/census-pg', onPort(5432));
      cluster.image('registry.example/census/count:12', {
        log: ['INFO  counting district 1/41', 'INFO  waiting for advisory lock 4711 held by pid 233'],
      });
      const poller = cluster.deployment('polling/poller', {
        replicas: 2,
        image: 'registry.example/polling/poller:0.3',
      });
      cluster.image('registry.example/polling/poller:0.4', {
        exit: { afterSeconds: 1, code: 1 },
        log: [
          'Traceback (most recent call last):',
          '  File "/app/poller/__main__.py", line 7, in <module>',
          '    import orjson',
          "ModuleNotFoundError: No module named 'orjson'",
        ],
      });
      cluster.at('10s', () =>
        cluster.job('census/count-districts', {
          ...{ image: 'registry.example/census/count:12', values: { PGHOST: 'census-pg.census.svc' } },
          spec: { activeDeadlineSeconds: 120, backoffLimit: 2 },
        }),
      );
      cluster.at('40s', () => poller.setImage('registry.example/polling/poller:0.4'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Job/census/count-districts',
        mustNotBlame: ['StatefulSet/census/census-pg', 'Deployment/polling/poller'],
      });
      cluster.expectIncident({ root: 'Deployment/polling/poller', mustNotBlame: ['Job/census/count-districts'] });
    },
  ),
  'toy-factory-disk-is-still-held-by-a-dead-machine': scenario(
    'A machine loses power; the Pod that takes the place of the lost one cannot have its disk. The paint shop of the factory was installed just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['press-1']);
      cluster.object(volume('pv-moulds', 'block'));
      cluster.object(claim('toyfactory/moulds', 'block', { volumeName: 'pv-moulds' }));
      const image = 'registry.example/toyfactory/moulds:2.1';
      cluster.image(image, (pod) =>
        pod.spec.nodeName === 'press-2'
          ? {
              heldUp: {
                reason: 'FailedAttachVolume',
                message:
                  'Multi-Attach error for volume "pv-moulds" Volume is already exclusively attached to one node and can\'t be attached to another',
              },
            }
          : {},
      );
      cluster.deployment('toyfactory/moulds', {
        image,
        pod: mounts('moulds'),
        container: { volumeMounts: [{ name: 'data', mountPath: '/moulds' }] },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.at('2s', () => cluster.addNode({ name: 'press-2' }));
      cluster.at('6s', () =>
        cluster.addNode({ name: 'press-3', taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] }),
      );
      cluster.at('15s', () =>
        cluster.deployment('toyfactory/paint', {
          replicas: 2,
          image: 'registry.example/toyfactory/paint:1.0',
          nodeSelector: { 'kubernetes.io/hostname': 'press-2' },
        }),
      );
      cluster.at('40s', () => cluster.node('press-1').losePower());
      cluster.lasts('10m');
      cluster.expectIncident({
        root: 'Node//press-1',
        mustNotBlame: [
          'PersistentVolumeClaim/toyfactory/moulds',
          'Deployment/toyfactory/moulds',
          'Deployment/toyfactory/paint',
        ],
      });
    },
  ),
  'observatory-mesh-issuer-has-expired': scenario(
    'The issuer certificate of a mesh has expired unseen; when its identity service is restarted, it does not come up again, and new sidecars get no identity',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.secret('linkerd/linkerd-identity-issuer', { 'tls.crt': 'issuer', 'tls.key': 'issuer' });
      const identity = 'cr.l5d.io/linkerd/controller:edge-25.1.1';
      cluster.deployment('linkerd/linkerd-identity', {
        ...{
          image: identity,
          ...serves(8080, { volumeMounts: [{ name: 'issuer', mountPath: '/var/run/linkerd/identity/issuer' }] }),
        },
        pod: { volumes: [{ name: 'issuer', secret: { secretName: 'linkerd-identity-issuer' } }] },
      });
      cluster.service('linkerd/linkerd-identity', onPort(8080));
      const telescope = cluster.deployment('observatory/telescope', {
        replicas: 2,
        image: 'registry.example/observatory/telescope:4.0',
      });
      cluster.at('15s', () =>
        cluster.befall(identity, {
          exit: { afterSeconds: 2, code: 1 },
          log: [
            'time="2026-08-19T22:10:04Z" level=info msg="running version edge-25.1.1"',
            'time="2026-08-19T22:10:05Z" level=fatal msg="Failed to initialize identity service: failed to read CA from disk: failed to verify issuer credentials for \'identity.linkerd.cluster.local\' with trust anchors: x509: certificate has expired or is not yet valid: current time 2026-08-19T22:10:05Z is after 2026-08-19T21:59:37Z"',
          ],
        }),
      );
      cluster.at('50s', () => {
        cluster.image('registry.example/observatory/telescope:4.1', {
          readyAfterSeconds: 'never',
          log: [
            '[     0.004118s]  INFO ThreadId(01) linkerd2_proxy: release 2.275.0',
            '[    15.011204s]  WARN ThreadId(01) linkerd_app: Waiting for identity to be initialized...',
            '[    15.120011s]  WARN ThreadId(02) identity:controller{addr=linkerd-identity-headless.linkerd.svc.cluster.local:8080}: linkerd_reconnect: Failed to connect error=Connection refused (os error 111)',
          ],
        });
        telescope.setImage('registry.example/observatory/telescope:4.1');
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Secret/linkerd/linkerd-identity-issuer',
        accepts: ['Deployment/linkerd/linkerd-identity'],
        mustNotBlame: ['Deployment/observatory/telescope'],
      });
    },
  ),
  'registry-answers-503-when-two-teams-scale': scenario(
    'A public registry answers 503 while two teams scale up what has been running for days; somebody edits a ConfigMap of one of them meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const refused = (path: string): { readonly pullError: string } => ({
        pullError: `failed to pull and unpack image "quay.io/${path}": failed to resolve reference "quay.io/${path}": unexpected status from HEAD request to https://quay.io/v2/${path.replace(':', '/manifests/')}: 503 Service Unavailable`,
      });
      const seeds = cluster.deployment('seedbank/germination', {
        replicas: 2,
        image: 'quay.io/seedbank/germination:1.4',
      });
      const skis = cluster.deployment('skirental/boots', { replicas: 2, image: 'quay.io/skirental/boots:7.0' });
      const prices = cluster.configMap('skirental/boot-prices', { adult: '22' });
      cluster.at('10s', () => {
        cluster.image('quay.io/seedbank/germination:1.4', refused('seedbank/germination:1.4'));
        cluster.image('quay.io/skirental/boots:7.0', refused('skirental/boots:7.0'));
      });
      cluster.at('12s', () => prices.edit({ adult: '24' }));
      cluster.at('15s', () => seeds.scale(5));
      cluster.at('30s', () => skis.scale(4));
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Registry//quay.io',
        mustNotBlame: [
          'ConfigMap/skirental/boot-prices',
          'Deployment/seedbank/germination',
          'Deployment/skirental/boots',
        ],
      });
    },
  ),
  'vet-service-sends-to-a-port-where-nobody-listens': scenario(
    'The target port of a Service is edited to one where nobody listens; the caller was rolled out two minutes before and is not to blame',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('vetclinic/vaccinations', {
        ...{ replicas: 2, image: 'registry.example/vetclinic/vaccinations:2.0' },
        container: { ports: [{ name: 'http', containerPort: 8080 }] },
      });
      const service = cluster.service('vetclinic/vaccinations');
      const reminders = cluster.deployment('vetclinic/reminders', {
        ...{
          replicas: 2,
          image: 'registry.example/vetclinic/reminders:1.6',
          values: { VACCINATIONS_URL: 'http://vaccinations.vetclinic.svc' },
        },
      });
      cluster.at('10s', () => reminders.setImage('registry.example/vetclinic/reminders:1.7'));
      cluster.at('2m', () =>
        service.patch({ spec: { ports: [{ name: 'http', port: 80, targetPort: 8081, protocol: 'TCP' }] } }),
      );
      cluster.at('2m8s', () =>
        cluster.befall('registry.example/vetclinic/reminders:1.7', {
          exit: { afterSeconds: 3, code: 1 },
          log: [
            'time="2026-05-30T06:00:03Z" level=info msg="reminders 1.7"',
            'time="2026-05-30T06:00:03Z" level=fatal msg="cannot list due vaccinations" error="Get \\"http://vaccinations.vetclinic.svc/due\\": dial tcp 10.96.120.14:80: connect: connection refused"',
          ],
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Service/vetclinic/vaccinations',
        beginsAfterSeconds: 120,
        mustNotBlame: ['Deployment/vetclinic/vaccinations', 'Deployment/vetclinic/reminders'],
      });
    },
  ),
  'policy-engine-out-of-memory-and-no-job-may-start': scenario(
    'A policy engine is given too little memory and is killed again and again; its webhook fails closed, so that a nightly Job of the postal service is refused',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.example/kyverno/kyverno:v1.13.2';
      const engine = cluster.deployment('policy-engine/admission', { replicas: 2, image, memory: '384Mi' });
      cluster.service('policy-engine/admission', {
        ports: [{ name: 'https', port: 443, targetPort: 9443, protocol: 'TCP' }],
      });
      cluster.object(
        webhook(
          'policy-engine',
          { namespace: 'policy-engine', name: 'admission' },
          { about: 'pods', namespace: 'postroom' },
        ),
      );
      cluster.object({
        ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { namespace: 'postroom', name: 'franking' } },
        spec: {
          ...{ schedule: '0 3 31 12 *', concurrencyPolicy: 'Forbid' },
          jobTemplate: {
            spec: {
              template: {
                spec: {
                  restartPolicy: 'Never',
                  containers: [{ name: 'franking', image: 'registry.example/postroom/franking:1' }],
                },
              },
            },
          },
        },
      });
      cluster.at('15s', () => {
        cluster.image(image, {
          exit: { afterSeconds: 6, code: 137, oom: true },
          log: [
            'I0101 03:00:01.000112       1 controller.go:42] "starting" logger="setup" version="v1.13.2"',
            'I0101 03:00:03.418900       1 cache.go:118] "warming policy cache" logger="policycache" policies=412',
          ],
        });
        engine.change({ memory: '64Mi' });
      });
      cluster.at('17s', () =>
        cluster.befall(image, {
          exit: { afterSeconds: 6, code: 137, oom: true },
          log: ['I0101 03:00:03.418900       1 cache.go:118] "warming policy cache" logger="policycache" policies=412'],
        }),
      );
      for (const when of ['1m', '1m20s', '2m'])
        cluster.at(when, () =>
          cluster.event({
            ...{ about: 'CronJob/postroom/franking', reason: 'FailedCreate', by: 'cronjob-controller' },
            message:
              'Error creating job: Internal error occurred: failed calling webhook "pods.policy-engine": failed to call webhook: Post "https://admission.policy-engine.svc:443/validate?timeout=2s": no endpoints available for service "admission"',
          }),
        );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/policy-engine/admission',
        reason: 'OOMKilled',
        mustNotBlame: ['CronJob/postroom/franking'],
      });
    },
  ),
  'ballot-database-starved-and-a-leaflet-map-deleted': scenario(
    'The memory of a ballot database is cut too far, and its clients are refused; elsewhere a ConfigMap is deleted that leaflets need at their next start',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.example/mysql:8.4';
      const database = cluster.statefulSet('ballot/ballot-mysql', { image, memory: '1Gi', ...serves(3306) });
      cluster.service('ballot/ballot-mysql', onPort(3306));
      cluster.deployment('ballot/tally', {
        ...{
          replicas: 2,
          image: 'registry.example/ballot/tally:1.1',
          values: { MYSQL_HOST: 'ballot-mysql.ballot.svc', MYSQL_PORT: '3306' },
        },
      });
      const map = cluster.configMap('leaflets/street-map', { district: 'north' });
      const leaflets = cluster.deployment('leaflets/printer', {
        ...{
          replicas: 2,
          image: 'registry.example/leaflets/printer:5.0',
          env: { DISTRICT: 'configmap/street-map/district' },
        },
      });
      cluster.at('15s', () => {
        cluster.image(image, {
          exit: { afterSeconds: 5, code: 137, oom: true },
          log: [
            '2026-11-03T07:00:01.221104Z 0 [System] [MY-010116] [Server] /usr/sbin/mysqld (mysqld 8.4.3) starting as process 1',
            '2026-11-03T07:00:01.401880Z 1 [System] [MY-013576] [InnoDB] InnoDB initialization has started.',
          ],
        });
        database.change({ memory: '128Mi' });
      });
      cluster.at('30s', () =>
        cluster.befall('registry.example/ballot/tally:1.1', {
          exit: { afterSeconds: 4, code: 1 },
          log: [
            'Error: connect ECONNREFUSED 10.96.200.9:3306',
            '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1610:16) {',
            "  errno: -111, code: 'ECONNREFUSED', syscall: 'connect', fatal: true",
          ],
        }),
      );
      cluster.at('50s', () => map.delete());
      cluster.at('1m', () => leaflets.restart());
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'StatefulSet/ballot/ballot-mysql',
        reason: 'OOMKilled',
        mustNotBlame: ['Deployment/ballot/tally', 'ConfigMap/leaflets/street-map'],
      });
      cluster.expectIncident({
        root: 'ConfigMap/leaflets/street-map',
        accepts: ['Deployment/leaflets/printer'],
        mustNotBlame: ['StatefulSet/ballot/ballot-mysql'],
      });
    },
  ),
  'tide-gauge-database-one-major-version-too-far': scenario(
    'A database is set to an image of the next major version without a migration and does not open its files; an edit of the settings of its client was innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(volume('pv-tides', 'block'));
      cluster.object(claim('tidegauge/tides-data', 'block', { volumeName: 'pv-tides' }));
      const database = cluster.statefulSet('tidegauge/tides-pg', {
        image: 'registry.example/postgres:16.6',
        ...serves(5432, { volumeMounts: [{ name: 'data', mountPath: '/var/lib/postgresql/data' }] }),
        pod: mounts('tides-data'),
      });
      cluster.service('tidegauge/tides-pg', onPort(5432));
      const settings = cluster.configMap('tidegauge/forecast-settings', { HORIZON: '48h' });
      cluster.deployment('tidegauge/forecast', {
        ...{ replicas: 2, image: 'registry.example/tidegauge/forecast:1.0', envFrom: ['forecast-settings'] },
        values: { DATABASE_URL: 'postgres://tides@tides-pg.tidegauge.svc:5432/tides' },
      });
      cluster.image('registry.example/postgres:17.2', {
        exit: { afterSeconds: 1, code: 1 },
        log: [
          'PostgreSQL Database directory appears to contain a database; Skipping initialization',
          '2026-02-11 03:30:08.441 UTC [1] FATAL:  database files are incompatible with server',
          '2026-02-11 03:30:08.441 UTC [1] DETAIL:  The data directory was initialized by PostgreSQL version 16, which is not compatible with this version 17.2 (Debian 17.2-1.pgdg120+1).',
        ],
      });
      cluster.at('10s', () => settings.edit({ HORIZON: '72h' }));
      cluster.at('20s', () => database.setImage('registry.example/postgres:17.2'));
      cluster.at('35s', () =>
        cluster.befall('registry.example/tidegauge/forecast:1.0', {
          exit: { afterSeconds: 5, code: 1 },
          log: [
            'sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) connection to server at "tides-pg.tidegauge.svc" (10.96.15.6), port 5432 failed: Connection refused',
            '\tIs the server running on that host and accepting TCP/IP connections?',
          ],
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'StatefulSet/tidegauge/tides-pg',
        mustNotBlame: [
          'ConfigMap/tidegauge/forecast-settings',
          'Deployment/tidegauge/forecast',
          'PersistentVolumeClaim/tidegauge/tides-data',
        ],
      });
    },
  ),
  'windmill-machines-replaced-one-by-one': scenario(
    'The machines of a wind farm are replaced: new ones join, old ones are drained and taken away',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['mill-a1', 'mill-a2']);
      cluster.deployment('windfarm/turbines', { replicas: 3, image: 'registry.example/windfarm/turbines:9.0' });
      cluster.service('windfarm/turbines');
      cluster.daemonSet('windfarm/anemometer', { image: 'registry.example/windfarm/anemometer:1.0' });
      cluster.at('5s', () => cluster.addNode({ name: 'mill-b1' }));
      cluster.at('30s', () => cluster.node('mill-a1').drain());
      cluster.at('1m10s', () => cluster.node('mill-a1').remove());
      cluster.at('1m30s', () => cluster.addNode({ name: 'mill-b2' }));
      cluster.at('2m', () => cluster.node('mill-a2').drain());
      cluster.at('2m50s', () => cluster.node('mill-a2').remove());
      cluster.lasts('6m');
    },
  ),
  'puppet-theatre-waits-for-its-database': scenario(
    'A puppet theatre is installed: its web Pods wait in an init container until the database has come up, and say so every few seconds',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/wait-for:1.0', {
        exit: { afterSeconds: 45, code: 0 },
        log: [
          'waiting for puppets-db.puppets.svc:3306 ...',
          'nc: connect to puppets-db.puppets.svc (10.96.3.3) port 3306 (tcp) failed: Connection refused',
          'puppets-db.puppets.svc:3306 is there',
        ],
      });
      cluster.image('registry.example/puppets-mariadb:11', { pullSeconds: 15, readyAfterSeconds: 20 });
      cluster.at('10s', () => {
        cluster.statefulSet('puppets/puppets-db', { image: 'registry.example/puppets-mariadb:11', ...serves(3306) });
        cluster.service('puppets/puppets-db', onPort(3306));
        cluster.deployment('puppets/web', {
          ...{ replicas: 2, image: 'registry.example/puppets/web:1.0', init: 'registry.example/wait-for:1.0' },
          values: { DB_HOST: 'puppets-db.puppets.svc' },
        });
        cluster.service('puppets/web');
      });
      cluster.lasts('4m');
    },
  ),
  'ice-rink-workers-fall-once-while-their-queue-restarts': scenario(
    'A queue is restarted for an upgrade; its workers lose the connection, end once and are back within seconds',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const queue = cluster.statefulSet('icerink/rink-rabbit', {
        image: 'registry.example/rabbitmq:4.0.4',
        ...serves(5672),
      });
      cluster.service('icerink/rink-rabbit', onPort(5672));
      cluster.deployment('icerink/resurfacer', {
        ...{
          replicas: 2,
          image: 'registry.example/icerink/resurfacer:1.0',
          values: { AMQP_URL: 'amqp://rink-rabbit.icerink.svc:5672' },
        },
      });
      cluster.image('registry.example/rabbitmq:4.0.5', { readyAfterSeconds: 8 });
      cluster.at('15s', () => queue.setImage('registry.example/rabbitmq:4.0.5'));
      cluster.at('17s', () =>
        cluster.befall('registry.example/icerink/resurfacer:1.0', {
          ...{ exit: { afterSeconds: 1, code: 1 }, exits: 1 },
          log: [
            'pika.exceptions.ConnectionClosedByBroker: (320, "CONNECTION_FORCED - broker forced connection closure with reason \'shutdown\'")',
          ],
        }),
      );
      cluster.lasts('5m');
    },
  ),
} as const;
