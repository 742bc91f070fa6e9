import { given } from '../world/fields.ts';
import type { NodeStatsView } from '../world/kinds/node-stats.ts';
import type { Projection } from '../world/kinds.ts';
import type { Measured, Usage } from '../world/usage.ts';
import type { ObservedWorld } from '../world/world.ts';
import { type Declaration, type Detector, type DetectorOf, detector, type Problem } from './detector.ts';

/** Kubelets that are looked at for one object: a volume that many Nodes mount is as full on each. */
const maxKubelets = 8;
/** Nearly nothing is left (percent in use). */
const lastPercent = 97;
/** What is full by then is told as urgent (hours). */
const soonHours = 4 * 24;

const minutes = 60;

function statsOf({ ref }: Projection, world: ObservedWorld): readonly NodeStatsView[] {
  return [...world.linked(ref, 'describes', 'in', maxKubelets)]
    .sort()
    .map((stats) => world.get(stats))
    .filter((view) => typeof view === 'object')
    .filter((view) => view.kind === 'NodeStats');
}

/** What is told of an object by its kubelets, each thing once. */
function usagesOf(object: Projection, of: Measured, world: ObservedWorld): readonly Usage[] {
  const name = object.ref.slice(object.ref.lastIndexOf('/') + 1);
  const namespace = object.ref.split('/')[1] ?? '';
  const isOf = (usage: Usage): boolean =>
    usage.of === of && (usage.name === undefined || (usage.name === name && usage.namespace === namespace));
  const found = statsOf(object, world).flatMap(({ usages }) => usages.filter(isOf));
  return found.filter(({ container }, at) => found.findIndex((other) => other.container === container) === at);
}

function factsOf({ percent, used, capacity, container, fullInHours }: Usage): Problem['facts'] {
  return { percent, ...given({ used, capacity, container, fullInHours }) };
}

/** What all of them have in common. */
const bySummary = { reads: ['NodeStats'], edition: 'Pro', settle: 'waits' } as const;
const source =
  'stats/v1alpha1 Summary of the kubelet (k8s.io/kubelet), through the API server; off unless the cluster allows it';

type Row = Pick<
  Declaration,
  'id' | 'severity' | 'predicate' | 'isNot' | 'reasons' | 'forSeconds' | 'clears' | 'patience'
> & {
  readonly of: Measured;
};

const claims = { judges: 'PersistentVolumeClaim', symptom: 'storage' } as const;

/** The label of a claim whose volume may fill up. */
export const ignoredLabel = 'tocsin.dev/volume-usage';

/** How bad it is that a volume is so full. */
function severityOf({ percent, fullInHours }: Usage): 'critical' | 'high' | 'medium' {
  if (percent >= lastPercent) return 'critical';
  return fullInHours !== undefined && fullInHours <= soonHours ? 'high' : 'medium';
}

function ofClaims({ of, ...row }: Row): Detector {
  return detector({
    ...{ ...bySummary, ...claims, ...row, source },
    exemptions: ['terminating', 'unseenStats'],
    judge: (claim, world) => {
      // Nobody writes to what is only read.
      if (claim.labels[ignoredLabel] === 'ignore' || claim.accessModes.every((mode) => mode === 'ReadOnlyMany'))
        return false;
      const [usage] = usagesOf(claim, of, world);
      const where = { ...given({ storageClass: claim.className || undefined, size: claim.requested }) };
      return (
        usage !== undefined && {
          ...{ since: 'observed', severity: severityOf(usage) },
          facts: { ...factsOf(usage), ...where },
        }
      );
    },
  });
}

const volumeFillingUp = ofClaims({
  of: 'claimBytes',
  id: 'S5',
  reasons: [{ reason: 'VolumeFillingUp', family: 'storage', sure: 'high' }],
  severity: 'medium',
  forSeconds: minutes,
  predicate:
    'a volume is as full as `detection.volumeUsagePercent` for 60 s; high where it will be full within 4 days as it grows, critical from 97 % on',
  clears: 'it is 5 points below that',
  patience: '60 s: it is measured every 5 minutes, and does not empty by itself',
  isNot:
    'a volume that is only read, or a device without a file system; a claim labelled `tocsin.dev/volume-usage: ignore`; several claims of one file system are told once',
});

const volumeInodesFillingUp = ofClaims({
  of: 'claimInodes',
  id: 'S6',
  reasons: [{ reason: 'VolumeInodesFillingUp', family: 'storage', sure: 'high' }],
  severity: 'medium',
  forSeconds: minutes,
  predicate:
    'the inodes of a volume are used up as far as `detection.volumeUsagePercent` for 60 s; critical from 97 % on',
  clears: 'they are 5 points below that',
  patience: '60 s: they are counted every 5 minutes, and do not get free by themselves',
  isNot: 'a file system without a fixed number of inodes; what S5 leaves alone',
});

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
      'a short peak; a kernel or kubelet that does not measure it (PSI, Kubernetes 1.36); processors, for which it says nothing',
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

function ofPods({ of, ...row }: Row): Detector {
  return detector({
    ...{ ...bySummary, ...row, source, judges: 'Pod', symptom: 'restart' },
    exemptions: ['terminating', 'completed', 'disrupted', 'leavingNode', 'staleNode', 'unseenStats'],
    judge: (pod, world) =>
      usagesOf(pod, of, world).map((usage) => ({
        ...given({ scope: usage.container }),
        ...{ since: 'observed' as const, facts: { ...factsOf(usage), ...given({ node: pod.node }) } },
      })),
  });
}

const containerMemoryHigh = ofPods({
  of: 'containerMemory',
  id: 'P35',
  // Of a container that is killed for it the kill tells more.
  reasons: [{ reason: 'ContainerMemoryHigh', family: 'consequence', sure: 'high' }],
  severity: 'low',
  forSeconds: 15 * minutes,
  predicate: 'a container has used 90 % of its memory limit for 15 min',
  clears: 'it uses less than 80 %',
  patience: '15 min: peaks pass',
  isNot: 'a container without a limit; memory that the kernel can take back (it goes by the working set)',
});

const ephemeralStorageHigh = ofPods({
  of: 'podStorage',
  id: 'P37',
  reasons: [{ reason: 'EphemeralStorageHigh', family: 'consequence', sure: 'high' }],
  severity: 'medium',
  forSeconds: 5 * minutes,
  predicate: 'a Pod has used 85 % of what it may write outside of volumes for 5 min: at 100 % it is evicted',
  clears: 'it uses less than 75 %',
  patience: '5 min, two measurements: files may be on their way',
  isNot: 'a Pod without such a limit',
});

/** What kubelets say is nearly used up; what tells most first. */
export const usageDetectors: readonly Detector[] = [
  volumeFillingUp,
  volumeInodesFillingUp,
  fileSystemHigh,
  inodesHigh,
  kubeletUnreachable,
  pressureStall,
  swapPressure,
  ephemeralStorageHigh,
  containerMemoryHigh,
];
