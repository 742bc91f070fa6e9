import { at, daemonSet, eventOf, pod } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

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
    const waits = podOf('api', 'a', stuck(at(1, 30), 'ContainerCreating'));
    k8s.put(at(1, 30), waits);
    k8s.put(at(1, 35), eventOf(waits, 'FailedMount', says, at(1, 35)));
    k8s.wait(at(4));
  };

export const proof: Proof = {
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
