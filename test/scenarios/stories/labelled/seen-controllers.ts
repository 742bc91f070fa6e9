import { condition, custom, define, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

const ready = condition('Ready', 'True', 'Ready', 'all is in place');
const inNamespace = (place: string) => ({ namespace: place.split('/')[0], name: String(place.split('/')[1]) });

/** Controllers, what they hand out, and what they refuse. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/aws/karpenter-provider-aws/issues/7121
  'maker-of-machines-lacks-a-right': reported(
    'Karpenter is upgraded and may not list what its new version reads; it ends, and Pods of two teams wait for machines',
    (cluster, firm) => {
      cluster.nodes([{ name: 'n1' }, { name: 'n2' }]);
      const repository = 'public.ecr.aws/karpenter/controller';
      const maker = cluster.deployment('kube-system/karpenter', {
        image: `${repository}:1.0.2`,
        spec: { strategy: { type: 'Recreate' } },
        pod: { serviceAccountName: 'default' },
      });
      const lists =
        'customresourcedefinitions.apiextensions.k8s.io is forbidden: User \\"system:serviceaccount:kube-system:karpenter\\" cannot list resource \\"customresourcedefinitions\\" in API group \\"apiextensions.k8s.io\\" at the cluster scope';
      cluster.image(
        `${repository}:1.0.4`,
        ends(
          [
            `{"level":"ERROR","time":"2026-11-23T09:31:13.090Z","logger":"controller","message":"k8s.io/client-go@v0.30.3/tools/cache/reflector.go:232: Failed to watch *v1.CustomResourceDefinition: failed to list *v1.CustomResourceDefinition: ${lists}","commit":"b897114"}`,
            'panic: timed out waiting for caches to sync',
          ],
          2,
          45,
        ),
      );
      const places = ['ml/features', 'video/transcode'];
      const handles = places.map((place) =>
        cluster.deployment(place, { replicas: 2, image: imageOf(place), cpu: '1' }),
      );
      innocentRelease(cluster, after(-60), firm);
      cluster.at(after(0), () => maker.setImage(`${repository}:1.0.4`));
      cluster.at(after(120), () => {
        for (const handle of handles) handle.scale(12);
      });
      cluster.expectIncident({
        root: 'Deployment/kube-system/karpenter',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/ml/features', 'Deployment/video/transcode', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/aws/eks-pod-identity-agent/issues/153, https://github.com/Azure/azure-workload-identity/issues/611: nothing refuses Pods while it is away, and they have no credentials.
  'giver-of-cloud-credentials-is-away': reported(
    'The webhook that gives Pods their credentials of the cloud crashes, and the API server does without it; what is restarted has none',
    (cluster) => {
      const image = 'docker.io/amazon/amazon-eks-pod-identity-webhook:v0.5.5';
      cluster.deployment('kube-system/pod-identity-webhook', { image });
      cluster.service('kube-system/pod-identity-webhook', port(443));
      cluster.object({
        ...{
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'MutatingWebhookConfiguration',
          metadata: { name: 'pod-identity-webhook' },
        },
        webhooks: [
          {
            name: 'pod-identity-webhook.amazonaws.com',
            clientConfig: { service: { namespace: 'kube-system', name: 'pod-identity-webhook', path: '/mutate' } },
            ...{
              failurePolicy: 'Ignore',
              sideEffects: 'None',
              admissionReviewVersions: ['v1beta1'],
              timeoutSeconds: 10,
            },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          },
        ],
      });
      const does = {
        'docs/archive': ends(['botocore.exceptions.NoCredentialsError: Unable to locate credentials']),
        'maps/tiles': unready([
          'software.amazon.awssdk.core.exception.SdkClientException: Unable to load credentials from any of the providers in the chain AwsCredentialsProviderChain',
        ]),
        'inbox/mailer': ends([
          'CredentialsProviderError: Could not load credentials from any providers',
          '    at /app/node_modules/@aws-sdk/credential-provider-node/dist-cjs/index.js:130:11',
        ]),
      };
      const handles = Object.keys(does).map((place) =>
        cluster.deployment(place, { replicas: 2, image: imageOf(place) }),
      );
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              'I1123 09:31:00.118204       1 main.go:191] Creating server',
              'F1123 09:31:00.120831       1 main.go:214] Error getting certificate: secrets "pod-identity-webhook" is forbidden: cannot patch',
            ],
            255,
            2,
          ),
        ),
      );
      Object.entries(does).forEach(([place, behaviour], index) => {
        cluster.at(after(90 + 20 * index), () => {
          cluster.image(imageOf(place), behaviour);
          handles[index]?.restart();
        });
      });
      cluster.expectIncident({
        root: 'Deployment/kube-system/pod-identity-webhook',
        accepts: ['MutatingWebhookConfiguration//pod-identity-webhook'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/docs/archive', 'Deployment/maps/tiles', 'Deployment/inbox/mailer'],
      });
    },
  ),

  // https://cert-manager.io/docs/trust/trust-manager/, https://github.com/cert-manager/cert-manager/issues/5851
  'authority-dropped-from-the-bundle': reported(
    'An authority is taken out of the bundle that all namespaces get; clients of two hosts of the house trust them no more, each in its language',
    (cluster, firm) => {
      cluster.pro();
      define(cluster, 'trust.cert-manager.io/v1alpha1', ['Bundle'], 'Cluster');
      const source = {
        sources: [{ inLine: 'authority-1' }, { inLine: 'authority-2' }],
        target: { configMap: { key: 'ca.crt' } },
      };
      const bundle = custom(cluster, 'trust.cert-manager.io/v1alpha1', 'Bundle', '/house-authorities', source);
      bundle.status(condition('Synced', 'True', 'Synced', 'Successfully synced Bundle to all namespaces'));
      const does = {
        'sales/quotes': ends([
          'FATAL connect erp: Get "https://erp.borealis.example/api": tls: failed to verify certificate: x509: certificate signed by unknown authority',
        ]),
        'legal/contracts': unready([
          'javax.net.ssl.SSLHandshakeException: PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to requested target',
        ]),
        'people/directory': unready([
          "Error: unable to get local issuer certificate { code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }",
        ]),
        'labs/notebooks': ends([
          "requests.exceptions.SSLError: HTTPSConnectionPool(host='files.borealis.example', port=443): Max retries exceeded with url: /v1 (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate in certificate chain (_ssl.c:1006)')))",
        ]),
      };
      const maps = Object.keys(does).map((place) => {
        const { namespace } = inNamespace(place);
        cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          pod: { volumes: [{ name: 'ca', configMap: { name: 'house-authorities' } }] },
        });
        return cluster.configMap(`${namespace}/house-authorities`, { 'ca.crt': 'authority-1\nauthority-2' });
      });
      innocentRelease(cluster, after(-10), firm);
      cluster.at(after(0), () => bundle.patch({ spec: { sources: [{ inLine: 'authority-2' }] } }));
      cluster.at(after(2), () => {
        for (const map of maps) map.edit({ 'ca.crt': 'authority-2' });
      });
      Object.entries(does).forEach(([place, behaviour], index) => {
        cluster.at(after(30 + 20 * index), () => cluster.befall(imageOf(place), behaviour));
      });
      cluster.expectIncident({
        root: 'Bundle.trust.cert-manager.io//house-authorities',
        accepts: Object.keys(does).map((place) => `ConfigMap/${place.split('/')[0]}/house-authorities` as const),
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [
          'Deployment/sales/quotes',
          'Deployment/legal/contracts',
          'Deployment/people/directory',
          'Deployment/labs/notebooks',
        ],
      });
    },
  ),

  // https://github.com/alexandrevilain/temporal-operator/issues/509, https://github.com/cert-manager/cert-manager/issues/2478
  'server-shows-a-certificate-of-the-next-authority': reported(
    'The authority of a namespace is renewed and with it the certificate of a server; its clients know the old authority only',
    (cluster) => {
      const first = { 'tls.crt': 'first', 'tls.key': 'first', 'ca.crt': 'first' };
      const authority = cluster.secret('flows/internal-ca', first);
      const own = cluster.secret('flows/frontend-tls', first);
      cluster.deployment('flows/temporal-frontend', {
        ...{ replicas: 2, image: 'docker.io/temporalio/server:1.24.2' },
        pod: { volumes: [{ name: 'tls', secret: { secretName: 'frontend-tls' } }] },
      });
      cluster.service('flows/temporal-frontend', port(7233));
      cluster.at(after(0), () => authority.edit({ 'tls.crt': 'next', 'tls.key': 'next', 'ca.crt': 'next' }));
      cluster.at(after(3), () => own.edit({ 'tls.crt': 'next', 'tls.key': 'next', 'ca.crt': 'next' }));
      const values = { TEMPORAL_ADDRESS: 'temporal-frontend.flows.svc.cluster.local:7233' };
      const innocents = clients(cluster, 25, {
        'shop/fulfilment': {
          does: ends([
            'Error: tonic::transport::Error(Transport, hyper::Error(Connect, Custom { kind: InvalidData, error: InvalidCertificate(UnknownIssuer) }))',
          ]),
          values,
        },
        'billing/dunning': {
          does: unready([
            '2026/11/23 09:32:02 ERROR Unable to create client error="failed reaching server: connection error: desc = \\"transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority\\""',
          ]),
          values,
        },
        'hr/onboarding': {
          does: ends([
            'io.grpc.StatusRuntimeException: UNAVAILABLE: io exception',
            'Caused by: javax.net.ssl.SSLHandshakeException: General OpenSslEngine problem',
            'Caused by: sun.security.validator.ValidatorException: PKIX path building failed',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Secret/flows/frontend-tls',
        accepts: ['Secret/flows/internal-ca', 'Deployment/flows/temporal-frontend', 'Service/flows/temporal-frontend'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/kubernetes/ingress-nginx/issues/10532, https://github.com/rancher/rancher/issues/43976
  'way-in-takes-no-snippets-any-more': reported(
    'The ingress controller is upgraded and its webhook refuses annotations that it took before; what Flux brings for three teams fails',
    (cluster) => {
      cluster.pro();
      define(cluster, 'kustomize.toolkit.fluxcd.io/v1', ['Kustomization']);
      const repository = 'registry.k8s.io/ingress-nginx/controller';
      const controller = cluster.deployment('ingress-nginx/ingress-nginx-controller', {
        image: `${repository}:v1.8.2`,
      });
      cluster.service('ingress-nginx/ingress-nginx-controller-admission', {
        ...port(443),
        selector: { app: 'ingress-nginx-controller' },
      });
      cluster.object({
        ...{
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingWebhookConfiguration',
          metadata: { name: 'ingress-nginx-admission' },
        },
        webhooks: [
          {
            name: 'validate.nginx.ingress.kubernetes.io',
            clientConfig: {
              service: {
                namespace: 'ingress-nginx',
                name: 'ingress-nginx-controller-admission',
                path: '/networking/v1/ingresses',
              },
            },
            ...{ failurePolicy: 'Fail', sideEffects: 'None', admissionReviewVersions: ['v1'] },
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
      const teams = ['identity', 'wiki', 'shop'].map((name) => {
        const one = custom(cluster, 'kustomize.toolkit.fluxcd.io/v1', 'Kustomization', `flux-system/${name}`, {
          path: `./${name}`,
        });
        one.status(ready);
        return { name, one };
      });
      cluster.at(after(0), () => controller.setImage(`${repository}:v1.9.0`));
      teams.forEach(({ name, one }, index) => {
        cluster.at(after(60 + 30 * index), () =>
          one.status(
            condition(
              'Ready',
              'False',
              'ReconciliationFailed',
              `Ingress/${name}/${name} dry-run failed: admission webhook "validate.nginx.ingress.kubernetes.io" denied the request: nginx.ingress.kubernetes.io/configuration-snippet annotation cannot be used. Snippet directives are disabled by the Ingress administrator`,
            ),
          ),
        );
      });
      cluster.expectIncident({
        root: 'Deployment/ingress-nginx/ingress-nginx-controller',
        accepts: ['ValidatingWebhookConfiguration//ingress-nginx-admission'],
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 390,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Service/ingress-nginx/ingress-nginx-controller-admission'],
      });
    },
  ),

  // https://github.com/billimek/k8s-gitops/issues/4349: all registries are asked for through the mirror of the machine.
  'mirror-on-the-machines-answers-nobody': reported(
    'The mirror that all machines ask for images ends after its upgrade; images of two registries cannot be pulled, and both are well',
    (cluster, firm) => {
      const repository = 'ghcr.io/spegel-org/spegel';
      const mirror = cluster.daemonSet('spegel/spegel', {
        image: `${repository}:v0.0.23`,
        container: { ports: [{ name: 'registry', containerPort: 5000, hostPort: 30020, protocol: 'TCP' }] },
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 3 } } },
      });
      cluster.image(
        `${repository}:v0.0.27`,
        ends(
          [
            '{"level":"error","msg":"run exit with error","err":"containerd registry config path needs to be set for mirror configuration to take effect"}',
          ],
          1,
          2,
        ),
      );
      const images = {
        'offers/campaigns': 'ghcr.io/borealis/campaigns',
        'offers/coupons': 'docker.io/borealis/coupons',
      };
      const handles = Object.entries(images).map(([place, image]) =>
        cluster.deployment(place, { replicas: 2, image: `${image}:1` }),
      );
      innocentRelease(cluster, after(-60), firm);
      cluster.at(after(0), () => mirror.setImage(`${repository}:v0.0.27`));
      Object.values(images).forEach((image, index) => {
        const [host = '', path = ''] = [image.split('/')[0], image.split('/').slice(1).join('/')];
        cluster.image(`${image}:2`, {
          pullError: `failed to pull and unpack image "${image}:2": failed to resolve reference "${image}:2": failed to do request: Head "http://127.0.0.1:30020/v2/${path}/manifests/2?ns=${host}": dial tcp 127.0.0.1:30020: connect: connection refused`,
        });
        cluster.at(after(60 + 25 * index), () => handles[index]?.setImage(`${image}:2`));
      });
      cluster.expectIncident({
        root: 'DaemonSet/spegel/spegel',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [
          'Deployment/offers/campaigns',
          'Deployment/offers/coupons',
          'Registry//ghcr.io',
          'Registry//docker.io',
        ],
      });
    },
  ),

  // https://keda.sh/docs/2.14/scalers/prometheus/: what is scaled by a figure that nobody gives any more.
  'figures-come-from-a-store-that-forgot-them': reported(
    'The store of the figures is released with an empty disk and answers, but knows nothing; the scalers of three teams see no figure',
    (cluster) => {
      cluster.pro();
      define(cluster, 'keda.sh/v1alpha1', ['ScaledObject']);
      cluster.deployment('keda/keda-operator', { image: 'ghcr.io/kedacore/keda:2.14.0' });
      const store = server(cluster, 'monitoring/prometheus', 'quay.io/prometheus/prometheus:v2.52.0', 9090);
      const teams = ['shop/checkout', 'mail/outbox', 'video/encode'].map((place) => {
        cluster.deployment(place, { replicas: 2, image: imageOf(place) });
        const trigger = {
          type: 'prometheus',
          metadata: {
            serverAddress: 'http://prometheus.monitoring.svc.cluster.local:9090',
            query: `sum(queue_length{app="${place.split('/')[1]}"})`,
            ignoreNullValues: 'false',
          },
        };
        const one = custom(cluster, 'keda.sh/v1alpha1', 'ScaledObject', place, {
          scaleTargetRef: { name: place.split('/')[1] },
          triggers: [trigger],
        });
        one.status(condition('Ready', 'True', 'ScaledObjectReady', 'ScaledObject is ready for scaling'));
        return one;
      });
      cluster.at(after(0), () => store.setImage('quay.io/prometheus/prometheus:v3.0.0'));
      teams.forEach((one, index) => {
        cluster.at(after(60 + 10 * index), () =>
          one.status(
            condition(
              'Ready',
              'False',
              'TriggerError',
              "Triggers defined in ScaledObject are not working correctly: prometheus metrics 'prometheus' target may be lost, the result is empty",
            ),
          ),
        );
      });
      cluster.expectIncident({
        root: 'StatefulSet/monitoring/prometheus',
        accepts: ['Service/monitoring/prometheus'],
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 390,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/keda/keda-operator', 'Deployment/shop/checkout', 'Deployment/mail/outbox'],
      });
    },
  ),

  // https://docs.bitnami.com/general/how-to/troubleshoot-helm-chart-issues/: an operator of several databases, released with another way to log in.
  'operator-writes-another-password': reported(
    'An operator is upgraded and writes new passwords into the Secrets of its databases, not into the databases; clients of two of them are refused',
    (cluster) => {
      const operator = cluster.deployment('databases/mysql-operator', { image: imageAt('mysql-operator', '1.4') });
      const databases = ['crm/mysql', 'desk/mysql'];
      const secrets = databases.map((place) => {
        server(cluster, place, 'docker.io/library/mysql:8.0.36', 3306);
        return cluster.secret(`${place.split('/')[0]}/mysql-user`, { username: 'app', password: 'first' });
      });
      const uses = { DB_PASSWORD: 'secret/mysql-user/password' };
      const places = {
        'crm/contacts': {
          does: ends([
            "django.db.utils.OperationalError: (1045, \"Access denied for user 'app'@'10.244.1.8' (using password: YES)\")",
          ]),
          env: uses,
          values: { DB_HOST: 'mysql' },
        },
        'desk/tickets': {
          does: unready(["java.sql.SQLException: Access denied for user 'app'@'10.244.2.3' (using password: YES)"]),
          env: uses,
          values: { DB_HOST: 'mysql.desk.svc.cluster.local' },
        },
      };
      cluster.at(after(0), () => operator.setImage(imageAt('mysql-operator', '1.5')));
      cluster.at(after(25), () => {
        for (const secret of secrets) secret.edit({ username: 'app', password: 'second' });
      });
      const innocents = clients(cluster, 60, places);
      cluster.expectIncident({
        root: 'Deployment/databases/mysql-operator',
        accepts: ['Secret/crm/mysql-user', 'Secret/desk/mysql-user'],
        messages: { open: '≤2', update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'StatefulSet/crm/mysql', 'StatefulSet/desk/mysql'],
      });
    },
  ),
};
