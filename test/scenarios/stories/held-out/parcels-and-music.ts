import { scenario } from '../../kit/scenario.ts';
import {
  claim,
  crash,
  definition,
  listens,
  mounts,
  networkPolicy,
  serves,
  storageClass,
  volume,
} from '../../kit/things.ts';

export const stories = {
  'playlists-cannot-reach-their-database-behind-a-new-fence': scenario(
    'A network policy lets only the exporter reach the database of the playlists; the recommender is rolled out in the same minute',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const playlists = 'registry.music.example/playlist-api:21.4';
      cluster.statefulSet('listening/playlist-db', { image: 'postgres:16.4', ...listens(5432) });
      cluster.service('listening/playlist-db', serves('postgres', 5432));
      cluster.deployment('listening/playlist-api', {
        replicas: 3,
        image: playlists,
        values: { DB_DSN: 'postgres://playlists@playlist-db.listening.svc:5432/playlists' },
      });
      cluster.service('listening/playlist-api');
      const recommender = cluster.deployment('listening/recommender', {
        replicas: 2,
        image: 'registry.music.example/recommender:8.8',
      });
      cluster.at('10s', () => recommender.setImage('registry.music.example/recommender:8.9'));
      cluster.at('30s', () =>
        cluster.object(
          networkPolicy('listening/playlist-db', {
            ingress: [
              {
                from: [{ podSelector: { matchLabels: { app: 'postgres-exporter' } } }],
                ports: [{ protocol: 'TCP', port: 5432 }],
              },
            ],
          }),
        ),
      );
      cluster.at('50s', () =>
        cluster.befall(
          playlists,
          crash(
            [
              '{"level":"info","msg":"playlist-api 21.4 starting"}',
              '{"level":"error","msg":"ping database","error":"failed to connect to `host=playlist-db.listening.svc user=playlists database=playlists`: dial error (dial tcp 10.96.71.3:5432: i/o timeout)"}',
              '{"level":"fatal","msg":"database is not reachable"}',
            ],
            6,
          ),
        ),
      );
      cluster.lasts('180s');
      cluster.expectIncident({
        root: 'NetworkPolicy/listening/playlist-db',
        mustNotBlame: ['Deployment/listening/recommender', 'StatefulSet/listening/playlist-db'],
      });
    },
  ),

  'royalty-desk-finds-no-identity-provider-after-its-upgrade': scenario(
    'The identity provider does not start after an upgrade because a setting has got another name; who signs in with it fails, too, and had been rolled out before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const next = 'quay.io/keycloak/keycloak:26.0.5';
      const desk = 'quay.io/oauth2-proxy/oauth2-proxy:v7.6.0';
      const keycloak = cluster.statefulSet('identity/keycloak', {
        image: 'quay.io/keycloak/keycloak:25.0.6',
        values: {
          KC_HOSTNAME_URL: 'https://id.music.example',
          KC_HOSTNAME_ADMIN_URL: 'https://id-admin.music.example',
        },
        ...listens(8080),
      });
      cluster.service('identity/keycloak', serves('http', 8080));
      const proxy = cluster.deployment('royalties/desk-proxy', {
        replicas: 2,
        image: 'quay.io/oauth2-proxy/oauth2-proxy:v7.5.1',
        values: { OAUTH2_PROXY_OIDC_ISSUER_URL: 'http://keycloak.identity.svc:8080/realms/royalties' },
      });
      cluster.service('royalties/desk-proxy');
      cluster.at('5s', () => proxy.setImage(desk));
      cluster.image(
        next,
        crash(
          [
            '2026-11-29 07:02:44,870 INFO  [org.keycloak.quarkus.runtime.hostname.DefaultHostnameProvider] (main) Hostname settings: Base URL: <unset>, Hostname: <request>, Strict HTTPS: true',
            '2026-11-29 07:02:45,901 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) ERROR: Failed to start server in (production) mode',
            '2026-11-29 07:02:45,901 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) ERROR: hostname is not configured; either configure hostname, or set hostname-strict to false',
          ],
          7,
        ),
      );
      cluster.at('60s', () => keycloak.setImage(next));
      cluster.at('75s', () =>
        cluster.befall(
          desk,
          crash([
            '[2026/11/29 07:03:02] [provider.go:55] Performing OIDC Discovery...',
            '[2026/11/29 07:03:02] [main.go:59] ERROR: Failed to initialise OAuth2 Proxy: error initialising provider: could not create provider data: error building OIDC ProviderVerifier: could not get verifier builder: error while discovery OIDC configuration: failed to discover OIDC configuration: error performing request: Get "http://keycloak.identity.svc:8080/realms/royalties/.well-known/openid-configuration": dial tcp 10.96.52.7:8080: connect: connection refused',
          ]),
        ),
      );
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'StatefulSet/identity/keycloak',
        messages: { update: '≤1' },
        mustNotBlame: ['Deployment/royalties/desk-proxy'],
      });
    },
  ),

  'parcel-sorter-asks-for-a-kind-of-disk-that-is-not-sold-here': scenario(
    'A new store of the sorter names a storage class that this cluster does not have',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(storageClass('standard-ssd'));
      cluster.deployment('parcel-sorting/lane-control', {
        replicas: 2,
        image: 'registry.parcel.example/sorting/lane-control:3.0',
      });
      cluster.at('10s', () => {
        cluster.statefulSet('parcel-sorting/scan-store', {
          image: 'registry.parcel.example/sorting/scan-store:1.0',
          ...listens(9042),
          spec: {
            volumeClaimTemplates: [
              {
                metadata: { name: 'scans' },
                spec: {
                  ...{ storageClassName: 'nvme-retain', accessModes: ['ReadWriteOnce'] },
                  resources: { requests: { storage: '1Gi' } },
                },
              },
            ],
          },
        });
        cluster.service('parcel-sorting/scan-store', { clusterIP: 'None', ports: [{ name: 'cql', port: 9042 }] });
      });
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'StorageClass//nvme-retain',
        accepts: ['PersistentVolumeClaim/parcel-sorting/scans-scan-store-0', 'StatefulSet/parcel-sorting/scan-store'],
        mustNotBlame: ['Deployment/parcel-sorting/lane-control'],
      });
    },
  ),

  'warehouse-robots-wait-for-a-driver-that-crashes-on-every-machine': scenario(
    'The node part of the storage driver crashes after an upgrade; what is rolled out later gets no volume mounted',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const plugin = 'public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.33.0';
      const robots = 'registry.parcel.example/warehouse/robot-map:6.6';
      const driver = cluster.daemonSet('kube-system/ebs-csi-node', {
        image: 'public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.32.0',
        labels: { 'app.kubernetes.io/name': 'aws-ebs-csi-driver' },
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } },
      });
      cluster.object(storageClass('gp3', { provisioner: 'ebs.csi.aws.com' }));
      cluster.object(
        volume('pvc-0c2a7a9e-robot-map', 'gp3', { csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-0f1a' } }),
      );
      cluster.object(claim('warehouse/robot-map', 'gp3'));
      const map = cluster.deployment('warehouse/robot-map', {
        image: 'registry.parcel.example/warehouse/robot-map:6.5',
        pod: mounts('robot-map'),
        container: { volumeMounts: [{ name: 'data', mountPath: '/maps' }] },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.image(
        plugin,
        crash(
          [
            'I1129 04:11:20.008141       1 main.go:157] "Initializing metadata"',
            'I1129 04:11:20.010042       1 metadata.go:48] "Retrieving EC2 instance identity metadata" regionFromSession=""',
            'E1129 04:11:25.019984       1 main.go:163] "Failed to initialize metadata when it is required" err="IMDS metadata and Kubernetes metadata are both unavailable"',
          ],
          5,
        ),
      );
      cluster.image(robots, {
        heldUp: {
          reason: 'FailedMount',
          message:
            'MountVolume.MountDevice failed for volume "pvc-0c2a7a9e-robot-map" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ebs.csi.aws.com not found in the list of registered CSI drivers',
        },
      });
      cluster.at('10s', () => driver.setImage(plugin));
      cluster.at('60s', () => map.setImage(robots));
      cluster.lasts('220s');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/ebs-csi-node',
        messages: { update: '≤1' },
        mustNotBlame: ['Deployment/warehouse/robot-map', 'PersistentVolumeClaim/warehouse/robot-map'],
      });
    },
  ),

  'fleet-map-route-names-a-service-of-another-spelling': scenario(
    'A route of the gateway is edited and names a Service that is not there; the Pods behind it are well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const group = 'gateway.networking.k8s.io';
      cluster.object(definition(group, 'v1', 'HTTPRoute'));
      cluster.deployment('fleet/fleet-map', { replicas: 2, image: 'registry.parcel.example/fleet/map:4.1' });
      cluster.service('fleet/fleet-map');
      const rules = (name: string) => [
        { matches: [{ path: { type: 'PathPrefix', value: '/' } }], backendRefs: [{ name, port: 80 }] },
      ];
      const parentRef = { group, kind: 'Gateway', namespace: 'edge', name: 'public' };
      const parents = (resolved: object, observedGeneration = 1) => ({
        parents: [
          {
            ...{ parentRef, controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
            conditions: [
              {
                ...{ type: 'Accepted', status: 'True', reason: 'Accepted', message: 'Route is accepted' },
                ...{ lastTransitionTime: '2026-10-01T08:00:00Z', observedGeneration },
              },
              { type: 'ResolvedRefs', observedGeneration, ...resolved },
            ],
          },
        ],
      });
      const route = cluster.object({
        ...{ apiVersion: `${group}/v1`, kind: 'HTTPRoute', metadata: { name: 'fleet-map', namespace: 'fleet' } },
        spec: { parentRefs: [parentRef], hostnames: ['fleet.parcel.example'], rules: rules('fleet-map') },
      });
      route.status(
        parents({
          ...{ status: 'True', reason: 'ResolvedRefs', lastTransitionTime: '2026-10-01T08:00:00Z' },
          message: 'Resolved all the Object references for the Route',
        }),
      );
      cluster.at('10s', () => route.patch({ spec: { rules: rules('fleetmap') } }));
      cluster.at('12s', () =>
        route.status(
          parents(
            {
              ...{ status: 'False', reason: 'BackendNotFound', lastTransitionTime: 'now' },
              message: 'Failed to process route rule 0 backendRef 0: service fleet/fleetmap not found.',
            },
            2,
          ),
        ),
      );
      cluster.lasts('120s');
      cluster.expectIncident({
        root: 'HTTPRoute.gateway.networking.k8s.io/fleet/fleet-map',
        accepts: ['HTTPRoute/fleet/fleet-map', 'Service/fleet/fleetmap'],
        beginsAfterSeconds: 10,
        mustNotBlame: ['Deployment/fleet/fleet-map', 'Service/fleet/fleet-map'],
      });
    },
  ),

  'album-covers-run-out-of-memory-while-labels-are-printed-by-nobody': scenario(
    'Two teams have a bad quarter of an hour: covers are resized with more threads than fit, and the printers of another namespace miss a settings object',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const resizer = 'registry.music.example/covers/resizer:2.5';
      const covers = cluster.deployment('covers/resizer', {
        replicas: 3,
        image: 'registry.music.example/covers/resizer:2.4',
        memory: '512Mi',
        values: { VIPS_CONCURRENCY: '2' },
      });
      cluster.configMap('label-print/zpl-templates', { 'parcel.zpl': '^XA^FO50,50^FDparcel^FS^XZ' });
      const printer = cluster.deployment('label-print/printer', {
        replicas: 2,
        image: 'registry.parcel.example/labels/printer:7.0',
        envFrom: ['zpl-templates'],
      });
      cluster.image(resizer, {
        log: [
          'resizer 2.5, vips 8.15.2, concurrency 16',
          'GET /covers/8812/original.tif 412 MB',
          'resize 3000x3000 -> 640x640',
        ],
        exit: { afterSeconds: 8, code: 137, oom: true },
      });
      cluster.at('10s', () => covers.change({ image: resizer, memory: '512Mi', values: { VIPS_CONCURRENCY: '16' } }));
      cluster.at('40s', () => printer.change({ envFrom: ['zpl-templates-v2'] }));
      cluster.lasts('190s');
      cluster.expectIncident({
        root: 'Deployment/covers/resizer',
        reason: 'OOMKilled',
        mustNotBlame: ['Deployment/label-print/printer'],
      });
      cluster.expectIncident({
        root: 'Deployment/label-print/printer',
        accepts: ['ConfigMap/label-print/zpl-templates-v2'],
        mustNotBlame: ['Deployment/covers/resizer', 'ConfigMap/label-print/zpl-templates'],
      });
    },
  ),

  'delivery-estimates-wait-for-a-secret-whose-store-cannot-sign-in': scenario(
    'The store that Secrets are fetched from refuses the sign-in; a new service waits for a Secret that is therefore never made',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const group = 'external-secrets.io';
      cluster.object(definition(group, 'v1', 'SecretStore'));
      cluster.object(definition(group, 'v1', 'ExternalSecret'));
      const store = cluster.object({
        ...{ apiVersion: `${group}/v1`, kind: 'SecretStore', metadata: { name: 'vault-kv', namespace: 'delivery' } },
        spec: {
          provider: {
            vault: {
              ...{ server: 'https://vault.parcel.example:8200', path: 'kv', version: 'v2' },
              auth: { kubernetes: { mountPath: 'kubernetes', role: 'delivery' } },
            },
          },
        },
      });
      const stamp = { lastTransitionTime: 'now' };
      store.status({
        conditions: [
          {
            ...{ type: 'Ready', status: 'True', reason: 'Valid', message: 'store validated' },
            lastTransitionTime: '2026-09-12T08:00:00Z',
          },
        ],
      });
      const wanted = cluster.planned({
        ...{ apiVersion: `${group}/v1`, kind: 'ExternalSecret', metadata: { name: 'eta-db', namespace: 'delivery' } },
        spec: {
          ...{ refreshInterval: '1h', secretStoreRef: { kind: 'SecretStore', name: 'vault-kv' } },
          target: { name: 'eta-db', creationPolicy: 'Owner' },
          data: [{ secretKey: 'password', remoteRef: { key: 'delivery/eta-db', property: 'password' } }],
        },
      });
      cluster.at('10s', () =>
        store.status({
          conditions: [
            {
              ...{ type: 'Ready', status: 'False', reason: 'InvalidProviderConfig', ...stamp },
              message:
                'unable to log in to auth method: unable to log in with Kubernetes auth: Error making API request. URL: PUT https://vault.parcel.example:8200/v1/auth/kubernetes/login Code: 403. Errors: * permission denied',
            },
          ],
        }),
      );
      cluster.at('30s', () => {
        wanted.create();
        cluster.deployment('delivery/eta', {
          replicas: 2,
          image: 'registry.parcel.example/delivery/eta:1.0',
          env: { DB_PASSWORD: 'secret/eta-db/password' },
        });
      });
      cluster.at('32s', () =>
        wanted.status({
          conditions: [
            {
              ...{ type: 'Ready', status: 'False', reason: 'SecretSyncedError', ...stamp },
              message: 'could not get secret data from provider: SecretStore "vault-kv" is not ready',
            },
          ],
        }),
      );
      cluster.lasts('160s');
      cluster.expectIncident({
        root: 'SecretStore.external-secrets.io/delivery/vault-kv',
        accepts: ['ExternalSecret.external-secrets.io/delivery/eta-db'],
        messages: { update: '≤1' },
        mustNotBlame: ['Deployment/delivery/eta'],
      });
    },
  ),

  'concert-stream-grows-onto-machines-that-somebody-closed': scenario(
    'Two machines were closed for maintenance and forgotten; when the stream is scaled for the evening, what is left is too small',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['n1', 'n2', 'n3'].map((name) => ({ name, cpu: '8' })));
      const stream = cluster.deployment('concerts/stream-edge', {
        replicas: 2,
        image: 'registry.music.example/concerts/stream-edge:9.9',
        cpu: '3',
      });
      cluster.service('concerts/stream-edge');
      cluster.at('5s', () => {
        cluster.node('n2').cordon();
        cluster.node('n3').cordon();
      });
      cluster.at('90s', () => stream.scale(6));
      cluster.lasts('260s');
      cluster.expectIncident({
        root: 'Node//n2',
        accepts: ['Node//n3', 'Deployment/concerts/stream-edge'],
      });
    },
  ),
};
