import { scenario } from '../../kit/scenario.ts';
import { budget, claim, mounts, networkPolicy, storageClass, volume } from '../../kit/things.ts';

/** A definition whose objects may hold anything, with a status of their own. */
const definition = (group: string, kind: string, plural: string, version: string, scope = 'Namespaced') => ({
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: `${plural}.${group}` },
  spec: {
    ...{ group, scope, names: { kind, plural, singular: kind.toLowerCase() } },
    versions: [
      {
        ...{ name: version, served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

/** A condition as its controller writes it, of the generation it has observed. */
const says = (type: string, status: 'True' | 'False', reason: string, message: string, observedGeneration: number) => ({
  ...{ type, status, reason, message, observedGeneration, lastTransitionTime: 'now' },
});

const driver = (name: string) => ({ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name }, spec: {} });

const papyrusProjectOutOfDiskQuota = scenario(
  'The cloud gives no more disk to a library’s project; an unrelated setting of the reader was edited just before',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(driver('cinder.csi.openstack.example'));
    cluster.object(
      storageClass('cinder-ssd', {
        provisioner: 'cinder.csi.openstack.example',
        parameters: {
          'sandbox.tocsin.dev/fails':
            'rpc error: code = Internal desc = CreateVolume failed with error Expected HTTP response code [202] when accessing [POST https://volume.example/v3/volumes], but got 413 instead: {"overLimit": {"code": 413, "message": "VolumeSizeExceedsAvailableQuota: Requested volume or snapshot exceeds allowed gigabytes quota. Requested 1G, quota is 5000G and 5000G has been consumed."}}',
        },
      }),
    );
    const theme = cluster.configMap('papyrus/reader-theme', { COLOR: 'sand' });
    cluster.deployment('papyrus/reader', {
      replicas: 2,
      image: 'registry.example/reader:4',
      envFrom: ['reader-theme'],
    });
    const scans = cluster.planned(claim('papyrus/scrolls', 'cinder-ssd'));
    cluster.at('10s', () => theme.edit({ COLOR: 'ink' }));
    cluster.at('30s', () => {
      scans.create();
      cluster.statefulSet('papyrus/scroll-store', {
        ...{ image: 'registry.example/scroll-store:1', pod: mounts('scrolls') },
        container: { volumeMounts: [{ name: 'data', mountPath: '/scrolls' }] },
      });
    });
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'PersistentVolumeClaim/papyrus/scrolls',
      accepts: ['StorageClass//cinder-ssd'],
      mustNotBlame: ['ConfigMap/papyrus/reader-theme', 'Deployment/papyrus/reader'],
    });
  },
);

const herbariumVolumeDeleted = scenario(
  'Somebody tidies up and deletes the volume that a herbarium’s database still claims',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(storageClass('leaf-disk'));
    const disk = cluster.object(volume('pv-herbarium-7', 'leaf-disk'));
    cluster.object(claim('herbarium/specimens', 'leaf-disk'));
    const image = 'mariadb:11.6';
    cluster.statefulSet('herbarium/mariadb', {
      ...{ image, pod: mounts('specimens') },
      container: { volumeMounts: [{ name: 'data', mountPath: '/var/lib/mysql' }] },
    });
    cluster.at('30s', () => disk.delete());
    cluster.at('50s', () =>
      cluster.befall(image, {
        exit: { afterSeconds: 3, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          "2026-11-29 10:20:14 0 [ERROR] mariadbd: Can't create/write to file '/var/lib/mysql/ddl-recovery.log' (Errcode: 5 \"Input/output error\")",
          '2026-11-29 10:20:14 0 [ERROR] Aborting',
        ],
      }),
    );
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'PersistentVolumeClaim/herbarium/specimens',
      accepts: ['PersistentVolume//pv-herbarium-7'],
    });
  },
);

