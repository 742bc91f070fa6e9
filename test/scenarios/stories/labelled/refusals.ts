import type { Ref } from '../../../../src/model/ref.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { surroundings } from '../../kit/surroundings.ts';
import { networkPolicy, webhook } from '../../kit/things.ts';

const image = (name: string): string => `registry.acme.example/${name}`;

/** Workloads with two replicas each, and what refuses their next Pods. */
function workloads(cluster: ClusterBuilder, namespace: string, names: readonly string[], more: object = {}) {
  const all = names.map((name) => {
    cluster.service(`${namespace}/${name}`);
    return cluster.deployment(`${namespace}/${name}`, { replicas: 2, image: image(`${name}:1`), ...more });
  });
  return { all, refs: names.map((name): Ref => `Deployment/${namespace}/${name}`) };
}

/** Who stands at the door of the API and lets nobody in. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kyverno.io/docs/troubleshooting/
  'policy-engine-out-of-memory': scenario(
    'The policy engine is killed for its memory; without its answer no Pod of the shop may start',
    (cluster) => {
      cluster.pro();
      const { all, refs } = workloads(cluster, 'shop', ['basket', 'offers']);
      const { wiki } = surroundings(cluster);
      cluster.deployment('kyverno/kyverno-admission-controller', {
        image: image('kyverno:1.12'),
        memory: '128Mi',
      });
      cluster.service('kyverno/kyverno-svc', {
        selector: { app: 'kyverno-admission-controller' },
        ports: [{ name: 'https', port: 443, targetPort: 9443, protocol: 'TCP' }],
      });
      cluster.object(
        webhook('validate.kyverno.svc', { namespace: 'kyverno', name: 'kyverno-svc' }, { namespace: 'shop' }),
      );
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('12s', () =>
        cluster.befall(image('kyverno:1.12'), {
          exit: { afterSeconds: 5, code: 137, oom: true },
          readyAfterSeconds: 'never',
          log: ['{"level":"info","logger":"klog","msg":"Waiting for caches to sync for background-scan-controller"}'],
        }),
      );
      cluster.at('30s', () => {
        for (const workload of all) workload.restart();
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/kyverno/kyverno-admission-controller',
        mustNotBlame: [...refs, 'Deployment/office/wiki'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/policy/resource-quotas/#requests-vs-limits
  'quota-wants-sizes-said': scenario(
    'A namespace gets a quota of CPU and memory; its workloads say no sizes, and their next Pods are refused',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const { all, refs } = workloads(cluster, 'campaign', ['landing', 'signup', 'mailer']);
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('8s', () =>
        cluster.quota('campaign/compute', { 'limits.cpu': '8', 'limits.memory': '16Gi', 'requests.cpu': '4' }),
      );
      cluster.at('20s', () => {
        for (const workload of all) workload.restart();
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'ResourceQuota/campaign/compute',
        mustNotBlame: [...refs, 'Deployment/web/storefront'],
      });
    },
  ),
  // https://open-policy-agent.github.io/gatekeeper/website/docs/failing-closed
  'policy-engine-walled-in': scenario(
    'A network policy shuts off the namespace of the policy engine, which is healthy and can no longer be asked',
    (cluster) => {
      cluster.pro();
      const { all, refs } = workloads(cluster, 'claims', ['intake', 'review']);
      surroundings(cluster);
      cluster.deployment('gatekeeper-system/gatekeeper-controller-manager', {
        replicas: 2,
        image: image('gatekeeper:3.17'),
      });
      cluster.service('gatekeeper-system/gatekeeper-webhook-service', {
        selector: { app: 'gatekeeper-controller-manager' },
        ports: [{ name: 'https', port: 443, targetPort: 8443, protocol: 'TCP' }],
      });
      cluster.object(
        webhook(
          'validation.gatekeeper.sh',
          { namespace: 'gatekeeper-system', name: 'gatekeeper-webhook-service' },
          { namespace: 'claims' },
        ),
      );
      cluster.at('10s', () => cluster.object(networkPolicy('gatekeeper-system/default-deny', { podSelector: {} })));
      cluster.at('25s', () => {
        for (const workload of all) workload.restart();
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'NetworkPolicy/gatekeeper-system/default-deny',
        accepts: ['ValidatingWebhookConfiguration//validation.gatekeeper.sh'],
        mustNotBlame: refs,
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/configure-pod-container/enforce-standards-namespace-labels/
  'standard-forbids-the-agent': scenario(
    'A namespace enforces the baseline standard from now on; the agent that lives there reads the machine and is refused at its release',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      const agent = cluster.daemonSet('logging/vector', {
        image: image('vector:0.40'),
        probe: false,
        pod: { volumes: [{ name: 'logs', hostPath: { path: '/var/log' } }] },
        container: { volumeMounts: [{ name: 'logs', mountPath: '/var/log' }] },
      });
      const namespace = cluster.planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'logging' } });
      cluster.at('8s', () =>
        namespace.patch({ metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } }),
      );
      cluster.at('20s', () => agent.setImage(image('vector:0.41')));
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'DaemonSet/logging/vector',
        accepts: ['Namespace//logging'],
        beginsAfterSeconds: 20,
      });
    },
  ),
  // https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
  'only-our-own-registry': scenario(
    'From now on only images of the own registry may run; one workload still has an image from elsewhere',
    (cluster) => {
      cluster.pro();
      const { storefront } = surroundings(cluster);
      const maps = cluster.deployment('geo/tiles', { replicas: 2, image: 'docker.io/overv/tiles:2' });
      cluster.service('geo/tiles');
      const apiVersion = 'admissionregistration.k8s.io/v1';
      const metadata = { name: 'own-registry-only' };
      cluster.at('8s', () => {
        cluster.object({
          ...{ apiVersion, kind: 'ValidatingAdmissionPolicy', metadata },
          spec: {
            matchConstraints: {
              resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
            },
            validations: [
              {
                expression: "object.spec.containers.all(c, c.image.startsWith('registry.acme.example/'))",
                message: 'images come from registry.acme.example only',
              },
            ],
          },
        });
        cluster.object({
          ...{ apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata },
          spec: { policyName: 'own-registry-only', validationActions: ['Deny'] },
        });
      });
      cluster.at('22s', () => {
        storefront.setImage(image('storefront:5.2'));
        maps.scale(4);
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'Deployment/geo/tiles',
        accepts: [
          'ValidatingAdmissionPolicy//own-registry-only',
          'ValidatingAdmissionPolicyBinding//own-registry-only',
        ],
        mustNotBlame: ['Deployment/web/storefront'],
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/
  'account-tidied-away': scenario(
    'A ServiceAccount that two workloads run as is deleted by somebody who tidies up',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      const account = cluster.object({
        ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'importer', namespace: 'data' } },
      });
      const { all, refs } = workloads(cluster, 'data', ['loader', 'cleaner'], {
        pod: { serviceAccountName: 'importer' },
      });
      cluster.at('8s', () => account.delete());
      cluster.at('22s', () => {
        for (const workload of all) workload.scale(4);
      });
      cluster.lasts('2m15s');
      cluster.expectIncident({ root: 'ServiceAccount/data/importer', mustNotBlame: refs });
    },
  ),
  // https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
  'priority-class-renamed': scenario(
    'A priority class is replaced by one with another name; two releases still ask for the old one',
    (cluster) => {
      cluster.pro();
      const { wiki } = surroundings(cluster);
      const priorityClass = (name: string) => ({
        ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name } },
        value: 100_000,
      });
      const old = cluster.object(priorityClass('business-critical'));
      const { all, refs } = workloads(cluster, 'bank', ['payments', 'limits'], {
        pod: { priorityClassName: 'business-critical' },
      });
      cluster.at('6s', () => {
        cluster.object(priorityClass('critical'));
        old.delete();
        wiki.setImage(image('wiki:4.0'));
      });
      cluster.at('22s', () => {
        all[0]?.setImage(image('payments:2'));
        all[1]?.setImage(image('limits:2'));
      });
      cluster.lasts('2m15s');
      cluster.expectIncident({
        root: 'PriorityClass//business-critical',
        mustNotBlame: [...refs, 'Deployment/office/wiki'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/containers/runtime-class/
  'sandboxed-runtime-removed': scenario(
    'The runtime class for untrusted code is removed with its installer; two workloads need it',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      const runtime = cluster.object({
        ...{ apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'gvisor' } },
        handler: 'runsc',
      });
      const { all, refs } = workloads(cluster, 'playground', ['python', 'ruby'], {
        pod: { runtimeClassName: 'gvisor' },
      });
      cluster.at('8s', () => runtime.delete());
      cluster.at('20s', () => {
        for (const workload of all) workload.restart();
      });
      cluster.lasts('2m15s');
      cluster.expectIncident({ root: 'RuntimeClass//gvisor', mustNotBlame: refs });
    },
  ),
};
