import type { Reason } from '../../../../src/model/reason.ts';
import { type ProducedCase, produced } from '../case.ts';
import { nodeTurned, writeStatus } from '../kubelet-status.ts';
import { workload } from '../manifests.ts';

/** A Node whose kubelet says something of it, and is not heard of again before it is judged. */
function condition(
  id: string,
  reason: Reason,
  type: string,
  status: 'True' | 'False',
  said: [string, string],
  rest: Partial<ProducedCase>,
): ProducedCase {
  return produced({
    ...{ id, reason },
    subject: (ns) => `Node//${ns}-n1`,
    async produce(hands) {
      const node = await hands.addNode('n1');
      node.stop();
      await writeStatus(hands, 'Node', `${hands.ns}-n1`, { conditions: [nodeTurned(type, status, ...said)] });
    },
    settled: async ({ read, ns }) => (await read('Node', `${ns}-n1`, `status.conditions.${type}.status`)) === status,
    ...rest,
  });
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
  // A Node in its first ten minutes boots.
  condition('N1', 'NodeNotReady', 'Ready', 'False', ['KubeletNotReady', 'container runtime is down'], {
    withinSeconds: 700,
  }),
  condition('N6', 'NetworkUnavailable', 'NetworkUnavailable', 'True', ['NoRouteCreated', 'no route was made'], {
    withinSeconds: 700,
  }),
  condition('N5', 'DiskPressure', 'DiskPressure', 'True', ['KubeletHasDiskPressure', 'kubelet has disk pressure'], {
    quietBeforeSeconds: 60,
  }),
  condition(
    'N5',
    'MemoryPressure',
    'MemoryPressure',
    'True',
    ['KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'],
    { quietBeforeSeconds: 60 },
  ),
  condition(
    'N5',
    'PIDPressure',
    'PIDPressure',
    'True',
    ['KubeletHasInsufficientPID', 'kubelet has insufficient PID available'],
    { quietBeforeSeconds: 60 },
  ),
];
