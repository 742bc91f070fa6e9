/** Training and serving of models, video, and a shop. */
import { scenario } from '../../kit/scenario.ts';
import { claim, mounts, webhook } from '../../kit/things.ts';

const env = (values: Readonly<Record<string, string>>): object => ({
  env: Object.entries(values).map(([name, value]) => ({ name, value })),
});

/** The definition of a kind that its controllers brought along. */
const definition = (group: string, kind: string, plural: string, version: string, scope = 'Namespaced') => ({
  ...{
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
  },
  spec: {
    ...{ group, scope, names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` } },
    versions: [
      {
        ...{ name: version, served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

export const stories = {
  'training-turned-away-because-the-device-plugin-finds-no-library': scenario(
    'A new version of a device plugin cannot load its library, and a training that asks for its devices is turned away by the kubelet',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([
        { name: 'a100-1', labels: { accel: 'a100' } },
        { name: 'a100-2', labels: { accel: 'a100' } },
        'cpu-1',
      ]);
      const plugin = cluster.daemonSet('accel/nvidia-device-plugin', {
        image: 'registry.lab.example/k8s-device-plugin:v0.16.1',
        nodeSelector: { accel: 'a100' },
      });
      cluster.image('registry.lab.example/k8s-device-plugin:v0.17.0', {
        exit: { afterSeconds: 2, code: 1 },
        log: [
          'I0702 05:12:08.120134       1 main.go:235] "Starting NVIDIA Device Plugin" version="N/A\\ncommit: d475b2cf"',
          'E0702 05:12:08.190411       1 factory.go:112] Incompatible strategy detected auto',
          'E0702 05:12:08.190419       1 factory.go:113] If this is a GPU node, did you configure the NVIDIA Container Toolkit?',
          'E0702 05:12:08.190940       1 main.go:173] error starting plugins: error creating plugin manager: unable to create plugin manager: invalid device discovery strategy',
        ],
      });
      cluster.at('25s', () => plugin.setImage('registry.lab.example/k8s-device-plugin:v0.17.0'));
      cluster.image('registry.lab.example/trainer:3.1', {
        rejected: {
          reason: 'UnexpectedAdmissionError',
          message:
            "Pod was rejected: Allocate failed due to can't allocate unregistered device nvidia.com/gpu, which is unexpected",
        },
      });
      cluster.at('80s', () =>
        cluster.job('sft/finetune-0702', {
          image: 'registry.lab.example/trainer:3.1',
          spec: { backoffLimit: 3 },
          nodeSelector: { accel: 'a100' },
          container: { resources: { requests: { 'nvidia.com/gpu': '4' }, limits: { 'nvidia.com/gpu': '4' } } },
        }),
      );
      cluster.lasts('7m');
      cluster.expectIncident({
        root: 'DaemonSet/accel/nvidia-device-plugin',
        mustNotBlame: ['Job/sft/finetune-0702', 'Node//a100-1', 'Node//a100-2'],
      });
    },
  ),

  'releases-refused-while-the-policy-engine-is-down': scenario(
    'The engine behind a webhook does not start in its new version, and a release of another namespace is refused for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('policy-engine/admission', { ports: [{ port: 443, targetPort: 9443 }] });
      const engine = cluster.deployment('policy-engine/admission', {
        ...{ image: 'registry.shop.example/policy-engine:1.11', probe: true },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.object(
        webhook(
          'policy.shop.example',
          { namespace: 'policy-engine', name: 'admission' },
          { about: 'configmaps', namespace: 'checkout-eu' },
        ),
      );
      const texts = cluster.configMap('texts/footer', { imprint: '2025' });
      cluster.deployment('checkout-eu/checkout', {
        image: 'registry.shop.example/checkout:500',
        replicas: 2,
        probe: true,
      });
      cluster.image('registry.shop.example/policy-engine:1.12', {
        exit: { afterSeconds: 2, code: 1 },
        log: [
          'I0702 15:00:01.100410       1 setup.go:61] "starting policy engine" version="1.12"',
          'E0702 15:00:01.340122       1 main.go:212] "problem running manager" err="open /tmp/k8s-webhook-server/serving-certs/tls.crt: no such file or directory"',
        ],
      });
      cluster.image('registry.shop.example/helm:3.15', {
        exit: { afterSeconds: 6, code: 1 },
        log: [
          'Error: UPGRADE FAILED: cannot patch "checkout-config" with kind ConfigMap: Internal error occurred: failed calling webhook "configmaps.policy.shop.example": failed to call webhook: Post "https://admission.policy-engine.svc:443/validate?timeout=2s": dial tcp 10.96.31.8:443: connect: connection refused',
          'release checkout-501 was not made',
        ],
      });
      cluster.at('20s', () => texts.edit({ imprint: '2026' }));
      cluster.at('35s', () => engine.setImage('registry.shop.example/policy-engine:1.12'));
      cluster.at('80s', () =>
        cluster.job('checkout-eu/release-501', { image: 'registry.shop.example/helm:3.15', spec: { backoffLimit: 2 } }),
      );
      cluster.lasts('6m20s');
      cluster.expectIncident({
        root: 'Deployment/policy-engine/admission',
        mustNotBlame: ['Deployment/checkout-eu/checkout', 'ConfigMap/texts/footer', 'Job/checkout-eu/release-501'],
      });
    },
  ),

  'scoring-release-panics-beside-a-slow-feature-store': scenario(
    'A new version panics on each start, while the store it reads from is slow but answers',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('scoring/feature-store');
      cluster.deployment('scoring/feature-store', {
        image: 'registry.lab.example/feast:0.40',
        replicas: 2,
        probe: true,
      });
      cluster.image('registry.lab.example/feast:0.40', {
        log: [
          'WARNING:feast:get_online_features took 1840 ms (p99 target 250 ms)',
          'WARNING:feast:get_online_features took 2011 ms (p99 target 250 ms)',
        ],
      });
      cluster.service('scoring/score');
      const score = cluster.deployment('scoring/score', {
        image: 'registry.lab.example/score:90',
        replicas: 3,
        probe: true,
        container: env({ FEATURE_STORE: 'http://feature-store.scoring.svc' }),
      });
      cluster.image('registry.lab.example/score:91', {
        exit: { afterSeconds: 3, code: 2 },
        log: [
          '{"level":"info","msg":"feature store http://feature-store.scoring.svc answered in 1.9s"}',
          'panic: runtime error: index out of range [12] with length 12',
          '',
          'goroutine 1 [running]:',
          'lab.example/score/internal/model.(*Tree).Load(0xc0001a2000, {0xc00031e000, 0xd, 0x10})',
          '\t/src/internal/model/tree.go:118 +0x3d1',
          'main.main()',
        ],
      });
      cluster.at('30s', () => score.setImage('registry.lab.example/score:91'));
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Deployment/scoring/score',
        mustNotBlame: ['Deployment/scoring/feature-store', 'Service/scoring/feature-store'],
      });
    },
  ),

  'notebook-home-asks-for-a-class-nobody-made': scenario(
    'A notebook is made whose claim names a storage class that does not exist',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('hub/proxy', { image: 'registry.lab.example/chp:4.6', probe: true });
      cluster.at('20s', () => {
        cluster.object(claim('hub/home-ada', 'gp3-encrypted'));
        cluster.event({
          about: 'PersistentVolumeClaim/hub/home-ada',
          reason: 'ProvisioningFailed',
          message: 'storageclass.storage.k8s.io "gp3-encrypted" not found',
          by: 'persistentvolume-controller',
        });
        cluster.statefulSet('hub/jupyter-ada', {
          image: 'registry.lab.example/notebook:2026.06',
          pod: mounts('home-ada'),
          broken: true,
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/hub/home-ada',
        reason: 'StorageClassMissing',
        accepts: ['StorageClass//gp3-encrypted'],
        mustNotBlame: ['StatefulSet/hub/jupyter-ada', 'Deployment/hub/proxy'],
      });
    },
  ),

  'encoders-sent-to-a-pool-that-does-not-exist': scenario(
    'A workload is moved to a pool of machines that nobody has made; a machine of the old pool reboots meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([
        { name: 'enc-1', labels: { pool: 'encode' } },
        { name: 'enc-2', labels: { pool: 'encode' } },
        'web-1',
      ]);
      const encoder = cluster.deployment('vod/encoder', {
        image: 'registry.stream.example/encoder:7.1',
        replicas: 4,
        nodeSelector: { pool: 'encode' },
      });
      cluster.at('20s', () => cluster.node('enc-2').reboot('25s'));
      cluster.at('90s', () => encoder.change({ nodeSelector: { pool: 'encode-av1' } }));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/vod/encoder',
        mustNotBlame: ['Node//enc-1', 'Node//enc-2', 'Node//web-1'],
      });
    },
  ),

  'packager-writes-more-scratch-than-it-may': scenario(
    'A new version keeps its segments on local disk and is evicted for it, again and again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const packager = cluster.deployment('live/packager', {
        ...{ image: 'registry.stream.example/packager:3', replicas: 2 },
        container: { resources: { requests: { 'ephemeral-storage': '1Gi' }, limits: { 'ephemeral-storage': '2Gi' } } },
      });
      cluster.image('registry.stream.example/packager:4', {
        evicted: {
          afterSeconds: 48,
          message: 'Pod ephemeral local storage usage exceeds the total limit of containers 2Gi. ',
        },
        log: ['keeping DVR window of 7200 s in /tmp/segments', 'channel 4: 1080 segments, 1.9 GB'],
      });
      cluster.at('30s', () => packager.setImage('registry.stream.example/packager:4'));
      cluster.lasts('5m');
      cluster.expectIncident({ root: 'Deployment/live/packager', mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'] });
    },
  ),

  'licence-keys-tidied-away-and-thumbnails-hang': scenario(
    'A Secret is deleted as unused and is missing at the next start; another workload hangs of its own',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const keys = cluster.secret('drm/widevine-keys', { key: '8f1c', iv: '00aa' });
      const licence = cluster.deployment('drm/licence', {
        ...{ image: 'registry.stream.example/licence:11', replicas: 2 },
        container: { envFrom: [{ secretRef: { name: 'widevine-keys' } }] },
      });
      cluster.deployment('catalog-art/thumbs', {
        ...{ image: 'registry.stream.example/thumbs:5', replicas: 2 },
        container: {
          livenessProbe: {
            httpGet: { path: '/livez', port: 8080 },
            periodSeconds: 10,
            timeoutSeconds: 1,
            failureThreshold: 3,
          },
        },
      });
      cluster.at('15s', () => keys.delete());
      cluster.at('45s', () => licence.restart());
      cluster.at('60s', () =>
        cluster.befall('registry.stream.example/thumbs:5', {
          livenessFails: {
            afterSeconds: 10,
            says: 'Get "http://10.244.1.19:8080/livez": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
          },
          log: ['libvips warning: exif: bad tag 0xa430', 'worker pool exhausted: 16/16 busy, 4012 queued'],
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Secret/drm/widevine-keys',
        reason: 'SecretMissing',
        mustNotBlame: ['Deployment/catalog-art/thumbs'],
      });
      cluster.expectIncident({ root: 'Deployment/catalog-art/thumbs', mustNotBlame: ['Secret/drm/widevine-keys'] });
    },
  ),

  'basket-service-sent-to-a-port-nobody-listens-on': scenario(
    'The target port of a Service is edited to one that is refused; its client was rolled out a minute before, and well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const ports = (targetPort: number): object => ({ ports: [{ name: 'http', port: 80, targetPort }] });
      const service = cluster.service('basket/basket', ports(8080));
      cluster.deployment('basket/basket', {
        image: 'registry.shop.example/basket:66',
        replicas: 2,
        probe: true,
        container: { ports: [{ name: 'http', containerPort: 8080 }] },
      });
      const front = cluster.deployment('storefront/web', {
        image: 'registry.shop.example/storefront:300',
        replicas: 3,
        probe: true,
        container: env({ BASKET_URL: 'http://basket.basket.svc.cluster.local' }),
      });
      cluster.service('storefront/web');
      cluster.at('10s', () => front.setImage('registry.shop.example/storefront:301'));
      cluster.at('70s', () => service.patch({ spec: ports(8081) }));
      cluster.at('76s', () =>
        cluster.befall('registry.shop.example/storefront:301', {
          readyAfterSeconds: 'never',
          log: [
            '[error] 22#22: *88120 connect() failed (111: Connection refused) while connecting to upstream, client: 10.244.2.1, server: _, request: "GET /basket/summary HTTP/1.1", upstream: "http://10.96.88.4:80/summary", host: "shop.example"',
            'readiness: basket http://basket.basket.svc.cluster.local/healthz -> connect ECONNREFUSED 10.96.88.4:80',
          ],
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Service/basket/basket',
        mustNotBlame: ['Deployment/storefront/web', 'Deployment/basket/basket'],
      });
    },
  ),

  'mesh-gateways-get-no-configuration-after-a-control-plane-upgrade': scenario(
    'The control plane of a mesh does not start in its new version, and the gateways that are rolled out wait for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('istio-system/istiod', { ports: [{ name: 'https-dns', port: 15012, targetPort: 15012 }] });
      const pilot = cluster.deployment('istio-system/istiod', {
        image: 'registry.shop.example/pilot:1.22.3',
        probe: true,
        spec: { strategy: { type: 'Recreate' } },
      });
      const gateway = cluster.deployment('istio-ingress/gateway', {
        ...{ image: 'registry.shop.example/proxyv2:1.22.3', replicas: 2, probe: true },
        container: env({
          PROXY_CONFIG: '{"discoveryAddress":"istiod.istio-system.svc:15012"}',
          CA_ADDR: 'istiod.istio-system.svc:15012',
        }),
      });
      cluster.service('istio-ingress/gateway');
      cluster.image('registry.shop.example/pilot:1.23.0', {
        exit: { afterSeconds: 3, code: 255 },
        log: [
          '2026-07-02T12:30:11.001204Z\tinfo\tFLAG: --domain="cluster.local"',
          '2026-07-02T12:30:11.412210Z\tinfo\tinitializing mesh configuration ./etc/istio/config/mesh',
          '2026-07-02T12:30:11.488120Z\terror\tfailed to create discovery service: failed to read mesh configuration: error unmarshaling JSON: unknown value "ALLOW_ALL" for enum istio.mesh.v1alpha1.MeshConfig.OutboundTrafficPolicy.Mode',
          'Error: failed to create discovery service: failed to read mesh configuration',
        ],
      });
      cluster.image('registry.shop.example/proxyv2:1.23.0', {
        readyAfterSeconds: 'never',
        readinessSays: 'HTTP probe failed with statuscode: 503',
        log: [
          '2026-07-02T12:31:20.200100Z\twarn\tca\tca request failed, starting attempt 3 in 391.2ms',
          '2026-07-02T12:31:22.114870Z\twarning\tenvoy config external/envoy/source/extensions/config_subscription/grpc/grpc_stream.h:155\tStreamAggregatedResources gRPC config stream to xds-grpc closed: 14, connection error: desc = "transport: Error while dialing: dial tcp 10.96.3.77:15012: connect: connection refused"\tthread=14',
          '2026-07-02T12:31:24.310512Z\twarn\tEnvoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected',
        ],
      });
      cluster.at('25s', () => pilot.setImage('registry.shop.example/pilot:1.23.0'));
      cluster.at('70s', () => gateway.setImage('registry.shop.example/proxyv2:1.23.0'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/istio-system/istiod',
        mustNotBlame: ['Deployment/istio-ingress/gateway'],
      });
    },
  ),

  'vouchers-certificate-stuck-behind-an-issuer-that-lost-its-account': scenario(
    'An issuer of certificates loses its account, and a certificate that is due is not renewed; a shop is rolled out meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(definition('cert-manager.io', 'Issuer', 'issuers', 'v1'));
      cluster.object(definition('cert-manager.io', 'Certificate', 'certificates', 'v1'));
      cluster.deployment('cert-manager/cert-manager', { image: 'registry.shop.example/cert-manager:v1.15.1' });
      const issuer = cluster.object({
        ...{
          apiVersion: 'cert-manager.io/v1',
          kind: 'Issuer',
          metadata: { namespace: 'vouchers', name: 'public-acme' },
        },
        spec: { acme: { server: 'https://acme.ca.example/directory', privateKeySecretRef: { name: 'acme-account' } } },
      });
      issuer.status({
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'ACMEAccountRegistered',
            message: 'The ACME account was registered with the ACME server',
            lastTransitionTime: 'now',
          },
        ],
      });
      const certificate = cluster.object({
        ...{
          apiVersion: 'cert-manager.io/v1',
          kind: 'Certificate',
          metadata: { namespace: 'vouchers', name: 'vouchers-tls' },
        },
        spec: {
          secretName: 'vouchers-tls',
          dnsNames: ['vouchers.shop.example'],
          issuerRef: { kind: 'Issuer', name: 'public-acme' },
        },
      });
      certificate.status({
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'Ready',
            message: 'Certificate is up to date and has not expired',
            lastTransitionTime: 'now',
          },
        ],
      });
      const web = cluster.deployment('vouchers/web', {
        image: 'registry.shop.example/vouchers:14',
        replicas: 2,
        probe: true,
      });
      cluster.at('20s', () =>
        issuer.status({
          conditions: [
            {
              type: 'Ready',
              status: 'False',
              reason: 'ErrRegisterACMEAccount',
              message:
                'Failed to register ACME account: 403 urn:ietf:params:acme:error:unauthorized: Account is not valid, has status "deactivated"',
              lastTransitionTime: 'now',
            },
          ],
        }),
      );
      cluster.at('35s', () => web.setImage('registry.shop.example/vouchers:15'));
      cluster.at('50s', () => {
        certificate.status({
          conditions: [
            {
              type: 'Ready',
              status: 'False',
              reason: 'Expired',
              message: 'Certificate expired on Thu, 02 Jul 2026 12:00:00 UTC',
              lastTransitionTime: 'now',
            },
            {
              type: 'Issuing',
              status: 'True',
              reason: 'Renewing',
              message:
                'Renewing certificate as renewal was scheduled at 2026-06-02 12:00:00 +0000 UTC: referenced issuer "public-acme" is not ready',
              lastTransitionTime: 'now',
            },
          ],
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Issuer.cert-manager.io/vouchers/public-acme',
        mustNotBlame: ['Deployment/vouchers/web', 'Deployment/cert-manager/cert-manager'],
        beginsAfterSeconds: 20,
      });
    },
  ),

  'returns-route-names-a-backend-that-is-not-there': scenario(
    'A route of a gateway is edited to a Service that does not exist',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(definition('gateway.networking.k8s.io', 'Gateway', 'gateways', 'v1'));
      cluster.object(definition('gateway.networking.k8s.io', 'HTTPRoute', 'httproutes', 'v1'));
      const gateway = cluster.object({
        ...{
          apiVersion: 'gateway.networking.k8s.io/v1',
          kind: 'Gateway',
          metadata: { namespace: 'returns', name: 'edge' },
        },
        spec: { gatewayClassName: 'contour', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
      });
      gateway.status({
        conditions: ['Accepted', 'Programmed'].map((type) => ({
          type,
          status: 'True',
          reason: type,
          message: '',
          observedGeneration: 1,
          lastTransitionTime: 'now',
        })),
      });
      const backend = (name: string): object => ({
        parentRefs: [{ name: 'edge' }],
        hostnames: ['returns.shop.example'],
        rules: [{ backendRefs: [{ name, port: 80 }] }],
      });
      const parent = { name: 'edge' };
      const conditions = (resolved: object): object => ({
        parents: [
          {
            parentRef: parent,
            controllerName: 'projectcontour.io/gateway-controller',
            conditions: [
              {
                type: 'Accepted',
                status: 'True',
                reason: 'Accepted',
                message: 'Accepted HTTPRoute',
                observedGeneration: 1,
                lastTransitionTime: 'now',
              },
              { type: 'ResolvedRefs', observedGeneration: 1, lastTransitionTime: 'now', ...resolved },
            ],
          },
        ],
      });
      const route = cluster.object({
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'HTTPRoute',
        metadata: { namespace: 'returns', name: 'labels' },
        spec: backend('labels'),
      });
      route.status(conditions({ status: 'True', reason: 'ResolvedRefs', message: 'References resolved' }));
      cluster.service('returns/labels');
      cluster.deployment('returns/labels', { image: 'registry.shop.example/labels:2', replicas: 2, probe: true });
      cluster.at('30s', () => {
        route.patch({ spec: backend('labels-v2') });
        route.status(
          conditions({
            status: 'False',
            reason: 'BackendNotFound',
            observedGeneration: 2,
            message: 'service "returns/labels-v2" not found',
          }),
        );
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'HTTPRoute/returns/labels',
        accepts: ['HTTPRoute.gateway.networking.k8s.io/returns/labels'],
        mustNotBlame: ['Deployment/returns/labels', 'Service/returns/labels'],
        beginsAfterSeconds: 30,
      });
    },
  ),

  'scaling-goes-blind-when-the-adapter-of-metrics-dies': scenario(
    'The adapter behind a metrics API crashes after a roll-out, and an autoscaler has no figures',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('custom-metrics/adapter', { ports: [{ port: 443, targetPort: 6443 }] });
      const adapter = cluster.deployment('custom-metrics/adapter', {
        image: 'registry.shop.example/prometheus-adapter:v0.11.2',
        probe: true,
        spec: { strategy: { type: 'Recreate' } },
      });
      const api = cluster.object({
        ...{
          apiVersion: 'apiregistration.k8s.io/v1',
          kind: 'APIService',
          metadata: { name: 'v1beta1.custom.metrics.k8s.io' },
        },
        spec: {
          group: 'custom.metrics.k8s.io',
          version: 'v1beta1',
          groupPriorityMinimum: 100,
          versionPriority: 100,
          insecureSkipTLSVerify: true,
          service: { namespace: 'custom-metrics', name: 'adapter' },
        },
      });
      api.status({
        conditions: [
          {
            type: 'Available',
            status: 'True',
            reason: 'Passed',
            message: 'all checks passed',
            lastTransitionTime: 'now',
          },
        ],
      });
      cluster.deployment('orders/worker', { image: 'registry.shop.example/order-worker:40', replicas: 2 });
      const metrics = [
        {
          type: 'Pods',
          pods: { metric: { name: 'queue_depth' }, target: { type: 'AverageValue', averageValue: '30' } },
        },
      ];
      const hpa = cluster.object({
        ...{
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { namespace: 'orders', name: 'worker' },
        },
        spec: {
          minReplicas: 2,
          maxReplicas: 20,
          metrics,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'worker' },
        },
      });
      hpa.status({
        ...{ currentReplicas: 2, desiredReplicas: 2 },
        conditions: [
          ['AbleToScale', 'ReadyForNewScale', 'recommended size matches current size'],
          [
            'ScalingActive',
            'ValidMetricFound',
            'the HPA was able to successfully calculate a replica count from pods metric queue_depth',
          ],
        ].map(([type, reason, message]) => ({ type, status: 'True', reason, message, lastTransitionTime: 'now' })),
      });
      cluster.image('registry.shop.example/prometheus-adapter:v0.12.0', {
        exit: { afterSeconds: 2, code: 1 },
        log: [
          'E0702 14:00:00.118012       1 adapter.go:337] unable to load metrics discovery config: unable to load metrics discovery configuration: yaml: line 14: did not find expected key',
          'F0702 14:00:00.118101       1 main.go:40] exiting',
        ],
      });
      cluster.at('30s', () => adapter.setImage('registry.shop.example/prometheus-adapter:v0.12.0'));
      cluster.at('40s', () =>
        api.status({
          conditions: [
            {
              type: 'Available',
              status: 'False',
              reason: 'MissingEndpoints',
              message: 'endpoints for service/adapter in "custom-metrics" have no addresses with port name "https"',
              lastTransitionTime: 'now',
            },
          ],
        }),
      );
      const noMetric =
        'unable to get metric queue_depth: unable to fetch metrics from custom metrics API: the server is currently unable to handle the request (get pods.custom.metrics.k8s.io *)';
      cluster.at('50s', () => {
        hpa.status({
          currentReplicas: 2,
          desiredReplicas: 2,
          conditions: [
            {
              type: 'AbleToScale',
              status: 'True',
              reason: 'SucceededGetScale',
              message: "the HPA controller was able to get the target's current scale",
              lastTransitionTime: 'now',
            },
            {
              type: 'ScalingActive',
              status: 'False',
              reason: 'FailedGetPodsMetric',
              message: `the HPA was unable to compute the replica count: ${noMetric}`,
              lastTransitionTime: 'now',
            },
          ],
        });
        cluster.event({
          about: 'HorizontalPodAutoscaler/orders/worker',
          reason: 'FailedGetPodsMetric',
          message: noMetric,
          by: 'horizontal-pod-autoscaler',
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/custom-metrics/adapter',
        mustNotBlame: [
          'HorizontalPodAutoscaler/orders/worker',
          'Deployment/orders/worker',
          'APIService//v1beta1.custom.metrics.k8s.io',
        ],
      });
    },
  ),

  'spot-machine-of-the-transcoders-is-taken-back-politely': scenario(
    'A cheap machine is announced to go, drained, removed and replaced',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['spot-a', 'spot-b', 'spot-c']);
      cluster.deployment('clips/transcode', { image: 'registry.stream.example/transcode:15', replicas: 4 });
      cluster.at('20s', () => {
        cluster.node('spot-b').warn('PreemptScheduled', 'Preempt scheduled for this instance in 30 seconds');
        cluster.node('spot-b').drain();
      });
      cluster.at('50s', () => cluster.node('spot-b').remove());
      cluster.at('70s', () => cluster.addNode({ name: 'spot-d' }));
      cluster.lasts('4m');
    },
  ),

  'storefront-certificate-renewed-and-taken-up': scenario(
    'A certificate is renewed and the workload restarted for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const tls = cluster.secret('cards/gateway-tls', { 'tls.crt': 'old', 'tls.key': 'old' });
      cluster.service('cards/gateway');
      const gateway = cluster.deployment('cards/gateway', {
        ...{ image: 'registry.shop.example/card-gateway:8', replicas: 3, probe: true },
        container: { volumeMounts: [{ name: 'tls', mountPath: '/tls' }] },
        pod: { volumes: [{ name: 'tls', secret: { secretName: 'gateway-tls' } }] },
      });
      cluster.image('registry.shop.example/card-gateway:8', {
        readyAfterSeconds: 6,
        log: [
          'http: TLS handshake error from 10.244.0.1:51422: EOF',
          'http: TLS handshake error from 10.244.0.1:51430: remote error: tls: bad certificate',
        ],
      });
      cluster.at('25s', () => tls.edit({ 'tls.crt': 'new', 'tls.key': 'new' }));
      cluster.at('45s', () => gateway.restart());
      cluster.lasts('4m');
    },
  ),

  'recommendations-wait-for-their-index-before-they-start': scenario(
    'The init container of a new version waits a good minute for an index that is built meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('recs/recs');
      const recs = cluster.deployment('recs/recs', { image: 'registry.shop.example/recs:7', replicas: 2, probe: true });
      cluster.image('registry.shop.example/wait-for-index:1', {
        exit: { afterSeconds: 55, code: 0 },
        log: ['index recs-2026-07 is at 71 percent, waiting', 'index recs-2026-07 is at 88 percent, waiting'],
      });
      cluster.image('registry.shop.example/index-build:1', {
        exit: { afterSeconds: 50, code: 0 },
        log: ['WARN segment merge behind by 3', 'index recs-2026-07 complete'],
      });
      cluster.at('15s', () => cluster.job('recs/index-2026-07', { image: 'registry.shop.example/index-build:1' }));
      cluster.at('18s', () =>
        recs.change({ image: 'registry.shop.example/recs:8', init: 'registry.shop.example/wait-for-index:1' }),
      );
      cluster.lasts('5m');
    },
  ),

  'queue-brokers-restarted-in-order-for-a-new-version': scenario(
    'Three brokers are updated one after the other, each half a minute',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.service('orders-bus/nats', { clusterIP: 'None', ports: [{ port: 4222, targetPort: 4222 }] });
      const nats = cluster.statefulSet('orders-bus/nats', {
        image: 'registry.shop.example/nats:2.10.17',
        replicas: 3,
        probe: true,
      });
      cluster.image('registry.shop.example/nats:2.10.18', {
        readyAfterSeconds: 25,
        log: [
          '[7] 2026/07/02 09:00:01.100000 [WRN] JetStream cluster no metadata leader',
          '[7] 2026/07/02 09:00:06.100000 [ERR] 10.244.1.9:6222 - rid:12 - Router read error: EOF',
          '[7] 2026/07/02 09:00:14.100000 [INF] JetStream cluster new metadata leader: nats-1/orders-bus',
        ],
      });
      cluster.at('20s', () => nats.setImage('registry.shop.example/nats:2.10.18'));
      cluster.lasts('5m');
    },
  ),
};
