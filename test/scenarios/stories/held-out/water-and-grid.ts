import { scenario } from '../../kit/scenario.ts';
import { claim, crash, definition, listens, mounts, serves, storageClass, volume } from '../../kit/things.ts';

const disk = (name: string, storageClassName: string) => ({
  volumeClaimTemplates: [
    {
      metadata: { name },
      spec: {
        ...{ storageClassName, accessModes: ['ReadWriteOnce'] },
        resources: { requests: { storage: '1Gi' } },
      },
    },
  ],
});

export const stories = {
  'pump-history-stops-when-its-disk-is-full': scenario(
    'The write-ahead log fills the disk of the historian; the telemetry that is refused had been rolled out just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const db = 'timescale/timescaledb:2.15.2-pg16';
      const telemetry = 'registry.water.example/pumps/telemetry-writer:8.1';
      cluster.object(storageClass('san-gold'));
      cluster.object(volume('pv-historian-0', 'san-gold'));
      cluster.statefulSet('waterworks/historian', {
        image: db,
        container: {
          ports: [{ containerPort: 5432 }],
          volumeMounts: [{ name: 'data', mountPath: '/var/lib/postgresql/data' }],
        },
        spec: disk('data', 'san-gold'),
      });
      cluster.service('waterworks/historian', serves('postgres', 5432));
      const writers = cluster.deployment('waterworks/telemetry-writer', {
        replicas: 2,
        image: 'registry.water.example/pumps/telemetry-writer:8.0',
        values: { PGHOST: 'historian.waterworks.svc', PGPORT: '5432', PGDATABASE: 'pumps' },
      });
      cluster.at('5s', () => writers.setImage(telemetry));
      cluster.at('60s', () => {
        cluster.befall(
          db,
          crash(
            [
              '2026-11-29 11:20:14.301 UTC [1] LOG:  starting PostgreSQL 16.3 on x86_64-pc-linux-musl',
              '2026-11-29 11:20:14.377 UTC [29] LOG:  database system was interrupted; last known up at 2026-11-29 11:19:58 UTC',
              '2026-11-29 11:20:15.120 UTC [29] LOG:  redo starts at 3A/7B0000D8',
              '2026-11-29 11:20:15.988 UTC [29] PANIC:  could not write to file "pg_wal/xlogtemp.29": No space left on device',
              '2026-11-29 11:20:16.004 UTC [1] LOG:  startup process (PID 29) was terminated by signal 6: Aborted',
              '2026-11-29 11:20:16.005 UTC [1] LOG:  aborting startup due to startup process failure',
            ],
            4,
          ),
        );
      });
      cluster.at('66s', () =>
        cluster.befall(
          telemetry,
          crash([
            'telemetry-writer 8.1: 214 pumps configured',
            'psycopg.OperationalError: connection failed: connection to server at "10.96.114.20", port 5432 failed: Connection refused',
            '\tIs the server running on that host and accepting TCP/IP connections?',
          ]),
        ),
      );
      cluster.lasts('190s');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/waterworks/data-historian-0',
        accepts: ['StatefulSet/waterworks/historian'],
        mustNotBlame: ['Deployment/waterworks/telemetry-writer'],
      });
    },
  ),

  'dosing-control-is-killed-while-it-still-calibrates': scenario(
    'The liveness probe of the dosing control is made strict; calibration takes longer than it allows',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.water.example/dosing/control:3.3.0';
      const probe = (initialDelaySeconds: number) => ({
        livenessProbe: {
          ...{ httpGet: { path: '/livez', port: 8080 }, initialDelaySeconds, periodSeconds: 5 },
          ...{ timeoutSeconds: 1, failureThreshold: 3 },
        },
      });
      const control = cluster.deployment('dosing/control', { replicas: 2, image, container: probe(90) });
      cluster.service('dosing/control');
      cluster.at('15s', () => {
        cluster.image(image, {
          readyAfterSeconds: 75,
          livenessFails: {
            afterSeconds: 20,
            says: 'Get "http://10.244.2.19:8080/livez": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
          },
          log: [
            'dosing control 3.3.0',
            'calibrating chlorine probe 1 of 6 (about 12 s each)',
            'calibrating chlorine probe 2 of 6',
          ],
        });
        control.change({ container: probe(5) });
      });
      cluster.lasts('240s');
      cluster.expectIncident({ root: 'Deployment/dosing/control' });
    },
  ),

  'meter-archive-cannot-follow-its-disk-from-a-dead-machine': scenario(
    'A machine loses its power; what ran on it is started elsewhere, but its disk is still held by the dead machine',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.grid.example/meters/archive:2.0';
      let first: string | undefined;
      cluster.object(storageClass('block-ssd'));
      cluster.object(volume('pvc-77c0f4ce-archive', 'block-ssd'));
      cluster.object(claim('metering/archive', 'block-ssd'));
      cluster.image(image, ({ spec }) => {
        first ??= spec.nodeName;
        return spec.nodeName === first
          ? {}
          : {
              heldUp: {
                reason: 'FailedAttachVolume',
                message:
                  'Multi-Attach error for volume "pvc-77c0f4ce-archive" Volume is already exclusively attached to one node and can\'t be attached to another',
              },
            };
      });
      cluster.deployment('metering/archive', {
        image,
        pod: mounts('archive'),
        container: { volumeMounts: [{ name: 'data', mountPath: '/archive' }] },
      });
      cluster.deployment('metering/reading-api', {
        replicas: 2,
        image: 'registry.grid.example/meters/reading-api:5.2',
      });
      cluster.at('10s', () => cluster.node('n1').losePower());
      cluster.lasts('480s');
      cluster.expectIncident({
        root: 'Node//n1',
        messages: { update: '≤1' },
        mustNotBlame: ['Deployment/metering/reading-api'],
      });
    },
  ),

  'tariff-run-grows-into-a-quota': scenario(
    'More workers are asked for at the end of the month than the quota of the namespace has room for; a rollout next to it goes well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.quota('billing-grid/team-billing', { 'requests.cpu': '4', pods: '20' });
      const workers = cluster.deployment('billing-grid/tariff-worker', {
        replicas: 3,
        image: 'registry.grid.example/billing/tariff-worker:6.1',
        cpu: '1',
      });
      const api = cluster.deployment('billing-grid/invoice-api', {
        replicas: 2,
        image: 'registry.grid.example/billing/invoice-api:2.8',
        cpu: '250m',
        spec: { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      });
      cluster.at('10s', () => api.setImage('registry.grid.example/billing/invoice-api:2.9'));
      cluster.at('40s', () => workers.scale(8));
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'ResourceQuota/billing-grid/team-billing',
        accepts: ['Deployment/billing-grid/tariff-worker'],
        mustNotBlame: ['Deployment/billing-grid/invoice-api'],
      });
    },
  ),

  'substation-gateway-is-asked-at-a-port-nobody-listens-on': scenario(
    'A Service is edited to another target port; the gateway behind it was rolled out a minute before and listens where it always has',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const poller = 'registry.grid.example/substation/poller:1.30';
      const gateway = cluster.deployment('substation/modbus-gateway', {
        replicas: 2,
        image: 'registry.grid.example/substation/modbus-gateway:4.0',
        ...listens(8502),
      });
      const service = cluster.service('substation/modbus-gateway', serves('modbus', 8502));
      cluster.deployment('substation/poller', {
        replicas: 2,
        image: poller,
        values: { GATEWAY: 'modbus-gateway.substation.svc:8502' },
      });
      cluster.at('10s', () => gateway.setImage('registry.grid.example/substation/modbus-gateway:4.1'));
      cluster.at('70s', () => service.patch({ spec: { ports: [{ name: 'modbus', port: 8502, targetPort: 9502 }] } }));
      cluster.at('75s', () =>
        cluster.befall(
          poller,
          crash([
            'poller 1.30: 38 registers, every 2s',
            'ERROR dial tcp 10.96.88.14:8502: connect: connection refused (modbus-gateway.substation.svc:8502)',
            'ERROR no reading for 10s, exiting',
          ]),
        ),
      );
      cluster.lasts('190s');
      cluster.expectIncident({
        root: 'Service/substation/modbus-gateway',
        mustNotBlame: ['Deployment/substation/modbus-gateway', 'Deployment/substation/poller'],
      });
    },
  ),

  'forecast-release-asks-for-a-chart-that-is-not-published': scenario(
    'A release is moved to a chart version that the repository does not have; everything that runs goes on',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(definition('helm.toolkit.fluxcd.io', 'v2', 'HelmRelease'));
      cluster.deployment('forecasting/load-forecast', {
        replicas: 2,
        image: 'registry.grid.example/forecast/load:3.8.2',
        labels: { 'helm.toolkit.fluxcd.io/name': 'load-forecast' },
      });
      const chart = (version: string) => ({
        chart: {
          spec: { chart: 'load-forecast', version, sourceRef: { kind: 'HelmRepository', name: 'grid-charts' } },
        },
        interval: '5m',
      });
      const release = cluster.object({
        ...{ apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease' },
        metadata: { name: 'load-forecast', namespace: 'forecasting' },
        spec: chart('3.8.2'),
      });
      release.status({
        conditions: [
          {
            ...{
              type: 'Ready',
              status: 'True',
              reason: 'UpgradeSucceeded',
              lastTransitionTime: '2026-11-02T06:00:00Z',
            },
            message: 'Helm upgrade succeeded for release forecasting/load-forecast.v14 with chart load-forecast@3.8.2',
          },
        ],
      });
      cluster.at('10s', () => release.patch({ spec: chart('3.9.0') }));
      cluster.at('25s', () =>
        release.status({
          conditions: [
            {
              ...{ type: 'Ready', status: 'False', reason: 'ArtifactFailed', lastTransitionTime: 'now' },
              message:
                "HelmChart 'flux-system/forecasting-load-forecast' is not ready: invalid chart reference: failed to get chart version for remote reference: no 'load-forecast' chart with version matching '3.9.0' found",
            },
          ],
        }),
      );
      cluster.lasts('120s');
      cluster.expectIncident({
        root: 'HelmRelease.helm.toolkit.fluxcd.io/forecasting/load-forecast',
        beginsAfterSeconds: 25,
        mustNotBlame: ['Deployment/forecasting/load-forecast'],
      });
    },
  ),

  'gateway-routes-cannot-be-written-into-a-store-over-its-quota': scenario(
    'The key-value store of the gateway has reached its space quota and only reads; a route was added half a minute before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const etcd = 'bitnami/etcd:3.5.14';
      const controller = 'apache/apisix-ingress-controller:1.8.2';
      const routes = cluster.configMap('water-edge/static-routes', { 'valve.yaml': 'uri: /valve/*' });
      cluster.statefulSet('water-edge/apisix-etcd', {
        image: etcd,
        container: {
          ports: [{ containerPort: 2379 }],
          env: [{ name: 'ETCD_QUOTA_BACKEND_BYTES', value: '2147483648' }],
        },
      });
      cluster.service('water-edge/apisix-etcd', serves('client', 2379));
      cluster.deployment('water-edge/apisix-ingress-controller', {
        image: controller,
        envFrom: ['static-routes'],
        values: { ETCD_ENDPOINT: 'http://apisix-etcd.water-edge.svc:2379' },
      });
      cluster.at('10s', () => routes.edit({ 'valve.yaml': 'uri: /valve/*', 'sluice.yaml': 'uri: /sluice/*' }));
      cluster.at('45s', () => {
        cluster.befall(etcd, {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 503',
          log: [
            '{"level":"warn","ts":"2026-11-29T13:07:44.120Z","caller":"etcdserver/apply.go:931","msg":"alarm raised","alarm":"NOSPACE","from":"8e9e05c52164694d"}',
            '{"level":"warn","ts":"2026-11-29T13:07:44.121Z","caller":"etcdserver/util.go:170","msg":"apply request took too long","took":"212ms","error":"etcdserver: no space"}',
            '{"level":"warn","ts":"2026-11-29T13:07:50.002Z","caller":"etcdhttp/health.go:114","msg":"serving /health false due to an alarm","alarm":"memberID:10276657743932975437 alarm:NOSPACE "}',
          ],
        });
        cluster.befall(
          controller,
          crash(
            [
              '2026-11-29T13:07:52Z info apisix-ingress-controller 1.8.2 starting, etcd http://apisix-etcd.water-edge.svc:2379',
              '2026-11-29T13:07:53Z error failed to write route 9f2b1c: etcdserver: mvcc: database space exceeded',
              '2026-11-29T13:07:53Z fatal cannot sync caches',
            ],
            4,
          ),
        );
      });
      cluster.lasts('180s');
      cluster.expectIncident({
        root: 'StatefulSet/water-edge/apisix-etcd',
        mustNotBlame: ['ConfigMap/water-edge/static-routes', 'Deployment/water-edge/apisix-ingress-controller'],
      });
    },
  ),

  'valve-scheduler-loses-the-right-to-hold-its-lease': scenario(
    'A tidy Role no longer lets the scheduler update its lease; the image that was rolled out a minute before is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.water.example/valves/scheduler:0.9.4';
      const rules = (verbs: readonly string[]) => [
        { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs },
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
      ];
      cluster.object({
        ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
        metadata: { name: 'scheduler', namespace: 'valves' },
      });
      const role = cluster.object({
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' },
        metadata: { name: 'valve-scheduler', namespace: 'valves' },
        rules: rules(['get', 'create', 'update', 'patch']),
      });
      cluster.object({
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' },
        metadata: { name: 'valve-scheduler', namespace: 'valves' },
        subjects: [{ kind: 'ServiceAccount', name: 'scheduler', namespace: 'valves' }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'valve-scheduler' },
      });
      const scheduler = cluster.deployment('valves/scheduler', {
        replicas: 2,
        image: 'registry.water.example/valves/scheduler:0.9.3',
        pod: { serviceAccountName: 'scheduler' },
      });
      cluster.at('5s', () => scheduler.setImage(image));
      cluster.at('65s', () => role.patch({ rules: rules(['get', 'list', 'watch']) }));
      cluster.at('75s', () =>
        cluster.befall(
          image,
          crash(
            [
              'I1129 09:15:02.114213       1 leaderelection.go:257] attempting to acquire leader lease valves/valve-scheduler...',
              'E1129 09:15:12.201873       1 leaderelection.go:436] error initially creating leader election record: leases.coordination.k8s.io is forbidden: User "system:serviceaccount:valves:scheduler" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "valves"',
              'E1129 09:15:17.009111       1 leaderelection.go:429] Failed to update lock optimistically: leases.coordination.k8s.io "valve-scheduler" is forbidden: User "system:serviceaccount:valves:scheduler" cannot update resource "leases" in API group "coordination.k8s.io" in the namespace "valves"',
              'E1129 09:15:17.010002       1 main.go:88] "leader election lost"',
            ],
            6,
          ),
        ),
      );
      cluster.lasts('180s');
      cluster.expectIncident({
        root: 'Role/valves/valve-scheduler',
        accepts: ['ServiceAccount/valves/scheduler', 'RoleBinding/valves/valve-scheduler'],
        mustNotBlame: ['Deployment/valves/scheduler'],
      });
    },
  ),
};
