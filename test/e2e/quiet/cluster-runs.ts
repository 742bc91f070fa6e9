import { ApiError } from '../../../src/kube/api-client.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import type { Hands, Manifest } from '../produced/hands.ts';
import { workload } from '../produced/manifests.ts';
import { valueAt } from '../produced/value-at.ts';
import { pass, type QuietRun, rolledOut, service } from './run.ts';

const script = { pullSeconds: 2, readyAfterSeconds: 5 };

/** A Deployment whose Pods keep away from each other, on the Nodes of its run. */
function spread(hands: Hands, name: string, replicas: number): Manifest {
  const topologySpreadConstraints = [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: { app: name } },
    },
  ];
  return workload('Deployment', name, {
    spec: { replicas },
    pod: { ...hands.onOwnNodes, topologySpreadConstraints },
    script,
  });
}

const podsOn = async (hands: Hands, node: string): Promise<readonly RawObject[]> =>
  (await hands.list('Pod')).filter((pod) => valueAt(pod, 'spec.nodeName') === node);

/** Evicts a Pod as kubectl does: again and again while its budget refuses. */
async function evict({ api, ns, until }: Hands, name: string): Promise<void> {
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: ns } };
  await until(
    `${name} may be evicted`,
    async () => {
      try {
        await api.json({ method: 'POST', path: `/api/v1/namespaces/${ns}/pods/${name}/eviction`, body, attempts: 1 });
        return true;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 429) await pass(5);
        return error.status === 404;
      }
    },
    240,
  );
}

