import type { Manifest } from '../../kit/manifests.ts';
import { scenario } from '../../kit/scenario.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

const port = (number: number): object => ({
  ports: [{ name: 'main', port: number, targetPort: number, protocol: 'TCP' }],
});
const listens = (containerPort: number): object => ({
  ports: [{ containerPort }],
  readinessProbe: { tcpSocket: { port: containerPort } },
});
const filesOf = (kind: 'configMap' | 'secret', name: string, mountPath: string) => ({
  container: { volumeMounts: [{ name: 'files', mountPath }] },
  pod: {
    volumes: [{ name: 'files', ...(kind === 'secret' ? { secret: { secretName: name } } : { configMap: { name } }) }],
  },
});
/** A definition whose objects may hold anything. */
function definition(group: string, version: string, kind: string, plural: string, scope = 'Namespaced'): Manifest {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope, names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` } },
      versions: [
        {
          ...{ name: version, served: true, storage: true, subresources: { status: {} } },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
        },
      ],
    },
  };
}
const account = (namespace: string, name: string, annotations: Readonly<Record<string, string>> = {}): Manifest => ({
  ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, annotations } },
});
const ready = (status: 'True' | 'False', reason: string, message: string): object => ({
  observedGeneration: 1,
  conditions: [{ type: 'Ready', status, reason, message, lastTransitionTime: 'now' }],
});

const scraperRefused = scenario(
  'The source of resource metrics no longer accepts the certificates of the kubelets',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.service('kube-system/metrics-server', port(443));
    const args = [
      '--cert-dir=/tmp',
      '--secure-port=10250',
      '--kubelet-preferred-address-types=InternalIP',
      '--metric-resolution=15s',
    ];
    const containerOf = (more: readonly string[]): object => ({
      args: [...args, ...more],
      readinessProbe: { httpGet: { path: '/readyz', port: 10250, scheme: 'HTTPS' } },
    });
    const rolling = { strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } } };
    const server = cluster.deployment('kube-system/metrics-server', {
      image: 'registry.k8s.example/metrics-server:v0.7.1',
      labels: { 'k8s-app': 'metrics-server' },
      container: containerOf(['--kubelet-insecure-tls']),
      spec: rolling,
    });
    const api = cluster.object({
      ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: 'v1beta1.metrics.k8s.io' } },
      spec: {
        ...{ group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
        ...{ insecureSkipTLSVerify: true, service: { namespace: 'kube-system', name: 'metrics-server', port: 443 } },
      },
    });
    const available = (status: string, reason: string, message: string): object => ({
      conditions: [{ type: 'Available', status, reason, message, lastTransitionTime: 'now' }],
    });
    api.status(available('True', 'Passed', 'all checks passed'));
    cluster.service('shop/web');
    cluster.deployment('shop/web', { replicas: 3, image: 'ghcr.example/web:3.1', cpu: '200m' });
    const scaler = cluster.object({
      ...{
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { namespace: 'shop', name: 'web' },
      },
      spec: {
        ...{
          minReplicas: 3,
          maxReplicas: 12,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        },
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
        ],
      },
    });
    const scaling = (status: string, reason: string, message: string): object => ({
      ...{ currentReplicas: 3, desiredReplicas: 3 },
      conditions: [
        {
          type: 'AbleToScale',
          status: 'True',
          reason: 'SucceededGetScale',
          message: "the HPA controller was able to get the target's current scale",
          lastTransitionTime: 'now',
        },
        { type: 'ScalingActive', status, reason, message, lastTransitionTime: 'now' },
      ],
    });
    scaler.status(
      scaling(
        'True',
        'ValidMetricFound',
        'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
      ),
    );
    const unable =
      'the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)';
    cluster.at('10s', () => {
      cluster.image('registry.k8s.example/metrics-server:v0.7.1', {
        readyAfterSeconds: 'never',
        readinessSays: 'HTTP probe failed with statuscode: 500',
        log: [
          'I0314 08:00:12.311040       1 serving.go:374] Generated self-signed cert (/tmp/apiserver.crt, /tmp/apiserver.key)',
          'E0314 08:00:13.120110       1 scraper.go:149] "Failed to scrape node" err="Get \\"https://10.0.0.12:10250/metrics/resource\\": tls: failed to verify certificate: x509: cannot validate certificate for 10.0.0.12 because it doesn\'t contain any IP SANs" node="n2"',
          'I0314 08:00:22.840410       1 server.go:191] "Failed probe" probe="metric-storage-ready" err="no metrics to serve"',
        ],
      });
      server.patch({ spec: { template: { spec: { containers: [{ name: 'metrics-server', args }] } } } });
    });
    cluster.at('20s', () =>
      api.status(
        available(
          'False',
          'MissingEndpoints',
          'endpoints for service/metrics-server in "kube-system" have no addresses with port name "main"',
        ),
      ),
    );
    cluster.at('30s', () => {
      scaler.status(scaling('False', 'FailedGetResourceMetric', unable));
      cluster.event({
        about: 'HorizontalPodAutoscaler/shop/web',
        reason: 'FailedGetResourceMetric',
        message: unable.replace('the HPA was unable to compute the replica count: ', ''),
        by: 'horizontal-pod-autoscaler',
        count: 2,
      });
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('8m');
    cluster.expectIncident({
      root: 'Deployment/kube-system/metrics-server',
      mustNotBlame: ['HorizontalPodAutoscaler/shop/web', 'Deployment/shop/web'],
    });
  },
);

const deployKey = scenario(
  'The key of a source repository is changed, and nothing of it is applied any more',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.pro();
    cluster.object(definition('source.toolkit.fluxcd.io', 'v1', 'GitRepository', 'gitrepositories'));
    cluster.object(definition('kustomize.toolkit.fluxcd.io', 'v1', 'Kustomization', 'kustomizations'));
    const key = cluster.secret('flux-system/platform-git', {
      identity: 'first',
      known_hosts: 'git.corp.example ssh-ed25519 AAAA',
    });
    cluster.deployment('flux-system/source-controller', { image: 'ghcr.example/fluxcd/source-controller:v1.2.5' });
    cluster.deployment('flux-system/kustomize-controller', {
      image: 'ghcr.example/fluxcd/kustomize-controller:v1.2.2',
    });
    const source = cluster.object({
      ...{
        apiVersion: 'source.toolkit.fluxcd.io/v1',
        kind: 'GitRepository',
        metadata: { namespace: 'flux-system', name: 'platform' },
      },
      spec: {
        interval: '1m',
        url: 'ssh://git@git.corp.example/platform.git',
        ref: { branch: 'main' },
        secretRef: { name: 'platform-git' },
      },
    });
    source.status(ready('True', 'Succeeded', "stored artifact for revision 'main@sha1:2c8f0e11'"));
    const applied = cluster.object({
      ...{
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        metadata: { namespace: 'flux-system', name: 'apps' },
      },
      spec: { interval: '10m', path: './apps', prune: true, sourceRef: { kind: 'GitRepository', name: 'platform' } },
    });
    applied.status(ready('True', 'ReconciliationSucceeded', 'Applied revision: main@sha1:2c8f0e11'));
    const refused =
      "failed to checkout and determine revision: unable to clone 'ssh://git@git.corp.example/platform.git': ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey], no supported methods remain";
    cluster.at('10s', () => key.edit({ identity: 'second', known_hosts: 'git.corp.example ssh-ed25519 AAAA' }));
    cluster.at('50s', () => {
      source.status(ready('False', 'GitOperationFailed', refused));
      cluster.event({
        about: 'Secret/flux-system/platform-git',
        type: 'Normal',
        reason: 'GitOperationFailed',
        message: refused,
        by: 'source-controller',
      });
    });
    cluster.at('70s', () =>
      applied.status(ready('False', 'ArtifactFailed', 'Source is not ready, artifact not found')),
    );
    cluster.lasts('12m');
    cluster.expectIncident({
      root: 'Secret/flux-system/platform-git',
      accepts: ['GitRepository.source.toolkit.fluxcd.io/flux-system/platform'],
      mustNotBlame: ['Kustomization/flux-system/apps', 'Deployment/flux-system/source-controller'],
      beginsAfterSeconds: 50,
      firstMessageWithinSeconds: 1800,
    });
  },
);

const operatorAhead = scenario('An operator is upgraded before the kinds that it watches', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.object(definition('kafka.strimzi.io', 'v1beta2', 'Kafka', 'kafkas'));
  const operator = cluster.deployment('kafka/strimzi-cluster-operator', {
    image: 'quay.example/strimzi/operator:0.38.0',
    values: { STRIMZI_NAMESPACE: '*' },
    spec: { strategy: { type: 'Recreate' } },
  });
  cluster.service('kafka/prod-kafka-bootstrap', port(9092));
  cluster.statefulSet('kafka/prod-kafka-bootstrap', {
    replicas: 3,
    image: 'quay.example/strimzi/kafka:3.6.0',
    container: listens(9092),
  });
  cluster.image('quay.example/strimzi/operator:0.39.0', {
    readyAfterSeconds: 'never',
    exit: { afterSeconds: 8, code: 1 },
    log: [
      '2024-01-03 02:23:44 INFO  Main:82 - ClusterOperator 0.39.0 is starting',
      '2024-01-03 02:23:49 WARN  WatcherWebSocketListener:75 - Exec Failure: HTTP 404, Status: 404 - 404 page not found',
      '2024-01-03 02:23:50 ERROR Main:104 - Unable to start operator for 1 or more namespace',
      'io.fabric8.kubernetes.client.KubernetesClientException: Received 404 on websocket. Failure executing: GET at: https://10.96.0.1:443/apis/kafka.strimzi.io/v1beta2/kafkanodepools?allowWatchBookmarks=true&watch=true. Message: Not Found.',
    ],
  });
  cluster.at('10s', () => operator.setImage('quay.example/strimzi/operator:0.39.0'));
  cluster.at('90s', () => undefined);
  cluster.lasts('6m');
  cluster.expectIncident({
    root: 'Deployment/kafka/strimzi-cluster-operator',
    accepts: ['CustomResourceDefinition//kafkanodepools.kafka.strimzi.io'],
    mustNotBlame: ['StatefulSet/kafka/prod-kafka-bootstrap'],
  });
});

const fewerRights = scenario(
  'An operator loses a right to its role; its webhook certificate was renewed just before',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(account('pg-operator', 'pg-operator'));
    const rules = (...verbs: string[]): object[] => [
      { apiGroups: ['postgresql.example'], resources: ['clusters'], verbs: ['get', 'list', 'watch', 'update'] },
      { apiGroups: ['apps'], resources: ['statefulsets'], verbs },
    ];
    const role = cluster.object({
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'pg-operator' } },
      rules: rules('get', 'list', 'watch', 'create', 'update', 'patch'),
    });
    cluster.object({
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'pg-operator' } },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'pg-operator' },
      subjects: [{ kind: 'ServiceAccount', name: 'pg-operator', namespace: 'pg-operator' }],
    });
    const certificate = cluster.secret('pg-operator/webhook-server-cert', { 'tls.crt': 'one', 'tls.key': 'one' });
    const operator = cluster.deployment('pg-operator/pg-operator', {
      image: 'ghcr.example/pg-operator:1.22.1',
      container: { volumeMounts: [{ name: 'cert', mountPath: '/run/secrets/webhook' }] },
      pod: {
        serviceAccountName: 'pg-operator',
        volumes: [{ name: 'cert', secret: { secretName: 'webhook-server-cert' } }],
      },
      spec: { strategy: { type: 'Recreate' } },
    });
    cluster.at('5s', () => certificate.edit({ 'tls.crt': 'two', 'tls.key': 'two' }));
    cluster.at('15s', () => role.patch({ rules: rules('get', 'create', 'update', 'patch') }));
    cluster.at('40s', () => {
      cluster.image('ghcr.example/pg-operator:1.22.1', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 14, code: 1 },
        log: [
          '{"level":"info","ts":"2026-03-14T08:00:44Z","logger":"setup","msg":"starting manager"}',
          'W0314 08:00:45.101220       1 reflector.go:539] pkg/mod/k8s.io/client-go@v0.29.2/tools/cache/reflector.go:229: failed to list *v1.StatefulSet: statefulsets.apps is forbidden: User "system:serviceaccount:pg-operator:pg-operator" cannot list resource "statefulsets" in API group "apps" at the cluster scope',
          '{"level":"error","ts":"2026-03-14T08:00:58Z","logger":"setup","msg":"problem running manager","error":"failed to wait for cluster caches to sync: timed out waiting for cache to be synced for Kind *v1.StatefulSet"}',
        ],
      });
      operator.restart();
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'ClusterRole//pg-operator',
      accepts: ['ServiceAccount/pg-operator/pg-operator', 'ClusterRoleBinding//pg-operator'],
      mustNotBlame: ['Secret/pg-operator/webhook-server-cert'],
    });
  },
);

const notSynced = scenario(
  'A secret that is kept elsewhere is not synced, and the service that needs it cannot be created',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.pro();
    cluster.object(definition('external-secrets.io', 'v1beta1', 'ExternalSecret', 'externalsecrets'));
    cluster.object(
      definition('external-secrets.io', 'v1beta1', 'ClusterSecretStore', 'clustersecretstores', 'Cluster'),
    );
    const store = cluster.object({
      ...{ apiVersion: 'external-secrets.io/v1beta1', kind: 'ClusterSecretStore', metadata: { name: 'aws' } },
      spec: { provider: { aws: { service: 'SecretsManager', region: 'eu-central-1' } } },
    });
    store.status(ready('True', 'Valid', 'store validated'));
    cluster.deployment('external-secrets/external-secrets', { image: 'ghcr.example/external-secrets:v0.9.13' });
    const wanted = cluster.planned({
      ...{
        apiVersion: 'external-secrets.io/v1beta1',
        kind: 'ExternalSecret',
        metadata: { namespace: 'pay', name: 'stripe' },
      },
      spec: {
        ...{
          refreshInterval: '1h',
          secretStoreRef: { kind: 'ClusterSecretStore', name: 'aws' },
          target: { name: 'stripe' },
        },
        data: [{ secretKey: 'api-key', remoteRef: { key: 'prod/pay/strpie', property: 'api-key' } }],
      },
    });
    const failed = 'error processing spec.data[0] (key: prod/pay/strpie), err: Secret does not exist';
    cluster.at('5s', () => {
      wanted.create();
      cluster.service('pay/charge');
      cluster.deployment('pay/charge', {
        replicas: 2,
        image: 'ghcr.example/charge:1.0.0',
        env: { STRIPE_API_KEY: 'secret/stripe/api-key' },
        broken: true,
      });
    });
    cluster.at('7s', () => wanted.status(ready('False', 'SecretSyncedError', failed)));
    cluster.lasts('8m');
    cluster.expectIncident({
      root: 'ExternalSecret.external-secrets.io/pay/stripe',
      accepts: ['Secret/pay/stripe'],
      mustNotBlame: ['ClusterSecretStore//aws', 'Deployment/external-secrets/external-secrets'],
    });
  },
);

const roleOfAccount = scenario(
  'The cloud role of a service account is misspelt, and its controller may do nothing',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const role = (name: string) => ({ 'eks.amazonaws.com/role-arn': `arn:aws:iam::123456789012:role/${name}` });
    const identity = cluster.object(account('external-dns', 'external-dns', role('prod-external-dns')));
    const controller = cluster.deployment('external-dns/external-dns', {
      image: 'registry.k8s.example/external-dns:v0.14.0',
      probe: false,
      pod: { serviceAccountName: 'external-dns' },
      container: { args: ['--source=ingress', '--provider=aws', '--policy=upsert-only'] },
      spec: { strategy: { type: 'Recreate' } },
    });
    cluster.at('10s', () => identity.patch({ metadata: { annotations: role('prod-externaldns') } }));
    cluster.at('25s', () => {
      cluster.image('registry.k8s.example/external-dns:v0.14.0', {
        exit: { afterSeconds: 5, code: 1 },
        log: [
          'time="2026-03-14T08:00:29Z" level=info msg="Instantiating new Kubernetes client"',
          'time="2026-03-14T08:00:29Z" level=info msg="Created Kubernetes client https://10.96.0.1:443"',
          'time="2026-03-14T08:00:33Z" level=fatal msg="records retrieval failed: failed to list hosted zones: WebIdentityErr: failed to retrieve credentials\\ncaused by: AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity\\n\\tstatus code: 403, request id: 87a3ca86-ceb0-47be-8f90-25d0c2de9f48"',
        ],
      });
      controller.restart();
    });
    cluster.at('90s', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({ root: 'ServiceAccount/external-dns/external-dns' });
  },
);

const groupAtItsMost = scenario('Workers are scaled beyond what the group of their machines may grow to', (cluster) => {
  cluster.recordedFrom('sandbox');
  const pool = { name: 'n2', labels: { pool: 'spark' }, cpu: '8', memory: '32Gi' };
  cluster.nodes(['n1', pool, { ...pool, name: 'n3' }]);
  cluster.deployment('kube-system/cluster-autoscaler', {
    image: 'registry.k8s.example/cluster-autoscaler:v1.29.0',
    probe: false,
  });
  const workers = cluster.statefulSet('ml/spark-worker', {
    replicas: 2,
    image: 'ghcr.example/spark:3.5.1',
    cpu: '3500m',
    memory: '8Gi',
    nodeSelector: { pool: 'spark' },
    spec: { podManagementPolicy: 'Parallel' },
  });
  cluster.at('10s', () => workers.scale(7));
  cluster.at('25s', () => {
    for (const index of [4, 5, 6])
      cluster.event({
        ...{
          about: `Pod/ml/spark-worker-${index}`,
          type: 'Normal',
          reason: 'NotTriggerScaleUp',
          by: 'cluster-autoscaler',
        },
        message:
          "pod didn't trigger scale-up: 1 max node group size reached, 2 node(s) didn't match Pod's node affinity/selector",
      });
  });
  cluster.lasts('10m');
  cluster.expectIncident({
    root: 'StatefulSet/ml/spark-worker',
    mustNotBlame: ['Deployment/kube-system/cluster-autoscaler'],
  });
});

const runnersAndBuilder = scenario(
  'A quota is lowered under the runners of a forge, and a second builder fights for the lock of the first',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const quota = cluster.quota('ci/ci', { pods: '40', 'requests.cpu': '20', 'requests.memory': '40Gi' });
    const runners = cluster.deployment('ci/arc-runners', {
      replicas: 4,
      image: 'ghcr.example/actions-runner:2.314.1',
      probe: false,
      cpu: '1',
      memory: '2Gi',
    });
    cluster.object({
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { namespace: 'builds', name: 'buildkit' } },
      spec: {
        storageClassName: 'local',
        volumeName: 'buildkit',
        accessModes: ['ReadWriteMany'],
        resources: { requests: { storage: '50Gi' } },
      },
    });
    cluster.object({
      ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'buildkit' } },
      spec: {
        ...{
          capacity: { storage: '50Gi' },
          accessModes: ['ReadWriteMany'],
          storageClassName: 'local',
          persistentVolumeReclaimPolicy: 'Retain',
        },
        csi: { driver: 'nfs.csi.k8s.io', volumeHandle: 'buildkit' },
      },
    });
    const builder = cluster.deployment('builds/buildkitd', {
      image: 'ghcr.example/buildkit:v0.13.1',
      container: { volumeMounts: [{ name: 'data', mountPath: '/var/lib/buildkit' }] },
      pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'buildkit' } }] },
    });
    cluster.at('5s', () => quota.edit({ pods: '40', 'requests.cpu': '4', 'requests.memory': '40Gi' }));
    cluster.at('20s', () => runners.scale(8));
    cluster.at('24s', () => {
      cluster.image('ghcr.example/buildkit:v0.13.1', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 1, code: 1 },
        log: [
          'time="2026-03-14T08:00:25Z" level=warning msg="using host network as the default"',
          'buildkitd: could not lock /var/lib/buildkit/buildkitd.lock, another instance running?: resource temporarily unavailable',
        ],
      });
      builder.scale(2);
    });
    cluster.at('90s', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'ResourceQuota/ci/ci',
      reason: 'QuotaExceeded',
      mustNotBlame: ['Deployment/builds/buildkitd'],
    });
    cluster.expectIncident({ root: 'Deployment/builds/buildkitd' });
  },
);

const impatient = scenario(
  'A search store gets an impatient probe and is killed each time while it recovers its shards',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.service('catalog/elasticsearch', port(9200));
    const probes = (initialDelaySeconds: number): object => ({
      ...listens(9200),
      livenessProbe: {
        httpGet: { path: '/_cluster/health?local=true', port: 9200 },
        ...{ initialDelaySeconds, periodSeconds: 5, failureThreshold: 3, timeoutSeconds: 2 },
      },
    });
    const store = cluster.statefulSet('catalog/elasticsearch', {
      image: 'ghcr.example/elasticsearch:7.17.18',
      container: probes(300),
    });
    cluster.deployment('catalog/browse', {
      replicas: 2,
      image: 'ghcr.example/browse:12.1',
      values: { SEARCH_URL: 'http://elasticsearch.catalog.svc:9200' },
    });
    cluster.at('15s', () => {
      cluster.image('ghcr.example/elasticsearch:7.17.18', {
        readyAfterSeconds: 'never',
        livenessFails: {
          afterSeconds: 25,
          says: 'Get "http://10.244.1.6:9200/_cluster/health?local=true": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
        },
        log: [
          '{"type": "server", "timestamp": "2026-03-14T08:00:31,210Z", "level": "INFO", "component": "o.e.n.Node", "node.name": "elasticsearch-0", "message": "starting ..." }',
          '{"type": "server", "timestamp": "2026-03-14T08:00:44,871Z", "level": "INFO", "component": "o.e.g.GatewayService", "node.name": "elasticsearch-0", "message": "recovered [412] indices into cluster_state" }',
        ],
      });
      store.change({ container: probes(15) });
    });
    cluster.at('30s', () =>
      cluster.befall('ghcr.example/browse:12.1', {
        readyAfterSeconds: 'never',
        log: [
          'WARN  [main] o.e.client.RestClient - request [GET http://elasticsearch.catalog.svc:9200/_cluster/health] failed: java.net.ConnectException: Connection refused',
        ],
      }),
    );
    cluster.at('2m', () => undefined);
    cluster.lasts('5m');
    cluster.expectIncident({ root: 'StatefulSet/catalog/elasticsearch', mustNotBlame: ['Deployment/catalog/browse'] });
  },
);

const registryDatabase = scenario(
  'The database of the own registry does not start, the registry is down, and a rollout cannot pull',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(ingressClass);
    cluster.service('harbor/harbor-database', port(5432));
    const database = cluster.statefulSet('harbor/harbor-database', {
      image: 'ghcr.example/goharbor/harbor-db:v2.9.0',
      container: listens(5432),
      pod: { securityContext: { runAsUser: 999 } },
    });
    cluster.service('harbor/harbor-core');
    cluster.deployment('harbor/harbor-core', {
      replicas: 2,
      image: 'ghcr.example/goharbor/harbor-core:v2.9.0',
      values: { POSTGRESQL_HOST: 'harbor-database', POSTGRESQL_PORT: '5432' },
    });
    const host = {
      ...{ host: 'registry.corp.example' },
      http: {
        paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'harbor-core', port: { number: 80 } } } }],
      },
    };
    cluster.object({ ...ingress('harbor/harbor-core'), spec: { ingressClassName: 'nginx', rules: [host] } });
    cluster.service('shop/web');
    const web = cluster.deployment('shop/web', { replicas: 3, image: 'registry.corp.example/shop/web:2.3' });
    cluster.at('10s', () => {
      cluster.image('ghcr.example/goharbor/harbor-db:v2.9.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 2, code: 1 },
        log: [
          'init DB, DB version:14',
          '2026-03-14 08:00:14.113 UTC [1] FATAL:  data directory "/var/lib/postgresql/data/pgdata/pg14" has invalid permissions',
          '2026-03-14 08:00:14.113 UTC [1] DETAIL:  Permissions should be u=rwx (0700) or u=rwx,g=rx (0750).',
        ],
      });
      database.change({ pod: { securityContext: { runAsUser: 999, fsGroup: 999 } } });
    });
    cluster.at('25s', () =>
      cluster.befall('ghcr.example/goharbor/harbor-core:v2.9.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 10, code: 1 },
        log: [
          '2026-03-14T08:00:29Z [INFO] [/core/main.go:171]: initializing database...',
          '2026-03-14T08:00:31Z [ERROR] [/common/utils/utils.go:101]: failed to connect to tcp://harbor-database:5432, retry after 2 seconds :dial tcp 10.96.33.8:5432: connect: connection refused',
          '2026-03-14T08:00:38Z [FATAL] [/core/main.go:184]: failed to initialize database: register db Ping `default`, failed to connect to `host=harbor-database user=postgres database=registry`: dial error (dial tcp 10.96.33.8:5432: connect: connection refused)',
        ],
      }),
    );
    cluster.at('55s', () => {
      cluster.image('registry.corp.example/shop/web:2.4', {
        pullError:
          'failed to pull and unpack image "registry.corp.example/shop/web:2.4": failed to resolve reference "registry.corp.example/shop/web:2.4": unexpected status from HEAD request to https://registry.corp.example/v2/shop/web/manifests/2.4: 503 Service Temporarily Unavailable',
      });
      web.setImage('registry.corp.example/shop/web:2.4');
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'StatefulSet/harbor/harbor-database',
      mustNotBlame: ['Deployment/shop/web', 'Deployment/harbor/harbor-core'],
      messages: { update: '≤2' },
    });
  },
);

const rateLimited = scenario(
  'A public registry counts too many pulls, and new machines get none of its images',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const limited = (image: string): string =>
      `failed to pull and unpack image "${image}": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/${image.split('/').slice(1).join('/').split(':')[0]}/manifests/sha256:0cb9cbd6: 429 Too Many Requests - Server message: toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit`;
    const images = [
      'docker.io/library/redis:7.2.4',
      'docker.io/bitnami/postgresql:16.2.0',
      'docker.io/grafana/grafana:10.4.1',
    ] as const;
    const one = cluster.deployment('cache/redis', { image: images[0], container: listens(6379) });
    const two = cluster.deployment('db/pg-read', { replicas: 2, image: images[1], container: listens(5432) });
    const three = cluster.deployment('monitoring/grafana', { image: images[2] });
    cluster.at('10s', () => {
      for (const image of images) cluster.image(image, { pullError: limited(image) });
      for (const workload of [one, two, three])
        workload.patch({ spec: { strategy: { type: 'Recreate', rollingUpdate: null } } });
    });
    cluster.at('20s', () => {
      one.restart();
      two.restart();
      three.restart();
    });
    cluster.lasts('8m');
    cluster.expectIncident({
      root: 'Registry//docker.io',
      accepts: ['Registry//registry-1.docker.io'],
      mustNotBlame: ['Deployment/cache/redis', 'Deployment/db/pg-read', 'Deployment/monitoring/grafana'],
    });
  },
);

const powerLost = scenario(
  'A machine dies with a member of a quorum, while a cron job of somebody else is edited',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes([
      { name: 'n1', labels: { rack: 'a' } },
      { name: 'n2', labels: { rack: 'b' } },
      { name: 'n3', labels: { rack: 'c' } },
    ]);
    cluster.service('coord/consul', port(8500));
    cluster.daemonSet('coord/consul', { image: 'ghcr.example/consul:1.18', container: listens(8500) });
    cluster.service('shop/basket');
    cluster.deployment('shop/basket', { replicas: 2, image: 'ghcr.example/basket:4.4', nodeSelector: { rack: 'c' } });
    const report = cluster.cronJob('finance/report', { schedule: '0 3 1 1 *', image: 'ghcr.example/report:1.0' });
    cluster.at('10s', () => report.patch({ spec: { schedule: '30 3 1 1 *' } }));
    cluster.at('30s', () => cluster.node('n3').losePower());
    cluster.lasts('9m');
    cluster.expectIncident({
      root: 'Node//n3',
      mustNotBlame: ['CronJob/finance/report', 'DaemonSet/coord/consul', 'Deployment/shop/basket'],
    });
  },
);

const monitoringTwice = scenario(
  'A metric store cannot replay its log in the memory it has; the alert router is given a receiver that is not there',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.service('monitoring/prometheus', port(9090));
    cluster.statefulSet('monitoring/prometheus', {
      image: 'quay.example/prometheus:v2.51.0',
      memory: '2Gi',
      container: { readinessProbe: { httpGet: { path: '/-/ready', port: 9090 } } },
    });
    const routes = cluster.secret('monitoring/alertmanager-main', { 'alertmanager.yaml': 'route: {receiver: ops}' });
    cluster.service('monitoring/alertmanager', port(9093));
    const router = cluster.statefulSet('monitoring/alertmanager', {
      image: 'quay.example/alertmanager:v0.27.0',
      ...filesOf('secret', 'alertmanager-main', '/etc/alertmanager/config'),
    });
    cluster.deployment('monitoring/grafana', {
      image: 'ghcr.example/grafana:10.4',
      values: { DS_URL: 'http://prometheus.monitoring.svc:9090' },
    });
    cluster.at('5s', () => routes.edit({ 'alertmanager.yaml': 'route: {receiver: ops, routes: [{receiver: pager}]}' }));
    cluster.at('20s', () => {
      cluster.befall('quay.example/prometheus:v2.51.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 25, code: 137, oom: true },
        log: [
          'ts=2026-03-14T08:00:21.310Z caller=head.go:616 level=info component=tsdb msg="Replaying on-disk memory mappable chunks if any"',
          'ts=2026-03-14T08:00:24.114Z caller=head.go:698 level=info component=tsdb msg="Replaying WAL, this may take a while"',
          'ts=2026-03-14T08:00:39.874Z caller=head.go:760 level=info component=tsdb msg="WAL segment loaded" segment=2114 maxSegment=2390',
        ],
      });
      cluster.image('quay.example/alertmanager:v0.27.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 1, code: 1 },
        log: [
          'ts=2026-03-14T08:00:23.802Z caller=coordinator.go:113 level=info component=configuration msg="Loading configuration file" file=/etc/alertmanager/config/alertmanager.yaml',
          'ts=2026-03-14T08:00:23.803Z caller=coordinator.go:118 level=error component=configuration msg="Loading configuration file failed" file=/etc/alertmanager/config/alertmanager.yaml err="undefined receiver \\"pager\\" used in route"',
        ],
      });
      router.restart();
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'StatefulSet/monitoring/prometheus',
      reason: 'OOMKilled',
      mustNotBlame: ['Secret/monitoring/alertmanager-main', 'Deployment/monitoring/grafana'],
    });
    cluster.expectIncident({
      root: 'Secret/monitoring/alertmanager-main',
      mustNotBlame: ['StatefulSet/monitoring/prometheus'],
    });
  },
);

const unknownOutput = scenario(
  'Log shippers get an output that they do not know, while the log store is being restarted',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.service('logging/opensearch', port(9200));
    const store = cluster.statefulSet('logging/opensearch', {
      replicas: 3,
      image: 'ghcr.example/opensearch:2.12',
      container: listens(9200),
    });
    cluster.image('ghcr.example/opensearch:2.12', { readyAfterSeconds: 9 });
    const output = (name: string) => ({
      'fluent-bit.conf': `[INPUT]\n    Name tail\n[OUTPUT]\n    Name ${name}\n    Host opensearch.logging.svc\n`,
    });
    const settings = cluster.configMap('logging/fluent-bit', output('opensearch'));
    const shipper = cluster.daemonSet('logging/fluent-bit', {
      image: 'ghcr.example/fluent-bit:3.0.4',
      ...filesOf('configMap', 'fluent-bit', '/fluent-bit/etc'),
      spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } } },
    });
    cluster.at('5s', () => store.restart());
    cluster.at('12s', () => settings.edit(output('opensearch-v2')));
    cluster.at('22s', () => {
      cluster.image('ghcr.example/fluent-bit:3.0.4', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 1, code: 255 },
        log: [
          'Fluent Bit v3.0.4',
          '* Copyright (C) 2015-2024 The Fluent Bit Authors',
          "[2026/03/14 08:00:23] [error] [config] section 'opensearch-v2' tried to instance a plugin name that doesn't exist",
          '[2026/03/14 08:00:23] [error] configuration file contains errors, aborting.',
        ],
      });
      shipper.restart();
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({ root: 'ConfigMap/logging/fluent-bit', mustNotBlame: ['StatefulSet/logging/opensearch'] });
  },
);

const exportFillsDisk = scenario(
  'An export fills the disk of its machine, is evicted and may not come back',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes(['n1', { name: 'n2', labels: { pool: 'batch' } }, 'n3']);
    cluster.image('ghcr.example/warehouse-export:5.2', { readyAfterSeconds: 1 });
    cluster.deployment('warehouse/export', {
      image: 'ghcr.example/warehouse-export:5.2',
      probe: false,
      nodeSelector: { pool: 'batch' },
    });
    cluster.deployment('warehouse/ui', { replicas: 2, image: 'ghcr.example/warehouse-ui:5.2' });
    // As the node lifecycle controller does.
    const tainted = cluster.planned({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n2' } });
    cluster.at('30s', () => {
      cluster.node('n2').press('DiskPressure');
      tainted.patch({ spec: { taints: [{ key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' }] } });
    });
    cluster.at('31s', () =>
      cluster
        .node('n2')
        .evict(
          'The node was low on resource: ephemeral-storage. Threshold quantity: 10738086912, available: 8126048Ki. Container export was using 61384192Ki, request is 0, has larger consumption of ephemeral-storage. ',
        ),
    );
    cluster.lasts('8m');
    cluster.expectIncident({
      root: 'Node//n2',
      accepts: ['Deployment/warehouse/export'],
      mustNotBlame: ['Deployment/warehouse/ui'],
    });
  },
);

const grantRevoked = scenario(
  'A grant between two namespaces is removed, and a route may no longer use its backend',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const group = 'gateway.networking.k8s.io';
    cluster.object(definition(group, 'v1', 'GatewayClass', 'gatewayclasses', 'Cluster'));
    cluster.object(definition(group, 'v1', 'Gateway', 'gateways'));
    cluster.object(definition(group, 'v1', 'HTTPRoute', 'httproutes'));
    cluster.object(definition(group, 'v1beta1', 'ReferenceGrant', 'referencegrants'));
    cluster.deployment('envoy-gateway-system/envoy-gateway', { image: 'ghcr.example/envoy-gateway:v1.0.0' });
    cluster.object({
      ...{ apiVersion: `${group}/v1`, kind: 'Gateway', metadata: { namespace: 'edge', name: 'public' } },
      spec: { gatewayClassName: 'eg', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
    });
    cluster.service('users/profiles');
    cluster.deployment('users/profiles', { replicas: 2, image: 'ghcr.example/profiles:2.2' });
    const grant = cluster.object({
      ...{
        apiVersion: `${group}/v1beta1`,
        kind: 'ReferenceGrant',
        metadata: { namespace: 'users', name: 'from-edge' },
      },
      spec: { from: [{ group, kind: 'HTTPRoute', namespace: 'edge' }], to: [{ group: '', kind: 'Service' }] },
    });
    const route = cluster.object({
      ...{ apiVersion: `${group}/v1`, kind: 'HTTPRoute', metadata: { namespace: 'edge', name: 'profiles' } },
      spec: {
        parentRefs: [{ name: 'public' }],
        hostnames: ['profiles.example'],
        rules: [{ backendRefs: [{ name: 'profiles', namespace: 'users', port: 80 }] }],
      },
    });
    const parents = (status: string, reason: string, message: string): object => ({
      parents: [
        {
          parentRef: { name: 'public' },
          controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
          conditions: [
            {
              type: 'Accepted',
              status: 'True',
              reason: 'Accepted',
              message: 'Route is accepted',
              observedGeneration: 1,
              lastTransitionTime: 'now',
            },
            { type: 'ResolvedRefs', status, reason, message, observedGeneration: 1, lastTransitionTime: 'now' },
          ],
        },
      ],
    });
    route.status(parents('True', 'ResolvedRefs', 'Resolved all the Object references for the Route'));
    cluster.at('15s', () => grant.delete());
    cluster.at('16s', () =>
      route.status(
        parents(
          'False',
          'RefNotPermitted',
          'Backend ref to Service users/profiles not permitted by any ReferenceGrant.',
        ),
      ),
    );
    cluster.lasts('8m');
    cluster.expectIncident({
      root: 'HTTPRoute/edge/profiles',
      accepts: ['ReferenceGrant/users/from-edge'],
      mustNotBlame: ['Service/users/profiles', 'Gateway/edge/public'],
      beginsAfterSeconds: 16,
      firstMessageWithinSeconds: 900,
    });
  },
);

/** Controllers, registries, machines and the pipelines of logs and metrics. */
export const stories = {
  'resource-metrics-refuse-kubelet-certificates': scraperRefused,
  'source-repository-key-changed': deployKey,
  'operator-upgraded-before-its-kinds': operatorAhead,
  'operator-role-loses-a-right': fewerRights,
  'secret-kept-elsewhere-is-not-synced': notSynced,
  'cloud-role-of-an-account-misspelt': roleOfAccount,
  'machine-group-at-its-most': groupAtItsMost,
  'runner-quota-lowered-and-two-builders-for-one-lock': runnersAndBuilder,
  'recovery-cut-short-by-an-impatient-probe': impatient,
  'registry-database-down-during-a-rollout': registryDatabase,
  'public-registry-limits-pulls': rateLimited,
  'machine-dies-while-a-schedule-is-edited': powerLost,
  'metric-store-out-of-memory-and-a-receiver-missing': monitoringTwice,
  'log-shipper-output-unknown-while-the-store-restarts': unknownOutput,
  'export-fills-the-disk-of-its-machine': exportFillsDisk,
  'grant-for-a-backend-revoked': grantRevoked,
};
