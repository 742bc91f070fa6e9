import { condition, custom, define, imageAt, innocentRelease } from '../../kit/company.ts';
import { after, killed, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

/** Rights, versions of APIs, quotas, and what operators wait for. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/crossplane/crossplane/issues/3114, https://github.com/crossplane/crossplane/issues/5820
  'nobody-grants-rights-to-the-providers': reported(
    'The part that grants rights to providers is upgraded and killed for its memory; two providers with new kinds may not list them and end',
    (cluster, firm) => {
      const repository = 'xpkg.crossplane.io/crossplane/crossplane';
      const manager = cluster.deployment('crossplane-system/crossplane-rbac-manager', {
        ...{ image: `${repository}:v1.7.2`, memory: '256Mi', spec: { strategy: { type: 'Recreate' } } },
      });
      const places = ['provider-aws-ec2', 'provider-mongodbatlas'];
      const handles = places.map((name) =>
        cluster.deployment(`crossplane-system/${name}`, { image: imageAt(name, '1.4.0'), probe: false }),
      );
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => {
        cluster.image(
          `${repository}:v1.8.1`,
          killed(
            [
              'I0527 16:27:56.345705       1 request.go:665] Waited for 1.003347371s due to client-side throttling, not priority and fairness, request: GET:https://10.56.0.1:443/apis/healthcare.gcp.jet.crossplane.io/v1alpha1?timeout=32s',
              'I0527 16:28:24.677442       1 leaderelection.go:258] successfully acquired lease crossplane-system/crossplane-leader-election-rbac',
            ],
            28,
          ),
        );
        manager.setImage(`${repository}:v1.8.1`);
      });
      cluster.at(after(40), () => {
        for (const [index, name] of places.entries()) {
          cluster.image(
            imageAt(name, '1.8.0'),
            ends(
              [
                `E1123 09:08:24.037238       1 reflector.go:147] k8s.io/client-go@v0.29.4/tools/cache/reflector.go:229: Failed to watch *v1beta1.ProviderConfig: failed to list *v1beta1.ProviderConfig: providerconfigs.aws.upbound.io is forbidden: User "system:serviceaccount:crossplane-system:${name}" cannot list resource "providerconfigs" in API group "aws.upbound.io" at the cluster scope`,
                `${name}: error: Cannot start controller manager: failed to wait for providerconfig caches to sync: timed out waiting for cache to be synced for Kind *v1beta1.ProviderConfig`,
              ],
              1,
              40,
            ),
          );
          handles[index]?.setImage(imageAt(name, '1.8.0'));
        }
      });
      cluster.expectIncident({
        root: 'Deployment/crossplane-system/crossplane-rbac-manager',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/logistics/tracking', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/knative/serving/issues/13519: it asks for autoscalers of a version that Kubernetes 1.26 serves no more.
  'autoscalers-of-a-dropped-version': reported(
    'After an upgrade of the cluster an operator cannot apply what it installs, as it asks for autoscalers of a version that is gone',
    (cluster) => {
      cluster.pro();
      define(cluster, 'operator.knative.dev/v1beta1', ['KnativeServing']);
      cluster.deployment('knative-operator/knative-operator', { image: imageAt('knative-operator', '1.8.1') });
      const serving = custom(
        cluster,
        'operator.knative.dev/v1beta1',
        'KnativeServing',
        'knative-serving/knative-serving',
      );
      cluster.deployment('knative-serving/activator', { replicas: 2, image: imageAt('activator', '1.8.1') });
      serving.status(condition('Ready', 'True', 'Ready', ''));
      const why =
        'Install failed with message: failed to apply non rbac manifest: no matches for kind "HorizontalPodAutoscaler" in version "autoscaling/v2beta2"';
      cluster.at(after(0), () => serving.status(condition('Ready', 'False', 'Error', why)));
      cluster.expectIncident({
        root: 'KnativeServing.operator.knative.dev/knative-serving/knative-serving',
        accepts: ['Deployment/knative-operator/knative-operator'],
        messages: { resolve: 0 },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Deployment/knative-serving/activator'],
      });
    },
    { minutes: 28 },
  ),

  // https://github.com/hashicorp/consul/issues/7950: it may not write its own configuration any more.
  'injector-may-not-write-its-own-webhook': reported(
    'The rights of the injector of a service mesh are cleaned up with others; it may not write its own webhook and ends at its next start',
    (cluster) => {
      const rbac = 'rbac.authorization.k8s.io';
      const name = 'consul-connect-injector';
      cluster.object({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'consul' } });
      cluster.object({
        ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name } },
        rules: [
          {
            ...{ apiGroups: ['admissionregistration.k8s.io'], resources: ['mutatingwebhookconfigurations'] },
            verbs: ['get', 'list', 'watch', 'patch'],
          },
        ],
      });
      const binding = cluster.object({
        ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name } },
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
        subjects: [{ kind: 'ServiceAccount', name, namespace: 'consul' }],
      });
      const image = 'docker.io/hashicorp/consul-k8s-control-plane:1.4.1';
      const injector = cluster.deployment(`consul/${name}`, { replicas: 2, image, pod: { serviceAccountName: name } });
      cluster.service(`consul/${name}`);
      cluster.at(after(0), () => binding.delete());
      cluster.at(after(90), () => {
        cluster.image(
          image,
          ends([
            'Listening on ":8080"...',
            `Error updating MutatingWebhookConfiguration: mutatingwebhookconfigurations.admissionregistration.k8s.io "${name}" is forbidden: User "system:serviceaccount:consul:${name}" cannot patch resource "mutatingwebhookconfigurations" in API group "admissionregistration.k8s.io" at the cluster scope`,
          ]),
        );
        injector.restart();
      });
      cluster.expectIncident({
        root: `ClusterRoleBinding//${name}`,
        messages: { resolve: 0 },
        mustNotBlame: [`Service/consul/${name}`, 'Node//n1'],
      });
    },
  ),

  // https://github.com/reportportal/kubernetes/issues/539: the Job that all wait for was cleaned up and not made again.
  'everybody-waits-for-a-run-that-was-tidied-away': reported(
    'A finished migration is tidied away; three parts of a portal that look for it before they start do not come up again',
    (cluster, firm) => {
      const waiter = 'docker.io/bitnamilegacy/kubectl:1.29.3';
      cluster.image(waiter, {
        exit: { afterSeconds: 2, code: 0 },
        log: ['job.batch/reportportal-migrations condition met'],
      });
      const names = ['reportportal-api', 'reportportal-uat', 'reportportal-jobs'];
      const handles = names.map((name) => {
        cluster.service(`reports/${name}`);
        return cluster.deployment(`reports/${name}`, { image: imageAt(name, '5.11'), init: waiter });
      });
      const image = 'docker.io/reportportal/migrations:5.11.0';
      cluster.image(image, { exit: { afterSeconds: 6, code: 0 }, log: ['no change'] });
      const migrations = cluster.job('reports/reportportal-migrations', { image });
      innocentRelease(cluster, after(-50), firm);
      cluster.at(after(0), () => migrations.delete());
      cluster.at(after(45), () => {
        cluster.image(
          waiter,
          ends(
            [
              'Waiting for migrations to be finished',
              'Error from server (NotFound): jobs.batch "reportportal-migrations" not found',
            ],
            1,
            2,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Job/reports/reportportal-migrations',
        accepts: names.map((name) => `Deployment/reports/${name}` as const),
        messages: { resolve: 0, update: '≤2', open: '≤3' },
        mustNotBlame: ['Deployment/logistics/tracking', 'Node//n1'],
      });
    },
  ),
};
