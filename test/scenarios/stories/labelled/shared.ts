import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { claim, mounts, storageClass, webhook } from '../../kit/things.ts';

const names = ['api', 'web', 'cart'] as const;
const blameless = names.map((name) => `Deployment/shop/${name}` as const);
const old = (name: string): string => `registry.example/${name}:1.0`;
const next = (name: string): string => `registry.example/${name}:1.1`;

/** Three workloads with two replicas each that serve. */
function three(cluster: ClusterBuilder, more: object = {}) {
  return names.map((name) => {
    const workload = cluster.deployment(`shop/${name}`, { replicas: 2, image: old(name), ...more });
    return { name, workload };
  });
}

/** What three workloads share, and what happens to all of them when it fails. */
export const stories: Readonly<Record<string, Scenario>> = {
  'registry-denies-everybody': scenario(
    'The registry refuses the credentials of three workloads at once',
    (cluster) => {
      const all = three(cluster);
      for (const name of names) cluster.image(next(name), { pullError: 'Unauthorized' });
      cluster.at('5s', () => {
        for (const { name, workload } of all) workload.setImage(next(name));
      });
      cluster.lasts('75s');
      cluster.expectIncident({
        root: 'Registry//registry.example',
        reason: 'RegistryDenied',
        messages: { resolve: 0 },
        mustNotBlame: blameless,
      });
    },
  ),
  'registry-rate-limit': scenario('The registry lets nobody pull any more today', (cluster) => {
    const all = three(cluster);
    const pullError =
      'failed to pull and unpack image: failed to copy: httpReadSeeker: failed open: unexpected status code https://registry.example/v2/api/manifests/sha256:5f0c: 429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit.';
    for (const name of names) cluster.image(next(name), { pullError });
    cluster.at('5s', () => {
      for (const { name, workload } of all) workload.setImage(next(name));
    });
    cluster.lasts('90s');
    cluster.expectIncident({ root: 'Registry//registry.example', messages: { resolve: 0 }, mustNotBlame: blameless });
  }),
  'registry-down-while-scaling': scenario('The registry cannot be reached while two workloads grow', (cluster) => {
    const all = three(cluster).slice(0, 2);
    const images = ['api', 'web'].map(old);
    cluster.at('4s', () => {
      for (const image of images) cluster.image(image, { pullError: 'RegistryUnreachable' });
    });
    cluster.at('5s', () => {
      for (const { workload } of all) workload.scale(5);
    });
    cluster.lasts('90s');
    cluster.expectIncident({
      root: 'Registry//registry.example',
      reason: 'RegistryUnreachable',
      messages: { resolve: 0 },
      mustNotBlame: blameless,
    });
  }),
  'two-wrong-tags': scenario('Two releases name tags that do not exist; the registry is healthy', (cluster) => {
    const all = three(cluster).slice(0, 2);
    for (const name of ['api', 'web']) cluster.image(next(name), { pullError: 'NotFound' });
    cluster.at('5s', () => {
      for (const { name, workload } of all) workload.setImage(next(name));
    });
    cluster.lasts('60s');
    for (const root of ['Deployment/shop/api', 'Deployment/shop/web'] as const)
      cluster.expectIncident({
        root,
        reason: 'ImageNotFound',
        messages: { resolve: 0 },
        mustNotBlame: ['Registry//registry.example'],
      });
  }),
  'config-map-missing-for-three': scenario(
    'A ConfigMap is deleted, and three workloads that are restarted wait for it',
    (cluster) => {
      const settings = cluster.configMap('shop/settings', { level: 'info' });
      const all = three(cluster, { envFrom: ['settings'] });
      cluster.at('5s', () => settings.delete());
      cluster.at('8s', () => {
        for (const { workload } of all) workload.restart();
      });
      cluster.lasts('80s');
      cluster.expectIncident({
        root: 'ConfigMap/shop/settings',
        reason: 'ConfigMapMissing',
        messages: { resolve: 0 },
        mustNotBlame: blameless,
      });
    },
  ),
  'secret-loses-key': scenario('A Secret loses a key that two workloads need when they are restarted', (cluster) => {
    const secret = cluster.secret('shop/database', { user: 'shop', password: 'guess' });
    const env = { PASSWORD: 'secret/database/password' };
    const all = three(cluster, { env }).slice(0, 2);
    cluster.at('5s', () => {
      secret.delete();
    });
    cluster.at('7s', () => cluster.secret('shop/database', { user: 'shop', pass: 'guess' }));
    cluster.at('9s', () => {
      for (const { workload } of all) workload.restart();
    });
    cluster.lasts('80s');
    cluster.expectIncident({ root: 'Secret/shop/database', messages: { resolve: 0 }, mustNotBlame: blameless });
  }),
  'config-map-loses-key': scenario(
    'A ConfigMap loses a key that two workloads need when they are restarted',
    (cluster) => {
      const settings = cluster.configMap('shop/settings', { level: 'info', region: 'eu' });
      const all = three(cluster, { env: { REGION: 'configmap/settings/region' } }).slice(0, 2);
      cluster.at('5s', () => settings.delete());
      cluster.at('7s', () => cluster.configMap('shop/settings', { level: 'info', regions: 'eu' }));
      cluster.at('9s', () => {
        for (const { workload } of all) workload.restart();
      });
      cluster.lasts('80s');
      cluster.expectIncident({ root: 'ConfigMap/shop/settings', messages: { resolve: 0 }, mustNotBlame: blameless });
    },
  ),
  'config-map-edit-breaks-two': scenario(
    'Settings that two workloads share are edited, and both crash when they are restarted',
    (cluster) => {
      const settings = cluster.configMap('shop/settings', { level: 'info' });
      const all = three(cluster, { envFrom: ['settings'] }).slice(0, 2);
      cluster.at('5s', () => settings.edit({ level: 'loud' }));
      cluster.at('10s', () => {
        for (const { name, workload } of all) {
          cluster.image(old(name), { exit: { afterSeconds: 1, code: 1 }, log: ['fatal: unknown log level "loud"'] });
          workload.restart();
        }
      });
      cluster.lasts('1m50s');
      cluster.expectIncident({ root: 'ConfigMap/shop/settings', messages: { resolve: '≤1' }, mustNotBlame: blameless });
    },
  ),
  'config-map-edited-and-innocent': scenario(
    'Settings are edited that the workload which crashes does not use',
    (cluster) => {
      const settings = cluster.configMap('shop/settings', { level: 'info' });
      cluster.deployment('shop/web', { replicas: 2, image: old('web'), envFrom: ['settings'] });
      const api = cluster.deployment('shop/api', { replicas: 2, image: old('api') });
      cluster.image(next('api'), { exit: { afterSeconds: 1, code: 1 }, log: ['panic: nil map'] });
      cluster.at('5s', () => settings.edit({ level: 'debug' }));
      cluster.at('8s', () => api.setImage(next('api')));
      cluster.lasts('90s');
      cluster.expectIncident({
        root: 'Deployment/shop/api',
        reason: 'CrashLoopBackOff',
        messages: { resolve: 0 },
        mustNotBlame: ['ConfigMap/shop/settings'],
      });
    },
  ),
  'limit-range-refuses-two': scenario('A limit range is lowered, and two workloads get no new Pods', (cluster) => {
    const all = three(cluster, { cpu: '500m', memory: '256Mi' }).slice(0, 2);
    const limits = [{ type: 'Container', max: { memory: '128Mi' } }];
    cluster.at('5s', () =>
      cluster.object({
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'sizes', namespace: 'shop' },
        spec: { limits },
      }),
    );
    cluster.at('9s', () => {
      for (const { workload } of all) workload.scale(4);
    });
    cluster.lasts('75s');
    cluster.expectIncident({ root: 'LimitRange/shop/sizes', messages: { resolve: 0 }, mustNotBlame: blameless });
  }),
  'pod-security-refuses-two': scenario(
    'A namespace is made restricted, and two workloads get no new Pods',
    (cluster) => {
      const all = three(cluster).slice(0, 2);
      const namespace = cluster.planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
      cluster.at('5s', () =>
        namespace.patch({ metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } }),
      );
      cluster.at('9s', () => {
        for (const { workload } of all) workload.scale(4);
      });
      cluster.lasts('75s');
      // What was refused before as well is about who breaks the rule; this was not (docs/contributing/decisions.md, "Who refuses, and whom").
      cluster.expectIncident({ root: 'Namespace//shop', reason: 'PodSecurityRejects', messages: { resolve: 0 } });
    },
  ),
  'admission-policy-refuses-two': scenario('A new admission policy refuses the Pods of two workloads', (cluster) => {
    const all = three(cluster).slice(0, 2);
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
    const metadata = { name: 'team-label' };
    const apiVersion = 'admissionregistration.k8s.io/v1';
    cluster.at('5s', () => {
      cluster.object({
        ...{ apiVersion, kind: 'ValidatingAdmissionPolicy', metadata },
        spec: {
          matchConstraints: {
            resourceRules: [rule],
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } },
          },
          validations: [
            { expression: "object.metadata.labels.?team.orValue('') != ''", message: 'say which team it is of' },
          ],
        },
      });
      cluster.object({
        ...{ apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata },
        spec: { policyName: 'team-label', validationActions: ['Deny'] },
      });
    });
    cluster.at('15s', () => {
      for (const { workload } of all) workload.scale(4);
    });
    cluster.lasts('80s');
    // A refusal is about the objects that break the rule (docs/contributing/decisions.md, "Who refuses, and whom").
    for (const root of ['Deployment/shop/api', 'Deployment/shop/web'] as const)
      cluster.expectIncident({ root, reason: 'AdmissionDenied', messages: { resolve: 0 } });
  }),
  'webhook-service-missing': scenario(
    'A webhook names a Service that does not exist, and three workloads get no new Pods',
    (cluster) => {
      cluster.pro();
      const all = three(cluster);
      cluster.at('5s', () =>
        cluster.object(webhook('policy.example', { namespace: 'guard', name: 'policy' }, { namespace: 'shop' })),
      );
      cluster.at('9s', () => {
        for (const { workload } of all) workload.scale(4);
      });
      cluster.lasts('75s');
      cluster.expectIncident({
        root: 'ValidatingWebhookConfiguration//policy.example',
        messages: { resolve: 0 },
        beginsAfterSeconds: 5,
        mustNotBlame: blameless,
      });
    },
  ),
  'webhook-that-may-fail': scenario(
    'A webhook that may be passed over has no Service; the release beside it crashes for itself',
    (cluster) => {
      cluster.pro();
      const [api] = three(cluster);
      cluster.image(next('api'), { exit: { afterSeconds: 1, code: 1 }, log: ['panic: nil map'] });
      cluster.object(
        webhook('notes.example', { namespace: 'guard', name: 'notes' }, { namespace: 'shop', failurePolicy: 'Ignore' }),
      );
      cluster.at('9s', () => api?.workload.setImage(next('api')));
      cluster.lasts('90s');
      // A webhook that nobody can call and that stops nobody is low: it is told in the digest.
      cluster.expectSummaries(1);
      cluster.expectIncident({
        root: 'Deployment/shop/api',
        reason: 'CrashLoopBackOff',
        messages: { resolve: 0 },
        mustNotBlame: ['ValidatingWebhookConfiguration//notes.example'],
      });
    },
  ),
  'service-account-missing-for-two': scenario('Two workloads run as an account that somebody deleted', (cluster) => {
    const account = cluster.object({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'runner', namespace: 'shop' },
    });
    const all = three(cluster, { pod: { serviceAccountName: 'runner' } }).slice(0, 2);
    cluster.at('5s', () => account.delete());
    cluster.at('8s', () => {
      for (const { workload } of all) workload.scale(4);
    });
    cluster.lasts('70s');
    cluster.expectIncident({
      root: 'ServiceAccount/shop/runner',
      reason: 'ServiceAccountMissing',
      messages: { resolve: 0 },
      mustNotBlame: blameless,
    });
  }),
  'quota-used-up-by-a-job': scenario('A large Job uses up the quota, and a release gets no new Pods', (cluster) => {
    cluster.quota('shop/compute', { pods: '8' });
    const [api] = three(cluster);
    cluster.at('5s', () =>
      cluster.job('shop/import', { image: 'registry.example/import:1', spec: { parallelism: 2, completions: 2 } }),
    );
    cluster.at('12s', () => api?.workload.setImage(next('api')));
    cluster.lasts('75s');
    cluster.expectIncident({
      root: 'ResourceQuota/shop/compute',
      reason: 'QuotaExceeded',
      messages: { resolve: 0 },
      mustNotBlame: blameless,
    });
  }),
  'storage-class-missing-for-two': scenario('Two databases ask for a storage class that is not there', (cluster) => {
    cluster.at('5s', () => {
      for (const name of ['orders', 'users']) {
        cluster.object(claim(`shop/${name}`, 'gold'));
        cluster.statefulSet(`shop/${name}`, { image: 'registry.example/db:16', pod: mounts(name) });
      }
    });
    cluster.lasts('80s');
    cluster.expectIncident({
      root: 'StorageClass//gold',
      reason: 'StorageClassMissing',
      messages: { resolve: 0 },
      mustNotBlame: ['StatefulSet/shop/orders', 'StatefulSet/shop/users'],
    });
  }),
  'storage-driver-makes-nothing': scenario(
    'The driver of a storage class can make no volume, and two databases wait',
    (cluster) => {
      cluster.object(storageClass('disk'));
      const said =
        'failed to provision volume with StorageClass "disk": rpc error: code = ResourceExhausted desc = the pool has no space left';
      cluster.at('5s', () => {
        for (const name of ['orders', 'users']) {
          cluster.object(claim(`shop/${name}`, 'disk'));
          cluster.statefulSet(`shop/${name}`, { image: 'registry.example/db:16', pod: mounts(name) });
        }
      });
      for (const when of ['8s', '16s', '32s', '64s'])
        cluster.at(when, () => {
          for (const name of ['orders', 'users'])
            cluster.event({
              about: `PersistentVolumeClaim/shop/${name}`,
              reason: 'ProvisioningFailed',
              message: said,
              by: 'disk.csi.example',
            });
        });
      cluster.lasts('90s');
      cluster.expectIncident({
        root: 'StorageClass//disk',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/shop/orders', 'StatefulSet/shop/users'],
        beginsAfterSeconds: 8,
      });
    },
  ),
  'one-claim-too-large': scenario(
    'One claim asks for more than its driver gives; another of the class is bound',
    (cluster) => {
      cluster.object(storageClass('disk'));
      const said =
        'failed to provision volume with StorageClass "disk": rpc error: code = OutOfRange desc = 64Ti is more than 16Ti';
      cluster.at('5s', () => {
        cluster.object(claim('shop/orders', 'disk', { resources: { requests: { storage: '64Ti' } } }));
        cluster.statefulSet('shop/orders', { image: 'registry.example/db:16', pod: mounts('orders') });
      });
      for (const when of ['8s', '16s', '32s', '64s'])
        cluster.at(when, () =>
          cluster.event({
            about: 'PersistentVolumeClaim/shop/orders',
            reason: 'ProvisioningFailed',
            message: said,
            by: 'disk.csi.example',
          }),
        );
      cluster.lasts('90s');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/shop/orders',
        messages: { resolve: 0 },
        mustNotBlame: ['StorageClass//disk', 'StatefulSet/shop/orders'],
        beginsAfterSeconds: 8,
      });
    },
  ),
};
