import type { Reason } from '../../../../src/model/reason.ts';
import { type ProducedCase, produced } from '../case.ts';
import type { Hands, Manifest } from '../hands.ts';
import { nodeTurned, writeStatus } from '../kubelet-status.ts';
import { workload } from '../manifests.ts';

const onFirst = (ns: string): string => `Node//${ns}-n1`;
const cordon = { spec: { unschedulable: true } };
/** An hour, a day. */
const [hour, day] = [3_600, 86_400];

/** Longer than the second that conditions are told in. */
const overASecond = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_200));

/** A warning of the first Node, in the words of who watches over it: this machine has nobody who does. */
function warning(ns: string, component: string, reason: string, message: string, count = 1): Manifest {
  const now = Date.now();
  const [first, last] = [now - (count - 1) * 60_000, now].map((at) => `${new Date(at).toISOString().slice(0, 19)}Z`);
  const name = `${ns}-n1`;
  return {
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: `${name}.${now.toString(16)}`, namespace: 'default' } },
    involvedObject: { kind: 'Node', name, uid: name },
    ...{ type: 'Warning', reason, message, count, firstTimestamp: first, lastTimestamp: last },
    source: { component, host: name },
  };
}

/** A Node of which an Event tells. */
function told(
  id: string,
  reason: Reason,
  component: string,
  message: string,
  { count, event = reason, ...rest }: Partial<ProducedCase> & { readonly count?: number; readonly event?: string } = {},
): ProducedCase {
  return produced({
    ...{ id, reason, what: `the Event as ${component} writes it`, subject: onFirst },
    async produce({ addNode, apply, ns }) {
      await addNode('n1');
      await apply(warning(ns, component, event, message, count));
    },
    settled: () => Promise.resolve(true),
    // A Node in its first ten minutes boots.
    withinSeconds: 700,
    ...rest,
  });
}

/** A Node that nobody else is on, with one Pod of a workload. */
async function occupied({ addNode, apply, onOwnNodes, until, some }: Hands): Promise<void> {
  await addNode('n1');
  await apply(workload('Deployment', 'api', { pod: onOwnNodes }));
  await until('it serves', () => some('Deployment', 'status.readyReplicas', 1));
}

/** Whether the node lifecycle controller has lost three Nodes. */
async function allUnknown({ read, ns }: Hands): Promise<boolean> {
  const ready = ['n1', 'n2', 'n3'].map((suffix) => read('Node', `${ns}-${suffix}`, 'status.conditions.Ready.status'));
  return (await Promise.all(ready)).every((status) => status === 'Unknown');
}

