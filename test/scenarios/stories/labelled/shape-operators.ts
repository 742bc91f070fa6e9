import { condition, custom, define, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, killed, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { ingress } from '../../kit/things.ts';

const ready = condition('Ready', 'True', 'Ready', 'all is in place');

/** Operators and controllers that stop, and what stands still for it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/emqx/emqx-operator/issues/1193, https://github.com/CrowdStrike/falcon-operator/issues/396
  'upgrade-of-an-operator-without-its-new-role': reported(
    'An operator is upgraded and may not list what its new version watches; it ends when its caches do not fill, again and again',
    (cluster, firm) => {
      cluster.pro();
      define(cluster, 'apps.emqx.io/v2', ['EMQX']);
      const repository = 'docker.io/emqx/emqx-operator-controller';
      const metadata = { name: 'emqx-operator', namespace: 'emqx' };
      cluster.object({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
      const operator = cluster.deployment('emqx/emqx-operator', {
        image: `${repository}:2.2.29`,
        pod: { serviceAccountName: metadata.name },
      });
      const broker = custom(cluster, 'apps.emqx.io/v2', 'EMQX', 'emqx/plant', { image: 'emqx:5.8' });
      broker.status(ready);
      cluster.statefulSet('emqx/plant-core', { replicas: 3, image: 'docker.io/emqx/emqx:5.8.2' });
      cluster.image(
        `${repository}:2.3.0`,
        ends(
          [
            '2026-04-28T08:59:25Z\tINFO\tStarting Controller\t{"controller": "rebalance", "controllerGroup": "apps.emqx.io", "controllerKind": "Rebalance"}',
            'W0428 08:59:25.071462       1 reflector.go:561] pkg/mod/k8s.io/client-go@v0.31.0/tools/cache/reflector.go:243: failed to list *v2.EMQX: emqxes.apps.emqx.io is forbidden: User "system:serviceaccount:emqx:emqx-operator" cannot list resource "emqxes" in API group "apps.emqx.io" at the cluster scope',
            '2026-04-28T09:01:25Z\tERROR\tCould not wait for Cache to sync\t{"controller": "emqx", "controllerGroup": "apps.emqx.io", "controllerKind": "EMQX", "error": "failed to wait for emqx caches to sync: timed out waiting for cache to be synced for Kind *v2.EMQX"}',
            '2026-04-28T09:01:25Z\tERROR\tsetup\tproblem running manager\t{"error": "failed to wait for emqx caches to sync: timed out waiting for cache to be synced for Kind *v2.EMQX"}',
          ],
          1,
          60,
        ),
      );
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => operator.setImage(`${repository}:2.3.0`));
      cluster.expectIncident({
        root: 'Deployment/emqx/emqx-operator',
        accepts: ['ServiceAccount/emqx/emqx-operator'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['StatefulSet/emqx/plant-core', 'EMQX.apps.emqx.io/emqx/plant', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/traefik/traefik-helm-chart/issues/870: the chart's role does not know the kinds of the new version.
  'proxy-may-not-list-its-new-kinds': reported(
    'Traefik gets a version that watches kinds its role does not name: it never gets ready, and its old Pods serve on',
    (cluster) => {
      const repository = 'docker.io/traefik';
      const proxy = cluster.deployment('traefik/traefik', {
        replicas: 2,
        image: `${repository}:v2.11.2`,
        pod: { serviceAccountName: 'default' },
      });
      cluster
        .service('traefik/traefik', { type: 'LoadBalancer' })
        .status({ loadBalancer: { ingress: [{ ip: '203.0.113.80' }] } });
      cluster.deployment('site/blog', { replicas: 2, image: imageAt('blog', 7) });
      cluster.service('site/blog');
      const forbidden = (plural: string, kind: string) =>
        `E1122 09:03:12.718200       1 reflector.go:138] github.com/traefik/traefik/v3/pkg/provider/kubernetes/crd/generated/informers/externalversions/factory.go:117: Failed to watch *v1alpha1.${kind}: failed to list *v1alpha1.${kind}: ${plural}.traefik.io is forbidden: User "system:serviceaccount:traefik:traefik" cannot list resource "${plural}" in API group "traefik.io" at the cluster scope`;
      cluster.image(
        `${repository}:v3.1.2`,
        unready(
          [
            '2026-11-22T09:03:10Z INF Traefik version 3.1.2 built on 2024-08-06T13:37:54Z version=3.1.2',
            forbidden('middlewaretcps', 'MiddlewareTCP'),
            forbidden('serverstransporttcps', 'ServersTransportTCP'),
          ],
          'HTTP probe failed with statuscode: 500',
        ),
      );
      cluster.at(after(0), () => proxy.setImage(`${repository}:v3.1.2`));
      cluster.expectIncident({
        root: 'Deployment/traefik/traefik',
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/site/blog', 'Service/site/blog', 'Service/traefik/traefik'],
      });
    },
  ),

  // https://github.com/envoyproxy/gateway/issues/7709, https://github.com/envoyproxy/gateway/issues/3340: Helm does not upgrade kinds.
  'gateway-is-ahead-of-its-kinds': reported(
    'The controller of the gateways is upgraded and its kinds are not; it crashes, and a route that is made meanwhile is taken by nobody',
    (cluster) => {
      cluster.pro();
      define(cluster, 'gateway.networking.k8s.io/v1', ['Gateway', 'HTTPRoute']);
      const repository = 'docker.io/envoyproxy/gateway';
      const controller = cluster.deployment('envoy-gateway-system/envoy-gateway', {
        image: `${repository}:v1.5.6`,
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.deployment('envoy-gateway-system/envoy-edge', {
        replicas: 2,
        image: 'docker.io/envoyproxy/envoy:distroless-v1.35.3',
      });
      const gateway = custom(cluster, 'gateway.networking.k8s.io/v1', 'Gateway', 'edge/public', {
        gatewayClassName: 'eg',
        listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
      });
      gateway.status({
        conditions: [
          {
            type: 'Accepted',
            status: 'True',
            reason: 'Accepted',
            message: 'The Gateway has been scheduled by Envoy Gateway',
          },
          { type: 'Programmed', status: 'True', reason: 'Programmed', message: 'Address assigned to the Gateway' },
        ],
      });
      cluster.deployment('edge/landing', { replicas: 2, image: imageAt('landing', 2) });
      cluster.service('edge/landing');
      cluster.image(
        `${repository}:v1.6.1`,
        ends(
          [
            '2026-01-01T10:14:40.118Z\tINFO\tprovider\tkubernetes/controller.go:104\tcreated gatewayapi controller\t{"runner": "provider"}',
            '2026-01-01T10:16:40.201Z\tERROR\tcontroller-runtime.source.EventHandler\tsource/kind.go:71\tif kind is a CRD, it should be installed before calling Start\t{"kind": "BackendTLSPolicy.gateway.networking.k8s.io", "error": "no matches for kind \\"BackendTLSPolicy\\" in version \\"gateway.networking.k8s.io/v1\\""}',
            'Error: failed to start manager: failed to wait for gatewayapi caches to sync: timed out waiting for cache to be synced for Kind *v1.BackendTLSPolicy',
          ],
          1,
          25,
        ),
      );
      cluster.at(after(0), () => controller.setImage(`${repository}:v1.6.1`));
      cluster.at(after(120), () =>
        custom(cluster, 'gateway.networking.k8s.io/v1', 'HTTPRoute', 'edge/landing', {
          parentRefs: [{ name: 'public' }],
          rules: [{ backendRefs: [{ name: 'landing', port: 80 }] }],
        }),
      );
      cluster.expectIncident({
        root: 'Deployment/envoy-gateway-system/envoy-gateway',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 300,
        mustNotBlame: [
          'Gateway.gateway.networking.k8s.io/edge/public',
          'HTTPRoute.gateway.networking.k8s.io/edge/landing',
          'Deployment/edge/landing',
        ],
      });
    },
  ),

  // https://strimzi.io/docs/operators/latest/deploying: the topic is asked for, and nobody makes it.
  'nobody-makes-the-topic': reported(
    'The operator that makes topics is killed for its memory; a release asks for a new topic, which does not exist',
    (cluster) => {
      cluster.pro();
      define(cluster, 'kafka.strimzi.io/v1', ['KafkaTopic']);
      const image = 'quay.io/strimzi/operator:0.44.0';
      cluster.deployment('kafka/strimzi-entity-operator', { image, memory: '384Mi' });
      server(cluster, 'kafka/events-kafka', 'quay.io/strimzi/kafka:0.44.0-kafka-3.8.0', 9092, { replicas: 3 });
      const topic = custom(cluster, 'kafka.strimzi.io/v1', 'KafkaTopic', 'kafka/orders.v1', { partitions: 12 });
      topic.status(ready);
      const place = 'shop/order-events';
      const first = imageAt('order-events', 41);
      const handle = cluster.deployment(place, {
        ...{ replicas: 2, image: first },
        values: { KAFKA_BOOTSTRAP: 'events-kafka.kafka.svc.cluster.local:9092' },
      });
      cluster.image(
        imageAt('order-events', 42),
        ends(
          [
            '%5|1763802120.114|PARTCNT|order-events#producer-1| [thrd:main]: Topic orders.v2 partition count changed from 0 to -1',
            'cimpl.KafkaException: KafkaError{code=UNKNOWN_TOPIC_OR_PART,val=3,str="Broker: Unknown topic or partition: orders.v2"}',
          ],
          1,
          6,
        ),
      );
      cluster.at(after(0), () =>
        cluster.befall(image, killed(['[main] INFO  Main:51 - UserOperator 0.44.0 is starting'], 12)),
      );
      cluster.at(after(180), () => {
        custom(cluster, 'kafka.strimzi.io/v1', 'KafkaTopic', 'kafka/orders.v2', { partitions: 12 });
        handle.setImage(imageAt('order-events', 42));
      });
      cluster.expectIncident({
        root: 'Deployment/kafka/strimzi-entity-operator',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['StatefulSet/kafka/events-kafka', 'KafkaTopic.kafka.strimzi.io/kafka/orders.v1'],
      });
      // A person blames the release or the topic as well, until somebody looks at the operator.
      cluster.expectIncident({
        root: 'Deployment/shop/order-events',
        accepts: ['KafkaTopic.kafka.strimzi.io/kafka/orders.v2'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['StatefulSet/kafka/events-kafka'],
      });
    },
  ),

  // https://github.com/cert-manager/cert-manager/pull/4546: without its controller no certificate is made.
  'nobody-makes-the-certificate': reported(
    'The controller of cert-manager does not find its configuration after an upgrade and ends; a new service waits for a certificate that nobody makes',
    (cluster, firm) => {
      cluster.pro();
      define(cluster, 'cert-manager.io/v1', ['Certificate']);
      define(cluster, 'cert-manager.io/v1', ['ClusterIssuer'], 'Cluster');
      const repository = 'quay.io/jetstack/cert-manager-controller';
      const controller = cluster.deployment('cert-manager/cert-manager', {
        ...{ image: `${repository}:v1.14.7`, probe: false },
        spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
      });
      cluster.deployment('cert-manager/cert-manager-webhook', {
        image: 'quay.io/jetstack/cert-manager-webhook:v1.14.7',
      });
      custom(cluster, 'cert-manager.io/v1', 'ClusterIssuer', '/house', { ca: { secretName: 'house' } }).status(ready);
      cluster.image(
        `${repository}:v1.16.1`,
        ends(
          [
            'E1122 09:33:18.330018       1 main.go:40] "error executing command" err="failed to load config file: strict decoding error: unknown field \\"featureGates.ExperimentalGatewayAPISupport\\"" logger="cert-manager"',
          ],
          1,
          2,
        ),
      );
      innocentRelease(cluster, after(-12), firm);
      cluster.at(after(0), () => controller.setImage(`${repository}:v1.16.1`));
      cluster.at(after(240), () => {
        custom(cluster, 'cert-manager.io/v1', 'Certificate', 'claims/api-tls', {
          secretName: 'api-tls',
          dnsNames: ['api.claims.svc'],
          issuerRef: { kind: 'ClusterIssuer', name: 'house' },
        });
        cluster.deployment('claims/api', {
          replicas: 2,
          image: imageAt('claims-api', 1),
          pod: { volumes: [{ name: 'tls', secret: { secretName: 'api-tls' } }] },
          broken: true,
        });
      });
      cluster.expectIncident({
        root: 'Deployment/cert-manager/cert-manager',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/claims/api', 'ClusterIssuer.cert-manager.io//house', 'Secret/claims/api-tls'],
      });
    },
  ),

  // https://github.com/kedacore/charts/issues/361: who answers for metrics asks the operator, and the operator is gone.
  'figures-come-from-an-operator-that-crashes': reported(
    'The operator of KEDA crashes after an upgrade; who answers for metrics is healthy and has none, and the autoscalers of two teams see nothing',
    (cluster) => {
      const repository = 'ghcr.io/kedacore/keda';
      const operator = cluster.deployment('keda/keda-operator', {
        image: `${repository}:2.14.1`,
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('keda/keda-operator', { ...port(9666, 'metricsservice'), clusterIP: '10.96.14.2' });
      cluster.deployment('keda/keda-operator-metrics-apiserver', {
        image: 'ghcr.io/kedacore/keda-metrics-apiserver:2.14.1',
      });
      cluster.service('keda/keda-operator-metrics-apiserver', port(443, 'https'));
      const served = cluster.object({
        ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' },
        metadata: { name: 'v1beta1.external.metrics.k8s.io' },
        spec: {
          ...{ group: 'external.metrics.k8s.io', version: 'v1beta1', insecureSkipTLSVerify: true },
          ...{ groupPriorityMinimum: 100, versionPriority: 100 },
          service: { namespace: 'keda', name: 'keda-operator-metrics-apiserver' },
        },
      });
      served.status(condition('Available', 'True', 'Passed', 'all checks passed'));
      const scalers = ['mail/sender', 'video/transcode'].map((place) => {
        const [namespace = '', name = ''] = place.split('/');
        cluster.deployment(place, { replicas: 2, image: imageOf(place) });
        const scaler = cluster.object({
          ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
          metadata: { namespace, name: `keda-hpa-${name}` },
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
            ...{ minReplicas: 1, maxReplicas: 20 },
            metrics: [
              {
                type: 'External',
                external: {
                  metric: { name: 's0-rabbitmq-jobs' },
                  target: { type: 'AverageValue', averageValue: '20' },
                },
              },
            ],
          },
        });
        const says = (status: 'True' | 'False', reason: string, message: string) =>
          scaler.status({
            ...{ currentReplicas: 2, desiredReplicas: 2 },
            conditions: [{ type: 'ScalingActive', status, reason, message, lastTransitionTime: 'now' }],
          });
        says(
          'True',
          'ValidMetricFound',
          'the HPA was able to successfully calculate a replica count from external metric s0-rabbitmq-jobs(nil)',
        );
        return says;
      });
      cluster.image(
        `${repository}:2.16.0`,
        ends(
          [
            '2026-11-22T09:40:00Z\tINFO\tsetup\tStarting manager',
            '2026-11-22T09:40:01Z\tERROR\tcert-rotation\tcould not update secret\t{"error": "open /certs/ca.crt: permission denied"}',
            'panic: runtime error: invalid memory address or nil pointer dereference',
            '[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x2b0a1e4]',
          ],
          2,
          5,
        ),
      );
      cluster.at(after(0), () => operator.setImage(`${repository}:2.16.0`));
      cluster.at(after(30), () => {
        for (const says of scalers)
          says(
            'False',
            'FailedGetExternalMetric',
            'the HPA was unable to compute the replica count: unable to get external metric s0-rabbitmq-jobs: unable to fetch metrics from external metrics API: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 10.96.14.2:9666: connect: connection refused"',
          );
      });
      cluster.expectIncident({
        root: 'Deployment/keda/keda-operator',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          'HorizontalPodAutoscaler/mail/keda-hpa-sender',
          'HorizontalPodAutoscaler/video/keda-hpa-transcode',
          'Deployment/keda/keda-operator-metrics-apiserver',
          'APIService//v1beta1.external.metrics.k8s.io',
        ],
      });
    },
  ),

  // https://karpenter.sh/docs/troubleshooting/: no image of a machine fits what the class asks for.
  'class-of-the-machines-finds-no-image': reported(
    'The class of the machines is edited and names images that do not exist; the pool is not ready, and Pods of two teams wait for room',
    (cluster) => {
      cluster.pro();
      cluster.nodes([
        { name: 'n1', cpu: '4' },
        { name: 'n2', cpu: '4' },
      ]);
      define(cluster, 'karpenter.k8s.aws/v1', ['EC2NodeClass'], 'Cluster');
      define(cluster, 'karpenter.sh/v1', ['NodePool'], 'Cluster');
      cluster.deployment('kube-system/karpenter', { replicas: 2, image: 'public.ecr.aws/karpenter/controller:1.0.6' });
      const nodeClass = custom(cluster, 'karpenter.k8s.aws/v1', 'EC2NodeClass', '/default', {
        amiSelectorTerms: [{ alias: 'al2023@v20241024' }],
        role: 'KarpenterNodeRole-prod',
      });
      nodeClass.status(ready);
      const pool = custom(cluster, 'karpenter.sh/v1', 'NodePool', '/general', {
        template: { spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' } } },
      });
      pool.status(ready);
      const handles = ['ads/bidder', 'ads/ranker'].map((place) =>
        cluster.deployment(place, { replicas: 3, image: imageOf(place), cpu: '800m' }),
      );
      cluster.at(after(0), () => nodeClass.patch({ spec: { amiSelectorTerms: [{ tags: { 'team-image': 'gold' } }] } }));
      cluster.at(after(6), () => {
        nodeClass.status({
          conditions: [
            {
              ...{ type: 'AMIsReady', status: 'False', reason: 'AMINotFound', lastTransitionTime: 'now' },
              message: 'AMISelector did not match any AMIs',
            },
            {
              ...{ type: 'Ready', status: 'False', reason: 'UnhealthyDependents', lastTransitionTime: 'now' },
              message: 'AMIsReady=False',
            },
          ],
        });
        pool.status({
          conditions: [
            {
              ...{ type: 'NodeClassReady', status: 'False', reason: 'UnhealthyDependents', lastTransitionTime: 'now' },
              message: 'AMIsReady=False',
            },
            {
              ...{ type: 'Ready', status: 'False', reason: 'UnhealthyDependents', lastTransitionTime: 'now' },
              message: 'NodeClassReady=False',
            },
          ],
        });
      });
      cluster.at(after(60), () => {
        for (const handle of handles) handle.scale(6);
      });
      cluster.expectIncident({
        root: 'EC2NodeClass.karpenter.k8s.aws//default',
        accepts: ['NodePool.karpenter.sh//general'],
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 336,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/ads/bidder', 'Deployment/ads/ranker', 'Deployment/kube-system/karpenter'],
      });
    },
  ),

  // https://github.com/linode/apl-core/issues/3424: the chart made a new password, the cache runs on with the old one.
  'deployer-has-a-new-password-for-its-cache': reported(
    'An upgrade makes a new password for the cache of Argo CD, which keeps the old one; server, repository server and controller are refused',
    (cluster) => {
      const secret = cluster.secret('argocd/argocd-redis', { auth: 'one' });
      server(cluster, 'argocd/argocd-redis', 'docker.io/library/redis:7.2.4-alpine', 6379, {
        env: { REDIS_PASSWORD: 'secret/argocd-redis/auth' },
        clusterIP: '10.96.101.6',
      });
      const image = 'quay.io/argoproj/argocd:v2.12.4';
      const names = ['argocd-server', 'argocd-repo-server', 'argocd-applicationset-controller'];
      const handles = names.map((name) =>
        cluster.deployment(`argocd/${name}`, {
          image,
          env: { REDIS_PASSWORD: 'secret/argocd-redis/auth' },
          values: { REDIS_SERVER: 'argocd-redis:6379' },
        }),
      );
      cluster.at(after(-8), () => secret.edit({ auth: 'two' }));
      cluster.at(after(0), () => {
        cluster.image(
          image,
          unready(
            [
              'time="2026-11-22T09:20:03Z" level=warning msg="Failed to resync revoked tokens. retrying again in 1 minute: WRONGPASS invalid username-password pair or user is disabled."',
              'redis: 2026/11/22 09:20:04 pubsub.go:159: redis: discarding bad PubSub connection: WRONGPASS invalid username-password pair or user is disabled.',
            ],
            'HTTP probe failed with statuscode: 503',
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Secret/argocd/argocd-redis',
        accepts: ['StatefulSet/argocd/argocd-redis'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: names.map((name) => `Deployment/argocd/${name}` as const),
      });
    },
  ),

  // https://github.com/fluxcd/flux2/issues/2067: what was fetched is served by the controller that fetches.
  'source-controller-has-no-room-for-what-it-fetches': reported(
    'The source controller of Flux ends, as its volume is full; three Kustomizations can download nothing from it',
    (cluster) => {
      cluster.pro();
      define(cluster, 'source.toolkit.fluxcd.io/v1', ['GitRepository']);
      define(cluster, 'kustomize.toolkit.fluxcd.io/v1', ['Kustomization']);
      const image = 'ghcr.io/fluxcd/source-controller:v1.4.1';
      cluster.deployment('flux-system/source-controller', { image });
      cluster.service('flux-system/source-controller', { ...port(80, 'http'), clusterIP: '10.96.5.80' });
      cluster.deployment('flux-system/kustomize-controller', { image: 'ghcr.io/fluxcd/kustomize-controller:v1.4.0' });
      const source = custom(cluster, 'source.toolkit.fluxcd.io/v1', 'GitRepository', 'flux-system/fleet', {
        url: 'https://code.acme.example/fleet',
      });
      source.status(ready);
      const parts = ['infrastructure', 'monitoring', 'tenants'].map((name) => {
        const part = custom(cluster, 'kustomize.toolkit.fluxcd.io/v1', 'Kustomization', `flux-system/${name}`, {
          sourceRef: { kind: 'GitRepository', name: 'fleet' },
          path: `./${name}`,
        });
        part.status(ready);
        return part;
      });
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              '{"level":"info","ts":"2026-11-22T09:51:01.002Z","logger":"setup","msg":"starting manager"}',
              '{"level":"error","ts":"2026-11-22T09:51:02.118Z","logger":"setup","msg":"unable to create storage directory","error":"mkdir /data/gitrepository: no space left on device"}',
            ],
            1,
            3,
          ),
        ),
      );
      cluster.at(after(65), () => {
        for (const part of parts)
          part.status(
            condition(
              'Ready',
              'False',
              'ArtifactFailed',
              'failed to download archive: GET http://source-controller.flux-system.svc.cluster.local./gitrepository/flux-system/fleet/9b1c0f.tar.gz giving up after 10 attempt(s): dial tcp 10.96.5.80:80: connect: connection refused',
            ),
          );
      });
      cluster.expectIncident({
        root: 'Deployment/flux-system/source-controller',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          'Kustomization.kustomize.toolkit.fluxcd.io/flux-system/infrastructure',
          'Kustomization.kustomize.toolkit.fluxcd.io/flux-system/monitoring',
          'Kustomization.kustomize.toolkit.fluxcd.io/flux-system/tenants',
          'GitRepository.source.toolkit.fluxcd.io/flux-system/fleet',
          'Deployment/flux-system/kustomize-controller',
        ],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/ingress/#ingress-class: an Ingress is made, and who answers for its class is scaled to nothing.
  'nobody-answers-for-a-class': reported(
    'The controller of the load balancers was scaled to nothing for maintenance; an Ingress that is made later gets no address',
    (cluster) => {
      cluster.pro();
      const controller = cluster.deployment('kube-system/aws-load-balancer-controller', {
        replicas: 2,
        image: 'public.ecr.aws/eks/aws-load-balancer-controller:v2.9.2',
      });
      cluster.object({
        ...{ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: 'nginx' } },
        spec: { controller: 'ingress.k8s.aws/alb' },
      });
      cluster.deployment('events/tickets', { replicas: 2, image: imageAt('tickets', 3) });
      cluster.service('events/tickets');
      cluster.deployment('events/press', { replicas: 2, image: imageAt('press', 1) });
      cluster.service('events/press');
      // Another Ingress of the class has had its address since it was made.
      cluster
        .object(ingress('events/press'))
        .status({ loadBalancer: { ingress: [{ hostname: 'press-1.elb.example' }] } });
      cluster.at(after(0), () => controller.scale(0));
      cluster.at(after(180), () => cluster.object(ingress('events/tickets')));
      cluster.expectIncident({
        root: 'Deployment/kube-system/aws-load-balancer-controller',
        accepts: ['Ingress/events/tickets'],
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 510,
        firstMessageWithinSeconds: 1800,
        mustNotBlame: ['Deployment/events/tickets', 'Service/events/tickets'],
      });
    },
    { minutes: 40 },
  ),
};
