import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scriptAnnotation } from '../../sandbox/kubelet/pod-script.ts';
import { type Fields, fieldAt } from '../../sandbox/object.ts';
import type { Chapter } from './contract.ts';
import { eventually } from './environment.ts';
import { conditionOf, itemsOf, nameOf, type Workbench } from './workbench.ts';
import { deploy, podsIn } from './workload-bench.ts';

/** The Events about an object, by reason. */
async function toldOf(bench: Workbench, namespace: string, kind: string, reason: string): Promise<Fields | undefined> {
  const events = itemsOf(await bench.get(`/api/v1/namespaces/${namespace}/events`));
  return events.find((event) => event.reason === reason && fieldAt(event, 'involvedObject', 'kind') === kind);
}

const isReady = (live: unknown, replicas: number): true | undefined =>
  fieldAt(live, 'status', 'readyReplicas') === replicas || undefined;

/** Controllers around workloads: Services, schedules, quotas, budgets, Namespaces. */
export const controllerContract: Chapter = (bench) => {
  describe('EndpointSlices', () => {
    const slicesIn = async (namespace: string): Promise<Fields[]> =>
      itemsOf(await bench().get(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`));

    test('a Service has one for its Pods, with their readiness and ports, and an empty one without Pods', async () => {
      const { namespace, path } = await deploy(bench(), { name: 'web', replicas: 2 });
      const ports = [{ name: 'http', port: 80, targetPort: 8080 }];
      const service = await bench().create(`/api/v1/namespaces/${namespace}/services`, {
        metadata: { name: 'web' },
        spec: { selector: { app: 'web' }, ports },
      });
      const slice = await eventually('both Pods are ready endpoints', async () => {
        const [found] = await slicesIn(namespace);
        const endpoints = (found?.endpoints ?? []) as Fields[];
        const ready = endpoints.filter((each) => fieldAt(each, 'conditions', 'ready') === true);
        return ready.length === 2 ? found : undefined;
      });
      assert.match(nameOf(slice), /^web-[a-z0-9]{5}$/);
      assert.equal(slice.addressType, 'IPv4');
      assert.deepEqual(slice.ports, [{ name: 'http', port: 8080, protocol: 'TCP' }]);
      assert.deepEqual(fieldAt(slice, 'metadata', 'labels'), {
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': 'web',
      });
      assert.deepEqual(fieldAt(slice, 'metadata', 'ownerReferences'), [
        {
          ...{ apiVersion: 'v1', kind: 'Service', name: 'web', uid: fieldAt(service, 'metadata', 'uid') },
          ...{ controller: true, blockOwnerDeletion: true },
        },
      ]);
      const pods = await podsIn(bench(), namespace);
      for (const endpoint of slice.endpoints as Fields[]) {
        const pod = pods.find(({ metadata }) => metadata.name === fieldAt(endpoint, 'targetRef', 'name'));
        assert.deepEqual(endpoint, {
          addresses: [pod?.status.podIP],
          conditions: { ready: true, serving: true, terminating: false },
          targetRef: { kind: 'Pod', namespace, name: pod?.metadata.name, uid: pod?.metadata.uid },
          nodeName: pod?.spec.nodeName,
        });
      }
      await bench().patch(path, 'merge', { spec: { replicas: 0 } });
      const empty = await eventually('no endpoint is left', async () => {
        const [found] = await slicesIn(namespace);
        return found && !found.endpoints ? found : undefined;
      });
      assert.deepEqual([empty.endpoints, empty.ports], [null, null]);
    });
  });

  describe('CronJobs', () => {
    const cronJob = (name: string, schedule: string, code: number): object => ({
      metadata: { name },
      spec: {
        schedule,
        jobTemplate: {
          spec: {
            backoffLimit: 0,
            template: {
              metadata: { annotations: { [scriptAnnotation]: JSON.stringify({ exit: { afterSeconds: 1, code } }) } },
              spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example.com/job:1' }] },
            },
          },
        },
      },
    });

    test('make a Job when they are due, and see how it ended', async () => {
      const namespace = await bench().namespace();
      const path = `/apis/batch/v1/namespaces/${namespace}`;
      await bench().create(`${path}/cronjobs`, cronJob('good', '* * * * *', 0));
      await bench().create(`${path}/cronjobs`, cronJob('bad', '* * * * *', 1));
      const seen = (name: string, condition: string): Promise<Fields> =>
        eventually(
          `${name} has seen its Job end`,
          async () => {
            const events = itemsOf(await bench().get(`/api/v1/namespaces/${namespace}/events`));
            const wanted = new RegExp(`^Saw completed job: ${name}-\\d+, condition: ${condition}$`);
            return events.find(({ message }) => wanted.test(String(message)));
          },
          120_000,
        );
      const event = await seen('good', 'Complete');
      assert.deepEqual([event.reason, event.type], ['SawCompletedJob', 'Normal']);
      await seen('bad', 'Failed');
      const good = await bench().get(`${path}/cronjobs/good`);
      const bad = await bench().get(`${path}/cronjobs/bad`);
      assert.match(String(fieldAt(good, 'status', 'lastSuccessfulTime')), /Z$/);
      assert.equal(fieldAt(bad, 'status', 'lastSuccessfulTime'), undefined);
      const job = itemsOf(await bench().get(`${path}/jobs`)).find((each) => nameOf(each).startsWith('good-'));
      const scheduled = String(
        fieldAt(job, 'metadata', 'annotations', 'batch.kubernetes.io/cronjob-scheduled-timestamp'),
      );
      assert.equal(nameOf(job), `good-${Date.parse(scheduled) / 60_000}`);
      const [owner] = fieldAt(job, 'metadata', 'ownerReferences') as Fields[];
      assert.deepEqual([owner?.kind, owner?.name, owner?.controller], ['CronJob', 'good', true]);
      const created = itemsOf(await bench().get(`/api/v1/namespaces/${namespace}/events`)).map(
        ({ message }) => message,
      );
      assert.ok(created.includes(`Created job ${nameOf(job)}`), `${created}`);
    });

    test('whose day never comes say so', async () => {
      const namespace = await bench().namespace();
      await bench().create(`/apis/batch/v1/namespaces/${namespace}/cronjobs`, cronJob('never', '0 0 30 2 *', 0));
      const event = await eventually('an Event says so', () =>
        toldOf(bench(), namespace, 'CronJob', 'InvalidSchedule'),
      );
      assert.deepEqual(
        [event.type, event.message],
        ['Warning', 'invalid schedule: 0 0 30 2 * : time difference between two schedules is less than 1 second'],
      );
    });

    test('have the defaults of the API, and make no Job while they are suspended', async () => {
      const namespace = await bench().namespace();
      const path = `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
      const suspended = cronJob('still', '* * * * *', 0) as { spec: object };
      await bench().create(path, { ...suspended, spec: { ...suspended.spec, suspend: true } });
      const live = await bench().get(`${path}/still`);
      assert.deepEqual(
        [
          fieldAt(live, 'spec', 'concurrencyPolicy'),
          fieldAt(live, 'spec', 'successfulJobsHistoryLimit'),
          fieldAt(live, 'spec', 'failedJobsHistoryLimit'),
        ],
        ['Allow', 3, 1],
      );
      assert.deepEqual(itemsOf(await bench().get(`/apis/batch/v1/namespaces/${namespace}/jobs`)), []);
    });
  });

  describe('quotas', () => {
    test('count what is there and refuse more; the ReplicaSet and its Deployment say why', async () => {
      const namespace = await bench().namespace();
      const quotas = `/api/v1/namespaces/${namespace}/resourcequotas`;
      await bench().create(quotas, { metadata: { name: 'budget' }, spec: { hard: { pods: '1' } } });
      await eventually('the quota is counted', async () => {
        const live = await bench().get(`${quotas}/budget`);
        return fieldAt(live, 'status', 'used', 'pods') === '0' ? true : undefined;
      });
      const pod = (name: string): object => ({
        metadata: { name },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] },
      });
      const pods = `/api/v1/namespaces/${namespace}/pods`;
      await eventually('the first Pod is made', async () =>
        (await bench().ask('POST', pods, { body: pod('first') })).status === 201 ? true : undefined,
      );
      const refused = await bench().ask('POST', pods, { body: pod('second') });
      const text = 'exceeded quota: budget, requested: pods=1, used: pods=1, limited: pods=1';
      assert.deepEqual(
        [refused.status, fieldAt(refused.body, 'reason'), fieldAt(refused.body, 'message')],
        [403, 'Forbidden', `pods "second" is forbidden: ${text}`],
      );
      const template = { metadata: { labels: { app: 'x' } }, ...pod('x') };
      const { metadata: _, ...spec } = template as { metadata: object };
      await bench().create(`/apis/apps/v1/namespaces/${namespace}/deployments`, {
        metadata: { name: 'api' },
        spec: {
          replicas: 2,
          selector: { matchLabels: { app: 'x' } },
          template: { metadata: { labels: { app: 'x' } }, ...spec },
        },
      });
      const set = await eventually('the ReplicaSet says that it fails', async () => {
        const [found] = itemsOf(await bench().get(`/apis/apps/v1/namespaces/${namespace}/replicasets`));
        return conditionOf(found, 'ReplicaFailure') ? found : undefined;
      });
      const { status, reason, message } = conditionOf(set, 'ReplicaFailure') ?? {};
      assert.deepEqual([status, reason], ['True', 'FailedCreate']);
      assert.match(String(message), new RegExp(`^pods "${nameOf(set)}-[a-z0-9]{5}" is forbidden: ${text}$`));
      const event = await eventually('an Event says so', () =>
        toldOf(bench(), namespace, 'ReplicaSet', 'FailedCreate'),
      );
      assert.match(String(event.message), /^Error creating: pods ".*" is forbidden: exceeded quota: budget,/);
      await eventually('the Deployment says so, too', async () => {
        const live = await bench().get(`/apis/apps/v1/namespaces/${namespace}/deployments/api`);
        return conditionOf(live, 'ReplicaFailure')?.reason === 'FailedCreate' ? true : undefined;
      });
    });
  });

  describe('disruption budgets', () => {
    test('allow what is more than enough, and refuse an eviction beyond it', async () => {
      const { namespace, path } = await deploy(bench(), { name: 'web', replicas: 2 });
      await eventually('both are ready', async () => isReady(await bench().get(path), 2));
      const budgets = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
      await bench().create(budgets, {
        metadata: { name: 'web' },
        spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
      });
      const live = await eventually('the budget is worked out', async () => {
        const found = await bench().get(`${budgets}/web`);
        return fieldAt(found, 'status', 'currentHealthy') === 2 ? found : undefined;
      });
      const numbers = ['currentHealthy', 'desiredHealthy', 'expectedPods', 'disruptionsAllowed'];
      assert.deepEqual(
        numbers.map((field) => fieldAt(live, 'status', field)),
        [2, 2, 2, 0],
      );
      const { status, reason } = conditionOf(live, 'DisruptionAllowed') ?? {};
      assert.deepEqual([status, reason], ['False', 'InsufficientPods']);
      const [pod] = await podsIn(bench(), namespace);
      const name = pod?.metadata.name ?? '';
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
      const evict = () =>
        bench().ask('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, { body: eviction });
      const refused = await evict();
      assert.deepEqual(
        [refused.status, fieldAt(refused.body, 'reason'), fieldAt(refused.body, 'message')],
        [429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget."],
      );
      const [cause] = fieldAt(refused.body, 'details', 'causes') as Fields[];
      assert.deepEqual(cause, {
        reason: 'DisruptionBudget',
        message: 'The disruption budget web needs 2 healthy pods and has 2 currently',
      });
      await bench().patch(`${budgets}/web`, 'merge', { spec: { minAvailable: 1 } });
      await eventually('one may go', async () => ((await evict()).status === 201 ? true : undefined));
    });
  });

  describe('Namespaces', () => {
    test('on their way out say what is left, and go when it has gone', async () => {
      const namespace = await bench().namespace();
      const path = `/api/v1/namespaces/${namespace}`;
      const held = { metadata: { name: 'held', finalizers: ['example.com/hold'] } };
      await bench().create(`${path}/configmaps`, held);
      assert.equal((await bench().ask('DELETE', path)).status, 200);
      const live = await eventually('it says what is left', async () => {
        const found = await bench().get(path);
        return conditionOf(found, 'NamespaceContentRemaining')?.status === 'True' ? found : undefined;
      });
      assert.equal(fieldAt(live, 'status', 'phase'), 'Terminating');
      const rows = ['NamespaceContentRemaining', 'NamespaceFinalizersRemaining', 'NamespaceDeletionContentFailure'];
      assert.deepEqual(
        rows.map((type) => {
          const { status, reason, message } = conditionOf(live, type) ?? {};
          return [status, reason, message];
        }),
        [
          ['True', 'SomeResourcesRemain', 'Some resources are remaining: configmaps. has 1 resource instances'],
          [
            'True',
            'SomeFinalizersRemain',
            'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
          ],
          ['False', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
        ],
      );
      await bench().patch(`${path}/configmaps/held`, 'merge', { metadata: { finalizers: null } });
      await eventually('it has gone', async () => ((await bench().ask('GET', path)).status === 404 ? true : undefined));
    });
  });
};