/** Nodes that start, are emptied, go, or are told of by those who watch over them. */
export const cases = [
  produced({
    ...{ id: 'N4', reason: 'NodeReadinessFlapping', subject: onFirst },
    what: 'its kubelet comes and goes',
    async produce(hands) {
      const node = await hands.addNode('n1');
      node.stop();
      for (const status of ['False', 'True', 'False', 'True', 'False', 'True'] as const) {
        await overASecond();
        const [reason, message] =
          status === 'True' ? ['KubeletReady', 'ready'] : ['KubeletNotReady', 'PLEG is not healthy'];
        const conditions = [nodeTurned('Ready', status, reason, message)];
        await writeStatus(hands, 'Node', `${hands.ns}-n1`, { conditions });
      }
    },
    settled: async ({ read, ns }) => (await read('Node', `${ns}-n1`, 'status.conditions.Ready.status')) === 'True',
    withinSeconds: 700,
  }),
  produced({
    ...{ id: 'N7', reason: 'NodeDraining', subject: onFirst },
    what: 'a budget lets its Pod not go',
    async produce(hands) {
      await occupied(hands);
      const { apply, patch, until, read, ns } = hands;
      const spec = { minAvailable: 1, selector: { matchLabels: { app: 'api' } } };
      await apply({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'api' }, spec });
      await until(
        'the budget counts it',
        async () => (await read('PodDisruptionBudget', 'api', 'status.currentHealthy')) === 1,
      );
      await patch('Node', `${ns}-n1`, cordon);
    },
    settled: async ({ read, ns }) => Boolean(await read('Node', `${ns}-n1`, 'spec.taints.0.key')),
    withinSeconds: hour + 400,
    quietBeforeSeconds: hour,
  }),
  produced({
    ...{ id: 'N8', reason: 'NodeCordoned', subject: onFirst },
    async produce({ addNode, patch, ns }) {
      await addNode('n1');
      await patch('Node', `${ns}-n1`, cordon);
    },
    settled: async ({ read, ns }) => (await read('Node', `${ns}-n1`, 'spec.unschedulable')) === true,
    withinSeconds: day + 400,
    quietBeforeSeconds: day,
  }),
  produced({
    ...{ id: 'N9', reason: 'NodeStuckTerminating', subject: onFirst },
    what: 'a finalizer of a provisioner that is not there',
    async produce({ addNode, patch, remove, ns }) {
      await addNode('n1');
      await patch('Node', `${ns}-n1`, { metadata: { finalizers: ['karpenter.sh/termination'] } });
      await remove('Node', `${ns}-n1`);
    },
    settled: async ({ read, ns }) => Boolean(await read('Node', `${ns}-n1`, 'metadata.deletionTimestamp')),
    withinSeconds: 1_000,
    quietBeforeSeconds: 900,
  }),
  produced({
    ...{ id: 'N10', reason: 'NodeUninitialized', subject: onFirst },
    what: 'no cloud controller takes its taint off',
    async produce({ addNode }) {
      const taint = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' };
      await addNode('n1', { taints: [taint] });
    },
    settled: async ({ read, ns }) => (await read('Node', `${ns}-n1`, 'status.conditions.Ready.status')) === 'True',
    withinSeconds: 700,
    quietBeforeSeconds: 600,
  }),
  produced({
    ...{ id: 'N11', reason: 'NodeProblem', subject: onFirst },
    what: 'a condition as node-problem-detector writes it',
    async produce(hands) {
      await hands.addNode('n1');
      const said = ['FilesystemIsReadOnly', 'EXT4-fs (sda1): Remounting filesystem read-only'] as const;
      await writeStatus(hands, 'Node', `${hands.ns}-n1`, {
        conditions: [nodeTurned('ReadonlyFilesystem', 'True', ...said)],
      });
    },
    settled: async ({ read, ns }) =>
      (await read('Node', `${ns}-n1`, 'status.conditions.ReadonlyFilesystem.status')) === 'True',
    withinSeconds: 700,
  }),
  told('N13', 'NodeRebooted', 'kubelet', 'Node has been rebooted, boot id: 5f0c2f3e-2c55-4a0e-8a2d-6d1d3a1b9c7e', {
    event: 'Rebooted',
  }),
  told('N14', 'SystemOOM', 'kubelet', 'System OOM encountered, victim process: java, pid: 4711'),
  told(
    ...(['N14', 'OOMKilling', 'kernel-monitor'] as const),
    'Killed process 4711 (java) total-vm:8127404kB, anon-rss:3984020kB, file-rss:0kB',
    { withinSeconds: 60, quietBeforeSeconds: 15 },
  ),
  told('N15', 'EvictionThresholdMet', 'kubelet', 'Attempting to reclaim ephemeral-storage', { count: 3 }),
  told(
    ...(['N15', 'FreeDiskSpaceFailed', 'kubelet'] as const),
    'Failed to garbage collect required amount of images. Attempted to free 8123456 bytes, but only found 0 bytes eligible to free.',
    { count: 2 },
  ),
  told('N15', 'ImageGCFailed', 'kubelet', 'failed to get imageFs info: non-existent label "docker-images"', {
    count: 2,
  }),
  told('N15', 'ContainerGCFailed', 'kubelet', 'rpc error: code = DeadlineExceeded desc = context deadline exceeded', {
    count: 2,
  }),
  produced({
    ...{ id: 'N19', reason: 'TooManyPods', subject: onFirst },
    async produce({ addNode, apply, onOwnNodes, until, some }) {
      await addNode('n1', { pods: 2 });
      await apply(workload('Deployment', 'api', { spec: { replicas: 2 }, pod: onOwnNodes }));
      await until('it serves', () => some('Deployment', 'status.readyReplicas', 2));
    },
    settled: () => Promise.resolve(true),
    // The first ten minutes, in which it boots, do not count; it is counted every five.
    withinSeconds: 2_000,
    quietBeforeSeconds: 900,
  }),
  produced({
    ...{ id: 'N23', reason: 'ZoneOrPoolFailing' },
    what: 'all kubelets of a zone fall silent',
    subject: (ns) => `Zone//${ns}-zone`,
    async produce({ addNode, ns }) {
      const labels = { 'topology.kubernetes.io/zone': `${ns}-zone` };
      const nodes = await Promise.all(['n1', 'n2', 'n3'].map((suffix) => addNode(suffix, { labels })));
      for (const node of nodes) node.stop();
    },
    settled: allUnknown,
    settleSeconds: 120,
    also: ['NodeUnreachable'],
  }),
  produced({
    ...{ id: 'N23', reason: 'ZoneOrPoolFailing' },
    what: 'a pool over three zones',
    subject: (ns) => `NodePool//${ns}-pool`,
    async produce({ addNode, ns }) {
      const zones = ['n1', 'n2', 'n3'].map((suffix) => {
        const zone = { 'topology.kubernetes.io/zone': `${ns}-${suffix}` };
        return addNode(suffix, { labels: { ...zone, 'karpenter.sh/nodepool': `${ns}-pool` } });
      });
      for (const node of await Promise.all(zones)) node.stop();
    },
    settled: allUnknown,
    settleSeconds: 120,
    also: ['NodeUnreachable'],
  }),
];