const fossilClaimNamesNoClass = scenario(
  'A new store claims disk of a class that does not exist; meanwhile a Node loses its power and another team’s web goes short',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes(['n1', 'n2', { name: 'quarry', labels: { site: 'quarry' } }]);
    cluster.object(storageClass('fast-ssd'));
    cluster.deployment('dig-site/web', {
      ...{ replicas: 2, image: 'registry.example/dig-web:3', nodeSelector: { site: 'quarry' } },
    });
    cluster.service('dig-site/web');
    const bones = cluster.planned(claim('fossils/bones', 'fast-sdd'));
    cluster.at('20s', () => {
      bones.create();
      cluster.statefulSet('fossils/catalog', { image: 'registry.example/catalog:2', pod: mounts('bones') });
    });
    cluster.at('60s', () => cluster.node('quarry').losePower());
    cluster.lasts('8m');
    cluster.expectIncident({
      root: 'PersistentVolumeClaim/fossils/bones',
      accepts: ['StorageClass//fast-sdd', 'StatefulSet/fossils/catalog'],
      mustNotBlame: ['Node//quarry'],
    });
    cluster.expectIncident({ root: 'Node//quarry', mustNotBlame: ['Deployment/dig-site/web'] });
  },
);

const turbineGatewayNodeDies = scenario(
  'A Node dies under the gateway of a wind farm a minute after the gateway was released',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes(['n1', 'n2', { name: 'mast-3', labels: { uplink: 'radio' } }]);
    const gateway = cluster.deployment('wind-farm/scada-gateway', {
      ...{ replicas: 2, image: 'registry.example/scada-gateway:1.8', nodeSelector: { uplink: 'radio' } },
    });
    cluster.service('wind-farm/scada-gateway');
    cluster.at('10s', () => gateway.setImage('registry.example/scada-gateway:1.9'));
    cluster.at('80s', () => cluster.node('mast-3').losePower());
    cluster.lasts('8m');
    cluster.expectIncident({ root: 'Node//mast-3', mustNotBlame: ['Deployment/wind-farm/scada-gateway'] });
  },
);

const vineyardNodeDiskFull = scenario(
  'The disk of one Node fills and its kubelet evicts what runs there',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes(['n1', 'n2', { name: 'cellar', labels: { rack: 'cellar' } }]);
    cluster.deployment('vineyard/press-log', {
      ...{ replicas: 3, image: 'registry.example/press-log:5', nodeSelector: { rack: 'cellar' } },
    });
    const low =
      'The node was low on resource: ephemeral-storage. Threshold quantity: 10120387530, available: 8514292Ki. ';
    cluster.at('20s', () =>
      cluster
        .node('cellar')
        .warn(
          'FreeDiskSpaceFailed',
          'Failed to garbage collect required amount of images. Attempted to free 6171873280 bytes, but only found 0 bytes eligible to free.',
        ),
    );
    cluster.at('40s', () => {
      cluster.node('cellar').press('DiskPressure');
      cluster.node('cellar').evict(low);
    });
    cluster.at('60s', () => cluster.node('cellar').evict(low));
    cluster.lasts('6m');
    cluster.expectIncident({ root: 'Node//cellar', mustNotBlame: ['Deployment/vineyard/press-log'] });
  },
);

const podsGetNoNetwork = scenario(
  'The network agent of all Nodes crashes over an address pool it was given; new Pods of a ferry timetable get no sandbox',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const agent = 'quay.io/calico/node:v3.29.1';
    const calico = cluster.daemonSet('calico-system/calico-node', {
      ...{ image: agent, values: { IP_AUTODETECTION_METHOD: 'interface=eth0' }, labels: { 'k8s-app': 'calico-node' } },
      spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 3 } } },
    });
    const image = 'registry.example/ferry:17';
    const ferry = cluster.deployment('ferries/timetable', { replicas: 3, image });
    cluster.at('20s', () => {
      cluster.image(agent, {
        exit: { afterSeconds: 3, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          '2026-11-29 12:41:09.337 [INFO][9] startup/startup.go 432: Early log level set to info',
          '2026-11-29 12:41:09.351 [WARNING][9] startup/autodetection_methods.go 99: Unable to auto-detect an IPv4 address using interface regexes [ens9]: no valid host interfaces found',
          "2026-11-29 12:41:09.351 [WARNING][9] startup/startup.go 454: Couldn't autodetect an IPv4 address. If auto-detecting, choose a different autodetection method. Otherwise provide an explicit address.",
          'Calico node failed to start',
        ],
      });
      calico.change({ values: { IP_AUTODETECTION_METHOD: 'interface=ens9' } });
    });
    cluster.at('75s', () => {
      cluster.image(image, {
        heldUp: {
          reason: 'FailedCreatePodSandBox',
          message:
            'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "8f1c": plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running and has mounted /var/lib/calico/',
        },
      });
      ferry.restart();
    });
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'DaemonSet/calico-system/calico-node',
      mustNotBlame: ['Deployment/ferries/timetable', 'Node//n1', 'Node//n2', 'Node//n3'],
    });
  },
);

