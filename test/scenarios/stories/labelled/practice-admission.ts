import { company, imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';

/** Rules that refuse what is asked for, or change it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/#parameter-resources
  'limits-of-a-policy-deleted': scenario(
    'The settings that a policy reads are deleted, and from then on it refuses the Pods of two teams',
    (cluster) => {
      const firm = company(cluster);
      const settings = cluster.configMap('governance/pod-limits', { maxReplicas: '20' });
      cluster.object({
        ...{
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicy',
          metadata: { name: 'pod-limits' },
        },
        spec: {
          failurePolicy: 'Fail',
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConstraints: {
            resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          },
          validations: [{ expression: 'size(object.spec.containers) <= 20' }],
        },
      });
      cluster.object({
        ...{
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicyBinding',
          metadata: { name: 'pod-limits-teams' },
        },
        spec: {
          policyName: 'pod-limits',
          validationActions: ['Deny'],
          paramRef: { name: 'pod-limits', namespace: 'governance', parameterNotFoundAction: 'Deny' },
          matchResources: {
            namespaceSelector: {
              matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['shop', 'bank'] }],
            },
          },
        },
      });
      const handles = ['shop/gifts', 'bank/cards'].map((place) =>
        cluster.deployment(place, { replicas: 2, image: imageOf(place) }),
      );
      cluster.at('5s', () => settings.delete());
      innocentRelease(cluster, '8s', firm);
      cluster.at('15s', () => {
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'ValidatingAdmissionPolicyBinding//pod-limits-teams',
        accepts: ['ConfigMap/governance/pod-limits', 'ValidatingAdmissionPolicy//pod-limits'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/gifts', 'Deployment/bank/cards', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/policy/resource-quotas/#object-count-quota
  'quota-counts-the-runs': scenario(
    'A quota of objects in a namespace leaves no room for another Job, and a CronJob of every minute cannot begin',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.image(imageAt('poll', 1), { exit: { afterSeconds: 600, code: 0 } });
      for (const name of ['import-a', 'import-b']) cluster.job(`etl/${name}`, { image: imageAt('poll', 1) });
      cluster.quota('etl/objects', { 'count/jobs.batch': '2' });
      cluster.cronJob('etl/poll', { schedule: '* * * * *', image: imageAt('poll', 2) });
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'ResourceQuota/etl/objects',
        accepts: ['CronJob/etl/poll'],
        beginsAfterSeconds: 60,
        firstMessageWithinSeconds: 400,
        messages: { resolve: 0 },
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/policy/resource-quotas/#resource-quota-per-priorityclass
  'quota-of-the-important': scenario(
    'A quota for Pods of high priority is used up, and a workload that grows gets no more of them',
    (cluster) => {
      company(cluster);
      cluster.object({
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: 'important' },
        value: 100000,
      });
      cluster.object({
        ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'important-pods', namespace: 'video' } },
        spec: {
          hard: { pods: '3' },
          scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['important'] }] },
        },
      });
      const first = { replicas: 2, image: imageAt('transcode', 1), pod: { priorityClassName: 'important' } };
      const transcode = cluster.deployment('video/transcode', first);
      cluster.deployment('video/thumbs', { replicas: 4, image: imageAt('thumbs', 1) });
      cluster.at('8s', () => transcode.scale(6));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'ResourceQuota/video/important-pods',
        accepts: ['Deployment/video/transcode'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/video/thumbs'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/manage-resources/memory-default-namespace/
  'small-memory-by-default': scenario(
    'A LimitRange gives a small memory limit to all that names none, and two workloads that restart are killed for theirs',
    (cluster) => {
      company(cluster);
      const places = ['lab/ingest', 'lab/reports'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      cluster.at('5s', () =>
        cluster.object({
          ...{ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'defaults', namespace: 'lab' } },
          spec: { limits: [{ type: 'Container', default: { memory: '32Mi' }, defaultRequest: { memory: '16Mi' } }] },
        }),
      );
      cluster.at('12s', () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            exit: { afterSeconds: 3, code: 137, oom: true },
            readyAfterSeconds: 'never',
          });
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'LimitRange/lab/defaults',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/lab/ingest', 'Deployment/lab/reports'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/policy/limit-range/: the request of a release is below the smallest that is allowed.
  'smaller-than-the-smallest': scenario(
    'A release asks for less CPU than the smallest that its namespace allows',
    (cluster) => {
      const firm = company(cluster);
      cluster.object({
        ...{ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'sizes', namespace: 'radio' } },
        spec: {
          limits: [
            { type: 'Container', min: { cpu: '100m' }, default: { cpu: '500m' }, defaultRequest: { cpu: '200m' } },
          ],
        },
      });
      const first = { replicas: 2, image: imageAt('playlist', 1), cpu: '200m' };
      const playlist = cluster.deployment('radio/playlist', first);
      cluster.service('radio/playlist');
      innocentRelease(cluster, '3s', firm);
      cluster.at('8s', () => playlist.change({ image: imageAt('playlist', 2), cpu: '20m' }));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/radio/playlist',
        accepts: ['LimitRange/radio/sizes'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/policy/resource-quotas/#requests-vs-limits: a test takes what the shop needs.
  'load-test-takes-the-quota': scenario(
    'A load test is left running and uses up the CPU of the quota; a workload that restarts beside it gets none',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.quota('perf/compute', { 'requests.cpu': '3' });
      const api = cluster.deployment('perf/api', {
        replicas: 2,
        image: imageAt('api', 1),
        cpu: '500m',
        spec: { strategy: { type: 'Recreate' } },
      });
      const storm = cluster.deployment('perf/storm', { replicas: 2, image: imageAt('storm', 1), cpu: '250m' });
      cluster.at('5s', () => storm.scale(12));
      cluster.at('40s', () => api.restart());
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ResourceQuota/perf/compute',
        accepts: ['Deployment/perf/storm'],
        messages: { resolve: 0, update: '≤1' },
        mustNotBlame: ['Deployment/perf/api'],
      });
    },
  ),
};
