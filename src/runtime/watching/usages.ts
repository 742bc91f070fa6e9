import type { FileSystemStats, NodeSummary } from '../../kube/node-summary.ts';
import { parseQuantity } from '../../model/quantity.ts';
import { refOf } from '../../model/ref.ts';
import type { UsageTrend } from '../../model/usage-trend.ts';
import { given } from '../../world/reading/fields.ts';
import type { Measured, Usage } from '../../world/reading/usage.ts';
import type { World } from '../../world/view/world.ts';

type Whose = Pick<Usage, 'namespace' | 'name' | 'container'>;

/** A share in whole percent; nothing where the whole is not known, or where there is none (inodes of some file systems). */
function usage(of: Measured, used: number | undefined, capacity: number | undefined, whose: Whose = {}): Usage[] {
  if (used === undefined || capacity === undefined || capacity <= 0) return [];
  return [{ of, percent: Math.round((100 * used) / capacity), used, capacity, ...whose }];
}

/** Bytes count by what is still available: some are kept for root. */
function fileSystem(bytes: Measured, inodes: Measured, stats: FileSystemStats | undefined, whose?: Whose): Usage[] {
  if (!stats) return [];
  const { availableBytes, capacityBytes, inodes: all, inodesFree } = stats;
  const minus = (whole?: number, rest?: number) =>
    whole === undefined || rest === undefined ? undefined : whole - rest;
  return [
    ...usage(bytes, minus(capacityBytes, availableBytes), capacityBytes, whose),
    ...usage(inodes, minus(all, inodesFree), all, whose),
  ];
}

function ofNode({ fs, runtime, memory, io, swap }: NonNullable<NodeSummary['node']>): Usage[] {
  const { imageFs } = runtime ?? {};
  const isSame = imageFs?.capacityBytes === fs?.capacityBytes && imageFs?.availableBytes === fs?.availableBytes;
  const stall = (of: Measured, percent: number | undefined): Usage[] =>
    percent === undefined ? [] : [{ of, percent: Math.round(percent) }];
  const { swapUsageBytes: swapped = 0, swapAvailableBytes: free } = swap ?? {};
  return [
    ...fileSystem('nodeBytes', 'nodeInodes', fs),
    ...(isSame ? [] : fileSystem('imageBytes', 'imageInodes', imageFs)),
    ...stall('memoryStall', memory?.psi?.full?.avg300),
    ...stall('ioStall', io?.psi?.full?.avg300),
    ...usage('swap', swapped, free === undefined ? undefined : swapped + free),
  ];
}

type PodSummary = NonNullable<NodeSummary['pods']>[number];

/** How much of their limits the containers of a Pod use. */
function ofPod({ podRef, containers = [], 'ephemeral-storage': storage }: PodSummary, world: World): Usage[] {
  const { namespace = '', name = '' } = podRef ?? {};
  const view = world.get(refOf('Pod', namespace, name));
  if (typeof view !== 'object' || view.kind !== 'Pod') return [];
  const templates = view.template.containers;
  const memory = containers.flatMap(({ name: container = '', memory: used }) => {
    const limit = parseQuantity(templates.find((each) => each.name === container)?.memoryLimit ?? '');
    return usage('containerMemory', used?.workingSetBytes, limit, { namespace, name, container });
  });
  const limits = templates
    .filter(({ role }) => role !== 'init')
    .map(({ storageLimit = '' }) => parseQuantity(storageLimit));
  const limit = limits.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  return [...memory, ...usage('podStorage', storage?.usedBytes, limit, { namespace, name })];
}

/**
 * What the claims of a Node use. A volume of nothing in use is a device without a file system; several claims of one file system
 * (NFS reports that of its server) are one.
 */
function ofClaims(pods: readonly PodSummary[]): Usage[] {
  const byFileSystem = new Map<string, Usage[]>();
  for (const stats of pods.flatMap(({ volume = [] }) => volume)) {
    const { pvcRef, capacityBytes, availableBytes, usedBytes, inodes, inodesFree } = stats;
    if (pvcRef?.name === undefined || usedBytes === 0) continue;
    const whose = { namespace: pvcRef.namespace ?? '', name: pvcRef.name };
    const found = fileSystem('claimBytes', 'claimInodes', stats, whose);
    const key = [capacityBytes, availableBytes, inodes, inodesFree].join();
    const known = byFileSystem.get(key)?.[0];
    const isFirst = known === undefined || `${whose.namespace}/${whose.name}` < `${known.namespace}/${known.name}`;
    if (isFirst) byFileSystem.set(key, found);
  }
  return [...byFileSystem.values()].flat();
}

const hourMs = 60 * 60_000;

/** Everything that a summary measures; what grows is noted, and told with when it is full. */
export function usagesOf(
  { node, pods = [] }: NodeSummary,
  world: World,
  trend: UsageTrend,
  now: number,
): readonly Usage[] {
  const claims = ofClaims(pods).map((each): Usage => {
    if (each.of !== 'claimBytes') return each;
    const name = `${each.namespace}/${each.name}`;
    trend.note(name, each.used ?? 0, now);
    const fullInMs = trend.fullInMs(name, each.capacity ?? 0);
    return { ...each, ...given({ fullInHours: fullInMs === undefined ? undefined : Math.ceil(fullInMs / hourMs) }) };
  });
  return [...(node ? ofNode(node) : []), ...claims, ...pods.flatMap((pod) => ofPod(pod, world))];
}
