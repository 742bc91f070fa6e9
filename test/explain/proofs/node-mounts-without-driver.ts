import { at, eventOf } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

/** A new Pod cannot mount its volume on n1, as its kubelet says. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'));
    k8s.wait(at(0));
    const waits = podOf('api', 'a', stuck(at(1), 'ContainerCreating'));
    k8s.put(at(1), waits);
    k8s.put(at(1, 5), eventOf(waits, 'FailedMount', says, at(1, 5)));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'node-lacks',
  shows: {
    what: 'the kubelet of the Node knows no such driver',
    tell: story(
      'MountVolume.MountDevice failed for volume "pv-1" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name efs.csi.aws.com not found in the list of registered CSI drivers',
    ),
    told: ['Node//n1 FailedMount 1'],
  },
  not: {
    what: 'the driver is registered and cannot mount it',
    tell: story('MountVolume.MountDevice failed for volume "pv-1" : rpc error: code = Internal desc = exit status 32'),
    told: ['Deployment/shop/api FailedMount 1'],
  },
};