/** An Event as another controller writes it. */
function event(hands: Hands, about: RawObject, from: string, reason: string, message: string): Manifest {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const { name, namespace, uid } = about.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${Date.now().toString(16)}` },
    involvedObject: { kind: about.kind ?? 'Pod', apiVersion: 'v1', name, namespace: namespace ?? hands.ns, uid },
    ...{ reason, message, type: 'Normal', source: { component: from }, reportingComponent: from },
    ...{ firstTimestamp: now, lastTimestamp: now, count: 1 },
  };
}

const crdName = 'crds-widgets.quiet.example.com';
const widgets: Manifest = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: crdName },
  spec: {
    group: 'quiet.example.com',
    scope: 'Namespaced',
    names: { plural: 'crds-widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        ...{ served: true, storage: true },
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** What happens to Nodes and to the cluster itself. */
export const clusterRuns: readonly QuietRun[] = [
  {
    ns: 'drains',
    what: 'drains of Nodes within a disruption budget',
    async play(hands, over) {
      for (const suffix of ['n1', 'n2', 'n3']) await hands.addNode(suffix);
      const spec = { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } };
      await hands.apply(spread(hands, 'web', 6), service('web'));
      await hands.apply({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'web' }, spec });
      await rolledOut(hands, 'web');
      let drains = 0;
      for (; drains === 0 || over.has(90); drains += 1) {
        const node = `${hands.ns}-n${(drains % 3) + 1}`;
        await hands.patch('Node', node, { spec: { unschedulable: true } });
        for (const { metadata } of await podsOn(hands, node)) await evict(hands, metadata.name);
        await rolledOut(hands, 'web');
        await pass(10);
        await hands.patch('Node', node, { spec: { unschedulable: null } });
      }
      return `${drains} drains`;
    },
  },
  {
    ns: 'away',
    what: 'a Node away for 90 s, while every workload has replicas elsewhere',
    async play(hands, over) {
      const nodes = [await hands.addNode('n1'), await hands.addNode('n2'), await hands.addNode('n3')];
      for (const name of ['web', 'api', 'mail']) await hands.apply(spread(hands, name, 3), service(name));
      for (const name of ['web', 'api', 'mail']) await rolledOut(hands, name);
      let times = 0;
      for (; times === 0 || over.has(200); times += 1) {
        const node = nodes[times % 3];
        node?.stop();
        await pass(90);
        await node?.start();
        for (const name of ['web', 'api', 'mail']) await rolledOut(hands, name);
        await pass(60);
      }
      return `${times} times`;
    },
  },
  {
    ns: 'kubelets',
    what: 'kubelets that are restarted one after the other, each not ready for some seconds',
    async play(hands, over) {
      for (const suffix of ['n1', 'n2', 'n3']) await hands.addNode(suffix);
      await hands.apply(spread(hands, 'web', 3), service('web'));
      await rolledOut(hands, 'web');
      let restarts = 0;
      for (; restarts === 0 || over.has(200); restarts += 1) {
        await notReadyForAMoment(hands, `${hands.ns}-n${(restarts % 3) + 1}`);
        await pass(150);
      }
      return `${restarts} restarts`;
    },
  },
  {
    ns: 'crds',
    what: 'CRDs installed, used and removed',
    async play(hands, over) {
      let rounds = 0;
      for (; rounds === 0 || over.has(60); rounds += 1) {
        await hands.apply(widgets);
        await hands.until(
          'the CRD is established',
          async () =>
            (await hands.read('CustomResourceDefinition', crdName, 'status.conditions.Established.status')) === 'True',
        );
        await hands.apply({ apiVersion: 'quiet.example.com/v1', kind: 'Widget', metadata: { name: 'one' } });
        const condition = (status: string, reason: string) => ({
          status: {
            conditions: [
              { type: 'Ready', status, reason, message: reason, lastTransitionTime: new Date().toISOString() },
            ],
          },
        });
        await hands.patch('Widget', 'one', condition('False', 'Progressing'), 'status');
        await pass(15);
        await hands.patch('Widget', 'one', condition('True', 'Ready'), 'status');
        await pass(15);
        await hands.remove('CustomResourceDefinition', crdName);
        await hands.until('the CRD is gone', async () => !(await hands.get('CustomResourceDefinition', crdName)));
        await pass(5);
      }
      return `${rounds} times`;
    },
  },
  {
    ns: 'autoscaled',
    what: 'an autoscaler that adds Nodes in 4 minutes',
    async play(hands) {
      await hands.addNode('n1', { cpu: '2' });
      const container = { resources: { requests: { cpu: '1500m' } } };
      const { tolerations } = hands.onOwnNodes as { tolerations: object };
      const pool = { nodeSelector: { pool: 'batch' }, tolerations };
      await hands.apply(
        workload('Deployment', 'web', { spec: { replicas: 2 }, container, pod: hands.onOwnNodes, script }),
      );
      await hands.apply(workload('Deployment', 'batch', { spec: { replicas: 1 }, container, pod: pool, script }));
      const pending = async (): Promise<readonly RawObject[]> =>
        (await hands.list('Pod')).filter(
          (pod) => valueAt(pod, 'status.conditions.PodScheduled.reason') === 'Unschedulable',
        );
      await hands.until('Pods wait for Nodes', async () => (await pending()).length === 2);
      // An autoscaler looks every ten seconds.
      await pass(3);
      for (const pod of await pending())
        await hands.apply(
          event(
            hands,
            pod,
            'cluster-autoscaler',
            'TriggeredScaleUp',
            'pod triggered scale-up: [{general 1->2 (max: 10)}]',
          ),
        );
      await pass(225);
      await hands.addNode('n2', { cpu: '2' });
      await hands.addNode('n3', { cpu: '2', labels: { pool: 'batch' } });
      await rolledOut(hands, 'web');
      await rolledOut(hands, 'batch');
      return '2 Nodes';
    },
  },
];

/** Its kubelet says so after a start until the runtime has answered it, and puts that right by itself within 10 s. */
async function notReadyForAMoment({ api }: Hands, node: string): Promise<void> {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const message = '[container runtime status check may not have completed yet]';
  const times = { lastHeartbeatTime: now, lastTransitionTime: now };
  await api.json({
    method: 'PATCH',
    path: `/api/v1/nodes/${node}/status`,
    body: {
      status: { conditions: [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady', message, ...times }] },
    },
    contentType: 'application/strategic-merge-patch+json',
  });
}
