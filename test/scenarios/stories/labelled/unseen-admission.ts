import { condition, custom, define, imageAt } from '../../kit/company.ts';
import { after, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

/** What the API server refuses, and what it does not know any more. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/bitnami/charts/issues/5564, https://github.com/rabbitmq/rabbitmq-peer-discovery-k8s/issues/15
  'peers-may-not-be-listed-any-more': reported(
    'The binding by which a broker finds its peers is cleaned away; the members run on, and one that is added does not start',
    (cluster) => {
      const rbac = 'rbac.authorization.k8s.io';
      const named = (name: string) => ({ name, namespace: 'pay' });
      cluster.object({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: named('rabbitmq') });
      cluster.object({
        ...{ apiVersion: `${rbac}/v1`, kind: 'Role', metadata: named('rabbitmq-endpoint-reader') },
        rules: [{ apiGroups: [''], resources: ['endpoints'], verbs: ['get'] }],
      });
      const binding = cluster.object({
        ...{ apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: named('rabbitmq-endpoint-reader') },
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'rabbitmq-endpoint-reader' },
        subjects: [{ kind: 'ServiceAccount', name: 'rabbitmq', namespace: 'pay' }],
      });
      const image = 'docker.io/bitnamilegacy/rabbitmq:3.12.14';
      const broker = server(cluster, 'pay/rabbitmq', image, 5672, {
        ...{ replicas: 3, spec: disks(cluster), pod: { serviceAccountName: 'rabbitmq' } },
      });
      cluster.at(after(0), () => binding.delete());
      cluster.at(after(60), () => {
        const refused = ends(
          [
            '2026-11-23 09:25:44.273 [info] <0.269.0> Configured peer discovery backend: rabbit_peer_discovery_k8s',
            '2026-11-23 09:25:44.833 [error] <0.269.0> Failed to fetch a list of nodes from Kubernetes API: 403',
            '2026-11-23 09:25:44.839 [error] <0.269.0> Peer discovery returned an error: "403". Will retry after a delay of 500 ms, 9 retries left...',
            '2026-11-23 09:25:49.901 [error] <0.269.0> Peer discovery returned an error: "403". Will retry after a delay of 500 ms, 0 retries left...',
            'BOOT FAILED',
          ],
          1,
          9,
        );
        cluster.image(image, ({ metadata }) => (metadata.name === 'rabbitmq-3' ? refused : {}));
        broker.scale(5);
      });
      cluster.expectIncident({
        root: 'ServiceAccount/pay/rabbitmq',
        accepts: [
          'StatefulSet/pay/rabbitmq',
          `RoleBinding.${rbac}/pay/rabbitmq-endpoint-reader`,
          'RoleBinding/pay/rabbitmq-endpoint-reader',
        ],
        messages: { resolve: 0 },
        mustNotBlame: ['Service/pay/rabbitmq', 'StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/operator-framework/operator-lifecycle-manager/issues/2830: the kind stays, and who converts it is gone.
  'conversion-left-behind-by-an-uninstalled-operator': reported(
    'An operator is uninstalled, and its kind still wants to be converted by it; the operator that builds on it ends',
    (cluster) => {
      cluster.pro();
      const webhook = cluster.deployment('devworkspace-controller/devworkspace-controller-manager', {
        image: 'quay.io/devfile/devworkspace-controller:v0.31.2',
      });
      const name = 'devworkspace-controller-manager-service';
      const service = cluster.service(`devworkspace-controller/${name}`, {
        selector: { app: 'devworkspace-controller-manager' },
        ports: [{ name: 'https', port: 443, targetPort: 9443, protocol: 'TCP' }],
      });
      define(cluster, 'workspace.devfile.io/v1alpha2', ['DevWorkspace']);
      custom(cluster, 'workspace.devfile.io/v1alpha2', 'DevWorkspace', 'dev/editor');
      const kind = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
      cluster.planned({ ...kind, metadata: { name: 'devworkspaces.workspace.devfile.io' } }).patch({
        spec: {
          conversion: {
            strategy: 'Webhook',
            webhook: {
              conversionReviewVersions: ['v1'],
              clientConfig: { service: { namespace: 'devworkspace-controller', name, path: '/convert' } },
            },
          },
        },
      });
      const image = 'quay.io/eclipse/che-operator:7.92.0';
      cluster.deployment('eclipse-che/che-operator', { image });
      cluster.at(after(0), () => {
        webhook.delete();
        service.delete();
      });
      cluster.at(after(30), () =>
        cluster.befall(
          image,
          ends(
            [
              `W1123 09:31:10.512114       1 reflector.go:561] failed to list *v1alpha2.DevWorkspace: conversion webhook for workspace.devfile.io/v1alpha1, Kind=DevWorkspace failed: Post "https://${name}.devworkspace-controller.svc:443/convert?timeout=30s": service "${name}" not found`,
              '{"level":"error","ts":"2026-11-23T09:33:10Z","logger":"setup","msg":"problem running manager","error":"failed to wait for devworkspace-routing caches to sync: timed out waiting for cache to be synced for Kind *v1alpha2.DevWorkspace"}',
            ],
            1,
            45,
          ),
        ),
      );
      cluster.expectIncident({
        root: 'CustomResourceDefinition//devworkspaces.workspace.devfile.io',
        accepts: [
          `Service/devworkspace-controller/${name}`,
          'Deployment/devworkspace-controller/devworkspace-controller-manager',
        ],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: ['Deployment/eclipse-che/che-operator'],
      });
    },
  ),

  // https://github.com/VictoriaMetrics/operator/issues/529: budgets of that version are served no more since Kubernetes 1.25.
  'operator-asks-for-budgets-of-an-old-version': reported(
    'After an upgrade of the cluster an operator of metrics asks for disruption budgets of a version that is gone, and ends again and again',
    (cluster) => {
      const image = 'docker.io/victoriametrics/operator:v0.26.0';
      cluster.deployment('victoria/vm-operator', { image });
      server(cluster, 'victoria/vmstorage', 'docker.io/victoriametrics/vmstorage:v1.81.2-cluster', 8482, {
        replicas: 2,
      });
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              '{"level":"error","ts":1795424875.1530888,"logger":"controller-runtime.source","msg":"if kind is a CRD, it should be installed before calling Start","kind":"PodDisruptionBudget.policy","error":"no matches for kind \\"PodDisruptionBudget\\" in version \\"policy/v1beta1\\"","stacktrace":"sigs.k8s.io/controller-runtime/pkg/source.(*Kind).Start.func1.1"}',
              '{"level":"error","ts":1795424995.2011,"logger":"setup","msg":"problem running manager","error":"failed to wait for vmagent caches to sync: timed out waiting for cache to be synced"}',
            ],
            1,
            40,
          ),
        ),
      );
      cluster.expectIncident({
        root: 'Deployment/victoria/vm-operator',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/victoria/vmstorage', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/cert-manager/cert-manager/issues/7791: the newer one asks for a path that the controller's webhook refuses.
  'challenge-is-refused-by-the-ingress-controller': reported(
    'cert-manager is upgraded, and the way to its challenges is refused by the webhook of the ingress controller: a new certificate is not issued',
    (cluster) => {
      cluster.pro();
      define(cluster, 'cert-manager.io/v1', ['Certificate', 'CertificateRequest']);
      define(cluster, 'acme.cert-manager.io/v1', ['Order', 'Challenge']);
      const repository = 'quay.io/jetstack/cert-manager-controller';
      const manager = cluster.deployment('cert-manager/cert-manager', { image: `${repository}:v1.17.2` });
      cluster.deployment('ingress-nginx/ingress-nginx-controller', {
        ...{ replicas: 2, image: 'registry.k8s.io/ingress-nginx/controller:v1.12.2' },
      });
      cluster.deployment('cms/site', { replicas: 2, image: imageAt('site', 8) });
      cluster.service('cms/site');
      cluster.object(ingressClass);
      cluster.object(ingress('cms/site'));
      cluster.at('60s', () => manager.setImage(`${repository}:v1.18.0`));
      const issuerRef = { kind: 'ClusterIssuer', name: 'letsencrypt-prod' };
      const acme = 'acme.cert-manager.io/v1';
      cluster.at(after(0), () => {
        custom(cluster, 'cert-manager.io/v1', 'Certificate', 'cms/site-tls', { secretName: 'site-tls', issuerRef });
        custom(cluster, 'cert-manager.io/v1', 'CertificateRequest', 'cms/site-tls-1', { issuerRef });
        custom(cluster, acme, 'Order', 'cms/site-tls-1-3184104856', { issuerRef });
        custom(cluster, acme, 'Challenge', 'cms/site-tls-1-3184104856-2172708158', { type: 'HTTP-01', issuerRef });
      });
      const made = (apiVersion: string, kind: string, name: string) =>
        cluster.planned({ apiVersion, kind, metadata: { namespace: 'cms', name } });
      const refused =
        'admission webhook "validate.nginx.ingress.kubernetes.io" denied the request: ingress contains invalid paths: path /.well-known/acme-challenge/oTw4h9_WsobTRn5COTSyaiAx3aWn0M7_aYisoz1gXQw cannot be used with pathType Exact';
      cluster.at(after(5), () => {
        made(acme, 'Challenge', 'site-tls-1-3184104856-2172708158').status({
          ...{ presented: false, processing: true, state: 'pending', reason: refused },
        });
        made(acme, 'Order', 'site-tls-1-3184104856').status({ state: 'pending' });
        made('cert-manager.io/v1', 'CertificateRequest', 'site-tls-1').status(
          condition(
            'Ready',
            'False',
            'Pending',
            'Waiting on certificate issuance from order cms/site-tls-1-3184104856: "pending"',
          ),
        );
        made('cert-manager.io/v1', 'Certificate', 'site-tls').status(
          condition('Ready', 'False', 'DoesNotExist', 'Issuing certificate as Secret does not exist'),
        );
      });
      cluster.expectIncident({
        root: 'Challenge.acme.cert-manager.io/cms/site-tls-1-3184104856-2172708158',
        accepts: [
          'Certificate.cert-manager.io/cms/site-tls',
          'Order.acme.cert-manager.io/cms/site-tls-1-3184104856',
          'CertificateRequest.cert-manager.io/cms/site-tls-1',
          'Deployment/cert-manager/cert-manager',
        ],
        messages: { resolve: 0, update: '≤2' },
        beginsAfterSeconds: 335,
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Deployment/cms/site', 'Deployment/ingress-nginx/ingress-nginx-controller'],
      });
    },
    { minutes: 28 },
  ),
};
