/** Pods that the API server does not let in, and Pods that find no place, of application teams; played on a real control plane. */

import { scenario } from '../../kit/scenario.ts';
import { webhook } from '../../kit/things.ts';

export const stories = {
  'range-of-sizes-is-narrowed-below-what-the-simulations-have': scenario(
    'A LimitRange is edited to a quarter; what is restarted afterwards is larger than it allows',
    (cluster) => {
      const range = cluster.object({
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'sizes', namespace: 'physics' },
        spec: { limits: [{ type: 'Container', max: { memory: '4Gi' } }] },
      });
      const simulations = cluster.deployment('physics/simulations', {
        replicas: 2,
        image: 'registry.campus.example/simulations:2.9',
        memory: '2Gi',
      });
      cluster.service('physics/simulations');
      cluster.deployment('physics/notebooks', {
        replicas: 1,
        image: 'registry.campus.example/notebooks:1.4',
        memory: '512Mi',
      });
      cluster.at('5s', () =>
        range.patch({ spec: { limits: [{ type: 'Container', max: { memory: '1Gi' }, default: { memory: '1Gi' } }] } }),
      );
      cluster.at('20s', () => simulations.restart());
      cluster.lasts('90s');
      cluster.expectIncident({
        root: 'LimitRange/physics/sizes',
        accepts: ['Deployment/physics/simulations'],
        mustNotBlame: ['Deployment/physics/notebooks'],
      });
    },
  ),

  'account-of-the-graders-is-deleted-before-their-next-release': scenario(
    'A ServiceAccount is removed in a clean-up; the Pods of the next release may not be made without it',
    (cluster) => {
      const account = cluster.object({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'grader', namespace: 'campus' },
      });
      const settings = cluster.configMap('campus/grader-settings', { ROUNDS: '3' });
      const graders = cluster.deployment('campus/graders', {
        replicas: 2,
        image: 'registry.campus.example/graders:1.1',
        envFrom: ['grader-settings'],
        pod: { serviceAccountName: 'grader' },
      });
      cluster.service('campus/graders');
      cluster.at('3s', () => settings.edit({ ROUNDS: '4' }));
      cluster.at('8s', () => account.delete());
      cluster.at('20s', () => graders.setImage('registry.campus.example/graders:1.2'));
      cluster.lasts('90s');
      cluster.expectIncident({
        root: 'ServiceAccount/campus/grader',
        mustNotBlame: ['ConfigMap/campus/grader-settings'],
      });
    },
  ),

  'judge-of-policies-does-not-start-again-and-a-shop-cannot-release': scenario(
    'The admission controller of the policies dies of an unknown flag since its upgrade; a shop that releases a minute later gets no Pods',
    (cluster) => {
      const image = 'ghcr.io/kyverno/kyverno:v1.13.2';
      const front = cluster.deployment('webshop/front-office', {
        replicas: 2,
        image: 'registry.webshop.example/front-office:40.1',
      });
      cluster.service('webshop/front-office');
      cluster.deployment('webshop/vouchers', { replicas: 1, image: 'registry.webshop.example/vouchers:3.3' });
      cluster.service('webshop/vouchers');
      const judge = cluster.deployment('kyverno/kyverno-admission-controller', {
        replicas: 1,
        image,
        labels: { 'app.kubernetes.io/component': 'admission-controller' },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('kyverno/kyverno-svc', {
        selector: { app: 'kyverno-admission-controller' },
        ports: [{ name: 'https', port: 443, targetPort: 8080, protocol: 'TCP' }],
      });
      cluster.deployment('kyverno/kyverno-reports-controller', { image: 'ghcr.io/kyverno/reports-controller:v1.13.2' });
      cluster.configMap('kyverno/kyverno', { webhooks: '[]' });
      for (const [kind, plural] of [
        ['ClusterPolicy', 'clusterpolicies'],
        ['ClusterCleanupPolicy', 'clustercleanuppolicies'],
        ['GlobalContextEntry', 'globalcontextentries'],
      ] as const) {
        cluster.object({
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: { name: `${plural}.kyverno.io` },
          spec: {
            group: 'kyverno.io',
            scope: 'Cluster',
            names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
            versions: [
              {
                name: 'v2alpha1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
              },
            ],
          },
        });
        cluster.object({
          apiVersion: 'kyverno.io/v2alpha1',
          kind,
          metadata: { name: `of-the-shop-${plural}` },
          spec: { background: true },
        });
      }
      cluster.object(
        webhook(
          'kyverno-resource-validating.kyverno.svc',
          { namespace: 'kyverno', name: 'kyverno-svc' },
          { about: 'pods', namespace: 'webshop' },
        ),
      );
      cluster.image('ghcr.io/kyverno/kyverno:v1.14.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 1, code: 2 },
        log: [
          'flag provided but not defined: -enablePolicyException',
          'Usage of kyverno:',
          '  -admissionReports',
          '    \tEnable or disable admission reports. (default true)',
        ],
      });
      cluster.at('5s', () => judge.setImage('ghcr.io/kyverno/kyverno:v1.14.0'));
      cluster.at('45s', () => front.setImage('registry.webshop.example/front-office:40.2'));
      cluster.lasts('130s');
      cluster.expectIncident({
        root: 'Deployment/kyverno/kyverno-admission-controller',
        mustNotBlame: [
          'Deployment/webshop/front-office',
          'Deployment/webshop/vouchers',
          'Deployment/kyverno/kyverno-reports-controller',
        ],
      });
    },
  ),

  'policy-on-memory-limits-is-turned-from-a-warning-into-a-refusal': scenario(
    'The binding of a policy is switched from auditing to denying; what is restarted afterwards is not let in',
    (cluster) => {
      cluster.object({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'memory-limits-are-given' },
        spec: {
          failurePolicy: 'Fail',
          matchConstraints: {
            resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          },
          validations: [
            {
              expression:
                "object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && 'memory' in c.resources.limits)",
              message: 'every container has a memory limit',
            },
          ],
        },
      });
      const binding = cluster.object({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'memory-limits-in-the-newsroom' },
        spec: {
          policyName: 'memory-limits-are-given',
          validationActions: ['Audit'],
          matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'newsroom' } } },
        },
      });
      const polls = cluster.deployment('newsroom/polls', {
        replicas: 2,
        image: 'registry.newspaper.example/polls:2.0',
      });
      cluster.service('newsroom/polls');
      cluster.deployment('newsroom/weather', {
        replicas: 1,
        image: 'registry.newspaper.example/weather:1.6',
        memory: '128Mi',
      });
      cluster.at('5s', () => binding.patch({ spec: { validationActions: ['Deny'] } }));
      cluster.at('25s', () => polls.restart());
      cluster.lasts('90s');
      cluster.expectIncident({
        root: 'ValidatingAdmissionPolicyBinding//memory-limits-in-the-newsroom',
        accepts: ['ValidatingAdmissionPolicy//memory-limits-are-given', 'Deployment/newsroom/polls'],
        mustNotBlame: ['Deployment/newsroom/weather'],
      });
    },
  ),

  'fourth-replica-wants-a-machine-of-its-own-and-there-are-three': scenario(
    'A Deployment whose replicas must stand apart is scaled to more than there are machines; a job ends badly beside it for its own reason',
    (cluster) => {
      const apart = {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'dispatch' } } },
            ],
          },
        },
      };
      const dispatch = cluster.deployment('grid/dispatch', {
        replicas: 3,
        image: 'registry.energy.example/dispatch:8.0',
        pod: apart,
      });
      cluster.service('grid/dispatch');
      cluster.image('registry.energy.example/load-import:5.1', {
        exit: { afterSeconds: 2, code: 1 },
        log: [
          'Traceback (most recent call last):',
          '  File "/app/load_import.py", line 90, in <module>',
          '    frame = pandas.read_csv(path, sep=";", parse_dates=["quarter"])',
          "ValueError: Missing column provided to 'parse_dates': 'quarter'",
        ],
      });
      cluster.at('5s', () => dispatch.scale(4));
      cluster.at('15s', () => {
        cluster.job('planning/load-import', {
          image: 'registry.energy.example/load-import:5.1',
          spec: { backoffLimit: 0 },
        });
      });
      cluster.lasts('100s');
      cluster.expectIncident({
        root: 'Deployment/grid/dispatch',
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'Job/planning/load-import'],
      });
      cluster.expectIncident({ root: 'Job/planning/load-import', mustNotBlame: ['Deployment/grid/dispatch'] });
    },
  ),
};
