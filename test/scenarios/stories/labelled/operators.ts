import type { Ref } from '../../../../src/model/ref.ts';
import { role } from '../../kit/access.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';

const image = (name: string): string => `registry.acme.example/${name}`;

/** A definition of a kind, as open as it may be. */
function definition(group: string, kind: string, plural: string) {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    ...{
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
    },
    spec: {
      ...{ group, scope: 'Namespaced', names: { plural, singular: kind.toLowerCase(), kind } },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
        },
      ],
    },
  };
}

/** Operators, what they define and what they make; namespaces that go. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/pulumi/pulumi-kubernetes-operator/issues/401
  'definition-pruned-under-its-operator': scenario(
    'The definition of a kind is pruned with all objects of it; its operator ends at each start since',
    (cluster) => {
      cluster.pro();
      const { storefront } = surroundings(cluster);
      const crd = cluster.object(
        definition('postgres-operator.crunchydata.com', 'PostgresCluster', 'postgresclusters'),
      );
      cluster.deployment('pgo/pgo', { image: image('pgo:5.6') });
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('10s', () => crd.delete());
      cluster.at('16s', () =>
        cluster.befall(
          image('pgo:5.6'),
          ends(
            [
              '{"level":"error","logger":"controller-runtime.source.EventHandler","msg":"if kind is a CRD, it should be installed before calling Start","kind":"PostgresCluster.postgres-operator.crunchydata.com","error":"no matches for kind \\"PostgresCluster\\" in version \\"postgres-operator.crunchydata.com/v1\\""}',
              '{"level":"error","msg":"problem running manager","error":"failed to wait for postgrescluster caches to sync: timed out waiting for cache to be synced"}',
            ],
            1,
            5,
          ),
        ),
      );
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'Deployment/pgo/pgo',
        accepts: ['CustomResourceDefinition//postgresclusters.postgres-operator.crunchydata.com'],
        mustNotBlame: ['Deployment/web/storefront'],
      });
    },
  ),
  // https://strimzi.io/docs/operators/latest/deploying#assembly-rbac-str
  'operator-loses-its-rights': scenario(
    'The rights of an operator are deleted while another team tidies up its roles; the operator ends',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      const metadata = { name: 'strimzi-cluster-operator', namespace: 'kafka' };
      cluster.object({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
      // The sandbox has no roles of its own.
      cluster.object(role('cluster-admin', '* * *'));
      const binding = cluster.object({
        ...{
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: metadata.name },
        },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', ...metadata }],
      });
      cluster.deployment('kafka/strimzi-cluster-operator', {
        image: image('strimzi:0.43'),
        pod: { serviceAccountName: metadata.name },
      });
      cluster.statefulSet('kafka/events-kafka', { replicas: 3, image: image('kafka:3.8') });
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('10s', () => binding.delete());
      cluster.at('15s', () =>
        cluster.befall(
          image('strimzi:0.43'),
          ends(
            [
              'io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: GET at: https://10.96.0.1:443/apis/kafka.strimzi.io/v1beta2/kafkas. Message: kafkas.kafka.strimzi.io is forbidden: User "system:serviceaccount:kafka:strimzi-cluster-operator" cannot list resource "kafkas" in API group "kafka.strimzi.io" at the cluster scope.',
            ],
            1,
            4,
          ),
        ),
      );
      cluster.lasts('2m15s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'ClusterRoleBinding//strimzi-cluster-operator',
        mustNotBlame: ['StatefulSet/kafka/events-kafka', 'Deployment/office/wiki'],
      });
    },
  ),
  // https://external-secrets.io/latest/guides/common-k8s-secret-types/
  'nobody-makes-the-secret': scenario(
    'The operator that fetches Secrets crashes; the Secret of a new team is never made, and both its workloads wait for it',
    (cluster) => {
      surroundings(cluster);
      const operator = cluster.deployment('external-secrets/external-secrets', {
        image: image('external-secrets:0.10'),
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.image(
        image('external-secrets:0.11'),
        ends(
          [
            '{"level":"error","logger":"setup","msg":"unable to create controller","controller":"ExternalSecret","error":"failed to get API group resources: unable to retrieve the complete list of server APIs: generators.external-secrets.io/v1alpha1: the server could not find the requested resource"}',
          ],
          1,
          2,
        ),
      );
      cluster.at('8s', () => operator.setImage(image('external-secrets:0.11')));
      const names = ['matching', 'notifier'];
      cluster.at('30s', () => {
        for (const name of names)
          cluster.deployment(`rides/${name}`, {
            ...{ replicas: 2, image: image(`${name}:1`), broken: true },
            env: { DB_PASSWORD: 'secret/rides-db/password' },
          });
      });
      cluster.lasts('2m40s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Deployment/external-secrets/external-secrets',
        mustNotBlame: names.map((name): Ref => `Deployment/rides/${name}`),
      });
      cluster.expectIncident({
        root: 'Secret/rides/rides-db',
        mustNotBlame: names.map((name): Ref => `Deployment/rides/${name}`),
      });
    },
  ),
  // https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/
  'deployer-out-of-memory': scenario(
    'The controller that applies all releases is killed for its memory; nothing else is broken',
    (cluster) => {
      surroundings(cluster);
      cluster.statefulSet('argocd/argocd-application-controller', { image: image('argocd:2.12'), memory: '1Gi' });
      cluster.deployment('argocd/argocd-server', { image: image('argocd-server:2.12') });
      cluster.deployment('argocd/argocd-repo-server', { image: image('argocd-repo:2.12') });
      cluster.at('15s', () =>
        cluster.befall(image('argocd:2.12'), {
          exit: { afterSeconds: 8, code: 137, oom: true },
          readyAfterSeconds: 'never',
          log: [
            'time="2026-11-02T10:00:11Z" level=info msg="Start syncing cluster" server="https://kubernetes.default.svc"',
          ],
        }),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/argocd/argocd-application-controller',
        mustNotBlame: ['Deployment/argocd/argocd-server', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/administer-cluster/namespaces/#deleting-a-namespace
  'namespace-of-the-gateway-deleted': scenario(
    'Somebody deletes the wrong namespace: with it goes what two workloads of another team call',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      cluster.deployment('messaging/sms-gateway', { replicas: 2, image: image('sms:2') });
      cluster.service('messaging/sms-gateway');
      const names = ['login-codes', 'reminders'];
      for (const name of names)
        cluster.deployment(`notify/${name}`, {
          replicas: 2,
          image: image(`${name}:1`),
          values: { SMS_URL: 'http://sms-gateway.messaging.svc.cluster.local' },
        });
      const namespace = cluster.planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'messaging' } });
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('12s', () => namespace.delete());
      cluster.at('30s', () => {
        cluster.befall(
          image('login-codes:1'),
          ends(
            [
              'level=fatal err="Post \\"http://sms-gateway.messaging.svc.cluster.local/v1/send\\": dial tcp: lookup sms-gateway.messaging.svc.cluster.local: no such host"',
            ],
            1,
            5,
          ),
        );
        cluster.befall(
          image('reminders:1'),
          ends(
            [
              "requests.exceptions.ConnectionError: HTTPConnectionPool(host='sms-gateway.messaging.svc.cluster.local', port=80): Max retries exceeded with url: /v1/send (Caused by NameResolutionError(\"Failed to resolve 'sms-gateway.messaging.svc.cluster.local' ([Errno -2] Name or service not known)\"))",
            ],
            1,
            6,
          ),
        );
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Namespace//messaging',
        accepts: ['Service/messaging/sms-gateway', 'Deployment/messaging/sms-gateway'],
        mustNotBlame: [
          ...names.map((name): Ref => `Deployment/notify/${name}`),
          'Deployment/kube-system/coredns',
          'Deployment/web/storefront',
        ],
      });
    },
  ),
  // https://www.nrmitchi.com/2020/09/non-terminating-namespace-removal/
  'namespace-waits-for-a-dead-api': scenario(
    'An API extension was removed without its registration; a namespace that is deleted afterwards does not go',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      cluster.deployment('preview-42/app', { replicas: 1, image: image('app:pr42') });
      const namespace = cluster.planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'preview-42' } });
      cluster.at('6s', () =>
        cluster.object({
          ...{
            apiVersion: 'apiregistration.k8s.io/v1',
            kind: 'APIService',
            metadata: { name: 'v1alpha1.subresources.kubevirt.io' },
          },
          spec: {
            ...{
              group: 'subresources.kubevirt.io',
              version: 'v1alpha1',
              groupPriorityMinimum: 1000,
              versionPriority: 15,
            },
            ...{ insecureSkipTLSVerify: true, service: { namespace: 'kubevirt', name: 'virt-api' } },
          },
        }),
      );
      cluster.at('20s', () => namespace.delete());
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'APIService//v1alpha1.subresources.kubevirt.io',
        beginsAfterSeconds: 6,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/preview-42/app'],
      });
    },
  ),
};