const zooDatabaseWalledOff = scenario(
  'A network policy that lets nobody in is laid over the database of a zoo; its keepers’ desk times out',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.statefulSet('zoo/animals-db', { image: 'postgres:16.6', probe: false });
    cluster.service('zoo/animals-db', {
      clusterIP: '10.96.61.9',
      ports: [{ name: 'pg', port: 5432, targetPort: 5432, protocol: 'TCP' }],
    });
    const image = 'registry.example/keepers:30';
    const keepers = cluster.deployment('zoo/keepers', {
      ...{ replicas: 2, image: 'registry.example/keepers:29', values: { DB_ADDR: 'animals-db.zoo.svc:5432' } },
    });
    const wall = cluster.planned(networkPolicy('zoo/animals-db'));
    cluster.at('10s', () => keepers.setImage(image));
    cluster.at('75s', () => wall.create());
    cluster.at('85s', () =>
      cluster.befall(image, {
        exit: { afterSeconds: 12, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          'failed to connect to `user=keepers database=animals`: 10.96.61.9:5432 (animals-db.zoo.svc): dial error: dial tcp 10.96.61.9:5432: connect: connection timed out',
        ],
      }),
    );
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'NetworkPolicy/zoo/animals-db',
      mustNotBlame: ['StatefulSet/zoo/animals-db', 'Deployment/zoo/keepers'],
    });
  },
);

const bakeryBudgetHoldsDrain = scenario(
  'A drain cannot end: the budget of the only oven controller allows no disruption',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes(['n1', 'n2', { name: 'n3', labels: { oven: 'yes' } }]);
    cluster.deployment('bakery/oven', { replicas: 1, image: 'registry.example/oven:2', nodeSelector: { oven: 'yes' } });
    cluster.object(budget('bakery/oven', { minAvailable: 1 }));
    cluster.at('20s', () => cluster.node('n3').cordon());
    for (const when of ['25s', '30s', '35s', '1m', '2m', '3m', '4m', '5m', '6m', '8m', '10m', '12m', '14m'])
      cluster.at(when, () => cluster.evict('bakery', 'oven'));
    cluster.lasts('15m');
    cluster.expectIncident({
      root: 'PodDisruptionBudget/bakery/oven',
      beginsAfterSeconds: 25,
      mustNotBlame: ['Deployment/bakery/oven'],
    });
  },
);

const metricsServerUnknownFlag = scenario(
  'The metrics server is restarted with a flag it does not know; autoscaling of a quiz show goes blind',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const image = 'registry.k8s.io/metrics-server/metrics-server:v0.7.2';
    const server = cluster.deployment('kube-system/metrics-server', {
      ...{ replicas: 1, image, command: ['/metrics-server', '--kubelet-insecure-tls'] },
      spec: { strategy: { type: 'Recreate' } },
    });
    cluster.service('kube-system/metrics-server', {
      ports: [{ name: 'https', port: 443, targetPort: 10250, protocol: 'TCP' }],
    });
    const api = cluster.object({
      ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: 'v1beta1.metrics.k8s.io' } },
      spec: {
        ...{ group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
        service: { namespace: 'kube-system', name: 'metrics-server', port: 443 },
      },
    });
    const available = (status: 'True' | 'False', reason: string, message: string): object => ({
      conditions: [{ type: 'Available', status, reason, message, lastTransitionTime: 'now' }],
    });
    api.status(available('True', 'Passed', 'all checks passed'));
    cluster.deployment('quiz-show/buzzer', { replicas: 2, image: 'registry.example/buzzer:1', cpu: '200m' });
    const scaler = cluster.object({
      ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
      metadata: { namespace: 'quiz-show', name: 'buzzer' },
      spec: {
        ...{
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'buzzer' },
          minReplicas: 2,
          maxReplicas: 8,
        },
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
        ],
      },
    });
    cluster.at('20s', () => {
      cluster.image(image, {
        exit: { afterSeconds: 1, code: 1 },
        readyAfterSeconds: 'never',
        log: ['Error: unknown flag: --kubelet-insecure-tsl', 'Usage:', '  metrics-server [flags]'],
      });
      server.change({ command: ['/metrics-server', '--kubelet-insecure-tsl'] });
    });
    cluster.at('25s', () =>
      api.status(
        available(
          'False',
          'MissingEndpoints',
          'endpoints for service/metrics-server in "kube-system" have no addresses with port name "https"',
        ),
      ),
    );
    for (const when of ['50s', '65s', '80s', '2m', '3m'])
      cluster.at(when, () =>
        cluster.event({
          ...{ about: 'HorizontalPodAutoscaler/quiz-show/buzzer', by: 'horizontal-pod-autoscaler' },
          reason: 'FailedGetResourceMetric',
          message:
            'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)',
        }),
      );
    cluster.at('50s', () =>
      scaler.status({
        ...{ currentReplicas: 2, desiredReplicas: 2 },
        conditions: [
          {
            ...{ type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric', lastTransitionTime: 'now' },
            message:
              'the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)',
          },
        ],
      }),
    );
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'Deployment/kube-system/metrics-server',
      mustNotBlame: ['Deployment/quiz-show/buzzer', 'HorizontalPodAutoscaler/quiz-show/buzzer'],
    });
  },
);

