import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/policy/resource-quotas/
  'quota-of-memory-used-up': scenario('A team scales up into the memory quota of its namespace', (cluster) => {
    surroundings(cluster);
    cluster.quota('ml/compute', { 'requests.memory': '4Gi' });
    cluster.deployment('ml/training', { replicas: 3, image: 'registry.acme.example/training:1', memory: '1Gi' });
    const serving = cluster.deployment('ml/serving', { image: 'registry.acme.example/serving:1', memory: '512Mi' });
    cluster.at('10s', () => serving.scale(4));
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'ResourceQuota/ml/compute',
      accepts: ['Deployment/ml/serving'],
      reason: 'QuotaExceeded',
      mustNotBlame: ['Deployment/ml/training'],
    });
  }),

  // https://kubernetes.io/docs/concepts/policy/limit-range/
  'limit-range-refuses': scenario(
    'A release asks for more memory than the LimitRange of its namespace allows',
    (cluster) => {
      surroundings(cluster);
      cluster.object({
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'limits', namespace: 'office' },
        spec: { limits: [{ type: 'Container', max: { memory: '1Gi' } }] },
      });
      const image = 'registry.acme.example/reports';
      const reports = cluster.deployment('office/reports', { replicas: 2, image: `${image}:1`, memory: '512Mi' });
      cluster.at('10s', () => reports.change({ image: `${image}:2`, memory: '2Gi' }));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/office/reports',
        accepts: ['LimitRange/office/limits'],
        reason: 'LimitRangeRejects',
        mustNotBlame: ['Deployment/office/wiki'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/security/pod-security-admission/: what runs goes on, what is restarted is refused.
  'pod-security-enforced-later': scenario(
    'A namespace gets a stricter Pod security level; the next restart gets no Pods',
    (cluster) => {
      surroundings(cluster);
      const namespace = cluster.object({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tools' } });
      const debug = cluster.deployment('tools/collector', {
        ...{ replicas: 2, image: 'registry.acme.example/collector:1', pod: { hostPID: true } },
      });
      cluster.at('5s', () =>
        namespace.patch({ metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } }),
      );
      cluster.at('15s', () => debug.restart());
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/tools/collector',
        accepts: ['Namespace//tools'],
        reason: 'PodSecurityRejects',
      });
    },
  ),

  // https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
  'policy-denies-a-release': scenario('A policy denies the Pods of a release that lacks a label', (cluster) => {
    cluster.pro();
    surroundings(cluster);
    const inShop = { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } };
    cluster.object({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'require-team' },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        },
        validations: [{ expression: "'team' in object.metadata.labels", message: 'Pods must name their team' }],
      },
    });
    cluster.object({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'require-team' },
      spec: { policyName: 'require-team', validationActions: ['Deny'], matchResources: { namespaceSelector: inShop } },
    });
    const labels = { team: 'checkout' };
    const image = 'registry.acme.example/checkout';
    const checkout = cluster.deployment('shop/checkout', { replicas: 2, image: `${image}:1`, labels });
    cluster.deployment('shop/basket', { replicas: 2, image: 'registry.acme.example/basket:1', labels });
    // A new template engine, and the label is gone.
    cluster.at('10s', () =>
      checkout.change({ image: `${image}:2`, spec: { template: withoutTeam('checkout', `${image}:2`) } }),
    );
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Deployment/shop/checkout',
      accepts: ['ValidatingAdmissionPolicy//require-team', 'ValidatingAdmissionPolicyBinding//require-team'],
      reason: 'AdmissionDenied',
      mustNotBlame: ['Deployment/shop/basket'],
    });
  }),

  // https://github.com/kubernetes/kubernetes/issues/112765 and https://istio.io/latest/docs/ops/common-problems/injection/
  'injector-crashes': scenario(
    'The webhook that injects sidecars crashes after a release, and nobody gets new Pods',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      const image = 'registry.acme.example/injector';
      const injector = cluster.deployment('mesh/injector', {
        ...{ image: `${image}:1.27`, spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('mesh/injector', { ports: [{ name: 'https', port: 443, targetPort: 8443, protocol: 'TCP' }] });
      const handles = ['orders', 'search', 'accounts'].map((name) =>
        cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.acme.example/${name}:7` }),
      );
      const webhook = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'sidecar-injector' },
        webhooks: [
          {
            name: 'inject.mesh.example',
            clientConfig: { service: { name: 'injector', namespace: 'mesh', path: '/inject' } },
            failurePolicy: 'Fail',
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            timeoutSeconds: 5,
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          },
        ],
      };
      cluster.image(
        `${image}:1.28`,
        ends(['fatal\tunable to start: open /etc/mesh/mesh.yaml: no such file or directory']),
      );
      cluster.at('5s', () => injector.setImage(`${image}:1.28`));
      // There is no process behind the Service: the webhook is asked only once it is down.
      cluster.at('9s', () => cluster.object(webhook));
      for (const [index, handle] of handles.entries()) cluster.at(`${12 + index}s`, () => handle.scale(4));
      cluster.expectIncident({
        root: 'Deployment/mesh/injector',
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/search', 'Deployment/shop/accounts'],
      });
    },
  ),
};

/** The Pod template of a workload without the label of its team: labels that are absent from a patch stay, so it is said as null. */
function withoutTeam(name: string, image: string): object {
  return { metadata: { labels: { app: name, team: null } }, spec: { containers: [{ name, image }] } };
}
