import { definition } from '../../../e2e/produced/definition.ts';
import type { Manifest } from '../../kit/manifests.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';

const conditions = (type: string, status: string, reason: string, message: string): object => ({
  conditions: [{ type, status, reason, message, lastTransitionTime: '2026-11-22T09:00:00Z' }],
});

/** An object of a kind that is defined by it, healthy at first. */
function custom(cluster: ClusterBuilder, apiVersion: string, kind: string, place: string, spec: object = {}) {
  const [namespace = '', name = ''] = place.split('/');
  const manifest: Manifest = { apiVersion, kind, metadata: { namespace, name }, spec };
  const handle = cluster.object(manifest);
  handle.status(conditions('Ready', 'True', 'Ready', 'all is in place'));
  return handle;
}
const define = (cluster: ClusterBuilder, apiVersion: string, ...kinds: readonly string[]): void => {
  const [group = '', version = 'v1'] = apiVersion.split('/');
  for (const kind of kinds) cluster.object(definition(group, kind, { version }));
};

/** Operators, GitOps and what their objects say. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://cert-manager.io/docs/troubleshooting/acme/: the issuer lost its account, both of its certificates wait.
  'issuer-lost-its-account': scenario(
    'An issuer lost its account; two Certificates of it cannot be renewed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      surroundings(cluster);
      define(cluster, 'cert-manager.io/v1', 'Issuer', 'Certificate');
      const issuer = custom(cluster, 'cert-manager.io/v1', 'Issuer', 'web/letsencrypt', {
        acme: { server: 'https://acme.example/directory' },
      });
      const certificates = ['storefront', 'shop'].map((name) =>
        custom(cluster, 'cert-manager.io/v1', 'Certificate', `web/${name}`, {
          secretName: `${name}-tls`,
          issuerRef: { name: 'letsencrypt', kind: 'Issuer' },
        }),
      );
      cluster.at('6s', () =>
        issuer.status(
          conditions(
            'Ready',
            'False',
            'ErrRegisterACMEAccount',
            'Failed to register ACME account: 403 urn:ietf:params:acme:error:unauthorized: Account is not valid, has status "deactivated"',
          ),
        ),
      );
      cluster.at('9s', () => {
        for (const one of certificates)
          one.status(
            conditions(
              'Ready',
              'False',
              'DoesNotExist',
              'Issuing certificate as Secret does not exist. Waiting for issuer letsencrypt to be ready',
            ),
          );
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Issuer.cert-manager.io/web/letsencrypt',
        accepts: ['Certificate.cert-manager.io/web/storefront', 'Certificate.cert-manager.io/web/shop'],
        beginsAfterSeconds: 6,
        firstMessageWithinSeconds: 900,
        messages: { resolve: 0 },
      });
    },
  ),

  // https://argo-cd.readthedocs.io/en/stable/operator-manual/health/: Degraded is what its Deployment is.
  'application-degraded-by-its-deployment': scenario(
    'An Application of Argo CD is degraded, as the release it brought crashes',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      surroundings(cluster);
      define(cluster, 'argoproj.io/v1alpha1', 'Application');
      const image = 'registry.acme.example/orders';
      const orders = cluster.deployment('shop/orders', { replicas: 2, image: `${image}:1` });
      const app = cluster.object({
        ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'shop', namespace: 'argocd' } },
        spec: { destination: { namespace: 'shop' } },
      });
      const of = (sync: string, health: string): object => ({
        ...{ sync: { status: sync }, health: { status: health } },
        resources: [
          {
            group: 'apps',
            version: 'v1',
            kind: 'Deployment',
            namespace: 'shop',
            name: 'orders',
            status: sync,
            health: { status: health },
          },
        ],
      });
      app.status(of('Synced', 'Healthy'));
      cluster.image(`${image}:2`, ends(["KeyError: 'PAYMENT_TIMEOUT'"]));
      cluster.at('8s', () => orders.setImage(`${image}:2`));
      cluster.at('12s', () => app.status(of('Synced', 'Progressing')));
      cluster.at('60s', () => app.status(of('Synced', 'Degraded')));
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Deployment/shop/orders',
        messages: { resolve: 0 },
        mustNotBlame: ['Application.argoproj.io/argocd/shop'],
      });
    },
  ),

  // https://fluxcd.io/flux/components/helm/helmreleases/#conditions: Helm waits for a Deployment that pulls in vain.
  'helm-release-waits-in-vain': scenario(
    'A HelmRelease fails, as the image of its Deployment does not exist',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      surroundings(cluster);
      define(cluster, 'helm.toolkit.fluxcd.io/v2', 'HelmRelease');
      const image = 'registry.acme.example/podinfo';
      const metadata = {
        labels: { 'helm.toolkit.fluxcd.io/name': 'podinfo', 'helm.toolkit.fluxcd.io/namespace': 'apps' },
        annotations: { 'meta.helm.sh/release-name': 'podinfo', 'meta.helm.sh/release-namespace': 'apps' },
      };
      const podinfo = cluster.deployment('apps/podinfo', { replicas: 2, image: `${image}:6.9` });
      podinfo.patch({ metadata });
      const release = custom(cluster, 'helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'apps/podinfo', {
        releaseName: 'podinfo',
      });
      cluster.image(`${image}:6.91`, { pullError: 'NotFound' });
      cluster.at('8s', () => podinfo.setImage(`${image}:6.91`));
      cluster.at('3m', () =>
        release.status(
          conditions(
            'Ready',
            'False',
            'UpgradeFailed',
            'Helm upgrade failed for release apps/podinfo with chart podinfo@6.9.1: context deadline exceeded',
          ),
        ),
      );
      cluster.lasts('8m');
      cluster.expectIncident({
        root: 'Deployment/apps/podinfo',
        messages: { resolve: 0 },
        mustNotBlame: ['HelmRelease.helm.toolkit.fluxcd.io/apps/podinfo', 'Registry//registry.acme.example'],
      });
    },
  ),

  // https://external-secrets.io/latest/introduction/faq/: the store may not log in any more; a new workload waits for its Secret.
  'secret-store-cannot-log-in': scenario(
    'A secret store cannot log in; two ExternalSecrets fail, and a new workload lacks its Secret',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      surroundings(cluster);
      define(cluster, 'external-secrets.io/v1', 'SecretStore', 'ExternalSecret');
      const store = custom(cluster, 'external-secrets.io/v1', 'SecretStore', 'shop/vault');
      const failed = conditions(
        'Ready',
        'False',
        'SecretSyncedError',
        'error processing spec.data[0] (key: shop/login), err: store not ready',
      );
      const orders = custom(cluster, 'external-secrets.io/v1', 'ExternalSecret', 'shop/orders', {
        secretStoreRef: { name: 'vault', kind: 'SecretStore' },
        target: { name: 'orders-login' },
      });
      cluster.at('6s', () =>
        store.status(
          conditions(
            'Ready',
            'False',
            'InvalidProviderConfig',
            'unable to log in to auth method: unable to log in with Kubernetes auth: Error making API request. Code: 403. Errors: * permission denied',
          ),
        ),
      );
      const added = cluster.planned({
        ...{
          apiVersion: 'external-secrets.io/v1',
          kind: 'ExternalSecret',
          metadata: { name: 'refunds', namespace: 'shop' },
        },
        spec: { secretStoreRef: { name: 'vault', kind: 'SecretStore' }, target: { name: 'refunds-login' } },
      });
      cluster.at('9s', () => {
        orders.status(failed);
        added.create();
      });
      cluster.at('11s', () => added.status(failed));
      cluster.at('14s', () =>
        cluster.deployment('shop/refunds', {
          image: 'registry.acme.example/refunds:1',
          env: { LOGIN: 'secret/refunds-login/login' },
          broken: true,
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'SecretStore.external-secrets.io/shop/vault',
        accepts: [
          'ExternalSecret.external-secrets.io/shop/refunds',
          'ExternalSecret.external-secrets.io/shop/orders',
          'Secret/shop/refunds-login',
        ],
        beginsAfterSeconds: 6,
        firstMessageWithinSeconds: 900,
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/refunds'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#finalizers: the operator went first.
  'namespace-waits-for-a-removed-operator': scenario(
    'A namespace does not go: its operator was uninstalled before its objects',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      surroundings(cluster);
      define(cluster, 'kafka.strimzi.io/v1', 'KafkaTopic');
      const operator = cluster.deployment('strimzi/strimzi-operator', { image: 'quay.example/strimzi/operator:0.48' });
      const space = cluster.object({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'preview-7' } });
      cluster.object({
        ...{ apiVersion: 'kafka.strimzi.io/v1', kind: 'KafkaTopic', spec: {} },
        metadata: { name: 'orders', namespace: 'preview-7', finalizers: ['strimzi.io/topic-operator'] },
      });
      cluster.at('5s', () => operator.delete());
      cluster.at('12s', () => space.delete());
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Namespace//preview-7',
        accepts: ['KafkaTopic.kafka.strimzi.io/preview-7/orders'],
        beginsAfterSeconds: 12,
        firstMessageWithinSeconds: 2400,
        messages: { resolve: 0 },
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/: a sidecar without requests.
  'autoscaler-needs-requests': scenario(
    'A release drops its CPU request, and its autoscaler can no longer tell the load',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      surroundings(cluster);
      const image = 'registry.acme.example/search';
      const search = cluster.deployment('shop/search', { replicas: 2, image: `${image}:1` });
      const scaler = cluster.object({
        ...{
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'search', namespace: 'shop' },
        },
        spec: {
          ...{
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'search' },
            minReplicas: 2,
            maxReplicas: 8,
          },
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
          ],
        },
      });
      const able = {
        type: 'AbleToScale',
        status: 'True',
        reason: 'SucceededGetScale',
        message: "the HPA controller was able to get the target's current scale",
        lastTransitionTime: '2026-11-22T08:00:00Z',
      };
      const active = (status: string, reason: string, message: string): object => ({
        ...{ currentReplicas: 2, desiredReplicas: 2 },
        conditions: [
          able,
          { type: 'ScalingActive', status, reason, message, lastTransitionTime: '2026-11-22T09:00:00Z' },
        ],
      });
      scaler.status(
        active(
          'True',
          'ValidMetricFound',
          'the HPA was able to successfully calculate a replica count from cpu resource utilization',
        ),
      );
      cluster.at('8s', () => search.setImage(`${image}:2`));
      cluster.at('25s', () =>
        scaler.status(
          active(
            'False',
            'FailedGetResourceMetric',
            'the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container search of Pod search-5b7f9c4d6-2kq8x',
          ),
        ),
      );
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'HorizontalPodAutoscaler/shop/search',
        accepts: ['Deployment/shop/search'],
        beginsAfterSeconds: 25,
        firstMessageWithinSeconds: 900,
        messages: { resolve: 0 },
        mustNotBlame: ['APIService//v1beta1.metrics.k8s.io'],
      });
    },
  ),
};