const admissionServiceGoneForGitops = scenario(
  'GitOps can apply nothing more to a museum: the admission webhook of the load balancer controller was scaled to zero',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.pro();
    const group = 'kustomize.toolkit.fluxcd.io';
    cluster.object(definition(group, 'Kustomization', 'kustomizations', 'v1'));
    const controller = cluster.deployment('edge-lb/lb-controller', { replicas: 2, image: 'registry.example/lbc:2.10' });
    cluster.service('edge-lb/lb-webhook', {
      ...{
        selector: { app: 'lb-controller' },
        ports: [{ name: 'hook', port: 443, targetPort: 9443, protocol: 'TCP' }],
      },
    });
    cluster.object({
      ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
      metadata: { name: 'edge-lb-webhook' },
      webhooks: [
        {
          ...{ name: 'vingress.edge-lb.example', failurePolicy: 'Fail', sideEffects: 'None', timeoutSeconds: 10 },
          ...{
            admissionReviewVersions: ['v1'],
            clientConfig: { service: { namespace: 'edge-lb', name: 'lb-webhook', path: '/validate' } },
          },
          rules: [
            {
              apiGroups: ['networking.k8s.io'],
              apiVersions: ['v1'],
              operations: ['CREATE', 'UPDATE'],
              resources: ['ingresses'],
            },
          ],
        },
      ],
    });
    const museum = cluster.object({
      ...{ apiVersion: `${group}/v1`, kind: 'Kustomization', metadata: { namespace: 'flux-system', name: 'museum' } },
      spec: { interval: '1m', path: './museum', prune: true, sourceRef: { kind: 'GitRepository', name: 'fleet' } },
    });
    const ready = says('Ready', 'True', 'ReconciliationSucceeded', 'Applied revision: main@sha1:6b1a5f0', 1);
    museum.status({ observedGeneration: 1, conditions: [ready] });
    cluster.at('30s', () => controller.scale(0));
    const message =
      'Ingress/museum/tours dry-run failed (InternalError): Internal error occurred: failed calling webhook "vingress.edge-lb.example": failed to call webhook: Post "https://lb-webhook.edge-lb.svc:443/validate?timeout=10s": no endpoints available for service "lb-webhook"';
    cluster.at('70s', () => {
      museum.status({
        observedGeneration: 1,
        conditions: [says('Ready', 'False', 'ReconciliationFailed', message, 1)],
      });
    });
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'Deployment/edge-lb/lb-controller',
      beginsAfterSeconds: 31,
      accepts: ['Service/edge-lb/lb-webhook', 'ValidatingWebhookConfiguration//edge-lb-webhook'],
      mustNotBlame: ['Kustomization.kustomize.toolkit.fluxcd.io/flux-system/museum'],
    });
  },
);

