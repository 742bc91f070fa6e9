import type { Severity } from '../../model/severity.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import { given } from '../../world/reading/fields.ts';
import type { Condition } from '../../world/reading/meta.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector } from '../kit/detector.ts';

/** What most rows of Nodes have in common. */
export const judgesNodes = { judges: 'Node', symptom: 'node' } as const;

/** A condition by which a monitor tells of a fault of a Node: which status is the bad one, and what it means. */
type Polarity = {
  readonly type: string;
  readonly bad: 'True' | 'False';
  /** What is wrong, after "the node": begins with a verb. */
  readonly says: string;
  readonly severity: Severity;
};

const bad = (type: string, says: string, severity: Severity = 'high'): Polarity => ({
  ...{ type, says, severity },
  bad: 'True',
});
const good = (type: string, says: string): Polarity => ({ type, says, severity: 'high', bad: 'False' });

/**
 * Conditions of Nodes that monitors set, by type: reasons are other words than types. Monitors use both polarities, so that a
 * type which is not here is evidence at most.
 *
 * True is bad: node-problem-detector (config/kernel-monitor.json, readonly-monitor.json, docker-monitor.json,
 * systemd-monitor-counter.json, kernel-monitor-counter.json, custom-plugin-monitor.json, health-checker-*.json), and those that AKS
 * adds to it. False is bad: the node monitoring agent of EKS.
 */
export const nodePolarities: readonly Polarity[] = [
  bad('KernelDeadlock', 'has a kernel task that hangs'),
  bad('ReadonlyFilesystem', 'has a file system that turned read-only'),
  bad('XfsShutdown', 'has an XFS file system that has shut down'),
  bad('CperHardwareErrorFatal', 'has a fatal hardware error'),
  bad('CorruptDockerOverlay2', 'has corrupt image layers'),
  bad('FilesystemCorruptionProblem', 'has a corrupt file system'),
  bad('KubeletUnhealthy', 'has a kubelet that fails its health check'),
  bad('KubeletProblem', 'has a kubelet that is down'),
  bad('ContainerRuntimeUnhealthy', 'has a container runtime that fails its health check'),
  bad('ContainerRuntimeProblem', 'has a container runtime that is down'),
  bad('FrequentKubeletRestart', 'has a kubelet that keeps restarting', 'medium'),
  bad('FrequentContainerdRestart', 'has a containerd that keeps restarting', 'medium'),
  bad('FrequentDockerRestart', 'has a Docker that keeps restarting', 'medium'),
  bad('FrequentUnregisterNetDevice', 'cannot take down the network devices of ended pods', 'medium'),
  bad('NTPProblem', 'does not keep its clock right', 'medium'),
  good('KernelReady', 'has a problem of its kernel'),
  good('NetworkingReady', 'has a problem of its network'),
  good('StorageReady', 'has a problem of its storage'),
  good('ContainerRuntimeReady', 'has a problem of its container runtime'),
  good('AcceleratedHardwareReady', 'has a GPU or accelerator that fails'),
];

/** What the kernel has said once and does not take back: nothing checks it again. */
const lasting: ReadonlySet<string> = new Set([
  ...['ReadonlyFilesystem', 'XfsShutdown', 'CperHardwareErrorFatal', 'FilesystemCorruptionProblem'],
]);
const lastingSeconds = 20;

/** What a finding of a Node tells of it, by a condition or without. */
export function nodeFacts(node: NodeView, condition?: Condition): Record<string, string> {
  return {
    kubeletVersion: node.kubeletVersion,
    ...given({ conditionReason: condition?.reason, zone: node.zone, pool: node.pool }),
  };
}

const nodeProblem = detector({
  id: 'N11',
  ...judgesNodes,
  reasons: [{ reason: 'NodeProblem', family: 'node', sure: 'high' }],
  severity: 'high',
  // A health check that failed once has its next turn within 30 s.
  forSeconds: 60,
  exemptions: ['terminating', 'leavingNode', 'youngNode', 'startingNode'],
  source:
    'conditions that node-problem-detector, AKS and the node monitoring agent of EKS set, by a table of types and polarities',
  predicate:
    'a monitor on the Node has reported a permanent fault for 60 s (20 s for a file system or hardware that the kernel has reported); unknown types are not judged',
  clears: 'the condition is good, held for 10 min: monitors forget what they saw when they restart',
  patience: '60 s: a health check that failed once has its next turn within 30 s',
  isNot: 'an unknown type (evidence at most); a Node that boots, is cordoned or not heard from',
  judge: (node) => {
    // What nobody is heard of any more is stale.
    if (conditionOf(node, 'Ready')?.status === 'Unknown') return false;
    return nodePolarities.flatMap(({ type, bad: wrong, says, severity }) => {
      const condition = conditionOf(node, type);
      if (condition?.status !== wrong) return [];
      const facts = { ...nodeFacts(node, condition), problem: says };
      const { since, message } = condition;
      const found = { scope: type, since, severity, detail: message, facts, clearHoldMs: 10 * 60_000 };
      return [lasting.has(type) ? { ...found, forSeconds: lastingSeconds, settle: 'conclusive' as const } : found];
    });
  },
});

/** Nodes by the conditions that monitors set. */
export const nodeConditionDetectors: readonly Detector[] = [nodeProblem];
