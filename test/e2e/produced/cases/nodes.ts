import { produced } from '../case.ts';
import { workload } from '../manifests.ts';

/** Writes one condition of a Node as its kubelet would; the others stay. */
function condition(type: string, status: 'True' | 'False', reason: string, message: string): object {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  return { type, status, reason, message, lastHeartbeatTime: now, lastTransitionTime: now };
}

/** Nodes. Each case has its own. */
export const cases = [
  produced({
    id: 'N2',
    reason: 'NodeUnreachable',
    subject: (ns) => `Node//${ns}-n1`,
    async produce({ addNode, apply, onOwnNodes, until, some }) {
      const node = await addNode('n1');
      await apply(workload('Deployment', 'api', { pod: onOwnNodes }));
      await until('the Pod is ready', () => some('Pod', 'status.conditions.Ready.status', 'True'));
      node.stop();
    },
    settled: async ({ read, ns }) => (await read('Node', `${ns}-n1`, 'status.conditions.Ready.status')) === 'Unknown',
    settleSeconds: 120,
    also: ['PodNotReady', 'DeploymentUnavailable'],
  }),
  produced({
    id: 'N5',
    reason: 'DiskPressure',
    subject: (ns) => `Node//${ns}-n1`,
    async produce({ addNode, api, ns }) {
      await addNode('n1');
      const pressure = condition('DiskPressure', 'True', 'KubeletHasDiskPressure', 'kubelet has disk pressure');
      await api.json({
        method: 'PATCH',
        path: `/api/v1/nodes/${ns}-n1/status`,
        body: { status: { conditions: [pressure] } },
        contentType: 'application/strategic-merge-patch+json',
      });
    },
    settled: async ({ read, ns }) =>
      (await read('Node', `${ns}-n1`, 'status.conditions.DiskPressure.status')) === 'True',
    quietBeforeSeconds: 60,
  }),
];
