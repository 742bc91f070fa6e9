import type { Scenario } from '../../kit/scenario.ts';
import { scenario } from '../../kit/scenario.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

/** A Service of one port, the same inside. */
const on = (port: number, more: object = {}): object => ({
  ports: [{ name: 'tcp', port, targetPort: port, protocol: 'TCP' }],
  ...more,
});

/** A definition of a kind whose objects may say what they like. */
const defined = (group: string, version: string, kind: string, plural: string) => ({
  ...{
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
  },
  spec: {
    ...{ group, scope: 'Namespaced', names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` } },
    versions: [
      {
        ...{ name: version, served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

/** What platforms do to applications: certificates, meshes, rights, images, what is applied by machines. */
export const stories: Readonly<Record<string, Scenario>> = {
  'key-and-certificate-are-no-pair': scenario(
    'The Secret of an inner gateway is edited by hand with the key of another certificate; the gateway is restarted for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const pair = cluster.secret('edge/gateway-tls', { 'tls.crt': 'cert-2025', 'tls.key': 'key-2025' });
      const image = 'registry.example/library/nginx:1.27';
      const gateway = cluster.deployment('edge/inner-gateway', {
        ...{ replicas: 2, image },
        container: { volumeMounts: [{ name: 'tls', mountPath: '/etc/tls', readOnly: true }] },
        pod: { volumes: [{ name: 'tls', secret: { secretName: 'gateway-tls' } }] },
      });
      cluster.service('edge/inner-gateway', on(8443));
      cluster.at('10s', () => pair.edit({ 'tls.crt': 'cert-2026', 'tls.key': 'key-2024' }));
      cluster.at('30s', () => {
        cluster.image(image, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 0.5, code: 1 },
          log: [
            '/docker-entrypoint.sh: Launching /docker-entrypoint.d/20-envsubst-on-templates.sh',
            '/docker-entrypoint.sh: Configuration complete; ready for start up',
            '2026/11/24 12:12:03 [emerg] 1#1: SSL_CTX_use_PrivateKey("/etc/tls/tls.key") failed (SSL: error:05800074:x509 certificate routines::key values mismatch)',
            'nginx: [emerg] SSL_CTX_use_PrivateKey("/etc/tls/tls.key") failed (SSL: error:05800074:x509 certificate routines::key values mismatch)',
          ],
        });
        gateway.restart();
      });
      cluster.lasts('4m');
      cluster.expectIncident({ root: 'Secret/edge/gateway-tls', mustNotBlame: ['Deployment/edge/inner-gateway'] });
    },
  ),

  'bundle-of-authorities-loses-the-inner-one': scenario(
    'The bundle of trusted authorities is replaced by that of the public ones; two Go services trust the inner API no more, which is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const bundle = cluster.configMap('apps/ca-bundle', {
        'ca.crt': '# Corp Internal Root CA\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
      });
      cluster.deployment('identity/idp', { replicas: 2, image: 'registry.example/identity/idp:26.0' });
      cluster.service('identity/idp', on(8443));
      const mounted = {
        container: { volumeMounts: [{ name: 'ca', mountPath: '/etc/ssl/corp' }] },
        pod: { volumes: [{ name: 'ca', configMap: { name: 'ca-bundle' } }] },
        values: {
          SSL_CERT_DIR: '/etc/ssl/corp',
          OIDC_ISSUER: 'https://idp.identity.svc.cluster.local:8443/realms/corp',
        },
      };
      const names = ['admin-api', 'export-api'];
      const apps = names.map((name) =>
        cluster.deployment(`apps/${name}`, { replicas: 2, image: `registry.example/apps/${name}:1.0`, ...mounted }),
      );
      for (const name of names) cluster.service(`apps/${name}`);
      cluster.at('10s', () =>
        bundle.edit({
          'ca.crt': '# Mozilla CA bundle 2026-10\n-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----\n',
        }),
      );
      cluster.at('25s', () => {
        for (const name of names)
          cluster.image(`registry.example/apps/${name}:1.0`, {
            readyAfterSeconds: 'never',
            exit: { afterSeconds: 1.5, code: 1 },
            log: [
              `{"time":"2026-11-24T12:40:11Z","level":"INFO","msg":"starting ${name}"}`,
              '{"time":"2026-11-24T12:40:12Z","level":"ERROR","msg":"oidc discovery failed","err":"Get \\"https://idp.identity.svc.cluster.local:8443/realms/corp/.well-known/openid-configuration\\": tls: failed to verify certificate: x509: certificate signed by unknown authority"}',
            ],
          });
        for (const app of apps) app.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'ConfigMap/apps/ca-bundle',
        mustNotBlame: ['Deployment/identity/idp', 'Service/identity/idp'],
      });
    },
  ),

  'mesh-has-nobody-who-tells-its-proxies-the-way': scenario(
    'The control plane of a mesh is killed at its limit of memory; new Pods of three teams have proxies without a configuration',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const pilot = 'registry.example/istio/pilot:1.23.2';
      cluster.deployment('istio-system/istiod', {
        ...{ replicas: 1, image: pilot, memory: '512Mi' },
        container: { readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 3 } },
      });
      cluster.service('istio-system/istiod', on(15012, { clusterIP: '10.96.90.15' }));
      const proxy = 'registry.example/istio/proxyv2:1.23.2';
      const meshed = (name: string, image: string): object => ({
        containers: [
          { name, image },
          {
            ...{ name: 'istio-proxy', image: proxy, args: ['proxy', 'sidecar'] },
            env: [{ name: 'CA_ADDR', value: 'istiod.istio-system.svc:15012' }],
            readinessProbe: { httpGet: { path: '/healthz/ready', port: 15021 } },
          },
        ],
      });
      const places = ['cart/cart', 'stock/stock', 'reviews/reviews'];
      const apps = places.map((place) => {
        const name = place.split('/')[1] ?? '';
        const image = `registry.example/${place}:5.0`;
        cluster.service(place);
        return cluster.deployment(place, { replicas: 2, image, pod: meshed(name, image) });
      });
      cluster.at('10s', () =>
        cluster.befall(pilot, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 11, code: 137, oom: true },
          log: [
            '2026-11-24T10:00:00.120413Z\tinfo\tkrt\tjoin/ServiceEntries synced',
            '2026-11-24T10:00:02.771030Z\tinfo\tads\tAll caches have been synced up in 2.65s, marking server ready',
            '2026-11-24T10:00:04.006112Z\tinfo\tads\tPush debounce stable[14] 2117 for config ServiceEntry/legacy/vm-0113: 100.2ms since last change',
          ],
        }),
      );
      cluster.at('40s', () => {
        cluster.image(proxy, {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 503',
          log: [
            '2026-11-24T10:00:31.402285Z\tinfo\txdsproxy\tconnected to delta upstream XDS server: istiod.istio-system.svc:15012\tid=1',
            '2026-11-24T10:00:32.883920Z\twarning\tenvoy config\tDeltaAggregatedResources gRPC config stream to xds-grpc closed: 14, connection error: desc = "transport: Error while dialing: dial tcp 10.96.90.15:15012: connect: connection refused"',
            '2026-11-24T10:00:33.515672Z\twarn\tEnvoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected',
            '2026-11-24T10:00:35.515101Z\twarn\tEnvoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected',
          ],
        });
        for (const app of apps) app.restart();
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/istio-system/istiod',
        reason: 'OOMKilled',
        mustNotBlame: ['Deployment/cart/cart', 'Deployment/stock/stock', 'Deployment/reviews/reviews'],
      });
    },
  ),

  'measuring-server-trusts-the-machines-no-more': scenario(
    'The server of resource metrics is started without the option that its Nodes need; two autoscalers are blind',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.k8s.example/metrics-server/metrics-server:v0.7.2';
      const args = ['--cert-dir=/tmp', '--secure-port=10250', '--metric-resolution=15s'];
      const server = cluster.deployment('kube-system/metrics-server', {
        ...{
          image,
          container: { args: [...args, '--kubelet-insecure-tls'] },
          spec: { strategy: { type: 'Recreate' } },
        },
      });
      cluster.service('kube-system/metrics-server', on(10250));
      const api = cluster.object({
        ...{
          apiVersion: 'apiregistration.k8s.io/v1',
          kind: 'APIService',
          metadata: { name: 'v1beta1.metrics.k8s.io' },
        },
        spec: {
          ...{ group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
          ...{
            insecureSkipTLSVerify: true,
            service: { name: 'metrics-server', namespace: 'kube-system', port: 10250 },
          },
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
      const scalers = ['shop/front', 'shop/api'].map((place) => {
        const name = place.split('/')[1] ?? '';
        cluster.deployment(place, { replicas: 2, image: `registry.example/${place}:31`, cpu: '250m' });
        cluster.service(place);
        return cluster.object({
          ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name, namespace: 'shop' } },
          spec: {
            ...{ minReplicas: 2, maxReplicas: 8, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name } },
            metrics: [
              { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
            ],
          },
        });
      });
      for (const scaler of scalers)
        scaler.status({
          ...{ currentReplicas: 2, desiredReplicas: 2 },
          conditions: [
            {
              type: 'AbleToScale',
              status: 'True',
              reason: 'ReadyForNewScale',
              message: 'recommended size matches current size',
              lastTransitionTime: 'now',
            },
            {
              type: 'ScalingActive',
              status: 'True',
              reason: 'ValidMetricFound',
              message:
                'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
              lastTransitionTime: 'now',
            },
          ],
        });
      cluster.at('10s', () => {
        cluster.image(image, {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 500',
          log: [
            'I1124 09:20:10.402291       1 serving.go:374] Generated self-signed cert (/tmp/apiserver.crt, /tmp/apiserver.key)',
            'E1124 09:20:26.115004       1 scraper.go:149] "Failed to scrape node" err="Get \\"https://10.0.0.1:10250/metrics/resource\\": tls: failed to verify certificate: x509: cannot validate certificate for 10.0.0.1 because it doesn\'t contain any IP SANs" node="n1"',
            'E1124 09:20:26.119771       1 scraper.go:149] "Failed to scrape node" err="Get \\"https://10.0.0.2:10250/metrics/resource\\": tls: failed to verify certificate: x509: cannot validate certificate for 10.0.0.2 because it doesn\'t contain any IP SANs" node="n2"',
            'I1124 09:20:31.884412       1 server.go:191] "Failed probe" probe="metric-storage-ready" err="no metrics to serve"',
          ],
        });
        server.change({ container: { args } });
      });
      const why =
        'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)';
      cluster.at('45s', () => {
        api.status({
          conditions: [
            {
              type: 'Available',
              status: 'False',
              reason: 'MissingEndpoints',
              message: 'endpoints for service/metrics-server in "kube-system" have no addresses with port name "tcp"',
              lastTransitionTime: 'now',
            },
          ],
        });
        for (const scaler of scalers)
          scaler.status({
            ...{ currentReplicas: 2, desiredReplicas: 2 },
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
                reason: 'FailedGetResourceMetric',
                message: `the HPA was unable to compute the replica count: ${why}`,
                lastTransitionTime: 'now',
              },
            ],
          });
      });
      for (const [when, count] of [
        ['46s', 1],
        ['106s', 5],
        ['166s', 9],
      ] as const)
        cluster.at(when, () => {
          for (const name of ['front', 'api'])
            cluster.event({
              ...{ about: `HorizontalPodAutoscaler/shop/${name}`, reason: 'FailedGetResourceMetric', count },
              ...{ message: why, by: 'horizontal-pod-autoscaler' },
            });
        });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Deployment/kube-system/metrics-server',
        mustNotBlame: ['HorizontalPodAutoscaler/shop/front', 'HorizontalPodAutoscaler/shop/api', 'Deployment/shop/api'],
      });
    },
  ),

  'shipper-of-logs-is-given-an-unknown-plugin': scenario(
    'The shipper of logs on every machine reads an edited configuration with a plug-in that it does not have',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const conf = (output: string): string =>
        `[SERVICE]\n    Flush 1\n[INPUT]\n    Name tail\n    Path /var/log/containers/*.log\n[OUTPUT]\n    Name ${output}\n    Match *\n    Host loki.logging.svc.cluster.local\n    Port 3100\n`;
      const settings = cluster.configMap('logging/fluent-bit', { 'fluent-bit.conf': conf('loki') });
      const image = 'registry.example/fluent/fluent-bit:3.1.9';
      const shipper = cluster.daemonSet('logging/fluent-bit', {
        ...{ image },
        container: { volumeMounts: [{ name: 'conf', mountPath: '/fluent-bit/etc' }] },
        pod: { volumes: [{ name: 'conf', configMap: { name: 'fluent-bit' } }] },
      });
      cluster.statefulSet('logging/loki', { image: 'registry.example/grafana/loki:3.2.0' });
      cluster.service('logging/loki', on(3100));
      cluster.at('10s', () => settings.edit({ 'fluent-bit.conf': conf('lokii') }));
      cluster.at('20s', () => {
        cluster.image(image, {
          exit: { afterSeconds: 0.4, code: 1 },
          log: [
            'Fluent Bit v3.1.9',
            '* Copyright (C) 2015-2024 The Fluent Bit Authors',
            '[2026/11/24 11:05:44] [ info] [fluent bit] version=3.1.9, commit=431fa79ae2, pid=1',
            "[2026/11/24 11:05:44] [error] [config] error: unknown output plugin 'lokii'",
            '[2026/11/24 11:05:44] [error] configuration file contains errors, aborting.',
          ],
        });
        shipper.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'ConfigMap/logging/fluent-bit',
        mustNotBlame: ['StatefulSet/logging/loki', 'Service/logging/loki'],
      });
    },
  ),

  'binding-of-rights-goes-with-a-chart-and-a-tag-is-wrong-elsewhere': scenario(
    'A binding is deleted that a controller of another team also lived by; a dashboard elsewhere cannot pull its picture',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object({
        ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'config-reloader', namespace: 'ops' } },
      });
      cluster.object({
        ...{
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { name: 'config-reader', namespace: 'ops' },
        },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
      });
      const binding = cluster.object({
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' },
        metadata: { name: 'config-readers', namespace: 'ops', labels: { 'app.kubernetes.io/managed-by': 'Helm' } },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'config-reader' },
        subjects: [{ kind: 'ServiceAccount', name: 'config-reloader', namespace: 'ops' }],
      });
      const image = 'registry.example/ops/config-reloader:1.3.0';
      cluster.deployment('ops/config-reloader', {
        image,
        probe: false,
        pod: { serviceAccountName: 'config-reloader' },
      });
      const board = cluster.deployment('insight/board', {
        replicas: 2,
        image: 'registry.example/insight/board:2026.10',
      });
      cluster.service('insight/board');
      cluster.at('10s', () => binding.delete());
      cluster.at('20s', () =>
        cluster.befall(image, {
          exit: { afterSeconds: 20, code: 1 },
          log: [
            'W1124 08:15:33.210187       1 reflector.go:569] pkg/mod/k8s.io/client-go@v0.32.1/tools/cache/reflector.go:251: failed to list *v1.ConfigMap: configmaps is forbidden: User "system:serviceaccount:ops:config-reloader" cannot list resource "configmaps" in API group "" in the namespace "ops"',
            'E1124 08:15:33.210226       1 reflector.go:166] "Unhandled Error" err="pkg/mod/k8s.io/client-go@v0.32.1/tools/cache/reflector.go:251: Failed to watch *v1.ConfigMap: failed to list *v1.ConfigMap: configmaps is forbidden: User \\"system:serviceaccount:ops:config-reloader\\" cannot list resource \\"configmaps\\" in API group \\"\\" in the namespace \\"ops\\""',
            'F1124 08:15:53.001440       1 main.go:88] timed out waiting for caches to sync',
          ],
        }),
      );
      cluster.image('registry.example/insight/board:2026.1l', { pullError: 'NotFound' });
      cluster.at('40s', () => board.setImage('registry.example/insight/board:2026.1l'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'RoleBinding/ops/config-readers',
        accepts: ['ServiceAccount/ops/config-reloader'],
      });
      cluster.expectIncident({ root: 'Deployment/insight/board', reason: 'ImageNotFound' });
    },
  ),

  'account-is-told-a-role-of-another-stage': scenario(
    'The service account of an uploader gets the role of the test stage by an edit; the cloud refuses it, the queue beside it is slow and well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const account = cluster.object({
        ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
        metadata: {
          ...{ name: 'uploader', namespace: 'media' },
          annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/media-uploader-prod' },
        },
      });
      cluster.statefulSet('media/queue', { image: 'registry.example/library/redis:7.4', probe: false });
      cluster.service('media/queue', on(6379));
      const image = 'registry.example/media/uploader:3.0.5';
      const uploader = cluster.deployment('media/uploader', {
        ...{ replicas: 2, image, pod: { serviceAccountName: 'uploader' } },
        values: { QUEUE_URL: 'redis://queue.media.svc.cluster.local:6379', BUCKET: 'media-prod' },
      });
      cluster.service('media/uploader');
      cluster.at('10s', () =>
        account.patch({
          metadata: {
            annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/media-uploader-test' },
          },
        }),
      );
      cluster.at('25s', () => {
        cluster.image(image, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 4, code: 1 },
          log: [
            '2026-11-24 10:55:03,711 INFO uploader: connected to redis queue.media.svc.cluster.local:6379 in 2310 ms',
            'Traceback (most recent call last):',
            '  File "/app/uploader/__main__.py", line 22, in main',
            '    s3.head_bucket(Bucket=settings.bucket)',
            'botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the AssumeRoleWithWebIdentity operation: Not authorized to perform sts:AssumeRoleWithWebIdentity',
          ],
        });
        uploader.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'ServiceAccount/media/uploader',
        mustNotBlame: ['StatefulSet/media/queue', 'Service/media/queue'],
      });
    },
  ),

  'settings-are-pruned-and-nobody-sees-it-until-a-drain': scenario(
    'Settings that Pods still name are pruned; only when a Node is drained for its upgrade do the Pods need them again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const env = cluster.object({
        ...{ apiVersion: 'v1', kind: 'ConfigMap' },
        metadata: {
          name: 'web-env-v12',
          namespace: 'storefront',
          labels: { 'app.kubernetes.io/instance': 'storefront' },
        },
        data: { CDN_HOST: 'cdn.example', CURRENCY: 'EUR' },
      });
      cluster.deployment('storefront/web', {
        ...{ replicas: 3, image: 'registry.example/storefront/web:12.9', envFrom: ['web-env-v12'] },
      });
      cluster.service('storefront/web');
      cluster.deployment('storefront/images', { replicas: 2, image: 'registry.example/storefront/images:2.2' });
      cluster.at('10s', () => env.delete());
      cluster.at('90s', () => cluster.node('n2').drain());
      cluster.at('4m', () => cluster.node('n2').uncordon());
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'ConfigMap/storefront/web-env-v12',
        mustNotBlame: ['Node//n2', 'Deployment/storefront/images'],
      });
    },
  ),

  'one-login-for-pictures-is-wrong-and-a-parser-dies-of-its-input': scenario(
    'The login for a private registry is replaced by a wrong one in one namespace; in another a parser dies of a document',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const login = cluster.object({
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'regcred', namespace: 'partner' } },
        ...{ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'eyJhdXRocyI6e319' } },
      });
      const pod = { imagePullSecrets: [{ name: 'regcred' }] };
      const apps = ['feed', 'orders'].map((name) =>
        cluster.deployment(`partner/${name}`, { replicas: 2, image: `harbor.corp.example/partner/${name}:1`, pod }),
      );
      for (const name of ['feed', 'orders']) cluster.service(`partner/${name}`);
      cluster.deployment('archive/api', { replicas: 2, image: 'harbor.corp.example/archive/api:4' });
      const parser = 'registry.example/texts/parser:2.6';
      cluster.deployment('texts/parser', { replicas: 1, image: parser, probe: false, memory: '256Mi' });
      cluster.at('10s', () => login.patch({ data: { '.dockerconfigjson': 'eyJhdXRocyI6eyJoYXJib3IiOnt9fX0=' } }));
      cluster.at('30s', () => {
        for (const [i, name] of ['feed', 'orders'].entries()) {
          cluster.image(`harbor.corp.example/partner/${name}:2`, {
            pullError: `failed to pull and unpack image "harbor.corp.example/partner/${name}:2": failed to resolve reference "harbor.corp.example/partner/${name}:2": failed to authorize: failed to fetch oauth token: unexpected status from GET request to https://harbor.corp.example/service/token?scope=repository%3Apartner%2F${name}%3Apull&service=harbor-registry: 401 Unauthorized`,
          });
          apps[i]?.setImage(`harbor.corp.example/partner/${name}:2`);
        }
      });
      cluster.at('50s', () =>
        cluster.befall(parser, {
          exit: { afterSeconds: 7, code: 1 },
          log: [
            'INFO parser: taking document 88213 (pdf, 311 pages)',
            "thread 'main' panicked at src/table.rs:214:37:",
            'index out of bounds: the len is 12 but the index is 12',
            'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
          ],
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Secret/partner/regcred',
        accepts: ['Registry//harbor.corp.example'],
        mustNotBlame: ['Deployment/archive/api'],
      });
      cluster.expectIncident({ root: 'Deployment/texts/parser' });
    },
  ),

  'registry-of-the-house-does-not-answer': scenario(
    'Three releases of three teams wait for the same registry, which does not answer',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const apps = ['hr/portal', 'it/tickets', 'legal/contracts'].map((place) => {
        cluster.service(place);
        return [
          place,
          cluster.deployment(place, { replicas: 2, image: `nexus.corp.example:5000/${place}:1` }),
        ] as const;
      });
      cluster.deployment('hr/payslips', { replicas: 1, image: 'registry.example/hr/payslips:6' });
      for (const [i, [place, app]] of apps.entries()) {
        cluster.image(`nexus.corp.example:5000/${place}:2`, {
          pullError: `failed to pull and unpack image "nexus.corp.example:5000/${place}:2": failed to resolve reference "nexus.corp.example:5000/${place}:2": failed to do request: Head "https://nexus.corp.example:5000/v2/${place}/manifests/2": dial tcp 10.20.0.44:5000: i/o timeout`,
        });
        cluster.at(`${10 + i * 15}s`, () => app.setImage(`nexus.corp.example:5000/${place}:2`));
      }
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Registry//nexus.corp.example:5000',
        accepts: ['Registry//nexus.corp.example'],
        mustNotBlame: ['Deployment/hr/portal', 'Deployment/it/tickets', 'Deployment/legal/contracts'],
      });
    },
  ),

  'policies-are-judged-by-nobody-and-an-operator-stops': scenario(
    'The server that judges new objects dies of its own certificates; an operator that makes objects for tenants gives up for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const kyverno = 'registry.example/kyverno/kyverno:v1.12.6';
      const operator = 'registry.example/platform/tenant-operator:0.31';
      cluster.deployment('kyverno/kyverno-admission-controller', { replicas: 1, image: kyverno, memory: '384Mi' });
      cluster.service('kyverno/kyverno-svc', {
        selector: { app: 'kyverno-admission-controller' },
        ...on(9443, { clusterIP: '10.96.71.2' }),
      });
      cluster.object({
        ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
        metadata: { name: 'kyverno-resource-validating-webhook-cfg' },
        webhooks: [
          {
            ...{
              name: 'validate.kyverno.svc-fail',
              failurePolicy: 'Fail',
              sideEffects: 'NoneOnDryRun',
              timeoutSeconds: 10,
            },
            ...{ admissionReviewVersions: ['v1'], namespaceSelector: { matchLabels: { tenancy: 'managed' } } },
            clientConfig: {
              service: { namespace: 'kyverno', name: 'kyverno-svc', path: '/validate/fail', port: 9443 },
            },
            rules: [
              { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
            ],
          },
        ],
      });
      cluster.deployment('platform/tenant-operator', { image: operator, probe: false });
      cluster.at('10s', () =>
        cluster.befall(kyverno, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 9, code: 1 },
          log: [
            '2026-11-24T14:21:02Z INFO setup.runtime-checks internal/kubernetes.go:31 starting kyverno version v1.12.6',
            '2026-11-24T14:21:08Z ERROR setup.certificates tls/renewer.go:131 failed to validate certs {"error": "tls: failed to find any PEM data in certificate input"}',
            '2026-11-24T14:21:08Z ERROR setup kyverno/main.go:402 failed to initialize TLS secret {"error": "tls: failed to find any PEM data in certificate input"}',
          ],
        }),
      );
      cluster.at('40s', () =>
        cluster.befall(operator, {
          exit: { afterSeconds: 16, code: 1 },
          log: [
            '2026-11-24T14:21:40Z\tINFO\tcontroller-runtime.metrics\tStarting metrics server',
            '2026-11-24T14:21:42Z\tERROR\tReconciler error\t{"controller": "tenant", "Tenant": {"name":"acme"}, "error": "creating ConfigMap acme/tenant-info: Internal error occurred: failed calling webhook \\"validate.kyverno.svc-fail\\": failed to call webhook: Post \\"https://kyverno-svc.kyverno.svc:9443/validate/fail?timeout=10s\\": dial tcp 10.96.71.2:9443: connect: connection refused"}',
            '2026-11-24T14:21:56Z\tERROR\tsetup\tproblem running manager\t{"error": "initial sync of tenants failed 5 times"}',
          ],
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/kyverno/kyverno-admission-controller',
        mustNotBlame: ['Deployment/platform/tenant-operator'],
      });
    },
  ),

  'door-names-a-port-that-its-service-has-not': scenario(
    'An Ingress is edited to a port that the Service does not have, on the evening of a release that is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(ingressClass);
      const web = cluster.deployment('magazine/web', { replicas: 2, image: 'registry.example/magazine/web:88' });
      cluster.service('magazine/web');
      const door = cluster.object(ingress('magazine/web'));
      cluster.at('10s', () => web.setImage('registry.example/magazine/web:89'));
      cluster.at('60s', () => door.patch({ spec: ingress('magazine/web', 'web', { number: 8081 }).spec }));
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'Ingress/magazine/web',
        reason: 'IngressPortMissing',
        beginsAfterSeconds: 60,
        mustNotBlame: ['Deployment/magazine/web'],
      });
    },
  ),

  'certificate-is-asked-of-an-issuer-that-is-not-there': scenario(
    'A certificate names its issuer with a typing error; the new entry that wants to mount it waits',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(defined('cert-manager.io', 'v1', 'Certificate', 'certificates'));
      cluster.deployment('cert-manager/cert-manager', {
        image: 'registry.example/jetstack/cert-manager-controller:v1.16.1',
        probe: false,
      });
      const certificate = cluster.planned({
        ...{
          apiVersion: 'cert-manager.io/v1',
          kind: 'Certificate',
          metadata: { name: 'partner-edge', namespace: 'partners' },
        },
        spec: {
          ...{ secretName: 'partner-edge-tls', dnsNames: ['partners.example'] },
          issuerRef: { name: 'letsencrypt-prd', kind: 'ClusterIssuer' },
        },
      });
      cluster.at('10s', () => certificate.create());
      cluster.at('12s', () => {
        certificate.status({
          conditions: [
            {
              type: 'Issuing',
              status: 'True',
              reason: 'DoesNotExist',
              message: 'Issuing certificate as Secret does not exist',
              lastTransitionTime: 'now',
            },
            {
              type: 'Ready',
              status: 'False',
              reason: 'DoesNotExist',
              message:
                'Issuing certificate as Secret does not exist: Referenced "ClusterIssuer" not found: clusterissuer.cert-manager.io "letsencrypt-prd" not found',
              lastTransitionTime: 'now',
            },
          ],
        });
        cluster.deployment('partners/edge', {
          ...{ replicas: 2, image: 'registry.example/partners/edge:1.0' },
          container: { volumeMounts: [{ name: 'tls', mountPath: '/etc/tls' }] },
          pod: { volumes: [{ name: 'tls', secret: { secretName: 'partner-edge-tls' } }] },
        });
        cluster.service('partners/edge', on(8443));
      });
      cluster.lasts('8m');
      cluster.expectIncident({
        root: 'Certificate.cert-manager.io/partners/partner-edge',
        accepts: ['ClusterIssuer.cert-manager.io//letsencrypt-prd'],
        mustNotBlame: ['Deployment/cert-manager/cert-manager'],
      });
    },
  ),

  'secret-store-has-no-such-path-and-a-release-waits': scenario(
    'A secret that is fetched from a vault names a path that is not there; the new service that needs it cannot start',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object(defined('external-secrets.io', 'v1', 'ExternalSecret', 'externalsecrets'));
      cluster.deployment('external-secrets/external-secrets', {
        image: 'registry.example/external-secrets/external-secrets:v0.10.5',
        probe: false,
      });
      const wish = cluster.planned({
        ...{
          apiVersion: 'external-secrets.io/v1',
          kind: 'ExternalSecret',
          metadata: { name: 'pricing-db', namespace: 'pricing' },
        },
        spec: {
          ...{
            refreshInterval: '1h',
            secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault' },
            target: { name: 'pricing-db' },
          },
          data: [{ secretKey: 'password', remoteRef: { key: 'kv/prod/pricng/db', property: 'password' } }],
        },
      });
      cluster.at('5s', () => wish.create());
      cluster.at('8s', () => {
        wish.status({
          conditions: [
            {
              type: 'Ready',
              status: 'False',
              reason: 'SecretSyncedError',
              message: 'could not get secret data from provider',
              lastTransitionTime: 'now',
            },
          ],
        });
        cluster.deployment('pricing/engine', {
          ...{ replicas: 2, image: 'registry.example/pricing/engine:1.0' },
          env: { DB_PASSWORD: 'secret/pricing-db/password' },
        });
        cluster.service('pricing/engine');
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'ExternalSecret.external-secrets.io/pricing/pricing-db',
        mustNotBlame: ['Deployment/external-secrets/external-secrets'],
      });
    },
  ),
};
