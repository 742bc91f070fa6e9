import { at, daemonSet, pod } from '../../world/objects.ts';
import { app, crashing, long, type Proof, type Story, twoNodes } from '../proof.ts';
import { mountInVain } from '../storage-proof.ts';

/** A new Pod on n1 waits for a volume of a driver that has not registered, and an agent of this name crashes there. */
const story =
  (agent: string): Story['tell'] =>
  (k8s) => {
    const says =
      'MountVolume.MountDevice failed for volume "pv-1" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name efs.csi.aws.com not found in the list of registered CSI drivers';
    const there = (parts: object) =>
      pod(`${agent}-1`, { owner: { kind: 'DaemonSet', name: agent }, createdAt: long, ...parts });
    k8s.put(long, ...twoNodes, ...app('api'), daemonSet(agent, { createdAt: long }), there({}));
    k8s.wait(at(0));
    k8s.put(at(1), there(crashing(long, at(1))));
    mountInVain(k8s, says);
  };

export const proof: Proof = {
  rule: 'nobody-does-it',
  shows: {
    what: 'the node plug-in of the driver crashes on the Node',
    tell: story('efs-csi-node'),
    told: ['DaemonSet/shop/efs-csi-node CrashLoopBackOff 2'],
  },
  not: {
    what: 'what crashes there has nothing to do with volumes',
    tell: story('log-shipper'),
    told: ['DaemonSet/shop/log-shipper CrashLoopBackOff 1', 'Node//n1 FailedMount 1'],
  },
};
