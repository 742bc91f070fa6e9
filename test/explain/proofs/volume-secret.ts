import { at, eventOf } from '../../world/objects.ts';
import { claim, volume } from '../../world/storage-objects.ts';
import { long, type Proof, type Story } from '../proof.ts';
import { began, mounting, shop, starting, told } from '../storage-proof.ts';

const nodeStageSecretRef = { namespace: 'storage', name: 'driver-login' };

/** New Pods cannot mount the volumes of a driver that logs in with one Secret, and are told so. */
const story =
  (words: string, ...names: readonly string[]): Story['tell'] =>
  (k8s) => {
    const volumes = names.map((name) =>
      volume(`pv-${name}`, { spec: { csi: { driver: 'rbd.csi.ceph.com', volumeHandle: name, nodeStageSecretRef } } }),
    );
    k8s.put(long, ...shop, ...names.map((name) => claim(name)), ...volumes);
    k8s.wait(at(0));
    const waiting = names.map((name) => mounting(name, starting(began)));
    k8s.put(began, ...waiting);
    k8s.put(
      began + 5000,
      ...waiting.map((pod) => eventOf(pod, 'FailedMount', `MountVolume.MountDevice failed: ${words}`, began + 5000)),
    );
    k8s.wait(told);
  };

const denied = 'rpc error: code = Internal desc = rbd: map failed: (1) Operation not permitted';

export const proof: Proof = {
  rule: 'several-are-refused',
  shows: {
    what: 'the volumes of two workloads are denied to a driver that has one login',
    tell: story(denied, 'api', 'web'),
    told: ['Secret/storage/driver-login FailedMount 2'],
  },
  not: {
    what: 'of one workload alone its volume may be at fault',
    tell: story(denied, 'api'),
    told: ['Deployment/shop/api FailedMount 1'],
  },
};
