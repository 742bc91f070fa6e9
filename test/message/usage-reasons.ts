import type { Reason } from '../../src/model/reason.ts';
import { at, pod } from '../world/objects.ts';
import { claim, nodeStats } from '../world/storage-objects.ts';
import { type ClusterStory, long, nodes } from './shop.ts';

const gib = 1024 ** 3;
const old = { createdAt: long };
const data = { namespace: 'shop', name: 'data' };
const web = { namespace: 'shop', name: 'web' };

/** From minute 10 on a kubelet says this. */
const says =
  (usages: Parameters<typeof nodeStats>[1], unreachable?: Parameters<typeof nodeStats>[2]): ClusterStory =>
  (k8s) => {
    k8s.put(long, ...nodes, claim('data', old), pod('web', old), nodeStats('n1', []));
    k8s.start(at(0));
    k8s.put(at(10), nodeStats('n1', usages, unreachable));
    k8s.wait(at(200));
  };

/** One story for every reason that kubelets tell. */
export const usageReasonStories = {
  VolumeFillingUp: says([
    { of: 'claimBytes', percent: 91, used: 9.1 * gib, capacity: 10 * gib, fullInHours: 31, ...data },
  ]),
  VolumeInodesFillingUp: says([{ of: 'claimInodes', percent: 98, used: 640_000, capacity: 655_360, ...data }]),
  NodeFilesystemHigh: says([{ of: 'nodeBytes', percent: 88, used: 88 * gib, capacity: 100 * gib }]),
  NodeInodesHigh: says([{ of: 'imageInodes', percent: 93, used: 6_100_000, capacity: 6_553_600 }]),
  NodePressureStall: says([{ of: 'memoryStall', percent: 34 }]),
  SwapPressure: says([{ of: 'swap', percent: 83, used: 3.3 * gib, capacity: 4 * gib }]),
  KubeletUnreachable: says([], {
    failures: 3,
    message: 'error trying to reach service: dial tcp 10.0.0.7:10250: i/o timeout',
  }),
  ContainerMemoryHigh: says([
    { of: 'containerMemory', percent: 95, used: 0.95 * gib, capacity: gib, container: 'api', ...web },
  ]),
  EphemeralStorageHigh: says([{ of: 'podStorage', percent: 90, used: 1.8 * gib, capacity: 2 * gib, ...web }]),
} as const satisfies Partial<Readonly<Record<Reason, ClusterStory>>>;