const chartSourceRejectsToken = scenario(
  'The chart repository of an observatory answers 401 after its token was edited; its release cannot go on',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.pro();
    const [sources, releases] = ['source.toolkit.fluxcd.io', 'helm.toolkit.fluxcd.io'];
    cluster.object(definition(sources, 'HelmRepository', 'helmrepositories', 'v1'));
    cluster.object(definition(releases, 'HelmRelease', 'helmreleases', 'v2'));
    const token = cluster.secret('observatory/charts-auth', { username: 'dome', password: 'a' });
    const repository = cluster.object({
      ...{
        apiVersion: `${sources}/v1`,
        kind: 'HelmRepository',
        metadata: { namespace: 'observatory', name: 'charts' },
      },
      spec: { interval: '1m', url: 'https://charts.dome.example', secretRef: { name: 'charts-auth' } },
    });
    const release = cluster.object({
      ...{
        apiVersion: `${releases}/v2`,
        kind: 'HelmRelease',
        metadata: { namespace: 'observatory', name: 'telescope' },
      },
      spec: {
        ...{ interval: '5m' },
        chart: { spec: { chart: 'telescope', version: '4.x', sourceRef: { kind: 'HelmRepository', name: 'charts' } } },
      },
    });
    repository.status({
      ...{
        observedGeneration: 1,
        conditions: [says('Ready', 'True', 'Succeeded', "stored artifact: revision 'sha256:91ab'", 1)],
      },
    });
    release.status({
      ...{ observedGeneration: 1 },
      conditions: [
        says('Ready', 'True', 'UpgradeSucceeded', 'Helm upgrade succeeded for release observatory/telescope.v9', 1),
      ],
    });
    cluster.deployment('observatory/telescope', { replicas: 2, image: 'registry.example/telescope:4.2' });
    cluster.at('20s', () => token.edit({ username: 'dome', password: 'b' }));
    const why =
      'failed to fetch Helm repository index: failed to cache index to temporary file: failed to fetch https://charts.dome.example/index.yaml : 401 Unauthorized';
    cluster.at('60s', () => {
      repository.status({ observedGeneration: 1, conditions: [says('Ready', 'False', 'IndexationFailed', why, 1)] });
    });
    cluster.at('90s', () =>
      release.status({
        ...{ observedGeneration: 1 },
        conditions: [
          says(
            'Ready',
            'False',
            'SourceNotReady',
            "HelmChart 'observatory/observatory-telescope' is not ready: no artifact available for HelmRepository source 'charts'",
            1,
          ),
        ],
      }),
    );
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'Secret/observatory/charts-auth',
      beginsAfterSeconds: 60,
      accepts: ['HelmRepository.source.toolkit.fluxcd.io/observatory/charts'],
      mustNotBlame: ['HelmRelease.helm.toolkit.fluxcd.io/observatory/telescope', 'Deployment/observatory/telescope'],
    });
  },
);

const issuerAsksWrongDirectory = scenario(
  'A cluster issuer is edited to an ACME directory that does not exist; the certificate of a pottery waits for it',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.pro();
    const group = 'cert-manager.io';
    cluster.object(definition(group, 'ClusterIssuer', 'clusterissuers', 'v1', 'Cluster'));
    cluster.object(definition(group, 'Certificate', 'certificates', 'v1'));
    cluster.deployment('cert-manager/cert-manager', { image: 'quay.io/jetstack/cert-manager-controller:v1.16.2' });
    const issuer = cluster.object({
      ...{ apiVersion: `${group}/v1`, kind: 'ClusterIssuer', metadata: { name: 'acme-public' } },
      spec: {
        acme: {
          server: 'https://acme.example/directory',
          email: 'ops@example.org',
          privateKeySecretRef: { name: 'acme' },
        },
      },
    });
    issuer.status({
      conditions: [
        says('Ready', 'True', 'ACMEAccountRegistered', 'The ACME account was registered with the ACME server', 1),
      ],
    });
    const wares = cluster.planned({
      ...{ apiVersion: `${group}/v1`, kind: 'Certificate', metadata: { namespace: 'pottery', name: 'wares-tls' } },
      spec: {
        secretName: 'wares-tls',
        dnsNames: ['wares.example'],
        issuerRef: { kind: 'ClusterIssuer', name: 'acme-public' },
      },
    });
    cluster.deployment('pottery/wares', { replicas: 2, image: 'registry.example/wares:12' });
    cluster.at('15s', () => issuer.patch({ spec: { acme: { server: 'https://acme.example/dir' } } }));
    cluster.at('20s', () =>
      issuer.status({
        conditions: [
          says(
            'Ready',
            'False',
            'ErrRegisterACMEAccount',
            'Failed to register ACME account: 404 : 404 page not found',
            2,
          ),
        ],
      }),
    );
    cluster.at('50s', () => wares.create());
    cluster.at('53s', () =>
      wares.status({
        conditions: [
          says('Ready', 'False', 'DoesNotExist', 'Issuing certificate as Secret does not exist', 1),
          says('Issuing', 'True', 'DoesNotExist', 'Issuing certificate as Secret does not exist', 1),
        ],
      }),
    );
    cluster.lasts('8m');
    cluster.expectIncident({
      root: 'ClusterIssuer.cert-manager.io//acme-public',
      beginsAfterSeconds: 20,
      mustNotBlame: [
        'Deployment/cert-manager/cert-manager',
        'Deployment/pottery/wares',
        'Certificate.cert-manager.io/pottery/wares-tls',
      ],
    });
  },
);

