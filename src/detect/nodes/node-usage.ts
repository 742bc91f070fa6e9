import type { Measured } from '../../world/reading/usage.ts';
import { type Detector, type DetectorOf, detector, type Problem } from '../kit/detector.ts';
import { bySummary, factsOf, lastPercent, minutes, type Row, source, statsOf } from '../kit/usage.ts';

/** One of a Node; critical from a percentage on, if any. Parts are told apart by their scope. */
function ofNodes(
  scopes: Readonly<Partial<Record<Measured, string>>>,
  { criticalPercent = Number.POSITIVE_INFINITY, ...row }: Omit<Row, 'of'> & { readonly criticalPercent?: number },
): Detector {
  return detector({
    ...{ ...bySummary, ...row, source, judges: 'Node', symptom: 'node' },
    exemptions: ['terminating', 'leavingNode', 'youngNode', 'unseenStats'],
    judge: (node, world) =>
      statsOf(node, world).flatMap(({ usages }) =>
        usages.flatMap((usage): Problem[] => {
          const scope = scopes[usage.of];
          if (scope === undefined) return [];
          const severity = usage.percent >= criticalPercent ? 'critical' : row.severity;
          return [{ scope, since: 'observed', severity, facts: { ...factsOf(usage), part: scope } }];
        }),
      ),
  });
}

const fileSystemHigh = ofNodes(
  { nodeBytes: 'its file system', imageBytes: 'its image file system' },
  {
    id: 'N16',
    criticalPercent: lastPercent,
    reasons: [{ reason: 'NodeFilesystemHigh', family: 'node', sure: 'likely' }],
    severity: 'medium',
    forSeconds: 5 * minutes,
    predicate: 'the file system of a Node is 85 % full, or that of its images 92 %, for 5 min; critical from 97 % on',
    clears: 'it is 5 points below that',
    patience: '5 min, two measurements: the kubelet removes images that nobody uses from 85 % on',
    isNot: 'a Node in its first 10 minutes or on its way out',
  },
);

const inodesHigh = ofNodes(
  { nodeInodes: 'its file system', imageInodes: 'its image file system' },
  {
    id: 'N16',
    criticalPercent: lastPercent,
    reasons: [{ reason: 'NodeInodesHigh', family: 'node', sure: 'likely' }],
    severity: 'medium',
    forSeconds: 5 * minutes,
    predicate: 'the inodes of a file system of a Node are used up to 90 % for 5 min; critical from 97 % on',
    clears: 'they are 5 points below that',
    patience: '5 min, two measurements',
    isNot: 'a file system without a fixed number of inodes',
  },
);

const pressureStall = ofNodes(
  { memoryStall: 'memory', ioStall: 'input and output' },
  {
    id: 'N17',
    reasons: [{ reason: 'NodePressureStall', family: 'node', sure: 'likely' }],
    severity: 'medium',
    forSeconds: 15 * minutes,
    predicate: 'all tasks of a Node have waited for memory for 10 % of the time, or for its disks for 20 %, for 15 min',
    clears: 'it is half of that',
    patience: '15 min: a batch that saturates a disk ends',
    isNot:
      'a short peak; a kernel or kubelet that does not measure it (PSI, Kubernetes 1.36); CPU, for which it says nothing',
  },
);

const swapPressure = ofNodes(
  { swap: 'swap' },
  {
    id: 'N21',
    reasons: [{ reason: 'SwapPressure', family: 'node', sure: 'likely' }],
    severity: 'low',
    forSeconds: 30 * minutes,
    predicate: 'the swap of a Node is 80 % full for 30 min',
    clears: 'it is 60 % full or less',
    patience: '30 min: what is swapped out in a peak stays there for a while',
    isNot: 'a Node without swap',
  },
);

const kubeletUnreachable = detector({
  ...{ ...bySummary, judges: 'Node', symptom: 'node' },
  id: 'N18',
  reasons: [{ reason: 'KubeletUnreachable', family: 'node', sure: 'likely' }],
  severity: 'medium',
  exemptions: ['terminating', 'leavingNode', 'youngNode', 'unseenStats'],
  source,
  predicate: 'the API server has not reached the kubelet of a Node that is ready, three times in a row (10 min)',
  clears: 'it answers',
  patience: 'three tries, 5 minutes apart: a kubelet that restarts is back sooner',
  isNot: 'a Node that is not ready; refusals and throttling; an API server that reaches no kubelet at all',
  judge: (node, world) => {
    const [away] = statsOf(node, world).flatMap(({ unreachable }) => unreachable ?? []);
    if (!away || !isReadyNow(node)) return false;
    return { since: 'observed', detail: away.message, facts: { failures: away.failures } };
  },
});

function isReadyNow({ conditions }: Parameters<DetectorOf<'Node'>['judge']>[0]): boolean {
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** What of Nodes is nearly used up, and kubelets that do not say; what tells most first. */
export const nodeUsageDetectors: readonly Detector[] = [
  fileSystemHigh,
  inodesHigh,
  kubeletUnreachable,
  pressureStall,
  swapPressure,
];