const carouselRouteLeadsNowhere = scenario(
  'A route of a fairground’s gateway is edited to a Service that is not there; a raffle next door is short of memory',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.pro();
    const group = 'gateway.networking.k8s.io';
    cluster.object(definition(group, 'HTTPRoute', 'httproutes', 'v1'));
    cluster.deployment('fairground/carousel', { replicas: 2, image: 'registry.example/carousel:3' });
    cluster.service('fairground/carousel');
    const raffle = cluster.deployment('raffle-tent/raffle', {
      ...{ replicas: 2, image: 'registry.example/raffle:1', memory: '256Mi' },
    });
    const parentRef = { group, kind: 'Gateway', namespace: 'edge', name: 'public' };
    const to = (name: string): object => ({
      ...{ hostnames: ['rides.example'], parentRefs: [{ name: 'public', namespace: 'edge' }] },
      rules: [{ backendRefs: [{ name, port: 80 }] }],
    });
    const route = cluster.object({
      ...{ apiVersion: `${group}/v1`, kind: 'HTTPRoute', metadata: { namespace: 'fairground', name: 'rides' } },
      spec: to('carousel'),
    });
    const parents = (generation: number, resolved: 'True' | 'False', reason: string, message: string): object => ({
      parents: [
        {
          ...{ parentRef, controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
          conditions: [
            says('Accepted', 'True', 'Accepted', 'Route is accepted', generation),
            says('ResolvedRefs', resolved, reason, message, generation),
          ],
        },
      ],
    });
    route.status(parents(1, 'True', 'ResolvedRefs', 'Resolved all the Object references for the Route'));
    cluster.at('15s', () => {
      cluster.image('registry.example/raffle:1', {
        exit: { afterSeconds: 9, code: 137, oom: true },
        log: ['drawing 500 winners in memory'],
      });
      raffle.change({ memory: '48Mi' });
    });
    cluster.at('40s', () => route.patch({ spec: to('carrousel') }));
    cluster.at('42s', () =>
      route.status(
        parents(
          2,
          'False',
          'BackendNotFound',
          'Failed to process route rule 0 backendRef 0: service fairground/carrousel not found.',
        ),
      ),
    );
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'HTTPRoute.gateway.networking.k8s.io/fairground/rides',
      beginsAfterSeconds: 42,
      accepts: ['HTTPRoute/fairground/rides', 'Service/fairground/carrousel'],
      mustNotBlame: ['Deployment/raffle-tent/raffle', 'Deployment/fairground/carousel'],
    });
    cluster.expectIncident({ root: 'Deployment/raffle-tent/raffle' });
  },
);

const postgresOperatorCannotLead = scenario(
  'A database operator may no longer take its lease after its role was edited; an app that was released is innocent',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const image = 'ghcr.io/cloudnative-pg/cloudnative-pg:1.24.1';
    cluster.object({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { namespace: 'cnpg-system', name: 'cnpg-manager' },
    });
    const role = cluster.object({
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'cnpg-manager' } },
      rules: [
        {
          apiGroups: ['', 'coordination.k8s.io'],
          resources: ['pods', 'leases'],
          verbs: ['get', 'list', 'watch', 'update'],
        },
      ],
    });
    cluster.object({
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'cnpg-manager' } },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cnpg-manager' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'cnpg-system', name: 'cnpg-manager' }],
    });
    cluster.deployment('cnpg-system/cnpg-controller-manager', { image, pod: { serviceAccountName: 'cnpg-manager' } });
    const app = cluster.deployment('regatta/scores', { replicas: 2, image: 'registry.example/scores:1' });
    cluster.at('10s', () => app.setImage('registry.example/scores:2'));
    cluster.at('40s', () =>
      role.patch({ rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch', 'update'] }] }),
    );
    cluster.at('55s', () =>
      cluster.befall(image, {
        exit: { afterSeconds: 11, code: 1 },
        readyAfterSeconds: 'never',
        log: [
          'E1129 10:02:44.120311       1 leaderelection.go:436] error retrieving resource lock cnpg-system/db9c8771.cnpg.io: leases.coordination.k8s.io "db9c8771.cnpg.io" is forbidden: User "system:serviceaccount:cnpg-system:cnpg-manager" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "cnpg-system"',
          '{"level":"error","ts":"2026-11-29T10:02:54Z","logger":"setup","msg":"unable to start manager","error":"leader election lost"}',
        ],
      }),
    );
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'ClusterRole//cnpg-manager',
      accepts: ['ServiceAccount/cnpg-system/cnpg-manager', 'ClusterRoleBinding//cnpg-manager'],
      mustNotBlame: ['Deployment/regatta/scores'],
    });
  },
);

const ropewayScalerTargetsOldName = scenario(
  'The autoscaler of a ropeway’s queue display names a Deployment that was replaced by one of another name',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const old = cluster.deployment('ropeway/display', { replicas: 2, image: 'registry.example/display:8' });
    const scaler = cluster.object({
      ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
      metadata: { namespace: 'ropeway', name: 'display' },
      spec: {
        ...{
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'display' },
          minReplicas: 2,
          maxReplicas: 6,
        },
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
        ],
      },
    });
    const said = (status: 'True' | 'False', reason: string, message: string): object => ({
      ...{ currentReplicas: 2, desiredReplicas: 2 },
      conditions: [{ type: 'AbleToScale', status, reason, message, lastTransitionTime: 'now' }],
    });
    scaler.status(said('True', 'ReadyForNewScale', 'recommended size matches current size'));
    cluster.at(
      '20s',
      () => void cluster.deployment('ropeway/queue-display', { replicas: 2, image: 'registry.example/display:9' }),
    );
    cluster.at('60s', () => old.delete());
    const message =
      'the HPA controller was unable to get the target\'s current scale: deployments.apps "display" not found';
    cluster.at('75s', () => {
      scaler.status(said('False', 'FailedGetScale', message));
      cluster.event({
        ...{
          about: 'HorizontalPodAutoscaler/ropeway/display',
          reason: 'FailedGetScale',
          by: 'horizontal-pod-autoscaler',
        },
        ...{ message: 'deployments.apps "display" not found', count: 3 },
      });
    });
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'HorizontalPodAutoscaler/ropeway/display',
      beginsAfterSeconds: 60,
      mustNotBlame: ['Deployment/ropeway/queue-display'],
    });
  },
);

export const stories = {
  'papyrus-project-out-of-disk-quota': papyrusProjectOutOfDiskQuota,
  'herbarium-volume-deleted': herbariumVolumeDeleted,
  'fossil-claim-names-no-class': fossilClaimNamesNoClass,
  'turbine-gateway-node-dies': turbineGatewayNodeDies,
  'vineyard-node-disk-full': vineyardNodeDiskFull,
  'pods-get-no-network': podsGetNoNetwork,
  'zoo-database-walled-off': zooDatabaseWalledOff,
  'bakery-budget-holds-drain': bakeryBudgetHoldsDrain,
  'metrics-server-unknown-flag': metricsServerUnknownFlag,
  'admission-service-gone-for-gitops': admissionServiceGoneForGitops,
  'chart-source-rejects-token': chartSourceRejectsToken,
  'issuer-asks-wrong-directory': issuerAsksWrongDirectory,
  'carousel-route-leads-nowhere': carouselRouteLeadsNowhere,
  'postgres-operator-cannot-lead': postgresOperatorCannotLead,
  'ropeway-scaler-targets-old-name': ropewayScalerTargetsOldName,
};
